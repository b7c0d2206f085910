//! The order in which a node tries its moves: the table's move, what has refuted other positions as far from the root, what
//! has refuted the move before, then the others by history and the game's own guess.

use std::cmp::Reverse;
use std::hint::select_unpredictable;

use game::{Evaluate, Game};

use crate::history::{History, Kind, Ranked};
use crate::params::Params;
use crate::value::NO_MOVE;

/// Moves that are kept for each distance from the root.
const KILLERS: usize = 2;

/// The moves that last refuted a position at some distance from the root, packed, the last one first.
pub(crate) type Killers = [u16; KILLERS];

/// None yet.
pub(crate) const NO_KILLERS: Killers = [NO_MOVE; KILLERS];

/// The move lists of all nodes on the current line, one after another, so that no node allocates.
pub(crate) type MoveStack<M> = Vec<Ranked<M>>;

/// What a node knows of its moves before any is generated.
#[derive(Clone, Copy)]
pub(crate) struct Known<M> {
    /// The move of the table; it must be legal.
    pub(crate) table: Option<M>,
    /// What last refuted the move that led to the node. It need not be legal.
    pub(crate) answer: Option<M>,
    /// They need not be legal either.
    pub(crate) killers: Killers,
}

/// The most moves that are handed out before any is generated: the table's, the killers and the answer.
const EARLY: usize = 2 + KILLERS;

