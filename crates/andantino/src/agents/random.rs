use game::{Agent, Control, Limits, OptionKind, OptionSpec, Options, Record};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::candidates;
use crate::geometry::Cell;
use crate::position::Position;

/// Any value, 0 too, fixes all draws of a game.
const SEED: &str = "Seed";

pub(super) const OPTIONS: &[OptionSpec] =
    &[OptionSpec { name: SEED, kind: OptionKind::Spin { default: 0, min: 0, max: i64::MAX } }];

/// Draws one of the legal moves, each as likely as the others.
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

impl<const N: usize> Agent<Position<N>> for Random {
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
        record: &Record<Position<N>>,
        limits: &Limits<Cell>,
        _control: &dyn Control<Cell>,
    ) -> Option<Cell> {
        let moves = candidates(record.position(), limits);
        // A constant width keeps the draws the same on every machine.
        let most = u32::try_from(moves.len()).ok().filter(|&n| n > 0)?;
        moves.get(self.rng.random_range(0..most) as usize).copied()
    }
}
