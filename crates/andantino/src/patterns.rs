use std::ops::{AddAssign, SubAssign};
use std::sync::LazyLock;

use game::Side;

use crate::line::CODES;
use crate::net::{self, UNITS, reversed, view};

/// The nine cells of a line that decide what a stone in the middle of them does: it and four on either side.
const STRIP: u32 = 0b1_1111_1111;

/// Worth of five cells in a row that hold this many stones of one side and none of the other, in hundredths. Five are
/// worth so much that a stone that gains it is told from any other: those gain 40 at most in each of fifteen windows.
const WORTH: [i16; 6] = [0, 1, 5, 20, 60, 1_000];

/// Windows of five of one side, those without an opponent's stone: their worth in the low bits, and above it the number
/// of those with four stones. One number, so that a stone's changes are one addition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
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

/// What a line around a cell means to a side: to be told apart only where that differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Pattern {
    /// What the side's windows gain by its own stone in the middle.
    pub(crate) gain: Tally,
    /// What the opponent's windows lose by it.
    pub(crate) loss: Tally,
    /// How the side and its opponent see the line, from the end that gives the lesser numbers.
    pub(crate) views: [u16; 2],
}

/// All that can lie around a cell, and what it means.
#[derive(Debug)]
pub(crate) struct Patterns {
    /// Which pattern either side sees, by the [code](crate::line::Line::around) of the line.
    numbers: Box<[[u16; 2]; CODES]>,
    list: Vec<Pattern>,
    /// Of each pattern, what its gain and its loss are worth together, and the fours that it gains.
    hints: Vec<Tally>,
    /// What each pattern adds to the sums of the network's units.
    rows: Vec<[i16; UNITS]>,
}

impl Patterns {
    pub(crate) fn get() -> &'static Patterns {
        static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);
        &PATTERNS
    }

    fn new() -> Patterns {
        let seen: Vec<_> = (0..CODES)
            .filter_map(|code| Some((code, Side::BOTH.map(strips(code)?))))
            .map(|(code, strips)| {
                (code, strips.map(|[own, opponents, off]| Pattern::new(own, opponents, off)))
            })
            .collect();
        let mut list: Vec<Pattern> = seen.iter().flat_map(|(_, patterns)| *patterns).collect();
        list.sort_unstable();
        list.dedup();
        let mut numbers: Box<[_; CODES]> = vec![[0; 2]; CODES].try_into().expect("as many");
        for (code, seen) in seen {
            let place = |pattern| list.binary_search(&pattern).expect("one of those that are seen");
            numbers[code] = seen.map(|pattern| place(pattern) as u16);
        }
        let hints = list.iter().map(Pattern::hint).collect();
        let rows = list.iter().map(|pattern| net::row(pattern.views)).collect();
        Patterns { numbers, list, hints, rows }
    }

    /// The number of the pattern that `side` sees.
    #[inline]
    pub(crate) fn number(&self, code: usize, side: Side) -> usize {
        self.numbers[code][side.index()].into()
    }

    #[inline]
    pub(crate) fn pattern(&self, number: usize) -> &Pattern {
        &self.list[number]
    }

    #[inline]
    pub(crate) fn hint(&self, number: usize) -> Tally {
        self.hints[number]
    }

    #[inline]
    pub(crate) fn row(&self, number: usize) -> &[i16; UNITS] {
        &self.rows[number]
    }
}

impl Pattern {
    /// From the stones of the side and of its opponent, and the cells that do not exist, in the nine bits around the cell.
    fn new(own: u32, opponents: u32, off: u32) -> Pattern {
        let seen = [view(own, opponents | off), view(opponents, own | off)];
        let views = seen.min(seen.map(reversed)).map(|view| view as u16);
        let (gain, _) = changes(own, opponents | off);
        let (_, loss) = changes(opponents, own | off);
        Pattern { gain, loss, views }
    }

    fn hint(&self) -> Tally {
        let mut hint = self.gain;
        hint.0 += self.loss.worth();
        hint
    }
}

