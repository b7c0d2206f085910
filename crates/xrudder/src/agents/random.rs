use game::{Agent, Control, Game, Limits, Options, Record};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{SEED, wanted};
use crate::geometry::Cells;
use crate::position::{Move, Position};

/// Draws one of the legal actions, each as likely as the others.
pub(super) struct Random {
    seed: u64,
    rng: Pcg64,
}

impl Random {
    pub(super) fn new(options: &Options) -> Random {
        let seed = seed(options);
        Random { seed, rng: Pcg64::seed_from_u64(seed) }
    }
}

fn seed(options: &Options) -> u64 {
    options.int(SEED).unwrap_or(0) as u64
}

impl<B: Cells> Agent<Position<B>> for Random {
    fn name(&self) -> String {
        "Random".into()
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        if seed(options) != self.seed {
            *self = Random::new(options);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.rng = Pcg64::seed_from_u64(self.seed);
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        _control: &dyn Control<Move>,
    ) -> Option<Move> {
        let mut moves = record.position().legal_moves();
        moves.retain(|&m| wanted(limits, m));
        if moves.is_empty() { None } else { Some(moves[self.rng.random_range(0..moves.len())]) }
    }
}
