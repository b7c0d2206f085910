//! The order in which a node tries its moves: the table's move, then the others by history and the game's own guess.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use game::{Evaluate, Game};

use crate::history::History;

/// The two moves that last refuted a position at some distance from the root.
pub(crate) type Killers<M> = [Option<M>; 2];

/// A move and what speaks for it.
#[derive(Clone, Copy)]
pub(crate) struct Ranked<M> {
    pub(crate) m: M,
    rank: i32,
}

/// The move lists of all nodes on the current line, one after another, so that no node allocates.
pub(crate) type MoveStack<M> = Vec<Ranked<M>>;

impl<M> From<M> for Ranked<M> {
    /// A move of which nothing is known yet.
    fn from(m: M) -> Ranked<M> {
        Ranked { m, rank: 0 }
    }
}

/// So many moves are selected one by one, as most nodes need no more; then the rest is sorted.
const LAZY: usize = 6;

/// Hands out the moves of one node, best first. The moves are only generated once the table's move has not sufficed.
pub(crate) struct Picker<G: Game> {
    table_move: Option<G::Move>,
    killers: Killers<G::Move>,
    /// What a killer's rank is raised by.
    killer: i32,
    /// First move of the node on the stack, once generated.
    start: usize,
    /// Next one to hand out.
    next: usize,
    generated: bool,
}

impl<G: Evaluate> Picker<G> {
    /// A picker for a node whose list will begin at the top of the stack. The table's move must be legal.
    pub(crate) fn new(
        table_move: Option<G::Move>,
        killers: Killers<G::Move>,
        killer: i32,
        stack: &MoveStack<G::Move>,
    ) -> Picker<G> {
        let (start, next) = (stack.len(), stack.len());
        Picker { table_move, killers, killer, start, next, generated: false }
    }

    /// Tries no moves but those on the stack from `start` on: those that the position forces.
    pub(crate) fn restrict(
        &mut self,
        start: usize,
        position: &G,
        history: &History,
        stack: &mut MoveStack<G::Move>,
    ) {
        (self.start, self.next, self.generated) = (start, start, true);
        let table_move = self.table_move.take();
        // Where there is no choice, nothing is known of the only move, and nothing need be.
        if let list @ [_, _, ..] = &mut stack[start..] {
            for item in list {
                let is_first = Some(item.m) == table_move;
                item.rank = if is_first { i32::MAX } else { self.rank(item.m, position, history) };
            }
        }
    }

    /// The next move.
    pub(crate) fn next(
        &mut self,
        position: &G,
        history: &History,
        stack: &mut MoveStack<G::Move>,
    ) -> Option<G::Move> {
        if let Some(m) = self.table_move
            && self.next == self.start
        {
            stack.push(Ranked { m, rank: i32::MAX });
            self.next += 1;
            return Some(m);
        }
        if !self.generated {
            self.generated = true;
            self.generate(position, history, stack);
        }
        let rest = &mut stack[self.next..];
        if self.next - self.start == LAZY {
            rest.sort_unstable_by_key(|item| (Reverse(item.rank), G::move_bits(item.m)));
        } else if self.next - self.start < LAZY {
            let (best, _) = rest
                .iter()
                .enumerate()
                .reduce(|best, item| if item.1.rank > best.1.rank { item } else { best })?;
            rest.swap(0, best);
        }
        let m = rest.first()?.m;
        self.next += 1;
        Some(m)
    }

    fn generate(&self, position: &G, history: &History, stack: &mut MoveStack<G::Move>) {
        let _ = position.moves(|m| {
            if Some(m) != self.table_move {
                stack.push(Ranked { m, rank: self.rank(m, position, history) });
            }
            ControlFlow::Continue(())
        });
    }

    #[expect(clippy::inline_always, reason = "the loop over all moves is where much of the time goes")]
    #[inline(always)]
    fn rank(&self, m: G::Move, position: &G, history: &History) -> i32 {
        let killer = if self.killers.contains(&Some(m)) { self.killer } else { 0 };
        history.get(position.side_to_move(), position.history_index(m)) + position.order_hint(m) + killer
    }

    /// Rewards the move handed out last, which has refuted the node, and punishes those tried before it.
    pub(crate) fn learn(&self, position: &G, history: &mut History, stack: &MoveStack<G::Move>, bonus: i32) {
        let side = position.side_to_move();
        for (i, tried) in stack[self.start..self.next].iter().rev().enumerate() {
            history.update(side, position.history_index(tried.m), if i == 0 { bonus } else { -bonus });
        }
    }

    /// Takes the node's list off the stack.
    pub(crate) fn leave(self, stack: &mut MoveStack<G::Move>) {
        stack.truncate(self.start);
    }
}
