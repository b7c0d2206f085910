//! Plays the games of a plan: workers play, one thread writes the journal and then the views.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam::channel::{self, Receiver, Sender};
use crossbeam::select;
use stats::Round;

use crate::arena::{Job, Played, StartError};
use crate::journal::{Journal, JournalError};
use crate::openings::Openings;
use crate::plan::Plan;
use crate::record::Record;
use crate::rounds::Rounds;
use crate::sheet::UNFINISHED;
use crate::standings::Standings;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All games are played, or the run's test is decided.
    Complete,
    /// A fault ended it, since it was not to recover.
    Fault,
    /// It was interrupted.
    Interrupted,
}

/// Why a run broke off. What was played until then is in the journal.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An engine can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The journal can't be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What a run needs besides its plan.
pub struct Run<'a> {
    /// What is to be played.
    pub plan: &'a Plan,
    /// Its openings.
    pub openings: Openings,
    /// By index, the games that are already played; may be shorter than the plan.
    pub done: Vec<bool>,
    /// Number of games at a time, at least 1.
    pub concurrency: usize,
    /// The command that goes on with the run, for the journal.
    pub resume: String,
}

impl Run<'_> {
    /// Plays all games that are not done, or as many as it takes to decide the test of the plan. `seat` makes the player of a worker; `halt` makes the games in flight end
    /// at once, unfinished; whatever comes in `interrupts` ends the run. `view` sees every record after the journal
    /// has it.
    pub fn play<P>(
        self,
        seat: impl Fn() -> P + Sync,
        halt: impl Fn(),
        interrupts: &Receiver<()>,
        journal: &mut Journal,
        standings: &mut Standings,
        view: &mut dyn FnMut(&Record, &Standings),
    ) -> Result<Ending, RunError>
    where
        P: FnMut(&Job) -> Result<Played, StartError>,
    {
        let recover = self.plan.record.recover;
        let todo = self.plan.schedule.games() - self.done.iter().filter(|done| **done).count() as u64;
        let resume = self.resume.clone();
        let concurrency = self.concurrency.min(usize::try_from(todo).unwrap_or(usize::MAX)).max(1);
        let queue = Queue::new(self);
        // What a record brings about follows it.
        let mut write = |standings: &mut Standings, record: Record| -> Result<(), JournalError> {
            let mut next = Some(record);
            while let Some(record) = next.take() {
                journal.write(&record)?;
                if let Err(message) = standings.add(&record) {
                    log::error!("{message}");
                }
                view(&record, standings);
                next = standings.due();
            }
            queue.pair(standings);
            Ok(())
        };
        if let Some(record) = standings.due() {
            write(standings, record)?;
        }
        queue.pair(standings);
        if is_decided(standings) {
            return Ok(Ending::Complete);
        }
        let mut finished = 0;
        let mut ending = Ending::Complete;
        let mut failure: Option<RunError> = None;
        thread::scope(|scope| {
            let (results, inbox) = channel::bounded(concurrency);
            for _ in 0..concurrency {
                let (queue, seat, results) = (&queue, &seat, results.clone());
                scope.spawn(move || work(queue, seat(), &results));
            }
            drop(results);
            let mut interrupts = interrupts.clone();
            loop {
                let outcome = select! {
                    recv(inbox) -> result => match result {
                        Ok(result) => result,
                        // All workers have left.
                        Err(_) => break,
                    },
                    recv(interrupts) -> _ => {
                        ending = Ending::Interrupted;
                        interrupts = channel::never();
                        queue.close();
                        halt();
                        continue;
                    }
                };
                // Whatever came after a torn record would make the journal unreadable.
                if matches!(failure, Some(RunError::Journal(_))) {
                    continue;
                }
                let written = outcome.map_err(RunError::from).and_then(|Played { game, fault }| {
                    finished += u64::from(game.result != UNFINISHED);
                    if fault.is_some() && !recover && ending == Ending::Complete {
                        ending = Ending::Fault;
                    }
                    fault.map_or(Ok(()), |fault| write(standings, Record::Fault(fault)))?;
                    Ok(write(standings, Record::Game(game))?)
                });
                if let Err(error) = written {
                    failure.get_or_insert(error);
                }
                if failure.is_some() || is_decided(standings) || ending == Ending::Fault {
                    queue.close();
                    halt();
                }
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if is_decided(standings) || finished == todo && ending == Ending::Interrupted {
            ending = Ending::Complete;
        }
        if ending == Ending::Interrupted {
            write(standings, Record::Interrupted { resume })?;
        }
        Ok(ending)
    }
}

fn is_decided(standings: &Standings) -> bool {
    standings.trial().is_some_and(|trial| trial.verdict().is_some())
}

/// Marks the game of a record in a list as [`Run::done`] takes it, if it was finished and is one of the plan's.
pub fn mark_done(done: &mut Vec<bool>, plan: &Plan, record: &Record) {
    if let Record::Game(game) = record
        && game.result != UNFINISHED
        && game.index < plan.schedule.games()
        && let Ok(index) = usize::try_from(game.index)
    {
        done.resize(done.len().max(index + 1), false);
        done[index] = true;
    }
}

fn work<P>(queue: &Queue<'_>, mut play: P, results: &Sender<Result<Played, StartError>>)
where
    P: FnMut(&Job) -> Result<Played, StartError>,
{
    while let Some(indices) = queue.claim() {
        for job in indices.filter_map(|index| queue.job(index)) {
            let result = play(&job);
            // Closed before the journal hears of it: otherwise the next game might begin meanwhile.
            if queue.ends(&result) {
                queue.close();
            }
            let broken = result.is_err();
            if results.send(result).is_err() || broken {
                return;
            }
        }
    }
}

/// Hands out the games in the order of the schedule.
struct Queue<'a> {
    plan: &'a Plan,
    done: Vec<bool>,
    /// Games handed out together.
    portion: u64,
    closed: AtomicBool,
    state: Mutex<QueueState>,
    /// Signalled when a round is paired and when the queue is closed.
    changed: Condvar,
}

struct QueueState {
    next: u64,
    openings: Openings,
    /// The rounds that are paired, where pairings depend on results.
    rounds: Vec<Round>,
}

impl<'a> Queue<'a> {
    fn new(run: Run<'a>) -> Queue<'a> {
        // With many engines a worker takes both games of a pair: it has the two engines running then.
        let portion = if run.plan.engines.len() > 2 { run.plan.schedule.games_per_pair() } else { 1 };
        let state = Mutex::new(QueueState { next: 0, openings: run.openings, rounds: Vec::new() });
        let (closed, changed) = (AtomicBool::new(false), Condvar::new());
        Queue { plan: run.plan, done: run.done, portion, closed, state, changed }
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        // With the lock taken once, whoever saw the queue open waits by now and hears the signal.
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Takes over the rounds that results have paired.
    fn pair(&self, standings: &Standings) {
        let known = standings.rounds().map_or(&[][..], Rounds::known);
        let mut state = self.lock();
        if known.len() > state.rounds.len() {
            state.rounds = known.to_vec();
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no further game may begin after this one.
    fn ends(&self, result: &Result<Played, StartError>) -> bool {
        result.as_ref().map_or(true, |played| played.fault.is_some() && !self.plan.record.recover)
    }

    fn is_open(&self, index: u64) -> bool {
        let done = usize::try_from(index).ok().and_then(|index| self.done.get(index));
        !self.closed.load(Ordering::Relaxed) && done != Some(&true)
    }

    fn claim(&self) -> Option<Range<u64>> {
        let schedule = &self.plan.schedule;
        let mut state = self.lock();
        while state.next < schedule.games() && !self.closed.load(Ordering::Relaxed) {
            let known = schedule.known(&state.rounds);
            if state.next >= known {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let claimed = state.next..(state.next + self.portion).min(known);
            state.next = claimed.end;
            if claimed.clone().any(|index| self.is_open(index)) {
                return Some(claimed);
            }
        }
        None
    }

    fn job(&self, index: u64) -> Option<Job> {
        if !self.is_open(index) {
            return None;
        }
        let mut state = self.lock();
        let slot = self.plan.schedule.slot(index, &state.rounds)?;
        Some(self.plan.job(&slot, &mut state.openings))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::journal::Reader;
    use crate::record::{EngineRecord, FaultRecord, GameRecord, PlanRecord};

    fn plan(engines: &[&str], pairs: u64, recover: bool) -> Plan {
        let engine = |name: &&str| EngineRecord {
            name: (*name).into(),
            builtin: Some("simplexity".into()),
            ..EngineRecord::default()
        };
        Plan::new(PlanRecord {
            schema: crate::plan::SCHEMA,
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
        halt: impl Fn(),
        interrupts: &Receiver<()>,
    ) -> (Result<Ending, RunError>, Standings)
    where
        P: FnMut(&Job) -> Result<Played, StartError>,
    {
        let mut standings = Standings::new(&plan.record);
        let mut done = Vec::new();
        let mut journal = if path.exists() {
            let mut reader = Reader::open(path).unwrap();
            while let Some(record) = reader.next_record().unwrap() {
                standings.add(&record).unwrap();
                mark_done(&mut done, plan, &record);
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

    fn swiss(engines: &[&str], rounds: u64) -> Plan {
        let record = plan(engines, rounds, true).record;
        Plan::new(PlanRecord { format: crate::rounds::SWISS.into(), ..record }).unwrap()
    }

    #[test]
    fn rounds_follow_from_results_and_are_the_same_when_resumed() {
        let dir = tempfile::tempdir().unwrap();
        let plan = swiss(&["a", "b", "c", "d", "e"], 3);
        let path = dir.path().join("whole");
        let (ending, whole) = run(&plan, &path, healthy(&plan), || {}, &channel::never());
        assert_eq!(ending.unwrap(), Ending::Complete);
        assert_eq!(whole.games(), plan.schedule.games());
        let rounds = whole.rounds().unwrap().known().to_vec();
        assert_eq!(rounds.len(), 3);
        let mut met = BTreeSet::new();
        for [a, b] in rounds.iter().flat_map(|round| &round.pairs) {
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

    #[test]
    fn who_waits_for_a_round_leaves_when_the_run_ends() {
        let dir = tempfile::tempdir().unwrap();
        let plan = swiss(&["a", "b", "c"], 2);
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
        let (ending, standings) =
            run(&plan, &path, seat, || halted.store(true, Ordering::Relaxed), &interrupts);
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
        let run = Run { plan: &plan, openings, done: Vec::new(), concurrency: 1, resume: "again".into() };
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
}
