//! `check`: whether an engine does what the specification asks of it.

use std::process::{ExitCode, exit};
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use arbiter::check::{CheckError, Checkup, Level, check};
use arbiter::interrupts;
use arbiter::process::Hub;
use arbiter::spec;
use clap::Args;
use engine::integer;

use crate::settings::{find_game, read_setup, seed_from_clock};
use crate::{Failure, code, emit};

#[derive(Args, Clone, Debug)]
pub(crate) struct CheckArgs {
    /// The game; see `arbiter games`
    game: String,
    /// The engine
    engine: String,
    /// Set-up that games are played in, "rows 8 cols 8" or rows=8,cols=8 [default: the game's]
    #[arg(long, value_name = "KEYS")]
    setup: Option<String>,
    /// Check all of the specification that the engine announces, not only what it takes to play in the arbiter
    #[arg(long)]
    full: bool,
    /// Milliseconds that an answer may take beyond the time that the specification gives it
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = integer(0..=u64::MAX))]
    time_margin: u64,
    /// Random positions whose legal moves and move counts are compared with our rules; in 50 at most the engine thinks
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = integer(0..=u32::MAX))]
    positions: u32,
    /// New games after which the engine's memory must not have grown
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = integer(0..=u32::MAX))]
    games: u32,
    /// Number that the random positions derive from [default: from the clock, and printed]
    #[arg(long, value_name = "N", value_parser = integer(0..=u64::MAX))]
    seed: Option<u64>,
    /// Take only this step, by the name that the report gives it, besides the handshake; may be given again
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode, Failure> {
    let internal = |error: std::io::Error| Failure::new(code::INTERNAL, error);
    let rules = find_game(&args.game)?;
    let engine = spec::parse(rules, &args.engine)?;
    let setup = read_setup(rules, args.setup.as_deref().unwrap_or_default())?;
    let checkup = Checkup {
        rules,
        setup: &setup,
        engine: &engine,
        level: if args.full { Level::Full } else { Level::Minimal },
        margin: Duration::from_millis(args.time_margin),
        seed: args.seed.unwrap_or_else(seed_from_clock),
        positions: args.positions,
        games: args.games,
        only: args.only.clone(),
        program: std::env::current_exe().map_err(internal)?,
    };
    if let Some(name) = checkup.unknown_step() {
        Err(anyhow!("--only {name}: no step of this level has that name; see the report without --only"))?;
    }
    let hub = checkup.hub().map_err(internal)?;
    interrupt(&hub).map_err(internal)?;
    if !args.json {
        emit(&checkup.title())?;
    }
    let mut told = Ok(());
    let report = check(&checkup, &hub, &mut |step| {
        if !args.json && told.is_ok() {
            told = emit(&step.to_string());
        }
    });
    told?;
    let report = report.map_err(|error| match error {
        CheckError::Start(error) => Failure::new(code::START, error),
        CheckError::System(error) => internal(error),
        error @ CheckError::Short { .. } => error.into(),
    })?;
    emit(&if args.json { report.json() } else { report.summary() })?;
    Ok(ExitCode::from(match report {
        _ if report.interrupted => code::INTERRUPTED,
        _ if report.failed > 0 => code::FAULT,
        _ => 0,
    }))
}

/// Has the first interrupt end the checkup.
fn interrupt(hub: &Hub) -> std::io::Result<()> {
    let interrupts = interrupts::interrupts(|| exit(code::INTERRUPTED.into()))?;
    let stopper = hub.stopper();
    thread::Builder::new().name("stopper".into()).spawn(move || {
        if interrupts.recv().is_ok() {
            stopper.stop();
        }
    })?;
    Ok(())
}
