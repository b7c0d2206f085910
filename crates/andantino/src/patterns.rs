use std::ops::{AddAssign, SubAssign};
use std::sync::LazyLock;

use crate::net::view;

/// Cells of a line that decide what a stone in the middle of them does: it and four on either side.
const REACH: u32 = 9;

/// Bits of such a strip.
const STRIP: u32 = (1 << REACH) - 1;

/// The middle of a strip.
const CENTRE: u32 = 1 << (REACH / 2);

/// Worth of five cells in a row that hold this many stones of one side and none of the other, in hundredths. Five are
/// worth so much that a stone that gains it is told from any other: those gain 40 at most in each of fifteen windows.
const WORTH: [i16; 6] = [0, 1, 5, 20, 60, 1_000];

/// Windows of five of one side, those without an opponent's stone: their worth in the low bits, and above it the number
/// of those with four stones. One number, so that a stone's changes are one addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally(i32);

impl Tally {
    /// Enough for the worth of all 1107 windows of the largest board.
    const WORTH_BITS: u32 = 21;

    const fn new(worth: i16, fours: i8) -> Tally {
        Tally(worth as i32 + ((fours as i32) << Tally::WORTH_BITS))
    }

    #[inline]
    pub(crate) fn worth(self) -> i32 {
        self.0 & ((1 << Tally::WORTH_BITS) - 1)
    }

    #[inline]
    pub(crate) fn fours(self) -> i32 {
        self.0 >> Tally::WORTH_BITS
    }

    /// Whether this is the gain by a stone that completes a window, and so is part of a run of five or more.
    #[inline]
    pub(crate) fn completes_five(self) -> bool {
        self.worth() >= (WORTH[5] - WORTH[4]).into()
    }
}

impl AddAssign for Tally {
    #[inline]
    fn add_assign(&mut self, other: Tally) {
        self.0 += other.0;
    }
}

impl SubAssign for Tally {
    #[inline]
    fn sub_assign(&mut self, other: Tally) {
        self.0 -= other.0;
    }
}

/// What a stone does to the windows around it, by the number of [`index`].
#[derive(Debug)]
pub(crate) struct Patterns {
    /// What a side's windows gain by its own stone.
    gain: Vec<Tally>,
    /// What they lose by the opponent's.
    loss: Vec<Tally>,
    /// How the side sees them.
    views: Vec<u16>,
}

impl Patterns {
    pub(crate) fn get() -> &'static Patterns {
        static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);
        &PATTERNS
    }

    fn new() -> Patterns {
        let blank = vec![Tally::default(); 3_usize.pow(REACH - 1)];
        let mut patterns = Patterns { gain: blank.clone(), views: vec![0; blank.len()], loss: blank };
        for stones in (0..=STRIP).filter(|stones| stones & CENTRE == 0) {
            for barred in (0..=STRIP).filter(|barred| (stones | CENTRE) & barred == 0) {
                let i = index(stones, barred);
                (patterns.gain[i], patterns.loss[i]) = changes(stones, barred);
                patterns.views[i] = view(stones, barred) as u16;
            }
        }
        patterns
    }

    /// What a stone in the middle of a strip adds to the tally of its side, and what it takes from the opponent's.
    /// `off` are the cells that do not exist.
    #[inline]
    pub(crate) fn changes(&self, own: u32, opponents: u32, off: u32) -> (Tally, Tally) {
        let [own, opponents] = both(own, opponents, off);
        (self.gain[own], self.loss[opponents])
    }

    /// The views of a side and of its opponent.
    #[inline]
    pub(crate) fn views(&self, own: u32, opponents: u32, off: u32) -> (usize, usize) {
        let [own, opponents] = both(own, opponents, off);
        (self.views[own].into(), self.views[opponents].into())
    }
}

/// The nine bits of a line around the cell at `place`.
#[inline]
pub(crate) fn strip(line: u32, place: u32) -> u32 {
    line >> place & STRIP
}

/// Whether a stone in the middle of a strip is part of a run of five.
#[inline]
pub(crate) fn completes_five(own: u32) -> bool {
    let run = own | CENTRE;
    let twos = run & run >> 1;
    let fours = twos & twos >> 2;
    fours & run >> 4 != 0
}

/// Where a strip stands in the tables of one side: `stones` are its own, `barred` the cells that cannot become so.
fn index(stones: u32, barred: u32) -> usize {
    usize::from(TERNARY[stones as usize]) + 2 * usize::from(TERNARY[barred as usize])
}

