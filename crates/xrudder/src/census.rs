use bits::Bits;
use game::Side;

use crate::geometry::Cells;
use crate::position::Position;

/// For each possible centre of an X, how many of its five cells hold a token of one side: a bit-sliced counter per cell,
/// kept up as tokens come and go. It stays 0 where no centre can be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census<B> {
    ones: B,
    twos: B,
    fours: B,
}

impl<B: Bits> Census<B> {
    /// Of an empty board.
    pub(crate) const NOTHING: Census<B> = Census { ones: B::EMPTY, twos: B::EMPTY, fours: B::EMPTY };

    /// Counts one more at each of these centres.
    #[inline]
    pub(crate) fn add(&mut self, centres: B) {
        let to_twos = self.ones & centres;
        let to_fours = self.twos & to_twos;
        self.ones = self.ones ^ centres;
        self.twos = self.twos ^ to_twos;
        self.fours = self.fours ^ to_fours;
    }

    /// Counts one less at each of these centres, none of which is at 0.
    #[inline]
    pub(crate) fn remove(&mut self, centres: B) {
        let from_twos = !self.ones & centres;
        let from_fours = !self.twos & from_twos;
        self.ones = self.ones ^ centres;
        self.twos = self.twos ^ from_twos;
        self.fours = self.fours ^ from_fours;
    }

    /// The centres with `count` tokens, 0 to 5; for 0, all other cells as well that can be no centre.
    #[inline]
    fn exactly(&self, count: u32) -> B {
        match count {
            0 => !self.any(),
            1 => self.ones & !(self.twos | self.fours),
            2 => self.twos & !self.ones,
            3 => self.twos & self.ones,
            4 => self.fours & !self.ones,
            _ => self.complete(),
        }
    }

    /// The centres with five tokens.
    #[inline]
    pub(crate) fn complete(&self) -> B {
        self.fours & self.ones
    }

    /// Whether some centre has four tokens or more.
    #[inline]
    pub(crate) fn has_four(&self) -> bool {
        self.fours != B::EMPTY
    }

    /// The cells with any.
    #[inline]
    fn any(&self) -> B {
        self.ones | self.twos | self.fours
    }
}

/// The X's that a side could still make, by their centres.
pub(crate) struct Prospects<B> {
    own: Census<B>,
    /// Its opponent's tokens in them.
    taken: Census<B>,
    /// No opposing token among the five cells, and not crossed.
    open: B,
    /// Those that one more token would cross: an opposing one stands beside the centre, and none of the side's own.
    frail: B,
    /// Those that nothing crosses: a token of the side's own stands beside the centre.
    shielded: B,
}

impl<B: Cells> Prospects<B> {
    #[inline]
    pub(crate) fn of(position: &Position<B>, side: Side) -> Prospects<B> {
        let (own, tokens) = (*position.census(side), position.tokens(side));
        let (taken, hostile) = (*position.census(side.other()), position.tokens(side.other()));
        let (left, right) = (hostile.raise(1), hostile.lower(1));
        let shielded = tokens.raise(1) | tokens.lower(1);
        Prospects {
            own,
            taken,
            open: !(taken.any() | left & right),
            frail: (left | right) & !shielded,
            shielded,
        }
    }

    /// The open X's with `count` tokens, 0 to 4; for 0, also cells that can be no centre.
    #[inline]
    pub(crate) fn with(&self, count: u32) -> B {
        self.own.exactly(count) & self.open
    }

    /// The X's that nothing crosses: a token of the side's own stands beside the centre.
    #[inline]
    pub(crate) fn shielded(&self) -> B {
        self.shielded
    }

    /// The X's in which a single token of the side's own stops three or four opposing ones.
    #[inline]
    pub(crate) fn stops(&self) -> B {
        self.own.exactly(1) & (self.taken.exactly(3) | self.taken.exactly(4))
    }

    /// The X's that lack one token.
    #[inline]
    pub(crate) fn threats(&self) -> B {
        self.with(4)
    }

    /// The sum over all open X's of their worth by the number of tokens in them, 1 to 4; of the frail ones less, so many
    /// percent.
    #[inline]
    pub(crate) fn weigh(&self, worth: &[i32; 4], frail: i32) -> i32 {
        let Census { ones, twos, fours } = self.own;
        // Of the digits of the numbers, as an open X of five would have ended the game.
        let weigh = |xs: B, [one, two, three, four]: [i32; 4]| {
            let count = |digit: B| (digit & xs).count() as i32;
            one * count(ones)
                + two * count(twos)
                + (three - two - one) * count(ones & twos)
                + four * count(fours)
        };
        weigh(self.open, *worth) - weigh(self.open & self.frail, worth.map(|worth| worth * frail / 100))
    }
}
