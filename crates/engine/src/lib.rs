//! The engine's side of the protocol: a session that turns the lines of a controller into positions and searches of one
//! game, whatever the game.
//!
//! [`run`] is the session over any pair of streams. [`main`] and [`launch`] put it on the standard streams of a process
//! for a game that is named at run time; this is the only crate in which the games, the search and the protocol meet,
//! so each combination is compiled once, here.
//!
//! Four threads take part. The reader turns input into commands; the session executes them and keeps the time; the
//! worker searches; and in a process, one more waits for signals. The search itself neither reads a clock nor writes.

mod bench;
mod cli;
mod commands;
mod input;
pub mod memory;
mod monitor;
mod options;
mod outlet;
mod output;
mod seat;
mod session;
mod streams;
mod worker;

use std::io::{self, Read, Write};
use std::sync::Arc;

use crossbeam::channel::{self, Receiver};
use game::Family;

pub use cli::{Args, integer, launch, main};
pub use streams::{code, remark, unless_left, usage};

use crate::input::Reader;
use crate::options::{Chosen, Settings, agents};
use crate::outlet::Leaving;
use crate::output::Output;
use crate::seat::BUILTIN;
use crate::session::Session;

/// How a session begins, and how it can be ended from outside.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which agent plays: `builtin`, the game's main engine, or one of [`Family::AGENTS`].
    pub agent: String,
    /// Whether to list the options that tuners set, too.
    pub tunable: bool,
    /// A message here, or the end of all its senders, is like the command `quit`.
    pub quit: Receiver<()>,
}

impl Default for Config {
    /// The main engine, until the input says `quit` or ends.
    fn default() -> Config {
        Config { agent: BUILTIN.to_owned(), tunable: false, quit: channel::never() }
    }
}

/// Why a session could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The game has no agent of that name.
    #[error("unknown agent {name}: expected one of {}", known.join(", "))]
    UnknownAgent {
        /// The name that was asked for.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// What was asked for can't be done.
    #[error("{0}")]
    Usage(String),
    /// The output can't be written. A closed pipe is no error.
    #[error("the output can't be written: {0}")]
    Output(io::Error),
    /// The threads can't be started.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Plays the game `F` for the controller at the other end of `input` and `output`, until it says `quit`, its input ends
/// and everything is done, or it closes the output. Threads that are blocked in a read stay behind.
pub fn run<F: Family>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    config: Config,
) -> Result<(), Error> {
    converse::<F>(input, output, config, Arc::default())
}

/// [`run`], telling `leaving` what an output that blocks must know.
fn converse<F: Family>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    config: Config,
    leaving: Arc<Leaving>,
) -> Result<(), Error> {
    let unknown = || Error::UnknownAgent { name: config.agent.clone(), known: agents::<F>() };
    let agent = Chosen::find::<F>(&config.agent).ok_or_else(unknown)?;
    let reader = Reader::spawn(input, Arc::clone(&leaving))?;
    let settings = Settings::new(agent, config.tunable, leaving);
    let session = Session::<F>::new(reader, Output::new(output), config.quit, settings)?;
    session.run().map_err(Error::Output)
}
