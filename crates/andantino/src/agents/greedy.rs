use std::cmp::Reverse;

use game::{Agent, Control, Game, Limits, Options, Record};

use super::measure::{Measure, value};
use super::{candidates, winning};
use crate::geometry::Cell;
use crate::position::Position;

/// Looks one ply ahead: wins, else takes the cell on which the opponent would win, else makes the move after which the
/// own stones have the most neighbours of their colour. Among equal moves it takes the first.
pub(super) struct Greedy;

impl<const N: usize> Agent<Position<N>> for Greedy {
    fn name(&self) -> String {
        "Greedy".into()
    }

    fn configure(&mut self, _options: &Options) -> Result<(), String> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        record: &Record<Position<N>>,
        limits: &Limits<Cell>,
        _control: &dyn Control<Cell>,
    ) -> Option<Cell> {
        let position = record.position();
        let moves = candidates(position, limits);
        let side = position.side_to_move();
        winning(position, &moves, side).or_else(|| winning(position, &moves, side.other())).or_else(|| {
            // The opponent's best value is the worst for the mover; a lost game is worst of all.
            let worth = |m: Cell| Reverse(value(&position.play(m), Measure::Neighbours));
            moves.into_iter().rev().max_by_key(|&m| worth(m))
        })
    }
}
