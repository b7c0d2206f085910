use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

/// The first words of the line on standard output that says why a program could not be run.
pub(crate) const LAUNCH_FAILED: &str = "arbiter launch failed:";

/// The exit code that goes with [`LAUNCH_FAILED`], as shells use it.
pub(crate) const LAUNCH_FAILED_CODE: i32 = 127;

/// What [`main`] waits for on standard input before it becomes the engine.
pub(super) const GO_AHEAD: &[u8] = b"\n";

/// Makes `launcher` run `command` in `dir` on `core` through [`main`], once it was given the [`GO_AHEAD`].
pub(super) fn arguments(
    launcher: &mut Command,
    command: &[OsString],
    dir: Option<&PathBuf>,
    core: Option<usize>,
) {
    launcher.arg("launch").arg(std::process::id().to_string());
    launcher.arg(core.map_or_else(String::new, |core| core.to_string()));
    launcher.arg(dir.map_or(OsString::new(), OsString::from)).args(command);
}

/// Becomes the engine: `launch PARENT CORE DIR COMMAND ARGUMENT…`, where an empty DIR is the present one, an empty CORE any. A relative path of
/// a program counts from DIR.
pub(super) fn main(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        println!("{LAUNCH_FAILED} {what}: {error}");
        ExitCode::from(LAUNCH_FAILED_CODE as u8)
    };
    let parent = args.next().and_then(|pid| pid.to_str()?.parse::<i32>().ok());
    let (Some(parent), Some(core), Some(dir), Some(program)) =
        (parent, args.next(), args.next(), args.next())
    else {
        return failed("usage", &"launch PARENT CORE DIR COMMAND ARGUMENT…");
    };
    // The parent may have ended before the death signal was set: then nobody waits for this engine any more.
    let bound = set_parent_process_death_signal(Some(Signal::KILL));
    if bound.is_err() || getppid().map(|pid| pid.as_raw_nonzero().get()) != Some(parent) {
        return ExitCode::FAILURE;
    }
    if let Some(core) = core.to_str().and_then(|core| core.parse().ok())
        && let Err(error) = crate::system::bind(core)
    {
        return failed(&format!("processor core {core}"), &error);
    }
    if !dir.is_empty()
        && let Err(error) = std::env::set_current_dir(&dir)
    {
        return failed(&format!("working directory {}", dir.display()), &error);
    }
    // The first byte of input is the arbiter's word that the guard watches this group; its end, that there is no arbiter.
    if !matches!(rustix::io::read(std::io::stdin(), &mut [0]), Ok(1)) {
        return ExitCode::FAILURE;
    }
    // What the arbiter inherited without that flag, or a foreign library opened, is none of the engine's business.
    close_fds::set_fds_cloexec(3, &[]);
    let error = Command::new(&program).args(args).exec();
    failed(&program.display().to_string(), &error)
}
