//! The vocabulary every game of Ludus shares: sides, outcomes, positions, set-ups, agents.
//!
//! A game crate implements [`Family`] (its name, its set-up keys, which concrete position type a set-up needs) and,
//! for each concrete position type, [`Playable`]. Programs that learn the game at run time use the object-safe
//! [`Rules`] and [`State`], which this crate derives from any [`Family`].

mod agent;
pub mod conformance;
mod drawing;
mod draws;
mod family;
pub mod net;
pub mod perft;
mod rules;
mod setup;
pub mod text;
mod types;
mod weights;
mod words;
pub mod zobrist;

pub use agent::{
    Agent, AgentSpec, Clock, Control, Limits, OptionKind, OptionSpec, Options, Record, Report, control,
};
pub use drawing::{BoardStyle, column_heads};
pub use draws::Draws;
pub use family::{Family, Playable, Visitor};
pub use rules::{Rules, Ruleset, State};
pub use setup::{FenError, Param, Setup, SetupError};
pub use types::{Evaluate, Game, Level, MoveError, Notation, Outcome, Score, Side, Tactics};
pub use weights::{TUNE, Weights};
pub use words::Words;
