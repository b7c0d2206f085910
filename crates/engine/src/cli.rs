use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::process::{self, ExitCode};
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use crossbeam::channel::{self, Receiver};
use game::{Family, Options};
use registry::FamilyVisitor;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::pipe;

use crate::outlet::{Leaving, Outlet};
use crate::seat::{BUILTIN, HASH, afford};
use crate::streams::{code, remark, unless_left, usage};
use crate::{Config, Error, bench, converse};

/// How long a session may take to end after a signal.
const SIGNAL_PATIENCE: Duration = Duration::from_millis(500);

/// A reader of integers in a range, for command lines; whatever is wrong, its error says what was expected.
pub fn integer<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let expected = || format!("expected an integer from {} to {}", range.start(), range.end());
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(expected)
    }
}

/// Plays a game over a line protocol on the standard streams; type `help` there.
#[derive(Clone, PartialEq, Eq, Debug, Parser)]
#[command(version)]
pub struct Args {
    /// Who plays: builtin, or one of the game's other agents
    #[arg(long, value_name = "AGENT", default_value = BUILTIN)]
    pub agent: String,
    /// List the options that tuners set, too: constants of the search, whose names begin with Tune
    #[arg(long)]
    pub tune: bool,
    /// What to do instead of playing
    #[command(subcommand)]
    pub task: Option<Task>,
}

/// What an engine's program can do besides playing.
#[derive(Clone, PartialEq, Eq, Debug, Subcommand)]
pub enum Task {
    /// Search a fixed list of positions; prints the nodes of each, their sum, and nodes per second
    #[command(allow_negative_numbers = true)]
    Bench {
        /// Depth in plies
        #[arg(long, value_name = "N", default_value_t = bench::DEPTH, value_parser = integer(1..=u32::MAX))]
        depth: u32,
        /// Table size in MiB
        #[arg(long, value_name = "MB", default_value_t = 16, value_parser = integer(1..=65_536_u32))]
        hash: u32,
    },
}

/// The whole of a game's own program: reads the arguments, plays, and says how to exit.
pub fn main(game: &'static str) -> ExitCode {
    let matches = Args::command().name(game).try_get_matches();
    match matches.and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => launch(game, &args),
        Err(error) => usage(&error),
    }
}

/// Does what the arguments ask for, on the standard streams. Faults go to the standard error stream.
pub fn launch(game: &str, args: &Args) -> ExitCode {
    let done = registry::visit(game, Launch(args)).unwrap_or_else(|| {
        let known: Vec<_> = registry::GAMES.iter().map(|rules| rules.name()).collect();
        Err(Error::Usage(format!("unknown game {game}: expected one of {}", known.join(", "))))
    });
    let done = match done {
        Err(Error::Output(error)) => unless_left(Err(error)).map_err(Error::Output),
        done => done,
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    remark(&format!("error: {error}"));
    ExitCode::from(match error {
        Error::Usage(_) | Error::UnknownAgent { .. } => code::USAGE,
        Error::Output(_) | Error::Io(_) => code::INTERNAL,
    })
}

struct Launch<'a>(&'a Args);

impl FamilyVisitor for Launch<'_> {
    type Output = Result<(), Error>;

    fn visit<F: Family>(self) -> Result<(), Error> {
        match self.0.task {
            Some(Task::Bench { .. }) if self.0.agent != BUILTIN || self.0.tune => Err(Error::Usage(
                "bench searches with builtin as it is: expected no --agent and no --tune".into(),
            )),
            Some(Task::Bench { depth, hash }) => {
                let mut options = Options::defaults(search::OPTIONS);
                let refused = |message| Error::Usage(format!("--hash {hash}: {message}"));
                options.set(HASH, &hash.to_string()).map_err(refused)?;
                afford(&options, None).map_err(refused)?;
                bench::run::<F>(depth, &options, &mut io::stdout().lock())
            }
            None => {
                let config = Config { agent: self.0.agent.clone(), tunable: self.0.tune, quit: departure()? };
                let leaving = Arc::<Leaving>::default();
                converse::<F>(io::stdin(), Outlet::new(Arc::clone(&leaving)), config, leaving)
            }
        }
    }
}

/// A channel that closes with the first signal that asks to end, or once nobody reads the output any more.
fn departure() -> io::Result<Receiver<()>> {
    let (caught, signalled) = io::pipe()?;
    pipe::register(SIGTERM, signalled.try_clone()?)?;
    pipe::register(SIGINT, signalled)?;
    let (sender, quit) = channel::bounded(1);
    thread::Builder::new().name("departure".into()).spawn(move || {
        let output = io::stdout();
        let mut fds = [PollFd::new(&caught, PollFlags::IN), PollFd::new(&output, PollFlags::empty())];
        while poll(&mut fds, None) == Err(Errno::INTR) {}
        // Nothing is ever sent: whatever ends this wait, the channel closes behind it.
        drop(sender);
        // A session that is stuck in an output that nobody reads can't hear of it.
        thread::sleep(SIGNAL_PATIENCE);
        process::exit(0);
    })?;
    Ok(quit)
}
