use std::fmt::Write;
use std::time::Duration;

use game::{Agent, Control, Evaluate, Game, Limits, Options, Record, Report, Score, Side};

use super::rings::{Situation, last_action};
use super::style::Style;
use super::{DEPTH, LIMIT};
use crate::geometry::Cells;
use crate::position::{Move, Position};

/// Value of a win in the halves of a [`Style`]. All wins are equal, however near.
const WON: i32 = 1_000_000;

/// How many nodes pass between two looks at the clock.
const CLOCK_NODES: u64 = 64;

/// Alpha-beta to a fixed depth without deepening. Of equal actions it takes the first in its order. When it is stopped
/// it takes the best action it has searched to the end, or the first one if there is none.
pub(super) struct Lookahead<S> {
    title: &'static str,
    name: String,
    style: S,
    depth: u32,
    /// Its own time for a move.
    limit: Duration,
}

impl<S: Style> Lookahead<S> {
    /// An agent that looks `depth` plies ahead for as long as that takes, where `options` don't say otherwise.
    pub(super) fn new(title: &'static str, style: S, depth: u32, options: &Options) -> Lookahead<S> {
        let mut agent = Lookahead { title, name: String::new(), style, depth, limit: Duration::MAX };
        agent.set(options);
        agent
    }

    fn set(&mut self, options: &Options) {
        self.name.clear();
        self.name += self.title;
        if let Some(depth) = options.int(DEPTH) {
            self.depth = depth as u32;
            let _ = write!(self.name, "D{depth}");
        }
        if let Some(limit) = options.int(LIMIT) {
            self.limit = Duration::from_millis(limit as u64);
            let _ = write!(self.name, "L{limit}");
        }
    }
}

impl<B: Cells, S: Style> Agent<Position<B>> for Lookahead<S> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.set(options);
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let depth = limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let mut search = Search { style: &self.style, control, time: self.limit, nodes: 0, node_limit };
        let (centre, _) = last_action(position, record.moves());
        let moves = search.candidates(position, centre, |m| limits.allows(&m));

        let (mut best, mut value) = (*moves.first()?, -WON);
        let mut finished = true;
        for m in moves {
            match search.visit(position, m, centre, depth, value, WON) {
                Ok(better) if better > value => (best, value) = (m, better),
                Ok(_) => {}
                Err(Stopped) => {
                    finished = false;
                    break;
                }
            }
            if value == WON {
                break;
            }
        }
        let limit = Position::<B>::LIMIT;
        let _ = control.report(&Report {
            depth: if finished { depth } else { depth - 1 },
            seldepth: depth,
            nodes: search.nodes,
            score: Score::Cp((value.saturating_mul(50)).clamp(-limit, limit)),
            multipv: None,
            hashfull: None,
            pv: &[best],
        });
        Some(best)
    }
}

/// The search is to end.
struct Stopped;

struct Search<'a, S> {
    style: &'a S,
    control: &'a dyn Control<Move>,
    time: Duration,
    nodes: u64,
    node_limit: u64,
}

impl<S: Style> Search<'_, S> {
    /// The actions to look at, in order: those the style admits, or all if it admits none.
    fn candidates<B: Cells>(
        &self,
        position: &Position<B>,
        centre: u16,
        wanted: impl Fn(Move) -> bool,
    ) -> Vec<Move> {
        let mut all = Situation::of(position).actions(centre);
        if all.is_empty() {
            all.push(Move::Pass);
        }
        all.retain(|&m| wanted(m));
        let admitted: Vec<Move> = all.iter().copied().filter(|&m| self.style.admits(position, m)).collect();
        if admitted.is_empty() { all } else { admitted }
    }

    /// The value of an unfinished position for the side to move: exact between `alpha` and `beta`, else a bound.
    /// `centre` is the cell of the last action.
    fn value<B: Cells>(
        &mut self,
        position: &Position<B>,
        centre: u16,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        if depth == 0 {
            let value = self.style.value(position);
            return Ok(if position.side_to_move() == Side::Second { value } else { -value });
        }
        let mut best = -WON;
        for m in self.candidates(position, centre, |_| true) {
            best = best.max(self.visit(position, m, centre, depth, alpha.max(best), beta)?);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The value of a move for the side that makes it.
    fn visit<B: Cells>(
        &mut self,
        position: &Position<B>,
        m: Move,
        centre: u16,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let out_of_time = || self.nodes.is_multiple_of(CLOCK_NODES) && self.control.elapsed() >= self.time;
        if self.nodes >= self.node_limit || self.control.stopped() || out_of_time() {
            return Err(Stopped);
        }
        self.nodes += 1;
        let mut next = position.clone();
        next.play_unchecked(m);
        if let Some(outcome) = next.outcome() {
            return Ok(match outcome.winner {
                None => 0,
                Some(side) if side == position.side_to_move() => WON,
                Some(_) => -WON,
            });
        }
        let centre = position.destination(m).unwrap_or(centre);
        Ok(-self.value(&next, centre, depth - 1, -beta, -alpha)?)
    }
}
