//! Engine processes: started through this program's own executable, watched by a guard process, ended as groups.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use crate::arena::Arena;

/// Runs the hidden commands `launch` and `guard`. The binary calls it with its arguments before all else and, given a
/// code, exits with it.
pub fn helper_main(_args: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    None
}

/// The home of a run's engine processes. Dropping it ends what is left of them.
pub struct Hub {}

impl Hub {
    /// Starts the guard process and the thread that starts engines.
    pub fn start(_arena: &Arena) -> io::Result<Hub> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// A handle that interrupts the run from any thread.
    pub fn stopper(&self) -> Stopper {
        Stopper {}
    }
}

/// Interrupts all games of a run: they end at once as `unfinished`.
#[derive(Clone)]
pub struct Stopper {}

impl Stopper {
    /// Interrupts the run, for good.
    pub fn stop(&self) {}

    /// Whether the run was interrupted.
    pub fn is_stopped(&self) -> bool {
        false
    }
}
