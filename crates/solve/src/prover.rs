//! Depth-first proof-number search (df-pn; A. Nagai, 2002), without recursion, so that no game is too long for it.
//!
//! The opponent's effort is what its hardest reply takes, and a part of what all others take: their sum would count what
//! replies have in common again and again, as they lead to the same positions; one for each of them (weak proof numbers;
//! Ueda and others, 2008) would make hard questions with many replies look easy.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use game::{Evaluate, Tactics};

use crate::claim::Claim;
use crate::effort::Effort;
use crate::params::{Constants, Params};
use crate::table::{Entry, Table, from_quarters, quarters};

/// The search was told to end, or reached its limit of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The claim that is being decided.
    pub claim: Claim,
    /// Positions reached by a move that was played, each time it is played.
    pub nodes: u64,
    /// The root's proof number: at least as many positions must yet be decided to prove the claim.
    pub to_prove: u32,
    /// The root's disproof number: as many to refute it.
    pub to_refute: u32,
    /// Share of the table in use, from 0 to 1.
    pub table: f64,
}

/// Told how far the search is at its start and after every few steps, even while it takes a proof from its table or makes
/// the table larger; breaks to end all of that at once.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// A deadline that never comes.
pub(crate) const ANY_TIME: u32 = u32::MAX;

/// Steps between two calls of the watch: each time costs about what a step does where steps take least.
const ASK_EVERY: u64 = 128;

/// Decides a claim about positions of a game. Positions never repeat in one, as [`Evaluate::max_plies_left`] decreases
/// with every move.
pub(crate) struct Prover<'a, G: Evaluate> {
    claim: Claim,
    table: Table,
    constants: Constants<G::Weights>,
    pub(crate) nodes: u64,
    pub(crate) node_limit: u64,
    watch: &'a mut Watch<'a>,
    /// Moves played and looked at so far, those of proofs included.
    steps: u64,
    /// The proof and the disproof number of the root when the search was there last.
    root: (u32, u32),
    path: Vec<Frame<G>>,
    children: Vec<Child<G::Move>>,
    /// Moves with their hints, while they are put in order.
    order: Vec<(i32, G::Move)>,
}

/// A position on the way from the root to where the search is.
struct Frame<G> {
    position: G,
    key: u64,
    /// Plies within which the claim is to be met.
    plies: u32,
    /// Its first child; those of the last frame go on to the end of the list.
    first: usize,
    /// The child that is being searched.
    chosen: usize,
    /// The position is left once its effort is that much in either respect.
    bound: Effort,
    /// Nodes of the whole search on arrival, less those spent below it on earlier visits.
    since: u64,
}

struct Child<M> {
    m: M,
    key: u64,
    /// From the side of the player who moves there.
    effort: Effort,
}

/// What follows from the children of a position.
struct Sum {
    effort: Effort,
    /// Which child to search.
    best: usize,
    /// The opponent's effort at the second best child.
    second: u32,
    /// What the other children add to the opponent's effort at the best one.
    rest: u32,
}

/// A decided question, from the side to move.
pub(crate) struct Answer<M> {
    /// Whether the side to move gets what it wants.
    pub(crate) is_shown: bool,
    /// By which move, if it does so by one that was searched.
    pub(crate) by: Option<M>,
}

