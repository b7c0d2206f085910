use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::{OptionKind, OptionSpec, Options};

/// The random stream of an agent, fixed by its option [`Draws::OPTION`] and begun anew with each game.
#[derive(Clone, Debug)]
pub struct Draws {
    seed: u64,
    /// The stream itself.
    pub rng: Pcg64,
}

impl Draws {
    /// Any value, 0 too, fixes all draws of a game.
    pub const OPTION: OptionSpec =
        OptionSpec { name: "Seed", kind: OptionKind::Spin { default: 0, min: 0, max: i64::MAX } };

    /// The stream that the options ask for, at its beginning.
    pub fn new(options: &Options) -> Draws {
        let seed = seed(options);
        Draws { seed, rng: Pcg64::seed_from_u64(seed) }
    }

    /// Begins another stream if the options ask for one.
    pub fn configure(&mut self, options: &Options) {
        if seed(options) != self.seed {
            *self = Draws::new(options);
        }
    }

    /// Begins the stream anew.
    pub fn restart(&mut self) {
        self.rng = Pcg64::seed_from_u64(self.seed);
    }

    /// One of `list`, each as likely as the others; `None` if it is empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        // A constant width keeps the draws the same on every machine.
        let most = u32::try_from(list.len()).ok().filter(|&n| n > 0)?;
        list.get(self.rng.random_range(0..most) as usize).copied()
    }
}

fn seed(options: &Options) -> u64 {
    options.int(Draws::OPTION.name).unwrap_or(0) as u64
}
