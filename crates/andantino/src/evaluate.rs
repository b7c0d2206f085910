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
        let (gain, loss) = self.changes(m, self.side_to_move());
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
        Self::cells(&self.frontier()).filter(|&cell| self.changes(cell, side).0.completes_five()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::lines;
    use game::Notation;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    type Usual = Position<{ lines(9) }>;

    fn load(fen: &str) -> Usual {
        Usual::from_fen(fen).expect("a good position")
    }

    /// Worth of the windows of `side` and the number of its fours, window by window.
    fn recount(position: &Usual, side: Side) -> (i32, i32) {
        let (mut worth, mut fours) = (0, 0);
        let span = 2 * position.radius();
        let cells = (0..=span).flat_map(|x| (0..=span).map(move |y| Cell { x, y }));
        for (cell, step) in cells.flat_map(|cell| [(1, 0), (0, 1), (1, 1)].map(|step| (cell, step))) {
            let window: Vec<Cell> = std::iter::successors(Some(cell), |c| c.step(step)).take(5).collect();
            if !window.iter().all(|&c| position.geometry().contains(c)) {
                continue;
            }
            let stones: Vec<_> = window.iter().map(|&c| position.stone(c)).collect();
            if !stones.contains(&Some(side.other())) {
                let held = stones.iter().filter(|&&stone| stone == Some(side)).count();
                worth += [0, 1, 5, 20, 60, 1_000][held];
                fours += i32::from(held == 4);
            }
        }
        (worth, fours)
    }

    #[test]
    fn windows_are_kept_up_as_games_go_on() {
        let mut rng = Pcg64::seed_from_u64(1);
        for start in ["4/5/6/3b3/6/5/4 w", "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w"] {
            for _ in 0..20 {
                let mut position = load(start);
                while position.outcome().is_none() {
                    for side in Side::BOTH {
                        let windows = position.windows(side);
                        assert_eq!(
                            (windows.worth(), windows.fours()),
                            recount(&position, side),
                            "{}",
                            position.fen()
                        );
                    }
                    let moves = position.legal_moves();
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
    }

    #[test]
    fn values_worked_out_by_hand() {
        // On radius 2 only the three lines through the centre have room for five. Black has one stone on each.
        assert_eq!(load("3/4/2b2/4/3 w").evaluate(), -3 + TEMPO);
        // White's stone closes the row, and its other lines have no room.
        assert_eq!(load("3/4/1wb2/4/3 b").evaluate(), 2 + TEMPO);
    }

    #[test]
    fn fives_of_the_next_move_are_seen() {
        let balance = |position: &Usual| {
            let own = position.side_to_move();
            position.windows(own).worth() - position.windows(own.other()).worth()
        };
        for (what, fen, expected) in [
            ("White has a four and moves", "5/6/7/4b3/4bbbb1/3wwww1/7/6/5 w", NEARLY_WON),
            ("Black threatens one end", "5/6/7/4bw2/4bbbb1/3www2/7/6/5 w", -TEMPO),
            ("Black threatens both ends", "5/6/7/4b3/4bbbb1/3ww2w/6w/6/5 w", -NEARLY_WON),
        ] {
            let position = load(fen);
            assert_eq!(position.evaluate(), balance(&position) + expected, "{what}");
        }
    }
}
