use bits::Bits;
use game::{Agent, Control, Game, Limits, Options, Record};

use super::alpha_beta::{Best, Heuristic, Search, Ties};
use super::budget::{Budget, Stopped, share};
use super::centre::distance;
use super::corridors::Corridors;
use super::table::{Keys, Table};
use super::{candidates, deepest};
use crate::piece::{Move, Shape};
use crate::position::{Frame, Position};

/// The depth of the first iteration.
const FIRST_DEPTH: u32 = 2;

/// So much of its time it uses, in percent.
const TIME_SHARE: u32 = 85;

/// After so many tests the value is taken as it is: since the table errs they need not come to agree.
const MOST_TESTS: u32 = 100;

/// Bee (R. Pinheiro and T. Franco): iterative deepening by tests of whether the value reaches a bound (MTD), over a table
/// that confuses positions. It plays the move of the last iteration it has finished, and has none before the first.
///
/// What isn't known of it is ours: how the tests follow each other, that the table is for one move, and that it plays
/// the first move if all lose.
pub(super) struct Bee {
    sting: Sting,
    table: Table,
}

impl Bee {
    pub(super) fn new() -> Bee {
        Bee { sting: Sting::default(), table: Table::new(Keys::RowTimesColumn) }
    }
}

impl<B: Bits> Agent<Position<B>> for Bee {
    fn name(&self) -> String {
        "Bee".into()
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
        Heuristic::<B>::fit(&mut self.sting, position.frame());
        self.table.clear();
        let mut search = Search {
            heuristic: &self.sting,
            budget: Budget::new(limits, control, share(limits, TIME_SHARE)),
            prune: true,
            table: Some(&mut self.table),
        };
        let (mut chosen, mut guess) = (None, 0.0);
        let deepest = deepest(position, limits, u32::MAX);
        for depth in FIRST_DEPTH.min(deepest)..=deepest {
            let Ok((m, value)) = converge(&mut search, position, &moves, depth, guess) else { break };
            (chosen, guess) = (m.or(moves.first().copied()), value);
            if search.budget.report::<B>(depth, value, chosen).is_break() {
                break;
            }
        }
        chosen
    }
}

/// The best move at that depth and its value, by tests that begin with whether it is more than `guess`. `None` if all
/// moves lose.
#[expect(clippy::float_cmp, reason = "a bound is one of the values that were found")]
fn converge<B: Bits>(
    search: &mut Search<'_, B>,
    position: &Position<B>,
    moves: &[Move],
    depth: u32,
    mut guess: f32,
) -> Result<(Option<Move>, f32), Stopped> {
    let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
    let mut chosen = None;
    for _ in 0..MOST_TESTS {
        let bound = if guess == low { guess.next_up() } else { guess };
        let mut best = Best::new(Ties::First);
        search.root(position, moves, depth, (bound.next_down(), bound), &mut best)?;
        guess = best.value;
        if guess >= bound {
            low = guess;
            chosen = best.m;
        } else {
            high = guess;
            chosen = chosen.or(best.m);
        }
        if low >= high {
            break;
        }
    }
    Ok((chosen, guess))
}

/// Bee's heuristic. In each whole line a piece with the own colour or the own shape is friendly, any other hostile. It likes
/// friendly pieces at the rim, and knows no difference between a line that is nearly complete and one that never can be.
#[derive(Default)]
struct Sting {
    corridors: Corridors,
}

impl<B: Bits> Heuristic<B> for Sting {
    fn fit(&mut self, frame: Frame) {
        self.corridors.fit(frame);
    }

    fn value(&self, position: &Position<B>) -> f32 {
        let viewer = position.side_to_move();
        let nearly = self.corridors.win() - 1;
        let frame = position.frame();
        let mut value = 100.0;
        for line in self.corridors.iter() {
            // Pieces of one kind before the first of the other.
            let (mut friends, mut foes) = (0, 0);
            let (mut friend_met, mut foe_met) = (false, false);
            for &(row, column) in line {
                let Some((side, shape)) = position.piece(row, column) else { continue };
                let (own_colour, own_shape) = (side == viewer, shape == Shape::of(viewer));
                let distance = distance(frame, (row, column));
                if own_colour || own_shape {
                    value += distance;
                    if !own_colour {
                        value -= 1.0;
                    }
                    if !own_shape {
                        value -= 2.0;
                    }
                    friends += i32::from(!foe_met);
                    friend_met = true;
                } else {
                    value -= 3.0 + distance / 2.0;
                    foes += i32::from(!friend_met);
                    foe_met = true;
                }
            }
            if friends == nearly {
                return 1000.0;
            }
            if foes == nearly {
                return f32::NEG_INFINITY;
            }
            value -= (foes - friends) as f32;
        }
        value
    }

    fn scale(&self) -> f32 {
        1.0
    }
}
