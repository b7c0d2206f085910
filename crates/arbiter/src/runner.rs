//! Plays the games of a plan: workers play, and whoever has finished a game writes it into the journal and then the views.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam::channel::{self, Receiver};
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
    /// Plays all games that are not done, or as many as it takes to decide the test of the plan. `seat` makes the player
    /// of a worker; `halt` makes the games in flight end at once, unfinished; whatever comes in `interrupts` ends the run.
    /// `view` sees every record after the journal has it.
    pub fn play<P>(
        self,
        seat: impl Fn() -> P + Sync,
        halt: impl Fn() + Sync,
        interrupts: &Receiver<()>,
        journal: &mut Journal,
        standings: &mut Standings,
        view: &mut (dyn FnMut(&Record, &Standings) + Send),
    ) -> Result<Ending, RunError>
    where
        P: FnMut(&Job) -> Result<Played, StartError>,
    {
        let recover = self.plan.record.recover;
        let todo = self.plan.schedule.games() - self.done.count();
        let resume = self.resume.clone();
        let concurrency = self.concurrency.min(usize::try_from(todo).unwrap_or(usize::MAX)).max(1);
        let queue = Queue::new(self);
        let mut desk = Desk {
            queue: &queue,
            journal,
            standings,
            view,
            recover,
            finished: 0,
            fault: false,
            failure: None,
        };
        if let Some(record) = desk.standings.due() {
            desk.write(record)?;
        }
        queue.pair(desk.standings);
        if desk.is_decided() {
            return Ok(Ending::Complete);
        }
        let desk = Mutex::new(desk);
        let mut interrupted = false;
        thread::scope(|scope| {
            // Nothing is ever sent: it closes when all workers have left.
            let (present, left) = channel::bounded::<()>(0);
            for _ in 0..concurrency {
                let (queue, desk, seat, halt, present) = (&queue, &desk, &seat, &halt, present.clone());
                scope.spawn(move || {
                    work(queue, desk, seat(), halt);
                    drop(present);
                });
            }
            drop(present);
            let mut interrupts = interrupts.clone();
            loop {
                select! {
                    recv(left) -> _ => break,
                    recv(interrupts) -> _ => {
                        interrupted = true;
                        interrupts = channel::never();
                        queue.close();
                        halt();
                    }
                }
            }
        });
        let mut desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = desk.failure {
            return Err(error);
        }
        if desk.is_decided() || interrupted && desk.finished == todo {
            return Ok(Ending::Complete);
        }
        if interrupted {
            desk.write(Record::Interrupted { resume })?;
            return Ok(Ending::Interrupted);
        }
        Ok(if desk.fault { Ending::Fault } else { Ending::Complete })
    }
}

/// Where finished games are written down.
struct Desk<'a> {
    queue: &'a Queue<'a>,
    journal: &'a mut Journal,
    standings: &'a mut Standings,
    view: &'a mut (dyn FnMut(&Record, &Standings) + Send),
    /// Whether the run goes on after a fault.
    recover: bool,
    /// Games that came to their end.
    finished: u64,
    /// Whether there was a fault that the run doesn't go on after.
    fault: bool,
    failure: Option<RunError>,
}

impl Desk<'_> {
    /// Takes down what became of a game. Says whether the run ends with it.
    fn take(&mut self, result: Result<Played, StartError>) -> bool {
        // Whatever came after a torn record would make the journal unreadable.
        if !matches!(self.failure, Some(RunError::Journal(_)))
            && let Err(error) = result.map_err(RunError::from).and_then(|played| Ok(self.file(played)?))
        {
            self.failure.get_or_insert(error);
        }
        self.failure.is_some() || self.fault || self.is_decided()
    }

    fn file(&mut self, Played { game, fault }: Played) -> Result<(), JournalError> {
        self.finished += u64::from(game.result != UNFINISHED);
        self.fault |= fault.is_some() && !self.recover;
        fault.map_or(Ok(()), |fault| self.write(Record::Fault(fault)))?;
        self.write(Record::Game(game))
    }

    /// Writes a record, and what it brings about after it.
    fn write(&mut self, record: Record) -> Result<(), JournalError> {
        let mut next = Some(record);
        while let Some(record) = next.take() {
            self.journal.write(&record)?;
            if let Err(message) = self.standings.add(&record) {
                log::error!("{message}");
            }
            (self.view)(&record, self.standings);
            next = self.standings.due();
        }
        self.queue.pair(self.standings);
        Ok(())
    }

    /// Whether no more games are needed, whatever the schedule has left.
    fn is_decided(&self) -> bool {
        self.standings.trial().is_some_and(|trial| trial.verdict().is_some())
            || self.standings.rounds().is_some_and(Rounds::is_over)
    }
}

fn work<P>(queue: &Queue<'_>, desk: &Mutex<Desk<'_>>, mut play: P, halt: impl Fn())
where
    P: FnMut(&Job) -> Result<Played, StartError>,
{
    while let Some(claimed) = queue.claim() {
        for job in claimed.filter_map(|n| queue.job(n)) {
            let result = play(&job);
            let broken = result.is_err();
            if desk.lock().unwrap_or_else(PoisonError::into_inner).take(result) {
                queue.close();
                halt();
            }
            if broken {
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
