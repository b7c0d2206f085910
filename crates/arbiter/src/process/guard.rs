use std::collections::BTreeSet;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The guard process: outlives the arbiter, however that ends, and kills the groups it was told to watch.
pub(super) struct Guard {
    child: Child,
}

impl Guard {
    /// Starts the guard in a group of its own, out of the reach of the terminal's Ctrl-C.
    pub(super) fn start(program: &Path) -> io::Result<Guard> {
        let mut command = Command::new(program);
        command.arg("guard").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Guard { child: command.spawn()? })
    }

    /// Watches over a group.
    pub(super) fn watch(&mut self, group: Pid) {
        self.tell('+', group);
    }

    /// Forgets a group that has ended.
    pub(super) fn forget(&mut self, group: Pid) {
        self.tell('-', group);
    }

    fn tell(&mut self, sign: char, group: Pid) {
        if let Some(stdin) = &mut self.child.stdin
            && let Err(error) = stdin.write_all(format!("{sign}{}\n", group.as_raw_nonzero()).as_bytes())
        {
            log::warn!("the guard process is gone ({error}): were the arbiter killed, engines might live on");
            self.child.stdin = None;
        }
    }

    /// Ends the guard: by then nothing is left to watch.
    pub(super) fn dismiss(&mut self) {
        self.child.stdin = None;
        let _ = self.child.wait();
    }
}

/// Reads `+GROUP` and `-GROUP` lines until its input ends, which is when the arbiter does; then kills what is left.
pub(super) fn main() -> ExitCode {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // Caught and otherwise ignored: whoever ends the arbiter so must not end its guard.
        if signal_hook::flag::register(signal, Arc::default()).is_err() {
            return ExitCode::FAILURE;
        }
    }
    let mut groups = BTreeSet::new();
    for line in io::stdin().lines() {
        let Ok(line) = line else { break };
        match line.split_at_checked(1) {
            Some(("+", group)) => groups.insert(group.parse::<i32>().ok()),
            Some(("-", group)) => groups.remove(&group.parse::<i32>().ok()),
            _ => false,
        };
    }
    for group in groups.into_iter().flatten().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    ExitCode::SUCCESS
}
