use game::{Evaluate, Game, Tactics};

use crate::book;
use crate::geometry::Cell;
use crate::position::Position;

game::weights! {
    /// The constants of the order of moves, and of the line by which the balance of the windows of five tells the network's
    /// value: over 277,651 positions of self-play the best such line, 97 and 198, has a standard error of 86, where the values
    /// have a standard deviation of 161.
    pub struct Weights {
        /// The value in balance.
        guess "Guess" = 93 in -500..=500;
        /// What the balance adds to it, in hundredths.
        guess_balance "GuessBalance" = 202 in 0..=1000;
        /// How far the value may be off. The most, 20,000, shows what that is worth: no guess is near enough then.
        guess_margin "GuessMargin" = 130 in 0..=20000;
        /// How much a search may take from it, for each ply.
        guess_ply "GuessPly" = 100 in 0..=20000;
        /// Plies of the deepest search that is foreseen.
        guess_depth "GuessDepth" = 3 in 0..=20;
        /// What a move is raised by for each hundredth that its stone gains for its side's windows of five, and takes from the
        /// opponent's.
        hint "Hint" = 1 in 0..=100;
    }
}

/// Bits for the place of a cell in its row.
const ROW_BITS: u32 = 5;

impl<const N: usize> Evaluate for Position<N> {
    type Memo = ();
    type Weights = Weights;

    const NEAR: u32 = 1;

    fn memo(&self) {}

    fn evaluate_with(&self, (): &(), _: &Weights) -> i32 {
        self.net_value().clamp(-Self::LIMIT, Self::LIMIT)
    }

    /// A search that goes on finds the mover better moves than none, so that it may be worth anything more.
    fn outlook(&self, depth: u32, weights: &Weights) -> Option<[i32; 2]> {
        let depth = depth as i32;
        if depth > weights.guess_depth {
            return None;
        }
        let guess = weights.guess + self.balance() * weights.guess_balance / 100;
        let low = guess - weights.guess_margin - weights.guess_ply * depth;
        let high = if depth == 0 { guess + weights.guess_margin } else { Self::LIMIT };
        Some([low.max(-Self::LIMIT), high.min(Self::LIMIT)])
    }

    /// Looks one move ahead for stones that win: an own one does; the opponent's cell must be taken, as nothing else
    /// keeps a run from being completed or a ring from being closed.
    #[inline]
    fn tactics(&self, mut replies: impl FnMut(Cell)) -> Tactics<Cell> {
        // Most often there is none, and all rows together are looked at sooner than one by one.
        if !self.is_sharp() {
            return Tactics::Open;
        }
        if let Some(m) = self.winning_cell(self.side_to_move()) {
            return Tactics::Win(m);
        }
        let opponent = self.side_to_move().other();
        match self.winning_cell(opponent) {
            // What dies in the opponent's closed area loses a move sooner than any other.
            Some(threat) if self.closed_area(threat, opponent).is_none() => {
                replies(threat);
                Tactics::Forced
            }
            _ => Tactics::Open,
        }
    }

    fn book(&self) -> Option<Cell> {
        book::lookup(self)
    }

    /// The moves that make a four.
    fn forcing(&self, f: impl FnMut(Cell)) {
        let own = self.side_to_move();
        Self::cells(self.playable()).filter(|&cell| self.effect(cell, own).fours() > 0).for_each(f);
    }

    /// What the stone gains for its side's windows of five, and takes from the opponent's.
    #[inline]
    fn order_hint(&self, m: Cell, weights: &Weights) -> i32 {
        weights.hint * self.effect(m, self.side_to_move()).worth()
    }

    fn history_size(&self) -> usize {
        N << ROW_BITS
    }

    #[inline]
    fn history_index(&self, m: Cell) -> usize {
        usize::from(m.y) << ROW_BITS | usize::from(m.x)
    }

