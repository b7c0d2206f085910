use game::{Game, Side};

use crate::geometry::{Cells, Direction, Geometry};
use crate::position::{Move, Position};

/// A board with what the side to act may do on it: less than a position, since one of the agents errs about supplies.
pub(super) struct Situation<B: Cells> {
    pub(super) geometry: &'static Geometry<B>,
    /// The cells with a token of each side.
    pub(super) tokens: [B; 2],
    pub(super) side: Side,
    pub(super) can_place: bool,
    pub(super) can_move: bool,
}

impl<B: Cells> Situation<B> {
    /// The situation as it really is.
    pub(super) fn of(position: &Position<B>) -> Situation<B> {
        let side = position.side_to_move();
        Situation {
            geometry: position.geometry(),
            tokens: Side::BOTH.map(|side| position.tokens(side)),
            side,
            can_place: position.hand(side) > 0,
            can_move: position.moves_left() > 0,
        }
    }

    /// The placements and token moves in the order in which the agents try them: by the rings of king distance around
    /// the cell `centre`, in a ring by rows from the bottom, in a row from the left. An empty cell stands for the
    /// placement on it, an own token for its moves.
    pub(super) fn actions(&self, centre: u16) -> Vec<Move> {
        let &Geometry { rows, cols, .. } = self.geometry;
        let (row, col) = (u32::from(centre) / cols, u32::from(centre) % cols);
        let span = |at: u32, ring: u32, end: u32| at.saturating_sub(ring)..(at + ring + 1).min(end);
        let mut actions = Vec::new();
        for ring in 0..rows.max(cols) {
            for r in span(row, ring, rows) {
                for c in span(col, ring, cols) {
                    if r.abs_diff(row).max(c.abs_diff(col)) == ring {
                        self.push_actions((r * cols + c) as u16, &mut actions);
                    }
                }
            }
        }
        actions
    }

    fn push_actions(&self, cell: u16, actions: &mut Vec<Move>) {
        let is_empty = |cell: u16| !(self.tokens[0] | self.tokens[1]).test(cell.into());
        if is_empty(cell) {
            if self.can_place {
                actions.push(Move::Place(cell));
            }
        } else if self.can_move && self.tokens[self.side.index()].test(cell.into()) {
            let neighbours = self.geometry.around[usize::from(cell)].neighbours;
            for (direction, to) in Direction::ALL.into_iter().zip(neighbours) {
                if to.is_some_and(is_empty) {
                    actions.push(Move::Step { from: cell, direction });
                }
            }
        }
    }
}

/// The cell where the last placement or token move of a game ended, a1 if there was none; and whether it was a move.
pub(super) fn last_action<B: Cells>(position: &Position<B>, played: &[Move]) -> (u16, bool) {
    let last = played.iter().rev().find_map(|&m| Some((position.destination(m)?, m)));
    last.map_or((0, false), |(cell, m)| (cell, matches!(m, Move::Step { .. })))
}
