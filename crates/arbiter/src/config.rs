//! What a run is asked to do.

use std::path::PathBuf;
use std::time::Duration;

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
}

/// What bounds an engine's thinking. All that are given are sent and hold together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Time per move.
    pub movetime: Option<Duration>,
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
