use game::{Agent, Control, Draws, Game, Limits, Options, Record};

use crate::geometry::Cells;
use crate::position::{Move, Position};

/// Draws one of the legal actions, each as likely as the others.
pub(super) struct Random(Draws);

impl Random {
    pub(super) fn new(options: &Options) -> Random {
        Random(Draws::new(options))
    }
}

impl<B: Cells> Agent<Position<B>> for Random {
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
        let mut moves = record.position().legal_moves();
        moves.retain(|m| limits.allows(m));
        self.0.pick(&moves)
    }
}
