//! Colosseum Survival!: two agents take turns to walk a few steps and to put a barrier beside the cell they stop at. When
//! barriers part the agents, the one whose region has more cells wins.

mod agents;
mod board;
mod diagram;
mod drawing;
mod evaluate;
pub mod net;
mod notation;
mod position;
mod start;

pub use board::{Cells, Direction, Move};
pub use evaluate::Weights;
pub use position::Position;

use bits::Wide;
use diagram::Diagram;
use game::{AgentSpec, Family, FenError, OptionSpec, Param, Setup, SetupError, Visitor, Words};

/// Smallest number of rows, which is also that of columns.
pub const MIN_SIZE: u32 = 3;

/// Largest number of rows, which is also that of columns.
pub const MAX_SIZE: u32 = 30;

/// Most steps that a walk can be allowed: enough to reach any cell of the largest board.
pub const MAX_STEPS: u32 = 900;

const WORDS: Words = Words {
    sides: ["A", "B"],
    moves: "the cell to stop at and the side of it for a barrier, u, r, d or l, such as c4u",
    reasons: &[("territory", "barriers part the two")],
};

/// Colosseum Survival! on any board.
pub struct Colosseum;

impl Family for Colosseum {
    const NAME: &'static str = "colosseum";
    const TITLE: &'static str = "Colosseum Survival!";
    const WORDS: &'static Words = &WORDS;
    const PARAMS: &'static [Param] = &[
        Param {
            key: "size",
            default: Some(6),
            min: MIN_SIZE as i64,
            max: MAX_SIZE as i64,
            auto: false,
            about: "rows of the board, and columns",
        },
        Param {
            key: "steps",
            default: None,
            min: 0,
            max: MAX_STEPS as i64,
            auto: true,
            about: "longest walk; auto: half the size, rounded up",
        },
        Param {
            key: "barriers",
            default: None,
            min: 0,
            max: MAX_SIZE as i64,
            auto: true,
            about: "pairs of barriers at the start, at most the size; auto: as many as the generator's year had",
        },
        Param {
            key: "generator",
            default: Some(2022),
            min: 2022,
            max: 2023,
            auto: false,
            about: "year of the procedure that draws the start",
        },
        Param {
            key: "seed",
            default: Some(0),
            min: 0,
            max: i64::MAX,
            auto: false,
            about: "seed of the start",
        },
    ];
    const AGENTS: &'static [AgentSpec] = agents::AGENTS;
    // A start looks the same to both; two moves undo that.
    const OPENING_PLIES: u32 = 2;
    const START_SEED: Option<&'static str> = Some("seed");
    const WEIGHTS: &'static [OptionSpec] = <Weights as game::Weights>::OPTIONS;
    const BENCH: &'static str = include_str!("../../../benches/positions/colosseum.txt");

    fn resolve(values: &[Option<i64>]) -> Result<Setup, SetupError> {
        let &[Some(size), steps, barriers, Some(generator), Some(seed)] = values else {
            panic!("one value for each key, and auto only where it is one")
        };
        let steps = steps.unwrap_or(i64::from(default_steps(size as u32)));
        let barriers = barriers.unwrap_or(if generator == 2022 { (size + 1) / 2 } else { size / 2 - 1 });
        let error = |expected| SetupError { key: "barriers".into(), value: barriers.to_string(), expected };
        if barriers > size {
            return Err(error(format!("expected at most {size}, the size of the board")));
        }
        let setup = Setup(vec![size, steps, barriers, generator, seed]);
        match start::draw(&setup) {
            Some(_) => Ok(setup),
            None => Err(error(format!(
                "no start that connects both agents came up in {} tries; expected another number, or another seed",
                start::TRIES
            ))),
        }
    }

    fn start<V: Visitor>(setup: &Setup, visitor: V) -> V::Output {
        visit(&start::draw(setup).expect("a set-up is only made once its start could be drawn"), visitor)
    }

    fn load<V: Visitor>(fen: &str, visitor: V) -> Result<V::Output, FenError> {
        Ok(visit(&fen.parse()?, visitor))
    }
}

/// The longest walk on a board of `size`, unless the set-up says otherwise.
const fn default_steps(size: u32) -> u32 {
    size.div_ceil(2)
}

/// Visits the position in the narrowest set that holds its board.
fn visit<V: Visitor>(diagram: &Diagram, visitor: V) -> V::Output {
    if diagram.size <= u64::MAX_SIZE {
        visitor.visit(Position::<u64>::new(diagram))
    } else if diagram.size <= u128::MAX_SIZE {
        visitor.visit(Position::<u128>::new(diagram))
    } else if diagram.size <= Wide::<3>::MAX_SIZE {
        visitor.visit(Position::<Wide<3>>::new(diagram))
    } else if diagram.size <= Wide::<4>::MAX_SIZE {
        visitor.visit(Position::<Wide<4>>::new(diagram))
    } else {
        visitor.visit(Position::<Wide<15>>::new(diagram))
    }
}
