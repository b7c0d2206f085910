use crate::{elo_of_score, expected_score};

/// The model of the program `BayesElo` (Coulom), for comparison with older tools: wins have the [`expected_score`] of
/// `elo - draw_elo`, losses that of `-elo - draw_elo`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BayesElo {
    /// The difference in strength; stretched by draws compared to ordinary Elo.
    pub elo: f64,
    /// How readily games are drawn.
    pub draw_elo: f64,
}

impl BayesElo {
    /// The probabilities of a loss, a draw and a win.
    pub fn probabilities(&self) -> [f64; 3] {
        let loss = expected_score(-self.elo - self.draw_elo);
        let win = expected_score(self.elo - self.draw_elo);
        [loss, 1.0 - loss - win, win]
    }

    /// The parameters that give these probabilities; `None` unless both are in (0, 1) with a sum of at most 1.
    pub fn from_probabilities(loss: f64, win: f64) -> Option<BayesElo> {
        let [below, above] = [elo_of_score(loss), elo_of_score(win)];
        let sound = below.is_finite() && above.is_finite() && loss + win <= 1.0;
        sound.then_some(BayesElo { elo: (above - below) / 2.0, draw_elo: -(above + below) / 2.0 })
    }

    /// The log-likelihood ratio of the hypothesis `elo[1]` to the hypothesis `elo[0]`, losses, draws and wins being
    /// counted and the draw parameter taken from them. `None` unless each occurred.
    pub fn llr(counts: [u64; 3], elo: [f64; 2]) -> Option<f64> {
        if counts.contains(&0) {
            return None;
        }
        let counts = counts.map(|n| n as f64);
        let total: f64 = counts.iter().sum();
        let draw_elo = BayesElo::from_probabilities(counts[0] / total, counts[2] / total)?.draw_elo;
        let [null, alternative] = elo.map(|elo| BayesElo { elo, draw_elo }.probabilities());
        let terms = counts.iter().zip(null.iter().zip(alternative));
        Some(terms.map(|(n, (p0, p1))| n * (p1 / p0).ln()).sum())
    }
}
