use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{self, Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The variable by which a run's processes are known in whatever group, session or ancestry: the number of their guard,
/// which nobody else has while that lives.
const MARK: &str = "LUDUS_GUARD";

/// How often processes are looked for that are still there or were started since, and the time in between.
const SWEEPS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);
/// So often in a row none must be found: for a moment, one that becomes another program has no environment to be known by.
const ABSENCES: u32 = 4;

/// The guard process: outlives the arbiter, however that ends, and kills the groups it was told to watch
/// and what left them.
pub(super) struct Guard {
    child: Child,
    /// Where the engines' own directories are, once there are any.
    scratch: Option<PathBuf>,
    /// Number of these so far.
    scratches: u64,
}

impl Guard {
    /// Starts the guard in a group of its own, out of the reach of the terminal's Ctrl-C.
    pub(super) fn start(program: &Path) -> io::Result<Guard> {
        let mut command = Command::new(program);
        command.arg("guard").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Guard { child: command.spawn()?, scratch: None, scratches: 0 })
    }

    /// Has all that comes of `command` carry the mark.
    pub(super) fn mark(&self, command: &mut Command) {
        command.env(MARK, self.child.id().to_string());
    }

    /// Watches over a group.
    pub(super) fn watch(&mut self, group: Pid) {
        self.tell(&format!("+{}", group.as_raw_nonzero()));
    }

    /// Forgets a group that has ended.
    pub(super) fn forget(&mut self, group: Pid) {
        self.tell(&format!("-{}", group.as_raw_nonzero()));
    }

    /// Makes a new directory that nobody else may enter. The guard removes it at the end, however that comes.
    pub(super) fn new_scratch(&mut self) -> io::Result<PathBuf> {
        let root = match &self.scratch {
            Some(root) => root.clone(),
            None => self.make_scratch_root()?,
        };
        let scratch = root.join(self.scratches.to_string());
        self.scratches += 1;
        fs::create_dir(&scratch)?;
        Ok(scratch)
    }

    fn make_scratch_root(&mut self) -> io::Result<PathBuf> {
        let place = path::absolute(std::env::temp_dir())?;
        let root = tempfile::Builder::new().prefix("ludus-").tempdir_in(place)?.keep();
        match root.to_str() {
            Some(text) if !text.contains('\n') => self.tell(text),
            _ => return Err(io::Error::other(format!("{} is no plain path", root.display()))),
        }
        self.scratch = Some(root.clone());
        Ok(root)
    }

    fn tell(&mut self, line: &str) {
        if let Some(stdin) = &mut self.child.stdin
            && let Err(error) = stdin.write_all(format!("{line}\n").as_bytes())
        {
            log::warn!("the guard process is gone ({error}): were the arbiter killed, engines might live on");
            self.child.stdin = None;
        }
    }

    /// Ends the guard: by then no group is left to watch, but there may be daemons.
    pub(super) fn dismiss(&mut self) {
        self.child.stdin = None;
        let _ = self.child.wait();
    }
}

/// Reads `+GROUP` and `-GROUP` lines, and the `/PATH` of the engines' directories, until its input ends, which is when
/// the arbiter does; then kills and removes what is left.
pub(super) fn main() -> ExitCode {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // Caught and otherwise ignored: whoever ends the arbiter so must not end its guard.
        if signal_hook::flag::register(signal, Arc::default()).is_err() {
            return ExitCode::FAILURE;
        }
    }
    let mut groups = BTreeSet::new();
    let mut scratch = None;
    for line in io::stdin().lines() {
        let Ok(line) = line else { break };
        match line.split_at_checked(1) {
            Some(("+", group)) => groups.insert(group.parse::<i32>().ok()),
            Some(("-", group)) => groups.remove(&group.parse::<i32>().ok()),
            Some(("/", _)) => scratch.replace(line).is_none(),
            _ => false,
        };
    }
    for group in groups.into_iter().flatten().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    sweep();
    if let Some(scratch) = scratch {
        let _ = fs::remove_dir_all(scratch);
    }
    ExitCode::SUCCESS
}

/// Kills all that carries this process's mark, until there is nothing more.
fn sweep() {
    let mark = format!("{MARK}={}", std::process::id());
    let mut absences = 0;
    for _ in 0..SWEEPS {
        let Ok(entries) = fs::read_dir("/proc") else { return };
        let marked: Vec<OwnedFd> =
            entries.flatten().filter_map(|entry| marked(&entry, mark.as_bytes())).collect();
        absences = if marked.is_empty() { absences + 1 } else { 0 };
        if absences == ABSENCES {
            return;
        }
        for process in &marked {
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
        thread::sleep(PAUSE);
    }
}

/// A handle of the process that an entry of `/proc` stands for, if it carries the mark.
fn marked(entry: &DirEntry, mark: &[u8]) -> Option<OwnedFd> {
    let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
    // The handle comes first: by the time the environment is read, the number might be another process's.
    let process = pidfd_open(pid, PidfdFlags::empty()).ok()?;
    let environment = fs::read(entry.path().join("environ")).ok()?;
    environment.split(|byte| *byte == 0).any(|variable| variable == mark).then_some(process)
}
