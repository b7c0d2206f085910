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

/// The ratings of two players after a game in which the first scored `score` (1, ½ or 0): each moves by `k` times the
/// difference between score and expectation (Elo 1978). For display while games are played, not for verdicts.
pub fn updated_elo([first, second]: [f64; 2], score: f64, k: f64) -> [f64; 2] {
    let gain = k * (score - expected_score(first - second));
    [first + gain, second - gain]
}
