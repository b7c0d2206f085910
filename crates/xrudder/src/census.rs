use crate::geometry::{Cells, Geometry};

/// For each possible centre of an X, how many of its five cells are in a set: a bit-sliced counter per cell.
pub(crate) struct Census<B> {
    ones: B,
    twos: B,
    fours: B,
    centres: B,
}

impl<B: Cells> Census<B> {
    /// Counts the members of `set`.
    #[inline]
    pub(crate) fn new(geometry: &Geometry<B>, set: B) -> Census<B> {
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
    pub(crate) fn exactly(&self, count: u32) -> B {
        let plane = |plane: B, bit: u32| if count & bit != 0 { plane } else { !plane };
        plane(self.ones, 1) & plane(self.twos, 2) & plane(self.fours, 4) & self.centres
    }

    /// The centres without any.
    #[inline]
    pub(crate) fn none(&self) -> B {
        self.centres & !(self.ones | self.twos | self.fours)
    }
}
