use bits::Bits;
use game::{Game, Side};

use super::budget::{Budget, Stopped};
use super::table::{Bound, Entry, Table};
use crate::piece::Move;
use crate::position::{Frame, Position};

/// What an agent thinks of positions it doesn't look beyond.
pub(super) trait Heuristic<B: Bits>: Send {
    /// Prepares for boards of these measures.
    fn fit(&mut self, frame: Frame);

    /// The value of an unfinished position for the side to move. Its unit is the heuristic's own.
    fn value(&self, position: &Position<B>) -> f32;

    /// What a value is multiplied by to show it in hundredths.
    fn scale(&self) -> f32 {
        100.0
    }
}

/// Which of equally good moves is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ties {
    /// The first one; but none where all lose.
    First,
    /// The last one.
    Last,
    /// The last one in the first column that has any.
    FirstColumn,
}

/// The best of the moves offered so far.
pub(super) struct Best {
    ties: Ties,
    pub(super) m: Option<Move>,
    pub(super) value: f32,
}

impl Best {
    pub(super) fn new(ties: Ties) -> Best {
        Best { ties, m: None, value: f32::NEG_INFINITY }
    }

    #[expect(clippy::float_cmp, reason = "equal moves are those with the same value")]
    fn offer(&mut self, m: Move, value: f32) {
        let tie = match self.ties {
            Ties::First => false,
            Ties::Last => true,
            Ties::FirstColumn => self.m.is_none_or(|best| best.column == m.column),
        };
        if value > self.value || value == self.value && tie {
            *self = Best { m: Some(m), value, ..*self };
        }
    }
}

/// A search to a fixed depth in canonical order. Values are for the side to move; a win is infinite, however far away.
pub(super) struct Search<'a, B: Bits> {
    pub(super) heuristic: &'a dyn Heuristic<B>,
    pub(super) budget: Budget<'a>,
    /// Whether to leave out what can't matter: alpha-beta instead of plain minimax.
    pub(super) prune: bool,
    pub(super) table: Option<&'a mut Table>,
}

impl<B: Bits> Search<'_, B> {
    /// Looks `depth` plies (at least 1) ahead at each of `moves`, and offers them to `best`. When it is stopped `best` is
    /// that of the moves before. Values outside the window from `alpha` to `beta` may be bounds.
    pub(super) fn root(
        &mut self,
        position: &Position<B>,
        moves: &[Move],
        depth: u32,
        (mut alpha, beta): (f32, f32),
        best: &mut Best,
    ) -> Result<(), Stopped> {
        self.budget.enter()?;
        for &m in moves {
            let value = -self.value(&after(position, m), depth - 1, (-beta, -alpha))?;
            best.offer(m, value);
            alpha = alpha.max(best.value);
            if self.prune && alpha >= beta {
                break;
            }
        }
        Ok(())
    }

    /// The value of a position `depth` plies above the leaves: exact between `alpha` and `beta`, else a bound.
    fn value(
        &mut self,
        position: &Position<B>,
        depth: u32,
        (alpha, beta): (f32, f32),
    ) -> Result<f32, Stopped> {
        self.budget.enter()?;
        if position.outcome().is_some() {
            return Ok(result(position, position.side_to_move()));
        }
        let (mut low, mut high) = (alpha, beta);
        let key = self.table.as_deref().map(|table| table.key(position));
        if let Some(entry) = self.known(key, depth) {
            match entry.bound {
                Bound::Exact => return Ok(entry.value),
                Bound::Lower => low = low.max(entry.value),
                Bound::Upper => high = high.min(entry.value),
            }
            if low >= high {
                return Ok(entry.value);
            }
        }
        if depth == 0 {
            return Ok(self.heuristic.value(position));
        }
        let mut best = f32::NEG_INFINITY;
        for m in position.legal_moves() {
            let value = -self.value(&after(position, m), depth - 1, (-high, -low))?;
            best = best.max(value);
            low = low.max(best);
            if self.prune && low >= high {
                break;
            }
        }
        if let Some((table, key)) = self.table.as_deref_mut().zip(key) {
            let bound = match best {
                _ if best <= alpha => Bound::Upper,
                _ if best >= high => Bound::Lower,
                _ => Bound::Exact,
            };
            table.put(key, Entry { value: best, bound, depth });
        }
        Ok(best)
    }

    /// What the table knows to that depth or deeper.
    fn known(&self, key: Option<u64>, depth: u32) -> Option<Entry> {
        self.table.as_deref()?.get(key?).filter(|entry| entry.depth >= depth)
    }
}

