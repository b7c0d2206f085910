//! The network of X-Rudder.

use bits::Wide;
use game::Notation;
use game::net::ONE;
use rand::RngExt;
use rand_pcg::Pcg64;
use xrudder::Position;
use xrudder::net::{INPUTS, MOST_TOKENS, PATTERNS, ROWS, UNITS, largest, mirrored, swapped};

use crate::layer;
use crate::{Error, HUNDRED, Model};

/// The row of the output.
const OUTPUT: usize = INPUTS;

/// See `xrudder::net`.
pub(crate) struct PatternNet;

/// The row that stands for this one: patterns that mirror each other are the same.
fn representative(row: usize) -> usize {
    let [down, left] = mirrored(row);
    row.min(down).min(left).min(mirrored(down)[1])
}

fn rows(inputs: &[u16]) -> impl Iterator<Item = (usize, f32)> {
    inputs.iter().map(|&input| (usize::from(input), 1.0))
}

impl Model for PatternNet {
    type Position = Position<Wide<11>>;
    /// The rows of the inputs that hold, for the units and for their twins.
    type Inputs = [Vec<u16>; 2];
    /// The sums of the units and of their twins.
    type Pass = [[f32; UNITS]; 2];

    const RANDOM_PLIES: u32 = 26;
    const BALANCED: Option<i32> = None;

    /// The start of the usual game or, more often, of one on another board, mostly with less to place and to move: without, no
    /// game would tell what it means to have far less in hand, and the search would try it.
    fn opening(rng: &mut Pcg64) -> Result<Position<Wide<11>>, Error> {
        let mut up_to = |most: u32| rng.random_range(0..=most);
        let (mut rows, mut cols, mut tokens, mut moves) = (10, 12, 15, 30);
        if up_to(2) > 0 {
            (rows, cols) = (5 + up_to(11), 5 + up_to(11));
            tokens = (rows * cols * (5 + up_to(7)) / 64).clamp(5, MOST_TOKENS / 2);
            moves = tokens + up_to(2 * tokens);
        }
        let most = if up_to(1) == 0 { 3 } else { tokens };
        let mut fewer = |most: u32| up_to(most).min(up_to(most));
        let (x, o, moves) = (tokens - fewer(most), tokens - fewer(most), moves - fewer(moves));
        let row = cols.to_string();
        let board = vec![row.as_str(); rows as usize].join("/");
        Ok(Position::from_fen(&format!("{board} x {x} {o} {moves}"))?)
    }

    fn inputs(position: &Position<Wide<11>>) -> Option<[Vec<u16>; 2]> {
        let mut inputs = [Vec::new(), Vec::new()];
        position.suits_net().then(|| {
            position.for_each_input(|input| {
                inputs[0].push(representative(input) as u16);
                inputs[1].push(representative(swapped(input)) as u16);
            });
        })?;
        Some(inputs)
    }

    /// Patterns that are never met have no weight.
    fn start(rng: &mut Pcg64) -> Vec<f32> {
        let mut even = |width: f32| (rng.random::<f32>() - 0.5) * width;
        let supplies = (PATTERNS * UNITS..OUTPUT * UNITS).map(|_| 0.25 + even(0.3)).collect();
        let output = (0..UNITS).map(|_| even(2.0)).collect();
        [vec![0.0; PATTERNS * UNITS], supplies, output].concat()
    }

    fn value(weights: &[f32], inputs: &[Vec<u16>; 2]) -> (f32, Self::Pass) {
        let sums = [0, 1].map(|half| layer::sums(weights, rows(&inputs[half])));
        let [units, twins] = [0, 1].map(|half| layer::value(weights, OUTPUT, &sums[half]));
        (units - twins, sums)
    }

    fn add_gradient(
        weights: &[f32],
        inputs: &[Vec<u16>; 2],
        sums: &Self::Pass,
        error: f32,
        gradient: &mut [f32],
    ) {
        for ((inputs, sums), error) in inputs.iter().zip(sums).zip([error, -error]) {
            layer::add_gradient(weights, rows(inputs), OUTPUT, sums, error, gradient);
        }
    }

    fn largest(weight: usize) -> f32 {
        match weight / UNITS {
            OUTPUT => f32::MAX,
            input => f32::from(largest(input)) / f32::from(ONE),
        }
    }

    fn layout() -> Vec<(usize, f32)> {
        let scale = |row: usize| if row == OUTPUT { HUNDRED } else { f32::from(ONE) };
        let rows = (0..ROWS).map(|row| (representative(row), scale(row)));
        rows.flat_map(|(row, scale)| (0..UNITS).map(move |unit| (row * UNITS + unit, scale))).collect()
    }
}
