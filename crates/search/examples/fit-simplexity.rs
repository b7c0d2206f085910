//! Fits the network that judges Simplexity's usual board.
//!
//! ```text
//! fit-simplexity games SEED COUNT NODES > FILE      games of the engine against itself, a line per position
//! fit-simplexity fit EPOCHS WEIGHTS FILE...         a network fitted to the positions of all files
//! ```
//!
//! A game begins with some random moves, mostly few; after that the engine plays with so many nodes a move. Of the first
//! positions after the random moves those are kept in which nothing is settled: `game|fen|score|result`, the score in
//! hundredths for the side to move and the result 1 for a win of White, 0 for one of Red, 0.5 for a draw.
//!
//! The network predicts the mean of the result and of the winning chances that the score stands for, with the cross
//! entropy as loss and Adam (Kingma and Ba 2015) as the method. What a score stands for is fitted for each file (logistic
//! regression). Every tenth game is left out, and the loss on the results of those is printed after each epoch.

use std::fs::{File, write};
use std::io::{BufRead, BufReader, Write, stdout};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use game::{Agent, Control, Evaluate, Game, Limits, Notation, Options, Record, Report, Score, Side, Tactics};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use search::{OPTIONS, Searcher};
use simplexity::Position;
use simplexity::net::{INPUTS, ONE, ROWS, UNITS, mirrored};

type Board = Position<u64>;
type Error = Box<dyn std::error::Error>;

