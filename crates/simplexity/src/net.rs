//! The evaluation of the board everybody plays, 6x7 with lines of four: a [small neural network](game::net).
//!
//! Its inputs are facts that hold or don't: which piece lies on a cell, for whom an empty cell completes a line, how many
//! pieces are left, whose move it is. Each unit has a twin that sees the board mirrored, so that a position and its mirror
//! image have the same value. A search carries the sums of the units along from position to position.
//!
//! The numbers come from self-play, by the example `fit` of the crate `search`.

use bits::Bits;
use game::net::{self, Aligned, ONE};
use game::{Game, Side};

use crate::piece::Shape;
use crate::position::{Frame, Position};

/// Units, twins included: the second half are the twins of the first.
pub const UNITS: usize = 64;

/// Units without their twins.
const PAIRS: usize = UNITS / 2;

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

/// Each row takes two cache lines.
static WEIGHTS: Aligned<[[i16; UNITS]; ROWS]> = Aligned(net::rows(include_bytes!("../weights/6x7.bin")));

/// The weights of the output, of the units without their twins.
static OUTPUT: Aligned<[i16; PAIRS]> = Aligned({
    let mut output = [0; PAIRS];
    let mut unit = 0;
    while unit < PAIRS {
        output[unit] = WEIGHTS.0[INPUTS][unit];
        unit += 1;
    }
    output
});

/// What the network gives where each unit and its twin give [`ONE`] together.
const MIDDLE: i32 = {
    let (mut sum, mut unit) = (0, 0);
    while unit < PAIRS {
        sum += OUTPUT.0[unit] as i32 * ONE as i32;
        unit += 1;
    }
    sum
};

/// What a move changes by itself: a stock and the turn. For each kind of piece, a row for each size of the stock that
/// the piece is taken from.
static STEPS: Aligned<[[[i16; UNITS]; STOCKS]; 4]> = Aligned(steps(&WEIGHTS.0));

const fn steps(weights: &[[i16; UNITS]; ROWS]) -> [[[i16; UNITS]; STOCKS]; 4] {
    let mut steps = [[[0; UNITS]; STOCKS]; 4];
    let mut i = 0;
    while i < 4 * (STOCKS - 1) * UNITS {
        let (kind, left, unit) = (i / UNITS / (STOCKS - 1), i / UNITS % (STOCKS - 1), i % UNITS);
        let (stock, side) = (STOCK + STOCKS * kind + left, kind / 2);
        steps[kind][left + 1][unit] = weights[stock][unit] - weights[stock + 1][unit]
            + weights[TURN + 1 - side][unit]
            - weights[TURN + side][unit];
        i += 1;
    }
    steps
}

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
    pub fn for_each_input(&self, mut f: impl FnMut(usize)) {
        let (white, round) = (self.coloured(Side::First), self.shaped(Shape::Round));
        for cell in self.occupied().members() {
            let (side, shape) = (usize::from(!white.test(cell)), usize::from(!round.test(cell)));
            f(piece(cell, 2 * side + shape));
        }
        let [first, second] = self.winning_cells();
        for cell in (first | second).members() {
            f(completion(cell, whose([first, second], cell)));
        }
        for side in Side::BOTH {
            for shape in Shape::BOTH {
                let kind = 2 * side.index() + shape.index();
                f(STOCK + STOCKS * kind + usize::from(self.stock(side, shape)));
            }
        }
        f(TURN + self.side_to_move().index());
    }
}

const fn piece(cell: u32, kind: usize) -> usize {
    PIECE + 4 * cell as usize + kind
}

/// `whose` is 1 for White, 2 for Red, 3 for both.
const fn completion(cell: u32, whose: usize) -> usize {
    COMPLETION + 3 * cell as usize + whose - 1
}

/// The row of [`completion`], or where it is nobody's, one that changes nothing: adding that takes less than a branch that
/// goes either way half the time.
fn completion_row(cell: u32, whose: usize) -> &'static [i16; UNITS] {
    static NONE: Aligned<[i16; UNITS]> = Aligned([0; UNITS]);
    if whose == 0 { &NONE.0 } else { &WEIGHTS.0[completion(cell, whose)] }
}

/// For whom a cell completes a line, as [`completion`] has it; 0 for nobody.
fn whose<B: Bits>([first, second]: [B; 2], cell: u32) -> usize {
    usize::from(first.test(cell)) + 2 * usize::from(second.test(cell))
}

/// The sums of the units in a position. A move changes few of the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums {
    units: Aligned<[i16; UNITS]>,
    /// Where White and Red complete a line in that position.
    winning: [u64; 2],
}

impl Sums {
    /// The sums of a position that suits.
    pub(crate) fn of<B: Bits>(position: &Position<B>) -> Sums {
        let mut units = [0; UNITS];
        position.for_each_input(|input| net::add(&mut units, &WEIGHTS.0[input]));
        Sums { units: Aligned(units), winning: position.winning_cells().map(|cells| cells.extract(0)) }
    }

    /// The sums of `position`, which a move has made of the position `before` with these sums.
    #[expect(clippy::inline_always, reason = "the sums go from memory to memory through registers")]
    #[inline(always)]
    pub(crate) fn after<B: Bits>(&self, before: &Position<B>, position: &Position<B>) -> Sums {
        let Sums { units: Aligned(mut units), winning: old } = *self;
        let mover = before.side_to_move();
        let placed = (position.occupied() ^ before.occupied()).extract(0);
        let shape =
            if placed & position.shaped(Shape::Round).extract(0) == 0 { Shape::Square } else { Shape::Round };
        let kind = 2 * mover.index() + shape.index();
        net::add(&mut units, &STEPS.0[kind][usize::from(before.stock(mover, shape))]);
        net::add(&mut units, &WEIGHTS.0[piece(placed.trailing_zeros(), kind)]);
        let new = position.winning_cells().map(|cells| cells.extract(0));
        for cell in (old[0] ^ new[0] | old[1] ^ new[1]).members() {
            net::subtract(&mut units, completion_row(cell, whose(old, cell)));
            net::add(&mut units, completion_row(cell, whose(new, cell)));
        }
        Sums { units: Aligned(units), winning: new }
    }

    /// The network's value for the side to move: a hundred times the logarithm of the odds to win.
    // Apart from its callers, among which the compiler does not always find the instructions meant below.
    #[inline(never)]
    pub(crate) fn value(&self, mover: Side) -> i32 {
        let [units, twins] = self.units.0.as_chunks::<PAIRS>().0 else { unreachable!("two halves") };
        let mut given = [0; PAIRS];
        // Around 0, so that the compiler sees signed numbers, which it multiplies and adds up at once.
        for ((given, &unit), &twin) in given.iter_mut().zip(units).zip(twins) {
            *given = unit.clamp(0, ONE) + twin.clamp(0, ONE) - ONE;
        }
        let pairs = given.iter().zip(&OUTPUT.0);
        let white: i32 = pairs.map(|(&given, &weight)| i32::from(given) * i32::from(weight)).sum();
        let white = (white + MIDDLE) / i32::from(ONE);
        if mover == Side::First { white } else { -white }
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
                inputs.map(|input| i32::from(WEIGHTS.0[input][unit]).abs()).max().unwrap_or(0)
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
        for (input, row) in WEIGHTS.0[..INPUTS].iter().enumerate() {
            assert_eq!(mirrored(mirrored(input)), input);
            assert_eq!(row[UNITS / 2..], WEIGHTS.0[mirrored(input)][..UNITS / 2]);
        }
        let output = WEIGHTS.0[INPUTS];
        assert_eq!(output[..UNITS / 2], output[UNITS / 2..]);
    }
}
