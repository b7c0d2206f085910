//! The network of Simplexity's usual board.

use rand::RngExt;
use rand_pcg::Pcg64;
use simplexity::Position;
use simplexity::net::{INPUTS, ONE, ROWS, UNITS, mirrored};

use crate::{HUNDRED, Model};

/// Units without their twins.
const PAIRS: usize = UNITS / 2;
/// Largest weight, so that no sum of the network overflows its 16 bits.
const LARGEST: f32 = 2.7;
/// First weight of the output, behind a row of each input; both of the units without their twins.
const OUTPUT: usize = INPUTS * PAIRS;

/// See `simplexity::net`.
pub(crate) struct BoardNet;

fn row(weights: &[f32], input: usize) -> &[f32] {
    &weights[input * PAIRS..(input + 1) * PAIRS]
}

impl Model for BoardNet {
    type Position = Position<u64>;
    type Inputs = Vec<u16>;
    /// The sums of the units and of their twins.
    type Pass = [[f32; PAIRS]; 2];

    const START: &str = "7/7/7/7/7/7 w 10,11,10,11 4";
    const RANDOM_PLIES: u32 = 22;
    const KEPT: usize = 12;
    const ASIDE: bool = false;

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
        let mut sums = [[0.0; PAIRS]; 2];
        for &input in inputs {
            let input = usize::from(input);
            for (sums, input) in sums.iter_mut().zip([input, mirrored(input)]) {
                sums.iter_mut().zip(row(weights, input)).for_each(|(sum, weight)| *sum += weight);
            }
        }
        let given = |i: usize| sums[0][i].clamp(0.0, 1.0) + sums[1][i].clamp(0.0, 1.0);
        let value = weights[OUTPUT..].iter().enumerate().map(|(i, weight)| weight * given(i)).sum();
        (value, sums)
    }

    fn add_gradient(weights: &[f32], inputs: &Vec<u16>, sums: &Self::Pass, error: f32, gradient: &mut [f32]) {
        for (half, sums) in sums.iter().enumerate() {
            let mut at_units = [0.0; PAIRS];
            for (i, &sum) in sums.iter().enumerate() {
                gradient[OUTPUT + i] += error * sum.clamp(0.0, 1.0);
                if 0.0 < sum && sum < 1.0 {
                    at_units[i] = error * weights[OUTPUT + i];
                }
            }
            for &input in inputs {
                let input = usize::from(input);
                let row = if half == 0 { input } else { mirrored(input) };
                let row = &mut gradient[row * PAIRS..(row + 1) * PAIRS];
                row.iter_mut().zip(at_units).for_each(|(sum, more)| *sum += more);
            }
        }
    }

    fn largest(weight: usize) -> f32 {
        if weight < OUTPUT { LARGEST } else { f32::MAX }
    }

    fn to_bytes(weights: &[f32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut push = |weights: &[f32], scale: f32| {
            bytes.extend(weights.iter().flat_map(|w| ((w * scale).round() as i16).to_le_bytes()));
        };
        for input in 0..ROWS {
            let (twin, scale) =
                if input == INPUTS { (input, HUNDRED) } else { (mirrored(input), f32::from(ONE)) };
            push(row(weights, input), scale);
            push(row(weights, twin), scale);
        }
        bytes
    }
}
