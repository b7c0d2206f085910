use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, select_biased};
use game::{Family, Setup};
use protocol::{Best, Command, Dialect, ErrorCode, ErrorReply, Owed, Query, Reply, Token};
use search::clock::Budget;

use crate::input::{Input, Reader};
use crate::monitor::Watch;
use crate::options::Settings;
use crate::output::Output;
use crate::seat::Seat;
use crate::worker::{Finding, Job, Task, Worker};

/// How many lines are kept while a search runs.
const MAX_QUEUED_LINES: usize = 1024;
/// How many bytes of lines are kept while a search runs.
const MAX_QUEUED_BYTES: usize = 4 << 20;
/// How long `quit` waits for the running search.
const QUIT_PATIENCE: Duration = Duration::from_millis(150);

/// The engine's side of a conversation.
///
/// Commands are executed one after another on the session's thread. A search is the only thing that takes long: it
/// gets the seat and works in a thread of its own, while the session sleeps until the next line, the deadline, or the
/// search's end. Lines that come meanwhile are queued, apart from the few that act at once.
pub(crate) struct Session<F> {
    pub(crate) output: Arc<Output>,
    reader: Reader,
    worker: Worker,
    quit: Receiver<()>,
    pub(crate) dialect: Dialect,
    pub(crate) settings: Settings<F>,
    /// `None` after a set-up was refused.
    pub(crate) setup: Option<Setup>,
    /// Away while a search has it.
    pub(crate) seat: Option<Box<dyn Seat>>,
    /// Whether the game at the seat is one to answer from; if not, the position is unset.
    pub(crate) placed: bool,
    search: Option<Search>,
    queue: VecDeque<Entry>,
    queued_bytes: usize,
    /// Since when no search has run.
    idle_since: Instant,
    /// When everything must be done, after the end of input.
    grace: Option<Instant>,
}

/// A running search.
pub(crate) struct Search {
    task: Task,
    tag: Option<Token>,
    /// Whether the answer waits until it is asked for.
    infinite: bool,
    /// Whether the answer was asked for: by `stop`, `quit`, or the end of input.
    asked: bool,
    /// Tells the worker to come to an end.
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// The finding that waits until it is asked for.
    held: Option<Finding>,
}

impl Search {
    pub(crate) fn new(task: Task, infinite: bool, tag: Option<Token>) -> Search {
        Search { task, tag, infinite, asked: false, stop: Arc::default(), deadline: None, held: None }
    }

    fn must_wait(&self) -> bool {
        self.infinite && !self.asked
    }
}

/// What waits for the end of the search.
enum Entry {
    Line(Input),
    /// What a line that found no room still owes, in its place.
    Owed(Owed),
}

/// What wakes the session up.
enum Event {
    Line(Input),
    EndOfInput,
    Done(Option<Box<dyn Seat>>, Finding),
    Deadline,
    Quit,
}

impl<F: Family> Session<F> {
    pub(crate) fn new(
        reader: Reader,
        output: Output,
        quit: Receiver<()>,
        settings: Settings<F>,
    ) -> io::Result<Session<F>> {
        let mut session = Session {
            output: Arc::new(output),
            reader,
            worker: Worker::spawn()?,
            quit,
            dialect: Dialect::Ugi,
            settings,
            setup: Some(F::default_setup()),
            seat: None,
            placed: true,
            search: None,
            queue: VecDeque::new(),
            queued_bytes: 0,
            idle_since: Instant::now(),
            grace: None,
        };
        session.place_start(&F::default_setup());
        Ok(session)
    }

    /// Talks until `quit`, the end of input, or the end of the output.
    pub(crate) fn run(mut self) -> io::Result<()> {
        loop {
            if let Some(end) = self.output.ended() {
                self.stop();
                return end;
            }
            if self.search.is_none() {
                if let Some(entry) = self.queue.pop_front() {
                    self.take_up(entry);
                    continue;
                }
                if self.grace.is_some() {
                    return Ok(());
                }
            }
            match self.next_event() {
                Event::Line(input) => {
                    if self.hear(input).is_break() {
                        return Ok(());
                    }
                }
                Event::EndOfInput => {
                    self.reader.lines = channel::never();
                    self.grace = Some(Instant::now() + self.settings.eof_grace());
                }
                Event::Done(seat, finding) => {
                    self.seat = seat;
                    self.found(finding);
                }
                Event::Deadline => self.deadline_passed(),
                Event::Quit => {
                    self.leave();
                    return Ok(());
                }
            }
        }
    }

