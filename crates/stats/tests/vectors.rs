//! The formulas against independently computed cases.

use serde_json::Value;
use stats::{
    Counts, Z95, elo_of_score, expected_score, los_of_decisive_games, los_with_uniform_prior, normal_cdf,
    pairs_for_half_width,
};

/// A number of the file; infinities are written as strings.
fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().unwrap(),
        _ => value.as_f64().unwrap(),
    }
}

/// Whether `got` is `expected` within a tolerance that is absolute below 1 and relative above.
fn assert_close(id: &str, what: &str, got: f64, expected: f64, tolerance: f64) {
    let same_infinity = got.is_infinite() && got.total_cmp(&expected).is_eq();
    let fine = same_infinity || (got - expected).abs() <= tolerance * expected.abs().max(1.0);
    assert!(fine, "{id}: {what} is {got}, expected {expected}");
}

fn counts<const N: usize>(value: &Value) -> [u64; N] {
    let list: Vec<u64> = value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    list.try_into().unwrap()
}

fn check_summary(id: &str, counts: Counts, z: f64, expected: &Value, tolerance: f64) {
    let s = counts.summary(z).unwrap();
    let [losses, wins] = match counts {
        Counts::Games([l, _, w]) => [l, w],
        Counts::Pairs(_) => [0, 0],
    };
    for (field, value) in expected.as_object().unwrap() {
        let got = match field.as_str() {
            "n" => s.samples as f64,
            "games" => s.games as f64,
            "score" => s.score,
            "variance" => s.variance,
            "variance_per_game" => s.variance_per_game,
            "score_stderr" => s.stderr,
            "score_lo" => s.score_interval[0],
            "score_hi" => s.score_interval[1],
            "elo" => s.elo,
            "elo_lo" => s.elo_interval[0],
            "elo_hi" => s.elo_interval[1],
            "elo_err" if value.is_null() => {
                assert_eq!(s.elo_error, None, "{id}");
                continue;
            }
            "elo_err" => s.elo_error.unwrap(),
            "elo_err_delta" => s.elo_error_delta,
            "nelo" => s.normalized_elo.unwrap().0,
            "nelo_err" => s.normalized_elo.unwrap().1,
            "los" => s.los,
            "draw_ratio" | "pair_draw_ratio" => s.draw_ratio,
            "los_decisive_normal" => los_of_decisive_games(wins, losses),
            "los_beta" => los_with_uniform_prior(wins, losses),
            "pairs_ratio" => s.pairs_ratio.unwrap(),
            _ => panic!("{id}: nothing computes {field}"),
        };
        assert_close(id, field, got, number(value), tolerance);
    }
}

#[test]
fn agree_with_the_reference_cases() {
    let text = include_str!("../../../tests/data/stats-vectors.json");
    let file: Value = serde_json::from_str(text).unwrap();
    let mut checked = 0;
    for case in file["cases"].as_array().unwrap() {
        let (id, input, output) = (case["id"].as_str().unwrap(), &case["input"], &case["output"]);
        let tolerance = number(&case["tol"]);
        let z = |input: &Value| if input["level"] == 0.99 { 2.575_829_303_548_900_4 } else { Z95 };
        let close = |got| assert_close(id, "the value", got, number(output), tolerance);
        match case["fn"].as_str().unwrap() {
            "expected_score" => close(expected_score(number(&input["elo"]))),
            "elo_from_score" => close(elo_of_score(number(&input["score"]))),
            "phi" => close(normal_cdf(number(&input["x"]))),
            "pairs_for_halfwidth" => {
                let [deviation, elo] = ["pair_sd", "halfwidth_elo"].map(|key| number(&input[key]));
                close(pairs_for_half_width(deviation, elo, Z95));
            }
            "summary_trinomial" => {
                check_summary(id, Counts::Games(counts(&input["ldw"])), z(input), output, tolerance);
            }
            "summary_pentanomial" => {
                check_summary(id, Counts::Pairs(counts(&input["penta"])), z(input), output, tolerance);
            }
            _ => continue,
        }
        checked += 1;
    }
    assert_eq!(checked, 34);
}

#[test]
fn nothing_counted_is_no_summary() {
    assert_eq!(Counts::Games([0; 3]).summary(Z95), None);
    assert_eq!(Counts::Pairs([0; 5]).summary(Z95), None);
}

#[test]
fn an_even_score_is_plain_zero() {
    assert!(elo_of_score(0.5).is_sign_positive());
}

#[test]
fn likelihoods_of_superiority_without_variance() {
    let los = |counts| Counts::Games(counts).summary(Z95).unwrap().los;
    for (got, expected) in [
        (los([0, 5, 0]), 0.5),
        (los([0, 0, 5]), 1.0),
        (los([5, 0, 0]), 0.0),
        (los_of_decisive_games(0, 0), 0.5),
        (los_with_uniform_prior(0, 0), 0.5),
    ] {
        assert_close("without variance", "superiority", got, expected, 1e-12);
    }
}
