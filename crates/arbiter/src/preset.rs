//! The tracks of the ColorShapeLinks competition of Simplexity (rules: every pair of engines plays twice with sides
//! swapped, from the start position, for 3, 1 and 0 points).

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A set-up and its way of playing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The game.
    pub game: &'static str,
    /// Rows, columns, length of the line, round and square pieces of each player.
    pub board: [u64; 5],
    /// Milliseconds per move.
    pub movetime: u64,
    /// Whether everything has to share one processor core.
    pub one_core: bool,
    /// How it came about, for people.
    pub origin: String,
}

/// The names that [`preset`] knows.
pub const NAMES: [&str; 6] =
    ["base-track", "unknown-track", "unknown-2020", "unknown-2021", "test-12x12", "test-18x22"];

/// The preset of a name. `seed` stands for the lottery draw of `unknown-track`.
pub fn preset(name: &str, seed: u64) -> Option<Preset> {
    let fixed = |board, movetime| Preset {
        game: "simplexity",
        board,
        movetime,
        one_core: false,
        origin: name.into(),
    };
    Some(match name {
        "base-track" => Preset { one_core: true, ..fixed([6, 7, 4, 10, 11], 200) },
        "unknown-track" => unknown_track(draw(seed)),
        "unknown-2020" => fixed([8, 13, 4, 26, 26], 325),
        "unknown-2021" => fixed([9, 37, 5, 83, 84], 925),
        "test-12x12" => fixed([12, 12, 6, 35, 37], 300),
        "test-18x22" => fixed([18, 22, 9, 99, 99], 550),
        _ => return None,
    })
}

impl Preset {
    /// The set-up, `key value …`.
    pub fn setup(&self) -> String {
        let [rows, cols, win, round, square] = self.board;
        format!("rows {rows} cols {cols} win {win} round {round} square {square}")
    }
}

/// Five different balls of 1 to 50, ascending, as the EuroMillions lottery draws them.
fn draw(seed: u64) -> [u64; 5] {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut balls: Vec<u64> = (1..=50).collect();
    let mut drawn = [0; 5].map(|_| {
        let choice = (u128::from(rng.next_u64()) * balls.len() as u128) >> 64;
        balls.swap_remove(choice as usize)
    });
    drawn.sort_unstable();
    drawn
}

/// The board that a draw stands for: as many rows as the lowest ball above 6 says, as many columns as the next one,
/// lines of half the rows, pieces for half the cells, 25 ms for each row or column, whichever are more. A draw with
/// fewer than two balls above 6 has no such pair; then the two highest balls count.
fn unknown_track(balls: [u64; 5]) -> Preset {
    let first = balls.iter().position(|&ball| ball > 6).unwrap_or(3).min(3);
    let (rows, cols) = (balls[first].max(1), balls[first + 1]);
    let board = [rows, cols, rows.div_ceil(2), rows * cols / 4, (rows * cols).div_ceil(4)];
    let origin = format!("unknown-track, drawn {}", balls.map(|ball| ball.to_string()).join(" "));
    Preset { game: "simplexity", board, movetime: 25 * rows.max(cols), one_core: false, origin }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_give_the_published_boards() {
        // The two draws the competition used.
        for (balls, board, movetime) in [
            ([1, 6, 8, 13, 20], [8, 13, 4, 26, 26], 325),
            ([2, 9, 37, 40, 50], [9, 37, 5, 83, 84], 925),
            ([1, 2, 3, 4, 7], [4, 7, 2, 7, 7], 175),
            ([1, 2, 3, 4, 5], [4, 5, 2, 5, 5], 125),
        ] {
            let preset = unknown_track(balls);
            assert_eq!((preset.board, preset.movetime), (board, movetime), "{balls:?}");
        }
    }

    #[test]
    fn draws_are_five_different_balls_of_the_seed() {
        for seed in 0..200 {
            let balls = draw(seed);
            assert!(balls.is_sorted_by(|a, b| a < b), "{balls:?}");
            assert!(balls[0] >= 1 && balls[4] <= 50, "{balls:?}");
            assert_eq!(balls, draw(seed));
        }
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn every_preset_is_a_valid_set_up() {
        for name in NAMES {
            for seed in 0..100 {
                let preset = preset(name, seed).unwrap();
                let rules = registry::find(preset.game).unwrap();
                let (setup, words) = (preset.setup(), preset.setup());
                let words: Vec<&str> = words.split(' ').collect();
                let pairs: Vec<(&str, &str)> =
                    words.as_chunks::<2>().0.iter().map(|[k, v]| (*k, *v)).collect();
                assert_eq!(rules.setup(&pairs).unwrap().text(rules.params()), setup);
            }
        }
        assert_eq!(preset("none", 0), None);
    }
}
