//! Simplexity, the game of the ColorShapeLinks competitions: drop pieces that have a colour and a shape into columns,
//! and complete a line of your colour or of your shape.
//!
//! White, the first player, owns the round shape; Red owns the square one. Both place pieces of their own colour and of
//! either shape, and a line of a shape counts before a line of a colour, whoever completes it.

mod agents;
mod diagram;
mod evaluate;
mod lines;
pub mod net;
mod notation;
mod piece;
mod position;
mod promise;
mod waiting;

pub use evaluate::Weights;
pub use piece::{Move, Shape};
pub use position::Position;

use bits::{Bits, Wide};
use diagram::Diagram;
use game::{AgentSpec, Family, FenError, OptionSpec, Param, Setup, SetupError, Visitor, Words};

/// Largest number of rows and of columns.
pub const MAX_SIDE: u32 = 50;

/// Largest stock of one shape.
pub const MAX_STOCK: u32 = 65_535;

const WORDS: Words = Words {
    sides: ["white", "red"],
    moves: "a column and o for a round piece or s for a square one, such as 4o",
    reasons: &[
        ("line-shape", "a line of its shape"),
        ("line-colour", "a line of its colour"),
        ("board-full", "the board is full"),
        ("no-pieces", "no pieces are left"),
    ],
};

/// Simplexity with any board, line length and stocks.
pub struct Simplexity;

const fn param(key: &'static str, default: i64, min: i64, max: u32, about: &'static str) -> Param {
    Param { key, default: Some(default), min, max: max as i64, auto: false, about }
}

impl Family for Simplexity {
    const NAME: &'static str = "simplexity";
    const TITLE: &'static str = "Simplexity";
    const WORDS: &'static Words = &WORDS;
    const PARAMS: &'static [Param] = &[
        param("rows", 6, 1, MAX_SIDE, "rows of the board"),
        param("cols", 7, 1, MAX_SIDE, "columns of the board"),
        param("win", 4, 1, MAX_SIDE, "pieces in a row that win"),
        param("round", 10, 0, MAX_STOCK, "round pieces of each player"),
        param("square", 11, 0, MAX_STOCK, "square pieces of each player"),
    ];
    const WEIGHTS: &'static [OptionSpec] = <Weights as game::Weights>::OPTIONS;
    const BENCH: &'static str = include_str!("../../../benches/positions/simplexity.txt");
    const AGENTS: &'static [AgentSpec] = agents::AGENTS;

    fn resolve(values: &[Option<i64>]) -> Result<Setup, SetupError> {
        let values: Vec<i64> = values.iter().map(|v| v.expect("no key of this game takes auto")).collect();
        let error = |key: &str, value: i64, expected: String| {
            Err(SetupError { key: key.into(), value: value.to_string(), expected })
        };
        match values[..] {
            [rows, cols, win, _, _] if win > rows.max(cols) => error(
                "win",
                win,
                format!("expected at most {}, the longer side of the board", rows.max(cols)),
            ),
            [_, _, _, 0, 0] => error("square", 0, "expected at least one piece, round or square".into()),
            _ => Ok(Setup(values)),
        }
    }

    fn start<V: Visitor>(setup: &Setup, visitor: V) -> V::Output {
        visit(&Diagram::start(setup), visitor)
    }

    fn load<V: Visitor>(fen: &str, visitor: V) -> Result<V::Output, FenError> {
        Ok(visit(&fen.parse()?, visitor))
    }
}

/// Visits the position in the narrowest of some widths, each of which serves boards in use: 6x7, 12x12, 9x37, 33x42,
/// 50x50.
fn visit<V: Visitor>(diagram: &Diagram, visitor: V) -> V::Output {
    match diagram.width() {
        0..=64 => visitor.visit(Position::<u64>::new(diagram)),
        65..=Wide::<3>::WIDTH => visitor.visit(Position::<Wide<3>>::new(diagram)),
        193..=Wide::<7>::WIDTH => visitor.visit(Position::<Wide<7>>::new(diagram)),
        449..=Wide::<23>::WIDTH => visitor.visit(Position::<Wide<23>>::new(diagram)),
        _ => visitor.visit(Position::<Wide<40>>::new(diagram)),
    }
}
