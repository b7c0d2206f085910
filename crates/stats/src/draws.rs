use std::f64::consts::LN_10;

use crate::expected_score;

/// Elo points are so many nats of odds.
pub(crate) const NATS: f64 = LN_10 / 400.0;

/// The result of a game for its first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl GameResult {
    /// 0, ½ or 1.
    pub fn score(self) -> f64 {
        match self {
            GameResult::Loss => 0.0,
            GameResult::Draw => 0.5,
            GameResult::Win => 1.0,
        }
    }
}

/// How likely results are, given by how many Elo points the first player is stronger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DrawModel {
    /// A draw is half a win (Bradley and Terry 1952; as Ordo has it). Ratings are ordinary Elo.
    #[default]
    HalfWin,
    /// Draws go with the geometric mean of the odds (Davidson 1970), by the parameter `ln ν`; `ν / (2 + ν)` of the
    /// games between equals are drawn. Draws stretch the scale of its ratings.
    Davidson,
    /// Wins need an advantage beyond a threshold (Rao and Kupper 1967; as `BayesElo` has it), by that threshold in Elo.
    RaoKupper,
}

/// The logarithm of a probability as a function of the difference in strength and the draw parameter: its value and
/// its derivatives.
pub(crate) struct Expansion {
    pub(crate) value: f64,
    pub(crate) slope: [f64; 2],
    pub(crate) curvature: [[f64; 2]; 2],
}

impl DrawModel {
    /// Whether it has a parameter for draws.
    pub(crate) fn has_parameter(self) -> bool {
        self != DrawModel::HalfWin
    }

    /// A value of the parameter to start the search from.
    pub(crate) fn start(self) -> f64 {
        match self {
            DrawModel::HalfWin | DrawModel::Davidson => 0.0,
            DrawModel::RaoKupper => 100.0,
        }
    }

    /// Whether the parameter can have this value.
    pub(crate) fn admits(self, parameter: f64) -> bool {
        self != DrawModel::RaoKupper || parameter > 0.0
    }

    /// The log-probability of a result at a difference and a draw parameter.
    pub(crate) fn expand(self, difference: f64, parameter: f64, result: GameResult) -> Expansion {
        match self {
            DrawModel::HalfWin => half_win(difference, result),
            DrawModel::Davidson => davidson(difference, parameter, result),
            DrawModel::RaoKupper => rao_kupper(difference, parameter, result),
        }
    }
}

fn half_win(difference: f64, result: GameResult) -> Expansion {
    let (win, loss) = (expected_score(difference), expected_score(-difference));
    let score = result.score();
    Expansion {
        value: score * win.ln() + (1.0 - score) * loss.ln(),
        slope: [NATS * (score - win), 0.0],
        curvature: [[-NATS * NATS * win * loss, 0.0], [0.0; 2]],
    }
}

fn davidson(difference: f64, log_nu: f64, result: GameResult) -> Expansion {
    let half = NATS / 2.0;
    let weights = [-half * difference, log_nu, half * difference];
    // Relative to the largest, so that none overflows.
    let top = weights.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = top + weights.iter().map(|w| (w - top).exp()).sum::<f64>().ln();
    let [loss, draw, win] = weights.map(|w| (w - log_sum).exp());
    let (chosen, slope) = match result {
        GameResult::Loss => (weights[0], [-half, 0.0]),
        GameResult::Draw => (weights[1], [0.0, 1.0]),
        GameResult::Win => (weights[2], [half, 0.0]),
    };
    let lead = win - loss;
    let mixed = half * lead * draw;
    Expansion {
        value: chosen - log_sum,
        slope: [slope[0] - half * lead, slope[1] - draw],
        curvature: [[-half * half * (win + loss - lead * lead), mixed], [mixed, -draw * (1.0 - draw)]],
    }
}

fn rao_kupper(difference: f64, threshold: f64, result: GameResult) -> Expansion {
    // A decisive result depends on one sum of the two variables only, with these signs.
    let decisive = |signs: [f64; 2]| {
        let beyond = signs[0] * difference - threshold;
        let (p, rest) = (expected_score(beyond), expected_score(-beyond));
        (p, NATS * p * rest, NATS * NATS * p * rest * (rest - p), signs)
    };
    let of_log = |(p, first, second, signs): (f64, f64, f64, [f64; 2])| {
        let (slope, curvature) = (first / p, second / p - (first / p).powi(2));
        let [a, b] = signs;
        Expansion {
            value: p.ln(),
            slope: [a * slope, b * slope],
            curvature: [[curvature, a * b * curvature], [a * b * curvature, curvature]],
        }
    };
    let (win, loss) = (decisive([1.0, -1.0]), decisive([-1.0, -1.0]));
    match result {
        GameResult::Win => of_log(win),
        GameResult::Loss => of_log(loss),
        GameResult::Draw => {
            let draw = 1.0 - win.0 - loss.0;
            let slope = [loss.1 - win.1, win.1 + loss.1].map(|x| x / draw);
            let (own, mixed) = (-(win.2 + loss.2) / draw, (win.2 - loss.2) / draw);
            let curvature = [
                [own - slope[0] * slope[0], mixed - slope[0] * slope[1]],
                [mixed - slope[0] * slope[1], own - slope[1] * slope[1]],
            ];
            Expansion { value: draw.ln(), slope, curvature }
        }
    }
}
