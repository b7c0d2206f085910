use game::{Evaluate, Game};

use crate::board::{Board, Cells, Move, single};
use crate::position::Position;

/// What a cell is worth that one agent gets to before the other, and one within an agent's next walk. On the largest
/// board all together stay within the limit.
const NEARER: i32 = 20;
const IN_REACH: i32 = 2;

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

    /// The nearer the barrier is to the opponent the better. Whether a move ends the game is told sooner by playing it.
    fn order_hint(&self, m: Move) -> i32 {
        let (row, col) = self.cell_of(self.side_to_move().other());
        let (down, right) = m.wall.delta();
        let rows = 2 * (i32::from(m.row) - row as i32) + down;
        let cols = 2 * (i32::from(m.col) - col as i32) + right;
        -(rows.abs() + cols.abs())
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

#[cfg(test)]
mod tests {
    use game::Notation;

    use super::*;

    fn value(fen: &str) -> i32 {
        Position::<u64>::from_fen(fen).expect("a good position").evaluate()
    }

    #[test]
    fn nearer_cells_count_and_a_little_those_in_reach() {
        // Symmetric.
        assert_eq!(value("3/3/3 a1 c3 a"), 0);
        // Nearer to A: a1 a2 a3; nearer to B: b1 c1 b2 c2 b3 c3. In reach of A: a1 a2 b2 a3; of B: b1 c1 b2 a2 c2 b3.
        assert_eq!(value("3/3/3 a1 b1 a"), NEARER * (3 - 6) + IN_REACH * (4 - 6));
        assert_eq!(value("3/3/3 a1 b1 b"), NEARER * (6 - 3) + IN_REACH * (6 - 4));
        // B stands in the only exit of a dead end: a2 is as near to both. In reach of A: a1 a2; of B: a2 to a5 and b5.
        assert_eq!(value("rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a3 a"), NEARER * (1 - 23) + IN_REACH * (2 - 5));
    }

    #[test]
    fn barriers_next_to_the_opponent_come_first() {
        let position = Position::<u64>::from_fen("5/5/5/5/5 a1 c3 a").expect("a good position");
        let hint = |text: &str| position.order_hint(position.parse_move(text).expect("a legal move"));
        assert_eq!([hint("b3r"), hint("b3l"), hint("a1r")], [-1, -3, -7]);
    }

    #[test]
    fn the_largest_board_stays_within_the_limit() {
        const CELLS: i32 = (crate::MAX_SIZE * crate::MAX_SIZE) as i32;
        const { assert!((NEARER + IN_REACH) * CELLS <= Position::<u64>::LIMIT) };
    }
}
