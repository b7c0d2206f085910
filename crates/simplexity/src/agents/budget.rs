use std::ops::ControlFlow;
use std::time::Duration;

use bits::Bits;
use game::{Control, Evaluate, Limits, Report, Score};

use crate::piece::Move;
use crate::position::Position;

/// There is to be no more thinking.
pub(super) struct Stopped;

/// What a choice may cost: the limits it was asked for with, and the agent's own time.
pub(super) struct Budget<'a> {
    control: &'a dyn Control<Move>,
    /// When the agent's own time is up, counted from when the move was asked for.
    end: Option<Duration>,
    nodes: u64,
    most_nodes: u64,
}

impl<'a> Budget<'a> {
    pub(super) fn new(
        limits: &Limits<Move>,
        control: &'a dyn Control<Move>,
        end: Option<Duration>,
    ) -> Budget<'a> {
        Budget { control, end, nodes: 0, most_nodes: limits.nodes.unwrap_or(u64::MAX) }
    }

    /// Counts a position, unless thinking is to end.
    pub(super) fn enter(&mut self) -> Result<(), Stopped> {
        /// Even on the largest board so many positions take only a few milliseconds.
        const BETWEEN_LOOKS: u64 = 4;
        let late = || self.end.is_some_and(|end| self.control.elapsed() >= end);
        if self.nodes >= self.most_nodes
            || self.control.stopped()
            || self.nodes.is_multiple_of(BETWEEN_LOOKS) && late()
        {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Tells what was found to `depth`, the value in hundredths; `Break` asks not to look deeper.
    pub(super) fn report<B: Bits>(&self, depth: u32, value: f32, best: Option<Move>) -> ControlFlow<()> {
        let limit = Position::<B>::LIMIT as f32;
        self.control.report(&Report {
            depth,
            seldepth: depth,
            nodes: self.nodes,
            score: Score::Cp(value.clamp(-limit, limit) as i32),
            multipv: None,
            hashfull: None,
            pv: best.as_slice(),
        })
    }
}

/// So many percent of the time for this move; with a clock alone, the agents leave it to their caller to say when to
/// begin no further iteration.
pub(super) fn share(limits: &Limits<Move>, percent: u32) -> Option<Duration> {
    limits.movetime.map(|time| time / 100 * percent)
}