const START: &str = "7/7/7/7/7/7 w 10,11,10,11 4";
/// Positions kept of a game.
const KEPT: usize = 12;
/// Units without their twins.
const PAIRS: usize = UNITS / 2;
/// Largest weight, so that no sum of the network overflows its 16 bits.
const LARGEST: f32 = 2.7;
/// What a weight of the output is multiplied by: values are hundredths.
const HUNDRED: f32 = 100.0;
const BATCH: usize = 256;
const SEED: u64 = 1;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["games", seed, count, nodes] => play_games(seed, count, nodes),
        ["fit", epochs, weights, ref files @ ..] if !files.is_empty() => fit(epochs, weights, files),
        _ => Err("expected: games SEED COUNT NODES, or: fit EPOCHS WEIGHTS FILE...".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fit-simplexity: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Keeps the last score of a search.
struct LastScore(Mutex<Option<Score>>);

impl<M> Control<M> for LastScore {
    fn stopped(&self) -> bool {
        false
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &Report<'_, M>) -> ControlFlow<()> {
        *self.0.lock().expect("no search panics") = Some(report.score);
        ControlFlow::Continue(())
    }
}

fn play_games(seed: &str, count: &str, nodes: &str) -> Result<(), Error> {
    let mut rng = Pcg64::seed_from_u64(seed.parse()?);
    let limits = Limits { nodes: Some(nodes.parse()?), ..Limits::default() };
    let mut engine: Searcher<Board> = Searcher::new(&Options::defaults(OPTIONS), "")?;
    let mut out = stdout().lock();
    for game in 0..count.parse::<u64>()? {
        engine.new_game();
        let mut position = Board::from_fen(START)?;
        let plies = 2 + rng.random_range(0..22_u32).min(rng.random_range(0..22));
        for _ in 0..plies {
            if position.outcome().is_none() {
                let moves = position.legal_moves();
                position.play_unchecked(moves[(rng.next_u64() % moves.len() as u64) as usize]);
            }
        }
        let mut kept = Vec::new();
        while position.outcome().is_none() {
            let last = LastScore(Mutex::new(None));
            let m = engine.think(&Record::new(position.clone()), &limits, &last).ok_or("no move")?;
            let score = last.0.into_inner()?;
            if let (Tactics::Open, Some(Score::Cp(score))) = (position.tactics(), score)
                && kept.len() < KEPT
            {
                kept.push((position.fen(), score));
            }
            position.play_unchecked(m);
        }
        let result = match position.outcome().and_then(|outcome| outcome.winner) {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        };
        for (fen, score) in kept {
            writeln!(out, "{game}|{fen}|{score}|{result}")?;
        }
    }
    Ok(())
}

/// What is known of a position.
struct Sample {
    inputs: Vec<u16>,
    /// For White, in units.
    score: f32,
    /// White's: 0, 0.5 or 1.
    result: f32,
}

fn read_sample(line: &str) -> Result<(u64, Sample), Error> {
    let [game, fen, score, result] = line.split('|').collect::<Vec<_>>()[..] else {
        return Err("expected game|fen|score|result".into());
    };
    let position = Board::from_fen(fen)?;
    if !position.suits_net() {
        return Err(format!("no position of the usual game: {fen}").into());
    }
    let mut inputs = Vec::new();
    position.for_each_input(|input| inputs.push(input as u16));
    let score = score.parse::<f32>()? / HUNDRED;
    let score = if position.side_to_move() == Side::First { score } else { -score };
    Ok((game.parse()?, Sample { inputs, score, result: result.parse()? }))
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn cross_entropy(predicted: f32, result: f32) -> f64 {
    let [win, loss] = [predicted, 1.0 - predicted].map(|p| f64::from(p.max(1e-6)).ln());
    let result = f64::from(result);
    -(result * win + (1.0 - result) * loss)
}

/// The factor that makes scores the logarithm of the odds of their results: Newton's method.
fn slope(samples: &[Sample]) -> f32 {
    let mut slope = 0.5;
    for _ in 0..20 {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for Sample { score, result, .. } in samples {
            let predicted = logistic(slope * score);
            gradient += f64::from((result - predicted) * score);
            curvature += f64::from(predicted * (1.0 - predicted) * score * score);
        }
        slope += (gradient / curvature) as f32;
    }
    slope
}

/// A row of each input and the weights of the output, of the units without their twins.
struct Net(Vec<f32>);

const OUTPUT: usize = INPUTS * PAIRS;

impl Net {
    fn new(rng: &mut Pcg64) -> Net {
        let mut even = |width: f32| (rng.random::<f32>() - 0.5) * width;
        let rows = (0..OUTPUT).map(|_| even(0.3)).collect::<Vec<_>>();
        let output = (0..PAIRS).map(|_| even(2.0)).collect::<Vec<_>>();
        Net([rows, output].concat())
    }

    fn row(&self, input: usize) -> &[f32] {
        &self.0[input * PAIRS..(input + 1) * PAIRS]
    }

    /// The sums of the units and of their twins.
    fn sums(&self, inputs: &[u16]) -> [[f32; PAIRS]; 2] {
        let mut sums = [[0.0; PAIRS]; 2];
        for &input in inputs {
            let input = usize::from(input);
            for (sums, row) in sums.iter_mut().zip([self.row(input), self.row(mirrored(input))]) {
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
        sums
    }

    /// The logarithm of White's odds.
    fn value(&self, sums: &[[f32; PAIRS]; 2]) -> f32 {
        let given = |i: usize| sums[0][i].clamp(0.0, 1.0) + sums[1][i].clamp(0.0, 1.0);
        self.0[OUTPUT..].iter().enumerate().map(|(i, weight)| weight * given(i)).sum()
    }

    /// Adds the gradient of one sample's loss, whose prediction is `error` too high.
    fn add_gradient(&self, inputs: &[u16], sums: &[[f32; PAIRS]; 2], error: f32, gradient: &mut [f32]) {
        for (half, sums) in sums.iter().enumerate() {
            let mut at_units = [0.0; PAIRS];
            for (i, &sum) in sums.iter().enumerate() {
                gradient[OUTPUT + i] += error * sum.clamp(0.0, 1.0);
                if 0.0 < sum && sum < 1.0 {
                    at_units[i] = error * self.0[OUTPUT + i];
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

    fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |s: &Sample| cross_entropy(logistic(self.value(&self.sums(&s.inputs))), s.result);
        samples.iter().map(loss).sum::<f64>() / samples.len() as f64
    }

    /// The file that the game is built with.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut push = |weights: &[f32], scale: f32| {
            bytes.extend(weights.iter().flat_map(|w| ((w * scale).round() as i16).to_le_bytes()));
        };
        for input in 0..ROWS {
            let (twin, scale) =
                if input == INPUTS { (input, HUNDRED) } else { (mirrored(input), f32::from(ONE)) };
            push(self.row(input), scale);
            push(self.row(twin), scale);
        }
        bytes
    }
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

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.rest = [self.rest[0] * Self::MEAN, self.rest[1] * Self::SQUARE];
        for (i, &g) in gradient.iter().enumerate() {
            self.mean[i] += (1.0 - Self::MEAN) * (g - self.mean[i]);
            self.square[i] += (1.0 - Self::SQUARE) * (g * g - self.square[i]);
            let [mean, square] = [self.mean[i] / (1.0 - self.rest[0]), self.square[i] / (1.0 - self.rest[1])];
            let largest = if i < OUTPUT { LARGEST } else { f32::MAX };
            weights[i] = (weights[i] - rate * mean / (square.sqrt() + 1e-7)).clamp(-largest, largest);
        }
    }
}

fn fit(epochs: &str, weights: &str, files: &[&str]) -> Result<(), Error> {
    let epochs: u32 = epochs.parse()?;
    let (mut training, mut validation) = (Vec::new(), Vec::new());
    for file in files {
        let mut samples = Vec::new();
        let mut games = Vec::new();
        for (number, line) in (1..).zip(BufReader::new(File::open(file)?).lines()) {
            let (game, sample) = read_sample(&line?).map_err(|e| format!("{file}, line {number}: {e}"))?;
            games.push(game);
            samples.push(sample);
        }
        let slope = slope(&samples);
        println!(
            "{file}: {} positions, a score of 1 is worth {slope:.3} in the logarithm of the odds",
            samples.len()
        );
        for (game, sample) in games.into_iter().zip(samples) {
            if game % 10 == 9 {
                validation.push(sample);
            } else {
                let aim = f32::midpoint(sample.result, logistic(slope * sample.score));
                training.push((sample.inputs, aim));
            }
        }
    }
    println!("{} positions to fit, {} to validate, seed {SEED}", training.len(), validation.len());
    let mut rng = Pcg64::seed_from_u64(SEED);
    let mut net = Net::new(&mut rng);
    let size = net.0.len();
    let mut adam = Adam { mean: vec![0.0; size], square: vec![0.0; size], rest: [1.0; 2] };
    for epoch in 0..epochs {
        for i in (1..training.len() as u64).rev() {
            training.swap(i as usize, rng.random_range(0..=i) as usize);
        }
        let rate = 0.004 * (epochs - epoch) as f32 / epochs as f32;
        for batch in training.chunks(BATCH) {
            let mut gradient = vec![0.0; size];
            for (inputs, aim) in batch {
                let sums = net.sums(inputs);
                let error = (logistic(net.value(&sums)) - aim) / batch.len() as f32;
                net.add_gradient(inputs, &sums, error, &mut gradient);
            }
            adam.step(&mut net.0, &gradient, rate);
        }
        println!("epoch {}: loss {:.5}", epoch + 1, net.loss(&validation));
    }
    Ok(write(weights, net.to_bytes())?)
}