    fn next_event(&self) -> Event {
        let deadline = self.search.as_ref().and_then(|search| {
            let grace = self.grace.filter(|_| !search.asked);
            search.deadline.into_iter().chain(grace).min()
        });
        let timer = deadline.map_or_else(channel::never, channel::at);
        select_biased! {
            recv(self.worker.done) -> done => {
                let (seat, finding) = done.unwrap_or((None, Finding::Fault));
                Event::Done(seat, finding)
            },
            recv(self.quit) -> _ => Event::Quit,
            recv(timer) -> _ => Event::Deadline,
            recv(self.reader.lines) -> line => line.map_or(Event::EndOfInput, Event::Line),
        }
    }

    /// Takes a line that has just come. `Break`: it was `quit`.
    fn hear(&mut self, input: Input) -> ControlFlow<()> {
        match &input.line {
            Ok(Command::Quit) => {
                self.leave();
                return ControlFlow::Break(());
            }
            Ok(Command::Stop) => self.stop(),
            _ if self.search.is_none() => self.execute(input),
            Ok(Command::Query(Query::Status)) => self.respond("status", ["searching"]),
            Ok(Command::IsReady) if self.queue.is_empty() => self.send(&Reply::ReadyOk),
            Ok(Command::Wait) if self.never_ends() => {
                self.error(ErrorReply::unsupported("wait").text("an infinite search never ends by itself"));
                self.reader.resume();
            }
            _ => self.defer(input),
        }
        ControlFlow::Continue(())
    }

    /// Whether the running search or one that is queued ends only by `stop`.
    fn never_ends(&self) -> bool {
        let queued = |entry: &Entry| match entry {
            Entry::Line(Input { line: Ok(Command::Go(go)), .. }) => go.infinite,
            _ => false,
        };
        self.search.as_ref().is_some_and(Search::must_wait) || self.queue.iter().any(queued)
    }

    /// Queues a line behind the running search.
    fn defer(&mut self, input: Input) {
        let room = self.queue.len() < MAX_QUEUED_LINES && self.queued_bytes + input.size <= MAX_QUEUED_BYTES;
        // The reader stands still until its `wait` has been seen to, so there is at most one beyond the limits.
        if room || matches!(input.line, Ok(Command::Wait)) {
            self.queued_bytes += input.size;
            self.queue.push_back(Entry::Line(input));
            return;
        }
        self.error(ErrorReply::new(ErrorCode::Busy).text("too much is queued behind the running search"));
        let owed = match input.line {
            Ok(Command::Go(go)) => Owed::BestMove(go.tag),
            Ok(Command::Position { .. }) => Owed::UnsetPosition,
            Ok(Command::Setup { .. }) => Owed::UnsetSetup,
            Ok(_) => Owed::Nothing,
            Err(refusal) => refusal.owed,
        };
        let repeated = matches!(self.queue.back(), Some(Entry::Owed(last)) if *last == owed);
        match owed {
            Owed::Nothing => {}
            Owed::UnsetPosition | Owed::UnsetSetup if repeated => {}
            owed => self.queue.push_back(Entry::Owed(owed)),
        }
    }

    /// Executes what has waited for the end of a search. Once time is up, what still owes an answer gets a short one.
    fn take_up(&mut self, entry: Entry) {
        let input = match entry {
            Entry::Line(input) => input,
            Entry::Owed(owed) => return self.settle(owed),
        };
        self.queued_bytes -= input.size;
        let aborted = ErrorReply::new(ErrorCode::Aborted);
        match input.line {
            Ok(Command::Go(go)) if self.is_out_of_time() => {
                self.error(aborted);
                self.best_move(None, go.tag);
            }
            Ok(Command::Query(query)) if self.is_out_of_time() => self.error(aborted.detail(query.word())),
            Ok(_) if self.is_out_of_time() => {}
            _ => self.execute(input),
        }
    }

