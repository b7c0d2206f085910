use std::any::Any;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::{
    Agent, BoardStyle, Clock, Limits, MoveError, Options, Outcome, Playable, Record, Side, Visitor, perft,
};
use protocol::{ErrorReply, Go, Player, Token};
use search::Searcher;
use search::clock::{self, Budget, Pace};

use crate::memory;
use crate::monitor::{Monitor, Watch};
use crate::options::Chosen;

/// The name of a game's main engine among its agents.
pub(crate) const BUILTIN: &str = "builtin";

/// The main engine's option for the size of its table, in MiB.
pub(crate) const HASH: &str = "Hash";
/// Its options for memory, all in MiB.
const MEMORY: [&str; 2] = [HASH, "Prover"];

/// Says so if there is no memory for what options ask for that was not asked for before. A table is there until the next
/// one is.
pub(crate) fn afford(options: &Options, before: Option<&Options>) -> Result<(), String> {
    let is_new = |name: &&str| before.is_none_or(|before| before.int(name) != options.int(name));
    let wanted = MEMORY.iter().copied().filter(is_new).filter_map(|name| options.int(name));
    memory::shortage(wanted.map(i64::unsigned_abs).sum()).map_or(Ok(()), Err)
}

/// A place at the board: the game so far and the agent that thinks about it. It hides the concrete position type,
/// which depends on the set-up, and is handed to the worker thread for the time of a search.
pub(crate) trait Seat: Any + Send {
    /// The agent's name.
    fn name(&self) -> String;
    /// Seats another agent; on an error (no memory for its table) the old one stays.
    fn replace_agent(&mut self, chosen: &Chosen) -> Result<(), String>;
    /// Hands new option values to the agent, in place of those `before`; on an error (no memory for what they ask for) it keeps
    /// the old ones.
    fn configure(&mut self, options: &Options, before: &Options) -> Result<(), String>;
    /// Lets the agent forget what it learnt.
    fn new_game(&mut self);
    /// Takes the agent's memory away, before another seat takes the place of this one.
    fn memory(&mut self) -> Option<Box<dyn Any + Send>>;

    /// Plays a move.
    fn play(&mut self, text: &str) -> Result<(), MoveError>;
    /// Why a move can't be played, if it can't.
    fn check(&self, text: &str) -> Result<(), MoveError>;
    /// The side to move.
    fn side(&self) -> Side;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The points of both players, in games that count points.
    fn score(&self) -> Option<(u32, u32)>;
    /// The number of moves since the root.
    fn ply(&self) -> usize;
    /// The legal moves.
    fn legal(&self) -> Vec<String>;
    /// The moves since the root.
    fn moves(&self) -> Vec<String>;
    /// The position string.
    fn fen(&self) -> String;
    /// The board for people.
    fn board(&self) -> Vec<String>;
    /// The static value for the side to move; of a finished game, the bound of all values that fits its result.
    fn value(&self) -> i32;

    /// Checks the limits of a `go` and keeps them for [`Seat::think`]; gives the time they allow.
    fn prepare(&mut self, go: &Go, overhead: Duration, pace: &Pace) -> Result<Budget, ErrorReply>;
    /// Chooses a move within the limits last prepared.
    fn think(&mut self, watch: &Watch) -> Option<String>;
    /// Counts move sequences; `None` if it was stopped.
    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<u64>;
}

/// Puts a root position on a seat: the same seat, and so the same agent, where the position is of its type, otherwise a new
/// one with the old one's memory. On an error (no memory for an agent's table) the old seat stays, without what it gave away.
pub(crate) struct Placer<'a> {
    pub(crate) seat: &'a mut Option<Box<dyn Seat>>,
    pub(crate) chosen: &'a Chosen,
    /// The game's name for people.
    pub(crate) title: &'static str,
}

impl Visitor for Placer<'_> {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, position: G) -> Result<(), String> {
        let record = Record::new(position);
        let present = self.seat.as_deref_mut().map(|seat| seat as &mut dyn Any);
        if let Some(chair) = present.and_then(|seat| seat.downcast_mut::<Chair<G>>()) {
            chair.record = record;
        } else {
            let memory = self.seat.as_mut().and_then(|seat| seat.memory());
            let agent = agent(self.chosen, self.title, memory)?;
            let limits = Limits::default();
            *self.seat = Some(Box::new(Chair { record, agent, limits, title: self.title }));
        }
        Ok(())
    }
}

/// A new agent, with the memory that one with the same options has given up. What is none of the game's own agents is its
/// main engine.
fn agent<G: Playable>(
    chosen: &Chosen,
    title: &str,
    memory: Option<Box<dyn Any + Send>>,
) -> Result<Box<dyn Agent<G>>, String> {
    if let Some(agent) = G::agent(chosen.name, &chosen.options) {
        return Ok(agent);
    }
    if memory.is_none() {
        afford(&chosen.options, None)?;
    }
    Ok(Box::new(Searcher::with_memory(&chosen.options, format!("Ludus {title}"), memory)?))
}

