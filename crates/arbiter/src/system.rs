//! What the operating system allows a run: processor cores, open files, and room on the terminal.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::str::FromStr;

use rustix::process::{Resource, getrlimit, setrlimit};
use rustix::termios::tcgetwinsize;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Files a game needs open: three pipes and a handle for each of two engines and a process that solves positions, two to
/// wait for them, and two for their ending.
const FILES_PER_GAME: u64 = 16;
/// Files that a run needs open besides.
const FILES_OF_RUN: u64 = 32;

/// A choice of processor cores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cores {
    /// `auto`: all that this process may run on.
    All,
    /// A list such as `0,2-5`.
    Listed(Vec<usize>),
}

impl FromStr for Cores {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Cores, &'static str> {
        let expected = "expected auto or core numbers such as 0,2-5";
        if text == "auto" {
            return Ok(Cores::All);
        }
        let mut cores = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match (first.parse::<usize>(), last.parse::<usize>()) {
                (Ok(first), Ok(last)) if first <= last && last < CpuSet::MAX_CPU => {
                    cores.extend(first..=last);
                }
                _ => return Err(expected),
            }
        }
        Ok(Cores::Listed(cores))
    }
}

impl Cores {
    /// The numbers of the cores chosen, of which this process may run on each.
    pub fn allowed(&self) -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect();
        match self {
            Cores::All => Ok(allowed),
            Cores::Listed(list) => match list.iter().find(|core| !allowed.contains(core)) {
                Some(core) => {
                    Err(io::Error::other(format!("core {core} is none of those allowed: {allowed:?}")))
                }
                None => Ok(list.clone()),
            },
        }
    }
}

/// Binds this process and all it starts from now on to one core.
pub(crate) fn bind(core: usize) -> io::Result<()> {
    let mut one = CpuSet::new();
    one.set(core);
    Ok(sched_setaffinity(None, &one)?)
}

/// Binds this process and all it starts from now on to the first core it may run on.
pub fn share_one_core() -> io::Result<()> {
    let first = Cores::All.allowed()?.first().copied();
    bind(first.ok_or_else(|| io::Error::other("no processor core is allowed"))?)
}

/// Whether a stream is a terminal that can do more than print one line below the other.
pub fn is_screen(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether a stream shows colours: on a screen, unless somebody wants none (see no-color.org).
pub fn shows_colours(stream: &impl IsTerminal) -> bool {
    is_screen(stream) && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The columns and lines of a terminal; `None` if the stream is none or it doesn't say.
pub fn terminal_size(stream: impl AsFd) -> Option<(usize, usize)> {
    let size = tcgetwinsize(stream).ok()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_listed_and_must_be_allowed() {
        assert_eq!("auto".parse(), Ok(Cores::All));
        assert_eq!("0,2-4".parse(), Ok(Cores::Listed(vec![0, 2, 3, 4])));
        for text in ["", "x", "-1", "3-1", "0,", "99999999", "0-99999999", "1.5"] {
            assert!(text.parse::<Cores>().is_err(), "{text:?}");
        }
        let all = Cores::All.allowed().unwrap();
        assert_eq!(Cores::Listed(all.clone()).allowed().unwrap(), all);
        let beyond = all.last().unwrap() + 1;
        let error = Cores::Listed(vec![beyond]).allowed().unwrap_err().to_string();
        assert!(error.starts_with(&format!("core {beyond} is none of those allowed")), "{error}");
    }
}
