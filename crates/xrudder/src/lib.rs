//! X-Rudder: place tokens, or move them, until five of them make an X that the opponent does not cross.
//!
//! An X is a centre and its four diagonal neighbours. It is crossed while opposing tokens stand both left and right of
//! its centre. Each player has a hand of tokens; the number of token moves is shared.

mod agents;
mod census;
mod diagram;
mod endgame;
mod evaluate;
mod geometry;
pub mod net;
mod notation;
mod position;
mod promise;
mod tally;

pub use evaluate::Weights;
pub use geometry::{Cells, Direction};
pub use position::{Move, Position};

use bits::{Bits, Wide};
use diagram::Diagram;
use game::{AgentSpec, Family, FenError, OptionSpec, Param, Setup, SetupError, Visitor, Words};

/// Largest number of rows and of columns.
pub const MAX_SIDE: u32 = 26;

/// Largest number of tokens in a hand.
pub const MAX_TOKENS: u32 = 999;

/// Largest number of token moves.
pub const MAX_MOVES: u32 = 9_999;

const WORDS: Words = Words {
    sides: ["x", "o"],
    moves: "a cell to place a token on, such as c4, two cells to move one, such as c4d5, or pass",
    reasons: &[
        ("x", "an X that is not crossed"),
        ("uncrossed-x", "its X is no longer crossed"),
        ("no-action", "nobody can place or move a token any more"),
    ],
};

/// X-Rudder with any board and any supply of tokens and moves.
pub struct XRudder;

const fn param(key: &'static str, default: i64, min: i64, max: u32, about: &'static str) -> Param {
    Param { key, default: Some(default), min, max: max as i64, auto: false, about }
}

impl Family for XRudder {
    const NAME: &'static str = "xrudder";
    const TITLE: &'static str = "X-Rudder";
    const WORDS: &'static Words = &WORDS;
    const PARAMS: &'static [Param] = &[
        param("rows", 10, 1, MAX_SIDE, "rows of the board"),
        param("cols", 12, 1, MAX_SIDE, "columns of the board"),
        param("tokens", 15, 0, MAX_TOKENS, "tokens of each player"),
        param("moves", 30, 0, MAX_MOVES, "token moves of both players together"),
    ];
    const AGENTS: &'static [AgentSpec] = agents::AGENTS;
    const WEIGHTS: &'static [OptionSpec] = <Weights as game::Weights>::OPTIONS;
    const BENCH: &'static str = include_str!("../../../benches/positions/xrudder.txt");

    fn resolve(values: &[Option<i64>]) -> Result<Setup, SetupError> {
        Ok(Setup(values.iter().map(|v| v.expect("no key of this game takes auto")).collect()))
    }

    fn start<V: Visitor>(setup: &Setup, visitor: V) -> V::Output {
        visit(&Diagram::start(setup), visitor)
    }

    fn load<V: Visitor>(fen: &str, visitor: V) -> Result<V::Output, FenError> {
        Ok(visit(&fen.parse()?, visitor))
    }
}

/// Visits the position in the narrower of two widths: the standard board fits 128 bits, all fit 704.
fn visit<V: Visitor>(diagram: &Diagram, visitor: V) -> V::Output {
    if diagram.rows * diagram.cols <= <u128 as Bits>::WIDTH {
        visitor.visit(Position::<u128>::new(diagram))
    } else {
        visitor.visit(Position::<Wide<11>>::new(diagram))
    }
}