/// The position after a move that is known to be legal.
pub(super) fn after<B: Bits>(position: &Position<B>, m: Move) -> Position<B> {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

/// The value of a finished game for a side.
pub(super) fn result<B: Bits>(position: &Position<B>, side: Side) -> f32 {
    match position.outcome().and_then(|outcome| outcome.winner) {
        None => 0.0,
        Some(winner) if winner == side => f32::INFINITY,
        Some(_) => f32::NEG_INFINITY,
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the same sums, and infinities")]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use super::super::table::Keys;
    use super::super::windows::Windows;
    use super::*;
    use game::{Control, Limits, Notation, Report};

    struct Patient;

    impl Control<Move> for Patient {
        fn stopped(&self) -> bool {
            false
        }
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
        fn report(&self, _report: &Report<'_, Move>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    const ALL: (f32, f32) = (f32::NEG_INFINITY, f32::INFINITY);

    fn search<'a>(windows: &'a Windows, prune: bool, table: Option<&'a mut Table>) -> Search<'a, u64> {
        let budget = Budget::new(&Limits::default(), &Patient, None);
        Search { heuristic: windows, budget, prune, table }
    }

    fn best(
        position: &Position<u64>,
        depth: u32,
        window: (f32, f32),
        prune: bool,
        table: Option<&mut Table>,
    ) -> Best {
        let mut windows = Windows::default();
        Heuristic::<u64>::fit(&mut windows, position.frame());
        let mut search = search(&windows, prune, table);
        let mut best = Best::new(Ties::First);
        assert!(search.root(position, &position.legal_moves(), depth, window, &mut best).is_ok());
        best
    }

    #[test]
    fn neither_pruning_nor_the_table_changes_values() {
        for fen in ["4/4/4/4 w 8,8,8,8 4", "7/7/7/7/3R3/2wRw2 w 8,11,10,9 4", "4/4/2r1/wWR1 w 3,4,3,4 3"] {
            let position = Position::<u64>::from_fen(fen).expect("a good position");
            for depth in 1..=3 {
                let plain = best(&position, depth, ALL, false, None);
                let mut table = Table::new(Keys::Zobrist);
                for pruned in [None, Some(&mut table)].map(|table| best(&position, depth, ALL, true, table)) {
                    assert_eq!((pruned.m, pruned.value), (plain.m, plain.value), "{fen} at depth {depth}");
                }
                // Whether the value reaches a bound is asked with the same table, as it fills with bounds.
                let mut table = Table::new(Keys::Zobrist);
                for bound in (-900_i16..900).step_by(5).map(f32::from).chain([plain.value]) {
                    let found =
                        best(&position, depth, (bound.next_down(), bound), true, Some(&mut table)).value;
                    assert_eq!(found >= bound, plain.value >= bound, "{bound}: {fen} at depth {depth}");
                }
                let again = best(&position, depth, ALL, true, Some(&mut table));
                assert_eq!(again.value, plain.value, "{fen} at depth {depth}");
            }
        }
    }

    #[test]
    fn a_value_that_just_reaches_the_bound_is_no_more_than_a_bound() {
        let start = Position::<u64>::from_fen("7/7/7/7/7/7 w 10,11,10,11 4").expect("the start");
        let first = Move { column: 0, shape: crate::piece::Shape::Round };
        let mut windows = Windows::default();
        Heuristic::<u64>::fit(&mut windows, start.frame());
        let value = -windows.value(&after(&start, first));
        let mut table = Table::new(Keys::Zobrist);
        let found = search(&windows, true, Some(&mut table)).value(&start, 1, (value.next_down(), value));
        assert!(found.is_ok_and(|found| found == value), "the first move is enough");
        assert_eq!(table.get(start.key()).map(|entry| entry.bound), Some(Bound::Lower));
    }
}
