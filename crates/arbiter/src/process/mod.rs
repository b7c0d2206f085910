//! Engine processes: started through this program's own executable, watched by a guard process, ended as groups.
//!
//! All that asks the operating system for more than the standard library offers stands in this module, in
//! [`crate::system`], [`crate::interrupts`], [`crate::journal`] and [`crate::solver`], and in the poll loops of
//! [`crate::driver`] and [`crate::check`].
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod ending;
mod guard;
mod launch;
mod sandbox;
mod usage;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Sender};
use crossbeam::sync::WaitGroup;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

pub(crate) use ending::Ending;
pub(crate) use launch::{CORE, DIRECTORY, LAUNCH_FAILED, LAUNCH_FAILED_CODE, MEMORY, SANDBOX};
pub(crate) use usage::Usage;

use crate::arena::Arena;
use crate::config::EngineSpec;
use crate::isolation::Isolation;
use guard::Guard;

/// Runs the hidden commands `launch` and `guard`. The binary calls it with its arguments before all else and, given a
/// code, exits with it.
pub fn helper_main(mut args: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let command = args.nth(1)?;
    match command.to_str()? {
        "launch" => Some(launch::main(args)),
        "guard" => Some(guard::main()),
        _ => None,
    }
}

/// The home of a run's engine processes. Dropping it, once all tables are gone, waits until the last process has ended:
/// at most for the steps of the ladder quit, TERM, KILL.
pub struct Hub {
    program: PathBuf,
    shared: Arc<Shared>,
    wake: PipeReader,
    requests: Option<Sender<Request>>,
    spawner: Option<JoinHandle<()>>,
    retiring: Option<WaitGroup>,
}

struct Shared {
    started: Instant,
    step: Duration,
    guard: Mutex<Guard>,
    stopper: Stopper,
    /// What was killed and has not ended in time: on a machine with much to do that takes processor time, too.
    lingering: Mutex<Vec<Child>>,
}

type Request = (Command, Sender<io::Result<Child>>);

impl Hub {
    /// The home of an arena's engines.
    pub fn start(arena: &Arena) -> io::Result<Hub> {
        Hub::new(&arena.program, arena.patience.exit)
    }

    /// Starts the guard process and the thread that starts engines. `program` is this program's executable, `step` the
    /// time of each step of the ladder.
    pub(crate) fn new(program: &Path, step: Duration) -> io::Result<Hub> {
        let (wake, alarm) = io::pipe()?;
        let guard = Mutex::new(Guard::start(program)?);
        let stopper = Stopper { stopped: Arc::default(), alarm: Arc::new(alarm) };
        // An engine's death signal fires when the thread that started it ends: so one thread, as long-lived as the hub.
        let (requests, inbox) = channel::unbounded::<Request>();
        let spawner = thread::Builder::new().name("spawner".into()).spawn(move || {
            for (mut command, reply) in inbox {
                let _ = reply.send(command.spawn());
            }
        })?;
        Ok(Hub {
            program: program.to_owned(),
            shared: Arc::new(Shared {
                started: Instant::now(),
                step,
                guard,
                stopper,
                lingering: Mutex::default(),
            }),
            wake,
            requests: Some(requests),
            spawner: Some(spawner),
            retiring: Some(WaitGroup::new()),
        })
    }

    /// A handle that interrupts the run from any thread.
    pub fn stopper(&self) -> Stopper {
        self.shared.stopper.clone()
    }

