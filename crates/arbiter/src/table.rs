//! A table where one game after the other is played by the arbiter's own rules.

use std::time::{Duration, Instant};

use game::zobrist::number;
use game::{MoveError, Side, State};
use protocol::Best;

use crate::arena::{Arena, Job, Played, StartError};
use crate::clock::{self, Clock};
use crate::driver::{Driver, Poller, Waited};
use crate::fault::{Fault, Reason};
use crate::process::{Farewell, Hub};
use crate::record::{EvalRecord, GameRecord};

/// How long an engine may take to show its view of the position when its move was illegal.
const VIEW: Duration = Duration::from_millis(500);

/// A worker's seat: plays one game after the other and keeps the two engine processes while the pairing stays.
pub struct Table<'a> {
    hub: &'a Hub,
    arena: &'a Arena,
    poller: Poller<'a>,
    /// During a game the first player's engine and the second's.
    seats: Vec<Driver<'a>>,
    /// The processor core of both engines.
    core: Option<usize>,
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
        if self.hub.is_stopped() {
            return Ok(Played { game: sheet.record(job, &End::UNFINISHED, None), fault: None });
        }
        let end = match self.seat(job).inspect_err(|_| self.clear())? {
            Some(end) => end,
            None => self.play_out(&mut sheet),
        };
        let fault = end.fault.as_ref().map(|(side, fault)| {
            let guilty = &self.seats[side.index()];
            guilty.fault_record(job.index, fault)
        });
        if let Some((side, fault)) = &end.fault
            && !fault.reason.leaves_engine_usable()
        {
            self.seats.remove(side.index()).retire(Farewell::Kill);
        }
        let guilty = fault.as_ref().map(|fault| fault.engine.clone());
        Ok(Played { game: sheet.record(job, &end, guilty), fault })
    }

    /// Seats the job's engines and makes them ready. What ends the game before its first move is given back.
    fn seat(&mut self, job: &Job) -> Result<Option<End>, StartError> {
        for driver in self.seats.extract_if(.., |driver| !job.players.contains(&driver.index())) {
            driver.retire(Farewell::Quit);
        }
        for (side, player) in job.players.into_iter().enumerate() {
            match self.seats.iter().skip(side).position(|driver| driver.index() == player) {
                Some(i) => self.seats.swap(side, side + i),
                None => self.seats.insert(side, Driver::start(self.hub, self.arena, player, self.core)?),
            }
        }
        for driver in self.seats.drain(2..) {
            driver.retire(Farewell::Quit);
        }
        for side in Side::BOTH {
            let [engine, opponent] = pair(&mut self.seats, side);
            let Some(deadline) = engine.greeting_deadline() else { continue };
            let failure = match self.poller.wait(engine, opponent, deadline) {
                Waited::Done => {
                    engine.accept_greeting();
                    continue;
                }
                Waited::Stopped => return Ok(Some(End::UNFINISHED)),
                Waited::Late => None,
                Waited::Broken(fault) => Some(fault),
            };
            return Err(engine.start_failure("ugiok", failure.as_ref(), self.arena.patience.startup));
        }
        let mut patience = [Duration::ZERO; 2];
        for side in Side::BOTH {
            let seed = number(number(job.seed, job.index), side.index() as u64);
            patience[side.index()] = self.seats[side.index()].prepare(job.index, seed)?;
        }
        let asked = Instant::now();
        for side in Side::BOTH {
            let [engine, opponent] = pair(&mut self.seats, side);
            let patience = patience[side.index()];
            let failure = match self.poller.wait(engine, opponent, asked + patience) {
                Waited::Done => {
                    engine.accept_preparation()?;
                    continue;
                }
                Waited::Stopped => return Ok(Some(End::UNFINISHED)),
                Waited::Late => None,
                Waited::Broken(fault) => Some(fault),
            };
            if !engine.was_prepared() {
                return Err(engine.start_failure("readyok", failure.as_ref(), patience));
            }
            let fault = failure.unwrap_or_else(|| {
                let detail =
                    format!("no `readyok` within {} s, {}", patience.as_secs_f64(), engine.condition());
                Fault::new(Reason::Stall, detail)
            });
            let detail = format!("between two games: {}", fault.detail);
            return Ok(Some(End::lost(side, Fault { detail, ..fault })));
        }
        Ok(None)
    }

    fn play_out(&mut self, sheet: &mut Sheet) -> End {
        loop {
            if let Some(end) = sheet.end(self.arena.max_plies) {
                return end;
            }
            if let Err(end) = self.ply(sheet) {
                return end;
            }
        }
    }

    /// Has the side to move move. What keeps it from that is the game's end.
    fn ply(&mut self, sheet: &mut Sheet) -> Result<(), End> {
        let side = sheet.state.side_to_move();
        let patience = &self.arena.patience;
        let [engine, opponent] = pair(&mut self.seats, side);
        let allowed = sheet.clocks[side.index()].allowed().unwrap_or(patience.max_think);
        let limit = allowed + patience.margin;
        let legal = engine.has_cap("wants-legal").then(|| sheet.state.legal());
        let (asked, slept) = (Instant::now(), self.poller.slept());
        engine.think(&sheet.history, legal.as_deref(), clock::go(&sheet.clocks, side));
        let lost = |reason, detail: String| End::lost(side, Fault::new(reason, detail));
        let mut waited = self.poller.wait(engine, opponent, asked + limit);
        if waited == Waited::Late {
            engine.stop();
            waited = self.poller.wait(engine, opponent, Instant::now() + patience.cleanup);
        }
        match waited {
            Waited::Done => {}
            Waited::Stopped => return Err(End::UNFINISHED),
            Waited::Broken(fault) => return Err(End::lost(side, fault)),
            Waited::Late => {
                let detail = format!(
                    "no move after {}, nor after `stop`: {}{}",
                    Ms(asked.elapsed()),
                    engine.condition(),
                    engine.dropped().map(|dropped| format!("; {dropped}")).unwrap_or_default(),
                );
                return Err(lost(Reason::Stall, detail));
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
            return Err(lost(Reason::Time, detail));
        }
        let text = match best {
            Best::Move(text) => text.as_str(),
            Best::Malformed(word) => {
                return Err(lost(Reason::Malformed, format!("`{}` is not a move", word.escape_debug())));
            }
            Best::Null => {
                let said = engine.complaint().map(|error| format!("; it said: {error}")).unwrap_or_default();
                let detail = format!(
                    "{} legal moves, and it gives none within its limits ({}){said}",
                    sheet.state.count_moves(),
                    sheet.clocks[side.index()].control(),
                );
                return Err(lost(Reason::NoMove, detail));
            }
        };
        match sheet.state.play(text) {
            Ok(canonical) => {
                sheet.clocks[side.index()].charge(used);
                sheet.note(canonical, used, engine.eval());
                Ok(())
            }
            Err(MoveError::Malformed(text)) => {
                Err(lost(Reason::Malformed, format!("`{text}` is not a move of this game")))
            }
            Err(error) => {
                let mut detail = format!("{text}: {error}; position: {}", sheet.state.fen());
                if engine.has_cap("query") {
                    engine.ask_fen();
                    if self.poller.wait(engine, opponent, Instant::now() + VIEW) == Waited::Done
                        && let Some(fen) = engine.fen()
                    {
                        detail = format!("{detail}; its view: {fen}");
                    }
                }
                Err(lost(Reason::Illegal, detail))
            }
        }
    }

    /// Parts from all engines.
    fn clear(&mut self) {
        for driver in self.seats.drain(..) {
            driver.retire(Farewell::Quit);
        }
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The engine that plays `side`, and its opponent.
fn pair<'s, 'a>(seats: &'s mut [Driver<'a>], side: Side) -> [&'s mut Driver<'a>; 2] {
    let [first, second] = seats else { unreachable!("both seats are taken") };
    match side {
        Side::First => [first, second],
        Side::Second => [second, first],
    }
}

/// How a game ended.
struct End {
    result: &'static str,
    reason: &'static str,
    fault: Option<(Side, Fault)>,
}

impl End {
    const UNFINISHED: End = End { result: "unfinished", reason: "unfinished", fault: None };

    fn lost(guilty: Side, fault: Fault) -> End {
        let result = if guilty == Side::First { "p2win" } else { "p1win" };
        End { result, reason: fault.reason.token(), fault: Some((guilty, fault)) }
    }
}

/// The score sheet of a game in progress.
struct Sheet<'a> {
    names: [&'a str; 2],
    clocks: [Clock<'a>; 2],
    state: Box<dyn State>,
    /// `position fen F [moves …]`, growing move by move.
    history: String,
    moves: Vec<String>,
    times_ms: Vec<f64>,
    evals: Vec<Option<EvalRecord>>,
}

impl<'a> Sheet<'a> {
    fn new(arena: &'a Arena, job: &Job) -> Result<Sheet<'a>, StartError> {
        let players = job.players.map(|i| &arena.engines[i]);
        let state = arena.rules.load(&job.fen).map_err(|error| StartError {
            engine: players[0].name.clone(),
            message: format!("game {} can't start from {}: {error}", job.index, job.fen),
        })?;
        Ok(Sheet {
            names: players.map(|spec| spec.name.as_str()),
            clocks: players.map(|spec| Clock::new(spec.limits.as_ref().unwrap_or(&arena.limits))),
            history: format!("position fen {}", job.fen),
            state,
            moves: Vec::new(),
            times_ms: Vec::new(),
            evals: Vec::new(),
        })
    }

    /// How the game has ended by its rules or by its length.
    fn end(&self, max_plies: Option<u32>) -> Option<End> {
        if let Some(outcome) = self.state.outcome() {
            return Some(End { result: outcome.token(), reason: outcome.reason, fault: None });
        }
        let full = max_plies.is_some_and(|max| self.moves.len() >= max as usize);
        full.then_some(End { result: "draw", reason: "max-plies", fault: None })
    }

    fn note(&mut self, played: String, used: Duration, eval: Option<EvalRecord>) {
        self.history.push_str(if self.moves.is_empty() { " moves " } else { " " });
        self.history.push_str(&played);
        self.moves.push(played);
        self.times_ms.push(used.as_micros() as f64 / 1e3);
        self.evals.push(eval);
    }

    fn record(mut self, job: &Job, end: &End, guilty: Option<String>) -> GameRecord {
        if self.evals.iter().all(Option::is_none) {
            self.evals.clear();
        }
        GameRecord {
            index: job.index,
            pair: job.pair,
            p1: self.names[0].to_owned(),
            p2: self.names[1].to_owned(),
            fen: job.fen.clone(),
            plies: self.moves.len() as u64,
            moves: self.moves,
            times_ms: self.times_ms,
            evals: self.evals,
            result: end.result.to_owned(),
            reason: end.reason.to_owned(),
            guilty,
        }
    }
}

/// Milliseconds for people.
struct Ms(Duration);

impl std::fmt::Display for Ms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} ms", self.0.as_secs_f64() * 1e3)
    }
}
