use game::{Agent, Control, Draws, Limits, Options, Record};

use super::candidates;
use crate::geometry::Cell;
use crate::position::Position;

/// Draws one of the legal moves, each as likely as the others.
pub(super) struct Random(Draws);

impl Random {
    pub(super) fn new(options: &Options) -> Random {
        Random(Draws::new(options))
    }
}

impl<const N: usize> Agent<Position<N>> for Random {
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
        record: &Record<Position<N>>,
        limits: &Limits<Cell>,
        _control: &dyn Control<Cell>,
    ) -> Option<Cell> {
        self.0.pick(&candidates(record.position(), limits))
    }
}