struct Chair<G: Playable> {
    record: Record<G>,
    agent: Box<dyn Agent<G>>,
    limits: Limits<G::Move>,
    title: &'static str,
}

impl<G: Playable> Seat for Chair<G> {
    fn name(&self) -> String {
        self.agent.name()
    }

    fn replace_agent(&mut self, chosen: &Chosen) -> Result<(), String> {
        self.agent.rest();
        self.agent = agent(chosen, self.title, None)?;
        Ok(())
    }

    fn configure(&mut self, options: &Options, before: &Options) -> Result<(), String> {
        self.agent.rest();
        afford(options, Some(before))?;
        self.agent.configure(options)
    }

    fn new_game(&mut self) {
        self.agent.new_game();
    }

    fn memory(&mut self) -> Option<Box<dyn Any + Send>> {
        self.agent.memory()
    }

    fn play(&mut self, text: &str) -> Result<(), MoveError> {
        let m = self.record.position().parse_move(text)?;
        self.record.try_play(m);
        Ok(())
    }

    fn check(&self, text: &str) -> Result<(), MoveError> {
        self.record.position().parse_move(text).map(drop)
    }

    fn side(&self) -> Side {
        self.record.position().side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.position().outcome()
    }

    fn score(&self) -> Option<(u32, u32)> {
        self.record.position().score()
    }

    fn ply(&self) -> usize {
        self.record.moves().len()
    }

    fn legal(&self) -> Vec<String> {
        let position = self.record.position();
        position.legal_moves().into_iter().map(|m| position.move_text(m)).collect()
    }

    fn moves(&self) -> Vec<String> {
        let mut position = self.record.root().clone();
        let text = |&m| {
            let text = position.move_text(m);
            position.play_unchecked(m);
            text
        };
        self.record.moves().iter().map(text).collect()
    }

    fn fen(&self) -> String {
        self.record.position().fen()
    }

    fn board(&self) -> Vec<String> {
        self.record.position().board(self.record.moves().last().copied(), BoardStyle::default())
    }

    fn value(&self) -> i32 {
        let position = self.record.position();
        match position.outcome() {
            None => position.evaluate(),
            Some(Outcome { winner: None, .. }) => 0,
            Some(Outcome { winner: Some(winner), .. }) if winner == position.side_to_move() => G::LIMIT,
            Some(_) => -G::LIMIT,
        }
    }

    fn prepare(&mut self, go: &Go, overhead: Duration, pace: &Pace) -> Result<Budget, ErrorReply> {
        let position = self.record.position();
        let mut searchmoves = Vec::with_capacity(go.searchmoves.len());
        for (i, text) in go.searchmoves.iter().enumerate() {
            let m = position.parse_move(text.as_str()).map_err(|error| illegal(i, text, &error))?;
            searchmoves.push(m);
        }
        let mover = match position.side_to_move() {
            Side::First => Player::P1,
            Side::Second => Player::P2,
        };
        self.limits = Limits {
            depth: go.depth.map(at_least_one),
            nodes: go.nodes.map(|n| n.max(1) as u64),
            mate: go.mate.map(at_least_one),
            movetime: go.movetime.map(milliseconds),
            clock: go.clock(mover)?.map(|clock| Clock {
                remaining: milliseconds(clock.time),
                increment: milliseconds(clock.increment),
                moves_to_go: clock.moves_to_go.map(at_least_one),
            }),
            searchmoves,
            infinite: go.infinite,
        };
        Ok(clock::budget(&self.limits, position.max_plies_left(), overhead, pace))
    }

    fn think(&mut self, watch: &Watch) -> Option<String> {
        let position = self.record.position();
        let monitor = Monitor::new(watch, position);
        let best = self.agent.think(&self.record, &self.limits, &monitor);
        monitor.finish(best);
        best.map(|m| position.move_text(m))
    }

    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<u64> {
        stoppable_perft(self.record.position(), depth, stop)
    }
}

/// `error illegal-move` for the move of that index (from 0) in its list.
pub(crate) fn illegal(index: usize, text: &Token, error: &MoveError) -> ErrorReply {
    ErrorReply::illegal_move(index + 1, text.as_str()).text(error.to_string())
}

fn at_least_one(limit: i64) -> u32 {
    u32::try_from(limit.max(1)).unwrap_or(u32::MAX)
}

fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0) as u64)
}

/// [`perft::perft`] that asks at every node but the last plies whether to go on.
fn stoppable_perft<G: Playable>(position: &G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= 2 {
        return Some(perft::perft(position, depth));
    }
    let mut nodes = Some(0);
    let _ = position.moves(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        nodes = nodes.zip(stoppable_perft(&next, depth - 1, stop)).map(|(sum, n)| sum + n);
        if nodes.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    nodes
}
