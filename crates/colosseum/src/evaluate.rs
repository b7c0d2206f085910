use game::{Evaluate, Game, Level, Tactics};

use crate::board::{Cells, Move, row_col};
use crate::position::Position;

game::weights! {
    /// The constants of the order of moves, and of proofs; those of the evaluation are its network's.
    pub struct Weights {
        /// What half a cell between a barrier and the opponent takes from the move.
        distance "HintDistance" = 1 in 0..=100;
        /// By how much of the static value a position is to be better for a prover to expect half the effort to show that it
        /// is good, and twice that to show that it isn't.
        effort "EffortDoubles" = 140 in 10..=20000;
    }
}

impl<B: Cells> Evaluate for Position<B> {
    type Memo = ();
    type Weights = Weights;

    fn memo(&self) {}

    fn evaluate_with(&self, (): &(), _: &Weights) -> i32 {
        self.net_value()
    }

    const LEVELS: [Level; 9] = [
        Level::new(12, 200, 1_000, 0),
        Level::new(38, 69, 160, 0),
        Level::new(110, 29, 25, 0),
        Level::new(170, 20, 11, 0),
        Level::new(380, 10, 3, 0),
        Level::new(810, 6, 1, 0),
        Level::new(1_750, 4, 1, 0),
        Level::new(4_900, 3, 0, 0),
        Level::new(17_500, 2, 0, 0),
    ];

    fn effort_doubles(weights: &Weights) -> Option<i32> {
        Some(weights.effort)
    }

    fn tactics(&self, _replies: impl FnMut(Move)) -> Tactics<Move> {
        let [from, to] = [self.side_to_move(), self.side_to_move().other()].map(|side| self.agent_cell(side));
        self.board().winning_cut(from, to, self.steps()).map_or(Tactics::Open, |(cell, wall)| {
            let (row, col) = row_col::<B>(cell);
            Tactics::Win(Move { row: row as u8, col: col as u8, wall })
        })
    }

    /// The nearer the barrier is to the opponent the better. Whether a move ends the game is told sooner by playing it.
    fn order_hint(&self, m: Move, weights: &Weights) -> i32 {
        let (row, col) = self.cell_of(self.side_to_move().other());
        let (down, right) = m.wall.delta();
        let rows = 2 * (i32::from(m.row) - row as i32) + down;
        let cols = 2 * (i32::from(m.col) - col as i32) + right;
        -weights.distance * (rows.abs() + cols.abs())
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

#[cfg(test)]
mod tests {
    use bits::Wide;
    use game::Notation;
    use game::conformance::check_tactics;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::Direction;

    #[test]
    fn barriers_next_to_the_opponent_come_first() {
        let position = Position::<u64>::from_fen("5/5/5/5/5 a1 c3 a").expect("a good position");
        let hint = |text: &str| {
            position.order_hint(position.parse_move(text).expect("a legal move"), &Weights::default())
        };
        assert_eq!([hint("b3r"), hint("b3l"), hint("a1r")], [-1, -3, -7]);
    }

    #[test]
    fn a_winning_cut_is_seen() {
        let tactics = |fen: &str| Position::<u64>::from_fen(fen).expect("a good position").tactics(|_| {});
        let win = |row, col, wall| Tactics::Win(Move { row, col, wall });
        // A corridor: the mover closes it right before the opponent, unless the opponent's share is as large.
        assert_eq!(tactics("ddd/3/3 a1 c1 a"), win(0, 1, Direction::Right));
        assert_eq!(tactics("ddd/3/3 a1 c1 b"), win(0, 1, Direction::Left));
        assert_eq!(tactics("ddd/3/3 a1 b1 a"), Tactics::Open);
        // A room of four cells: the mover walks out and closes the door, unless it is too far or no more lies beyond.
        assert_eq!(tactics("4/db2/4/4 b1 a1 a 1"), win(0, 2, Direction::Left));
        assert_eq!(tactics("4/db2/4/4 b2 a1 a 2"), win(0, 2, Direction::Left));
        assert_eq!(tactics("4/db2/4/4 b2 a1 a 1"), Tactics::Open);
        assert_eq!(tactics("4/1r2/1r2/1r2 b1 a1 a 1"), Tactics::Open);
        // Out of a dead end of that room, which is a part of its own.
        assert_eq!(tactics("5/1b3/b4/5/5 a3 a1 a 4"), win(0, 2, Direction::Left));
    }

    fn compare_with_playing<B: Cells>(size: u32, games: u32) {
        let mut rng = Pcg64::seed_from_u64(u64::from(size));
        let [mut won, mut open] = [0, 0];
        for _ in 0..games {
            let row = |_| size.to_string();
            let rows: Vec<_> = (0..size).map(row).collect();
            let far = char::from(b'a' + size as u8 - 1);
            let fen = format!("{} a1 {far}{size} a", rows.join("/"));
            let mut position = Position::<B>::from_fen(&fen).expect("a good position");
            while position.outcome().is_none() {
                let found = check_tactics(&position);
                assert_eq!(found.tactics == Tactics::Open, !found.wins, "{}", position.fen());
                *if found.wins { &mut won } else { &mut open } += 1;
                let moves = position.legal_moves();
                position.play_unchecked(moves[(rng.next_u64() % moves.len() as u64) as usize]);
            }
        }
        assert!(won > 20 && open > 20, "{won} won and {open} open positions of size {size}");
    }

    #[test]
    fn tactics_are_exact() {
        compare_with_playing::<u64>(3, 300);
        compare_with_playing::<u64>(6, 100);
        compare_with_playing::<u64>(8, 60);
        compare_with_playing::<u128>(10, 20);
        compare_with_playing::<Wide<3>>(12, 10);
        compare_with_playing::<Wide<4>>(10, 20);
        compare_with_playing::<Wide<15>>(18, 10);
    }
}
