//! A table where one game after the other is played by the arbiter's own rules.

use std::time::{Duration, Instant};

use game::MoveError;
use game::zobrist::number;
use protocol::Best;

use crate::arena::{Arena, Job, Played, StartError};
use crate::clock;
use crate::driver::transcript::Clipped;
use crate::driver::{Driver, Poller, Waited};
use crate::fault::{Fault, Reason};
use crate::process::{Farewell, Hub};
use crate::record::FaultRecord;
use crate::sheet::{End, Sheet};
use crate::solver::Solving;

/// How long an engine may take to show its view of the position when its move was illegal.
const VIEW: Duration = Duration::from_millis(500);

const FILES_ADVICE: &str = "play fewer games at a time, or allow more open files (ulimit -n)";

/// A worker's table: plays one game after the other and keeps the engine processes while they are asked for.
pub struct Table<'a> {
    hub: &'a Hub,
    arena: &'a Arena,
    poller: Poller<'a>,
    /// The engines at the table, in no order.
    seats: Vec<Driver<'a>>,
    /// The processor core of all engines.
    core: Option<usize>,
}

/// Why an engine did not do what it was asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Halt {
    /// The hub's stopper was used.
    Interrupted,
    /// It could not be started.
    Start(StartError),
    /// It failed.
    Fault(Box<FaultRecord>),
}

impl From<StartError> for Halt {
    fn from(error: StartError) -> Halt {
        Halt::Start(error)
    }
}

