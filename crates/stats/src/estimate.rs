use std::f64::consts::PI;

use crate::frequencies::Frequencies;
use crate::root::zero_of_falling;
use crate::{Counts, Sprt, elo_of_score, normal_cdf};

/// The strength after a sequential test, free from the bias that stopping at a bound brings about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The (logistic) Elo at which a worse outcome of the test is as likely as a better one.
    pub elo: f64,
    /// The Elo at which a worse outcome is as unlikely as the level says, and a better one.
    pub elo_interval: [f64; 2],
    /// The probability of a worse outcome between equals.
    pub los: f64,
    /// The log-likelihood ratio for normally distributed results, not beyond the bounds.
    pub llr: f64,
}

impl Sprt {
    /// The estimate from the results with which a test stopped, or may go on, with an interval of `level` (such as
    /// 0.95). By Brownian motion between the bounds, outcomes ordered from a fast failure to a fast pass (Siegmund,
    /// "Sequential Analysis", chapter 3). `None` if nothing was counted.
    pub fn estimate(&self, counts: &Counts, level: f64) -> Option<Estimate> {
        let seen = Frequencies::regularised(counts)?;
        let free = self.model().normal_llr(counts, self.elo())?;
        let [lower, upper] = self.bounds();
        let llr = free.clamp(lower, upper);
        // The walk is taken to have met the bound where the straight line to its end does.
        let samples = if (llr - free).abs() > 0.0 { seen.total * llr / free } else { seen.total };
        let worse = |score: f64| {
            let (drift, variance) = self.motion(&seen, score)?;
            Some(Walk { lower, upper, drift, variance }.below(samples, llr))
        };
        worse(0.5)?;
        let elo =
            |p: f64| elo_of_score(zero_of_falling(|score| (worse(score).unwrap_or(p) - p, 0.0), 0.0, 1.0));
        let tail = (1.0 - level) / 2.0;
        Some(Estimate { elo: elo(0.5), elo_interval: [elo(1.0 - tail), elo(tail)], los: worse(0.5)?, llr })
    }
}

/// Brownian motion from 0 until it meets one of two bounds.
struct Walk {
    lower: f64,
    upper: f64,
    drift: f64,
    variance: f64,
}

impl Walk {
    /// The probability that it passes below the point `y` at time `t`: meets the lower bound before, or is then between
    /// the bounds and below `y`.
    fn below(&self, t: f64, y: f64) -> f64 {
        let length = self.upper - self.lower;
        let pull = self.drift / self.variance * length;
        // The series converges slowly on the left, and its factors overflow on the right.
        let p = if self.variance * t / length.powi(2) < 0.01 || pull.abs() > 15.0 {
            self.by_images(t, y)
        } else {
            self.by_series(t, y)
        };
        p.clamp(0.0, 1.0)
    }

    /// The solution of the heat equation between absorbing bounds by its eigenfunctions.
    fn by_series(&self, t: f64, y: f64) -> f64 {
        const TERMS: u32 = 1000;
        const PRECISION: f64 = 1e-12;
        let length = self.upper - self.lower;
        let (start, y) = (-self.lower, y - self.lower);
        let pull = self.drift / self.variance;
        let ruin = if (pull * length).abs() < 1e-8 {
            (length - start) / length
        } else {
            ((-2.0 * pull * length).exp() - (-2.0 * pull * start).exp()) / (-2.0 * pull * length).exp_m1()
        };
        let scale = 2.0 / length * (pull * (y - start)).exp();
        let mut sum = 0.0;
        for n in 1..=TERMS {
            let wave = f64::from(n) * PI / length;
            let squares = wave * wave + pull * pull;
            let decay = (-self.variance / 2.0 * squares * t).exp();
            let (sin, cos) = (wave * y).sin_cos();
            sum += decay * (wave * start).sin() * (pull * sin - wave * cos) / squares;
            if scale * decay < PRECISION {
                break;
            }
        }
        ruin + scale * sum
    }

    /// Siegmund's approximation: each bound reflects as if the other weren't there.
    fn by_images(&self, t: f64, y: f64) -> f64 {
        let deviation = (self.variance * t).sqrt();
        let pull = self.drift / self.variance;
        let offset = y - self.drift * t;
        normal_cdf(offset / deviation)
            + scaled_tail(2.0 * pull * self.lower, (2.0 * self.lower - offset) / deviation)
            - scaled_tail(2.0 * pull * self.upper, (offset - 2.0 * self.upper) / deviation)
    }
}

/// `e^exponent · Φ(z)`, also where the one factor is infinite and the other nothing.
fn scaled_tail(exponent: f64, z: f64) -> f64 {
    const FAR: f64 = -20.0;
    if z > FAR {
        exponent.exp() * normal_cdf(z)
    } else {
        let leading = (exponent - z * z / 2.0).exp() / (-z * (2.0 * PI).sqrt());
        leading * (1.0 - 1.0 / (z * z))
    }
}
