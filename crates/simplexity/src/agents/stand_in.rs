use bits::Bits;
use game::{Agent, Control, Game, Limits, Options, Record};

use super::alpha_beta::{Best, Heuristic, Search, Ties, after, result};
use super::budget::{Budget, Stopped, share};
use super::lookahead::depth;
use super::oizys::{Oizys, Version};
use super::{candidates, deepest};
use crate::piece::Move;
use crate::position::Position;

/// So much of its time SimpAI used, in percent.
const TIME_SHARE: u32 = 83;

/// A stand-in for SimpAI (Fernandes, Inacio, Feliciano and Fachada, 2020), whose source and weights are lost: it wins at once if it can, else
/// stops the opponent from that, else searches by alpha-beta with iterative deepening. That much is known of the original;
/// the rest, and above all the value of positions, which is that of the second Oizys, is ours.
pub(super) struct StandIn {
    depth: u32,
    oizys: Oizys,
}

impl StandIn {
    pub(super) fn new(options: &Options) -> StandIn {
        StandIn { depth: depth(options), oizys: Oizys::new(Version::V2) }
    }
}

impl<B: Bits> Agent<Position<B>> for StandIn {
    fn name(&self) -> String {
        format!("SimpAI-likeD{}", self.depth)
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
        let position = record.position();
        let moves = candidates(position, limits);
        Heuristic::<B>::fit(&mut self.oizys, position.frame());
        let budget = Budget::new(limits, control, share(limits, TIME_SHARE));
        let mut search = Search { heuristic: &self.oizys, budget, prune: true, table: None };
        match forced(position, &moves, &mut search.budget) {
            Ok(None) => {}
            Ok(forced) => return forced,
            Err(Stopped) => return moves.first().copied(),
        }
        let mut chosen = moves.first().copied();
        for depth in 1..=deepest(position, limits, self.depth) {
            let mut best = Best::new(Ties::First);
            let window = (f32::NEG_INFINITY, f32::INFINITY);
            if search.root(position, &moves, depth, window, &mut best).is_err() {
                break;
            }
            // Once all moves lose, the one chosen before that was seen asks more of the opponent.
            chosen = best.m.or(chosen);
            let on = search.budget.report::<B>(depth, best.value * 100.0, chosen);
            if best.value.is_infinite() || on.is_break() {
                break;
            }
        }
        chosen
    }
}

/// The first move that wins at once; without one, where the opponent threatens to win, the first that leaves him no such
/// move.
fn forced<B: Bits>(
    position: &Position<B>,
    moves: &[Move],
    budget: &mut Budget<'_>,
) -> Result<Option<Move>, Stopped> {
    let win = winning(position, moves, budget)?;
    if win.is_some() || !can_win(&position.passed(), budget)? {
        return Ok(win);
    }
    for &m in moves {
        let next = after(position, m);
        if result(&next, next.side_to_move()) <= 0.0 && !can_win(&next, budget)? {
            return Ok(Some(m));
        }
    }
    Ok(None)
}

fn can_win<B: Bits>(position: &Position<B>, budget: &mut Budget<'_>) -> Result<bool, Stopped> {
    Ok(winning(position, &position.legal_moves(), budget)?.is_some())
}

/// The first of `moves` that wins at once.
fn winning<B: Bits>(
    position: &Position<B>,
    moves: &[Move],
    budget: &mut Budget<'_>,
) -> Result<Option<Move>, Stopped> {
    for &m in moves {
        budget.enter()?;
        if result(&after(position, m), position.side_to_move()) > 0.0 {
            return Ok(Some(m));
        }
    }
    Ok(None)
}
