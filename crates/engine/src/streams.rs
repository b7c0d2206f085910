//! The standard streams of a program, and the exit codes that say what went wrong.

use std::io::{self, Write};
use std::process::ExitCode;

/// The exit codes that all programs have in common.
pub mod code {
    /// What the program was asked to do is wrong.
    pub const USAGE: u8 = 1;
    /// The system refuses a file, a pipe or a process.
    pub const INTERNAL: u8 = 5;
}

/// Whether something was written. A reader that has left early is no failure.
pub fn unless_left(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// Says a line on standard error, if anybody can hear it.
pub fn remark(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints what the argument parser has to say, and gives the exit code for it: help and version are no failures.
pub fn usage(error: &clap::Error) -> ExitCode {
    match unless_left(error.print()) {
        _ if error.use_stderr() => ExitCode::from(code::USAGE),
        Err(error) => {
            remark(&format!("error: standard output can't be written: {error}"));
            ExitCode::from(code::INTERNAL)
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}
