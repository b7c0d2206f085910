use std::cmp::Ordering;
use std::f64::consts::LN_10;

use crate::frequencies::Frequencies;
use crate::{elo_of_score, normal_cdf};

/// Half-width, in standard errors, of a 95 % interval of a normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo per unit of `(score - 1/2) / standard deviation of a game`: `800 / ln 10` (Van den Bergh,
/// "Normalized Elo").
pub(crate) const NORMALIZED_SCALE: f64 = 800.0 / LN_10;

/// How often each result occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Single games: losses, draws, wins.
    Games([u64; 3]),
    /// Pairs of games from one opening with sides swapped, by the points of the pair: 0, ½, 1, 1½, 2.
    Pairs([u64; 5]),
}

/// What [`Counts`] say. Scores are per game, in [0, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Number of samples: games, or pairs.
    pub samples: u64,
    /// Number of games.
    pub games: u64,
    /// Mean score.
    pub score: f64,
    /// Population variance of a sample's score.
    pub variance: f64,
    /// Variance of a game's score: for pairs, twice the variance of the pair's mean.
    pub variance_per_game: f64,
    /// Standard error of `score`.
    pub stderr: f64,
    /// The interval `score ± z·stderr`.
    pub score_interval: [f64; 2],
    /// Elo difference of `score`; infinite at 0 and 1.
    pub elo: f64,
    /// `score_interval` as Elo: not symmetric around `elo`, an end may be infinite.
    pub elo_interval: [f64; 2],
    /// Half the length of `elo_interval`, the number shown after "±". Infinite if one end is, `None` if both ends are
    /// the same infinity.
    pub elo_error: Option<f64>,
    /// `elo_error` by the delta method, for planning only; infinite at 0 and 1.
    pub elo_error_delta: f64,
    /// Normalized Elo and its "±": comparable between games of different draw rates. `None` without any variance.
    pub normalized_elo: Option<(f64, f64)>,
    /// Likelihood of superiority, in [0, 1]: probability that the true score is above ½, by the normal approximation.
    /// Without any variance 0, ½ or 1.
    pub los: f64,
    /// Share of draws among games, or of pairs that ended 1 : 1.
    pub draw_ratio: f64,
    /// Pairs won per pair lost; infinite if none was lost, `None` for single games.
    pub pairs_ratio: Option<f64>,
}

impl Counts {
    /// The counts by score, the worst first.
    pub(crate) fn cells(&self) -> &[u64] {
        match self {
            Counts::Games(n) => n,
            Counts::Pairs(n) => n,
        }
    }

    pub(crate) fn games_per_sample(&self) -> u64 {
        match self {
            Counts::Games(_) => 1,
            Counts::Pairs(_) => 2,
        }
    }

    /// Number of samples: games, or pairs.
    pub fn samples(&self) -> u64 {
        self.cells().iter().fold(0, |sum: u64, &n| sum.saturating_add(n))
    }

    /// The summary with intervals of ±`z` standard errors (such as [`Z95`]); `None` if nothing was counted.
    pub fn summary(&self, z: f64) -> Option<Summary> {
        let frequencies = Frequencies::new(self)?;
        Some(summary(self, &frequencies, z))
    }
}

fn summary(counts: &Counts, frequencies: &Frequencies, z: f64) -> Summary {
    let cells = counts.cells();
    let (score, variance) = (frequencies.mean(), frequencies.variance());
    let variance_per_game = variance * frequencies.games;
    let stderr = (variance / frequencies.total).sqrt();
    let score_interval = [score - z * stderr, score + z * stderr];
    let elo_interval = score_interval.map(elo_of_score);
    let half = (elo_interval[1] - elo_interval[0]) / 2.0;
    let deviation = variance_per_game.sqrt();
    let normalized = |x: f64| x / deviation * NORMALIZED_SCALE;
    Summary {
        samples: counts.samples(),
        games: counts.samples().saturating_mul(counts.games_per_sample()),
        score,
        variance,
        variance_per_game,
        stderr,
        score_interval,
        elo: elo_of_score(score),
        elo_interval,
        elo_error: (!half.is_nan()).then_some(half),
        elo_error_delta: match score * (1.0 - score) {
            0.0 => f64::INFINITY,
            slope => z * stderr * 400.0 / (LN_10 * slope),
        },
        normalized_elo: (variance > 0.0).then(|| (normalized(score - 0.5), normalized(z * stderr))),
        los: match (variance, score.total_cmp(&0.5)) {
            (0.0, Ordering::Less) => 0.0,
            (0.0, Ordering::Equal) => 0.5,
            (0.0, Ordering::Greater) => 1.0,
            _ => normal_cdf((score - 0.5) / stderr),
        },
        draw_ratio: frequencies.shares[cells.len() / 2],
        pairs_ratio: match *cells {
            [0, 0, _, _, _] => Some(f64::INFINITY),
            [zero, half, _, most, all] => Some((most as f64 + all as f64) / (zero as f64 + half as f64)),
            _ => None,
        },
    }
}

/// Likelihood of superiority from decisive games alone, `Φ((W - L) / √(W + L))`: ignores draws and pairing. ½ without
/// decisive games.
pub fn los_of_decisive_games(wins: u64, losses: u64) -> f64 {
    match wins + losses {
        0 => 0.5,
        n => normal_cdf((wins as f64 - losses as f64) / (n as f64).sqrt()),
    }
}

/// Likelihood of superiority from decisive games under a uniform prior, exact for few games: the regularised
/// incomplete beta function `I_½(L + 1, W + 1)`, which for integers is a tail of the binomial distribution of
/// `W + L + 1` fair coins.
pub fn los_with_uniform_prior(wins: u64, losses: u64) -> f64 {
    // Sum the shorter tail, from its largest term outwards.
    if losses < wins {
        return 1.0 - los_with_uniform_prior(losses, wins);
    }
    let n = (wins + losses + 1) as f64;
    let first = losses + 1;
    let log_choose =
        libm::lgamma(n + 1.0) - libm::lgamma(first as f64 + 1.0) - libm::lgamma(n - first as f64 + 1.0);
    let mut term = (log_choose - n * std::f64::consts::LN_2).exp();
    let mut tail = 0.0;
    for heads in first..=wins + losses + 1 {
        tail += term;
        term *= (n - heads as f64) / (heads as f64 + 1.0);
    }
    tail
}

/// Number of pairs for an interval of ±`elo` (at ±`z` standard errors) around an even score, if the standard
/// deviation of a pair's mean score is `pair_deviation`; 0.354 without draws, less with. By the delta method.
pub fn pairs_for_half_width(pair_deviation: f64, elo: f64, z: f64) -> f64 {
    (z * pair_deviation * 1600.0 / (LN_10 * elo)).powi(2)
}
