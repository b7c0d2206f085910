//! How often a move has refuted the position before it, by side and kind of move.

use game::{Evaluate, Side};

/// Bound of a history value.
const MAX: i32 = 16_384;

/// The history table of one search.
pub(crate) struct History {
    values: Vec<i16>,
    kinds: usize,
}

impl History {
    /// An empty table for the moves of the game of `position`.
    pub(crate) fn new<G: Evaluate>(position: &G) -> History {
        let kinds = position.history_size();
        History { values: vec![0; 2 * kinds], kinds }
    }

    /// The value of a kind of move for a side, within ±16,384.
    pub(crate) fn get(&self, side: Side, kind: usize) -> i32 {
        i32::from(self.values[side.index() * self.kinds + kind])
    }

    /// Rewards (or with a negative `bonus` punishes) a kind of move. The nearer a value is to its bound, the less it
    /// moves towards it and the more away from it, so that recent results count most.
    pub(crate) fn update(&mut self, side: Side, kind: usize, bonus: i32) {
        let value = &mut self.values[side.index() * self.kinds + kind];
        let old = i32::from(*value);
        let bonus = bonus.clamp(-MAX, MAX);
        *value = (old + bonus - old * bonus.abs() / MAX) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_bounded_and_turn_quickly() {
        let mut history = History { values: vec![0; 6], kinds: 3 };
        for _ in 0..1_000 {
            history.update(Side::First, 2, 900);
        }
        let high = history.get(Side::First, 2);
        assert!((MAX - 1_000..=MAX).contains(&high));
        history.update(Side::First, 2, -900);
        assert!(high - history.get(Side::First, 2) > 1_700);
        history.update(Side::Second, 0, -1_000_000);
        assert_eq!(history.get(Side::Second, 0), -MAX);
        assert_eq!(history.get(Side::Second, 2), 0);
    }
}
