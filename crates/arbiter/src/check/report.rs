//! What a checkup says: a line per step, or one JSON object.

use std::fmt::{self, Write};

use serde::Serialize;

use super::{Checkup, Level};
use crate::driver::transcript::{Escaped, clipped_beyond};

/// How many bytes of what was expected are told at most, whole; of what came, it may be twice what was expected.
const EXPECTED: usize = 4096;

/// What came of a checkup. Its fields are those of the JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The game.
    pub game: &'static str,
    /// The set-up that games are played in, all its keys and values.
    pub setup: String,
    /// The engine's name.
    pub engine: String,
    /// The command that starts it.
    pub command: String,
    /// How much was asked.
    pub level: Level,
    /// What random positions derive from.
    pub seed: u64,
    /// How many random positions were asked about.
    pub positions: u32,
    /// After how many new games memory was looked at.
    pub games: u32,
    /// Milliseconds beyond the specification's times.
    pub time_margin: u64,
    /// How many steps passed.
    pub ok: u32,
    /// How many failed.
    pub failed: u32,
    /// How many were left out.
    pub skipped: u32,
    /// Whether it was interrupted before its end.
    pub interrupted: bool,
    /// The steps in order.
    pub steps: Vec<StepReport>,
}

/// What came of a step.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepReport {
    /// Its name.
    pub name: String,
    /// The lowest level that has it.
    pub level: Level,
    /// What came of it.
    pub status: Status,
    /// How long it took, in milliseconds.
    pub ms: f64,
    /// Of a step that passed, something to know; of one that was left out, why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Of a step that failed: what was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What came instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// The last lines exchanged: milliseconds since the step began, `>` to the engine, `<` from it, `!` its standard error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// What came of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It passed.
    Ok,
    /// It failed.
    Failed,
    /// It was left out.
    Skipped,
}

impl Report {
    pub(super) fn new(checkup: &Checkup<'_>, command: String) -> Report {
        Report {
            game: checkup.rules.name(),
            setup: checkup.setup_text(),
            engine: checkup.engine.name.clone(),
            command,
            level: checkup.level,
            seed: checkup.seed,
            positions: checkup.positions,
            games: checkup.games,
            time_margin: u64::try_from(checkup.margin.as_millis()).unwrap_or(u64::MAX),
            ok: 0,
            failed: 0,
            skipped: 0,
            interrupted: false,
            steps: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, step: StepReport) {
        *match step.status {
            Status::Ok => &mut self.ok,
            Status::Failed => &mut self.failed,
            Status::Skipped => &mut self.skipped,
        } += 1;
        self.steps.push(step);
    }

    /// The report as JSON, one object on one line.
    pub fn json(&self) -> String {
        format!("{}\n", serde_json::json!(self))
    }

    /// For people: how many steps came out how, and the verdict.
    pub fn summary(&self) -> String {
        let Report { ok, failed, skipped, .. } = self;
        let verdict = match (self.interrupted, failed, self.level) {
            (true, ..) => "interrupted",
            (_, 0, Level::Minimal) => "it can play in the arbiter",
            (_, 0, Level::Full) => "it does what it announces",
            _ if self.failed_in(Level::Minimal) => "it does not conform",
            _ => "it does not conform; nothing that failed is needed to play in the arbiter",
        };
        format!("{ok} ok, {failed} failed, {skipped} skipped: {verdict}\n")
    }

    fn failed_in(&self, level: Level) -> bool {
        self.steps.iter().any(|step| step.level == level && step.status == Status::Failed)
    }
}

impl StepReport {
    pub(super) fn new(name: &str, level: Level) -> StepReport {
        StepReport {
            name: name.into(),
            level,
            status: Status::Ok,
            ms: 0.0,
            note: None,
            expected: None,
            got: None,
            lines: Vec::new(),
        }
    }

    pub(super) fn skip(&mut self, reason: String) {
        self.status = Status::Skipped;
        self.note = Some(reason);
    }

    pub(super) fn fail(&mut self, expected: &str, got: &str, lines: Vec<String>) {
        self.status = Status::Failed;
        // To be compared, both are shown alike; an engine may have put names of its own into the first.
        self.got = Some(clipped_beyond(2 * expected.len().min(EXPECTED), got));
        self.expected = Some(clipped_beyond(EXPECTED, expected));
        self.lines = lines;
    }
}

impl fmt::Display for StepReport {
    /// A line for people; of a step that failed several, each with its line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Ok => "ok",
            Status::Failed => "FAILED",
            Status::Skipped => "skipped",
        };
        let mut line = format!("{status:8} {}", self.name);
        if let Some(note) = &self.note {
            let _ = write!(line, ": {}", Escaped(note));
        }
        writeln!(f, "{line}")?;
        for (title, text) in [("expected", &self.expected), ("got", &self.got)] {
            if let Some(text) = text {
                writeln!(f, "    {title:8} {}", Escaped(text))?;
            }
        }
        self.lines.iter().try_for_each(|line| writeln!(f, "    {line}"))
    }
}
