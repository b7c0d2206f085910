use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::journal::Reader;
use crate::record::{EngineRecord, FaultRecord, GameRecord, PlanRecord};
use crate::rounds::{EXTRA_PAIRS, KNOCKOUT, SWISS};

fn plan(engines: &[&str], pairs: u64, recover: bool) -> Plan {
    let engine = |name: &&str| EngineRecord {
        name: (*name).into(),
        builtin: Some("simplexity".into()),
        ..EngineRecord::default()
    };
    Plan::new(PlanRecord {
        schema: crate::record::SCHEMA,
        game: "simplexity".into(),
        engines: engines.iter().map(engine).collect(),
        pairs,
        recover,
        swap: true,
        openings: "random:4".into(),
        points: [1.0, 0.5, 0.0],
        ..PlanRecord::default()
    })
    .unwrap()
}

type Fake<'a> = Box<dyn FnMut(&Job) -> Result<Played, StartError> + 'a>;

/// A game without engines: the result follows from the index.
fn played(plan: &Plan, job: &Job, result: &str) -> Played {
    let [p1, p2] = job.players.map(|player| plan.engines[player].name.clone());
    let (index, pair, fen) = (job.index, job.pair, job.fen.clone());
    Played {
        game: GameRecord { index, pair, p1, p2, fen, result: result.into(), ..GameRecord::default() },
        fault: None,
    }
}

fn result_of(index: u64) -> &'static str {
    ["p1win", "draw", "p2win"][(index * index % 3) as usize]
}

/// Runs (or goes on with) the plan in a journal at `path`.
fn run<P>(
    plan: &Plan,
    path: &Path,
    seat: impl Fn() -> P + Sync,
    halt: impl Fn() + Sync,
    interrupts: &Receiver<()>,
) -> (Result<Ending, RunError>, Standings)
where
    P: FnMut(&Job) -> Result<Played, StartError>,
{
    let mut standings = Standings::new(&plan.record);
    let mut done = Done::default();
    let mut journal = if path.exists() {
        let mut reader = Reader::open(path).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            standings.add(&record).unwrap();
            done.mark(plan, &record);
        }
        Journal::reopen(path, reader.length()).unwrap()
    } else {
        Journal::create(path, &plan.record).unwrap()
    };
    let openings = plan.openings().unwrap();
    let run = Run { plan, openings, done, concurrency: 3, resume: "again".into() };
    let ending = run.play(seat, halt, interrupts, &mut journal, &mut standings, &mut |_, _| {});
    (ending, standings)
}

fn tested(pairs: u64) -> Plan {
    let record = plan(&["a", "b"], pairs, false).record;
    Plan::new(PlanRecord { sprt: Some("class".parse().unwrap()), ..record }).unwrap()
}

/// The records of a journal of one kind, whatever they are.
fn count(path: &Path, kind: impl Fn(&Record) -> bool) -> usize {
    let mut reader = Reader::open(path).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap()).filter(|record| kind(record)).count()
}

