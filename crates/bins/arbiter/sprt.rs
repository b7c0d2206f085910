//! The calculator of sequential tests: what counted results say, and what a test costs.

use std::fmt::Write;
use std::str::FromStr;

use anyhow::Result;
use arbiter::record::SprtRecord;
use arbiter::report;
use clap::Args;
use serde_json::{Value, json};
use stats::{Characteristic, Counts, Hypothesis, Sprt, Z95, elo_of_score};

use crate::{Failure, emit};

#[derive(Args, Clone, Debug)]
pub(crate) struct SprtArgs {
    /// Pairs of games by the tested engine's points 0, ½, 1, 1½, 2, such as 13-37-50-25-3; or games, W-D-L
    #[arg(required_unless_present = "plan")]
    counts: Option<Tally>,
    /// The test: class, dev, fine, non-regression, or elo0=N,elo1=N[,alpha=P][,beta=P][,model=logistic][,min=PAIRS]
    #[arg(long, value_name = "TEST", default_value = "class")]
    sprt: SprtRecord,
    /// Show how often the test passes and how long it takes, by true strength, for results that vary like those given
    /// (without any: no draws and no advantage of the first move)
    #[arg(long)]
    plan: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Counted results, as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tally(Counts);

impl FromStr for Tally {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Tally, &'static str> {
        const EXPECTED: &str = "expected five numbers of pairs, such as 13-37-50-25-3, or three of games, W-D-L, each up to 4294967295";
        let numbers = text.split('-').map(|word| word.parse::<u32>().map(u64::from));
        let numbers: Vec<u64> = numbers.collect::<Result<_, _>>().map_err(|_| EXPECTED)?;
        if numbers.iter().all(|n| *n == 0) {
            return Err("there are no results; expected at least one");
        }
        match (<[u64; 5]>::try_from(&numbers[..]), <[u64; 3]>::try_from(&numbers[..])) {
            (Ok(pairs), _) => Ok(Tally(Counts::Pairs(pairs))),
            (_, Ok([wins, draws, losses])) => Ok(Tally(Counts::Games([losses, draws, wins]))),
            _ => Err(EXPECTED),
        }
    }
}

/// Pairs of games that are never drawn and won half of the time.
const PLAIN: Counts = Counts::Pairs([1, 0, 2, 0, 1]);

pub(crate) fn calculate(args: &SprtArgs) -> Result<(), Failure> {
    let sprt = args.sprt.sprt()?;
    let counts = args.counts.map(|Tally(counts)| counts);
    let result = counts.map(|counts| Outcome::new(&sprt, &args.sprt, &counts));
    let plan = if args.plan { plan(&sprt, &counts.unwrap_or(PLAIN)) } else { Vec::new() };
    if args.json {
        let value = json!({
            "test": args.sprt,
            "bounds": sprt.bounds(),
            "result": result.as_ref().map(Outcome::json),
            "plan": args.plan.then(|| plan.iter().map(plan_json).collect::<Vec<_>>()),
        });
        return emit(&format!("{value}\n"));
    }
    let [lower, upper] = sprt.bounds();
    let mut text = format!("test     {}, LLR bounds {lower:.2} and {upper:.2}\n", args.sprt);
    if let Some(result) = &result {
        text.push_str(&result.text());
    }
    if args.plan {
        text.push_str(&plan_text(&plan, &counts.unwrap_or(PLAIN)));
    }
    emit(&text)
}

/// What a test says of counted results.
struct Outcome {
    sprt: Sprt,
    counts: Counts,
    llr: f64,
    accepted: Option<Hypothesis>,
    /// Samples before which nothing is decided.
    least: u64,
}

impl Outcome {
    fn new(sprt: &Sprt, record: &SprtRecord, counts: &Counts) -> Outcome {
        let llr = sprt.llr(counts).unwrap_or_default();
        let accepted = sprt.accepted(llr).filter(|_| counts.samples() >= record.min_pairs);
        Outcome { sprt: *sprt, counts: *counts, llr, accepted, least: record.min_pairs }
    }

