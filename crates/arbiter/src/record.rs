//! The journal's records: one JSON object per line. Field names are fixed; readers ignore fields they don't know.

use std::fmt;
use std::hash::Hash;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::config::{ClockError, EngineSpec, Launch, TimeControl};
use crate::isolation::Isolation;
use crate::shard::Shard;

/// Version of the record format.
pub const SCHEMA: u32 = 1;

/// One line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Record {
    /// The first line: what is to be played.
    Plan(Box<PlanRecord>),
    /// A game that was started. Exactly one per started game.
    Game(GameRecord),
    /// A fault, right before the record of the game it ended.
    Fault(FaultRecord),
    /// The final word of a test.
    Verdict(VerdictRecord),
    /// A round that an engine sits out.
    Bye(ByeRecord),
    /// A bot of a league that is new, changed or back.
    Entrant(EntrantRecord),
    /// A bot of a league that is gone.
    Left {
        /// Its name.
        engine: String,
    },
    /// The games of a league that come next.
    Period(PeriodRecord),
    /// The run was interrupted here.
    Interrupted {
        /// The command that goes on.
        resume: String,
    },
}

/// What is to be played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlanRecord {
    /// Version of the record format, [`SCHEMA`].
    pub schema: u32,
    /// The game.
    pub game: String,
    /// The canonical set-up, `key value …`.
    pub setup: String,
    /// The engines, in order of seeding; none in a league, whose bots have records of their own.
    pub engines: Vec<EngineRecord>,
    /// `match`, `round-robin`, `gauntlet`, `swiss`, `knockout`, `league` or `play`.
    pub format: String,
    /// Of a gauntlet, how many engines, the first ones, meet all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<u64>,
    /// The run's limits.
    pub limits: LimitsRecord,
    /// When the run began: UTC, `2026-11-28T03:14:10Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The seed everything random derives from.
    pub seed: u64,
    /// Pairs of games per pairing, in a knockout per match; of a Swiss tournament, rounds.
    pub pairs: u64,
    /// Whether the second game of a pair swaps sides.
    pub swap: bool,
    /// Where openings come from, as given: `random:4`, `drawn:2` or a file.
    pub openings: String,
    /// The positions of an opening file; empty for generated openings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening_list: Vec<String>,
    /// Points for a win, a draw and a loss.
    pub points: [f64; 3],
    /// Milliseconds beyond its limit before a move counts as late.
    pub margin_ms: u64,
    /// Milliseconds for a move that only nodes or depth limit.
    pub max_think_ms: u64,
    /// When games end before their end.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// A game with this many plies ends as a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// Whether the run goes on after a fault.
    pub recover: bool,
    /// Whether the arbiter and all engines share one processor core.
    #[serde(default)]
    pub one_core: bool,
    /// Number of games at a time unless something else is asked for; none: as many as there are cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u16>,
    /// What is particular to a league.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<LeagueRecord>,
    /// The share of the games that this run plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The sequential test that ends the run, whether the first engine is stronger than the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtRecord>,
}

/// A sequential test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtRecord {
    /// What `elo0` and `elo1` are.
    pub model: ModelRecord,
    /// The lower hypothesis, H0.
    pub elo0: f64,
    /// The higher hypothesis, H1.
    pub elo1: f64,
    /// Probability of accepting H1 though H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 though H1 is true.
    pub beta: f64,
    /// Pairs before which nothing is decided.
    pub min_pairs: u64,
}

/// The kind of Elo points of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelRecord {
    /// Elo.
    Logistic,
    /// Normalized Elo.
    Normalized,
}

/// An engine of a plan.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
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
    /// Working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Additional environment variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<(String, String)>,
    /// Own limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsRecord>,
    /// What it is kept from.
    #[serde(default, skip_serializing_if = "Isolation::is_unsaid")]
    pub isolation: Isolation,
}

/// Limits as in a record: milliseconds, nodes, plies.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LimitsRecord {
    /// Milliseconds per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Milliseconds for the first move of each game, instead of `movetime`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_movetime: Option<u64>,
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
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
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
    /// What was proven of the last position, where that ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<SolvedRecord>,
}

impl GameRecord {
    /// What two records of one game have in common: all that doesn't depend on the machine.
    pub(crate) fn essence(&self) -> impl PartialEq + Hash + '_ {
        let GameRecord {
            index,
            pair,
            p1,
            p2,
            fen,
            moves,
            times_ms: _,
            evals: _,
            result,
            reason,
            guilty,
            plies,
            solved,
        } = self;
        ((index, pair, p1, p2), (fen, moves), (result, reason, guilty, plies, solved))
    }
}

/// What a position is proven to be worth.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SolvedRecord {
    /// `win`, `loss` or `draw`, for the side to move.
    pub value: String,
    /// Nodes that it took.
    pub nodes: u64,
}

impl fmt::Display for SolvedRecord {
    /// For people: `win in 812 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {} nodes", self.value, self.nodes)
    }
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