impl<'a, G: Evaluate> Prover<'a, G> {
    /// A prover that stops after so many nodes, rounded up to the children of a position.
    pub(crate) fn new(
        claim: Claim,
        table: Table,
        node_limit: u64,
        constants: Constants<G::Weights>,
        watch: &'a mut Watch<'a>,
    ) -> Prover<'a, G> {
        Prover {
            claim,
            table,
            constants,
            nodes: 0,
            node_limit,
            watch,
            steps: 0,
            root: (1, 1),
            path: Vec::new(),
            children: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Decides whether the side to move gets what it wants: the claim met within so many plies if the claim is its own,
    /// otherwise that it isn't.
    pub(crate) fn decide(&mut self, root: &G, plies: u32) -> Result<Answer<G::Move>, Stopped> {
        self.path.clear();
        self.children.clear();
        // Not what the table says of the root: it doesn't know by which move.
        if let Some(is_shown) = self.guess(root, plies).answer() {
            return Ok(Answer { is_shown, by: None });
        }
        self.enter(root.clone(), plies, Effort { own: Effort::NEVER, other: Effort::NEVER })?;
        while let Some(frame) = self.path.last() {
            let sum = sum_up(&self.children[frame.first..], &self.constants.params);
            let effort = sum.effort;
            if self.path.len() == 1 {
                let is_claimants = frame.position.side_to_move() == self.claim.side;
                let Effort { own, other } = effort;
                self.root = if is_claimants { (own, other) } else { (other, own) };
            }
            if effort.own < frame.bound.own && effort.other < frame.bound.other {
                if self.nodes >= self.node_limit {
                    return Err(Stopped);
                }
                self.descend(&sum)?;
                continue;
            }
            self.table.store(frame.key, Entry { effort, spent: self.nodes.wrapping_sub(frame.since) });
            let by = self.children[frame.first + sum.best].m;
            self.children.truncate(frame.first);
            self.path.pop();
            let Some(parent) = self.path.last() else {
                let is_shown = effort.own == 0;
                return Ok(Answer { is_shown, by: is_shown.then_some(by) });
            };
            self.children[parent.chosen].effort = effort;
            self.make_room()?;
        }
        unreachable!("the root is left with an answer")
    }

    /// Goes on with the best child of the last position, until another one is better or the position is to be left.
    fn descend(&mut self, sum: &Sum) -> Result<(), Stopped> {
        let Some(frame) = self.path.last_mut() else { return Ok(()) };
        frame.chosen = frame.first + sum.best;
        let own = match frame.bound.other {
            Effort::NEVER => Effort::NEVER,
            // Parts are rounded down, but each visit has to get further.
            bound => bound.saturating_sub(sum.rest).max(self.children[frame.chosen].effort.own + 1),
        };
        let more = percent(sum.second.into(), self.constants.params.margin) as u32 + 1;
        let other = frame.bound.own.min(sum.second.saturating_add(more));
        let plies = after_one(frame.plies);
        let mut position = frame.position.clone();
        position.play_unchecked(self.children[frame.chosen].m);
        self.nodes += 1;
        self.enter(position, plies, Effort { own, other })
    }

    /// Goes to an undecided position and looks at what follows from it.
    fn enter(&mut self, position: G, plies: u32, bound: Effort) -> Result<(), Stopped> {
        let key = self.claim.key(&position, plies);
        let spent = self.table.probe(key).map_or(0, |entry| entry.spent);
        let since = self.nodes.wrapping_sub(spent);
        let first = self.children.len();
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let hint = |m| (position.order_hint(m, &self.constants.weights), m);
        // The moves left out lose two plies later, which may be too late to count.
        if plies <= 2 || position.tactics(|m| order.push(hint(m))) != Tactics::Forced {
            order.clear();
            let _ = position.moves(|m| {
                order.push(hint(m));
                ControlFlow::Continue(())
            });
        }
        // Of children with the same effort, the first one is searched.
        order.sort_by_key(|&(hint, _)| Reverse(hint));
        let has_images = position.folded().is_some();
        for &(_, m) in &order {
            self.step()?;
            let mut child = position.clone();
            child.play_unchecked(m);
            self.nodes += 1;
            let key = self.claim.key(&child, after_one(plies));
            // One image stands for all: below them, nothing tells that they are the same.
            if has_images && self.children[first..].iter().any(|other| other.key == key) {
                continue;
            }
            let effort = self.guess(&child, after_one(plies));
            self.children.push(Child { m, key, effort });
            // Nothing is better than what settles it.
            if effort.other == 0 {
                break;
            }
        }
        self.order = order;
        // All at once, so that the memory's answers needn't be waited for one by one.
        for child in self.children[first..].iter_mut().filter(|child| child.effort.answer().is_none()) {
            if let Some(entry) = self.table.probe(child.key) {
                child.effort = entry.effort;
            }
        }
        self.path.push(Frame { position, key, plies, first, chosen: first, bound, since });
        Ok(())
    }

    /// What is known of a position without searching.
    pub(crate) fn look(&mut self, position: &G, plies: u32) -> Effort {
        let guess = self.guess(position, plies);
        match guess.answer() {
            None => self.table.probe(self.claim.key(position, plies)).map_or(guess, |entry| entry.effort),
            Some(_) => guess,
        }
    }

    /// The effort of a position that nothing is known of: as if each reply were decided by one more look, or where the
    /// game says what its static value tells of it, by that (df-pn+; Nagai and Imai, 1999).
    fn guess(&mut self, position: &G, plies: u32) -> Effort {
        let is_claimants = position.side_to_move() == self.claim.side;
        if let Some(outcome) = position.outcome() {
            return Effort::settled(self.claim.is_met(outcome) == is_claimants);
        }
        if plies == 0 {
            return Effort::settled(!is_claimants);
        }
        let (mut holding, far) = (0, plies > 2);
        let tactics = position.tactics(|m| {
            if far {
                self.nodes += 1;
                holding += u64::from(!loses(position, m));
            }
        });
        let replies = match tactics {
            Tactics::Win(_) => return Effort::SHOWN,
            Tactics::Forced if far && holding == 0 => return Effort::REFUTED,
            Tactics::Forced if far => holding,
            _ => position.count_moves(),
        };
        let Constants { params, weights } = &self.constants;
        match G::effort_doubles(weights) {
            None => Effort { own: 1, other: replies.clamp(1, params.replies as u64) as u32 },
            Some(step) => estimate(position.evaluate_with(&position.memo(), weights), step, replies, params),
        }
    }

    /// Counts a move that is looked at, and asks the watch now and then.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        if self.steps % ASK_EVERY != 1 {
            return Ok(());
        }
        let progress = self.progress();
        if (self.watch)(&progress).is_break() { Err(Stopped) } else { Ok(()) }
    }

    /// Lets the table grow if it is time to.
    fn make_room(&mut self) -> Result<(), Stopped> {
        if !self.table.is_crowded() {
            return Ok(());
        }
        let progress = self.progress();
        if self.table.grow(|| (self.watch)(&progress)).is_break() { Err(Stopped) } else { Ok(()) }
    }

    fn progress(&self) -> Progress {
        let (to_prove, to_refute) = self.root;
        Progress { claim: self.claim, nodes: self.nodes, to_prove, to_refute, table: self.table.load() }
    }
}

