//! Plays the games of a plan: workers play, one thread writes the journal and then the views.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam::channel::{self, Receiver, Sender};
use crossbeam::select;

use crate::arena::{Job, Played, StartError};
use crate::done::Done;
use crate::journal::{Journal, JournalError};
use crate::openings::Openings;
use crate::plan::Plan;
use crate::record::Record;
use crate::rounds::{Rounds, Stage};
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
    /// The games that are already played.
    pub done: Done,
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
        let todo = self.plan.schedule.games() - self.done.count();
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

/// Whether no more games are needed, whatever the schedule has left.
fn is_decided(standings: &Standings) -> bool {
    standings.trial().is_some_and(|trial| trial.verdict().is_some())
        || standings.rounds().is_some_and(Rounds::is_over)
}

fn work<P>(queue: &Queue<'_>, mut play: P, results: &Sender<Result<Played, StartError>>)
where
    P: FnMut(&Job) -> Result<Played, StartError>,
{
    while let Some(claimed) = queue.claim() {
        for job in claimed.filter_map(|n| queue.job(n)) {
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
    done: Done,
    /// Games handed out together.
    portion: u64,
    closed: AtomicBool,
    state: Mutex<QueueState>,
    /// Signalled when a round is paired and when the queue is closed.
    changed: Condvar,
}

struct QueueState {
    /// Games handed out.
    next: u64,
    openings: Openings,
    /// What is paired, where pairings depend on results.
    stages: Vec<Stage>,
}

impl<'a> Queue<'a> {
    fn new(run: Run<'a>) -> Queue<'a> {
        // With many engines a worker takes both games of a pair: it has the two engines running then.
        let portion = if run.plan.engines.len() > 2 { run.plan.schedule.games_per_pair() } else { 1 };
        let state = Mutex::new(QueueState { next: 0, openings: run.openings, stages: Vec::new() });
        let (closed, changed) = (AtomicBool::new(false), Condvar::new());
        Queue { plan: run.plan, done: run.done, portion, closed, state, changed }
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        // With the lock taken once, whoever saw the queue open waits by now and hears the signal.
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Takes over what results have paired, or that they have ended the run.
    fn pair(&self, standings: &Standings) {
        let Some(rounds) = standings.rounds() else { return };
        if rounds.is_over() {
            return self.close();
        }
        let mut state = self.lock();
        if rounds.known().len() > state.stages.len() {
            state.stages = rounds.known().to_vec();
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

    fn is_open(&self, n: u64) -> bool {
        !self.closed.load(Ordering::Relaxed) && !self.done.contains(self.plan.schedule.index(n))
    }

    /// The next games for a worker, counted among those to be played.
    fn claim(&self) -> Option<Range<u64>> {
        let schedule = &self.plan.schedule;
        let mut state = self.lock();
        while !self.closed.load(Ordering::Relaxed) {
            let known = schedule.known(&state.stages);
            if state.next >= known {
                if !schedule.has_rounds() {
                    return None;
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let claimed = state.next..(state.next + self.portion).min(known);
            state.next = claimed.end;
            if claimed.clone().any(|n| self.is_open(n)) {
                return Some(claimed);
            }
        }
        None
    }

    fn job(&self, n: u64) -> Option<Job> {
        if !self.is_open(n) {
            return None;
        }
        let mut state = self.lock();
        let slot = self.plan.schedule.slot(self.plan.schedule.index(n), &state.stages)?;
        Some(self.plan.job(&slot, &mut state.openings))
    }
}

#[cfg(test)]
mod tests;
