use game::{Evaluate, Side};

use crate::claim::{Claim, Goal};
use crate::params::Constants;
use crate::proof::{Gap, Proof};
use crate::prover::{ANY_TIME, Progress, Prover, Watch};
use crate::table::Table;

/// What bounds a search for a value, besides its watch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes, rounded up to the children of a position.
    pub nodes: u64,
    /// Bytes for the table and the proofs together.
    pub memory: usize,
}

/// The value of a position for the side to move, if both play as well as can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// It wins.
    Win,
    /// It loses.
    Loss,
    /// Neither wins.
    Draw,
}

impl Value {
    /// `win`, `loss` or `draw`.
    pub const fn token(self) -> &'static str {
        match self {
            Value::Win => "win",
            Value::Loss => "loss",
            Value::Draw => "draw",
        }
    }
}

/// What was found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// For each goal of the side to move that was asked for and decided: whether it is reached.
    pub goals: Vec<(Goal, bool)>,
    /// What follows for the value; `None` if that is not settled.
    pub value: Option<Value>,
    /// Plies to the end of a won or lost game if the winner wins as fast as can be and the loser holds out as long; `None`
    /// if only a goal was asked for, or a faster win could not be excluded with as many nodes as it took to find this one.
    pub distance: Option<u32>,
    /// A line by which both get what they can; the loser holds out as long as the proof lets it. Empty without proof.
    pub line: Vec<M>,
    /// All nodes of the search.
    pub nodes: u64,
    /// For each decided goal, what its answer rests on.
    pub proofs: Vec<Result<Proof<M>, Gap>>,
}

/// The table was refused its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no memory for the table")]
pub struct NoMemory;

/// Finds out whether the side to move reaches a goal, or without one, the exact value of the position.
///
/// The answer is a function of the arguments, as long as `watch` doesn't end the search. Two thirds of the memory are for
/// the table, with what it takes while it grows, the rest for a proof; a draw takes two proofs, each with half of that.
pub fn solve<G: Evaluate>(
    position: &G,
    goal: Option<Goal>,
    limits: Limits,
    constants: &Constants<G::Weights>,
    watch: &mut Watch<'_>,
) -> Result<Solution<G::Move>, NoMemory> {
    let mut search = Search { position, limits, constants, watch, nodes: 0 };
    let mut solution = Solution {
        goals: Vec::new(),
        value: None,
        distance: None,
        line: Vec::new(),
        nodes: 0,
        proofs: Vec::new(),
    };
    let wanted: &[Goal] = match &goal {
        Some(goal) => std::slice::from_ref(goal),
        None => &[Goal::Win, Goal::Draw],
    };
    for &goal in wanted {
        let claim = Claim { side: position.side_to_move(), goal };
        let Some((is_met, proof)) = search.decide(claim)? else { break };
        solution.goals.push((goal, is_met));
        solution.proofs.push(proof);
        solution.value = value_of(&solution.goals);
        if solution.value.is_some() {
            break;
        }
    }
    // What a draw's second goal settles alone needs no proof of the first.
    if solution.value == Some(Value::Loss) {
        solution.proofs.drain(..solution.proofs.len() - 1);
    }
    if let (None, Some(Value::Win | Value::Loss), Some(Ok(proof))) =
        (goal, solution.value, solution.proofs.last_mut())
    {
        solution.distance = search.measure(proof)?;
    }
    solution.line = line(position, &solution.proofs);
    solution.nodes = search.nodes;
    Ok(solution)
}

/// What the answers say of the value.
fn value_of(goals: &[(Goal, bool)]) -> Option<Value> {
    let is_met = |goal| goals.iter().find(|(known, _)| *known == goal).map(|&(_, is_met)| is_met);
    match (is_met(Goal::Win), is_met(Goal::Draw)) {
        (Some(true), _) => Some(Value::Win),
        (_, Some(false)) => Some(Value::Loss),
        (Some(false), Some(true)) => Some(Value::Draw),
        _ => None,
    }
}

/// Follows the proofs of both sides, and for a side without one, the moves that hold out longest.
fn line<G: Evaluate>(root: &G, proofs: &[Result<Proof<G::Move>, Gap>]) -> Vec<G::Move> {
    let of = |side: Side| proofs.iter().flatten().find(|proof| proof.claim.side == side);
    let mut position = root.clone();
    let mut line = Vec::new();
    while position.outcome().is_none() {
        let mover = position.side_to_move();
        let step = match (of(mover), of(mover.other())) {
            (Some(proof), _) => proof.step(&position),
            (None, Some(proof)) => proof.longest(&position),
            (None, None) => None,
        };
        let Some(m) = step else { break };
        position.play_unchecked(m);
        line.push(m);
    }
    line
}

struct Search<'a, 'w, G: Evaluate> {
    position: &'a G,
    limits: Limits,
    constants: &'a Constants<G::Weights>,
    watch: &'a mut Watch<'w>,
    nodes: u64,
}

type Decided<M> = Option<(bool, Result<Proof<M>, Gap>)>;

impl<G: Evaluate> Search<'_, '_, G> {
    /// Whether a claim is true, with a proof of it or of its opposite; `None` if the limits are reached before.
    fn decide(&mut self, claim: Claim) -> Result<Decided<G::Move>, NoMemory> {
        let proof_memory = self.limits.memory / 6;
        self.with_prover(claim, self.limits.nodes, |position, prover| {
            let answer = prover.decide(position, ANY_TIME).ok()?;
            let is_met = answer.is_shown == (position.side_to_move() == claim.side);
            let proven = if is_met { claim } else { claim.opposite() };
            Some((is_met, Proof::extract(position, proven, ANY_TIME, prover, proof_memory)))
        })
    }

    /// The number of plies of the fastest win, whose proof replaces that of a slower one; `None` if it can't be told with
    /// as many nodes as have been spent so far.
    fn measure(&mut self, proof: &mut Proof<G::Move>) -> Result<Option<u32>, NoMemory> {
        let claim = proof.claim;
        let node_limit = self.limits.nodes.min(2 * self.nodes);
        let memory = self.limits.memory / 6;
        self.with_prover(claim, node_limit, |position, prover| {
            for plies in 1..proof.plies {
                let answer = prover.decide(position, plies).ok()?;
                if answer.is_shown == (position.side_to_move() == claim.side) {
                    *proof = Proof::extract(position, claim, plies, prover, memory).ok()?;
                    return Some(plies);
                }
            }
            Some(proof.plies)
        })
    }

    fn with_prover<T>(
        &mut self,
        claim: Claim,
        node_limit: u64,
        work: impl FnOnce(&G, &mut Prover<'_, G>) -> T,
    ) -> Result<T, NoMemory> {
        let before = self.nodes;
        let table = Table::new(self.limits.memory / 9 * 4).ok_or(NoMemory)?;
        let mut watch =
            |progress: &Progress| (self.watch)(&Progress { nodes: before + progress.nodes, ..*progress });
        let node_limit = node_limit.saturating_sub(before);
        let mut prover = Prover::new(claim, table, node_limit, *self.constants, &mut watch);
        let done = work(self.position, &mut prover);
        self.nodes = before + prover.nodes;
        Ok(done)
    }
}
