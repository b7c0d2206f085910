//! What all games of a run share, and what one game is asked and answers.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use game::{Rules, Setup};

use crate::adjudication::Adjudication;
use crate::config::{EngineSpec, Patience, TimeControl};
use crate::record::{FaultRecord, GameRecord};

/// What all games of a run share; never changes while it lasts.
pub struct Arena {
    /// The game.
    pub rules: &'static dyn Rules,
    /// Its set-up.
    pub setup: Setup,
    /// The engines taking part.
    pub engines: Vec<EngineSpec>,
    /// Limits of engines that have none of their own. All limits, these and theirs, name at least one.
    pub limits: TimeControl,
    /// How long to wait for what.
    pub patience: Patience,
    /// When games end before their end.
    pub adjudication: Adjudication,
    /// A game with this many plies ends as a draw.
    pub max_plies: Option<u32>,
    /// This program's executable, which launches engines and guards them.
    pub program: PathBuf,
    /// Takes every line exchanged, from any thread.
    pub log: Option<Log>,
}

/// Takes every line exchanged with the engines. Called from all games' threads.
pub type Log = Box<dyn Fn(&Traffic<'_>) + Send + Sync>;

/// A line exchanged with an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traffic<'a> {
    /// Since the hub was started; for lines read, when they were read.
    pub at: Duration,
    /// Index of the game; `None` while the engine starts.
    pub game: Option<u64>,
    /// The engine's name.
    pub engine: &'a str,
    /// Which way the line went.
    pub stream: Stream,
    /// The line without its end, what is no UTF-8 replaced.
    pub line: &'a str,
}

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// To the engine.
    In,
    /// From the engine.
    Out,
    /// From the engine's standard error.
    Err,
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stream::In => ">",
            Stream::Out => "<",
            Stream::Err => "!",
        })
    }
}

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its place in the schedule, from 0.
    pub index: u64,
    /// The pair it belongs to, from 0.
    pub pair: u64,
    /// Indices of the engines that play the game's first and second player.
    pub players: [usize; 2],
    /// The position it starts from: valid and unfinished.
    pub fen: String,
    /// The run's seed; engines get a value derived from it, the game's index and their side.
    pub seed: u64,
}

/// A game that was started, however it ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its record.
    pub game: GameRecord,
    /// The fault that ended it.
    pub fault: Option<FaultRecord>,
}

/// An engine could not be started, or not for this game's set-up and options.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{engine}: {message}")]
pub struct StartError {
    /// The engine's name.
    pub engine: String,
    /// What happened, the command, the last lines exchanged, what to do next; several lines.
    pub message: String,
}
