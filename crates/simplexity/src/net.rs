//! The evaluation of the board everybody plays, 6x7 with lines of four: a [small neural network](game::net).
//!
//! Its inputs are facts that hold or don't: which piece lies on a cell, for whom an empty cell completes a line, how many
//! pieces are left, whose move it is. Each unit has a twin that sees the board mirrored, so that a position and its mirror
//! image have the same value.
//!
//! The numbers come from self-play, by the example `fit` of the crate `search`.

use bits::Bits;
use game::net::{self, ONE};
use game::{Game, Side};

use crate::piece::Shape;
use crate::position::{Frame, Position};

/// Units, twins included: the second half are the twins of the first.
pub const UNITS: usize = 64;

/// Cells, margins of the columns included.
const CELLS: usize = 49;
/// Stocks that are told apart: from 0 to 11 pieces.
const STOCKS: usize = 12;

/// First input of each kind. Pieces: four of each cell, by colour and shape.
const PIECE: usize = 0;
/// Empty cells that complete a line: three of each cell, for White, Red, both.
const COMPLETION: usize = PIECE + 4 * CELLS;
/// Pieces left: as many as there are stocks to tell apart, by colour and shape.
const STOCK: usize = COMPLETION + 3 * CELLS;
/// The side to move.
const TURN: usize = STOCK + 4 * STOCKS;

/// Number of inputs.
pub const INPUTS: usize = TURN + 2;

/// Numbers of the network: a row of each input, then that of the output.
pub const ROWS: usize = INPUTS + 1;

static WEIGHTS: [[i16; UNITS]; ROWS] = net::rows(include_bytes!("../weights/6x7.bin"));

/// The input that says of the mirrored board what this one says of the board.
pub const fn mirrored(input: usize) -> usize {
    const COLUMN: usize = 7;
    const fn turned(cell: usize) -> usize {
        CELLS - COLUMN - cell / COLUMN * COLUMN + cell % COLUMN
    }
    if input < COMPLETION {
        PIECE + 4 * turned((input - PIECE) / 4) + input % 4
    } else if input < STOCK {
        COMPLETION + 3 * turned((input - COMPLETION) / 3) + (input - COMPLETION) % 3
    } else {
        input
    }
}

impl<B: Bits> Position<B> {
    /// Whether the network was made for games like this one, with 10 round and 11 square pieces a side.
    #[inline]
    pub fn suits_net(&self) -> bool {
        let white = self.coloured(Side::First);
        let used = [white & self.shaped(Shape::Round), white & self.shaped(Shape::Square)];
        let totals = Shape::BOTH.map(|s| u32::from(self.stock(Side::First, s)) + used[s.index()].count());
        self.frame() == Frame::STANDARD && totals == [10, 11]
    }

    /// Hands out the inputs that hold, each once. Only for positions that suit.
    #[expect(clippy::inline_always, reason = "the sums of the units stay in registers")]
    #[inline(always)]
    pub fn for_each_input(&self, mut f: impl FnMut(usize)) {
        let (white, round) = (self.coloured(Side::First), self.shaped(Shape::Round));
        // One loop over all pieces mispredicts its end once.
        for cell in self.occupied().members() {
            let kind = 2 * usize::from(!white.test(cell)) + usize::from(!round.test(cell));
            f(PIECE + 4 * cell as usize + kind);
        }
        let [first, second] = self.winning_cells();
        for cell in (first | second).members() {
            let whose = usize::from(first.test(cell)) + 2 * usize::from(second.test(cell));
            f(COMPLETION + 3 * cell as usize + whose - 1);
        }
        for side in Side::BOTH {
            for shape in Shape::BOTH {
                let kind = 2 * side.index() + shape.index();
                f(STOCK + STOCKS * kind + usize::from(self.stock(side, shape)).min(STOCKS - 1));
            }
        }
        f(TURN + self.side_to_move().index());
    }

    /// The network's value for the side to move: a hundred times the logarithm of the odds to win.
    #[expect(clippy::inline_always, reason = "part of the evaluation")]
    #[inline(always)]
    pub(crate) fn net_value(&self) -> i32 {
        let mut sums = [0; UNITS];
        self.for_each_input(|input| net::add(&mut sums, &WEIGHTS[input]));
        let white = net::output(&sums, &WEIGHTS[INPUTS]);
        let value = white / i32::from(ONE);
        if self.side_to_move() == Side::First { value } else { -value }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    #[test]
    fn no_sum_overflows() {
        let bound = |unit: usize| {
            let most = |inputs: Range<usize>| {
                inputs.map(|input| i32::from(WEIGHTS[input][unit]).abs()).max().unwrap_or(0)
            };
            // A cell holds a piece or completes a line.
            let cells = (0..CELLS).map(|cell| {
                let pieces = most(PIECE + 4 * cell..PIECE + 4 * cell + 4);
                pieces.max(most(COMPLETION + 3 * cell..COMPLETION + 3 * cell + 3))
            });
            let stocks = (0..4).map(|kind| most(STOCK + STOCKS * kind..STOCK + STOCKS * (kind + 1)));
            cells.sum::<i32>() + stocks.sum::<i32>() + most(TURN..INPUTS)
        };
        assert!((0..UNITS).map(bound).max() <= Some(i32::from(i16::MAX)));
    }

    #[test]
    fn twins_mirror_each_other() {
        for (input, row) in WEIGHTS[..INPUTS].iter().enumerate() {
            assert_eq!(mirrored(mirrored(input)), input);
            assert_eq!(row[UNITS / 2..], WEIGHTS[mirrored(input)][..UNITS / 2]);
        }
        let output = WEIGHTS[INPUTS];
        assert_eq!(output[..UNITS / 2], output[UNITS / 2..]);
    }
}
