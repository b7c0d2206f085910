//! The order in which a node tries its moves: the table's move, what has refuted the move before, then the others by
//! history and the game's own guess.

use std::cmp::Reverse;
use std::hint::select_unpredictable;

use game::{Evaluate, Game};

use crate::history::{History, Kind, Ranked};
use crate::value::pack;

/// The two moves that last refuted a position at some distance from the root, packed.
pub(crate) type Killers = [u16; 2];

/// The move lists of all nodes on the current line, one after another, so that no node allocates.
pub(crate) type MoveStack<M> = Vec<Ranked<M>>;

/// So many moves are selected one by one, as most nodes need no more; then the rest is sorted.
const LAZY: usize = 8;

/// What a node knows of its moves before any is generated.
#[derive(Clone, Copy)]
pub(crate) struct Known<M> {
    /// The move of the table; it must be legal.
    pub(crate) table: Option<M>,
    /// What last refuted the move that led to the node. It need not be legal.
    pub(crate) answer: Option<M>,
    pub(crate) killers: Killers,
}

/// Where a picker stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    Answer,
    /// To be selected from those on the stack.
    List,
    /// To be taken from those on the stack one after another, as far as they are legal and not known before.
    Sorted,
}

/// Hands out the moves of one node, best first. They are only generated once those known before have not sufficed, and not
/// more of them than the node is likely to try, until these have not sufficed either.
pub(crate) struct Picker<G: Game> {
    known: Known<G::Move>,
    /// What a killer's rank is raised by.
    killer: i32,
    /// So many moves are generated next.
    batch: usize,
    /// Where the position goes on handing out moves; `None` once it has handed out all.
    more: Option<usize>,
    stage: Stage,
    /// First move of the node on the stack.
    start: usize,
    /// Next one to hand out.
    next: usize,
    /// First of the sorted ones not looked at yet.
    unread: usize,
}

impl<G: Evaluate> Picker<G> {
    /// A picker for a node whose list will begin at the top of the stack, and that is likely to try at most `batch` moves.
    pub(crate) fn new(
        known: Known<G::Move>,
        killer: i32,
        batch: usize,
        stack: &MoveStack<G::Move>,
    ) -> Picker<G> {
        let start = stack.len();
        Picker { known, killer, batch, more: Some(0), stage: Stage::Table, start, next: start, unread: start }
    }

    /// Tries no moves but those on the stack from `start` on: those that the position forces.
    pub(crate) fn restrict(
        &mut self,
        start: usize,
        position: &G,
        history: &History<G::Move>,
        stack: &mut MoveStack<G::Move>,
    ) {
        (self.start, self.next, self.stage, self.more) = (start, start, Stage::List, None);
        // Where there is no choice, nothing is known of the only move, and nothing need be.
        if let list @ [_, _, ..] = &mut stack[start..] {
            for item in list {
                let is_first = Some(item.m) == self.known.table;
                item.rank = if is_first { i32::MAX } else { self.rank(item.m, position, history) };
            }
        }
    }

    /// The next move.
    #[expect(
        clippy::inline_always,
        reason = "most nodes ask once or twice, and what they know is in registers"
    )]
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        position: &G,
        history: &mut History<G::Move>,
        stack: &mut MoveStack<G::Move>,
    ) -> Option<G::Move> {
        if self.stage == Stage::Table {
            self.stage = Stage::Answer;
            if let Some(m) = self.known.table {
                return Some(self.hand_out(m, stack));
            }
        }
        if self.stage == Stage::Answer {
            self.stage = Stage::List;
            // One that has failed elsewhere more often than not is better judged among all the others.
            self.known.answer = self.known.answer.filter(|&m| {
                Some(m) != self.known.table && position.is_legal(m) && history.get(Kind::of(position, m)) > 0
            });
            if let Some(m) = self.known.answer {
                return Some(self.hand_out(m, stack));
            }
        }
        if G::STEADY && self.stage == Stage::List && self.more.take().is_some() {
            self.stage = Stage::Sorted;
            self.unread = stack.len();
            // One by one, which takes fewer instructions for so few than a call that copies them.
            stack.extend(history.sorted(position).iter().copied());
        }
        if self.stage == Stage::Sorted {
            return self.next_sorted(position, stack);
        }
        while !G::STEADY
            && self.next == stack.len()
            && let Some(from) = self.more
        {
            self.generate(from, position, history, stack);
        }
        let rest = &mut stack[self.next..];
        if self.next - self.start == LAZY {
            rest.sort_unstable_by_key(|item| (Reverse(item.rank), G::move_bits(item.m)));
        } else if self.next - self.start < LAZY {
            // The first of the best; no branch depends on which it is.
            let (mut best, mut highest) = (0, rest.first()?.rank);
            for (i, item) in rest.iter().enumerate().skip(1) {
                best = select_unpredictable(item.rank > highest, i, best);
                highest = highest.max(item.rank);
            }
            rest.swap(0, best);
        }
        let m = rest.first()?.m;
        self.next += 1;
        Some(m)
    }

    /// The next legal one of the sorted moves.
    #[inline]
    fn next_sorted(&mut self, position: &G, stack: &mut MoveStack<G::Move>) -> Option<G::Move> {
        let known = [self.known.table, self.known.answer].map(pack::<G>);
        loop {
            let m = stack.get(self.unread)?.m;
            self.unread += 1;
            if !known.contains(&G::move_bits(m)) && position.is_legal(m) {
                stack[self.next].m = m;
                self.next += 1;
                return Some(m);
            }
        }
    }

    /// Puts a move that was known before at the end of those handed out.
    fn hand_out(&mut self, m: G::Move, stack: &mut MoveStack<G::Move>) -> G::Move {
        stack.push(m.into());
        self.next += 1;
        m
    }

    /// Generates moves from that place on, which come in the order of their ranks at first, later in that of the game.
    fn generate(
        &mut self,
        from: usize,
        position: &G,
        history: &History<G::Move>,
        stack: &mut MoveStack<G::Move>,
    ) {
        // Numbers are compared sooner than moves that may be none.
        let known = [self.known.table, self.known.answer].map(pack::<G>);
        let first = stack.len();
        self.more = position.candidates(from, self.batch, |m| {
            if !known.contains(&G::move_bits(m)) {
                stack.push(m.into());
            }
        });
        for (i, item) in (first..).zip(&mut stack[first..]) {
            item.rank = if from == 0 { self.rank(item.m, position, history) } else { -(i as i32) };
        }
        self.batch = usize::MAX;
    }

    #[expect(clippy::inline_always, reason = "the loop over all moves is where much of the time goes")]
    #[inline(always)]
    fn rank(&self, m: G::Move, position: &G, history: &History<G::Move>) -> i32 {
        let is_killer = self.known.killers.contains(&G::move_bits(m));
        history.rank(position, m) + if is_killer { self.killer } else { 0 }
    }

    /// Rewards the move handed out last, which has refuted the node, and punishes those tried before it.
    pub(crate) fn learn(
        &self,
        position: &G,
        history: &mut History<G::Move>,
        stack: &MoveStack<G::Move>,
        bonus: i32,
    ) {
        for (i, tried) in stack[self.start..self.next].iter().rev().enumerate() {
            history.learn(position, tried.m, if i == 0 { bonus } else { -bonus });
        }
    }
}
