//! What the operating system allows a run: processor cores, open files, and room on the terminal.

use std::io;

use rustix::process::{Resource, getrlimit, setrlimit};
use rustix::termios::tcgetwinsize;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Files a game needs open: three pipes and a handle for each of two engines, and some for their ending.
const FILES_PER_GAME: u64 = 12;
/// Files that a run needs open besides.
const FILES_OF_RUN: u64 = 32;

/// Binds this process and all it starts from now on to the first core it may run on.
pub fn share_one_core() -> io::Result<()> {
    let allowed = sched_getaffinity(None)?;
    let first = (0..CpuSet::MAX_CPU).find(|&core| allowed.is_set(core));
    let mut one = CpuSet::new();
    one.set(first.ok_or_else(|| io::Error::other("no processor core is allowed"))?);
    Ok(sched_setaffinity(None, &one)?)
}

/// The columns and lines of the terminal that standard error is; `None` if it is none or doesn't say.
pub fn terminal_size() -> Option<(usize, usize)> {
    let size = tcgetwinsize(io::stderr()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col.into(), size.ws_row.into()))
}

/// Allows this process as many open files as `games` games at a time need, and otherwise says how many games there is
/// room for.
pub fn make_room(games: usize) -> Result<(), u64> {
    let wanted = games as u64 * FILES_PER_GAME + FILES_OF_RUN;
    let mut limit = getrlimit(Resource::Nofile);
    let Some(current) = limit.current.filter(|&current| current < wanted) else { return Ok(()) };
    limit.current = Some(wanted.min(limit.maximum.unwrap_or(wanted)).max(current));
    let room = setrlimit(Resource::Nofile, limit).map_or(Some(current), |()| limit.current);
    match room.filter(|&files| files < wanted) {
        Some(files) => Err(files.saturating_sub(FILES_OF_RUN) / FILES_PER_GAME),
        None => Ok(()),
    }
}
