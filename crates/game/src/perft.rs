//! Counting move sequences: the standard test of a move generator, and its standard speed test.

use std::ops::ControlFlow;

use crate::{Game, Outcome};

/// Counts for one ply of [`table`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Perft {
    /// The ply, from 1.
    pub depth: u32,
    /// Move sequences of exactly this many plies.
    pub nodes: u64,
    /// How many of them end the game here, by outcome, in order of appearance.
    pub ends: Vec<(Outcome, u64)>,
}

/// Number of legal move sequences of exactly `depth` plies; finished games are not extended. The last ply is counted
/// in bulk, without playing its moves.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut nodes = 0;
            let _ = position.moves(|m| {
                let mut next = position.clone();
                next.play_unchecked(m);
                nodes += perft(&next, depth - 1);
                ControlFlow::Continue(())
            });
            nodes
        }
    }
}

/// [`perft`] split by the first move, in canonical order. Empty at depth 0 and in a finished game.
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(G::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    moves.into_iter().map(|m| (m, perft(&position.play(m), depth - 1))).collect()
}

/// The count of each ply from 1 to `depth`, every leaf played and judged.
pub fn table<G: Game>(position: &G, depth: u32) -> Vec<Perft> {
    let mut rows: Vec<Perft> = (1..=depth).map(|depth| Perft { depth, ..Perft::default() }).collect();
    visit(position, &mut rows);
    rows
}

fn visit<G: Game>(position: &G, rows: &mut [Perft]) {
    let Some((row, rest)) = rows.split_first_mut() else { return };
    // Nearly all time goes into the last ply, so that one has a loop without the call of this function.
    if rest.is_empty() {
        let _ = position.moves(|m| {
            let mut leaf = position.clone();
            leaf.play_unchecked(m);
            row.count(leaf.outcome());
            ControlFlow::Continue(())
        });
    } else {
        let _ = position.moves(|m| {
            let mut next = position.clone();
            next.play_unchecked(m);
            row.count(next.outcome());
            visit(&next, rest);
            ControlFlow::Continue(())
        });
    }
}

impl Perft {
    #[inline]
    fn count(&mut self, outcome: Option<Outcome>) {
        self.nodes += 1;
        if let Some(outcome) = outcome {
            self.count_end(outcome);
        }
    }

    /// Apart from the loops over moves, most of which don't end the game.
    #[inline(never)]
    fn count_end(&mut self, outcome: Outcome) {
        match self.ends.iter_mut().find(|(o, _)| *o == outcome) {
            Some((_, n)) => *n += 1,
            None => self.ends.push((outcome, 1)),
        }
    }
}