#[test]
fn a_test_ends_its_run_with_one_verdict() {
    let dir = tempfile::tempdir().unwrap();
    // The first engine scores three quarters.
    let score =
        |job: &Job| if job.pair.is_multiple_of(2) { "draw" } else { ["p1win", "p2win"][job.players[0]] };
    for (pairs, accepted) in [(5000, "H1"), (17, "inconclusive")] {
        let plan = tested(pairs);
        let seat = || |job: &Job| Ok(played(&plan, job, score(job)));
        let path = dir.path().join(accepted);
        let (ending, standings) = run(&plan, &path, seat, || {}, &channel::never());
        assert_eq!(ending.unwrap(), Ending::Complete);
        let verdict = standings.trial().unwrap().verdict().unwrap();
        assert_eq!(verdict.accepted, accepted);
        assert!(standings.games() < 200, "{}", standings.games());
        let is_verdict = |record: &Record| *record == Record::Verdict(verdict.clone());
        assert_eq!(count(&path, is_verdict), 1);
        assert_eq!(count(&path, |record| matches!(record, Record::Verdict(_))), 1);

        // Nothing is left to play, and the verdict is not written again.
        let idle = || |_: &Job| -> Result<Played, StartError> { panic!("a game after the verdict") };
        let (ending, again) = run(&plan, &path, idle, || {}, &channel::never());
        assert_eq!(ending.unwrap(), Ending::Complete);
        assert_eq!(again.trial().unwrap().verdict(), Some(verdict));
        assert_eq!(count(&path, |record| matches!(record, Record::Verdict(_))), 1);

        // Cut anywhere, the same games give the same verdict.
        let bytes = std::fs::read(&path).unwrap();
        let first = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
        for length in (first..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
            let path = dir.path().join(format!("{accepted}.{length}"));
            std::fs::write(&path, &bytes[..length]).unwrap();
            let (ending, again) = run(&plan, &path, seat, || {}, &channel::never());
            assert_eq!(ending.unwrap(), Ending::Complete);
            assert_eq!(again.trial().unwrap().verdict(), Some(verdict), "cut at {length}");
            assert_eq!(count(&path, is_verdict), 1, "cut at {length}");
        }
    }
}

fn with_rounds(format: &str, engines: &[&str], pairs: u64) -> Plan {
    let record = plan(engines, pairs, true).record;
    Plan::new(PlanRecord { format: format.into(), ..record }).unwrap()
}

#[test]
fn rounds_follow_from_results_and_are_the_same_when_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let plan = with_rounds(SWISS, &["a", "b", "c", "d", "e"], 3);
    let path = dir.path().join("whole");
    let (ending, whole) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
    assert_eq!(ending.unwrap(), Ending::Complete);
    assert_eq!(whole.games(), plan.schedule.games());
    let rounds = whole.rounds().unwrap().known().to_vec();
    assert_eq!(rounds.len(), 3);
    let mut met = BTreeSet::new();
    for [a, b] in rounds.iter().flat_map(|stage| &stage.round.pairs) {
        assert!(met.insert([a.min(b), a.max(b)]), "{rounds:?}");
    }
    assert_eq!(count(&path, |record| matches!(record, Record::Bye(_))), 3);
    assert_eq!(whole.byes().iter().sum::<u64>(), 6);

    let bytes = std::fs::read(&path).unwrap();
    let first = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
    for length in (first..bytes.len()).step_by(97).chain([bytes.len()]) {
        let path = dir.path().join(length.to_string());
        std::fs::write(&path, &bytes[..length]).unwrap();
        let (ending, again) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
        assert_eq!(ending.unwrap(), Ending::Complete);
        assert_eq!(again.rounds().unwrap().known(), rounds, "cut at {length}");
        assert_eq!(again.rows(), whole.rows(), "cut at {length}");
        assert_eq!(count(&path, |record| matches!(record, Record::Bye(_))), 3, "cut at {length}");
    }
}

/// Plays a knockout of five, each match one pair of games: the result of a game between two is `results` by its number
/// in their match, from the better seed's side. Returns the standings and where the journal is.
fn knockout(dir: &Path, name: &str, results: &[&str]) -> (Plan, PathBuf, Standings) {
    let plan = with_rounds(KNOCKOUT, &["a", "b", "c", "d", "e"], 1);
    let path = dir.join(name);
    let (ending, standings) = run(&plan, &path, knocked_out(&plan, results), || {}, &channel::never());
    assert_eq!(ending.unwrap(), Ending::Complete);
    (plan, path, standings)
}

/// Of a match's pairs of games each is decided in its second game only.
fn knocked_out<'a>(plan: &'a Plan, results: &'a [&str]) -> impl Fn() -> Fake<'a> + Sync {
    move || {
        Box::new(move |job| {
            let is_first = job.index.is_multiple_of(2);
            let word = if is_first { "draw" } else { results[job.pair as usize % results.len()] };
            Ok(played(plan, job, word))
        })
    }
}

