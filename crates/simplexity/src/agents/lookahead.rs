use bits::Bits;
use game::{Agent, Control, Limits, Options, Record};

use super::alpha_beta::{Best, Heuristic, Search, Ties};
use super::budget::Budget;
use super::{DEPTH, candidates};
use crate::piece::Move;
use crate::position::Position;

/// Looks a fixed number of plies ahead, without deepening and without regard to time: when it is stopped it has no move.
pub(super) struct Lookahead<B: Bits> {
    title: &'static str,
    depth: u32,
    manner: Manner,
    heuristic: Box<dyn Heuristic<B>>,
}

/// How the agents of fixed depth search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Manner {
    pub(super) prune: bool,
    pub(super) ties: Ties,
}

impl<B: Bits> Lookahead<B> {
    pub(super) fn new(
        title: &'static str,
        manner: Manner,
        heuristic: impl Heuristic<B> + 'static,
        options: &Options,
    ) -> Lookahead<B> {
        Lookahead { title, depth: depth(options), manner, heuristic: Box::new(heuristic) }
    }
}

/// Plies to look ahead by the option, which has a default of its own for each agent.
pub(super) fn depth(options: &Options) -> u32 {
    options.int(DEPTH).and_then(|n| u32::try_from(n).ok()).unwrap_or(0).max(1)
}

impl<B: Bits> Agent<Position<B>> for Lookahead<B> {
    fn name(&self) -> String {
        format!("{}D{}", self.title, self.depth)
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.depth = depth(options);
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        look_ahead(record.position(), limits, control, self.depth, self.manner, &mut *self.heuristic)
    }
}

/// The best move at that depth or, if less, the depth of `limits`; `None` when stopped.
pub(super) fn look_ahead<B: Bits>(
    position: &Position<B>,
    limits: &Limits<Move>,
    control: &dyn Control<Move>,
    depth: u32,
    Manner { prune, ties }: Manner,
    heuristic: &mut dyn Heuristic<B>,
) -> Option<Move> {
    let depth = limits.depth.map_or(depth, |most| depth.min(most));
    heuristic.fit(position.frame());
    let mut search = Search { heuristic, budget: Budget::new(limits, control, None), prune, table: None };
    let mut best = Best::new(ties);
    let window = (f32::NEG_INFINITY, f32::INFINITY);
    search.root(position, &candidates(position, limits), depth, window, &mut best).ok()?;
    let _ = search.budget.report::<B>(depth, best.value * search.heuristic.scale(), best.m);
    best.m
}