/// Where a strip stands in the tables of its side and in those of the opponent.
#[inline]
fn both(own: u32, opponents: u32, off: u32) -> [usize; 2] {
    // The numbers of disjoint sets add up.
    let [own, opponents, off] = [own, opponents, off].map(|strip| usize::from(TERNARY[strip as usize]));
    [own + 2 * (opponents + off), opponents + 2 * (own + off)]
}

/// Strips read as numbers to the base of three, the middle left out.
static TERNARY: [u16; 1 << REACH] = {
    let mut numbers = [0; 1 << REACH];
    let mut strip = 0;
    while strip < numbers.len() {
        let (mut bit, mut weight) = (0, 1);
        while bit < REACH {
            if 1 << bit != CENTRE {
                if strip >> bit & 1 != 0 {
                    numbers[strip] += weight;
                }
                weight *= 3;
            }
            bit += 1;
        }
        strip += 1;
    }
    numbers
};

/// What a side's windows gain if the stone in the middle is its own, and lose if it is not.
fn changes(stones: u32, barred: u32) -> (Tally, Tally) {
    let (mut gain, mut loss) = (Tally::default(), Tally::default());
    for window in (0..5).map(|shift| 0b1_1111 << shift).filter(|window| window & barred == 0) {
        let held = (window & stones).count_ones() as usize;
        gain += Tally::new(WORTH[held + 1] - WORTH[held], i8::from(held == 3) - i8::from(held == 4));
        loss += Tally::new(WORTH[held], i8::from(held == 4));
    }
    (gain, loss)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_needs_an_unbroken_run_through_the_middle() {
        let five = |own| {
            let five = completes_five(own);
            assert_eq!(Patterns::get().changes(own, 0, 0).0.completes_five(), five, "{own:09b}");
            five
        };
        assert!(five(0b0_0000_1111));
        assert!(five(0b1_1110_0000));
        assert!(five(0b0_0110_1100));
        assert!(five(0b1_1110_1111));
        assert!(!five(0b1_1000_0111));
        assert!(!five(0b0_0000_0111));
        assert!(!five(0b0_1110_0000));
    }

    /// However many windows it improves along all three axes.
    #[test]
    fn no_other_gain_is_that_of_a_five() {
        let patterns = Patterns::get();
        for (gain, strip) in patterns.gain.iter().zip(0..) {
            let own = (0..=STRIP).find(|&own| own & CENTRE == 0 && index(own, 0) == strip);
            if let Some(own) = own {
                let run = own | CENTRE;
                let five = (0..5).any(|shift| run >> shift & 0b1_1111 == 0b1_1111);
                assert_eq!(gain.completes_five(), five, "{own:09b}");
                assert!(five || 3 * gain.worth() < (WORTH[5] - WORTH[4]).into(), "{own:09b}");
            }
        }
    }

    #[test]
    fn changes_of_worked_strips() {
        let patterns = Patterns::get();
        // Three stones on one side of the middle: windows with 3, 3, 2, 1 and 0 of them, two of which become fours.
        let three = 0b0_0000_1110;
        assert_eq!(patterns.changes(three, 0, 0).0, Tally::new(40 + 40 + 15 + 4 + 1, 2));
        assert_eq!(patterns.changes(0, three, 0).1, Tally::new(20 + 20 + 5 + 1, 0));
        // The same with the edge or a stone on the other side: only the window that ends in the middle is left.
        let bar = 0b0_0010_0000;
        assert_eq!(patterns.changes(three, bar, 0).0, Tally::new(40, 1));
        assert_eq!(patterns.changes(three, 0, bar).0, Tally::new(40, 1));
        assert_eq!(patterns.changes(bar, three, 0).1, Tally::new(20, 0));
        assert_eq!(patterns.changes(0, three, bar).1, Tally::new(20, 0));
        // A fifth stone, and a stone that blocks it.
        assert_eq!(patterns.changes(0b0_0000_1111, bar, 0).0, Tally::new(940, -1));
        assert_eq!(patterns.changes(bar, 0b0_0000_1111, 0).1, Tally::new(60, 1));
        // No room for five.
        assert_eq!(patterns.changes(0b1_0000_0001, 0, 0b0_0010_1000), Default::default());
    }
}