#[test]
fn a_knockout_ends_with_its_final_and_is_the_same_when_resumed() {
    let dir = tempfile::tempdir().unwrap();
    for (name, results) in [
        ("decided", &["p2win", "p1win"][..]),
        ("some level", &["draw", "draw", "p1win"]),
        ("level", &["draw"]),
    ] {
        let (plan, path, whole) = knockout(dir.path(), name, results);
        let rounds = whole.rounds().unwrap();
        assert!(rounds.is_over());
        assert_eq!(rounds.matches().unwrap().len(), 4);
        assert_eq!(whole.games(), rounds.known().iter().map(|stage| 2 * stage.pairs()).sum::<u64>());
        assert_eq!(whole.games() == 8, name == "decided");
        assert_eq!(whole.games() == 8 * (1 + EXTRA_PAIRS), name == "level");
        assert_eq!(count(&path, |record| matches!(record, Record::Bye(_))), 3);
        assert_eq!(whole.byes(), [0; 5]);

        let bytes = std::fs::read(&path).unwrap();
        let first = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
        for length in (first..bytes.len()).step_by(397).chain([bytes.len()]) {
            let path = dir.path().join(format!("{name}.{length}"));
            std::fs::write(&path, &bytes[..length]).unwrap();
            let (ending, again) = run(&plan, &path, knocked_out(&plan, results), || {}, &channel::never());
            assert_eq!(ending.unwrap(), Ending::Complete);
            assert_eq!(again.rounds().unwrap().known(), rounds.known(), "{name}, cut at {length}");
            assert_eq!(again.rows(), whole.rows(), "{name}, cut at {length}");
            assert_eq!(count(&path, |record| matches!(record, Record::Bye(_))), 3, "{name}, cut at {length}");
        }
    }
}

#[test]
fn who_waits_for_a_round_leaves_when_the_run_ends() {
    let dir = tempfile::tempdir().unwrap();
    let plan = with_rounds(SWISS, &["a", "b", "c"], 2);
    let path = dir.path().join("j");
    // One pair a round for three workers: two of them have nothing to do while one plays it, or waits.
    let halted = AtomicBool::new(false);
    let (sender, interrupts) = channel::bounded(1);
    let seat = || {
        let (sender, halted, plan) = (sender.clone(), &halted, &plan);
        move |job: &Job| {
            if job.index == 0 {
                return Ok(played(plan, job, "draw"));
            }
            let _ = sender.try_send(());
            while !halted.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(played(plan, job, UNFINISHED))
        }
    };
    let halt = || halted.store(true, Ordering::Relaxed);
    let (ending, standings) = run(&plan, &path, seat, halt, &interrupts);
    assert_eq!((ending.unwrap(), standings.games()), (Ending::Interrupted, 1));

    let error = || StartError { engine: "a".into(), message: "no such file".into() };
    let (ending, _) = run(&plan, &path, || |_: &Job| Err(error()), || {}, &channel::never());
    assert!(matches!(ending, Err(RunError::Start(_))));
    let (ending, standings) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
    assert_eq!((ending.unwrap(), standings.games()), (Ending::Complete, 4));
}

fn healthy<'a>(plan: &'a Plan) -> impl Fn() -> Fake<'a> + Sync {
    move || Box::new(move |job| Ok(played(plan, job, result_of(job.index))))
}

#[test]
fn every_game_is_played_once() {
    let dir = tempfile::tempdir().unwrap();
    for engines in [&["a", "b"][..], &["a", "b", "c", "d"]] {
        let plan = plan(engines, 5, false);
        let path = dir.path().join(engines.len().to_string());
        let (ending, standings) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
        assert_eq!(ending.unwrap(), Ending::Complete);
        assert_eq!(standings.games(), plan.schedule.games());
        let mut reader = Reader::open(&path).unwrap();
        let mut seen = BTreeSet::new();
        while let Some(Record::Game(game)) = reader.next_record().unwrap() {
            assert!(seen.insert(game.index));
        }
        assert_eq!(seen.len() as u64, plan.schedule.games());
    }
}

