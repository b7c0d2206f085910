//! How often a move has refuted the position before it, by side and kind of move, and which one the move before it.

use std::cmp::Reverse;

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
        Kind::new(position.side_to_move(), position.history_index(m))
    }

    fn new(side: Side, index: usize) -> Kind {
        Kind(2 * index + side.index())
    }
}

/// A move and what speaks for it.
#[derive(Clone, Copy)]
pub(crate) struct Ranked<M> {
    pub(crate) m: M,
    pub(crate) rank: i32,
}

impl<M> From<M> for Ranked<M> {
    /// A move of which nothing is known yet.
    fn from(m: M) -> Ranked<M> {
        Ranked { m, rank: 0 }
    }
}

/// The history tables of one search.
pub(crate) struct History<G: Evaluate> {
    values: Vec<i16>,
    /// Those of the game's own guess.
    weights: G::Weights,
    /// For each kind of move, the one that last refuted it.
    answers: Vec<Option<G::Move>>,
    /// For each side all its moves, the best first, where they are [steady](Evaluate::STEADY).
    sorted: [Vec<Ranked<G::Move>>; 2],
    /// For each kind of move, its place there; 0 as long as the list is empty.
    places: Vec<u16>,
}

impl<G: Evaluate> History<G> {
    /// Empty tables for so many kinds of moves of each side.
    pub(crate) fn new(kinds: usize, weights: G::Weights) -> History<G> {
        History {
            values: vec![0; 2 * kinds],
            weights,
            answers: vec![None; 2 * kinds],
            sorted: [const { Vec::new() }; 2],
            places: vec![0; 2 * kinds],
        }
    }

    /// The value of a kind of move, within ±16,384.
    #[inline]
    pub(crate) fn get(&self, kind: Kind) -> i32 {
        i32::from(self.values[kind.0])
    }

    /// The move that last refuted one of that kind, wherever that was.
    #[inline]
    pub(crate) fn answer(&self, kind: Kind) -> Option<G::Move> {
        self.answers[kind.0]
    }

    /// Remembers what refuted a move of that kind.
    pub(crate) fn set_answer(&mut self, kind: Kind, m: G::Move) {
        self.answers[kind.0] = Some(m);
    }

    /// What speaks for a move of a position: its history and the game's own guess.
    #[expect(clippy::inline_always, reason = "the loop over all moves is where much of the time goes")]
    #[inline(always)]
    pub(crate) fn rank(&self, position: &G, m: G::Move) -> i32 {
        self.get(Kind::of(position, m)) + position.order_hint(m, &self.weights)
    }

    /// All moves of the side to move, legal or not, the best first; only where they are [steady](Evaluate::STEADY).
    #[inline]
    pub(crate) fn sorted(&mut self, position: &G) -> &[Ranked<G::Move>] {
        let side = position.side_to_move().index();
        if self.sorted[side].is_empty() {
            let moves = (0..position.history_size()).filter_map(|bits| position.move_from_bits(bits as u16));
            self.sorted[side] = moves.map(|m| Ranked { m, rank: self.rank(position, m) }).collect();
            self.sorted[side].sort_by_key(|item| Reverse(item.rank));
            for (place, item) in (0..).zip(&self.sorted[side]) {
                self.places[Kind::of(position, item.m).0] = place;
            }
        }
        &self.sorted[side]
    }

    /// Rewards or punishes a move of a position, as [`History::update`] does its kind.
    #[inline]
    pub(crate) fn learn(&mut self, position: &G, m: G::Move, bonus: i32) {
        let kind = Kind::of(position, m);
        let change = self.update(kind, bonus);
        if G::STEADY {
            let list = &mut self.sorted[position.side_to_move().index()];
            let mut at = usize::from(self.places[kind.0]);
            let Some(&Ranked { rank, .. }) = list.get(at) else { return };
            let item = Ranked { m, rank: rank + change };
            let mut shift = |list: &mut [Ranked<G::Move>], from: usize, to: usize| {
                list[to] = list[from];
                self.places[Kind::of(position, list[to].m).0] = to as u16;
            };
            while at > 0 && list[at - 1].rank < item.rank {
                shift(list, at - 1, at);
                at -= 1;
            }
            while at + 1 < list.len() && list[at + 1].rank > item.rank {
                shift(list, at + 1, at);
                at += 1;
            }
            list[at] = item;
            self.places[kind.0] = at as u16;
        }
    }

    /// Rewards (or with a negative `bonus` punishes) a kind of move. The nearer a value is to its bound, the less it
    /// moves towards it and the more away from it, so that recent results count most. Gives the change.
    fn update(&mut self, kind: Kind, bonus: i32) -> i32 {
        let value = &mut self.values[kind.0];
        let old = i32::from(*value);
        let bonus = bonus.clamp(-MAX, MAX);
        let change = bonus - old * bonus.abs() / MAX;
        *value = (old + change) as i16;
        change
    }
}

#[cfg(test)]
mod tests {
    use game::{Game, Notation};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use simplexity::{Move, Position, Shape, Weights};

    use super::*;

    fn history(kinds: usize) -> History<Position<u64>> {
        History::new(kinds, Weights::default())
    }

    #[test]
    fn values_stay_bounded_and_turn_quickly() {
        let mut history = history(3);
        let [often, never] = [Kind::new(Side::First, 2), Kind::new(Side::Second, 0)];
        for _ in 0..1_000 {
            history.update(often, 900);
        }
        let high = history.get(often);
        assert!((MAX - 1_000..=MAX).contains(&high));
        history.update(often, -900);
        assert!(high - history.get(often) > 1_700);
        history.update(never, -1_000_000);
        assert_eq!(history.get(never), -MAX);
        assert_eq!(history.get(Kind::new(Side::Second, 2)), 0);
    }

    #[test]
    fn the_last_answer_counts() {
        let mut history = history(3);
        let [first, second] = Side::BOTH.map(|side| Kind::new(side, 1));
        assert_eq!(history.answer(first), None);
        let [a, b] = [0, 1].map(|column| Move { column, shape: Shape::Round });
        history.set_answer(first, a);
        history.set_answer(first, b);
        assert_eq!([history.answer(first), history.answer(second)], [Some(b), None]);
    }

    #[test]
    fn steady_moves_stay_sorted() {
        let mut rng = Pcg64::seed_from_u64(3);
        let position: Position<u64> = Notation::from_fen("7/7/7/7/7/7 w 10,11,10,11 4").unwrap();
        let moves = position.legal_moves();
        let mut history = history(position.history_size());
        assert_eq!(history.sorted(&position).len(), moves.len());
        for _ in 0..2_000 {
            let m = moves[rng.random_range(0..moves.len())];
            history.learn(&position, m, rng.random_range(-400..=400));
            let sorted = history.sorted(&position).to_vec();
            assert!(sorted.is_sorted_by_key(|item| Reverse(item.rank)));
            assert!(sorted.iter().all(|item| item.rank == history.rank(&position, item.m)));
            assert!(moves.iter().all(|&m| sorted.iter().filter(|item| item.m == m).count() == 1));
        }
    }
}