    fn max_plies_left(&self) -> u32 {
        if self.outcome().is_some() { 0 } else { u32::from(self.geometry().cells - self.stones()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::lines;
    use game::conformance::check_tactics;
    use game::{Notation, Side};
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
    fn the_balance_is_kept_up_as_games_go_on() {
        let mut rng = Pcg64::seed_from_u64(1);
        for start in ["4/5/6/3b3/6/5/4 w", "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w"] {
            for _ in 0..20 {
                let mut position = load(start);
                while position.outcome().is_none() {
                    let own = position.side_to_move();
                    let balance = recount(&position, own).0 - recount(&position, own.other()).0;
                    assert_eq!(position.balance(), balance, "{}", position.fen());
                    let moves = position.legal_moves();
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
    }

    #[test]
    fn winning_cells_are_kept_up_as_games_go_on() {
        let mut rng = Pcg64::seed_from_u64(5);
        let (mut fives, mut rings) = (0, 0);
        for start in [
            "3/4/2b2/4/3 w",
            "4/5/6/3b3/6/5/4 w",
            "6/7/8/9/10/5b5/10/9/8/7/6 w",
            "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w",
        ] {
            for _ in 0..200 {
                let mut position = load(start);
                while position.outcome().is_none() {
                    let read = load(&position.fen());
                    let playable = position.playable();
                    for side in Side::BOTH {
                        let wins = |p: &Usual| Usual::cells(&p.wins(side)).collect::<Vec<_>>();
                        let expected: Vec<_> = Usual::cells(playable)
                            .filter(|&cell| {
                                let run = position.completes_five(cell, side);
                                let closes = position.encloses(cell, side);
                                fives += u32::from(run);
                                rings += u32::from(closes);
                                run || closes
                            })
                            .collect();
                        assert_eq!(wins(&position), expected, "{}", position.fen());
                        assert_eq!(wins(&read), expected, "{}", position.fen());
                    }
                    let moves = position.legal_moves();
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
        assert!(fives > 1_000 && rings > 1_000, "{fives} {rings}");
    }

    #[test]
    fn the_value_is_seldom_outside_its_outlook() {
        let mut rng = Pcg64::seed_from_u64(3);
        let weights = Weights::default();
        let (mut inside, mut all) = (0, 0);
        for _ in 0..100 {
            let mut position = load("10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w");
            while position.outcome().is_none() {
                if position.tactics(|_| {}) == Tactics::Open {
                    let [low, high] = position.outlook(0, &weights).expect("it always has one");
                    inside += u32::from((low..=high).contains(&position.evaluate()));
                    all += 1;
                }
                let moves = position.legal_moves();
                position.play_unchecked(moves[rng.random_range(0..moves.len() as u32) as usize]);
            }
        }
        assert!(all > 1_000 && 100 * inside > 75 * all, "{inside} of {all}");
    }

    #[test]
    fn balances_worked_out_by_hand() {
        // On radius 2 only the three lines through the centre have room for five. Black has one stone on each.
        assert_eq!(load("3/4/2b2/4/3 w").balance(), -3);
        // White's stone closes the row, and its other lines have no room.
        assert_eq!(load("3/4/1wb2/4/3 b").balance(), 2);
    }

    #[test]
    fn fives_of_the_next_move_are_seen() {
        let tactics = |fen: &str| {
            let found = check_tactics(&load(fen));
            (found.tactics, found.replies)
        };
        let cell = |x, y| Cell { x, y };
        assert_eq!(tactics("5/6/7/4b3/4bbbb1/3wwww1/7/6/5 w"), (Tactics::Win(cell(8, 5)), vec![]));
        assert_eq!(tactics("5/6/7/4bw2/4bbbb1/3www2/7/6/5 w"), (Tactics::Forced, vec![cell(3, 4)]));
        // Black threatens both ends.
        assert_eq!(tactics("5/6/7/4b3/4bbbb1/3ww2w/6w/6/5 w").1.len(), 1);
        assert_eq!(tactics("5/6/7/4bw2/4bbb2/3www2/7/6/5 b"), (Tactics::Open, vec![]));
    }

    #[test]
    fn tactics_are_exact() {
        let mut rng = Pcg64::seed_from_u64(17);
        let (mut won, mut enclosed, mut forced, mut hopeless) = (0, 0, 0, 0);
        for (start, games) in [
            ("4/5/6/3b3/6/5/4 w", 200),
            ("6/7/8/9/10/5b5/10/9/8/7/6 w", 200),
            ("10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w", 200),
        ] {
            for _ in 0..games {
                let mut position = load(start);
                while position.outcome().is_none() {
                    let (settled, fen) = (check_tactics(&position), position.fen());
                    match settled.tactics {
                        Tactics::Open => {
                            assert!(!settled.wins, "{fen}");
                            let passed = position.passed();
                            let opponent = passed.side_to_move();
                            let mut threats = passed.legal_moves();
                            threats.retain(|&m| {
                                passed.play(m).outcome().is_some_and(|o| o.winner == Some(opponent))
                            });
                            let dies = |&m: &Cell| position.play(m).outcome().is_some();
                            assert!(threats.is_empty() || threats.iter().any(dies), "{fen}: {threats:?}");
                        }
                        Tactics::Win(m) => {
                            let outcome = position.play(m).outcome().expect("a finished game");
                            won += 1;
                            enclosed += u32::from(outcome.reason == "enclosure");
                        }
                        Tactics::Forced => {
                            forced += 1;
                            hopeless += u32::from(settled.is_hopeless);
                        }
                    }
                    // Moves that win at once are passed over where there are others, so that more happens.
                    let quiet: Vec<_> = position
                        .legal_moves()
                        .into_iter()
                        .filter(|&m| position.play(m).outcome().is_none())
                        .collect();
                    let moves = if quiet.is_empty() { position.legal_moves() } else { quiet };
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
        assert!(
            won > 100 && enclosed > 10 && forced > 100 && hopeless > 100,
            "{won} {enclosed} {forced} {hopeless}"
        );
    }

    #[test]
    fn fours_are_the_moves_that_force() {
        let position = load("5/6/7/4bw2/4bbb2/3www2/7/6/5 b");
        let mut forcing = Vec::new();
        position.forcing(|m| forcing.push(m));
        let fours = |position: &Usual| recount(position, Side::Second).1;
        let four = |m: &Cell| fours(&position.play(*m)) > fours(&position);
        let expected: Vec<_> = position.legal_moves().into_iter().filter(four).collect();
        assert_eq!(forcing, expected);
        assert!(!expected.is_empty());
    }
}