    /// Whether the time after the end of input is used up.
    fn is_out_of_time(&self) -> bool {
        self.grace.is_some_and(|end| Instant::now() >= end)
    }

    /// Starts a search; its clock runs since `at`, or since the search before it ended.
    pub(crate) fn begin(&mut self, mut search: Search, budget: Budget, at: Instant) {
        let started = at.max(self.idle_since);
        search.deadline = budget.hard.and_then(|time| started.checked_add(time));
        let watch = Watch {
            stop: Arc::clone(&search.stop),
            started,
            share: budget.share,
            pace: self.settings.pace(),
            deadline: search.deadline,
            output: Arc::clone(&self.output),
            dialect: self.dialect,
        };
        let task = search.task;
        self.search = Some(search);
        let seat = self.seat.take().expect("the seat is here while nothing is searched");
        self.worker.jobs.send(Job { seat, task, watch }).expect("the worker lives as long as the session");
    }

    /// Starts a search whose finding is known already.
    pub(crate) fn begin_with(&mut self, search: Search, finding: Finding) {
        self.search = Some(search);
        self.found(finding);
    }

    /// Ends the running search, if there is one.
    fn stop(&mut self) {
        let Some(search) = &mut self.search else { return };
        search.asked = true;
        search.deadline = None;
        search.stop.store(true, Ordering::Relaxed);
        if let Some(finding) = search.held.take() {
            self.conclude(finding);
        }
    }

    fn deadline_passed(&mut self) {
        if self.is_out_of_time() {
            self.inform("stopped by end of input (wait, EofGrace)");
            self.stop();
        } else if let Some(search) = &mut self.search {
            // An infinite search with a time limit stops thinking here, but its answer waits on.
            search.deadline = None;
            search.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the finding of the search, and answers unless that has to wait.
    fn found(&mut self, finding: Finding) {
        match &mut self.search {
            Some(search) if search.must_wait() => search.held = Some(finding),
            _ => self.conclude(finding),
        }
    }

    /// Answers with what the search found, and ends it.
    fn conclude(&mut self, finding: Finding) {
        let Some(Search { task, tag, .. }) = self.search.take() else { return };
        self.idle_since = Instant::now();
        match finding {
            Finding::Best(best) => self.best_move(best.as_deref().and_then(Token::new), tag),
            Finding::Count(Some(nodes)) => self.respond("perft", [nodes]),
            Finding::Count(None) => self.error(ErrorReply::new(ErrorCode::Aborted).detail("perft")),
            Finding::Fault => {
                self.error(ErrorReply::new(ErrorCode::Internal).text("the search failed"));
                if task == Task::Think {
                    self.best_move(None, tag);
                }
                self.reseat();
            }
        }
    }

    /// Ends the running search for good.
    fn leave(&mut self) {
        self.stop();
        if self.search.is_some() {
            let done = self.worker.done.recv_timeout(QUIT_PATIENCE);
            self.conclude(done.map_or(Finding::Best(None), |(_, finding)| finding));
        }
    }

    /// Does what a refused line owes.
    pub(crate) fn settle(&mut self, owed: Owed) {
        match owed {
            Owed::Nothing => {}
            Owed::BestMove(tag) => self.best_move(None, tag),
            Owed::UnsetPosition => self.placed = false,
            Owed::UnsetSetup => {
                self.setup = None;
                self.placed = false;
            }
        }
    }

    /// Lets the reader go on after a `wait`.
    pub(crate) fn resume_reader(&self) {
        self.reader.resume();
    }

    pub(crate) fn send(&self, reply: &Reply) {
        // A failure is noticed by the main loop, which ends the session.
        let _sent = self.output.send(reply);
    }

    pub(crate) fn inform(&self, text: &str) {
        self.send(&Reply::InfoString(text.to_owned()));
    }

    /// Prints an error, wrapped for tools that know UCI only.
    pub(crate) fn error(&self, error: ErrorReply) {
        match self.dialect {
            Dialect::Ugi => self.send(&Reply::Error(error)),
            Dialect::Uci => self.inform(&error.to_string()),
        }
    }

    pub(crate) fn best_move(&self, best: Option<Token>, tag: Option<Token>) {
        self.send(&Reply::BestMove { best: best.map_or(Best::Null, Best::Move), tag });
    }
}
