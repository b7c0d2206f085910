//! Fixed-width bit sets for boards.
//!
//! A board lays its cells out along one axis of bits, so that a step in any direction is a fixed distance between
//! indices; cells that do not exist (the margin above each column) stay zero and end every run.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not};

mod wide;

pub use wide::Wide;

/// A set of bit indices below [`Bits::WIDTH`].
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Number of indices.
    const WIDTH: u32;
    /// The set without a member.
    const EMPTY: Self;

    /// Whether `index` is a member. `index` is below [`Bits::WIDTH`].
    fn test(self, index: u32) -> bool;

    /// The 64 bits from `offset` (below [`Bits::WIDTH`]) on, lowest first; zeros beyond the width.
    fn extract(self, offset: u32) -> u64;

    /// With the members of `bits`, moved up by `offset` (below [`Bits::WIDTH`]), added. What passes the width is lost.
    #[must_use]
    fn insert(self, offset: u32, bits: u64) -> Self;

    /// Every index lowered by `distance` (below [`Bits::WIDTH`]); what falls below 0 is lost.
    #[must_use]
    fn lower(self, distance: u32) -> Self;

    /// Every index raised by `distance` (below [`Bits::WIDTH`]); what passes the width is lost.
    #[must_use]
    fn raise(self, distance: u32) -> Self;

    /// Number of members.
    fn count(self) -> u32;

    /// The members, lowest first.
    #[inline]
    fn members(self) -> Members<Self> {
        Members { set: self, word: self.extract(0), offset: 0 }
    }

    /// Indices from which `length` (at least 1) members follow, `step` apart. The whole run must fit the width:
    /// `(length - 1) * step < WIDTH`.
    #[must_use]
    #[expect(clippy::inline_always, reason = "lengths and steps that the caller knows become constants")]
    #[inline(always)]
    fn runs(self, length: u32, step: u32) -> Self {
        let (mut starts, mut done) = (self, 1);
        while 2 * done <= length {
            starts = starts & starts.lower(done * step);
            done *= 2;
        }
        if done < length {
            starts = starts & starts.lower((length - done) * step);
        }
        starts
    }

    /// The indices on the runs of `length` (at least 1), `step` apart, that start at the members. Each run must fit the
    /// width, as in [`Bits::runs`].
    #[must_use]
    #[expect(clippy::inline_always, reason = "lengths and steps that the caller knows become constants")]
    #[inline(always)]
    fn along(self, length: u32, step: u32) -> Self {
        let (mut cells, mut done) = (self, 1);
        while done < length {
            let more = done.min(length - done);
            cells = cells | cells.raise(more * step);
            done += more;
        }
        cells
    }

    /// The indices that are no members, but would complete a run of `length` (at least 1), `step` apart, if they were.
    /// Each run must fit the width, as in [`Bits::runs`].
    #[must_use]
    #[expect(clippy::inline_always, reason = "lengths and steps that the caller knows become constants")]
    #[inline(always)]
    fn completions(self, length: u32, step: u32) -> Self {
        // Where runs of some length start: whole ones, and those that lack one member at most.
        let join = |(whole, near): (Self, Self), distance: u32, next: (Self, Self)| {
            let (next_whole, next_near) = (next.0.lower(distance), next.1.lower(distance));
            (whole & next_whole, whole & next_near | near & next_whole)
        };
        let (mut sum, mut done) = ((!Self::EMPTY, !Self::EMPTY), 0);
        let (mut power, mut size) = ((self, !Self::EMPTY), 1);
        loop {
            if length & size != 0 {
                sum = if done == 0 { power } else { join(sum, done * step, power) };
                done += size;
            }
            if 2 * size > length {
                return sum.1.along(length, step) & !self;
            }
            power = join(power, size * step, power);
            size *= 2;
        }
    }

    /// What completes a run as in [`Bits::completions`]; at least that of all runs which contain the member `through`.
    #[must_use]
    #[expect(clippy::inline_always, reason = "lengths and steps that the caller knows become constants")]
    #[inline(always)]
    fn completions_through(self, _through: u32, length: u32, step: u32) -> Self {
        self.completions(length, step)
    }
}

/// The iterator of [`Bits::members`].
#[derive(Clone, Debug)]
pub struct Members<B> {
    set: B,
    /// What is left of the 64 bits from `offset` on.
    word: u64,
    offset: u32,
}

impl<B: Bits> Iterator for Members<B> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            self.offset += 64;
            if self.offset >= B::WIDTH {
                self.offset -= 64;
                return None;
            }
            self.word = self.set.extract(self.offset);
        }
        let index = self.offset + self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(index)
    }
}

impl Bits for u64 {
    const WIDTH: u32 = 64;
    const EMPTY: u64 = 0;

    #[inline]
    fn test(self, index: u32) -> bool {
        self >> index & 1 != 0
    }

    #[inline]
    fn extract(self, offset: u32) -> u64 {
        self >> offset
    }

    #[inline]
    fn insert(self, offset: u32, bits: u64) -> u64 {
        self | bits << offset
    }

    #[inline]
    fn lower(self, distance: u32) -> u64 {
        self >> distance
    }

    #[inline]
    fn raise(self, distance: u32) -> u64 {
        self << distance
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
}

impl Bits for u128 {
    const WIDTH: u32 = 128;
    const EMPTY: u128 = 0;

    #[inline]
    fn test(self, index: u32) -> bool {
        self >> index & 1 != 0
    }

    #[inline]
    fn extract(self, offset: u32) -> u64 {
        (self >> offset) as u64
    }

    #[inline]
    fn insert(self, offset: u32, bits: u64) -> u128 {
        self | u128::from(bits) << offset
    }

    #[inline]
    fn lower(self, distance: u32) -> u128 {
        self >> distance
    }

    #[inline]
    fn raise(self, distance: u32) -> u128 {
        self << distance
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
}
