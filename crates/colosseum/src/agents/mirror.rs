use std::cmp::Ordering;
use std::time::Duration;

use game::{Agent, Control, Evaluate, Game, Limits, Options, Record};

use super::{Budget, Stopped, after, candidates, result};
use crate::board::{Cells, Move};
use crate::position::Position;

/// Outside all static values.
const WON: i32 = 1_000_000;

/// Wins if it can at once; else plays the half-turn image of the opponent's last move, if that is legal and doesn't lose
/// at once; else looks two plies ahead. From a start that is symmetric, on a board of even size, this is hard to beat.
pub(super) struct Mirror;

impl<B: Cells> Agent<Position<B>> for Mirror {
    fn name(&self) -> String {
        "Mirror".into()
    }

    fn configure(&mut self, _options: &Options) -> Result<(), String> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let moves = candidates(position, limits);
        let image = record.moves().last().map(|m| m.turned(position.size()));
        let budget = Budget::new(limits, control, Duration::MAX);
        let mut choice = Choice { best: (*moves.first()?, -WON), budget };
        // Stopped, it plays the best it has seen.
        let _ = choice.look(position, &moves, image);
        Some(choice.best.0)
    }
}

struct Choice<'a> {
    /// The best move so far and its value.
    best: (Move, i32),
    budget: Budget<'a>,
}

impl Choice<'_> {
    fn look<B: Cells>(
        &mut self,
        position: &Position<B>,
        moves: &[Move],
        image: Option<Move>,
    ) -> Result<(), Stopped> {
        let side = position.side_to_move();
        let mut nexts = Vec::with_capacity(moves.len());
        for &m in moves {
            self.budget.enter()?;
            let next = after(position, m);
            if result(&next, side) == Some(Ordering::Greater) {
                self.best = (m, WON);
                return Ok(());
            }
            nexts.push((m, next));
        }
        let copy =
            nexts.iter().find(|(m, next)| Some(*m) == image && result(next, side) != Some(Ordering::Less));
        if let Some(&(m, _)) = copy {
            self.best = (m, 0);
            return Ok(());
        }
        for (m, next) in &nexts {
            let value = self.value(next, self.best.1)?;
            if value > self.best.1 {
                self.best = (*m, value);
            }
        }
        self.budget.report(2, self.best.1, self.best.0);
        Ok(())
    }

    /// The value of a position for the side that has just moved, if it exceeds `floor`; else any value that doesn't.
    fn value<B: Cells>(&mut self, position: &Position<B>, floor: i32) -> Result<i32, Stopped> {
        let side = position.side_to_move().other();
        if let Some(result) = result(position, side) {
            return Ok(WON * result as i32);
        }
        let mut least = WON;
        for m in position.legal_moves() {
            self.budget.enter()?;
            let next = after(position, m);
            let value = result(&next, side).map_or_else(|| next.evaluate(), |result| WON * result as i32);
            least = least.min(value);
            if least <= floor {
                break;
            }
        }
        Ok(least)
    }
}
