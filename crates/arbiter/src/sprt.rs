//! Sequential tests: how they are written down, and how far the one of a run is.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use ahash::{AHashSet, RandomState};
use stats::{Counts, Estimate, Hypothesis, Model, Sprt, SprtError};

use crate::record::{GameRecord, ModelRecord, PlanRecord, SprtRecord, VerdictRecord};

/// The tests that have names, with their hypotheses in normalized Elo.
pub const PRESETS: [(&str, [f64; 2]); 4] =
    [("class", [0.0, 50.0]), ("dev", [0.0, 20.0]), ("fine", [0.0, 10.0]), ("non-regression", [-10.0, 0.0])];

/// Pairs that a test may take unless the run's length is given.
pub const MOST_PAIRS: u64 = 20_000;

/// Pairs before which nothing is decided, unless something else is asked for: with fewer the estimates that go into
/// the ratio are too rough.
const MIN_PAIRS: u64 = 16;

/// Level of the interval of the corrected estimate.
const LEVEL: f64 = 0.95;

/// A text that is no test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TestError {
    /// A part of it is unknown.
    #[error(
        "{0:?}: expected class, dev, fine or non-regression, or elo0=N,elo1=N, with or without alpha=P, beta=P, \
         model=normalized or logistic, min=PAIRS"
    )]
    Part(String),
    /// A hypothesis is missing.
    #[error("expected both elo0 and elo1, or the name of a test")]
    Hypotheses,
    /// The test makes no sense.
    #[error(transparent)]
    Sprt(#[from] SprtError),
}

impl FromStr for SprtRecord {
    type Err = TestError;

    /// Reads `class`, `elo0=0,elo1=10,model=logistic`, `dev,alpha=0.01` and the like.
    fn from_str(text: &str) -> Result<SprtRecord, TestError> {
        let mut elo = [None; 2];
        let mut record = SprtRecord {
            model: ModelRecord::Normalized,
            elo0: 0.0,
            elo1: 0.0,
            alpha: 0.05,
            beta: 0.05,
            min_pairs: MIN_PAIRS,
        };
        for part in text.split(',') {
            let unknown = || TestError::Part(part.into());
            let number = |value: &str| value.parse::<f64>().map_err(|_| unknown());
            match part.split_once('=') {
                Some(("elo0", value)) => elo[0] = Some(number(value)?),
                Some(("elo1", value)) => elo[1] = Some(number(value)?),
                Some(("alpha", value)) => record.alpha = number(value)?,
                Some(("beta", value)) => record.beta = number(value)?,
                Some(("min", value)) => record.min_pairs = value.parse().map_err(|_| unknown())?,
                Some(("model", "logistic")) => record.model = ModelRecord::Logistic,
                Some(("model", "normalized")) => record.model = ModelRecord::Normalized,
                Some(_) => return Err(unknown()),
                None => {
                    let preset = PRESETS.iter().find(|(name, _)| *name == part);
                    elo = preset.ok_or_else(unknown)?.1.map(Some);
                }
            }
        }
        let [Some(elo0), Some(elo1)] = elo else { return Err(TestError::Hypotheses) };
        let record = SprtRecord { elo0, elo1, ..record };
        record.sprt()?;
        Ok(record)
    }
}

impl fmt::Display for SprtRecord {
    /// For people: `nElo 0 against 50, alpha 0.05, beta 0.05`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtRecord { elo0, elo1, alpha, beta, .. } = self;
        let unit = match self.model {
            ModelRecord::Logistic => "Elo",
            ModelRecord::Normalized => "nElo",
        };
        write!(f, "{unit} {elo0} against {elo1}, alpha {alpha}, beta {beta}")
    }
}

impl SprtRecord {
    /// The test, checked.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        let model = match self.model {
            ModelRecord::Logistic => Model::Logistic,
            ModelRecord::Normalized => Model::Normalized,
        };
        Sprt::new(model, [self.elo0, self.elo1], self.alpha, self.beta)
    }
}

/// The test of a run. It sees the pairs in the order of the schedule, however they came in: short games are not those
/// of an average engine, and so the same games give the same verdict at any concurrency and after any interruption.
#[derive(Clone, Debug)]
pub struct Trial {
    record: SprtRecord,
    sprt: Sprt,
    /// The engine that is tested.
    tested: String,
    most_pairs: u64,
    /// Pairs that are complete and have all before them complete, by the tested engine's points.
    counts: [u64; 5],
    /// Games of those pairs that ended by a fault.
    faults: u64,
    /// Pairs that came in before all their predecessors, and halves of pairs.
    waiting: BTreeMap<u64, Pair>,
    llr: f64,
    verdict: Option<VerdictRecord>,
    hasher: RandomState,
    seen: AHashSet<u64>,
    games: u64,
}

/// What is known of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    games: u8,
    half_points: usize,
    faults: u64,
}

