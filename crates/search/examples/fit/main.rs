//! Fits what judges positions of the games to the engine's play against itself.
//!
//! ```text
//! fit GAME games SEED COUNT NODES > FILE      games of the engine against itself, a line per position
//! fit GAME weights EPOCHS OUTPUT FILE...      a network fitted to the positions of all files
//! fit GAME refine EPOCHS NETWORK FILE...      the same, beginning with a network in place of chance, at half the rate
//! fit GAME constants SETUP SEED COUNT NODES   the constants of the evaluation, from games of any set-up
//! fit andantino guess FILE...                 the line by which windows foretell the network's value
//! ```
//!
//! Games of `colosseum` are played on boards of 14 and 16 rows, those of `colosseum8`, `colosseum11` and `colosseum13` on boards of
//! 5 to 8, 9 to 11, and 12 and 13. `weights` and `refine` of `colosseum` take positions of all of them.
//!
//! The network predicts the mean of a game's result and of the winning chances that the score of a search stands for, with
//! the cross entropy as loss and Adam (Kingma and Ba 2015) as the method. What a score stands for is fitted for each file
//! (logistic regression). A position counts once, where it is met first. Every tenth game is left out, and the loss on those
//! is printed after each epoch. Constants, which are few, are moved up and down as long as the loss falls, with the factor that suits
//! their values best.

mod andantino;
mod colosseum;
mod constants;
mod layer;
mod regression;
mod selfplay;
mod simplexity;
mod xrudder;

use std::fs;
use std::process::ExitCode;

use bits::Wide;
use game::{Evaluate, Family, Notation};
use rand_pcg::Pcg64;

use crate::andantino::CellNet;
use crate::colosseum::AgentNet;
use crate::selfplay::Plan;
use crate::simplexity::BoardNet;
use crate::xrudder::PatternNet;

type Error = Box<dyn std::error::Error>;

/// What a weight of the output is multiplied by: values are hundredths.
const HUNDRED: f32 = 100.0;

/// A function of a position with weights to be fitted: the logarithm of the odds that the first side wins.
trait Model {
    type Position: Evaluate + Notation;
    /// What the function knows of a position.
    type Inputs;
    /// What it has computed on the way to a value.
    type Pass;

    /// More random moves than any game begins with besides those that all do.
    const RANDOM_PLIES: u32;
    /// The largest estimate, in hundredths, of a position that a game is played from.
    const BALANCED: Option<i32>;

    /// Where a game of self-play begins.
    fn opening(rng: &mut Pcg64) -> Result<Self::Position, Error>;

    /// `None` for a position that the function is not made for.
    fn inputs(position: &Self::Position) -> Option<Self::Inputs>;

    /// Weights to begin with.
    fn start(rng: &mut Pcg64) -> Vec<f32>;

    fn value(weights: &[f32], inputs: &Self::Inputs) -> (f32, Self::Pass);

    /// Adds to the gradient what the weights did to this value, times `error`.
    fn add_gradient(
        weights: &[f32],
        inputs: &Self::Inputs,
        pass: &Self::Pass,
        error: f32,
        gradient: &mut [f32],
    );

    /// The largest size of a weight, so that no sum of the integer network overflows.
    fn largest(weight: usize) -> f32;

    /// The numbers of the file that the game is built with: which weight each is, and what that is multiplied by. The last
    /// weight of all is among them.
    fn layout() -> Vec<(usize, f32)>;
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["andantino", "guess", ref files @ ..] if !files.is_empty() => andantino::guess(files),
        ["simplexity", ref rest @ ..] => run::<::simplexity::Simplexity, BoardNet>(rest),
        ["andantino", ref rest @ ..] => run::<::andantino::Andantino, CellNet>(rest),
        ["colosseum", ref rest @ ..] => run::<::colosseum::Colosseum, AgentNet<Wide<4>>>(rest),
        ["colosseum8", ref rest @ ..] => run::<::colosseum::Colosseum, AgentNet<u64>>(rest),
        ["colosseum11", ref rest @ ..] => run::<::colosseum::Colosseum, AgentNet<u128>>(rest),
        ["colosseum13", ref rest @ ..] => run::<::colosseum::Colosseum, AgentNet<Wide<3>>>(rest),
        ["xrudder", ref rest @ ..] => run::<::xrudder::XRudder, PatternNet>(rest),
        _ => {
            Err("expected: simplexity, xrudder, andantino, colosseum, colosseum8, colosseum11 or colosseum13"
                .into())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fit: {error}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "expected: games SEED COUNT NODES, weights EPOCHS OUTPUT FILE..., refine EPOCHS NETWORK FILE..., \
                     constants SETUP SEED COUNT NODES, or in andantino guess FILE...";

fn run<F: Family, M: Model>(words: &[&str]) -> Result<(), Error> {
    let plan = |[seed, count, nodes]: [&str; 3]| -> Result<Plan, Error> {
        let (random_plies, balanced) = (M::RANDOM_PLIES, M::BALANCED);
        Ok(Plan { seed: seed.parse()?, count: count.parse()?, nodes: nodes.parse()?, random_plies, balanced })
    };
    match *words {
        ["games", seed, count, nodes] => selfplay::print::<M>(&plan([seed, count, nodes])?),
        ["constants", setup, seed, count, nodes] => constants::fit::<F>(setup, plan([seed, count, nodes])?),
        ["weights", epochs, output, ref files @ ..] if !files.is_empty() => {
            regression::fit::<M>(epochs.parse()?, None, output, files)
        }
        ["refine", epochs, network, ref files @ ..] if !files.is_empty() => {
            regression::fit::<M>(epochs.parse()?, Some(read_network::<M>(network)?), network, files)
        }
        _ => Err(USAGE.into()),
    }
}

/// The file that the game is built with.
fn to_bytes<M: Model>(weights: &[f32]) -> Vec<u8> {
    let number = |(weight, scale): (usize, f32)| (weights[weight] * scale).round() as i16;
    M::layout().into_iter().flat_map(|place| number(place).to_le_bytes()).collect()
}

/// The weights in such a file.
fn read_network<M: Model>(path: &str) -> Result<Vec<f32>, Error> {
    let bytes = fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    let layout = M::layout();
    let (numbers, rest) = bytes.as_chunks();
    if numbers.len() != layout.len() || !rest.is_empty() {
        let (found, expected) = (bytes.len(), 2 * layout.len());
        return Err(format!("{path}: {found} bytes, expected a network of {expected}").into());
    }
    let count = layout.iter().map(|&(weight, _)| weight + 1).max().unwrap_or(0);
    let mut weights = vec![0.0; count];
    for ((weight, scale), &number) in layout.into_iter().zip(numbers) {
        weights[weight] = f32::from(i16::from_le_bytes(number)) / scale;
    }
    Ok(weights)
}
