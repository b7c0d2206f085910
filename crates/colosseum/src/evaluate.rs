use std::cmp::Ordering;

use game::{Evaluate, Game};

use crate::board::{Board, Cells, Move, cell, single};
use crate::position::Position;

/// What a cell is worth that one agent gets to before the other, and one within an agent's next walk. On the largest
/// board all together stay within the limit.
const NEARER: i32 = 20;
const IN_REACH: i32 = 2;

/// Rank of a move that ends the game as a win. One that loses has its negative.
const ENDING: i32 = 1_000_000;

impl<B: Cells> Evaluate for Position<B> {
    /// Counts the cells that each agent gets to in fewer steps than the other, however many steps that takes, and a
    /// little those of its next walk.
    fn evaluate(&self) -> i32 {
        let (mover, other) = (self.side_to_move(), self.side_to_move().other());
        let [own, foe] = nearer(self.board(), self.agent_cell(mover), self.agent_cell(other));
        let count = |set: B| set.count() as i32;
        let reach = count(self.reach(mover)) - count(self.reach(other));
        NEARER * (count(own) - count(foe)) + IN_REACH * reach
    }

    /// Endings by their result; else the nearer the barrier is to the opponent the better.
    fn order_hint(&self, m: Move) -> i32 {
        let (row, col) = self.cell_of(self.side_to_move().other());
        let (down, right) = m.wall.delta();
        let rows = 2 * (i32::from(m.row) - row as i32) + down;
        let cols = 2 * (i32::from(m.col) - col as i32) + right;
        let ending = match self.ending(m) {
            Some(Ordering::Greater) => ENDING,
            Some(Ordering::Less) => -ENDING,
            _ => 0,
        };
        ending - rows.abs() - cols.abs()
    }

    fn history_size(&self) -> usize {
        4 * B::WIDTH as usize
    }

    fn history_index(&self, m: Move) -> usize {
        usize::from(Self::move_bits(m))
    }

    /// Each move takes an open edge.
    fn max_plies_left(&self) -> u32 {
        if self.outcome().is_some() { 0 } else { self.board().open_edges() }
    }
}

impl<B: Cells> Position<B> {
    /// How the mover's area compares with the opponent's if the move ends the game; else `None`.
    fn ending(&self, m: Move) -> Option<Ordering> {
        let at = cell::<B>(m.row.into(), m.col.into());
        if !self.board().may_divide(at, m.wall) {
            return None;
        }
        let mut board = *self.board();
        board.close(at, m.wall);
        let foe = self.agent_cell(self.side_to_move().other());
        let region = board.region_without(at, foe)?;
        Some(region.count().cmp(&board.region(foe).count()))
    }
}

/// The cells nearer to `a` than to `b`, and those nearer to `b`, in steps that pass through neither agent.
fn nearer<B: Cells>(board: &Board<B>, a: u32, b: u32) -> [B; 2] {
    let mut fronts: [B; 2] = [single(a), single(b)];
    let mut nearer = fronts;
    let mut seen = fronts[0] | fronts[1];
    loop {
        fronts = fronts.map(|front| board.spread(front) & !seen);
        let [a, b] = fronts;
        if a | b == B::EMPTY {
            return nearer;
        }
        nearer = [nearer[0] | a & !b, nearer[1] | b & !a];
        seen = seen | a | b;
    }
}