    fn verdict(&self) -> Option<&'static str> {
        self.accepted.map(|hypothesis| match hypothesis {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        })
    }

    fn json(&self) -> Value {
        let summary = self.counts.summary(Z95);
        let estimate = self.sprt.estimate(&self.counts, 0.95);
        json!({
            "samples": self.counts.samples(),
            "llr": self.llr,
            "verdict": self.verdict(),
            "strength": summary.as_ref().map(report::strength),
            "corrected_elo": estimate.map(|estimate| report::finite_or_word(estimate.elo)),
            "corrected_elo_low": estimate.map(|estimate| report::finite_or_word(estimate.elo_interval[0])),
            "corrected_elo_high": estimate.map(|estimate| report::finite_or_word(estimate.elo_interval[1])),
        })
    }

    fn text(&self) -> String {
        let Some(summary) = self.counts.summary(Z95) else { return String::new() };
        let mut text = String::new();
        let samples = self.counts.samples();
        let _ = match self.counts {
            Counts::Pairs(pairs) => {
                writeln!(text, "results  {samples} {}", report::pentanomial(pairs))
            }
            Counts::Games([losses, draws, wins]) => {
                writeln!(text, "results  {samples} games, won {wins}, drawn {draws}, lost {losses}")
            }
        };
        let _ = writeln!(text, "score    {:.1} %", 100.0 * summary.score);
        let [low, high] = summary.elo_interval;
        let (elo, error) = report::elo_texts(&summary);
        if error.is_empty() {
            let _ = writeln!(text, "Elo      {elo}");
        } else {
            let _ = writeln!(text, "Elo      {elo} ± {error} ({low:.1} to {high:.1})");
        }
        if let Some((elo, error)) = summary.normalized_elo {
            let _ = writeln!(text, "nElo     {elo:.1} ± {error:.1}");
        }
        let _ = writeln!(text, "LOS      {:.1} %", 100.0 * summary.los);
        let _ = writeln!(text, "LLR      {:.3}", self.llr);
        let _ = match self.verdict() {
            Some(hypothesis) => writeln!(text, "verdict  {hypothesis} accepted"),
            None if samples < self.least => writeln!(text, "verdict  none before {} pairs", self.least),
            None => writeln!(text, "verdict  none yet, go on"),
        };
        if let Some(estimate) = self.sprt.estimate(&self.counts, 0.95) {
            let [low, high] = estimate.elo_interval;
            let _ = writeln!(
                text,
                "if this test ended here, Elo {:.1} ({low:.1} to {high:.1}), corrected for stopping early",
                estimate.elo
            );
        }
        text
    }
}

/// The test at strengths around its hypotheses, a quarter of their distance apart.
fn plan(sprt: &Sprt, shape: &Counts) -> Vec<(f64, Characteristic)> {
    let [elo0, elo1] = sprt.elo();
    let strengths = (-4..=8).map(|i| elo0 + f64::from(i) * (elo1 - elo0) / 4.0);
    strengths.filter_map(|elo| Some((elo, sprt.characteristic(shape, elo)?))).collect()
}

fn plan_text(plan: &[(f64, Characteristic)], shape: &Counts) -> String {
    let samples = if matches!(shape, Counts::Pairs(_)) { "pairs" } else { "games" };
    if plan.is_empty() {
        return "these results are all alike: they don't say how much results vary\n".into();
    }
    let mut text =
        format!("\n{:>10} {:>10} {:>10} {:>16}\n", "true", "Elo", "passes %", format!("expected {samples}"));
    for (elo, c) in plan {
        let _ = writeln!(
            text,
            "{elo:10.1} {:10.1} {:10.1} {:16.0}",
            elo_of_score(c.score),
            100.0 * c.pass_probability,
            c.expected_samples
        );
    }
    text + "real tests overshoot their bounds and take some per cent more\n"
}

fn plan_json((elo, c): &(f64, Characteristic)) -> Value {
    json!({
        "true": elo,
        "elo": report::finite_or_word(elo_of_score(c.score)),
        "pass_probability": c.pass_probability,
        "expected_samples": c.expected_samples,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_are_pairs_or_games() {
        assert_eq!("1-2-3-4-5".parse(), Ok(Tally(Counts::Pairs([1, 2, 3, 4, 5]))));
        assert_eq!("5-3-1".parse(), Ok(Tally(Counts::Games([1, 3, 5]))));
        for text in ["", "1", "1-2", "1-2-3-4", "1-2-x", "1-2--3", "0-0-0", "1-2-99999999999"] {
            assert!(text.parse::<Tally>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_plan_goes_from_failure_to_success() {
        let record: SprtRecord = "class".parse().unwrap();
        let plan = plan(&record.sprt().unwrap(), &PLAIN);
        assert_eq!(plan.len(), 13);
        let at = |elo: f64| plan.iter().find(|(x, _)| (x - elo).abs() < 1e-9).unwrap().1;
        assert!((at(0.0).pass_probability - 0.05).abs() < 1e-9);
        assert!((at(50.0).pass_probability - 0.95).abs() < 1e-9);
        // The 800 / ln 10 points of a standard deviation, and a normal test: 2 · 2.9444 · 0.9 / (√2 · 50 / 347.4)².
        assert!((at(0.0).expected_samples - 127.95).abs() < 0.01, "{}", at(0.0).expected_samples);
        assert!((at(0.0).expected_samples - at(50.0).expected_samples).abs() < 1e-9);
    }
}
