//! The network of Andantino's playable cells, and the line by which the windows of five foretell its value.

use std::fs::File;
use std::io::{BufRead, BufReader};

use andantino::Position;
use andantino::net::{BIAS, OUTPUT, REST, ROWS, UNITS, VIEWS, reversed};
use game::net::ONE;
use game::{Evaluate, Game, Notation, Side};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::layer;
use crate::{Error, HUNDRED, Model};

/// Largest weight of the views, so that no sum of the network overflows its 16 bits.
const LARGEST: f32 = 18.0;

/// See `andantino::net`.
pub(crate) struct CellNet;

/// The rows of each cell, the balance of the windows in units, and what turns the mover's value into the first side's.
pub(crate) struct Inputs {
    cells: Vec<[u16; 6]>,
    balance: f32,
    sign: f32,
}

/// The row that stands for this one: views read from either end are the same.
fn representative(row: usize) -> usize {
    if row >= BIAS {
        return row;
    }
    let first = row / VIEWS * VIEWS;
    first + (row - first).min(reversed(row - first))
}

fn row(weights: &[f32], row: usize) -> &[f32] {
    layer::row::<UNITS>(weights, row)
}

/// The rows that add up to the sums of a cell.
fn rows_of(cell: &[u16; 6]) -> impl Iterator<Item = (usize, f32)> {
    [BIAS].into_iter().chain(cell.iter().map(|&row| usize::from(row))).map(|row| (row, 1.0))
}

impl Model for CellNet {
    type Position = Position<21>;
    type Inputs = Inputs;
    /// The sums of the units, cell by cell.
    type Pass = Vec<[f32; UNITS]>;

    const RANDOM_PLIES: u32 = 14;
    const BALANCED: Option<i32> = Some(150);

    fn opening(_: &mut Pcg64) -> Result<Position<21>, Error> {
        Ok(Position::from_fen("10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w")?)
    }

    fn inputs(position: &Position<21>) -> Option<Inputs> {
        let mut cells = Vec::new();
        position.for_each_cell(|rows| cells.push(rows.map(|row| representative(row) as u16)));
        let sign = if position.side_to_move() == Side::First { 1.0 } else { -1.0 };
        Some(Inputs { cells, balance: position.balance() as f32 / HUNDRED, sign })
    }

    fn start(rng: &mut Pcg64) -> Vec<f32> {
        let mut weights: Vec<f32> = (0..ROWS * UNITS).map(|_| (rng.random::<f32>() - 0.5) * 0.2).collect();
        weights[REST * UNITS..].fill(0.0);
        weights
    }

    fn value(weights: &[f32], inputs: &Inputs) -> (f32, Self::Pass) {
        let rest = row(weights, REST);
        let mut value = inputs.balance * rest[0] + rest[1];
        let pass = inputs.cells.iter().map(|cell| {
            let sums: [f32; UNITS] = layer::sums(weights, rows_of(cell));
            value += layer::value(weights, OUTPUT, &sums);
            sums
        });
        let pass = pass.collect();
        (value * inputs.sign, pass)
    }

    fn add_gradient(weights: &[f32], inputs: &Inputs, pass: &Self::Pass, error: f32, gradient: &mut [f32]) {
        let error = error * inputs.sign;
        for (cell, sums) in inputs.cells.iter().zip(pass) {
            layer::add_gradient(weights, rows_of(cell), OUTPUT, sums, error, gradient);
        }
        gradient[REST * UNITS] += error * inputs.balance;
        gradient[REST * UNITS + 1] += error;
    }

    fn largest(weight: usize) -> f32 {
        if weight < OUTPUT * UNITS { LARGEST } else { f32::MAX }
    }

    fn layout() -> Vec<(usize, f32)> {
        let place = |line: usize, unit: usize| {
            // Of the rest, what the balance weighs is the first; behind the worth of the move, all stay 0.
            let is_value = line == OUTPUT || line == REST && unit > 0;
            let scale = if is_value { HUNDRED } else { f32::from(ONE) };
            (representative(line) * UNITS + unit, scale)
        };
        (0..ROWS).flat_map(|line| (0..UNITS).map(move |unit| place(line, unit))).collect()
    }
}

/// Prints the line that foretells the mover's value from the balance of the windows, by least squares.
pub(crate) fn guess(files: &[&str]) -> Result<(), Error> {
    let mut points = Vec::new();
    for file in files {
        for (number, line) in (1..).zip(BufReader::new(File::open(file)?).lines()) {
            let line = line?;
            let fen = line
                .split('|')
                .nth(1)
                .ok_or_else(|| format!("{file}, line {number}: expected game|fen|..."))?;
            let position =
                Position::<21>::from_fen(fen).map_err(|e| format!("{file}, line {number}: {e}"))?;
            points.push([f64::from(position.balance()), f64::from(position.evaluate())]);
        }
    }
    let count = points.len() as f64;
    let mean = |f: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(f).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p[0]), mean(&|p| p[1]));
    let (xx, yy) = (mean(&|p| (p[0] - x).powi(2)), mean(&|p| (p[1] - y).powi(2)));
    let incline = mean(&|p| (p[0] - x) * (p[1] - y)) / xx;
    let error = mean(&|p| (p[1] - y - incline * (p[0] - x)).powi(2));
    println!(
        "{count} positions: Guess {:.0}, GuessBalance {:.0}, standard error {:.0}, deviation of the values {:.0}",
        y - incline * x,
        100.0 * incline,
        error.sqrt(),
        yy.sqrt()
    );
    Ok(())
}
