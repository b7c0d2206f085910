//! Start positions, drawn as the course's simulators of 2022 and 2023 draw theirs.
//!
//! The source of all draws is the key stream of `ChaCha8` whose key is the seed in 8 bytes, lowest first, then 24 zero
//! bytes, with nonce and block counter 0, read in words of 32 bits. A number below `n` is the next word `w` that is less
//! than `2^32` rounded down to a multiple of `n`, taken modulo `n`; words that are not are passed over.
//!
//! 1. Barriers: for each pair, list the open edges (row by row from the top, cell by cell from the left, a cell's right
//!    side before its lower one), draw a number below their count, and close the edge of that number and its image under
//!    a half turn.
//! 2. Agents: draw a number below the number of cells; A stands on the cell of that number, row by row from the top, B on
//!    its image. If that is the same cell, draw again.
//! 3. If barriers part the agents: with the generator of 2022 forget all and go on with step 1, with that of 2023 keep the
//!    barriers and go on with step 2. Either way the key stream goes on where it was.

use bits::{Bits, Wide};
use game::{Setup, Side};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::board::{Board, Direction, Move, cell};
use crate::diagram::Diagram;

/// How often step 2 is tried.
pub(crate) const TRIES: u32 = 10_000;

/// A set type for every board: speed is of no concern here.
type Any = Wide<15>;

/// The start of a set-up; `None` if none came up.
pub(crate) fn draw(setup: &Setup) -> Option<Diagram> {
    let &[size, steps, pairs, generator, seed] = &setup.0[..] else { panic!("a set-up of this game") };
    let size = size as u32;
    let mut lottery = Lottery::new(seed as u64);
    let mut barriers = lottery.barriers(size, pairs);
    for _ in 0..TRIES {
        let [a, b] = lottery.agents(size);
        let mut board = Board::<Any>::new(size);
        for &Move { row, col, wall } in &barriers {
            board.close(cell::<Any>(row.into(), col.into()), wall);
        }
        if board.region(cell::<Any>(a.0, a.1)).test(cell::<Any>(b.0, b.1)) {
            return Some(Diagram { size, barriers, agents: [a, b], side: Side::First, steps: steps as u32 });
        }
        if generator == 2022 {
            barriers = lottery.barriers(size, pairs);
        }
    }
    None
}

struct Lottery(ChaCha8Rng);

impl Lottery {
    fn new(seed: u64) -> Lottery {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Lottery(ChaCha8Rng::from_seed(key))
    }

    /// A number below `count`, which is not 0.
    fn below(&mut self, count: u32) -> u32 {
        let surplus = (u32::MAX % count + 1) % count;
        loop {
            let word = self.0.next_u32();
            if word <= u32::MAX - surplus {
                return word % count;
            }
        }
    }

    fn barriers(&mut self, size: u32, pairs: i64) -> Vec<Move> {
        let last = size as u8 - 1;
        let mut open: Vec<Move> = (0..=last)
            .flat_map(|row| (0..=last).map(move |col| (row, col)))
            .flat_map(|(row, col)| [Direction::Right, Direction::Down].map(|wall| Move { row, col, wall }))
            .filter(|edge| if edge.wall == Direction::Right { edge.col < last } else { edge.row < last })
            .collect();
        let mut barriers = Vec::new();
        for _ in 0..pairs {
            let edge = open[self.below(open.len() as u32) as usize];
            let image = Move { wall: edge.wall, ..beyond(edge).turned(size) };
            open.retain(|&other| other != edge && other != image);
            barriers.extend([edge, image]);
        }
        barriers
    }

    fn agents(&mut self, size: u32) -> [(u32, u32); 2] {
        loop {
            let index = self.below(size * size);
            let (row, col) = (index / size, index % size);
            let image = (size - 1 - row, size - 1 - col);
            if image != (row, col) {
                return [(row, col), image];
            }
        }
    }
}

/// An edge, named by the cell right of it or below it.
fn beyond(edge: Move) -> Move {
    match edge.wall {
        Direction::Right => Move { col: edge.col + 1, ..edge },
        _ => Move { row: edge.row + 1, ..edge },
    }
}