/// Whether the opponent wins at once after a move that ends no game.
fn loses<G: Evaluate>(position: &G, m: G::Move) -> bool {
    let mut next = position.clone();
    next.play_unchecked(m);
    next.outcome().is_none() && matches!(next.tactics(|_| {}), Tactics::Win(_))
}

/// The plies left after one more.
pub(crate) const fn after_one(plies: u32) -> u32 {
    if plies == ANY_TIME { ANY_TIME } else { plies - 1 }
}

/// The effort at a position of that static value, if each `step` of it doubles the effort to show the worse and halves
/// that to show the better. It grows with a power of the replies. A look counts many times, so that an effort may be less.
fn estimate(value: i32, step: i32, replies: u64, params: &Params) -> Effort {
    let shift = 4 * value / step;
    let effort = |scaled: i32| from_quarters(scaled.clamp(0, params.most) as u64) as u32;
    let even = quarters(params.even as u64) as i32;
    let power = percent(quarters(replies) - quarters(4), params.power) as i32;
    Effort { own: effort(even - shift), other: effort(even + power + shift) }
}

fn percent(n: u64, percent: i32) -> u64 {
    n * percent as u64 / 100
}

fn sum_up<M>(children: &[Child<M>], params: &Params) -> Sum {
    let (mut best, mut least, mut second) = (0, Effort::NEVER, Effort::NEVER);
    let (mut hardest, mut total) = (0, 0);
    for (i, Child { effort, .. }) in children.iter().enumerate() {
        hardest = hardest.max(effort.own);
        total += u64::from(effort.own);
        if effort.other < least {
            second = least;
            (best, least) = (i, effort.other);
        } else {
            second = second.min(effort.other);
        }
    }
    let without = |own: u32| percent(total - u64::from(own), params.others).min(Effort::NEVER.into()) as u32;
    let other = match least {
        0 => Effort::NEVER,
        Effort::NEVER => 0,
        _ => (hardest + without(hardest)).min(Effort::NEVER - 1),
    };
    let rest = children.get(best).map_or(0, |child| without(child.effort.own));
    Sum { effort: Effort { own: least, other }, best, second, rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_a_position_the_less_it_takes_to_show_that_it_is_good() {
        let efforts = |value, replies| {
            let Effort { own, other } = estimate(value, 140, replies, &Params::default());
            (own, other)
        };
        assert_eq!(efforts(0, 4), (40, 40));
        assert_eq!([efforts(140, 4), efforts(-140, 4), efforts(35, 4)], [(20, 80), (80, 20), (32, 48)]);
        assert_eq!([efforts(0, 16), efforts(0, 64), efforts(280, 64)], [(40, 80), (40, 160), (10, 640)]);
        // And never the more.
        let mut last = (Effort::NEVER, 0);
        for value in (-2_000..=2_000).step_by(5) {
            let (own, other) = efforts(value, 20);
            assert!(own <= last.0 && other >= last.1, "{value}: {own} {other} after {last:?}");
            last = (own, other);
        }
        // However clear it is: nothing is settled by what it looks like.
        for (value, replies) in [(20_000, 1), (20_000, 1_000), (-20_000, 1), (-20_000, 1_000)] {
            assert_eq!(estimate(value, 140, replies, &Params::default()).answer(), None);
        }
    }
}
