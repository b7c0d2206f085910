use std::fmt;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use signal_hook::low_level::signal_name;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It exited with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// The system doesn't tell, as where the arbiter was started with SIGCHLD ignored.
    Untold,
}

impl Ending {
    /// The ending of a child that has ended and has not been reaped yet, and will not be by this.
    pub(crate) fn of(pid: Pid) -> Ending {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Ok(Some(status)) = waitid(WaitId::Pid(pid), options) else { return Ending::Untold };
        let signal = status.terminating_signal().map(Ending::Signal);
        signal.or(status.exit_status().map(Ending::Code)).unwrap_or(Ending::Untold)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |signal| signal_name(signal).unwrap_or("unnamed");
        match *self {
            Ending::Signal(signal) => write!(f, "signal {signal} ({})", name(signal)),
            // A shell says in its own code which signal ended its command.
            Ending::Code(code @ 129..=159) => {
                write!(f, "exit code {code} (from a shell: signal {}, {})", code - 128, name(code - 128))
            }
            Ending::Untold => f.write_str("it ended, the system doesn't tell how"),
            Ending::Code(code) => write!(f, "exit code {code}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_named() {
        assert_eq!(Ending::Signal(11).to_string(), "signal 11 (SIGSEGV)");
        assert_eq!(Ending::Signal(64).to_string(), "signal 64 (unnamed)");
        assert_eq!(Ending::Code(3).to_string(), "exit code 3");
        assert_eq!(Ending::Code(137).to_string(), "exit code 137 (from a shell: signal 9, SIGKILL)");
    }
}
