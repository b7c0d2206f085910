//! The score sheet of a game: its moves, the position they lead to, the clocks.

use std::mem;
use std::time::Duration;

use game::{MoveError, Outcome, Side, State};

use crate::adjudication::ADJUDICATED;
use crate::arena::{Arena, Job, StartError};
use crate::clock::Clock;
use crate::record::{EvalRecord, FaultRecord, GameRecord, SolvedRecord};

/// The result of a game that has not ended.
pub const UNFINISHED: &str = "unfinished";

/// The score sheet of a game in progress. Only legal moves get onto it.
pub struct Sheet<'a> {
    arena: &'a Arena,
    job: Job,
    start: Box<dyn State>,
    state: Box<dyn State>,
    pub(crate) clocks: [Clock<'a>; 2],
    /// `position fen F [moves …]`, growing move by move.
    pub(crate) history: String,
    plies: Vec<Ply>,
}

/// A move on a [`Sheet`].
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// The move, in its canonical form.
    pub text: String,
    /// The time it took.
    pub used: Duration,
    /// What the mover said of it.
    pub eval: Option<EvalRecord>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// `p1win`, `p2win`, `draw` or `unfinished`.
    pub result: String,
    /// The reason token.
    pub reason: String,
    /// The engine whose fault it was.
    pub guilty: Option<String>,
    /// What was proven of the last position.
    pub solved: Option<SolvedRecord>,
}

impl End {
    /// The end of a game that was broken off.
    pub fn unfinished() -> End {
        End { result: UNFINISHED.into(), reason: UNFINISHED.into(), guilty: None, solved: None }
    }

    /// The end of a game whose last position is proven to be worth this to the side to move.
    pub fn solved(to_move: Side, solved: SolvedRecord) -> End {
        let winner = match solved.value.as_str() {
            "win" => Some(to_move),
            "loss" => Some(to_move.other()),
            _ => None,
        };
        End { solved: Some(solved), ..Outcome { winner, reason: ADJUDICATED }.into() }
    }

    /// The end of a game that one side lost other than by the rules.
    pub fn lost(loser: Side, reason: &str) -> End {
        End { reason: reason.into(), ..Outcome { winner: Some(loser.other()), reason: "" }.into() }
    }
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> End {
        End { result: outcome.token().into(), reason: outcome.reason.into(), guilty: None, solved: None }
    }
}

