//! Engines that don't play their best: few nodes for a move, a judgement that errs, and positions that are not looked into.
//!
//! Whatever the level, a win at once that a position sees is taken, and a threat is answered in the positions that are looked
//! into ([`Evaluate::tactics`]), so that weak levels lose by seeing less far, by misjudging and by overlooking, as people do,
//! not by moves drawn by lot. How much of each a level does is the game's to say ([`Evaluate::LEVELS`]).

use std::ops::ControlFlow;

use game::{Evaluate, Level, zobrist};

use crate::value::{MAX_ESTIMATE, estimate};

/// The level without any restraint.
pub(crate) const FULL: usize = Level::USUAL.len() + 1;

/// The most nodes that a level of a game allows for a move.
pub(crate) fn nodes<G: Evaluate>(level: usize) -> Option<u64> {
    G::LEVELS.get(level - 1).map(|level| level.nodes)
}

/// Errors of judgement: the same position is always judged alike.
#[derive(Clone, Copy)]
pub(crate) struct Errors {
    seed: u64,
    /// Bound of the error.
    most: i32,
    /// How many of a thousand positions are misjudged altogether.
    overlooked: u64,
    /// How many of a hundred thousand positions are not looked into.
    missed: u64,
}

impl Errors {
    /// The errors of a level at a root, if it makes any.
    pub(crate) fn new<G: Evaluate>(
        level: usize,
        seed: u64,
        root: &G,
        weights: &G::Weights,
    ) -> Option<Errors> {
        let &Level { error, overlooked, missed, .. } = G::LEVELS.get(level - 1)?;
        Some(Errors { seed, most: (error * spread(root, weights) / 100).max(1), overlooked, missed })
    }

    /// Whether nothing is seen in the position of a key: neither threats nor where it leads.
    pub(crate) fn misses(self, key: u64) -> bool {
        ((zobrist::number(self.seed, key) >> 48) * 100_000) >> 16 < self.missed
    }

    /// A value with its error: small errors are more frequent than large ones, and what is overlooked altogether makes
    /// less difference than an error.
    pub(crate) fn apply(self, value: i32, key: u64) -> i32 {
        let draw = zobrist::number(self.seed, key);
        let sum = (draw & 0xFFFF) as i64 + (draw >> 16 & 0xFFFF) as i64 - 0xFFFF;
        let error = (sum * i64::from(self.most) / 0xFFFF) as i32;
        let overlooks = ((draw >> 32 & 0xFFFF) * 1000) >> 16 < self.overlooked;
        let seen = if overlooks || self.misses(key) { value.clamp(-self.most, self.most) } else { value };
        (seen + error).clamp(-MAX_ESTIMATE, MAX_ESTIMATE)
    }
}

/// By how much the positions after the moves of an unfinished one differ at first sight: the distance between the
/// quarter points of their values, at least 1.
fn spread<G: Evaluate>(root: &G, weights: &G::Weights) -> i32 {
    let mut values = Vec::new();
    let _ = root.moves(|m| {
        let child = root.play(m);
        if child.outcome().is_none() {
            values.push(estimate(&child, &child.memo(), weights));
        }
        ControlFlow::Continue(())
    });
    values.sort_unstable();
    let at = |quarter: usize| values.get(values.len() * quarter / 4).map_or(0, |&value| value);
    (at(3) - at(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_bounded_centred_and_repeatable() {
        let errors = Errors { seed: 7, most: 100, overlooked: 0, missed: 0 };
        let values: Vec<i32> = (0..10_000).map(|key| errors.apply(0, key)).collect();
        assert!(values.iter().all(|value| value.abs() <= 100));
        assert!(values.iter().any(|&value| value > 80) && values.iter().any(|&value| value < -80));
        assert!(values.iter().sum::<i32>().abs() < 10_000 * 2);
        assert_eq!(values, (0..10_000).map(|key| errors.apply(0, key)).collect::<Vec<_>>());
        assert_ne!(errors.apply(0, 1), Errors { seed: 8, ..errors }.apply(0, 1));
        let most = (0..10_000).map(|key| errors.apply(MAX_ESTIMATE, key)).max();
        assert_eq!(most, Some(MAX_ESTIMATE), "no estimate becomes a win");
    }

    #[test]
    fn what_is_overlooked_looks_like_any_other_position() {
        let errors = Errors { seed: 7, most: 100, overlooked: 250, missed: 0 };
        let overlooked = (0..10_000).filter(|&key| errors.apply(18_000, key) <= 200).count();
        assert!((2_300..2_700).contains(&overlooked), "{overlooked}");
        assert!((0..10_000).all(|key| errors.apply(-18_000, key).abs() <= 18_100));
    }

    #[test]
    fn what_is_missed_is_misjudged() {
        let errors = Errors { seed: 7, most: 100, overlooked: 0, missed: 5_000 };
        let missed = (0..10_000).filter(|&key| errors.misses(key)).count();
        assert!((400..600).contains(&missed), "{missed}");
        assert!((0..10_000).all(|key| errors.misses(key) == (errors.apply(18_000, key) <= 200)));
    }
}
