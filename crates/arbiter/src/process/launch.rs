use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{self, Path};
use std::process::{Command, ExitCode};

use rustix::process::{Resource, Rlimit, Signal, getppid, nice, set_parent_process_death_signal, setrlimit};

use super::sandbox;

/// The first words of the line on standard output that says why a program could not be run.
pub(crate) const LAUNCH_FAILED: &str = "arbiter launch failed:";

/// The exit code that goes with [`LAUNCH_FAILED`], as shells use it.
pub(crate) const LAUNCH_FAILED_CODE: i32 = 127;

/// What follows them where it is not the program that fails: the sandbox, the directory that it is started in, its limit
/// of memory, the core that it is bound to.
pub(crate) const SANDBOX: &str = "sandbox";
pub(crate) const DIRECTORY: &str = "working directory";
pub(crate) const MEMORY: &str = "memory limit";
pub(crate) const CORE: &str = "processor core";

/// What [`main`] waits for on standard input before it becomes the engine.
pub(super) const GO_AHEAD: &[u8] = b"\n";

/// The niceness of a process that is not to be in anybody's way.
const IDLE: i32 = 19;

/// How a program is started.
pub(super) struct Order<'a> {
    /// The processor core it is bound to.
    pub(super) core: Option<usize>,
    /// Whether it only gets processor time that nobody else wants.
    pub(super) is_idle: bool,
    /// MiB of memory that it may have.
    pub(super) memory: Option<u64>,
    /// Where alone it may write; `None`: it isn't put into the sandbox.
    pub(super) writable: Option<&'a Path>,
    /// Where it is started; `None`: in its own directory if it has one, else in the present one.
    pub(super) dir: Option<&'a Path>,
    /// Its own directory.
    pub(super) scratch: Option<&'a Path>,
}

impl Order<'_> {
    /// Makes `launcher` carry this out through [`main`] and run `command`, once it was given the [`GO_AHEAD`].
    pub(super) fn give(&self, launcher: &mut Command, command: &[OsString]) {
        fn shown(number: Option<impl ToString>) -> String {
            number.map_or_else(String::new, |number| number.to_string())
        }
        let path = |path: Option<&Path>| path.map_or(OsString::new(), OsString::from);
        launcher.arg("launch").arg(std::process::id().to_string());
        launcher.args([shown(self.core), shown(self.is_idle.then_some(IDLE)), shown(self.memory)]);
        launcher.args([path(self.writable), path(self.dir.or(self.scratch))]);
        if let Some(scratch) = self.scratch {
            launcher.env("TMPDIR", scratch);
        }
        if self.dir.is_none() && self.scratch.is_some() {
            // What the command names was named from where the arbiter is.
            launcher.args(command.iter().enumerate().map(|(i, word)| rooted(word, i == 0)));
        } else {
            launcher.args(command);
        }
    }
}

/// A word of a command as a whole path, if it is the relative one of a file. A program without any `/` is looked for
/// elsewhere.
fn rooted(word: &OsString, is_program: bool) -> OsString {
    let path = Path::new(word);
    let is_file = path.is_file() && !(is_program && path.components().count() == 1);
    path::absolute(path).ok().filter(|_| is_file).map_or_else(|| word.clone(), OsString::from)
}

/// Becomes the engine: `launch PARENT CORE NICENESS MEMORY WRITABLE DIR COMMAND ARGUMENT…`, where an empty DIR is the
/// present one, an empty CORE any, an empty NICENESS the arbiter's, an empty MEMORY no limit, an empty WRITABLE no sandbox.
/// A relative path of a program counts from DIR.
pub(super) fn main(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        let _ = writeln!(io::stdout(), "{LAUNCH_FAILED} {what}: {error}");
        ExitCode::from(LAUNCH_FAILED_CODE as u8)
    };
    let parent = args.next().and_then(|pid| pid.to_str()?.parse::<i32>().ok());
    let mut next = || args.next();
    let (Some(parent), Some(core), Some(niceness), Some(memory), Some(writable), Some(dir), Some(program)) =
        (parent, next(), next(), next(), next(), next(), next())
    else {
        return failed("usage", &"launch PARENT CORE NICENESS MEMORY WRITABLE DIR COMMAND ARGUMENT…");
    };
    // The parent may have ended before the death signal was set: then nobody waits for this engine any more.
    let bound = set_parent_process_death_signal(Some(Signal::KILL));
    if bound.is_err() || getppid().map(|pid| pid.as_raw_nonzero().get()) != Some(parent) {
        return ExitCode::FAILURE;
    }
    if let Some(core) = core.to_str().and_then(|core| core.parse().ok())
        && let Err(error) = crate::system::bind(core)
    {
        return failed(&format!("{CORE} {core}"), &error);
    }
    if let Some(niceness) = niceness.to_str().and_then(|niceness| niceness.parse().ok())
        && let Err(error) = nice(niceness)
    {
        return failed("niceness", &error);
    }
    if !dir.is_empty()
        && let Err(error) = std::env::set_current_dir(&dir)
    {
        return failed(&format!("{DIRECTORY} {}", dir.display()), &error);
    }
    // The first byte of input is the arbiter's word that the guard watches this group; its end, that there is no arbiter.
    if !matches!(rustix::io::read(std::io::stdin(), &mut [0]), Ok(1)) {
        return ExitCode::FAILURE;
    }
    // What the arbiter inherited without that flag, or a foreign library opened, is none of the engine's business.
    close_fds::set_fds_cloexec(3, &[]);
    if let Some(mebibytes) = memory.to_str().and_then(|memory| memory.parse().ok())
        && let Err(error) = limit_memory(mebibytes)
    {
        return failed(&format!("{MEMORY} of {mebibytes} MiB"), &error);
    }
    if !writable.is_empty()
        && let Err(error) = sandbox::enter(Path::new(&writable))
    {
        return failed(SANDBOX, &format!("{error}; it takes Landlock as of Linux 6.12, and seccomp"));
    }
    let error = Command::new(&program).args(args).exec();
    failed(&program.display().to_string(), &error)
}

/// Limits the address space of this process and of each that comes of it.
fn limit_memory(mebibytes: u64) -> rustix::io::Result<()> {
    let bytes = Some(mebibytes.saturating_mul(1 << 20));
    setrlimit(Resource::As, Rlimit { current: bytes, maximum: bytes })
}