impl<'a> Sheet<'a> {
    /// The empty sheet of a job.
    ///
    /// # Errors
    /// If the job's position is not one.
    pub fn new(arena: &'a Arena, job: &Job) -> Result<Sheet<'a>, StartError> {
        let start = arena.rules.load(&job.fen).map_err(|error| StartError {
            engine: arena.engines[job.players[0]].name.clone(),
            message: format!("game {} can't start from {}: {error}", job.index, job.fen),
        })?;
        Ok(Sheet::from_start(arena, job.clone(), start))
    }

    fn from_start(arena: &'a Arena, job: Job, start: Box<dyn State>) -> Sheet<'a> {
        let limits = job.players.map(|player| arena.engines[player].limits.as_ref());
        Sheet {
            arena,
            clocks: limits.map(|limits| Clock::new(limits.unwrap_or(&arena.limits))),
            history: format!("position fen {}", job.fen),
            state: start.boxed_clone(),
            start,
            job,
            plies: Vec::new(),
        }
    }

    /// The job it belongs to.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// The name of who plays a side.
    pub fn name(&self, side: Side) -> &'a str {
        &self.arena.engines[self.job.players[side.index()]].name
    }

    /// The position the moves lead to.
    pub fn state(&self) -> &dyn State {
        &*self.state
    }

    /// The moves so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Plays a move, with the time it took and what the mover said of it. On an error nothing changes.
    pub fn play(&mut self, text: &str, used: Duration, eval: Option<EvalRecord>) -> Result<(), MoveError> {
        let mover = self.state.side_to_move().index();
        let text = self.state.play(text)?;
        self.clocks[mover].charge(used);
        self.history.push_str(if self.plies.is_empty() { " moves " } else { " " });
        self.history.push_str(&text);
        self.plies.push(Ply { text, used, eval });
        Ok(())
    }

    /// Takes the last move back, with its time. Says whether there was one.
    pub fn take_back(&mut self) -> bool {
        let mut plies = mem::take(&mut self.plies);
        let was_any = plies.pop().is_some();
        *self = Sheet::from_start(self.arena, self.job.clone(), self.start.boxed_clone());
        for Ply { text, used, eval } in plies {
            self.play(&text, used, eval).expect("a move of this sheet");
        }
        was_any
    }

    /// The end that a fault of one of its players makes.
    pub fn lost_by(&self, fault: &FaultRecord) -> End {
        let loser = if fault.engine == self.name(Side::First) { Side::First } else { Side::Second };
        End { guilty: Some(fault.engine.clone()), ..End::lost(loser, &fault.reason) }
    }

    /// How the game has ended by its rules, by its scores or by its length, looked at in this order.
    pub fn end(&self) -> Option<End> {
        let full = self.arena.max_plies.is_some_and(|max| self.plies.len() >= max as usize);
        let by_length = || full.then_some(Outcome { winner: None, reason: "max-plies" });
        let latest = self.plies.iter().rev().map(|ply| ply.eval.as_ref());
        let mover = self.state.side_to_move().other();
        let by_scores = || self.arena.adjudication.outcome(latest, mover);
        self.state.outcome().or_else(by_scores).or_else(by_length).map(End::from)
    }

    /// The game's record.
    pub fn record(&self, end: &End) -> GameRecord {
        let said = self.plies.iter().any(|ply| ply.eval.is_some());
        GameRecord {
            index: self.job.index,
            pair: self.job.pair,
            p1: self.name(Side::First).to_owned(),
            p2: self.name(Side::Second).to_owned(),
            fen: self.job.fen.clone(),
            moves: self.plies.iter().map(|ply| ply.text.clone()).collect(),
            times_ms: self.plies.iter().map(|ply| ply.used.as_micros() as f64 / 1e3).collect(),
            evals: self.plies.iter().filter(|_| said).map(|ply| ply.eval).collect(),
            result: end.result.clone(),
            reason: end.reason.clone(),
            guilty: end.guilty.clone(),
            plies: self.plies.len() as u64,
            solved: end.solved.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjudication::Adjudication;
    use crate::config::{ClockControl, EngineSpec, Launch, Patience, TimeControl};
    use crate::isolation::Isolation;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn arena() -> Arena {
        let rules = registry::find("simplexity").unwrap();
        let engine = |name: &str| EngineSpec {
            name: name.into(),
            launch: Launch::Command(vec![name.into()]),
            options: Vec::new(),
            dir: None,
            env: Vec::new(),
            limits: None,
            isolation: Isolation::default(),
        };
        let clock = ClockControl { moves: None, base: ms(1000), increment: ms(0) };
        Arena {
            rules,
            setup: rules.setup(&[]).unwrap(),
            engines: vec![engine("A"), engine("B")],
            limits: TimeControl { clock: Some(clock), ..TimeControl::default() },
            patience: Patience::default(),
            adjudication: Adjudication::default(),
            max_plies: Some(3),
            program: "arbiter".into(),
            log: None,
        }
    }

    fn job(arena: &Arena) -> Job {
        Job { index: 5, pair: 2, players: [1, 0], fen: arena.rules.start(&arena.setup).fen(), seed: 1 }
    }

    #[test]
    fn moves_are_taken_back_with_their_time() {
        let arena = arena();
        let mut sheet = Sheet::new(&arena, &job(&arena)).unwrap();
        let eval = Some(EvalRecord { depth: Some(2), cp: Some(7), mate: None });
        sheet.play("4O", ms(300), eval).unwrap();
        let (history, fen) = (sheet.history.clone(), sheet.state().fen());
        sheet.play("4s", ms(200), None).unwrap();
        assert!(sheet.play("9s", ms(100), None).is_err());
        sheet.play("4s", ms(100), None).unwrap();
        let allowed = |sheet: &Sheet| [0, 1].map(|side| sheet.clocks[side].allowed());
        assert_eq!(allowed(&sheet), [Some(ms(600)), Some(ms(800))]);
        assert!(sheet.end().is_some_and(|end| end.reason == "max-plies"));
        assert!(sheet.take_back() && sheet.take_back());
        assert_eq!(allowed(&sheet), [Some(ms(700)), Some(ms(1000))]);
        assert_eq!((&sheet.history, sheet.state().fen(), sheet.end()), (&history, fen, None));
        let record = sheet.record(&End::unfinished());
        assert_eq!(
            (record.moves, record.times_ms, record.evals),
            (vec!["4o".to_owned()], vec![300.0], vec![eval])
        );
        assert_eq!((record.index, record.pair, record.plies), (5, 2, 1));
        assert_eq!((record.p1.as_str(), record.p2.as_str(), record.result.as_str()), ("B", "A", UNFINISHED));
        assert!(sheet.take_back() && !sheet.take_back());
        assert_eq!(sheet.history, format!("position fen {}", sheet.job().fen));
    }

    #[test]
    fn a_fault_is_the_loss_of_whose_it_is() {
        let arena = arena();
        let sheet = Sheet::new(&arena, &job(&arena)).unwrap();
        for (engine, result) in [("A", "p1win"), ("B", "p2win")] {
            let fault =
                FaultRecord { engine: engine.into(), reason: "crash".into(), ..FaultRecord::default() };
            let end = sheet.lost_by(&fault);
            assert_eq!((end.result.as_str(), end.reason.as_str()), (result, "crash"));
            assert_eq!(end.guilty.as_deref(), Some(engine));
        }
    }

    #[test]
    fn a_position_that_is_none_starts_no_game() {
        let arena = arena();
        let job = Job { fen: "7 w".into(), ..job(&arena) };
        let error = Sheet::new(&arena, &job).err().unwrap();
        assert!(error.message.starts_with("game 5 can't start from 7 w: "), "{}", error.message);
    }
}
