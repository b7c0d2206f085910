use crate::Counts;

/// Relative frequencies of the scores of a sample, which lie evenly between 0 and 1.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Frequencies {
    /// By score, their sum 1.
    pub(crate) shares: Vec<f64>,
    /// Number of samples.
    pub(crate) total: f64,
    /// Games of a sample: 1, or 2 for pairs.
    pub(crate) games: f64,
}

impl Frequencies {
    /// Those of counts as they are; `None` if nothing was counted.
    pub(crate) fn new(counts: &Counts) -> Option<Frequencies> {
        Frequencies::from_weights(counts, |n| n as f64)
    }

    /// Those of counts in which what never occurred did so a thousandth of a time: no result is impossible.
    pub(crate) fn regularised(counts: &Counts) -> Option<Frequencies> {
        counts.cells().iter().any(|&n| n > 0).then_some(())?;
        Frequencies::from_weights(counts, |n| if n == 0 { 1e-3 } else { n as f64 })
    }

    fn from_weights(counts: &Counts, weight: impl Fn(u64) -> f64) -> Option<Frequencies> {
        let weights: Vec<f64> = counts.cells().iter().map(|&n| weight(n)).collect();
        let total: f64 = weights.iter().sum();
        let games = counts.games_per_sample() as f64;
        let shares = weights.iter().map(|weight| weight / total).collect();
        (total > 0.0).then_some(Frequencies { shares, total, games })
    }

    /// The score that stands at each place.
    pub(crate) fn scores(&self) -> impl Iterator<Item = f64> {
        let top = (self.shares.len() - 1) as f64;
        (0..self.shares.len()).map(move |i| i as f64 / top)
    }

    /// The mean of a function of the score.
    pub(crate) fn mean_of(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.shares.iter().zip(self.scores()).map(|(share, score)| share * f(score)).sum()
    }

    /// The mean score.
    pub(crate) fn mean(&self) -> f64 {
        self.mean_of(|score| score)
    }

    /// The population variance of a sample's score.
    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.mean_of(|score| (score - mean).powi(2))
    }
}