#[test]
fn cut_anywhere_a_run_goes_on_to_the_same_table() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["a", "b", "c"], 3, false);
    let path = dir.path().join("whole");
    let (_, whole) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
    let bytes = std::fs::read(&path).unwrap();
    let first = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
    for length in (first..bytes.len()).step_by(97) {
        let path = dir.path().join(length.to_string());
        std::fs::write(&path, &bytes[..length]).unwrap();
        let (ending, standings) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
        assert_eq!(ending.unwrap(), Ending::Complete);
        assert_eq!(standings.rows(), whole.rows(), "cut at {length}");
    }
}

#[test]
fn an_interrupt_leaves_games_unfinished_and_the_rest_for_later() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["a", "b"], 20, false);
    let path = dir.path().join("cut");
    let halted = AtomicBool::new(false);
    let (sender, interrupts) = channel::bounded(1);
    let seat = || {
        let (sender, halted, plan) = (sender.clone(), &halted, &plan);
        move |job: &Job| {
            if job.index < 7 {
                return Ok(played(plan, job, result_of(job.index)));
            }
            let _ = sender.try_send(());
            while !halted.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(played(plan, job, "unfinished"))
        }
    };
    let (ending, standings) = run(&plan, &path, seat, || halted.store(true, Ordering::Relaxed), &interrupts);
    assert_eq!(ending.unwrap(), Ending::Interrupted);
    assert_eq!(standings.games(), 7);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with("{\"type\":\"interrupted\",\"resume\":\"again\"}\n"), "{text}");
    assert!((1..=3).contains(&text.matches("unfinished").count()), "{text}");

    let (ending, standings) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
    assert_eq!(ending.unwrap(), Ending::Complete);
    assert_eq!(standings.games(), 40);
    assert_eq!(standings.between(0, 1).pairs.iter().sum::<u64>(), 20);
}

fn faulty<'a>(plan: &'a Plan) -> impl Fn() -> Fake<'a> + Sync {
    move || {
        Box::new(move |job| {
            let mut played = played(plan, job, "p2win");
            if job.index == 2 {
                let engine = played.game.p1.clone();
                played.game.guilty = Some(engine.clone());
                played.fault = Some(FaultRecord { game: 2, engine, ..FaultRecord::default() });
            }
            Ok(played)
        })
    }
}

#[test]
fn a_fault_ends_a_run_unless_it_recovers() {
    let dir = tempfile::tempdir().unwrap();
    for recover in [false, true] {
        let plan = plan(&["a", "b"], 2000, recover);
        let path = dir.path().join(recover.to_string());
        let (ending, standings) = run(&plan, &path, faulty(&plan), || {}, &channel::never());
        assert_eq!(ending.unwrap(), if recover { Ending::Complete } else { Ending::Fault });
        assert_eq!(standings.faults().len(), 1);
        assert_eq!(standings.games() == 4000, recover);
    }
}

#[test]
fn no_game_begins_after_the_fault_that_ends_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["a", "b"], 2000, false);
    let path = dir.path().join("one");
    let mut journal = Journal::create(&path, &plan.record).unwrap();
    let mut standings = Standings::new(&plan.record);
    let openings = plan.openings().unwrap();
    let run = Run { plan: &plan, openings, done: Done::default(), concurrency: 1, resume: "again".into() };
    // A slow reader of records: the worker is ready for its next game long before the fault is written.
    let mut view = |_: &Record, _: &Standings| thread::sleep(Duration::from_millis(20));
    let seat = faulty(&plan);
    let ending = run.play(seat, || {}, &channel::never(), &mut journal, &mut standings, &mut view);
    assert_eq!((ending.unwrap(), standings.games()), (Ending::Fault, 3));
}

#[test]
fn an_engine_that_cannot_start_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["a", "b"], 1000, true);
    let seat = || |_: &Job| Err(StartError { engine: "a".into(), message: "no such file".into() });
    let (ending, standings) = run(&plan, &dir.path().join("x"), seat, || {}, &channel::never());
    assert!(matches!(ending, Err(RunError::Start(error)) if error.engine == "a"));
    assert_eq!(standings.games(), 0);
}
