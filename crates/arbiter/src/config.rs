//! What a run is asked to do.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use game::TUNE;

use crate::isolation::Isolation;

/// How an engine process is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Launch {
    /// An engine of this program: `arbiter engine GAME [--agent AGENT]` in a process of its own.
    BuiltIn {
        /// The game.
        game: String,
        /// The agent; `None`: the game's main engine.
        agent: Option<String>,
    },
    /// A program with its arguments; never empty, never a shell.
    Command(Vec<String>),
}

/// A command as a shell would take it.
pub(crate) fn shown(command: &[OsString]) -> String {
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    shell_words::join(words)
}

/// An engine taking part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Its name in tables and records, unique within a run.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Working directory; `None`: the arbiter's.
    pub dir: Option<PathBuf>,
    /// Additional environment variables.
    pub env: Vec<(String, String)>,
    /// Its own limits instead of the run's (time odds).
    pub limits: Option<TimeControl>,
    /// What it is kept from.
    pub isolation: Isolation,
}

impl EngineSpec {
    /// The program and its arguments; `arbiter` is this program.
    pub(crate) fn command(&self, arbiter: &Path) -> Vec<OsString> {
        match &self.launch {
            Launch::Command(words) => words.iter().map(OsString::from).collect(),
            Launch::BuiltIn { game, agent } => {
                let mut command = vec![arbiter.into(), "engine".into(), game.into()];
                if let Some(agent) = agent {
                    command.extend(["--agent".into(), agent.into()]);
                }
                // It declares them only when asked to.
                if self.options.iter().any(|(name, _)| is_tuned(name)) {
                    command.push("--tune".into());
                }
                command
            }
        }
    }
}

/// Whether an option of that name, in any letter case, is one that tuners set.
fn is_tuned(name: &str) -> bool {
    name.get(..TUNE.len()).is_some_and(|start| start.eq_ignore_ascii_case(TUNE))
}

/// What bounds an engine's thinking. All that are given are sent and hold together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Time per move.
    pub movetime: Option<Duration>,
    /// Time for the first move of each game, instead of [`TimeControl::movetime`].
    pub first_movetime: Option<Duration>,
    /// Time per game.
    pub clock: Option<ClockControl>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
}

/// A clock: `moves/base+increment`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockControl {
    /// Moves after which `base` is added again; `None`: never.
    pub moves: Option<u32>,
    /// Time at the start.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// How long the arbiter waits for what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patience {
    /// From start to `ugiok`.
    pub startup: Duration,
    /// For the first `readyok`.
    pub first_ready: Duration,
    /// For a later `readyok`, and for `setupok` and query answers.
    pub ready: Duration,
    /// Beyond an engine's own limit before its move counts as late.
    pub margin: Duration,
    /// Beyond that for the late move to come before the process is killed.
    pub cleanup: Duration,
    /// For a move that only nodes or depth limit.
    pub max_think: Duration,
    /// Each step of the ladder quit, TERM, KILL.
    pub exit: Duration,
}

/// A text that is no [`ClockControl`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no time control: expected [MOVES/]SECONDS[+INCREMENT], such as 40/60+0.5")]
pub struct ClockError(String);

impl FromStr for ClockControl {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<ClockControl, ClockError> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok().filter(|n| *n > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            Some(ClockControl { moves, base: seconds(base)?, increment: seconds(increment)? })
        };
        read().filter(|clock| !clock.base.is_zero()).ok_or_else(|| ClockError(text.into()))
    }
}

/// Seconds with at most three decimals; the wire counts milliseconds.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    Some(Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl fmt::Display for TimeControl {
    /// For people: `50 ms per move, 2000 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.movetime.map(|t| format!("{} ms per move", t.as_millis())),
            self.first_movetime.map(|t| format!("{} ms for the first", t.as_millis())),
            self.clock.map(|clock| format!("{clock} s per game")),
            self.nodes.map(|n| format!("{n} nodes")),
            self.depth.map(|d| format!("depth {d}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            startup: Duration::from_secs(10),
            first_ready: Duration::from_secs(10),
            ready: Duration::from_secs(5),
            margin: Duration::from_millis(50),
            cleanup: Duration::from_secs(2),
            max_think: Duration::from_secs(60),
            exit: Duration::from_secs(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tuners_set_is_asked_for() {
        let command = |options: &[&str]| {
            let spec = EngineSpec {
                name: "a".into(),
                launch: Launch::BuiltIn { game: "xrudder".into(), agent: None },
                options: options.iter().map(|&name| (name.into(), "1".into())).collect(),
                dir: None,
                env: Vec::new(),
                limits: None,
                isolation: Isolation::default(),
            };
            shown(&spec.command(Path::new("/a r")))
        };
        assert_eq!(command(&["Hash", "Tun"]), "'/a r' engine xrudder");
        assert_eq!(command(&["Hash", "tune.Late"]), "'/a r' engine xrudder --tune");
    }

    #[test]
    fn time_controls_read_and_print() {
        for (text, moves, base, increment) in [
            ("60", None, 60_000, 0),
            ("0.1+0.01", None, 100, 10),
            ("40/60", Some(40), 60_000, 0),
            ("40/12.5+0.25", Some(40), 12_500, 250),
        ] {
            let clock: ClockControl = text.parse().unwrap();
            let [base, increment] = [base, increment].map(Duration::from_millis);
            assert_eq!(clock, ClockControl { moves, base, increment });
            assert_eq!(clock.to_string(), text);
        }
        for text in ["", "x", "-1", "0", "1+", "1+-1", "/5", "0/5", "1/2/3", "inf", "1e3", "5 "] {
            assert!(text.parse::<ClockControl>().is_err(), "{text:?}");
        }
    }
}
