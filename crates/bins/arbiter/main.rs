//! The arbiter: plays engines against each other and says who is better.

mod canvas;
mod check;
mod export;
mod facts;
mod file;
mod league;
mod merge;
mod output;
mod play;
mod proofs;
mod run;
mod settings;
mod sprt;
mod view_journal;

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use arbiter::interrupts;
use arbiter::view::Console;
use clap::{Parser, Subcommand};
use engine::{remark, usage};
use env_logger::{Target, WriteStyle};

use crate::run::Conduct;
use crate::settings::Settings;

/// Plays board-game engines against each other and says who is better.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = ENGINES_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const ENGINES_HELP: &str = "\
An ENGINE is one word, [NAME=]SPEC[{OPTION=VALUE,...}]. SPEC is builtin (our strongest), an agent of the game such as \
minimax, GAME:AGENT, or a command line such as \"python3 bot.py\". Quote the braces.";

#[derive(Subcommand)]
enum Command {
    /// Play two engines against each other
    #[command(args_override_self = true, allow_negative_numbers = true, after_help = ENGINES_HELP)]
    Match {
        /// The game; see `arbiter games`
        game: String,
        /// The one engine
        #[arg(value_name = "ENGINE")]
        one: String,
        /// The other
        #[arg(value_name = "ENGINE")]
        other: String,
        #[command(flatten)]
        settings: Settings,
        #[command(flatten)]
        conduct: Conduct,
    },
    /// Play all engines against each other
    #[command(args_override_self = true, allow_negative_numbers = true, after_help = ENGINES_HELP)]
    Tournament {
        /// The game, or a tournament file: settings named like the options, `game`, and `[[engine]]` tables
        #[arg(value_name = "GAME|FILE.toml")]
        subject: String,
        /// The engines; none: builtin and the game's own sparring partners; of a league, the folder of its bots
        #[arg(value_name = "ENGINE")]
        engines: Vec<String>,
        #[command(flatten)]
        settings: Settings,
        #[command(flatten)]
        conduct: Conduct,
    },
    /// Play a game in the terminal, against an engine or another person
    #[command(args_override_self = true, allow_negative_numbers = true, after_help = ENGINES_HELP)]
    Play(play::PlayArgs),
    /// Go on where an interrupted run stopped
    #[command(allow_negative_numbers = true)]
    Resume {
        /// The run's journal
        journal: PathBuf,
        /// From now on, restart an engine after a fault and go on
        #[arg(long)]
        recover: bool,
        /// Of a league: end when each bot is rated
        #[arg(long)]
        once: bool,
        #[command(flatten)]
        conduct: Conduct,
    },
    /// Make one run of its shards, and show its table
    #[command(allow_negative_numbers = true)]
    Merge(merge::MergeArgs),
    /// Show the table of a journal, or of several together
    #[command(allow_negative_numbers = true)]
    Standings(view_journal::StandingsArgs),
    /// Show the games of a journal, or one of them move by move
    #[command(allow_negative_numbers = true)]
    Show(view_journal::ShowArgs),
    /// Write the games of a journal for other tools
    #[command(allow_negative_numbers = true)]
    Export(export::ExportArgs),
    /// What results say in a sequential test, and how long the test takes
    Sprt(sprt::SprtArgs),
    /// Find out what a position is worth, exactly
    #[command(allow_negative_numbers = true)]
    Solve(proofs::SolveArgs),
    /// Check a proof of what a position is worth, by the rules alone
    #[command(allow_negative_numbers = true)]
    VerifyProof(proofs::VerifyArgs),
    /// Count move sequences
    #[command(allow_negative_numbers = true)]
    Perft(facts::PerftArgs),
    /// List the games, with their set-up keys
    Games {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the engines that are built in, with their options
    Engines {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check whether an engine keeps to the protocol
    #[command(allow_negative_numbers = true, after_help = ENGINES_HELP)]
    Check(check::CheckArgs),
    /// Be an engine on the standard streams
    #[command(allow_negative_numbers = true)]
    Engine {
        /// The game
        game: String,
        #[command(flatten)]
        args: engine::Args,
    },
}

/// Why the program ends, other than having done what was asked.
pub(crate) struct Failure {
    code: u8,
    error: anyhow::Error,
}

/// The exit codes.
pub(crate) mod code {
    pub(crate) use engine::code::{INTERNAL, USAGE};

    pub(crate) const START: u8 = 2;
    pub(crate) const FAULT: u8 = 3;
    pub(crate) const INTERRUPTED: u8 = 4;
    /// Nothing is proved: the limits came first, or a proof doesn't hold.
    pub(crate) const UNPROVED: u8 = 6;
    /// With `--exit-on-sprt`.
    pub(crate) const H1: u8 = 10;
    pub(crate) const H0: u8 = 11;
}

impl Failure {
    pub(crate) fn new(code: u8, error: impl Into<anyhow::Error>) -> Failure {
        Failure { code, error: error.into() }
    }
}

/// What is not said to be something else is the user's to mend.
impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(code::USAGE, error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {:#}", self.error)
    }
}

fn main() -> ExitCode {
    if let Some(code) = arbiter::process::helper_main(std::env::args_os()) {
        return code;
    }
    // Without this the system ends the program; there is nothing else to do about it.
    let _ = interrupts::survive_full_files();
    let console = Console::default();
    start_log(&console);
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let done = match cli.command {
        Command::Match { game, one, other, settings, mut conduct } => {
            conduct.console = console;
            run::play_match(&game, &[one, other], &settings, conduct)
        }
        Command::Tournament { subject, .. } if file::is_file(&subject) => tournament_file(&subject, console),
        Command::Tournament { subject, engines, settings, mut conduct } => {
            conduct.console = console;
            run::play_tournament(&subject, &engines, Vec::new(), &settings, conduct)
        }
        Command::Play(args) => play::play(&args),
        Command::Resume { journal, recover, once, mut conduct } => {
            conduct.console = console;
            run::resume(&journal, recover, once, conduct)
        }
        Command::Merge(args) => merge::merge(&args).map(|()| ExitCode::SUCCESS),
        Command::Standings(args) => view_journal::standings(&args).map(|()| ExitCode::SUCCESS),
        Command::Show(args) => view_journal::show(&args).map(|()| ExitCode::SUCCESS),
        Command::Export(args) => export::export(&args).map(|()| ExitCode::SUCCESS),
        Command::Sprt(args) => sprt::calculate(&args).map(|()| ExitCode::SUCCESS),
        Command::Solve(args) => proofs::solve(&args),
        Command::VerifyProof(args) => proofs::verify(&args).map(|()| ExitCode::SUCCESS),
        Command::Perft(args) => facts::perft(&args).map(|()| ExitCode::SUCCESS),
        Command::Games { json } => facts::games(json).map(|()| ExitCode::SUCCESS),
        Command::Engines { json } => facts::engines(json).map(|()| ExitCode::SUCCESS),
        Command::Check(args) => check::run(&args),
        Command::Engine { game, args } => Ok(engine::launch(&game, &args)),
    };
    done.unwrap_or_else(|failure| {
        remark(&failure.to_string());
        ExitCode::from(failure.code)
    })
}

/// Has warnings written to the console.
fn start_log(console: &Console) {
    let has_colours = arbiter::system::shows_colours(&io::stderr());
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .target(Target::Pipe(Box::new(console.clone())))
        .write_style(if has_colours { WriteStyle::Always } else { WriteStyle::Never })
        .init();
}

/// A tournament file is a command line written down: its settings go before those of the real one, which win.
fn tournament_file(name: &str, console: Console) -> Result<ExitCode, Failure> {
    let file = file::read(name)?;
    let mut args: Vec<String> = std::env::args().collect();
    args.splice(2..2, file.args);
    match Cli::try_parse_from(args) {
        Ok(Cli { command: Command::Tournament { engines, settings, mut conduct, .. } }) => {
            conduct.console = console;
            conduct.file = Some(name.into());
            run::play_tournament(&file.game, &engines, file.engines, &settings, conduct)
        }
        Ok(_) => Err(anyhow::anyhow!("{name}: no tournament").into()),
        Err(error) => {
            Err(anyhow::anyhow!("tournament file {name}, or beside it: {}", file::fault(&error)).into())
        }
    }
}

/// Writes to standard output; a reader that left early is no failure.
pub(crate) fn emit(text: &str) -> Result<(), Failure> {
    emit_next(text).map(drop)
}

/// The same for a part of a longer text; breaks if its reader has left, so that the rest needn't be found out.
pub(crate) fn emit_next(text: &str) -> Result<ControlFlow<()>, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
        Err(error) => {
            let error = anyhow::anyhow!("standard output can't be written: {error}");
            Err(Failure::new(code::INTERNAL, error))
        }
    }
}
