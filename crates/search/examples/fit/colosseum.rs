//! The network of Colosseum's agents.

use bits::Wide;
use colosseum::net::{BIAS, INPUTS, OUTPUT, ROWS, UNITS, WHOLE};
use colosseum::{Colosseum, Position};
use game::net::ONE;
use game::{Game, Notation, Rules, Ruleset, Side};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::layer;
use crate::{Error, HUNDRED, Model};

/// Largest weight of an input, so that it fits 16 bits in 1/[`WHOLE`].
const LARGEST: f32 = 7.9;

/// Rows of the boards that games are played on, each as often as it stands here.
const SIZES: [u32; 12] = [5, 6, 6, 7, 8, 8, 9, 10, 11, 12, 12, 14];

/// See `colosseum::net`.
pub(crate) struct AgentNet;

/// The inputs for the mover, and what turns the mover's value into the first side's.
pub(crate) struct Inputs {
    numbers: [f32; INPUTS],
    sign: f32,
}

impl Inputs {
    /// The rows of the network, each with its input.
    fn rows(&self) -> impl Iterator<Item = (usize, f32)> {
        [(BIAS, 1.0)].into_iter().chain(self.numbers.iter().copied().enumerate())
    }
}

impl Model for AgentNet {
    type Position = Position<Wide<4>>;
    type Inputs = Inputs;
    /// The sums of the units.
    type Pass = [f32; UNITS];

    const RANDOM_PLIES: u32 = 12;
    const BALANCED: Option<i32> = None;

    /// A start of the usual game on a board of any of the sizes.
    fn opening(rng: &mut Pcg64) -> Result<Position<Wide<4>>, Error> {
        let size = SIZES[rng.random_range(0..SIZES.len() as u32) as usize].to_string();
        let seed = rng.random_range(0..u32::MAX).to_string();
        let rules = Ruleset::<Colosseum>::new();
        let start = rules.start(&rules.setup(&[("size", &size), ("seed", &seed)])?);
        Ok(Position::from_fen(&start.fen())?)
    }

    fn inputs(position: &Position<Wide<4>>) -> Option<Inputs> {
        let sign = if position.side_to_move() == Side::First { 1.0 } else { -1.0 };
        Some(Inputs { numbers: position.inputs().map(|input| f32::from(input) / WHOLE as f32), sign })
    }

    fn start(rng: &mut Pcg64) -> Vec<f32> {
        (0..ROWS * UNITS).map(|_| (rng.random::<f32>() - 0.5) * 0.4).collect()
    }

    fn value(weights: &[f32], inputs: &Inputs) -> (f32, [f32; UNITS]) {
        let sums = layer::sums(weights, inputs.rows());
        (layer::value(weights, OUTPUT, &sums) * inputs.sign, sums)
    }

    fn add_gradient(weights: &[f32], inputs: &Inputs, sums: &[f32; UNITS], error: f32, gradient: &mut [f32]) {
        layer::add_gradient(weights, inputs.rows(), OUTPUT, sums, error * inputs.sign, gradient);
    }

    fn largest(weight: usize) -> f32 {
        if weight < OUTPUT * UNITS { LARGEST } else { f32::MAX }
    }

    fn layout() -> Vec<(usize, f32)> {
        let scale = |line: usize| match line {
            OUTPUT => HUNDRED,
            BIAS => f32::from(ONE),
            _ => WHOLE as f32,
        };
        (0..ROWS * UNITS).map(|weight| (weight, scale(weight / UNITS))).collect()
    }
}
