//! Weights fitted to positions.

use std::collections::HashSet;
use std::fs::{File, write};
use std::io::{BufRead, BufReader};

use game::{Game, Notation, Score, Side};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::{Error, HUNDRED, Model, to_bytes};

const BATCH: usize = 256;
const RATE: f32 = 0.004;
const SEED: u64 = 1;

/// What is known of a position, all for the first side.
pub(crate) struct Sample<I> {
    inputs: I,
    score: Scored,
    /// 0, 0.5 or 1, if the position was part of a game.
    result: Option<f32>,
}

enum Scored {
    /// In units.
    Estimate(f32),
    /// 0, 0.5 or 1.
    Proven(f32),
}

/// The number of the game, the key of the position and what is known of it.
fn read_sample<M: Model>(line: &str) -> Result<(u64, u64, Sample<M::Inputs>), Error> {
    let [game, fen, score, result] = line.split('|').collect::<Vec<_>>()[..] else {
        return Err("expected game|fen|score|result".into());
    };
    let position = M::Position::from_fen(fen)?;
    let inputs = M::inputs(&position).ok_or_else(|| format!("no position of the usual game: {fen}"))?;
    let score = match score {
        "win" => Score::Win(0),
        "loss" => Score::Loss(0),
        score => Score::Cp(score.parse()?),
    };
    let result = if result == "?" { None } else { Some(result.parse()?) };
    Ok((game.parse()?, position.key(), Sample::new(inputs, position.side_to_move(), score, result)))
}

impl<I> Sample<I> {
    /// `score` is the mover's, `result` the first side's.
    pub(crate) fn new(inputs: I, mover: Side, score: Score, result: Option<f32>) -> Sample<I> {
        let first = mover == Side::First;
        let score = match score {
            Score::Cp(score) => Scored::Estimate(if first { score } else { -score } as f32 / HUNDRED),
            Score::Win(_) => Scored::Proven(if first { 1.0 } else { 0.0 }),
            Score::Loss(_) => Scored::Proven(if first { 0.0 } else { 1.0 }),
            Score::Draw(_) => Scored::Proven(0.5),
        };
        Sample { inputs, score, result }
    }

    /// What the function should say, if a score of 1 is worth `slope` in the logarithm of the odds.
    fn aim(&self, slope: f32) -> f32 {
        match self.score {
            Scored::Proven(result) => result,
            Scored::Estimate(score) => {
                let chance = logistic(slope * score);
                self.result.map_or(chance, |result| f32::midpoint(result, chance))
            }
        }
    }
}

pub(crate) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

pub(crate) fn cross_entropy(predicted: f32, result: f32) -> f64 {
    let [win, loss] = [predicted, 1.0 - predicted].map(|p| f64::from(p.max(1e-6)).ln());
    let result = f64::from(result);
    -(result * win + (1.0 - result) * loss)
}

/// The factor that makes values the logarithm of the odds of their results: Newton's method.
pub(crate) fn slope(values_and_results: &[(f32, f32)]) -> f32 {
    let mut slope = 0.0;
    for _ in 0..20 {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for &(value, result) in values_and_results {
            let predicted = logistic(slope * value);
            gradient += f64::from((result - predicted) * value);
            curvature += f64::from(predicted * (1.0 - predicted) * value * value);
        }
        slope += (gradient / curvature) as f32;
    }
    slope
}

/// A position with what the function should say of it.
pub(crate) type Aimed<I> = (I, f32);

/// Positions to fit to and positions to validate with, each where it is met first.
pub(crate) struct Corpus<I> {
    pub training: Vec<Aimed<I>>,
    pub validation: Vec<Aimed<I>>,
    met: HashSet<u64>,
}

impl<I> Corpus<I> {
    pub(crate) fn new() -> Corpus<I> {
        Corpus { training: Vec::new(), validation: Vec::new(), met: HashSet::new() }
    }

