//! The Ludus protocol: one line-based text protocol between a controller and an engine. `SPEC.md` beside this crate is
//! the normative text; this crate turns lines into typed messages and back, and knows no game.
//!
//! Reading is total: any bytes give a [`Command`], nothing, or a [`Refusal`]; any line of an engine gives a [`Reply`].
//! The two sides differ in temper. [`Command::parse`] fails closed, since a typo must never become another command.
//! [`Reply::parse`] is lenient, since an engine of another hand must not lose a game to a stray carriage return.
//!
//! Printing is the inverse: the `Display` of a message is its line without the line feed, always a single line.
//!
//! ```
//! use protocol::{Best, Command, Reply};
//!
//! let command = Command::parse(b"go movetime 100 tag g1.7\r")?;
//! assert_eq!(command.unwrap().to_string(), "go movetime 100 tag g1.7");
//!
//! let refusal = Command::parse(b"go dpeth 5 tag g1.8").unwrap_err();
//! assert_eq!(refusal.error.to_string(), "error bad-syntax dpeth : not a limit");
//!
//! let reply = Reply::parse(b"bestmove  4o  ponder 3s");
//! assert!(matches!(reply, Reply::BestMove { best: Best::Move(m), tag: None } if m.as_str() == "4o"));
//! # Ok::<(), protocol::Refusal>(())
//! ```

#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod command;
mod error;
mod line;
mod reply;
mod token;
mod words;

pub use command::{Clock, Command, Dialect, Go, Owed, Player, Query, Refusal, Root};
pub use error::{ErrorCode, ErrorReply};
pub use line::{Line, LineReader, MAX_LINE};
pub use reply::{Answer, Best, Bound, GameDecl, Info, InfoScore, OptionDecl, OptionType, ParamDecl, Reply};
pub use token::Token;
