//! The journal's records: one JSON object per line. Field names are fixed; readers ignore fields they don't know.

use serde::{Deserialize, Serialize};

/// One line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Record {
    /// The first line: what is to be played.
    Plan(PlanRecord),
    /// A game that was started. Exactly one per started game.
    Game(GameRecord),
    /// A fault, right before the record of the game it ended.
    Fault(FaultRecord),
    /// The final word of a test.
    Verdict(VerdictRecord),
    /// The run was interrupted here.
    Interrupted {
        /// The command that goes on.
        resume: String,
    },
}

/// What is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanRecord {
    /// Version of the record format, 1.
    pub schema: u32,
    /// The game.
    pub game: String,
    /// The canonical set-up, `key value …`.
    pub setup: String,
    /// The engines, in order of seeding.
    pub engines: Vec<EngineRecord>,
    /// `match` or `round-robin`.
    pub format: String,
    /// The run's limits.
    pub limits: LimitsRecord,
    /// The seed everything random derives from.
    pub seed: u64,
    /// Pairs of games per pairing.
    pub pairs: u64,
    /// Whether the second game of a pair swaps sides.
    pub swap: bool,
    /// Where openings come from, as given: `random:4` or a file.
    pub openings: String,
    /// The positions of an opening file; empty for generated openings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening_list: Vec<String>,
    /// Points for a win, a draw and a loss.
    pub points: [f64; 3],
}

/// An engine of a plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineRecord {
    /// Its name.
    pub name: String,
    /// The command line of a foreign engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// `GAME` or `GAME:AGENT` of a built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
    /// Options set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Own limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsRecord>,
}

/// Limits as in a record: milliseconds, nodes, plies.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LimitsRecord {
    /// Milliseconds per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// `[MOVES/]SECONDS[+INC]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule, from 0.
    pub index: u64,
    /// The pair it belongs to, from 0.
    pub pair: u64,
    /// Who plays the game's first player.
    pub p1: String,
    /// Who plays the game's second player.
    pub p2: String,
    /// The position it starts from.
    pub fen: String,
    /// The moves played from there.
    pub moves: Vec<String>,
    /// Thinking time per move in milliseconds.
    pub times_ms: Vec<f64>,
    /// What the mover said of each move, where it said something: depth and score from the mover's side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evals: Vec<Option<EvalRecord>>,
    /// `p1win`, `p2win`, `draw` or `unfinished`.
    pub result: String,
    /// The reason token.
    pub reason: String,
    /// The engine whose fault ended the game.
    pub guilty: Option<String>,
    /// Number of moves.
    pub plies: u64,
}

/// What an engine said of its move: the last complete `info` before `bestmove`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EvalRecord {
    /// Depth in plies.
    pub depth: Option<i64>,
    /// Hundredths of a unit for the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i64>,
    /// Moves to the end; negative: the mover loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i64>,
}

/// A fault of an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The game it ended.
    pub game: u64,
    /// Whose fault it is.
    pub engine: String,
    /// The reason token.
    pub reason: String,
    /// What exactly happened, for people: signal or exit code by name, elapsed time, the offending move.
    pub detail: String,
    /// The last 4 KiB of the engine's standard error.
    pub stderr: String,
    /// The last lines exchanged, `> ` to the engine, `< ` from it.
    pub last_lines: Vec<String>,
}

/// The result of a sequential test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VerdictRecord {
    /// `H0`, `H1` or `inconclusive`.
    pub accepted: String,
}
