//! The sample agents of the ColorShapeLinks framework, as sparring partners.

mod minimax;
mod random;
mod sequential;

use bits::Bits;
use game::{Agent, AgentSpec, Game, Limits, OptionKind, OptionSpec, Options, Playable};

use crate::piece::Move;
use crate::position::Position;
use minimax::Minimax;
use random::Random;
use sequential::Sequential;

/// The agents of [`game::Family::AGENTS`].
pub(crate) const AGENTS: &[AgentSpec] = &[
    AgentSpec {
        name: "sequential",
        about: "plays the columns in turn, its own shape while it lasts",
        options: &[],
        default_opponent: true,
    },
    AgentSpec {
        name: "random",
        about: "plays any column, and a shape as often as it is in stock",
        options: &[OptionSpec {
            name: random::SEED,
            kind: OptionKind::Spin { default: 0, min: 0, max: i64::MAX },
        }],
        default_opponent: true,
    },
    AgentSpec {
        name: "minimax",
        about: "looks ahead a fixed number of plies and likes the centre",
        options: &[OptionSpec {
            name: minimax::DEPTH,
            kind: OptionKind::Spin { default: 3, min: 1, max: 100 },
        }],
        default_opponent: true,
    },
];

impl<B: Bits> Playable for Position<B> {
    fn agent(name: &str, options: &Options) -> Option<Box<dyn Agent<Self>>> {
        Some(match name {
            "sequential" => Box::new(Sequential::default()),
            "random" => Box::new(Random::new(options)),
            "minimax" => Box::new(Minimax::new(options)),
            _ => return None,
        })
    }
}

/// The legal moves that `limits` leaves to choose from, in canonical order; all if it leaves none.
fn candidates<B: Bits>(position: &Position<B>, limits: &Limits<Move>) -> Vec<Move> {
    let legal = position.legal_moves();
    let wanted: Vec<Move> = legal.iter().copied().filter(|m| limits.searchmoves.contains(m)).collect();
    if wanted.is_empty() { legal } else { wanted }
}
