use game::Side;

use crate::geometry::{Cells, Geometry};
use crate::position::Position;

/// For each possible centre of an X, how many of its five cells are in a set: a bit-sliced counter per cell.
struct Census<B> {
    ones: B,
    twos: B,
    fours: B,
    centres: B,
}

impl<B: Cells> Census<B> {
    #[inline]
    fn new(geometry: &Geometry<B>, set: B) -> Census<B> {
        let [a, b, c, d] = geometry.arms(set);
        let three = set ^ a ^ b;
        let carry = set & a | b & (set ^ a);
        let carry_on = three & c | d & (three ^ c);
        Census {
            ones: three ^ c ^ d,
            twos: carry ^ carry_on,
            fours: carry & carry_on,
            centres: geometry.centres,
        }
    }

    /// The centres with `count` members, 1 to 5.
    #[inline]
    fn exactly(&self, count: u32) -> B {
        let plane = |plane: B, bit: u32| if count & bit != 0 { plane } else { !plane };
        plane(self.ones, 1) & plane(self.twos, 2) & plane(self.fours, 4) & self.centres
    }

    /// The centres without any.
    #[inline]
    fn none(&self) -> B {
        self.centres & !(self.ones | self.twos | self.fours)
    }
}

/// The X's that a side could still make, by their centres.
pub(crate) struct Prospects<B> {
    own: Census<B>,
    /// No opposing token among the five cells, and not crossed.
    open: B,
    /// One opposing token beside the centre and none of the side's own, so that one more would cross it.
    frail: B,
}

impl<B: Cells> Prospects<B> {
    /// The prospects of both sides, first player first.
    #[inline]
    pub(crate) fn of_both(position: &Position<B>) -> [Prospects<B>; 2] {
        let [x, o] = Side::BOTH.map(|side| position.tokens(side));
        let [xs, os] = [x, o].map(|tokens| Census::new(position.geometry(), tokens));
        let [x_free, o_free] = [os.none(), xs.none()];
        [Prospects::new(xs, x, o, x_free), Prospects::new(os, o, x, o_free)]
    }

    #[inline]
    fn new(own: Census<B>, tokens: B, hostile: B, free: B) -> Prospects<B> {
        let (left, right) = (hostile.raise(1), hostile.lower(1));
        let shielded = tokens.raise(1) | tokens.lower(1);
        Prospects { own, open: free & !(left & right), frail: (left | right) & !shielded }
    }

    /// The X's that lack one token.
    #[inline]
    pub(crate) fn threats(&self) -> B {
        self.own.exactly(4) & self.open
    }

    /// The number of complete X's: all crossed, unless the game is over.
    #[inline]
    pub(crate) fn complete(&self) -> u32 {
        self.own.exactly(5).count()
    }

    /// The sum over all open X's of their worth by the number of tokens in them, 1 to 4; half of it for the frail ones.
    #[inline]
    pub(crate) fn weigh(&self, worth: &[i32; 4]) -> i32 {
        (1..)
            .zip(worth)
            .map(|(count, worth)| {
                let xs = self.own.exactly(count) & self.open;
                worth * xs.count() as i32 - worth / 2 * (xs & self.frail).count() as i32
            })
            .sum()
    }
}
