//! A proof as a tree of moves: one for the side that claims, all for the other.

use ahash::AHashMap;
use game::{Evaluate, Game};

use crate::claim::Claim;
use crate::prover::{Prover, Stopped, after_one};

/// Why there is no proof though its claim was proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Gap {
    /// The search for what its table had forgotten was stopped.
    #[error("the limits were reached while the proof was put together")]
    Stopped,
    /// It has more positions than there is memory for.
    #[error("the proof takes more memory than there is")]
    Memory,
    /// What the game says of threats is wrong, or two positions have the same key.
    #[error("the proof does not hold: this is a fault of the program")]
    Wrong,
}

impl From<Stopped> for Gap {
    fn from(_: Stopped) -> Gap {
        Gap::Stopped
    }
}

/// What a claim rests on: for each position in which the claimant is to move, one move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof<M> {
    /// What is proved of the root.
    pub claim: Claim,
    /// Plies to the end of the game if the claimant plays by this proof and its opponent as long as it can.
    pub plies: u32,
    steps: AHashMap<u64, Step<M>>,
    /// By the key of what they fold to, the positions that stand for all their images: plies to the end, as in
    /// [`Proof::plies`].
    images: AHashMap<u64, u32>,
    choices: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step<M> {
    m: M,
    /// Plies to the end, as in [`Proof::plies`].
    plies: u32,
}

/// A position that is being proved.
struct Turn<G: Game> {
    position: G,
    /// Plies within which the claim is met.
    left: u32,
    /// What has to be looked at: the claimant's move, or all moves of its opponent.
    moves: Vec<G::Move>,
    done: usize,
    /// Plies to the end after those looked at.
    plies: u32,
}

/// Memory per position, with what a map has to spare while it grows.
const POSITION_BYTES: usize = 96;

impl<M: Copy + Eq> Proof<M> {
    /// The number of positions in which the claimant has to move.
    pub fn positions(&self) -> usize {
        self.steps.len()
    }

    /// The claimant's moves, each as its place among the legal moves in canonical order, from 0: base 128, lowest digit
    /// first, 128 added to all but the last. They stand in the order in which one meets their positions for the first time
    /// on a walk from the root that tries all moves of the opponent in canonical order and goes as deep as it can before
    /// the next; a position met again is passed over, as is one that [folds](Game::folded) to the same.
    pub fn choices(&self) -> &[u8] {
        &self.choices
    }

    /// The move that the proof has for a position; `None` if there is none, or only one for an image of it.
    pub fn step<G: Game<Move = M>>(&self, position: &G) -> Option<M> {
        self.steps.get(&position.key()).map(|step| step.m)
    }

    /// The opponent's move that holds out longest against this proof.
    pub fn longest<G: Game<Move = M>>(&self, position: &G) -> Option<M> {
        let plies = |m: &M| self.steps.get(&position.play(*m).key()).map_or(0, |step| step.plies);
        // The first one of several.
        position.legal_moves().into_iter().rev().max_by_key(plies)
    }

    /// Reads the proof of a claim that is met within `within` plies of `root` off a prover's table, and searches again for
    /// what the table has lost.
    pub(crate) fn extract<G: Evaluate<Move = M>>(
        root: &G,
        claim: Claim,
        within: u32,
        prover: &mut Prover<'_, G>,
        memory: usize,
    ) -> Result<Proof<M>, Gap> {
        let (steps, images, choices) = (AHashMap::new(), AHashMap::new(), Vec::new());
        let mut proof = Proof { claim, plies: 0, steps, images, choices };
        let mut path = Vec::new();
        if root.outcome().is_none() {
            path.push(proof.turn(root.clone(), within, prover)?);
        }
        while let Some(turn) = path.last_mut() {
            prover.step()?;
            if let Some(&m) = turn.moves.get(turn.done) {
                turn.done += 1;
                let left = after_one(turn.left);
                let next = turn.position.play(m);
                let plies = match next.outcome() {
                    Some(outcome) if claim.is_met(outcome) => 0,
                    Some(_) => return Err(Gap::Wrong),
                    None => {
                        let Some(plies) = proof.known(&next) else {
                            path.push(proof.turn(next, left, prover)?);
                            continue;
                        };
                        plies
                    }
                };
                turn.plies = turn.plies.max(plies + 1);
            } else {
                let plies = turn.plies;
                if turn.position.side_to_move() == claim.side {
                    if (proof.steps.len() + 1) * POSITION_BYTES > memory {
                        return Err(Gap::Memory);
                    }
                    proof.steps.insert(turn.position.key(), Step { m: turn.moves[0], plies });
                    if let Some(folded) = turn.position.folded() {
                        proof.images.insert(folded.key(), plies);
                    }
                }
                path.pop();
                match path.last_mut() {
                    Some(parent) => parent.plies = parent.plies.max(plies + 1),
                    None => proof.plies = plies,
                }
            }
        }
        Ok(proof)
    }

    /// Plies to the end of a claimant's position that is proved, itself or by an image.
    fn known<G: Game<Move = M>>(&self, position: &G) -> Option<u32> {
        match position.folded() {
            Some(folded) if position.side_to_move() == self.claim.side => {
                self.images.get(&folded.key()).copied()
            }
            _ => self.steps.get(&position.key()).map(|step| step.plies),
        }
    }

    /// What has to be looked at of a position met for the first time.
    fn turn<G: Evaluate<Move = M>>(
        &mut self,
        position: G,
        left: u32,
        prover: &mut Prover<'_, G>,
    ) -> Result<Turn<G>, Gap> {
        let mut moves = position.legal_moves();
        if position.side_to_move() == self.claim.side {
            let m = choose(&position, left, &moves, self.claim, prover)?.ok_or(Gap::Wrong)?;
            let place = moves.iter().position(|&other| other == m).ok_or(Gap::Wrong)?;
            self.note(place);
            moves = vec![m];
        }
        Ok(Turn { position, left, moves, done: 0, plies: 0 })
    }

    fn note(&mut self, mut place: usize) {
        while place >= 0x80 {
            self.choices.push((place % 0x80) as u8 | 0x80);
            place /= 0x80;
        }
        self.choices.push(place as u8);
    }
}

/// A move that keeps the claim true; `None` if it isn't. One that ends the game goes before one that the table knows of.
fn choose<G: Evaluate>(
    position: &G,
    left: u32,
    moves: &[G::Move],
    claim: Claim,
    prover: &mut Prover<'_, G>,
) -> Result<Option<G::Move>, Gap> {
    let mut known = None;
    for &m in moves {
        prover.step()?;
        let next = position.play(m);
        if next.outcome().is_some_and(|outcome| claim.is_met(outcome)) {
            return Ok(Some(m));
        }
        if known.is_none() && prover.look(&next, after_one(left)).answer() == Some(false) {
            known = Some(m);
        }
    }
    match known {
        Some(m) => Ok(Some(m)),
        None => Ok(prover.decide(position, left)?.by),
    }
}