    /// Whether the run was interrupted.
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stopper.is_stopped()
    }

    /// When the hub was started.
    pub(crate) fn started(&self) -> Instant {
        self.shared.started
    }

    /// Becomes readable, for good, when the run is interrupted.
    pub(crate) fn wake(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }

    /// Starts a process, in a group of its own with all three streams piped. That `command` cannot be run
    /// shows only later, by a line that begins with [`LAUNCH_FAILED`].
    pub(crate) fn spawn(&self, command: &[OsString], place: &Place<'_>) -> io::Result<Process> {
        let &Place { core, is_idle, isolation, dir, env } = place;
        let scratch = isolation.has_scratch().then(|| self.shared.guard(Guard::new_scratch)).transpose()?;
        let mut launcher = Command::new(&self.program);
        launch::Order {
            core,
            is_idle,
            memory: isolation.memory,
            writable: scratch.as_deref().filter(|_| isolation.is_sandboxed()),
            dir,
            scratch: scratch.as_deref(),
        }
        .give(&mut launcher, command);
        launcher.envs(env.iter().map(|(k, v)| (k, v))).process_group(0);
        launcher.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.shared.guard(|guard| guard.mark(&mut launcher));
        let (reply, answer) = channel::bounded(1);
        let gone = || io::Error::other("the thread that starts engines is gone");
        self.requests.as_ref().ok_or_else(gone)?.send((launcher, reply)).map_err(|_| gone())?;
        let mut child = answer.recv().map_err(|_| gone())??;
        match Process::adopt(&mut child) {
            Ok((pid, streams, exit)) => {
                let (mut stdin, stdout, stderr) = streams;
                // Only then may it become the engine, which may start further processes at once.
                self.shared.guard(|guard| guard.watch(pid));
                // A launcher that has ended already has said why.
                let _ = stdin.write_all(launch::GO_AHEAD);
                Ok(Process { child, pid, stdin, stdout, stderr, exit, scratch })
            }
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Ends a process and all of its group, off this thread.
    pub(crate) fn retire(&self, process: Process, farewell: Farewell) {
        let shared = self.shared.clone();
        let pending = self.retiring.clone();
        let ladder = thread::Builder::new().name("retire".into()).spawn(move || {
            shared.end(process, farewell);
            drop(pending);
        });
        if let Err(error) = ladder {
            log::warn!("an engine is left to the guard: {error}");
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        if let Some(retiring) = self.retiring.take() {
            retiring.wait();
        }
        self.requests = None;
        if let Some(spawner) = self.spawner.take() {
            let _ = spawner.join();
        }
        self.shared.guard(Guard::dismiss);
        if self.shared.reap(None) > 0 {
            log::warn!("some processes have not ended although they were killed");
        }
    }
}

impl Shared {
    fn guard<T>(&self, f: impl FnOnce(&mut Guard) -> T) -> T {
        f(&mut self.guard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The ladder: `quit` and end of input, TERM, KILL; whatever happened, the rest of the group is killed.
    fn end(&self, process: Process, farewell: Farewell) {
        let Process { child, pid, mut stdin, stdout, stderr, exit, scratch } = process;
        if farewell == Farewell::Quit {
            let _ = stdin.write_all(b"quit\n");
            drop(stdin);
            if !self.ended(&exit) {
                let _ = kill_process_group(pid, Signal::TERM);
                self.ended(&exit);
            }
        }
        // Before the leader is reaped: until then its number can't be given to another group.
        let _ = kill_process_group(pid, Signal::KILL);
        self.ended(&exit);
        self.reap(Some(child));
        drop((stdout, stderr));
        if let Some(scratch) = scratch {
            // What can't be removed yet goes with the others', at the end.
            let _ = std::fs::remove_dir_all(scratch);
        }
        self.guard(|guard| guard.forget(pid));
    }

    /// Reaps all that have ended of those that were killed, with another one. Gives the number of those that have not.
    fn reap(&self, another: Option<Child>) -> usize {
        let mut lingering = self.lingering.lock().unwrap_or_else(PoisonError::into_inner);
        lingering.extend(another);
        lingering.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        lingering.len()
    }

    /// Waits for a process to end, one step of the ladder; a quarter of that once the run is interrupted.
    fn ended(&self, exit: &OwnedFd) -> bool {
        let since = Instant::now();
        loop {
            let step = if self.stopper.is_stopped() { self.step / 4 } else { self.step };
            let rest = step.saturating_sub(since.elapsed()).min(Duration::from_millis(100));
            let mut fds = [PollFd::new(exit, PollFlags::IN)];
            match poll(&mut fds, Timespec::try_from(rest).ok().as_ref()) {
                Ok(0) if since.elapsed() >= step => return false,
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return true,
                Err(_) => return false,
            }
        }
    }
}

/// What a process finds around it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place<'a> {
    /// The processor core it is bound to.
    pub(crate) core: Option<usize>,
    /// Whether it only gets processor time that nobody else wants.
    pub(crate) is_idle: bool,
    /// What it is kept from.
    pub(crate) isolation: Isolation,
    /// Working directory; `None`: the arbiter's.
    pub(crate) dir: Option<&'a Path>,
    /// Additional environment variables.
    pub(crate) env: &'a [(String, String)],
}

impl<'a> Place<'a> {
    /// What an engine asks for, on that core if one is given.
    pub(crate) fn of(spec: &'a EngineSpec, core: Option<usize>) -> Place<'a> {
        let EngineSpec { isolation, dir, env, .. } = spec;
        Place { core, is_idle: false, isolation: *isolation, dir: dir.as_deref(), env }
    }
}

/// How to part from a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Farewell {
    /// Politely at first: the ladder from `quit` to KILL.
    Quit,
    /// KILL at once: it has shown that it doesn't listen, or is dead.
    Kill,
}

/// A running engine process with its streams, all non-blocking.
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
    /// Becomes readable when the process has ended.
    pub(crate) exit: OwnedFd,
    /// Its own directory.
    scratch: Option<PathBuf>,
}

type Streams = (ChildStdin, ChildStdout, ChildStderr);

impl Process {
    fn adopt(child: &mut Child) -> io::Result<(Pid, Streams, OwnedFd)> {
        let pid = Pid::from_child(child);
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(io::Error::other("a standard stream is missing"));
        };
        for stream in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            rustix::io::ioctl_fionbio(stream, true)?;
        }
        Ok((pid, (stdin, stdout, stderr), pidfd_open(pid, PidfdFlags::empty())?))
    }

    /// The process's number, which is its group's too.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What the process does, for people; `None` where the system doesn't tell.
    pub(crate) fn state(&self) -> Option<&'static str> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).ok()?;
        // The state is the first field after the program's name in parentheses, which may hold anything.
        match stat.rsplit_once(") ")?.1.chars().next()? {
            'R' => Some("running"),
            'S' => Some("sleeping"),
            'D' => Some("waiting for a device"),
            'T' | 't' => Some("stopped"),
            'Z' | 'X' => Some("dead"),
            _ => None,
        }
    }

    /// Closes the process's input: it will read the end of it.
    pub(crate) fn close_input(&mut self) -> io::Result<()> {
        self.stdin = nothing()?.into();
        Ok(())
    }

    /// Closes our end of the process's output: it can't write any more.
    pub(crate) fn close_output(&mut self) -> io::Result<()> {
        self.stdout = nothing()?.into();
        Ok(())
    }

    /// Sends the process, not its group, a signal.
    pub(crate) fn signal(&self, signal: Signal) -> io::Result<()> {
        Ok(pidfd_send_signal(&self.exit, signal)?)
    }

    /// What the process and all others of its group have used so far.
    pub(crate) fn usage(&self) -> Usage {
        Usage::of_group(self.pid)
    }

    /// How the process ended, once [`Process::exit`] is readable. It isn't reaped by this.
    pub(crate) fn ending(&self) -> Ending {
        Ending::of(self.pid)
    }
}

/// Takes the place of a stream that was closed.
fn nothing() -> io::Result<OwnedFd> {
    Ok(File::open("/dev/null")?.into())
}

/// Interrupts all games of a run: they end at once as `unfinished`.
#[derive(Clone)]
pub struct Stopper {
    stopped: Arc<AtomicBool>,
    alarm: Arc<PipeWriter>,
}

impl Stopper {
    /// Interrupts the run, for good.
    pub fn stop(&self) {
        if !self.stopped.swap(true, Ordering::SeqCst) {
            let _ = (&*self.alarm).write_all(b"!");
        }
    }

    /// Whether the run was interrupted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }
}
