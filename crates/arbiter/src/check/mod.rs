//! Conformance: whether an engine does what the specification asks of it, step by step.
//!
//! A step sends lines and knows what must come back; most are scripts, in the language of the specification's golden
//! sessions. Our rules judge all moves on the way. A step that fails ends its process, and the next one begins with
//! another, so that each stands for itself.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod facts;
mod hygiene;
mod judge;
mod peer;
mod report;
pub mod script;
mod session;
mod steps;
mod trials;

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use game::{Rules, Setup};
use serde::Serialize;

pub use report::{Report, Status, StepReport};

use crate::arena::StartError;
use crate::config::{EngineSpec, Patience, shown};
use crate::process::Hub;
use facts::{Facts, LEAST_PLIES};
use session::{Fail, Session};
use steps::{Act, LONG_COUNT, Start, Step};

/// After so many steps that waited in vain there is nothing more to wait for.
const MOST_LATE: u32 = 8;

/// How much is asked of an engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// What it takes to play in the arbiter.
    Minimal,
    /// All of the specification, as far as the engine announces it.
    Full,
}

/// What is to be checked, and how.
pub struct Checkup<'a> {
    /// The game.
    pub rules: &'static dyn Rules,
    /// The set-up that games are played in.
    pub setup: &'a Setup,
    /// The engine under test.
    pub engine: &'a EngineSpec,
    /// How much is asked of it.
    pub level: Level,
    /// How much longer than the specification says an answer may take.
    pub margin: Duration,
    /// What random positions derive from.
    pub seed: u64,
    /// How many random positions are asked about.
    pub positions: u32,
    /// After how many new games memory is looked at.
    pub games: u32,
    /// The names of the steps to take besides `handshake`; none: all of the level.
    pub only: Vec<String>,
    /// This program's executable, which launches the engine and guards it.
    pub program: PathBuf,
}

impl Checkup<'_> {
    /// The home of the engine's processes.
    pub fn hub(&self) -> io::Result<Hub> {
        Hub::new(&self.program, Patience::default().exit)
    }

    fn takes(&self, step: &Step) -> bool {
        let wanted = || self.only.iter().any(|name| *name == step.name);
        step.level <= self.level && (self.only.is_empty() || step.name == "handshake" || wanted())
    }

    /// The first of the names in `only` that no step of the level has.
    pub fn unknown_step(&self) -> Option<&str> {
        let steps = steps::all();
        let known = |name: &&String| steps.iter().any(|s| s.level <= self.level && s.name == name.as_str());
        self.only.iter().find(|name| !known(name)).map(String::as_str)
    }

    /// What is checked, for people.
    pub fn title(&self) -> String {
        let command = shown(&self.engine.command(&self.program));
        let level = if self.level == Level::Full { "full" } else { "minimal" };
        let Checkup { rules, engine, seed, .. } = self;
        let setup = self.setup_text();
        format!("{} {}: {level} check, seed {seed}\n{setup}\n{command}\n\n", rules.name(), engine.name)
    }

    fn setup_text(&self) -> String {
        self.setup.text(self.rules.params())
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// There is too little to play.
    #[error(
        "set-up {setup}: games are over before an engine can be asked much; expected some of {LEAST_PLIES} plies or more"
    )]
    Short {
        /// The set-up.
        setup: String,
    },
    /// The engine can't be started, or not with these options.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The system refuses something.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Takes all steps of the level, and tells of each right away. After an interruption through the hub the report has the
/// steps until then.
pub fn check(
    checkup: &Checkup<'_>,
    hub: &Hub,
    tell: &mut dyn FnMut(&StepReport),
) -> Result<Report, CheckError> {
    let facts = Facts::new(checkup.rules, checkup.setup, checkup.seed)
        .ok_or_else(|| CheckError::Short { setup: checkup.setup_text() })?;
    let command = checkup.engine.command(&checkup.program);
    let mut report = Report::new(checkup, shown(&command));
    let mut session = Session::new(hub, checkup, facts, command);
    let (mut spoken, mut late) = (true, 0);
    for step in steps::all().into_iter().filter(|step| checkup.takes(step)) {
        let since = Instant::now();
        let lacks = match step.start {
            _ if !spoken => Some("the handshake failed".into()),
            Start::Fresh | Start::Game if late >= MOST_LATE => {
                Some(format!("{late} steps before it have waited in vain"))
            }
            _ => lack(&step, &session),
        };
        let mut done = StepReport::new(&step.name, step.level);
        match lacks {
            Some(reason) => done.skip(reason),
            None => match take(&step, &mut session) {
                Ok(note) => done.note = note,
                Err(Fail::Breach { expected, got, late: waited }) => {
                    late += u32::from(waited);
                    done.fail(&expected, &got, session.exchange());
                    session.part();
                    spoken &= step.name != "handshake";
                }
                Err(Fail::Interrupted) => {
                    report.interrupted = true;
                    return Ok(report);
                }
                Err(Fail::Start { what, advice }) => {
                    let message = format!("{what}\n  command: {}\n  next step: {advice}", report.command);
                    return Err(StartError { engine: checkup.engine.name.clone(), message }.into());
                }
                Err(Fail::Options(message)) => {
                    return Err(StartError { engine: checkup.engine.name.clone(), message }.into());
                }
                Err(Fail::System(error)) => return Err(error.into()),
            },
        }
        done.ms = since.elapsed().as_secs_f64() * 1000.0;
        tell(&done);
        report.add(done);
    }
    session.part();
    Ok(report)
}

/// Takes one step, and what belongs before and after it.
fn take(step: &Step, session: &mut Session<'_>) -> Result<Option<String>, Fail> {
    session.begin();
    match step.start {
        Start::Fresh => session.fresh()?,
        Start::Game => session.ready()?,
        Start::Nothing => {}
    }
    let note = match &step.act {
        Act::Script(script) => session.play(script).map(|()| None),
        Act::Trial(trial) => trial(session),
    }?;
    if step.start != Start::Nothing {
        session.settle()?;
    }
    if step.start == Start::Fresh {
        session.part();
    }
    Ok(note)
}

/// What the step needs and there is not: most often something that the engine did not announce.
fn lack(step: &Step, session: &Session<'_>) -> Option<String> {
    let identity = &session.identity;
    step.needs.iter().find_map(|need| match need.strip_prefix("option ") {
        _ if *need == LONG_COUNT => (!session.facts.is_long)
            .then(|| "in this set-up a count of move sequences ends too soon to be stopped".into()),
        Some(option) => identity.option(option).is_none().then(|| format!("it doesn't announce {need}")),
        None => (!identity.has_cap(need)).then(|| format!("it doesn't announce cap {need}")),
    })
}
