use game::{Evaluate, Game, Side};

use crate::geometry::Cell;
use crate::position::Position;

/// Worth of a win that is a move or two away.
const NEARLY_WON: i32 = 10_000;

/// Worth of the move, which a threat that must be met takes away.
const TEMPO: i32 = 15;

impl<const N: usize> Evaluate for Position<N> {
    /// Adds up the windows of five that only one side has stones in, and looks one move ahead for runs of five.
    fn evaluate(&self) -> i32 {
        let (own, opponent) = (self.side_to_move(), self.side_to_move().other());
        let fives = |side| if self.windows(side).fours() > 0 { self.fives(side) } else { 0 };
        let balance = self.windows(own).worth() - self.windows(opponent).worth();
        let value = if fives(own) > 0 {
            NEARLY_WON + balance
        } else {
            match fives(opponent) {
                0 => balance + TEMPO,
                1 => balance - TEMPO,
                _ => balance - NEARLY_WON,
            }
        };
        value.clamp(-Self::LIMIT, Self::LIMIT)
    }

    /// What the stone gains for its side's windows of five, and takes from the opponent's.
    fn order_hint(&self, m: Cell) -> i32 {
        let (gain, loss) = self.line_changes(m, self.side_to_move());
        gain.worth() + loss.worth()
    }

    fn history_size(&self) -> usize {
        let span = 2 * usize::from(self.radius()) + 1;
        span * span
    }

    fn history_index(&self, m: Cell) -> usize {
        usize::from(m.y) * (2 * usize::from(self.radius()) + 1) + usize::from(m.x)
    }

    fn max_plies_left(&self) -> u32 {
        if self.outcome().is_some() { 0 } else { u32::from(self.geometry().cells - self.stones()) }
    }
}

impl<const N: usize> Position<N> {
    /// Number of cells on which either side may play now and a stone of `side` would complete a run of five.
    fn fives(&self, side: Side) -> usize {
        Self::cells(&self.frontier()).filter(|&cell| self.completes_five(cell, side)).count()
    }
}
