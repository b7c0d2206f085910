use std::ops::AddAssign;
use std::sync::LazyLock;

use game::Side;

use crate::line::{ARM_CODES, Arms};
use crate::net::{self, UNITS, reversed, view};

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
struct Pattern {
    /// What the side's own stone in the middle does.
    effect: Effect,
    /// How the side and its opponent see the line, from the end that gives the lesser numbers.
    views: [u16; 2],
}

/// Room for all that an arm can mean to a side, a power of two.
const ARMS: usize = 64;

/// Room for all patterns, one of two arms each, a power of two, so that no number need be checked.
const SIZE: usize = ARMS * ARMS;

/// What a pattern adds to the sums of the network's units, so aligned that it lies in one cache line and is added as it is.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Row([i16; UNITS]);

/// All that can lie around a cell, and what it means.
#[derive(Debug)]
pub(crate) struct Patterns {
    /// For either side and either arm of a cell, by what lies on the arm: what that means. The two together are the number
    /// of the pattern.
    arms: [[[u16; ARM_CODES]; 2]; 2],
    /// What each pattern does, and how it is seen. Apart from one another, as the search asks for the first all the time.
    effects: Box<[Effect; SIZE]>,
    views: Box<[[u16; 2]; SIZE]>,
    /// What each pattern adds to the network's sums: kept by a reference, as that tells the compiler how it is aligned.
    rows: &'static [Row; SIZE],
}

impl Patterns {
    pub(crate) fn get() -> &'static Patterns {
        static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);
        &PATTERNS
    }

    fn new() -> Patterns {
        let pattern = |side, arms| {
            let [own, opponents, off] = strips(side, arms);
            Pattern::new(own, opponents, off)
        };
        // What an arm means shows beside one without stones; what lies the other way round means the same.
        let meaning = |side, code| pattern(side, [code, OPEN]);
        let mut meanings: Vec<(Pattern, usize)> =
            (0..ARM_CODES).map(|code| (meaning(Side::First, code), code)).collect();
        meanings.sort_unstable();
        meanings.dedup_by_key(|(pattern, _)| *pattern);
        assert!(meanings.len() <= ARMS, "{} arms", meanings.len());
        let number = |side, code| {
            let pattern = meaning(side, code);
            meanings
                .binary_search_by_key(&pattern, |(pattern, _)| *pattern)
                .expect("one of those that are seen")
        };
        let arms = Side::BOTH.map(|side| {
            [
                std::array::from_fn(|code| (ARMS * number(side, code)) as u16),
                std::array::from_fn(|code| number(side, turned(code)) as u16),
            ]
        });
        let code = |number: usize| meanings.get(number).map_or(OPEN, |(_, code)| *code);
        let list: Vec<_> = (0..SIZE)
            .map(|number| pattern(Side::First, [code(number / ARMS), turned(code(number % ARMS))]))
            .collect();
        let effects: Vec<_> = list.iter().map(|pattern| pattern.effect).collect();
        let views: Vec<_> = list.iter().map(|pattern| pattern.views).collect();
        let rows: Vec<_> = list.iter().map(|pattern| Row(net::row(pattern.views))).collect();
        let all = "SIZE of them";
        Patterns {
            arms,
            effects: effects.try_into().expect(all),
            views: views.try_into().expect(all),
            rows: Box::leak(rows.try_into().expect(all)),
        }
    }

    /// What `side` makes of all that.
    #[inline]
    pub(crate) fn seen_by(&self, side: Side) -> Seen<'_> {
        let [lefts, rights] = &self.arms[side.index()];
        Seen { lefts, rights, effects: &self.effects, views: &self.views, rows: self.rows }
    }
}

/// The patterns as one side sees them.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    lefts: &'a [u16; ARM_CODES],
    rights: &'a [u16; ARM_CODES],
    effects: &'a [Effect; SIZE],
    views: &'a [[u16; 2]; SIZE],
    rows: &'a [Row; SIZE],
}

impl<'a> Seen<'a> {
    #[inline]
    fn number(self, [left, right]: Arms) -> usize {
        usize::from(self.lefts[left % ARM_CODES] | self.rights[right % ARM_CODES]) % SIZE
    }

    /// What the side's stone does to the windows of five between a cell's arms.
    #[inline]
    pub(crate) fn effect(self, arms: Arms) -> Effect {
        self.effects[self.number(arms)]
    }

    /// How the side and its opponent see a line with a cell's arms, from the end that gives the lesser numbers.
    pub(crate) fn views(self, arms: Arms) -> [u16; 2] {
        self.views[self.number(arms)]
    }

    /// What it adds to the sums of the network's units.
    #[inline]
    pub(crate) fn row(self, arms: Arms) -> &'a [i16; UNITS] {
        &self.rows[self.number(arms)].0
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

/// An arm of four empty cells.
const OPEN: usize = ARM_CODES - 1;

/// The stones of a side, those of its opponent and the cells that do not exist, in the nine bits around a cell with these
/// arms.
fn strips(side: Side, [left, right]: Arms) -> [u32; 3] {
    let holding = |what: usize| {
        let bits = |code: usize| (0..4).filter(move |i| code >> (2 * i) & 3 == what);
        bits(left).chain(bits(right).map(|i| i + 5)).fold(0, |strip, i| strip | 1 << i)
    };
    let [off, first, second] = [0, 1, 2].map(holding);
    match side {
        Side::First => [first, second, off],
        Side::Second => [second, first, off],
    }
}

/// The same arm as it is seen on the other side of a cell.
fn turned(code: usize) -> usize {
    (0..4).fold(0, |turned, i| turned << 2 | code >> (2 * i) & 3)
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
    fn arms_are_read_as_lines_write_them() {
        // An empty cell and a stone of either side on one hand, the edge after two cells on the other.
        let arms = [0b11_01_11_10, 0b00_00_11_10];
        assert_eq!(strips(Side::First, arms), [0b0_0000_0100, 0b0_0010_0001, 0b1_1000_0000]);
        assert_eq!(strips(Side::Second, arms), [0b0_0010_0001, 0b0_0000_0100, 0b1_1000_0000]);
        assert_eq!(arms.map(turned), [0b10_11_01_11, 0b10_11_00_00]);
    }

    #[test]
    fn numbers_stand_for_what_the_arms_mean() {
        let patterns = Patterns::get();
        for (left, right) in (0..ARM_CODES).flat_map(|left| (0..ARM_CODES).map(move |right| (left, right))) {
            for side in Side::BOTH {
                let [own, opponents, off] = strips(side, [left, right]);
                let seen = patterns.seen_by(side);
                let seen = Pattern { effect: seen.effect([left, right]), views: seen.views([left, right]) };
                assert_eq!(seen, Pattern::new(own, opponents, off), "{left:b} {right:b}");
            }
        }
    }
}
