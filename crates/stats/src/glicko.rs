use std::f64::consts::{LN_10, PI};

use crate::root::zero_of_falling;

/// A rating with its deviation (Glickman, "The Glicko system"). For ladders that last: a rating period is a tournament.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glicko {
    /// The rating; 1500 for newcomers.
    pub rating: f64,
    /// Its standard deviation; 350 for newcomers.
    pub deviation: f64,
}

/// A rating with its deviation and volatility (Glickman, "Example of the Glicko-2 system").
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glicko2 {
    /// The rating; 1500 for newcomers.
    pub rating: f64,
    /// Its standard deviation; 350 for newcomers.
    pub deviation: f64,
    /// How much the strength changes from period to period; 0.06 for newcomers.
    pub volatility: f64,
}

/// A game of a rating period.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opponent {
    /// The opponent's rating before the period.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// The score against it: 1, ½ or 0.
    pub score: f64,
}

/// What the games of a period say: the information in them, and by how much the score exceeds the expectation, each
/// weighted by how well the opponent's rating is known. In units in which a rating point is one nat of odds.
struct Evidence {
    information: f64,
    surprise: f64,
}

impl Evidence {
    fn new(rating: f64, games: &[Opponent], scale: f64) -> Evidence {
        games.iter().fold(Evidence { information: 0.0, surprise: 0.0 }, |sum, opponent| {
            let deviation = opponent.deviation / scale;
            let weight = 1.0 / (1.0 + 3.0 * (deviation / PI).powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-weight * (rating - opponent.rating) / scale).exp());
            Evidence {
                information: sum.information + weight * weight * expected * (1.0 - expected),
                surprise: sum.surprise + weight * (opponent.score - expected),
            }
        })
    }
}

impl Glicko {
    /// The rating after a period with these games.
    #[must_use]
    pub fn after(&self, games: &[Opponent]) -> Glicko {
        let scale = 400.0 / LN_10;
        let evidence = Evidence::new(self.rating, games, scale);
        let variance = 1.0 / ((scale / self.deviation).powi(2) + evidence.information);
        Glicko {
            rating: self.rating + scale * variance * evidence.surprise,
            deviation: scale * variance.sqrt(),
        }
    }
}

impl Glicko2 {
    /// The rating after a period with these games. `tau` (0.3 to 1.2, usually 0.5) bounds how fast the volatility
    /// changes.
    #[must_use]
    pub fn after(&self, games: &[Opponent], tau: f64) -> Glicko2 {
        /// Glicko-2's unit, with the digits it was published with.
        const SCALE: f64 = 173.7178;
        let evidence = Evidence::new(self.rating, games, SCALE);
        let variance = (self.deviation / SCALE).powi(2);
        // Games without any doubt about their result say nothing.
        if evidence.information <= 0.0 {
            let deviation = SCALE * (variance + self.volatility.powi(2)).sqrt();
            return Glicko2 { deviation, ..*self };
        }
        let volatility = self.new_volatility(variance, &evidence, tau);
        let variance = 1.0 / (1.0 / (variance + volatility.powi(2)) + evidence.information);
        Glicko2 {
            rating: self.rating + SCALE * variance * evidence.surprise,
            deviation: SCALE * variance.sqrt(),
            volatility,
        }
    }

    /// The likeliest volatility: the zero of a function of the logarithm of its square.
    fn new_volatility(&self, variance: f64, evidence: &Evidence, tau: f64) -> f64 {
        let of_games = 1.0 / evidence.information;
        let excess = (of_games * evidence.surprise).powi(2) - variance - of_games;
        let old = self.volatility.powi(2).ln();
        let f = |x: f64| {
            let square = x.exp();
            let all = variance + of_games + square;
            square * (excess - square) / (2.0 * all * all) - (x - old) / (tau * tau)
        };
        let high = if excess > 0.0 { old.max(excess.ln()) } else { old };
        // Below the old value the second term soon outweighs the first, which is bounded.
        let low = (1..1000).map(|k| old - f64::from(k) * tau).find(|x| f(*x) > 0.0).unwrap_or(old);
        (zero_of_falling(|x| (f(x), 0.0), low, high) / 2.0).exp()
    }
}
