use bits::Bits;
use game::{Evaluate, Game, Side};

use crate::piece::{Move, Shape};
use crate::position::Position;

/// Planes of a bit-sliced counter that reaches the longest line, 50.
const PLANES: usize = 6;

/// What a line that lacks one piece is worth beyond the pieces in it, and one that lacks two.
const MISSING: [i32; 2] = [24, 6];

impl<B: Bits> Evaluate for Position<B> {
    /// Counts lines that can still be completed: those of a colour without a piece of the other, those of a shape
    /// without a piece of the other, with what is left in stock. A line of `n` pieces weighs about `n²`, and more when
    /// it is close to done.
    ///
    /// In such a line every piece counts, so one bit-sliced count of the pieces in each window serves all four kinds.
    fn evaluate(&self) -> i32 {
        let (board, lines) = (self.board_cells(), self.kinds());
        let mut white = 0;
        for step in self.steps() {
            let windows = Windows::count(self.occupied(), self.win(), step);
            let near = [1, 2].map(|missing| windows.lacking(missing));
            for &Kind { cells, supply, sign } in &lines {
                if supply > 0 {
                    let live = (board & !(self.occupied() & !cells)).runs(self.win(), step);
                    white += sign * windows.value(live, supply, near);
                }
            }
        }
        let value = if self.side_to_move() == Side::First { white } else { -white };
        value.clamp(-Self::LIMIT, Self::LIMIT)
    }

    fn order_hint(&self, m: Move) -> i32 {
        let centre = (2 * i32::from(m.column) + 1 - self.cols() as i32).abs();
        let own = if m.shape == Shape::of(self.side_to_move()) { 3 } else { 0 };
        own - centre
    }

    fn history_size(&self) -> usize {
        2 * self.cols() as usize
    }

    fn history_index(&self, m: Move) -> usize {
        usize::from(Self::move_bits(m))
    }

    fn max_plies_left(&self) -> u32 {
        if self.outcome().is_some() {
            return 0;
        }
        let stock = Side::BOTH.map(|side| Shape::BOTH.map(|shape| u32::from(self.stock(side, shape))));
        (self.rows() * self.cols() - self.occupied().count()).min(stock.as_flattened().iter().sum())
    }
}

/// One of the four kinds of line.
struct Kind<B> {
    /// The cells with pieces of the kind.
    cells: B,
    /// How many such pieces are left to both players.
    supply: u32,
    /// 1 if White wins with it, -1 if Red does.
    sign: i32,
}

impl<B: Bits> Position<B> {
    fn kinds(&self) -> [Kind<B>; 4] {
        let stock = |side, shape| u32::from(self.stock(side, shape));
        let kinds_of = |side: Side| {
            let (shape, sign) = (Shape::of(side), [1, -1][side.index()]);
            let coloured = Shape::BOTH.iter().map(|&shape| stock(side, shape)).sum();
            let shaped = Side::BOTH.iter().map(|&side| stock(side, shape)).sum();
            [
                Kind { cells: self.coloured(side), supply: coloured, sign },
                Kind { cells: self.shaped(shape), supply: shaped, sign },
            ]
        };
        let [[white, round], [red, square]] = Side::BOTH.map(kinds_of);
        [white, round, red, square]
    }
}

/// For each cell, how many pieces the line that starts there holds: a bit-sliced counter per cell.
struct Windows<B> {
    planes: [B; PLANES],
    length: u32,
}

impl<B: Bits> Windows<B> {
    /// Counts the members of `set` in each run of `length` cells, `step` apart, doubling the run.
    fn count(set: B, length: u32, step: u32) -> Windows<B> {
        let mut run = Windows { planes: [B::EMPTY; PLANES], length: 1 };
        run.planes[0] = set;
        let mut sum = Windows { planes: [B::EMPTY; PLANES], length: 0 };
        loop {
            if length & run.length != 0 {
                sum.extend(&run, step);
            }
            if 2 * run.length > length {
                return sum;
            }
            let next = Windows { ..run };
            run.extend(&next, step);
        }
    }

    /// Makes the runs longer by those of `next`, which begin where the old ones end.
    fn extend(&mut self, next: &Windows<B>, step: u32) {
        let distance = self.length * step;
        self.length += next.length;
        let mut carry = B::EMPTY;
        for plane in 0..self.used() {
            let (a, b) = (self.planes[plane], next.planes[plane].lower(distance));
            self.planes[plane] = a ^ b ^ carry;
            carry = a & b | carry & (a ^ b);
        }
    }

    /// Planes that a count up to `length` needs.
    fn used(&self) -> usize {
        (u32::BITS - self.length.leading_zeros()) as usize
    }

    /// The runs that lack exactly `missing` pieces; none if that would leave them empty.
    fn lacking(&self, missing: u32) -> B {
        let count = self.length.saturating_sub(missing);
        let all = if count == 0 { B::EMPTY } else { !B::EMPTY };
        let planes = self.planes[..self.used()].iter().enumerate();
        planes.fold(all, |set, (i, &plane)| set & if count >> i & 1 != 0 { plane } else { !plane })
    }

    /// The value of the runs that start at the cells `live`, for a kind with `supply` pieces left; `near` lack one
    /// piece, and two.
    fn value(&self, live: B, supply: u32, near: [B; 2]) -> i32 {
        let planes = self.planes[..self.used()].iter().enumerate();
        let held: i32 = planes.map(|(i, &plane)| ((plane & live).count() << (2 * i)) as i32).sum();
        let possible = near.into_iter().zip(MISSING).take(supply as usize);
        held + possible.map(|(near, worth)| worth * (near & live).count() as i32).sum::<i32>()
    }
}
