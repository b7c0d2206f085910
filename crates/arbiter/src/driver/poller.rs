use std::iter;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::{Driver, GRACE, Owed};
use crate::fault::Fault;
use crate::process::{Hub, Process};

/// The pieces in which output is read.
const PIECE: usize = 64 << 10;

/// So often at least a waiting arbiter looks at the clock, to notice that it was suspended.
const WATCH: Duration = Duration::from_secs(1);
/// A wait that ends so much too late means that the arbiter didn't run: stopped, or starved of processor time.
const OVERSLEPT: Duration = Duration::from_millis(250);

/// Waits for engines: reads all that they print, writes what they did not take yet.
pub(crate) struct Poller<'a> {
    hub: &'a Hub,
    piece: Vec<u8>,
    slept: Duration,
}

/// Why waiting ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Waited {
    /// The engine owes nothing any more.
    Done,
    /// The deadline has passed.
    Late,
    /// The engine can't answer any more.
    Broken(Fault),
    /// The run was interrupted.
    Stopped,
}

#[derive(Clone, Copy)]
enum Source {
    Input,
    Output,
    Errors,
    Exit,
}

impl<'a> Poller<'a> {
    pub(crate) fn new(hub: &'a Hub) -> Poller<'a> {
        Poller { hub, piece: vec![0; PIECE], slept: Duration::ZERO }
    }

    /// For how long in all the arbiter didn't run while it waited. No engine has to answer for that.
    pub(crate) fn slept(&self) -> Duration {
        self.slept
    }

    /// Waits until `engine` has answered, at most until `deadline`, which no output moves, only the time for which
    /// the arbiter itself was suspended. The others are listened to meanwhile, so that none ever blocks on a full pipe.
    pub(crate) fn wait(
        &mut self,
        engine: &mut Driver<'a>,
        others: &mut [Driver<'a>],
        mut deadline: Instant,
    ) -> Waited {
        loop {
            if engine.owed == Owed::Nothing {
                return Waited::Done;
            }
            let now = Instant::now();
            if let Some(fault) = engine.fault(now) {
                return Waited::Broken(fault);
            }
            if now >= deadline {
                return Waited::Late;
            }
            let until = engine.broken.map_or(deadline, |at| deadline.min(at + GRACE)).min(now + WATCH);
            let timeout = until.saturating_duration_since(now);
            if self.poll(engine, others, timeout) {
                return Waited::Stopped;
            }
            let late = now.elapsed().saturating_sub(timeout);
            if late > OVERSLEPT {
                deadline += late;
                self.slept += late;
            }
        }
    }

    /// Attends once to all that is ready. Says whether the run was interrupted.
    fn poll(&mut self, engine: &mut Driver<'a>, others: &mut [Driver<'a>], timeout: Duration) -> bool {
        let mut engines: Vec<&mut Driver> = iter::once(engine).chain(others).collect();
        let mut fds = Vec::with_capacity(1 + 4 * engines.len());
        let mut sources = Vec::with_capacity(4 * engines.len());
        fds.push(PollFd::from_borrowed_fd(self.hub.wake(), PollFlags::IN));
        for (i, engine) in engines.iter().enumerate() {
            let Process { stdin, stdout, stderr, exit, .. } = &engine.process;
            let alive = engine.ending.is_none();
            let output = engine.output_open && !engine.is_flooding();
            for (wanted, source, fd, flags) in [
                (output, Source::Output, stdout.as_fd(), PollFlags::IN),
                (engine.errors_open, Source::Errors, stderr.as_fd(), PollFlags::IN),
                (alive && !engine.outbox.is_empty(), Source::Input, stdin.as_fd(), PollFlags::OUT),
                (alive, Source::Exit, exit.as_fd(), PollFlags::IN),
            ] {
                if wanted {
                    fds.push(PollFd::from_borrowed_fd(fd, flags));
                    sources.push((i, source));
                }
            }
        }
        if let Err(error) = poll(&mut fds, Timespec::try_from(timeout).ok().as_ref()) {
            if error != Errno::INTR {
                log::error!("poll: {error}");
            }
            return false;
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let stopped = ready.next().unwrap_or(false);
        sources.retain(|_| ready.next().unwrap_or(false));
        for (i, source) in sources {
            if let Some(engine) = engines.get_mut(i) {
                self.attend(engine, source);
            }
        }
        stopped
    }

    fn attend(&mut self, engine: &mut Driver, source: Source) {
        match source {
            Source::Input => engine.flush(),
            Source::Output => drop(self.read_output(engine)),
            Source::Errors => drop(self.read_errors(engine)),
            Source::Exit => {
                // What a dead process printed is all in the pipes; a child it left may still hold their other ends.
                while engine.output_open && !engine.is_flooding() && self.read_output(engine) {}
                while engine.errors_open && self.read_errors(engine) {}
                if engine.output_open {
                    engine.hear(&[], Instant::now());
                }
                engine.ending = Some(engine.process.ending());
            }
        }
    }

    /// Reads once; says whether there may be more.
    fn read_output(&mut self, engine: &mut Driver) -> bool {
        let piece = read(&engine.process.stdout, &mut self.piece);
        piece.inspect(|piece| engine.hear(piece, Instant::now())).is_some_and(|piece| !piece.is_empty())
    }

    fn read_errors(&mut self, engine: &mut Driver) -> bool {
        let piece = read(&engine.process.stderr, &mut self.piece);
        piece
            .inspect(|piece| engine.hear_errors(piece, Instant::now()))
            .is_some_and(|piece| !piece.is_empty())
    }
}

/// Reads what is there; `None` if nothing is there now, nothing at the end.
fn read(pipe: impl AsFd, buffer: &mut [u8]) -> Option<&[u8]> {
    match rustix::io::read(pipe, &mut *buffer) {
        Err(Errno::AGAIN | Errno::INTR) => None,
        Ok(n) => buffer.get(..n),
        Err(_) => Some(&[]),
    }
}
