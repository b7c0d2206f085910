use bits::Bits;
use game::{Agent, Control, Game, Limits, Options, Record};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{SEED, candidates};
use crate::piece::Move;
use crate::position::Position;

/// Draws a shape in proportion to the mover's stock and, independently, one of the open columns.
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

impl<B: Bits> Agent<Position<B>> for Random {
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
        let position = record.position();
        let weight = |m: Move| u32::from(position.stock(position.side_to_move(), m.shape));
        let moves = candidates(position, limits);
        let total: u32 = moves.iter().map(|&m| weight(m)).sum();
        let mut left = self.rng.random_range(0..total.max(1));
        moves.into_iter().find(|&m| {
            let chosen = left < weight(m);
            left = left.saturating_sub(weight(m));
            chosen
        })
    }
}