    /// Takes in samples whose scores have one scale, each with the number of its game and the key of its position. Gives how
    /// many were not met before, and the factor for their scores.
    pub(crate) fn add(&mut self, mut samples: Vec<(u64, u64, Sample<I>)>) -> (usize, f32) {
        samples.retain(|(_, key, _)| self.met.insert(*key));
        let scored = samples.iter().filter_map(|(.., sample)| match (&sample.score, sample.result) {
            (&Scored::Estimate(score), Some(result)) => Some((score, result)),
            _ => None,
        });
        let (count, slope) = (samples.len(), slope(&scored.collect::<Vec<_>>()));
        for (game, _, sample) in samples {
            let aim = sample.aim(slope);
            let part = if game % 10 == 9 { &mut self.validation } else { &mut self.training };
            part.push((sample.inputs, aim));
        }
        (count, slope)
    }
}

/// Mean loss on what the function should say.
fn loss<M: Model>(weights: &[f32], samples: &[Aimed<M::Inputs>]) -> f64 {
    let loss = |(inputs, aim): &Aimed<M::Inputs>| cross_entropy(logistic(M::value(weights, inputs).0), *aim);
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}

/// The moving averages of Adam.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// What is left of the beginning in either average.
    rest: [f32; 2],
}

impl Adam {
    /// How much of the averages stays.
    const MEAN: f32 = 0.9;
    const SQUARE: f32 = 0.999;

    fn new(size: usize) -> Adam {
        Adam { mean: vec![0.0; size], square: vec![0.0; size], rest: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, largest: impl Fn(usize) -> f32) {
        self.rest = [self.rest[0] * Self::MEAN, self.rest[1] * Self::SQUARE];
        for (i, &g) in gradient.iter().enumerate() {
            self.mean[i] += (1.0 - Self::MEAN) * (g - self.mean[i]);
            self.square[i] += (1.0 - Self::SQUARE) * (g * g - self.square[i]);
            let [mean, square] = [self.mean[i] / (1.0 - self.rest[0]), self.square[i] / (1.0 - self.rest[1])];
            weights[i] = (weights[i] - rate * mean / (square.sqrt() + 1e-7)).clamp(-largest(i), largest(i));
        }
    }
}

/// Fits a network, from these weights on or from random ones.
pub(crate) fn fit<M: Model>(
    epochs: u32,
    weights: Option<Vec<f32>>,
    output: &str,
    files: &[&str],
) -> Result<(), Error> {
    let mut corpus = Corpus::new();
    for file in files {
        let mut samples = Vec::new();
        for (number, line) in (1..).zip(BufReader::new(File::open(file)?).lines()) {
            samples.push(read_sample::<M>(&line?).map_err(|e| format!("{file}, line {number}: {e}"))?);
        }
        let (count, slope) = corpus.add(samples);
        println!("{file}: {count} positions, a score of 1 is worth {slope:.3} in the logarithm of the odds");
    }
    let Corpus { mut training, validation, .. } = corpus;
    println!("{} positions to fit, {} to validate, seed {SEED}", training.len(), validation.len());
    let mut rng = Pcg64::seed_from_u64(SEED);
    let full = if weights.is_some() { RATE / 2.0 } else { RATE };
    let mut weights = weights.unwrap_or_else(|| M::start(&mut rng));
    println!("before: loss {:.5}", loss::<M>(&weights, &validation));
    let mut adam = Adam::new(weights.len());
    for epoch in 0..epochs {
        for i in (1..training.len() as u64).rev() {
            training.swap(i as usize, rng.random_range(0..=i) as usize);
        }
        let rate = full * (epochs - epoch) as f32 / epochs as f32;
        for batch in training.chunks(BATCH) {
            let mut gradient = vec![0.0; weights.len()];
            for (inputs, aim) in batch {
                let (value, pass) = M::value(&weights, inputs);
                let error = (logistic(value) - aim) / batch.len() as f32;
                M::add_gradient(&weights, inputs, &pass, error, &mut gradient);
            }
            adam.step(&mut weights, &gradient, rate, M::largest);
        }
        println!("epoch {}: loss {:.5}", epoch + 1, loss::<M>(&weights, &validation));
    }
    Ok(write(output, to_bytes::<M>(&weights))?)
}
