use std::array;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::Bits;

/// A set of indices below `64 * W`, lowest word first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide<const W: usize>([u64; W]);

impl<const W: usize> Wide<W> {
    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Wide(array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline]
    fn word(&self, index: usize) -> u64 {
        self.0.get(index).copied().unwrap_or(0)
    }

    /// How many members come after `index` one by one, and the first index there that is none; after `most` members
    /// it looks no further.
    #[inline]
    fn run(self, index: u32, most: u32, next: impl Fn(u32) -> Option<u32>) -> (u32, Option<u32>) {
        let (mut length, mut at) = (0, index);
        while length < most {
            match next(at) {
                Some(i) if self.test(i) => (length, at) = (length + 1, i),
                gap => return (length, gap),
            }
        }
        (length, None)
    }
}

impl<const W: usize> BitAnd for Wide<W> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for Wide<W> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const W: usize> BitXor for Wide<W> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const W: usize> Not for Wide<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Wide(array::from_fn(|i| !self.0[i]))
    }
}

impl<const W: usize> Bits for Wide<W> {
    const WIDTH: u32 = 64 * W as u32;
    const EMPTY: Self = Wide([0; W]);

    #[inline]
    fn test(self, index: u32) -> bool {
        self.0[index as usize / 64] >> (index % 64) & 1 != 0
    }

    #[inline]
    fn extract(self, offset: u32) -> u64 {
        let (word, bit) = (offset as usize / 64, offset % 64);
        // Shifting in two steps keeps the distance below 64 when `bit` is 0.
        self.0[word] >> bit | self.word(word + 1) << 1 << (63 - bit)
    }

    #[inline]
    fn insert(mut self, offset: u32, bits: u64) -> Self {
        let (word, bit) = (offset as usize / 64, offset % 64);
        self.0[word] |= bits << bit;
        if let Some(next) = self.0.get_mut(word + 1) {
            *next |= bits >> 1 >> (63 - bit);
        }
        self
    }

    #[inline]
    fn lower(self, distance: u32) -> Self {
        // Two passes over slices, which the compiler turns into vector instructions.
        let (words, bit) = (distance as usize / 64, distance % 64);
        let (mut lowered, kept) = ([0; W], &self.0[words..]);
        lowered.iter_mut().zip(kept).for_each(|(to, word)| *to = word >> bit);
        lowered.iter_mut().zip(&kept[1..]).for_each(|(to, word)| *to |= word << 1 << (63 - bit));
        Wide(lowered)
    }

