//! The evaluation of what can be played now: a [small neural network](game::net).
//!
//! It looks at each cell that may be played on, along its three axes, as the mover and as the opponent: how far the line is
//! free and which stones lie on it, up to four cells either way. These six views give the cell its value, and the values of
//! the cells add up.
//!
//! The numbers come from self-play on radius 9, by the example `fit` of the crate `search`.

use std::hint::black_box;

use game::Game;
use game::net::{self, ONE};

use crate::position::Position;

/// Hidden units.
pub const UNITS: usize = 16;

/// What can lie to one side of a cell: up to four cells that are not barred, each with a stone or without.
const ARMS: usize = 31;

/// Different views along an axis.
pub const VIEWS: usize = ARMS * ARMS;

/// First row of the opponent's views, behind those of the mover.
const OPPONENTS: usize = VIEWS;
/// What every cell begins with.
pub const BIAS: usize = 2 * VIEWS;
/// The weights of the units.
pub const OUTPUT: usize = BIAS + 1;
/// Its first number weighs the balance of the windows of five in 1/[`ONE`], its second is the worth of the move.
pub const REST: usize = OUTPUT + 1;

/// Rows of the network.
pub const ROWS: usize = REST + 1;

static WEIGHTS: [[i16; UNITS]; ROWS] = net::rows(include_bytes!("../weights/cells.bin"));

/// The view of a side with these `stones` in the nine bits around a cell, `barred` being the cells that can't become its
/// own. Stones beyond the first barred cell don't matter, and no view at all does without room for five.
pub(crate) fn view(stones: u32, barred: u32) -> usize {
    let arm = |cells: [u32; 4]| {
        let free = cells.into_iter().take_while(|cell| barred >> cell & 1 == 0);
        let (length, held) =
            free.fold((0, 0), |(length, held), cell| (length + 1, 2 * held + (stones >> cell & 1) as usize));
        (length, (1 << length) - 1 + held)
    };
    let [left, right] = [arm([3, 2, 1, 0]), arm([5, 6, 7, 8])];
    if left.0 + right.0 < 4 { 0 } else { left.1 * ARMS + right.1 }
}

/// The same view from the other end of the axis.
pub const fn reversed(view: usize) -> usize {
    view % ARMS * ARMS + view / ARMS
}

/// The rows of the views that a side and its opponent have of a line.
fn rows_of([own, opponents]: [u16; 2]) -> [usize; 2] {
    [own.into(), OPPONENTS + usize::from(opponents)]
}

/// What these views add to the sums of the units, together.
pub(crate) fn row(views: [u16; 2]) -> [i16; UNITS] {
    let [mut sum, opponents] = rows_of(views).map(|row| WEIGHTS[row]);
    net::add(&mut sum, &opponents);
    sum
}

impl<const N: usize> Position<N> {
    /// Hands out the rows of each cell that may be played on, but for the one of [`BIAS`]. Of the two rows that a line has,
    /// as it can be read from either end, it is any.
    pub fn for_each_cell(&self, mut f: impl FnMut([usize; 6])) {
        let seen = self.seen_by(self.side_to_move());
        for cell in Self::cells(self.playable()) {
            let [a, b, c] = self.arms(cell).map(|arms| rows_of(seen.views(arms)));
            f([a[0], b[0], c[0], a[1], b[1], c[1]]);
        }
    }

    /// The network's value for the side to move: a hundred times the logarithm of the odds to win.
    pub(crate) fn net_value(&self) -> i32 {
        // The compiler that knows the weights treats each unit in its own way, instead of many at once.
        let weights = black_box(&WEIGHTS);
        let seen = self.seen_by(self.side_to_move());
        let (bias, mut given) = (weights[BIAS], [0; UNITS]);
        for cell in Self::cells(self.playable()) {
            let mut sums = bias;
            for arms in self.arms(cell) {
                net::add(&mut sums, seen.row(arms));
            }
            net::give(&mut given, &sums);
        }
        let [weight, tempo, ..] = WEIGHTS[REST].map(i32::from);
        (net::weigh(&given, &weights[OUTPUT]) + self.balance() * weight) / i32::from(ONE) + tempo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_end_where_the_line_is_barred() {
        // Stones at both ends, seen and hidden.
        assert_eq!(view(0b1_0000_0001, 0b0_0000_0010), view(0b1_0000_0000, 0b0_0000_0011));
        assert_ne!(view(0b1_0000_0001, 0b0_0000_0010), view(0b0_0000_0001, 0b0_0000_0010));
        // Room for four only.
        assert_eq!(view(0b0_0011_0000, 0b0_1000_0100), 0);
        assert_ne!(view(0b0_0010_0000, 0), 0);
    }

    #[test]
    fn a_line_looks_the_same_from_either_end() {
        let turned = |strip: u32| strip.reverse_bits() >> 23;
        for (stones, barred) in (0..1 << 9).flat_map(|stones| (0..1 << 9).map(move |barred| (stones, barred)))
        {
            if stones & barred == 0 {
                let view = view(stones, barred);
                assert_eq!(super::view(turned(stones), turned(barred)), reversed(view));
                assert!(view < VIEWS);
            }
        }
        for first in [0, OPPONENTS] {
            for view in 0..VIEWS {
                assert_eq!(WEIGHTS[first + view], WEIGHTS[first + reversed(view)]);
            }
        }
    }

    #[test]
    fn no_sum_overflows() {
        let most = |rows: std::ops::Range<usize>, unit: usize| {
            rows.map(|row| i32::from(WEIGHTS[row][unit]).abs()).max().unwrap_or(0)
        };
        for unit in 0..UNITS {
            let bound =
                most(BIAS..OUTPUT, unit) + 3 * (most(0..OPPONENTS, unit) + most(OPPONENTS..BIAS, unit));
            assert!(bound <= i32::from(i16::MAX), "unit {unit}");
        }
    }
}
