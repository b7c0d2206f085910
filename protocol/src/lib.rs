//! The Ludus protocol: one line-based text protocol between a controller and an engine. `SPEC.md` beside this crate is
//! the normative text; this crate turns lines into typed messages and back, and knows no game.
//!
//! Parsing is total: any bytes give a [`Command`] or a [`Refusal`], any line of an engine gives a [`Reply`].

mod command;
mod line;
mod reply;
mod token;

pub use command::{Command, Dialect, Go, Owed, Query, Refusal, Root};
pub use line::{Line, LineReader, MAX_LINE};
pub use reply::{
    Answer, Bound, ErrorCode, ErrorReply, GameDecl, Info, InfoScore, OptionDecl, OptionType, ParamDecl, Reply,
};
pub use token::Token;
