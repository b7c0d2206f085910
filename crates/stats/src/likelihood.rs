use crate::Counts;
use crate::expected_score;
use crate::frequencies::Frequencies;
use crate::root::zero_of_falling;
use crate::summary::NORMALIZED_SCALE;

/// What a hypothesis says of the score. Draw rate and correlation within pairs are left open by both and fitted:
/// the generalised likelihood ratio test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// The mean score is the [`expected_score`] of so many Elo points.
    Logistic,
    /// The mean score is so many normalized Elo points above ½: `800 / ln 10` points are one standard deviation of a
    /// game's score (Van den Bergh, "Normalized Elo").
    Normalized,
}

impl Model {
    /// The logarithm of the generalised likelihood ratio of the hypothesis `elo[1]` to the hypothesis `elo[0]`,
    /// exact (Van den Bergh, "Comments on normalized Elo" and "support MLE for multinomial distributions").
    /// What never occurred counts as a thousandth of a sample. `None` if nothing was counted or a hypothesis is so
    /// extreme that the scores can't obey it.
    pub fn llr(self, counts: &Counts, elo: [f64; 2]) -> Option<f64> {
        let seen = Frequencies::regularised(counts)?;
        let [null, alternative] = [self.fit(&seen, elo[0])?, self.fit(&seen, elo[1])?];
        let terms = seen.shares.iter().zip(null.iter().zip(&alternative));
        Some(seen.total * terms.map(|(share, (q0, q1))| share * (q1 / q0).ln()).sum::<f64>())
    }

    /// The ratio by the ratio of the variances around each hypothesis: close to [`Model::llr`] for many samples. For
    /// plots, not for decisions. `None` if nothing was counted.
    pub fn approximate_llr(self, counts: &Counts, elo: [f64; 2]) -> Option<f64> {
        let seen = Frequencies::regularised(counts)?;
        let [around0, around1] = elo.map(|elo| match self {
            Model::Logistic => seen.mean_of(|score| (score - expected_score(elo)).powi(2)),
            Model::Normalized => {
                let deviation = (seen.variance() * seen.games).sqrt();
                let found = (seen.mean() - 0.5) / deviation;
                1.0 + (found - elo / NORMALIZED_SCALE).powi(2)
            }
        });
        let samples = match self {
            Model::Logistic => seen.total,
            Model::Normalized => seen.total * seen.games,
        };
        Some(samples / 2.0 * (around0 / around1).ln())
    }

    /// The ratio for normally distributed scores of the observed variance. Never decide on it: with few samples
    /// alike that variance is next to nothing, and the ratio enormous. `None` if nothing was counted.
    pub fn normal_llr(self, counts: &Counts, elo: [f64; 2]) -> Option<f64> {
        let seen = Frequencies::regularised(counts)?;
        let [s0, s1] = elo.map(|elo| self.mean_score(&seen, elo));
        Some(seen.total * (s1 - s0) * (2.0 * seen.mean() - s0 - s1) / (2.0 * seen.variance()))
    }

    /// The mean score that a hypothesis says, for results of the variance that was seen.
    pub(crate) fn mean_score(self, seen: &Frequencies, elo: f64) -> f64 {
        match self {
            Model::Logistic => expected_score(elo),
            Model::Normalized => 0.5 + deviations(seen, elo) * seen.variance().sqrt(),
        }
    }

    /// The likeliest distribution under a hypothesis.
    fn fit(self, seen: &Frequencies, elo: f64) -> Option<Vec<f64>> {
        match self {
            Model::Logistic => {
                let mean = expected_score(elo);
                constrained(&seen.shares, &seen.scores().map(|score| score - mean).collect::<Vec<_>>())
            }
            Model::Normalized => normalized(seen, deviations(seen, elo)),
        }
    }
}

/// By how many standard deviations of a sample its mean is above ½.
fn deviations(seen: &Frequencies, normalized_elo: f64) -> f64 {
    seen.games.sqrt() * normalized_elo / NORMALIZED_SCALE
}

/// The likeliest distribution, given the observed shares, under which `values` have the mean 0: `share / (1 + θ value)`
/// with the one θ that makes it so. `None` unless there are values of both signs.
fn constrained(shares: &[f64], values: &[f64]) -> Option<Vec<f64>> {
    let (least, most) = values.iter().fold((0.0, 0.0), |(a, b): (f64, f64), &v| (a.min(v), b.max(v)));
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    // θ lies between 0 and one of the two poles where a denominator vanishes. Measured from there that denominator has
    // full precision, though its value may hardly have occurred and yet have to get most of the weight.
    let mean: f64 = shares.iter().zip(values).map(|(share, v)| share * v).sum();
    let (extreme, sign) = if mean > 0.0 { (least, 1.0) } else { (most, -1.0) };
    let denominator = |v: f64, distance: f64| (extreme - v) / extreme - sign * distance * v;
    let balance = |distance: f64| {
        shares.iter().zip(values).fold((0.0, 0.0), |(value, slope), (share, v)| {
            let ratio = v / denominator(*v, distance);
            (value - sign * share * ratio, slope - share * ratio * ratio)
        })
    };
    let distance = zero_of_falling(balance, 0.0, 1.0 / extreme.abs());
    Some(shares.iter().zip(values).map(|(share, v)| share / denominator(*v, distance)).collect())
}

/// The likeliest distribution whose mean is `t` of its own standard deviations above ½: that condition made linear
/// around a first guess, solved, and again around the solution. `None` if there is none or it isn't reached.
fn normalized(seen: &Frequencies, t: f64) -> Option<Vec<f64>> {
    const ROUNDS: usize = 300;
    const PRECISION: f64 = 1e-14;
    let places = seen.shares.len();
    let mut guess = Frequencies { shares: vec![1.0 / places as f64; places], ..seen.clone() };
    for _ in 0..ROUNDS {
        let (mean, deviation) = (guess.mean(), guess.variance().sqrt());
        let value =
            |score: f64| score - 0.5 - t * deviation / 2.0 * (1.0 + ((score - mean) / deviation).powi(2));
        let next = constrained(&seen.shares, &seen.scores().map(value).collect::<Vec<_>>())?;
        let change = next.iter().zip(&guess.shares).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        guess.shares = next;
        if change < PRECISION {
            return Some(guess.shares);
        }
    }
    None
}
