//! How often a move has refuted the position before it, by side and kind of move, and which one the move before it.

use game::{Evaluate, Side};

/// Bound of a history value.
const MAX: i32 = 16_384;

/// The kind of a move, with the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind(usize);

impl Kind {
    /// The kind of a legal move of a position.
    #[inline]
    pub(crate) fn of<G: Evaluate>(position: &G, m: G::Move) -> Kind {
        Kind::new(position.history_size(), position.side_to_move(), position.history_index(m))
    }

    fn new(kinds: usize, side: Side, index: usize) -> Kind {
        Kind(side.index() * kinds + index)
    }
}

/// The history tables of one search.
pub(crate) struct History<M> {
    values: Vec<i16>,
    /// For each kind of move, the one that last refuted it.
    answers: Vec<Option<M>>,
}

impl<M: Copy> History<M> {
    /// Empty tables for so many kinds of moves of each side.
    pub(crate) fn new(kinds: usize) -> History<M> {
        History { values: vec![0; 2 * kinds], answers: vec![None; 2 * kinds] }
    }

    /// The value of a kind of move, within ±16,384.
    #[inline]
    pub(crate) fn get(&self, kind: Kind) -> i32 {
        i32::from(self.values[kind.0])
    }

    /// The move that last refuted one of that kind, wherever that was.
    #[inline]
    pub(crate) fn answer(&self, kind: Kind) -> Option<M> {
        self.answers[kind.0]
    }

    /// Remembers what refuted a move of that kind.
    pub(crate) fn set_answer(&mut self, kind: Kind, m: M) {
        self.answers[kind.0] = Some(m);
    }

    /// Rewards (or with a negative `bonus` punishes) a kind of move. The nearer a value is to its bound, the less it
    /// moves towards it and the more away from it, so that recent results count most.
    pub(crate) fn update(&mut self, kind: Kind, bonus: i32) {
        let value = &mut self.values[kind.0];
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
        let mut history = History::<u8>::new(3);
        let [often, never] = [Kind::new(3, Side::First, 2), Kind::new(3, Side::Second, 0)];
        for _ in 0..1_000 {
            history.update(often, 900);
        }
        let high = history.get(often);
        assert!((MAX - 1_000..=MAX).contains(&high));
        history.update(often, -900);
        assert!(high - history.get(often) > 1_700);
        history.update(never, -1_000_000);
        assert_eq!(history.get(never), -MAX);
        assert_eq!(history.get(Kind::new(3, Side::Second, 2)), 0);
    }

    #[test]
    fn the_last_answer_counts() {
        let mut history = History::new(3);
        let [first, second] = Side::BOTH.map(|side| Kind::new(3, side, 1));
        assert_eq!(history.answer(first), None);
        history.set_answer(first, 'a');
        history.set_answer(first, 'b');
        assert_eq!([history.answer(first), history.answer(second)], [Some('b'), None]);
    }
}