/// For either side, its stones, those of the opponent and the cells that do not exist, in the nine bits around an empty cell
/// with this code; `None` if the cell is not empty, or one that does not exist lies between others.
fn strips(code: usize) -> Option<impl Fn(Side) -> [u32; 3]> {
    let holding = |what: usize| {
        let cells = (0..9).filter(|i| code >> (2 * i) & 3 == what);
        cells.fold(0, |strip, i| strip | 1 << i)
    };
    let [off, first, second, empty] = [0, 1, 2, 3].map(holding);
    // With what lies beyond the strip, the cells that exist are one run around the middle.
    let on = STRIP & !off;
    let lowest = on & on.wrapping_neg();
    (empty >> 4 & 1 != 0 && (on + lowest) & on == 0).then_some(move |side| match side {
        Side::First => [first, second, off],
        Side::Second => [second, first, off],
    })
}

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

    /// However many windows it improves along all three axes.
    #[test]
    fn no_other_gain_is_that_of_a_five() {
        for own in (0..=STRIP).filter(|own| own & 0b0_0001_0000 == 0) {
            let gain = changes(own, 0).0;
            let run = own | 0b0_0001_0000;
            let five = (0..5).any(|shift| run >> shift & 0b1_1111 == 0b1_1111);
            assert_eq!(gain.completes_five(), five, "{own:09b}");
            assert!(five || 3 * gain.worth() < (WORTH[5] - WORTH[4]).into(), "{own:09b}");
        }
    }

    #[test]
    fn changes_of_worked_strips() {
        // Three stones on one side of the middle: windows with 3, 3, 2, 1 and 0 of them, two of which become fours.
        let three = 0b0_0000_1110;
        let none = Pattern::new(three, 0, 0);
        assert_eq!(none.gain, Tally::new(40 + 40 + 15 + 4 + 1, 2));
        assert_eq!(Pattern::new(0, three, 0).loss, Tally::new(20 + 20 + 5 + 1, 0));
        // The same with the edge or a stone on the other side: only the window that ends in the middle is left.
        let bar = 0b0_0010_0000;
        assert_eq!(Pattern::new(three, bar, 0).gain, Tally::new(40, 1));
        assert_eq!(Pattern::new(three, 0, bar).gain, Tally::new(40, 1));
        assert_eq!(Pattern::new(bar, three, 0).loss, Tally::new(20, 0));
        assert_eq!(Pattern::new(0, three, bar).loss, Tally::new(20, 0));
        // A fifth stone, and a stone that blocks it.
        assert_eq!(Pattern::new(0b0_0000_1111, bar, 0).gain, Tally::new(940, -1));
        assert_eq!(Pattern::new(bar, 0b0_0000_1111, 0).loss, Tally::new(60, 1));
        // No room for five.
        let narrow = Pattern::new(0b1_0000_0001, 0, 0b0_0010_1000);
        assert_eq!((narrow.gain, narrow.loss), Default::default());
    }

    #[test]
    fn codes_are_read_as_lines_write_them() {
        // An empty cell and a stone of either side on one hand, the edge after two cells on the other.
        let code = 0b00_00_11_10_11_01_11_11_11;
        let strips = strips(code).expect("a line");
        assert_eq!(strips(Side::First), [0b0_0000_1000, 0b0_0010_0000, 0b1_1000_0000]);
        assert_eq!(strips(Side::Second), [0b0_0010_0000, 0b0_0000_1000, 0b1_1000_0000]);
        assert!(super::strips(0b11_00_11_11_11_11_11_11_11).is_none());
        assert!(super::strips(0b11_11_11_11_10_11_11_11_11).is_none());
        let patterns = Patterns::get();
        let seen = patterns.pattern(patterns.number(code, Side::Second));
        assert_eq!(*seen, Pattern::new(0b0_0010_0000, 0b0_0000_1000, 0b1_1000_0000));
    }
}