/// Where a picker stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    /// Which of the killers is next.
    Killer(usize),
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
    /// The moves handed out before any was generated, packed.
    early: [u16; EARLY],
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
    pub(crate) fn new(known: Known<G::Move>, batch: usize, stack: &MoveStack<G::Move>) -> Picker<G> {
        let start = stack.len();
        let early = [NO_MOVE; EARLY];
        Picker { known, early, batch, more: Some(0), stage: Stage::Table, start, next: start, unread: start }
    }

    /// Tries no moves but those on the stack from `start` on: those that the position forces. A killer's rank is raised by
    /// `killer`.
    pub(crate) fn restrict(
        &mut self,
        start: usize,
        killer: i32,
        position: &G,
        history: &History<G>,
        stack: &mut MoveStack<G::Move>,
    ) {
        (self.start, self.next, self.stage, self.more) = (start, start, Stage::List, None);
        // Where there is no choice, nothing is known of the only move, and nothing need be.
        if let list @ [_, _, ..] = &mut stack[start..] {
            for item in list {
                let is_killer = self.known.killers.contains(&G::move_bits(item.m));
                let more = if is_killer { killer } else { 0 };
                let is_first = Some(item.m) == self.known.table;
                item.rank = if is_first { i32::MAX } else { history.rank(position, item.m) + more };
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
        params: &Params,
        position: &G,
        history: &mut History<G>,
        stack: &mut MoveStack<G::Move>,
    ) -> Option<G::Move> {
        if self.stage == Stage::Table {
            // Where moves are kept sorted, none need be generated, and killers are no better than what comes first.
            self.stage = if G::STEADY { Stage::Answer } else { Stage::Killer(0) };
            if let Some(m) = self.known.table {
                return Some(self.hand_out(m, stack));
            }
        }
        if !G::STEADY
            && let Stage::Killer(from) = self.stage
        {
            self.stage = Stage::Answer;
            for (i, bits) in self.known.killers.into_iter().enumerate().skip(from) {
                if !self.early.contains(&bits)
                    && let Some(m) = position.move_from_bits(bits)
                    && position.is_legal(m)
                {
                    self.stage = Stage::Killer(i + 1);
                    return Some(self.hand_out(m, stack));
                }
            }
        }
        if self.stage == Stage::Answer {
            self.stage = Stage::List;
            if let Some(m) = self.known.answer
                && !self.early.contains(&G::move_bits(m))
                && position.is_legal(m)
                && history.get(Kind::of(position, m)) > params.answer_above
            {
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
        let selected = self.next - self.start;
        if selected == params.select as usize {
            rest.sort_unstable_by_key(|item| (Reverse(item.rank), G::move_bits(item.m)));
        } else if selected < params.select as usize {
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
        loop {
            let m = stack.get(self.unread)?.m;
            self.unread += 1;
            if !self.early.contains(&G::move_bits(m)) && position.is_legal(m) {
                stack[self.next].m = m;
                self.next += 1;
                return Some(m);
            }
        }
    }

    /// Puts a move that was known before at the end of those handed out, and among the early ones.
    fn hand_out(&mut self, m: G::Move, stack: &mut MoveStack<G::Move>) -> G::Move {
        self.early[self.next - self.start] = G::move_bits(m);
        stack.push(m.into());
        self.next += 1;
        m
    }

    /// Generates moves from that place on, which come in the order of their ranks at first, later in that of the game.
    fn generate(&mut self, from: usize, position: &G, history: &History<G>, stack: &mut MoveStack<G::Move>) {
        let first = stack.len();
        self.more = position.candidates(from, self.batch, |m| {
            if !self.early.contains(&G::move_bits(m)) {
                stack.push(m.into());
            }
        });
        for (i, item) in (first..).zip(&mut stack[first..]) {
            item.rank = if from == 0 { history.rank(position, item.m) } else { -(i as i32) };
        }
        self.batch = usize::MAX;
    }

    /// Rewards the move handed out last, which has refuted the node, and punishes those tried before it.
    pub(crate) fn learn(
        &self,
        position: &G,
        history: &mut History<G>,
        stack: &MoveStack<G::Move>,
        bonus: i32,
    ) {
        for (i, tried) in stack[self.start..self.next].iter().rev().enumerate() {
            history.learn(position, tried.m, if i == 0 { bonus } else { -bonus });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use game::Notation;
    use xrudder::{Move, Position, Weights};

    use super::*;

    type Board = Position<u128>;

    #[test]
    fn each_move_comes_once_and_those_known_come_first() {
        let position = Board::from_fen("5/2x2/2o2/1x3/5 x 3 4 9").expect("a good position");
        let legal = position.legal_moves();
        let [table, first, second, answer] = [7, 3, 20, 11].map(|i: usize| legal[i]);
        let params = Params::default();
        let mut history = History::new(position.history_size(), Weights::default());
        history.learn(&position, answer, 100);
        // There are other moves.
        let illegal = Move::Pass;
        assert!(!position.is_legal(illegal));
        for (killers, known_first) in [
            ([first, second], vec![table, first, second, answer]),
            ([illegal, second], vec![table, second, answer]),
            ([table, answer], vec![table, answer]),
            ([illegal, illegal], vec![table, answer]),
        ] {
            for batch in [1, usize::MAX] {
                let known = Known {
                    table: Some(table),
                    answer: Some(answer),
                    killers: killers.map(Board::move_bits),
                };
                let mut stack = MoveStack::new();
                let mut picker = Picker::<Board>::new(known, batch, &stack);
                let moves: Vec<_> =
                    iter::from_fn(|| picker.next(&params, &position, &mut history, &mut stack)).collect();
                assert_eq!(moves[..known_first.len()], known_first);
                let sorted = |moves: &[Move]| {
                    let mut bits: Vec<_> = moves.iter().map(|&m| Board::move_bits(m)).collect();
                    bits.sort_unstable();
                    bits
                };
                assert_eq!(sorted(&moves), sorted(&legal));
            }
        }
        let nothing = Known { table: None, answer: None, killers: NO_KILLERS };
        let mut stack = MoveStack::new();
        let mut picker = Picker::<Board>::new(nothing, usize::MAX, &stack);
        let moves = iter::from_fn(|| picker.next(&params, &position, &mut history, &mut stack));
        assert_eq!(moves.count(), legal.len());
    }
}