impl<'a> Table<'a> {
    /// A table without engines yet.
    pub fn new(hub: &'a Hub, arena: &'a Arena) -> Table<'a> {
        Table { hub, arena, poller: Poller::new(hub), seats: Vec::new(), core: None }
    }

    /// The table with its engines bound to a processor core, where one is given.
    #[must_use]
    pub fn on_core(mut self, core: Option<usize>) -> Table<'a> {
        self.core = core;
        self
    }

    /// Plays a game. Interrupted by the hub's stopper, it is `unfinished`.
    ///
    /// # Errors
    /// If an engine can't be started, again or for the first time, or if the job's position is not one.
    pub fn play(&mut self, job: &Job) -> Result<Played, StartError> {
        let mut sheet = Sheet::new(self.arena, job)?;
        let (end, fault) = match self.play_out(&mut sheet) {
            Ok(end) => (end, None),
            Err(Halt::Interrupted) => (End::unfinished(), None),
            Err(Halt::Start(error)) => return Err(error),
            Err(Halt::Fault(fault)) => (sheet.lost_by(&fault), Some(*fault)),
        };
        Ok(Played { game: sheet.record(&end), fault })
    }

    /// What becomes of a game before which an engine couldn't be started, if that is to be its loss.
    ///
    /// # Errors
    /// If the job's position is not one.
    pub fn forfeit(&self, job: &Job, error: &StartError) -> Result<Played, StartError> {
        let sheet = Sheet::new(self.arena, job)?;
        let mut lines = error.message.lines().map(str::to_owned);
        let fault = FaultRecord {
            game: job.index,
            engine: error.engine.clone(),
            reason: Reason::NoStart.token().into(),
            detail: lines.next().unwrap_or_default(),
            stderr: String::new(),
            last_lines: lines.collect(),
        };
        Ok(Played { game: sheet.record(&sheet.lost_by(&fault)), fault: Some(fault) })
    }

    fn play_out(&mut self, sheet: &mut Sheet) -> Result<End, Halt> {
        let Job { players, index, seed, .. } = *sheet.job();
        self.seat(&players, index, seed)?;
        let mut solving = Solving::new(self.hub, self.arena, self.core, sheet);
        loop {
            if let Some(end) = sheet.end() {
                return Ok(end);
            }
            if let Some(end) = solving.end(sheet)? {
                return Ok(end);
            }
            self.ply(players[sheet.state().side_to_move().index()], sheet)?;
        }
    }

    /// Seats these engines of the arena and no others, and makes them ready for a game. What is random in them derives
    /// from the seed, the game's index, and their place in the list.
    pub fn seat(&mut self, engines: &[usize], game: u64, seed: u64) -> Result<(), Halt> {
        if self.hub.is_stopped() {
            return Err(Halt::Interrupted);
        }
        for driver in self.seats.extract_if(.., |driver| !engines.contains(&driver.index())) {
            self.poller.forget(&driver);
            driver.retire(Farewell::Quit);
        }
        self.make_ready(engines, game, number(seed, game)).inspect_err(|halt| {
            if matches!(halt, Halt::Start(_)) {
                self.clear();
            }
        })
    }

    fn make_ready(&mut self, engines: &[usize], game: u64, seed: u64) -> Result<(), Halt> {
        for &index in engines {
            if !self.seats.iter().any(|driver| driver.index() == index) {
                self.seats.push(Driver::start(self.hub, self.arena, index, self.core)?);
            }
        }
        for &index in engines {
            let (engine, others) = split(&mut self.seats, index);
            let Some(deadline) = engine.greeting_deadline() else { continue };
            if let Err(error) = self.poller.watch(engine) {
                return Err(engine
                    .start_error(&format!("can't be waited for: {error}"), FILES_ADVICE)
                    .into());
            }
            let failure = match self.poller.wait(engine, others, deadline) {
                Waited::Done => {
                    engine.accept_greeting();
                    continue;
                }
                Waited::Stopped => return Err(Halt::Interrupted),
                Waited::Late => None,
                Waited::Broken(fault) => Some(fault),
            };
            return Err(engine.start_failure("ugiok", failure.as_ref(), self.arena.patience.startup).into());
        }
        let mut patience = Vec::new();
        for (place, &index) in (0..).zip(engines) {
            let (engine, _) = split(&mut self.seats, index);
            patience.push(engine.prepare(game, number(seed, place))?);
        }
        let asked = Instant::now();
        for (&index, patience) in engines.iter().zip(patience) {
            let (engine, others) = split(&mut self.seats, index);
            let failure = match self.poller.wait(engine, others, asked + patience) {
                Waited::Done => {
                    engine.accept_preparation()?;
                    continue;
                }
                Waited::Stopped => return Err(Halt::Interrupted),
                Waited::Late => None,
                Waited::Broken(fault) => Some(fault),
            };
            if !engine.was_prepared() {
                return Err(engine.start_failure("readyok", failure.as_ref(), patience).into());
            }
            let fault = failure.unwrap_or_else(|| {
                let detail =
                    format!("no `readyok` within {} s, {}", patience.as_secs_f64(), engine.condition());
                Fault::new(Reason::Stall, detail)
            });
            let detail = format!("between two games: {}", fault.detail);
            return Err(self.take_down(index, game, &Fault { detail, ..fault }));
        }
        Ok(())
    }

    /// Has a seated engine play a move for the side to move.
    pub fn ply(&mut self, index: usize, sheet: &mut Sheet) -> Result<(), Halt> {
        match self.ask(index, sheet) {
            Ok(()) => Ok(()),
            Err(Some(fault)) => Err(self.take_down(index, sheet.job().index, &fault)),
            Err(None) => Err(Halt::Interrupted),
        }
    }

    /// What keeps the engine from a move is its fault, or none of its.
    fn ask(&mut self, index: usize, sheet: &mut Sheet) -> Result<(), Option<Fault>> {
        let side = sheet.state().side_to_move();
        let patience = &self.arena.patience;
        let (engine, others) = split(&mut self.seats, index);
        let allowed = sheet.clocks[side.index()].allowed().unwrap_or(patience.max_think);
        let limit = allowed + patience.margin;
        let legal = engine.has_cap("wants-legal").then(|| sheet.state().legal());
        let (asked, slept) = (Instant::now(), self.poller.slept());
        engine.think(&sheet.history, legal.as_deref(), clock::go(&sheet.clocks, side));
        let fault = |reason, detail: String| Some(Fault::new(reason, detail));
        let mut waited = self.poller.wait(engine, others, asked + limit);
        if waited == Waited::Late {
            engine.stop();
            waited = self.poller.wait(engine, others, Instant::now() + patience.cleanup);
        }
        match waited {
            Waited::Done => {}
            Waited::Stopped => return Err(None),
            Waited::Broken(fault) => return Err(Some(fault)),
            Waited::Late => {
                let detail = format!(
                    "no move after {}, nor after `stop`: {}{}",
                    Ms(asked.elapsed()),
                    engine.condition(),
                    engine.dropped().map(|dropped| format!("; {dropped}")).unwrap_or_default(),
                );
                return Err(fault(Reason::Stall, detail));
            }
        }
        let Some((best, at)) = engine.best() else {
            unreachable!("an engine that owes nothing has answered")
        };
        let slept = self.poller.slept().saturating_sub(slept);
        let used = at.saturating_duration_since(asked).saturating_sub(slept);
        if used > limit {
            let (margin, over) = (Ms(patience.margin), Ms(used.saturating_sub(limit)));
            let detail =
                format!("move after {}, {over} beyond {} and {margin} margin", Ms(used), Ms(allowed));
            return Err(fault(Reason::Time, detail));
        }
        let text = match best {
            Best::Move(text) => text.as_str(),
            Best::Malformed(word) => {
                return Err(fault(Reason::Malformed, format!("`{}` is not a move", Clipped(word))));
            }
            Best::Null => {
                let why = engine.complaint().map_or_else(
                    || "next step: larger ones, if these are too small for it to find a move".into(),
                    |error| format!("it said: {error}"),
                );
                let detail = format!(
                    "{} legal moves, and it gives none within its limits ({}); {why}",
                    sheet.state().count_moves(),
                    sheet.clocks[side.index()].control(),
                );
                return Err(fault(Reason::NoMove, detail));
            }
        };
        match sheet.play(text, used, engine.eval()) {
            Ok(()) => Ok(()),
            Err(MoveError::Malformed(text)) => {
                Err(fault(Reason::Malformed, format!("`{text}` is not a move of this game")))
            }
            Err(error) => {
                let mut detail = format!("{text}: {error}; position: {}", sheet.state().fen());
                if engine.has_cap("query") {
                    engine.ask_fen();
                    if self.poller.wait(engine, others, Instant::now() + VIEW) == Waited::Done
                        && let Some(fen) = engine.fen()
                    {
                        detail = format!("{detail}; its view: {fen}");
                    }
                }
                Err(fault(Reason::Illegal, detail))
            }
        }
    }

    /// Takes a fault down, and parts from an engine that can't play on.
    fn take_down(&mut self, index: usize, game: u64, fault: &Fault) -> Halt {
        let (engine, _) = split(&mut self.seats, index);
        let record = engine.fault_record(game, fault);
        if !fault.reason.leaves_engine_usable() {
            let driver = self.seats.swap_remove(0);
            self.poller.forget(&driver);
            driver.retire(Farewell::Kill);
        }
        Halt::Fault(Box::new(record))
    }

    /// Parts from all engines.
    fn clear(&mut self) {
        for driver in self.seats.drain(..) {
            self.poller.forget(&driver);
            driver.retire(Farewell::Quit);
        }
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The engine of that index in the arena, which then stands first, and the others.
fn split<'s, 'a>(seats: &'s mut [Driver<'a>], index: usize) -> (&'s mut Driver<'a>, &'s mut [Driver<'a>]) {
    let at = seats.iter().position(|driver| driver.index() == index).unwrap_or_default();
    seats.swap(0, at);
    seats.split_first_mut().expect("the engine is seated")
}

/// Milliseconds for people.
struct Ms(Duration);

impl std::fmt::Display for Ms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} ms", self.0.as_secs_f64() * 1e3)
    }
}