impl Trial {
    /// The test of a plan before its first game, if it has a sound one. A shard has none: the pairs between its own are
    /// played elsewhere.
    pub fn new(plan: &PlanRecord) -> Option<Trial> {
        let record = plan.sprt.clone().filter(|_| plan.shard.is_none())?;
        Some(Trial {
            sprt: record.sprt().ok()?,
            record,
            tested: plan.engines.first()?.name.clone(),
            most_pairs: plan.pairs,
            counts: [0; 5],
            faults: 0,
            waiting: BTreeMap::new(),
            llr: 0.0,
            verdict: None,
            hasher: RandomState::with_seeds(1, 2, 3, 4),
            seen: AHashSet::new(),
            games: 0,
        })
    }

    /// Takes a finished game into account, `half_points` being those of its first player.
    pub(crate) fn add(&mut self, game: &GameRecord, half_points: usize) {
        self.games += 1;
        self.seen.insert(self.hasher.hash_one((&game.fen, &game.moves)));
        if self.verdict.is_some() {
            return;
        }
        let pair = self.waiting.entry(game.pair).or_default();
        pair.games += 1;
        pair.half_points += if game.p1 == self.tested { half_points } else { 2 - half_points };
        pair.faults += u64::from(game.guilty.is_some());
        while self.verdict.is_none() && self.waiting.get(&self.pairs()).is_some_and(|pair| pair.games == 2) {
            if let Some(pair) = self.waiting.remove(&self.pairs()) {
                self.count(pair);
            }
        }
    }

    fn count(&mut self, pair: Pair) {
        self.counts[pair.half_points] += 1;
        self.faults += pair.faults;
        self.llr = self.sprt.llr(&Counts::Pairs(self.counts)).unwrap_or(self.llr);
        let decided = self.sprt.accepted(self.llr).filter(|_| self.pairs() >= self.record.min_pairs);
        let accepted = match decided {
            None if self.pairs() < self.most_pairs => return,
            _ if self.is_invalid() => "invalid",
            None => "inconclusive",
            Some(Hypothesis::H0) => "H0",
            Some(Hypothesis::H1) => "H1",
        };
        self.verdict = Some(VerdictRecord {
            accepted: accepted.into(),
            pairs: self.pairs(),
            counts: self.counts,
            llr: self.llr,
            bounds: self.sprt.bounds(),
        });
    }

    /// Whether faults were more than one in a hundred games: then the test says nothing of playing strength.
    fn is_invalid(&self) -> bool {
        self.faults * 100 > self.pairs() * 2
    }

    /// What is tested.
    pub fn record(&self) -> &SprtRecord {
        &self.record
    }

    /// Number of pairs that the test has seen.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Those pairs by the tested engine's points: 0, ½, 1, 1½, 2.
    pub fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// The games of those pairs that ended by a fault.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// The logarithm of the likelihood ratio, 0 before the first pair.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// At which ratios H0 and H1 are accepted.
    pub fn bounds(&self) -> [f64; 2] {
        self.sprt.bounds()
    }

    /// The tested engine's strength, corrected for the test having stopped where it did.
    pub fn estimate(&self) -> Option<Estimate> {
        self.sprt.estimate(&Counts::Pairs(self.counts), LEVEL)
    }

    /// The verdict, once there is one; it never changes.
    pub fn verdict(&self) -> Option<&VerdictRecord> {
        self.verdict.as_ref()
    }

