use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam::channel::{self, Receiver, Sender};

use crate::monitor::Watch;
use crate::seat::Seat;

/// What to work on.
pub(crate) struct Job {
    pub(crate) seat: Box<dyn Seat>,
    pub(crate) task: Task,
    pub(crate) watch: Watch,
}

/// The kinds of work that take long and can be stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Choose a move within the limits prepared.
    Think,
    /// Count the move sequences of that many plies.
    Perft(u32),
}

/// What has come of a job.
pub(crate) enum Finding {
    /// The move chosen, if any.
    Best(Option<String>),
    /// The number of move sequences; `None`: stopped.
    Count(Option<u64>),
    /// A fault; whatever was at the seat is lost with it.
    Fault,
}

/// The thread that searches, one job at a time.
pub(crate) struct Worker {
    pub(crate) jobs: Sender<Job>,
    /// The finished jobs: the seat, unless a fault destroyed it, and the finding.
    pub(crate) done: Receiver<(Option<Box<dyn Seat>>, Finding)>,
}

impl Worker {
    /// Starts the thread; it ends when the worker is dropped.
    pub(crate) fn spawn() -> std::io::Result<Worker> {
        let (jobs, queue) = channel::bounded::<Job>(1);
        let (results, done) = channel::bounded(1);
        thread::Builder::new().name("search".into()).stack_size(search::STACK).spawn(move || {
            for Job { mut seat, task, watch } in queue {
                let work = || match task {
                    Task::Think => Finding::Best(seat.think(&watch)),
                    Task::Perft(depth) => Finding::Count(seat.perft(depth, &watch.stop)),
                };
                // An agent's fault must not leave the controller without an answer; the seat is not used afterwards.
                let result = match catch_unwind(AssertUnwindSafe(work)) {
                    Ok(finding) => (Some(seat), finding),
                    Err(_) => (None, Finding::Fault),
                };
                if results.send(result).is_err() {
                    return;
                }
            }
        })?;
        Ok(Worker { jobs, done })
    }
}
