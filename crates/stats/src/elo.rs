/// Expected score per game, in (0, 1), of a player `elo` points stronger: `1 / (1 + 10^(-elo/400))` (Elo 1978).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` is expected, the inverse of [`expected_score`]. `-inf` for scores of 0 and
/// less, `inf` for 1 and more.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else if score > 0.5 {
        // The same formula from the other side: an even score must give 0, not -0.
        400.0 * (score / (1.0 - score)).log10()
    } else {
        0.0 - 400.0 * ((1.0 - score) / score).log10()
    }
}

/// The distribution function of the standard normal distribution, accurate in both tails.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}
