//! A game in the terminal, people and engines in any combination: `play`.

mod input;
mod session;

use std::path::PathBuf;
use std::process::{ExitCode, exit};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use arbiter::adjudication::Adjudication;
use arbiter::arena::{Arena, Job};
use arbiter::config::{EngineSpec, Launch, Patience, TimeControl};
use arbiter::interrupts;
use arbiter::process::Hub;
use arbiter::record::{EngineRecord, LimitsRecord, PlanRecord, SCHEMA};
use arbiter::spec;
use clap::Args;
use engine::integer;
use game::{Rules, Setup};

use crate::canvas::Canvas;
use crate::output::{Files, Stream};
use crate::run::traffic_log;
use crate::settings::{LimitArgs, find_game, now, seed_from_clock, setup_pairs};
use crate::{Failure, code};
use input::{Input, Said};
use session::Session;

/// Milliseconds per move of an engine unless a limit is given.
const DEFAULT_MOVETIME: u64 = 1000;

/// The format of a saved game's plan.
pub(crate) const FORMAT: &str = "play";

/// The word for a person among the players.
const HUMAN: &str = "human";

#[derive(Args, Clone, Debug)]
pub(crate) struct PlayArgs {
    /// The game; see `arbiter games`
    game: String,
    /// Who plays first: human, or an ENGINE
    #[arg(long, value_name = "PLAYER", default_value = HUMAN, help_heading = "Players")]
    p1: String,
    /// Who plays second
    #[arg(long, value_name = "PLAYER", default_value = "builtin", help_heading = "Players")]
    p2: String,
    /// Who answers `hint`
    #[arg(long, value_name = "ENGINE", default_value = "builtin", help_heading = "Players")]
    hint: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// Set-up of the game: "rows 8 cols 8" or rows=8,cols=8
    #[arg(long, value_name = "KEYS", help_heading = "Game")]
    setup: Option<String>,
    /// Position to start from
    #[arg(long, value_name = "FEN", conflicts_with = "setup", help_heading = "Game")]
    fen: Option<String>,
    /// Number that everything random derives from [default: from the clock]
    #[arg(long, value_name = "N", help_heading = "Game", value_parser = integer(0..=u64::MAX))]
    seed: Option<u64>,
    /// Draw the board in ASCII
    #[arg(long, help_heading = "Output")]
    ascii: bool,
    /// Write all lines exchanged with the engines here
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
}

/// Plays a game and gives what the program ends with.
pub(crate) fn play(args: &PlayArgs) -> Result<ExitCode, Failure> {
    let internal = |error: std::io::Error| Failure::new(code::INTERNAL, error);
    let rules = find_game(&args.game)?;
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let setup = setup(rules, args.setup.as_deref(), seed)?;
    let start = match &args.fen {
        Some(fen) => rules.load(fen).with_context(|| format!("--fen {fen:?}"))?,
        None => rules.start(&setup),
    };
    let mut engines = spec::parse_all(rules, &[&args.p1, &args.p2, &args.hint].map(String::clone))?;
    let people = [0, 1].map(|player| is_human(&engines[player]));
    for (player, _) in people.into_iter().enumerate().filter(|(_, human)| *human) {
        engines[player].limits = Some(TimeControl::default());
    }
    let mut files = Files::default();
    for engine in &engines {
        files.take_words(&engine.into());
    }
    let log = args.log.as_deref().map(|path| files.open(path, "--log")).transpose()?;
    let log = log.map(|output| Stream::new(output, "--log"));
    let arena = Arena {
        rules,
        setup,
        engines,
        limits: args.limits.control(Some(DEFAULT_MOVETIME))?,
        patience: Patience {
            margin: Duration::from_millis(args.limits.margin),
            max_think: Duration::from_millis(args.limits.max_think),
            ..Patience::default()
        },
        adjudication: Adjudication::default(),
        max_plies: args.limits.max_plies,
        program: std::env::current_exe().map_err(internal)?,
        log: log.clone().map(traffic_log),
    };
    let job = Job { index: 0, pair: 0, players: [0, 1], fen: start.fen(), seed };
    let plan = plan(&arena, &job, args);
    let hub = Hub::start(&arena).map_err(internal)?;
    let interrupts = interrupts::interrupts(|| exit(code::INTERRUPTED.into())).map_err(internal)?;
    let (input, sender) = Input::start().map_err(internal)?;
    let stopper = hub.stopper();
    thread::spawn(move || {
        if interrupts.recv().is_ok() {
            stopper.stop();
            let _ = sender.send(Said::Interrupted);
        }
    });
    let start_failure = |error| Failure::new(code::START, error);
    let session = Session::new(&hub, &arena, &job, people, plan, Canvas::new(args.ascii));
    let code = session.map_err(start_failure)?.run(&input)?;
    log.as_ref().map_or(Ok(code), |log| log.check().map(|()| code))
}

fn is_human(spec: &EngineSpec) -> bool {
    matches!(&spec.launch, Launch::Command(words) if words[..] == [HUMAN])
}

/// The set-up that the words ask for; a game whose start is drawn gets another one each time unless they say which.
fn setup(rules: &dyn Rules, words: Option<&str>, seed: u64) -> Result<Setup> {
    let mut pairs = setup_pairs(words.unwrap_or_default())?;
    let seed = (seed >> 1).to_string();
    if let Some(param) = rules.start_seed().filter(|param| !pairs.iter().any(|(key, _)| *key == param.key)) {
        pairs.push((param.key, &seed));
    }
    Ok(rules.setup(&pairs)?)
}

/// The plan of a saved game's journal.
fn plan(arena: &Arena, job: &Job, args: &PlayArgs) -> PlanRecord {
    let record = |player: usize| {
        let spec = &arena.engines[player];
        if is_human(spec) {
            EngineRecord { name: spec.name.clone(), ..EngineRecord::default() }
        } else {
            EngineRecord::from(spec)
        }
    };
    PlanRecord {
        schema: SCHEMA,
        game: arena.rules.name().into(),
        setup: arena.setup.text(arena.rules.params()),
        engines: job.players.map(record).into(),
        format: FORMAT.into(),
        limits: LimitsRecord::from(&arena.limits),
        started: Some(now()),
        seed: job.seed,
        pairs: 1,
        openings: "position".into(),
        opening_list: vec![job.fen.clone()],
        points: [1.0, 0.5, 0.0],
        margin_ms: args.limits.margin,
        max_think_ms: args.limits.max_think,
        max_plies: arena.max_plies,
        ..PlanRecord::default()
    }
}
