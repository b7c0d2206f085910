use std::cmp::Ordering;
use std::fmt::Write;
use std::time::Duration;

use game::{Agent, Control, Draws, Game, Limits, OptionSpec, Options, Record, Side};
use rand_pcg::Pcg64;

use super::greedy::Greedy;
use super::random::walk;
use super::{Budget, LIMIT, Stopped, after, candidates, check, limit, number, result};
use crate::board::{Cells, Move};
use crate::position::Position;

/// Option: random games for a move at most, 0 for any number.
const MAX_PLAYOUTS: &str = "MaxPlayouts";
/// Option: one random game after each move, as the report says; its authors' code plays on until time is up.
const SINGLE_PASS: &str = "SinglePass";

pub(super) const OPTIONS: &[OptionSpec] =
    &[limit(1_970), super::spin(MAX_PLAYOUTS, 0, 0, i64::MAX), check(SINGLE_PASS, false), Draws::OPTION];

/// What a game that is won, drawn or lost adds to its first move's total: one that ends with that move or, if lost, with
/// the reply; and any other.
const AT_ONCE: [i64; 3] = [10_000_000, -25, -10_000_000];
const LATER: [i64; 3] = [100, -25, -10_000];

/// Legal moves beyond which the greedy agent moves instead, by size of the board.
const TOO_MANY: [(u32, usize); 4] = [(9, 120), (10, 100), (11, 90), (12, 80)];
/// From this size on it moves if there was no time for one game after each move.
const LARGE: u32 = 13;

/// Flat Monte Carlo: random games after each move, without a tree; plays the move with the largest total.
pub(super) struct FlatMonteCarlo {
    time: Duration,
    max_playouts: u64,
    single_pass: bool,
    draws: Draws,
}

impl FlatMonteCarlo {
    pub(super) fn new(options: &Options) -> FlatMonteCarlo {
        let mut agent = FlatMonteCarlo {
            time: Duration::ZERO,
            max_playouts: 0,
            single_pass: false,
            draws: Draws::new(options),
        };
        agent.set(options);
        agent
    }

    fn set(&mut self, options: &Options) {
        self.time = Duration::from_millis(number(options, OPTIONS, LIMIT));
        self.max_playouts = match number(options, OPTIONS, MAX_PLAYOUTS) {
            0 => u64::MAX,
            most => most,
        };
        self.single_pass = options.flag(SINGLE_PASS).unwrap_or(false);
    }

    /// The largest total, first among equals, of the moves visited; `None` if the greedy agent is to move instead.
    fn search<B: Cells>(
        &mut self,
        position: &Position<B>,
        moves: &[Move],
        budget: &mut Budget<'_>,
    ) -> Option<Move> {
        let side = position.side_to_move();
        let mut arms: Vec<Arm<B>> = Vec::with_capacity(moves.len());
        let mut left = self.max_playouts;
        'passes: for pass in 0_u64.. {
            for (i, &m) in moves.iter().enumerate() {
                if left == 0 || budget.is_late() {
                    break 'passes;
                }
                left -= 1;
                if pass == 0 {
                    arms.push(Arm { m, next: after(position, m), total: 0 });
                }
                let Ok(points) = sample(&arms[i].next, side, budget, &mut self.draws.rng) else {
                    // A move whose first game was broken off has not been visited.
                    if pass == 0 {
                        arms.pop();
                    }
                    break 'passes;
                };
                arms[i].total += points;
            }
            if self.single_pass {
                break;
            }
        }
        if arms.len() < moves.len() && position.size() >= LARGE && budget.is_late() {
            return None;
        }
        let best = arms.iter().reduce(|best, arm| if arm.total > best.total { arm } else { best });
        best.map_or_else(|| moves.first().copied(), |arm| Some(arm.m))
    }
}

/// A move and what the games after it add up to.
struct Arm<B: Cells> {
    m: Move,
    next: Position<B>,
    total: i64,
}

/// Plays a random game from `start`, where the opponent of `side` is to move, and gives its points for `side`.
fn sample<B: Cells>(
    start: &Position<B>,
    side: Side,
    budget: &mut Budget<'_>,
    rng: &mut Pcg64,
) -> Result<i64, Stopped> {
    let mut position = start.clone();
    for ply in 0_u32.. {
        budget.enter()?;
        if let Some(result) = result(&position, side) {
            let at_once = ply == 0 || ply == 1 && result == Ordering::Less;
            let points = if at_once { AT_ONCE } else { LATER };
            return Ok(match result {
                Ordering::Greater => points[0],
                Ordering::Equal => points[1],
                Ordering::Less => points[2],
            });
        }
        let m = walk(&position, rng);
        position.play_unchecked(m);
    }
    Err(Stopped)
}

impl<B: Cells> Agent<Position<B>> for FlatMonteCarlo {
    fn name(&self) -> String {
        let mut name = format!("FlatMC-L{}", self.time.as_millis());
        if self.max_playouts < u64::MAX {
            let _ = write!(name, "-P{}", self.max_playouts);
        }
        if self.single_pass {
            name += "-single-pass";
        }
        name
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.draws.configure(options);
        self.set(options);
        Ok(())
    }

    fn new_game(&mut self) {
        self.draws.restart();
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let moves = candidates(position, limits);
        let greedy = || Greedy::new(&Options::default()).choose(position, &moves, limits, control);
        let count = position.count_moves() as usize;
        if TOO_MANY.iter().any(|&(size, most)| size == position.size() && count > most) {
            return greedy();
        }
        let mut budget = Budget::new(limits, control, self.time);
        self.search(position, &moves, &mut budget).or_else(greedy)
    }
}