    /// The games of the run, and how many of them repeat another one move for move.
    pub fn repetitions(&self) -> (u64, u64) {
        (self.games, self.games - self.seen.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::EngineRecord;

    fn plan(test: &str, pairs: u64) -> PlanRecord {
        let engine = |name: &str| EngineRecord { name: name.into(), ..EngineRecord::default() };
        let engines = vec![engine("new"), engine("old")];
        PlanRecord { engines, pairs, swap: true, sprt: Some(test.parse().unwrap()), ..PlanRecord::default() }
    }

    /// The two games of a pair in which the tested engine gets so many half points.
    fn games(pair: u64, half_points: usize) -> [(GameRecord, usize); 2] {
        let game = |index: u64, p1: &str, p2: &str| GameRecord {
            index: 2 * pair + index,
            pair,
            p1: p1.into(),
            p2: p2.into(),
            ..GameRecord::default()
        };
        let first = half_points.min(2);
        [(game(0, "new", "old"), first), (game(1, "old", "new"), 2 - (half_points - first))]
    }

    /// The reference runs: the pairs of each, the test, and where it ends.
    fn reference() -> Vec<(Vec<usize>, String, serde_json::Value)> {
        let text = include_str!("../../../tests/data/stats-vectors.json");
        let file: serde_json::Value = serde_json::from_str(text).unwrap();
        let runs = file["cases"].as_array().unwrap().iter().filter(|case| case["fn"] == "sprt_run");
        runs.map(|case| {
            let input = &case["input"];
            let pairs = input["pair_categories"].as_str().unwrap();
            let asked = format!(
                "elo0={},elo1={},model={},min={}",
                input["elo0"],
                input["elo1"],
                input["model"].as_str().unwrap(),
                input["min_pairs"]
            );
            (pairs.bytes().map(|b| usize::from(b - b'0')).collect(), asked, case["output"].clone())
        })
        .collect()
    }

    fn verdict_of(
        games: impl Iterator<Item = (GameRecord, usize)>,
        test: &str,
        pairs: u64,
    ) -> Option<VerdictRecord> {
        let mut trial = Trial::new(&plan(test, pairs)).unwrap();
        games.for_each(|(game, half_points)| trial.add(&game, half_points));
        trial.verdict().cloned()
    }

    #[test]
    fn the_reference_runs_are_decided_at_the_same_pair_in_any_order() {
        let runs = reference();
        assert_eq!(runs.len(), 3);
        for (pairs, test, expected) in runs {
            let all: Vec<_> = (0..).zip(&pairs).flat_map(|(i, p)| games(i, *p)).collect();
            let verdict = verdict_of(all.iter().cloned(), &test, 1000).unwrap();
            assert_eq!(verdict.accepted, expected["accepted"]);
            assert_eq!(verdict.pairs, expected["decided_after_pairs"]);
            assert_eq!(serde_json::to_value(verdict.counts).unwrap(), expected["counts"]);
            assert!((verdict.llr - expected["llr"].as_f64().unwrap()).abs() < 1e-9);
            // Pairs beyond the deciding one change nothing, even if they come first.
            let more =
                (0..20).flat_map(|i| games(pairs.len() as u64 + i, 4)).chain(all.iter().cloned().rev());
            assert_eq!(verdict_of(more, &test, 1000), Some(verdict.clone()));
            assert_eq!(verdict_of(all[2..].iter().cloned(), &test, 1000), None, "the first pair is missing");
        }
    }

    #[test]
    fn a_test_that_runs_out_of_pairs_is_inconclusive() {
        let even = |n| (0..n).flat_map(|i| games(i, 2 + (i % 2) as usize * 2 - 1));
        assert_eq!(verdict_of(even(19), "fine", 20), None);
        let verdict = verdict_of(even(25), "fine", 20).unwrap();
        assert_eq!((verdict.accepted.as_str(), verdict.pairs), ("inconclusive", 20));
        assert_eq!(verdict.counts, [0, 10, 0, 10, 0]);
    }

    #[test]
    fn nothing_is_decided_before_the_least_number_of_pairs() {
        let won = |n| (0..n).flat_map(|i| games(i, 4));
        for (least, pairs) in [("", 16), (",min=1", 10), (",min=30", 30)] {
            let verdict = verdict_of(won(100), &format!("elo0=0,elo1=100{least}"), 100).unwrap();
            assert_eq!((verdict.accepted.as_str(), verdict.pairs), ("H1", pairs));
        }
    }

    #[test]
    fn faults_make_a_test_invalid() {
        let with_faults = |faulty: u64| {
            let all = (0..100).flat_map(|i| games(i, 4));
            let spoilt = all.map(move |(mut game, half_points)| {
                game.guilty = (game.index < faulty).then(|| "old".into());
                (game, half_points)
            });
            verdict_of(spoilt, "class,min=100", 100).unwrap().accepted
        };
        assert_eq!((with_faults(2).as_str(), with_faults(3).as_str()), ("H1", "invalid"));
    }

    #[test]
    fn repeated_games_are_counted() {
        let mut trial = Trial::new(&plan("class", 100)).unwrap();
        for (i, moves) in ["a b", "a c", "a b", "a b"].into_iter().enumerate() {
            let moves = moves.split(' ').map(str::to_owned).collect();
            let game = GameRecord { index: i as u64, pair: i as u64 / 2, moves, ..GameRecord::default() };
            trial.add(&game, 1);
        }
        assert_eq!(trial.repetitions(), (4, 2));
    }

    #[test]
    fn tests_are_read_and_printed() {
        for (text, shown) in [
            ("class", "nElo 0 against 50, alpha 0.05, beta 0.05"),
            ("non-regression", "nElo -10 against 0, alpha 0.05, beta 0.05"),
            ("dev,alpha=0.01", "nElo 0 against 20, alpha 0.01, beta 0.05"),
            ("elo0=-1.5,elo1=2,model=logistic,beta=0.1", "Elo -1.5 against 2, alpha 0.05, beta 0.1"),
        ] {
            assert_eq!(text.parse::<SprtRecord>().unwrap().to_string(), shown);
        }
        for (text, part) in [
            ("", "expected class, dev, fine or non-regression"),
            ("clas", "\"clas\": expected class"),
            ("elo0=0", "both elo0 and elo1"),
            ("elo0=0,elo1=x", "\"elo1=x\": expected"),
            ("elo0=5,elo1=0", "elo0 below elo1"),
            ("elo0=0,elo1=1000", "between -200 and 200"),
            ("class,alpha=0", "alpha and beta above 0"),
            ("class,alpha=nan", "alpha and beta above 0"),
            ("class,model=bayes", "\"model=bayes\": expected"),
            ("class,min=-1", "\"min=-1\": expected"),
        ] {
            let error = text.parse::<SprtRecord>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