impl fmt::Display for EvalRecord {
    /// For people: `+0.12 at depth 7`, `mate 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.mate, self.cp) {
            (Some(mate), _) => write!(f, "mate {mate}")?,
            (None, Some(cp)) => write!(f, "{:+.2}", cp as f64 / 100.0)?,
            (None, None) => return Ok(()),
        }
        self.depth.map_or(Ok(()), |depth| write!(f, " at depth {depth}"))
    }
}

/// A fault of an engine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
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

impl FaultRecord {
    /// Whether this is what ended the game of a record. After a kill between the two records that game may have been
    /// played again, and without a fault.
    pub fn ended(&self, game: &GameRecord) -> bool {
        self.game == game.index && game.guilty.as_ref() == Some(&self.engine)
    }
}

/// A round without an opponent. In a Swiss tournament it counts as won, in a knockout it only leads on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByeRecord {
    /// The round, from 0.
    pub round: u64,
    /// Who sits it out.
    pub engine: String,
    /// Won games that it counts as; in a knockout none.
    pub games: u64,
}

/// What is particular to a league.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LeagueRecord {
    /// The folder of its bots.
    pub dir: PathBuf,
    /// The deviation up to which a bot counts as rated.
    pub deviation: f64,
    /// What bots are kept from where their files say nothing of it.
    #[serde(default, skip_serializing_if = "Isolation::is_unsaid")]
    pub isolation: Isolation,
}

/// A bot of a league.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EntrantRecord {
    /// How it is started.
    pub engine: EngineRecord,
    /// What identifies its content: equal for equal files.
    pub content: String,
}

/// A rating period of a league.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PeriodRecord {
    /// The first of its pairs of games, which are counted from the start of the league.
    pub first: u64,
    /// Who meets whom, a pair of games each.
    pub encounters: Vec<[String; 2]>,
}

impl PeriodRecord {
    /// Whether a pair of games is one of its.
    pub fn has(&self, pair: u64) -> bool {
        pair.checked_sub(self.first).is_some_and(|number| number < self.encounters.len() as u64)
    }
}

/// The result of a sequential test, from the pairs of games up to the one that decided it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VerdictRecord {
    /// `H0`, `H1`, `inconclusive` or `invalid`.
    pub accepted: String,
    /// Number of pairs it rests on: the first ones of the schedule.
    pub pairs: u64,
    /// Those pairs by the first engine's points: 0, ½, 1, 1½, 2.
    pub counts: [u64; 5],
    /// Logarithm of the likelihood ratio of H1 to H0.
    pub llr: f64,
    /// At which ratios H0 and H1 are accepted.
    pub bounds: [f64; 2],
}

impl From<&TimeControl> for LimitsRecord {
    fn from(limits: &TimeControl) -> LimitsRecord {
        LimitsRecord {
            movetime: limits.movetime.map(|t| t.as_millis() as u64),
            first_movetime: limits.first_movetime.map(|t| t.as_millis() as u64),
            tc: limits.clock.map(|clock| clock.to_string()),
            nodes: limits.nodes,
            depth: limits.depth,
        }
    }
}

impl TryFrom<&LimitsRecord> for TimeControl {
    type Error = ClockError;

    fn try_from(record: &LimitsRecord) -> Result<TimeControl, ClockError> {
        Ok(TimeControl {
            movetime: record.movetime.map(Duration::from_millis),
            first_movetime: record.first_movetime.map(Duration::from_millis),
            clock: record.tc.as_deref().map(str::parse).transpose()?,
            nodes: record.nodes,
            depth: record.depth,
        })
    }
}

impl From<&EngineSpec> for EngineRecord {
    fn from(spec: &EngineSpec) -> EngineRecord {
        let (command, builtin) = match &spec.launch {
            Launch::Command(words) => (Some(words.clone()), None),
            Launch::BuiltIn { game, agent: None } => (None, Some(game.clone())),
            Launch::BuiltIn { game, agent: Some(agent) } => (None, Some(format!("{game}:{agent}"))),
        };
        EngineRecord {
            name: spec.name.clone(),
            command,
            builtin,
            options: spec.options.clone(),
            dir: spec.dir.clone(),
            env: spec.env.clone(),
            limits: spec.limits.as_ref().map(LimitsRecord::from),
            isolation: spec.isolation,
        }
    }
}

impl TryFrom<&EngineRecord> for EngineSpec {
    type Error = String;

    /// Says what is wrong where a record has neither or both of `command` and `builtin`.
    fn try_from(record: &EngineRecord) -> Result<EngineSpec, String> {
        let launch = match (&record.command, &record.builtin) {
            (Some(words), None) if !words.is_empty() => Launch::Command(words.clone()),
            (None, Some(word)) => match word.split_once(':') {
                Some((game, agent)) => Launch::BuiltIn { game: game.into(), agent: Some(agent.into()) },
                None => Launch::BuiltIn { game: word.clone(), agent: None },
            },
            _ => return Err(format!("engine {} needs either a command or a builtin", record.name)),
        };
        let limits = record.limits.as_ref().map(TimeControl::try_from).transpose();
        Ok(EngineSpec {
            name: record.name.clone(),
            launch,
            options: record.options.clone(),
            dir: record.dir.clone(),
            env: record.env.clone(),
            limits: limits.map_err(|e| format!("engine {}: {e}", record.name))?,
            isolation: record.isolation,
        })
    }
}
