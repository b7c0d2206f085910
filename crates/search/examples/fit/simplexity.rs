//! The network of Simplexity's usual board.

use game::Notation;
use game::net::ONE;
use rand::RngExt;
use rand_pcg::Pcg64;
use simplexity::Position;
use simplexity::net::{INPUTS, ROWS, UNITS, mirrored};

use crate::layer;
use crate::{Error, HUNDRED, Model};

/// Units without their twins.
const PAIRS: usize = UNITS / 2;
/// Largest weight, so that no sum of the network overflows its 16 bits.
const LARGEST: f32 = 2.7;
/// First weight of the output, behind a row of each input; both of the units without their twins.
const OUTPUT: usize = INPUTS * PAIRS;

/// See `simplexity::net`.
pub(crate) struct BoardNet;

/// The rows of the inputs that hold, for the units and for their twins.
fn halves(inputs: &[u16]) -> [impl Iterator<Item = (usize, f32)>; 2] {
    [false, true].map(|is_twin| {
        let input = inputs.iter().map(|&input| usize::from(input));
        input.map(move |input| (if is_twin { mirrored(input) } else { input }, 1.0))
    })
}

impl Model for BoardNet {
    type Position = Position<u64>;
    type Inputs = Vec<u16>;
    /// The sums of the units and of their twins.
    type Pass = [[f32; PAIRS]; 2];

    const RANDOM_PLIES: u32 = 22;
    const BALANCED: Option<i32> = Some(100);

    fn opening(_: &mut Pcg64) -> Result<Position<u64>, Error> {
        Ok(Position::from_fen("7/7/7/7/7/7 w 10,11,10,11 4")?)
    }

    fn inputs(position: &Position<u64>) -> Option<Vec<u16>> {
        let mut inputs = Vec::new();
        position.suits_net().then(|| position.for_each_input(|input| inputs.push(input as u16)))?;
        Some(inputs)
    }

    fn start(rng: &mut Pcg64) -> Vec<f32> {
        let mut even = |width: f32| (rng.random::<f32>() - 0.5) * width;
        let rows = (0..OUTPUT).map(|_| even(0.3)).collect::<Vec<_>>();
        let output = (0..PAIRS).map(|_| even(2.0)).collect::<Vec<_>>();
        [rows, output].concat()
    }

    fn value(weights: &[f32], inputs: &Vec<u16>) -> (f32, Self::Pass) {
        let sums = halves(inputs).map(|rows| layer::sums(weights, rows));
        let given = |i: usize| sums[0][i].clamp(0.0, 1.0) + sums[1][i].clamp(0.0, 1.0);
        let value = weights[OUTPUT..].iter().enumerate().map(|(i, weight)| weight * given(i)).sum();
        (value, sums)
    }

    fn add_gradient(weights: &[f32], inputs: &Vec<u16>, sums: &Self::Pass, error: f32, gradient: &mut [f32]) {
        for (rows, sums) in halves(inputs).into_iter().zip(sums) {
            layer::add_gradient(weights, rows, INPUTS, sums, error, gradient);
        }
    }

    fn largest(weight: usize) -> f32 {
        if weight < OUTPUT { LARGEST } else { f32::MAX }
    }

    fn layout() -> Vec<(usize, f32)> {
        let rows = (0..ROWS).flat_map(|input| {
            let (twin, scale) =
                if input == INPUTS { (input, HUNDRED) } else { (mirrored(input), f32::from(ONE)) };
            [(input, scale), (twin, scale)]
        });
        rows.flat_map(|(row, scale)| (0..PAIRS).map(move |unit| (row * PAIRS + unit, scale))).collect()
    }
}
