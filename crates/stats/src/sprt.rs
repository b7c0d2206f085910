use crate::frequencies::Frequencies;
use crate::{Counts, Model};

/// A sequential probability ratio test (Wald 1947) of two hypotheses about strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    model: Model,
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
}

/// One of the two hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// The strength is the lower one.
    H0,
    /// The strength is the higher one.
    H1,
}

/// Why a test makes no sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The lower hypothesis is not below the higher one.
    #[error("expected elo0 below elo1")]
    Order,
    /// A hypothesis is beyond ±[`Sprt::MOST_ELO`].
    #[error("expected elo0 and elo1 between -{most} and {most}", most = Sprt::MOST_ELO)]
    Extreme,
    /// A probability of error is outside (0, 1), or the two together are 1 or more.
    #[error("expected alpha and beta above 0 and together below 1, such as 0.05 each")]
    Probability,
}

/// How a test behaves at a certain true strength, by Brownian motion: it leaves out that the last sample overshoots a
/// bound, so real tests are some per cent longer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Characteristic {
    /// Mean score of a game at that strength.
    pub score: f64,
    /// Mean change of the log-likelihood ratio per sample.
    pub drift: f64,
    /// Variance of that change.
    pub variance: f64,
    /// Probability that H1 is accepted.
    pub pass_probability: f64,
    /// Expected number of samples.
    pub expected_samples: f64,
}

impl Sprt {
    /// The most extreme hypothesis, in Elo of the model.
    pub const MOST_ELO: f64 = 200.0;

    /// A test whether the strength is `elo[0]` or `elo[1]`, that is wrong with probability `alpha` if it is the former
    /// and with probability `beta` if it is the latter.
    pub fn new(model: Model, elo: [f64; 2], alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let [lower, higher] = elo;
        if lower.is_nan() || higher.is_nan() || lower >= higher {
            return Err(SprtError::Order);
        }
        if lower < -Sprt::MOST_ELO || higher > Sprt::MOST_ELO {
            return Err(SprtError::Extreme);
        }
        let sound = alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
        if sound { Ok(Sprt { model, elo, alpha, beta }) } else { Err(SprtError::Probability) }
    }

    /// What its hypotheses are about.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Its hypotheses.
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// The probabilities of accepting H1 wrongly, and H0 wrongly.
    pub fn errors(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The bounds of the log-likelihood ratio: H0 is accepted at the lower one, H1 at the higher one.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio; `None` if nothing was counted.
    pub fn llr(&self, counts: &Counts) -> Option<f64> {
        self.model.llr(counts, self.elo)
    }

    /// Which hypothesis a log-likelihood ratio accepts, if any.
    pub fn accepted(&self, llr: f64) -> Option<Hypothesis> {
        let [lower, upper] = self.bounds();
        if llr >= upper { Some(Hypothesis::H1) } else { (llr <= lower).then_some(Hypothesis::H0) }
    }

    /// How the test behaves if the true strength is `elo` and the results vary like those counted (Siegmund,
    /// "Sequential Analysis", chapter 2). `None` if those don't vary.
    pub fn characteristic(&self, shape: &Counts, elo: f64) -> Option<Characteristic> {
        let shape = Frequencies::new(shape)?;
        let score = self.model.mean_score(&shape, elo);
        let (drift, variance) = self.motion(&shape, score)?;
        let [lower, upper] = self.bounds();
        let length = upper - lower;
        let pull = 2.0 * drift / variance;
        // Each form keeps its exponents negative.
        let pass_probability = if pull.abs() < 1e-9 {
            -lower / length
        } else if pull > 0.0 {
            (pull * lower).exp_m1() / (-pull * length).exp_m1()
        } else {
            (pull * upper).exp() * (-pull * lower).exp_m1() / (pull * length).exp_m1()
        };
        let expected_samples = if pull.abs() < 1e-9 {
            -lower * upper / variance
        } else {
            (pass_probability * upper + (1.0 - pass_probability) * lower) / drift
        };
        Some(Characteristic { score, drift, variance, pass_probability, expected_samples })
    }

    /// Mean and variance of the change of the log-likelihood ratio by one sample, if the mean score is `score`.
    pub(crate) fn motion(&self, shape: &Frequencies, score: f64) -> Option<(f64, f64)> {
        let spread = shape.variance();
        let [s0, s1] = self.elo.map(|elo| self.model.mean_score(shape, elo));
        let drift = (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * spread);
        let variance = (s1 - s0).powi(2) / spread;
        (drift.is_finite() && variance > 0.0 && variance.is_finite()).then_some((drift, variance))
    }
}
