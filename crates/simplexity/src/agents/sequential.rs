use bits::Bits;
use game::{Agent, Control, Game, Limits, Options, Record};

use super::candidates;
use crate::piece::{Move, Shape};
use crate::position::Position;

/// Plays the columns from left to right and over again, whatever the opponent does; its own shape while in stock.
#[derive(Default)]
pub(super) struct Sequential {
    /// The column to try first.
    next: u8,
}

impl<B: Bits> Agent<Position<B>> for Sequential {
    fn name(&self) -> String {
        "Sequential".into()
    }

    fn configure(&mut self, _options: &Options) -> Result<(), String> {
        Ok(())
    }

    fn new_game(&mut self) {
        self.next = 0;
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        _control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let (cols, own) = (position.cols() as u8, Shape::of(position.side_to_move()));
        let first = self.next % cols;
        let distance = |column: u8| (column + cols - first) % cols;
        let moves = candidates(position, limits);
        let m = moves.into_iter().min_by_key(|m| (distance(m.column), m.shape != own))?;
        self.next = (m.column + 1) % cols;
        Some(m)
    }
}
