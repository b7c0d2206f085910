use std::ops::AddAssign;
use std::sync::LazyLock;

use game::Side;

use crate::line::CODES;
use crate::net::{self, UNITS, reversed, view};

/// The nine cells of a line that decide what a stone in the middle of them does: it and four on either side.
const STRIP: u32 = 0b1_1111_1111;

/// Worth of five cells in a row that hold this many stones of one side and none of the other, in hundredths.
const WORTH: [i32; 6] = [0, 1, 5, 20, 60, 1_000];

/// What a stone does to the windows of five, the five cells in a row that have no stones of one of the sides: by how much
/// the worth of its own side's windows less that of the opponent's grows, in the low bits, and above it the number of
/// windows that get their fourth stone. One number, so that what it does along three axes is two additions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Effect(i32);

impl Effect {
    /// Enough for three axes.
    const WORTH_BITS: u32 = 16;

    fn new(worth: i32, fours: i32) -> Effect {
        Effect(worth + (fours << Effect::WORTH_BITS))
    }

    #[inline]
    pub(crate) fn worth(self) -> i32 {
        self.0 & ((1 << Effect::WORTH_BITS) - 1)
    }

    #[inline]
    pub(crate) fn fours(self) -> i32 {
        self.0 >> Effect::WORTH_BITS
    }
}

impl AddAssign for Effect {
    #[inline]
    fn add_assign(&mut self, other: Effect) {
        self.0 += other.0;
    }
}

/// What a line around a cell means to a side: to be told apart only where that differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Pattern {
    /// What the side's own stone in the middle does.
    pub(crate) effect: Effect,
    /// How the side and its opponent see the line, from the end that gives the lesser numbers.
    pub(crate) views: [u16; 2],
}

/// Room for all patterns, a power of two, so that no number need be checked.
const SIZE: usize = 2048;

/// All that can lie around a cell, and what it means.
#[derive(Debug)]
pub(crate) struct Patterns {
    /// Which pattern either side sees, by the [code](crate::line::Line::around) of the line.
    numbers: Box<[[u16; 2]; CODES]>,
    list: Box<[Pattern; SIZE]>,
    /// What each pattern adds to the sums of the network's units.
    rows: Box<[[i16; UNITS]; SIZE]>,
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
        assert!(list.len() <= SIZE, "{} patterns", list.len());
        list.resize(SIZE, list[0]);
        let rows: Vec<_> = list.iter().map(|pattern| net::row(pattern.views)).collect();
        let all = "SIZE of them";
        Patterns { numbers, list: list.try_into().expect(all), rows: rows.try_into().expect(all) }
    }

    /// The number of the pattern that `side` sees.
    #[inline]
    pub(crate) fn number(&self, code: usize, side: Side) -> usize {
        self.numbers[code][side.index()].into()
    }

    #[inline]
    pub(crate) fn pattern(&self, number: usize) -> &Pattern {
        &self.list[number % SIZE]
    }

    #[inline]
    pub(crate) fn row(&self, number: usize) -> &[i16; UNITS] {
        &self.rows[number % SIZE]
    }
}

impl Pattern {
    /// From the stones of the side and of its opponent, and the cells that do not exist, in the nine bits around the cell.
    fn new(own: u32, opponents: u32, off: u32) -> Pattern {
        let seen = [view(own, opponents | off), view(opponents, own | off)];
        let views = seen.min(seen.map(reversed)).map(|view| view as u16);
        let (gained, lost) = (held(own, opponents | off), held(opponents, own | off));
        let worth = gained.clone().map(|n| WORTH[n + 1] - WORTH[n]).chain(lost.map(|n| WORTH[n]));
        let effect = Effect::new(worth.sum(), gained.filter(|&n| n == 3).count() as i32);
        Pattern { effect, views }
    }
}

/// For either side, its stones, those of the opponent and the cells that do not exist, in the nine bits around an empty cell
/// with this code; `None` if the cell is not empty, or one that does not exist lies between others.
fn strips(code: usize) -> Option<impl Fn(Side) -> [u32; 3]> {
    let holding = |what: usize| {
        let cells = (0..9).filter(|i| code >> (2 * i) & 3 == what);
        cells.fold(0, |strip, i| strip | 1 << i)
    };
    if code >> 8 & 3 != 3 {
        return None;
    }
    let [off, first, second] = [0, 1, 2].map(holding);
    // With what lies beyond the strip, the cells that exist are one run around the middle.
    let on = STRIP & !off;
    let lowest = on & on.wrapping_neg();
    ((on + lowest) & on == 0).then_some(move |side| match side {
        Side::First => [first, second, off],
        Side::Second => [second, first, off],
    })
}

/// How many `stones` the windows through the middle hold that have none of the `barred` cells.
fn held(stones: u32, barred: u32) -> impl Iterator<Item = usize> + Clone {
    let windows = (0..5).map(|shift| 0b1_1111 << shift);
    windows
        .filter(move |window| window & barred == 0)
        .map(move |window| (window & stones).count_ones() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_on_worked_strips() {
        let effect = |own, opponents, off| Pattern::new(own, opponents, off).effect;
        // Three stones on one side of the middle: windows with 3, 3, 2, 1 and 0 of them, two of which become fours.
        let three = 0b0_0000_1110;
        assert_eq!(effect(three, 0, 0), Effect::new(40 + 40 + 15 + 4 + 1, 2));
        // If they are the opponent's, it is the windows with them that are lost, and the empty one that is gained.
        assert_eq!(effect(0, three, 0), Effect::new(20 + 20 + 5 + 1 + 1, 0));
        // The same with the edge or a stone on the other side: only the window that ends in the middle is left.
        let bar = 0b0_0010_0000;
        assert_eq!(effect(three, 0, bar), Effect::new(40, 1));
        assert_eq!(effect(three, bar, 0), Effect::new(40 + 1, 1));
        assert_eq!(effect(0, three, bar), Effect::new(20, 0));
        assert_eq!(effect(bar, three, 0), Effect::new(4 + 20, 0));
        // A fifth stone, and a stone that blocks it.
        assert_eq!(effect(0b0_0000_1111, 0, bar), Effect::new(940, 0));
        assert_eq!(effect(0, 0b0_0000_1111, bar), Effect::new(60, 0));
        // No room for five.
        assert_eq!(effect(0b1_0000_0001, 0, 0b0_0010_1000), Effect::default());
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
