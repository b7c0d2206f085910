use bits::Bits;
use game::{Agent, Control, Draws, Game, Limits, Options, Record};
use rand::RngExt;

use super::candidates;
use crate::piece::Move;
use crate::position::Position;

/// Draws a shape in proportion to the mover's stock and, independently, one of the open columns.
pub(super) struct Random(Draws);

impl Random {
    pub(super) fn new(options: &Options) -> Random {
        Random(Draws::new(options))
    }
}

impl<B: Bits> Agent<Position<B>> for Random {
    fn name(&self) -> String {
        "Random".into()
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.0.configure(options);
        Ok(())
    }

    fn new_game(&mut self) {
        self.0.restart();
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        _control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let weight = |m: Move| u32::from(position.stock(position.side_to_move(), m.shape));
        let moves = candidates(position, limits);
        let total: u32 = moves.iter().map(|&m| weight(m)).sum();
        let mut left = self.0.rng.random_range(0..total.max(1));
        moves.into_iter().find(|&m| {
            let chosen = left < weight(m);
            left = left.saturating_sub(weight(m));
            chosen
        })
    }
}
