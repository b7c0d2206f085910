//! Andantino, the game of David L. Smith: stones on a hexagon of hexagons, each new one beside at least two others; five
//! in a row or a ring around an opponent's stone win.
//!
//! White moves first. Black, the second player, has a stone on the centre before play.

mod agents;
pub mod book;
mod diagram;
mod evaluate;
mod geometry;
mod line;
pub mod net;
mod notation;
mod patterns;
mod position;

pub use evaluate::Weights;
pub use geometry::Cell;
pub use position::Position;

use diagram::Diagram;
use game::{AgentSpec, Family, FenError, OptionSpec, Param, Setup, SetupError, Visitor, Words};
use geometry::lines;

/// Largest distance from the centre to a corner.
pub const MAX_RADIUS: u8 = 12;

/// Largest radius of the narrower of the two position types, that of the usual board.
const USUAL_RADIUS: u8 = 9;

const WORDS: Words = Words {
    sides: ["white", "black"],
    moves: "a cell, such as i10",
    reasons: &[
        ("five", "five in a row"),
        ("enclosure", "an opposing stone is enclosed"),
        ("self-enclosure", "the opponent played into an enclosed area"),
        ("board-full", "the board is full"),
    ],
};

/// Andantino on any board.
pub struct Andantino;

impl Family for Andantino {
    const NAME: &'static str = "andantino";
    const TITLE: &'static str = "Andantino";
    const WORDS: &'static Words = &WORDS;
    const PARAMS: &'static [Param] = &[Param {
        key: "radius",
        default: Some(USUAL_RADIUS as i64),
        min: 1,
        max: MAX_RADIUS as i64,
        auto: false,
        about: "cells from the centre to a corner of the board",
    }];
    const AGENTS: &'static [AgentSpec] = agents::AGENTS;
    const WEIGHTS: &'static [OptionSpec] = <Weights as game::Weights>::OPTIONS;
    const BENCH: &'static str = include_str!("../../../benches/positions/andantino.txt");

    fn resolve(values: &[Option<i64>]) -> Result<Setup, SetupError> {
        Ok(Setup(values.iter().map(|v| v.expect("no key of this game takes auto")).collect()))
    }

    fn start<V: Visitor>(setup: &Setup, visitor: V) -> V::Output {
        visit(&Diagram::start(setup), visitor).expect("nobody has won at the start")
    }

    fn load<V: Visitor>(fen: &str, visitor: V) -> Result<V::Output, FenError> {
        visit(&fen.parse()?, visitor)
    }
}

fn visit<V: Visitor>(diagram: &Diagram, visitor: V) -> Result<V::Output, FenError> {
    if diagram.radius <= USUAL_RADIUS {
        Ok(visitor.visit(Position::<{ lines(USUAL_RADIUS) }>::new(diagram)?))
    } else {
        Ok(visitor.visit(Position::<{ lines(MAX_RADIUS) }>::new(diagram)?))
    }
}
