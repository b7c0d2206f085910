//! The run's sequential test, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{finite_or_word, pentanomial};
use crate::sprt::Trial;
use crate::standings::Standings;

/// Games that repeat another one, per hundred, from which on there is a warning.
const REPETITIONS_LIMIT: u64 = 2;

/// How far the test is, in a line; empty without a test.
pub fn progress(standings: &Standings) -> String {
    let Some(trial) = standings.trial() else { return String::new() };
    format!("{} after {} pairs\n", ratio(trial), trial.pairs())
}

fn ratio(trial: &Trial) -> String {
    let [lower, upper] = trial.bounds();
    format!("LLR {:.2} ({lower:.2} to {upper:.2})", trial.llr())
}

/// What the test says, and what it doesn't; empty without a test.
pub fn verdict(standings: &Standings) -> String {
    let Some(trial) = standings.trial() else { return String::new() };
    let mut text = format!("SPRT {}: ", trial.record());
    let _ = match trial.verdict().map(|verdict| verdict.accepted.as_str()) {
        None => writeln!(text, "undecided"),
        Some(hypothesis @ ("H0" | "H1")) => writeln!(text, "{hypothesis} accepted"),
        Some("invalid") => writeln!(text, "invalid, {} games ended by faults", trial.faults()),
        Some(other) => writeln!(text, "{other}"),
    };
    let _ = writeln!(text, "{} after {} {}", ratio(trial), trial.pairs(), pentanomial(trial.counts()));
    if let Some(estimate) = trial.estimate() {
        let [low, high] = estimate.elo_interval;
        let _ = writeln!(
            text,
            "Elo {:.1}, from {low:.1} to {high:.1} (95 %), corrected for stopping early",
            estimate.elo
        );
    }
    let later = standings.games().saturating_sub(2 * trial.pairs());
    if trial.verdict().is_some() && later > 0 {
        let _ = writeln!(text, "games in the tables that came too late to count here: {later}");
    }
    let (games, repeated) = trial.repetitions();
    if repeated * 100 > games * REPETITIONS_LIMIT {
        let _ = writeln!(
            text,
            "caution: {repeated} of {games} games repeat another move for move and prove nothing new"
        );
    }
    text
}

/// The test as JSON: hypotheses, where it is, its verdict or null, and the corrected Elo.
pub(super) fn json(standings: &Standings) -> Value {
    let Some(trial) = standings.trial() else { return Value::Null };
    let estimate = trial.estimate();
    json!({
        "test": trial.record(),
        "bounds": trial.bounds(),
        "llr": trial.llr(),
        "pairs": trial.pairs(),
        "counts": trial.counts(),
        "verdict": trial.verdict().map(|verdict| &verdict.accepted),
        "elo": estimate.map(|e| finite_or_word(e.elo)),
        "elo_low": estimate.map(|e| finite_or_word(e.elo_interval[0])),
        "elo_high": estimate.map(|e| finite_or_word(e.elo_interval[1])),
        "repeated_games": trial.repetitions().1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EngineRecord, GameRecord, PlanRecord, Record};

    /// Standings after pairs in which the tested engine wins one game and draws the other, each game like the others.
    fn standings(pairs: u64) -> Standings {
        let engine = |name: &str| EngineRecord { name: name.into(), ..EngineRecord::default() };
        let mut standings = Standings::new(&PlanRecord {
            engines: vec![engine("new"), engine("old")],
            pairs: 100,
            swap: true,
            sprt: Some("class".parse().unwrap()),
            ..PlanRecord::default()
        });
        for pair in 0..pairs {
            for (p1, p2, result) in [("new", "old", "p1win"), ("old", "new", "draw")] {
                let (p1, p2, result) = (p1.into(), p2.into(), result.into());
                let game = GameRecord { pair, p1, p2, result, ..GameRecord::default() };
                standings.add(&Record::Game(game)).unwrap();
            }
        }
        standings
    }

    #[test]
    fn without_a_test_there_is_nothing_to_say() {
        let standings = Standings::new(&PlanRecord::default());
        assert_eq!((progress(&standings).as_str(), verdict(&standings).as_str()), ("", ""));
        assert_eq!(json(&standings), Value::Null);
    }

    #[test]
    fn a_test_under_way() {
        let standings = standings(3);
        assert_eq!(progress(&standings), "LLR 0.37 (-2.94 to 2.94) after 3 pairs\n");
        let text = verdict(&standings);
        let expected = "SPRT nElo 0 against 50, alpha 0.05, beta 0.05: undecided\n\
            LLR 0.37 (-2.94 to 2.94) after 3 pairs 0-0-0-3-0 (0, ½, 1, 1½, 2 points)\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("\ncaution: 5 of 6 games repeat another move for move"), "{text}");
        assert_eq!(json(&standings)["verdict"], Value::Null);
    }

    #[test]
    fn a_test_that_is_decided() {
        let standings = standings(30);
        let value = json(&standings);
        let pairs = value["pairs"].as_u64().unwrap();
        let text = verdict(&standings);
        assert!(text.contains(": H1 accepted\n"), "{text}");
        assert!(text.contains(&format!("too late to count here: {}\n", 60 - 2 * pairs)), "{text}");
        assert_eq!(value["verdict"], "H1");
        assert!(value["elo_low"].as_f64() < value["elo_high"].as_f64(), "{value}");
    }
}
