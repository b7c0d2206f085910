//! The network of Colosseum's agents.

use std::marker::PhantomData;

use colosseum::net::{BIAS, INPUTS, OUTPUT, ROWS, UNITS, WHOLE};
use colosseum::{Cells, Colosseum, Position};
use game::net::ONE;
use game::{Game, Notation, Rules, Ruleset, Side};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::layer;
use crate::{Error, HUNDRED, Model};

/// Largest weight of an input, so that it fits 16 bits in 1/[`WHOLE`].
const LARGEST: f32 = 7.9;

/// See `colosseum::net`. Its positions are in sets of type `B`: any that holds them for a fit, for games the smallest, as these
/// take several times as long in larger ones.
pub(crate) struct AgentNet<B>(PhantomData<B>);

/// Rows of the boards that games are played on, each as often as it stands there, by the most that the set type holds.
fn sizes(most: u32) -> &'static [u32] {
    match most {
        8 => &[5, 6, 6, 7, 7, 8, 8, 8],
        11 => &[9, 10, 10, 11, 11],
        13 => &[12, 12, 13],
        _ => &[14, 16],
    }
}

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

impl<B: Cells> Model for AgentNet<B> {
    type Position = Position<B>;
    type Inputs = Inputs;
    /// The sums of the units.
    type Pass = [f32; UNITS];

    const RANDOM_PLIES: u32 = 12;
    const BALANCED: Option<i32> = Some(150);

    /// A start of the usual game on a board of one of the sizes.
    fn opening(rng: &mut Pcg64) -> Result<Position<B>, Error> {
        let sizes = sizes(B::MAX_SIZE);
        let size = sizes[rng.random_range(0..sizes.len() as u32) as usize].to_string();
        let seed = rng.random_range(0..u32::MAX).to_string();
        let rules = Ruleset::<Colosseum>::new();
        let start = rules.start(&rules.setup(&[("size", &size), ("seed", &seed)])?);
        Ok(Position::from_fen(&start.fen())?)
    }

    fn inputs(position: &Position<B>) -> Option<Inputs> {
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