    #[inline]
    fn raise(self, distance: u32) -> Self {
        let (words, bit) = (distance as usize / 64, distance % 64);
        let mut raised = [0; W];
        raised[words..].iter_mut().zip(&self.0).for_each(|(to, word)| *to = word << bit);
        raised[words + 1..].iter_mut().zip(&self.0).for_each(|(to, word)| *to |= word >> 1 >> (63 - bit));
        Wide(raised)
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Walks from the member both ways, where only the first index that is none can complete a run.
    #[inline]
    fn completions_through(self, through: u32, length: u32, step: u32) -> Self {
        let up = |i: u32| i.checked_add(step).filter(|&i| i < Self::WIDTH);
        let down = |i: u32| i.checked_sub(step);
        let (above, first_above) = self.run(through, length, up);
        let (below, first_below) = self.run(through, length, down);
        let joined = above + below + 2;
        let above = first_above.filter(|&gap| joined + self.run(gap, length, up).0 >= length);
        let below = first_below.filter(|&gap| joined + self.run(gap, length, down).0 >= length);
        [above, below].into_iter().flatten().fold(Self::EMPTY, |found, gap| found.insert(gap, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some members that fall on and around word borders.
    const MEMBERS: [u32; 9] = [0, 1, 62, 63, 64, 65, 127, 128, 191];

    fn set<B: Bits>(members: &[u32]) -> B {
        members.iter().fold(B::EMPTY, |set, &i| set.insert(i, 1))
    }

    fn members<B: Bits>(set: B) -> Vec<u32> {
        (0..B::WIDTH).filter(|&i| set.test(i)).collect()
    }

    #[test]
    fn members_survive_the_trip() {
        let wide: Wide<3> = set(&MEMBERS);
        assert_eq!(members(wide), MEMBERS);
        assert_eq!(wide.members().collect::<Vec<_>>(), MEMBERS);
        let double: u128 = set(&MEMBERS[..7]);
        assert_eq!(double.members().collect::<Vec<_>>(), MEMBERS[..7]);
        assert_eq!(u64::EMPTY.members().next(), None);
        assert_eq!(wide.count(), 9);
        assert_eq!((!wide).count(), 192 - 9);
        assert_eq!(wide ^ wide, Wide::EMPTY);
        assert_eq!(wide & !wide | wide, wide);
    }

    #[test]
    fn shifts_cross_words() {
        let wide: Wide<3> = set(&MEMBERS);
        for distance in 0..192 {
            let lowered: Vec<u32> =
                MEMBERS.iter().filter(|&&i| i >= distance).map(|i| i - distance).collect();
            assert_eq!(members(wide.lower(distance)), lowered, "lower {distance}");
            let raised: Vec<u32> = MEMBERS.iter().map(|i| i + distance).filter(|&i| i < 192).collect();
            assert_eq!(members(wide.raise(distance)), raised, "raise {distance}");
            let extracted: Vec<u32> = lowered.iter().copied().filter(|&i| i < 64).collect();
            assert_eq!(members(wide.extract(distance)), extracted, "extract {distance}");
            let inserted: Vec<u32> = [0, 5, 63].iter().map(|i| i + distance).filter(|&i| i < 192).collect();
            assert_eq!(
                members(Wide::<3>::EMPTY.insert(distance, 1 << 63 | 1 << 5 | 1)),
                inserted,
                "insert {distance}"
            );
        }
    }

    #[test]
    fn completions_are_those_of_the_definition() {
        for (length, step) in [(1, 1), (2, 3), (3, 5), (4, 1), (4, 7), (5, 6), (7, 4), (11, 5)] {
            for seed in 0..200_u64 {
                let member = |index: u32| {
                    // Dense enough for runs: three of four.
                    (u64::from(index) + 61 * seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 != 0
                };
                let members: Vec<u32> = (0..60).filter(|&index| member(index)).collect();
                let completes = |&cell: &u32| {
                    let run = |start: u32| (0..length).map(move |i| start + i * step);
                    !member(cell)
                        && (0..=cell).any(|start| {
                            run(start).any(|c| c == cell)
                                && run(start).all(|c| c == cell || c < 60 && member(c))
                        })
                };
                let expected: Vec<u32> = (0..60).filter(completes).collect();
                let within =
                    |cells: Vec<u32>| cells.into_iter().filter(|&cell| cell < 60).collect::<Vec<_>>();
                let found = set::<u64>(&members).completions(length, step);
                assert_eq!(within(super::tests::members(found)), expected, "{length} {step} {members:?}");
                let whole = set::<Wide<2>>(&members);
                let found = whole.completions(length, step);
                assert_eq!(within(super::tests::members(found)), expected, "{length} {step} {members:?}");
                // What was complete without a member, and what is by it, is all.
                let through = members[seed as usize % members.len()];
                let less = whole & !Wide::EMPTY.insert(through, 1);
                let found = less.completions(length, step) & !whole
                    | whole.completions_through(through, length, step);
                assert_eq!(within(super::tests::members(found)), expected, "{length} {step} {members:?}");
            }
        }
    }

    #[test]
    fn runs_have_the_asked_length() {
        for (length, step) in [(1, 1), (2, 7), (3, 8), (4, 6), (5, 7), (7, 5), (9, 3)] {
            for start in [0, 3, 60 - (length - 1) * step] {
                let line: Vec<u32> = (0..length).map(|i| start + i * step).collect();
                assert_eq!(members(set::<u64>(&line).runs(length, step)), [start]);
                assert_eq!(members(set::<Wide<3>>(&line).runs(length, step)), [start]);
                assert_eq!(members(set::<u64>(&[start]).along(length, step)), line);
                assert_eq!(members(set::<Wide<3>>(&[start]).along(length, step)), line);
            }
        }
    }
}
