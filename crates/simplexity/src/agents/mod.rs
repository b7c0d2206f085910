//! The sparring partners: the sample agents of the ColorShapeLinks framework, and programs of its competitions.

mod alpha_beta;
mod bee;
mod budget;
mod centre;
mod corridors;
mod ids;
mod lookahead;
mod oizys;
mod random;
mod sequential;
mod simpai;
mod stand_in;
mod table;
mod uct;
mod windows;

use bits::Bits;
use game::{Agent, AgentSpec, Draws, Evaluate, Game, Limits, OptionKind, OptionSpec, Options, Playable};

use crate::piece::Move;
use crate::position::Position;
use alpha_beta::Ties;
use bee::Bee;
use centre::Centre;
use ids::Ids;
use lookahead::{Lookahead, Manner};
use oizys::{Oizys, Version};
use random::Random;
use sequential::Sequential;
use simpai::SimpAi;
use stand_in::StandIn;
use uct::Uct;

/// Option: plies to look ahead, at most.
const DEPTH: &str = "Depth";

const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Spin { default, min, max } }
}

const fn depth(default: i64) -> OptionSpec {
    spin(DEPTH, default, 1, 100)
}

/// An agent of the framework, which plays on whatever happens.
const fn sample(name: &'static str, about: &'static str, options: &'static [OptionSpec]) -> AgentSpec {
    AgentSpec { name, about, options, default_opponent: true }
}

/// A competitor. Some of them forfeit by design.
const fn competitor(name: &'static str, about: &'static str, options: &'static [OptionSpec]) -> AgentSpec {
    AgentSpec { name, about, options, default_opponent: false }
}

/// The agents of [`game::Family::AGENTS`].
pub(crate) const AGENTS: &[AgentSpec] = &[
    sample("sequential", "plays the columns in turn, its own shape while it lasts", &[]),
    sample("random", "plays any column, and a shape as often as it is in stock", &[Draws::OPTION]),
    sample("minimax", "looks ahead a fixed number of plies and likes the centre", &[depth(3)]),
    competitor(
        "simpai",
        "DIABISMAI, described as SimpAI: minimax by columns; Faithful: with its mistakes, which make it forfeit",
        &[depth(1), OptionSpec { name: simpai::FAITHFUL, kind: OptionKind::Check { default: false } }],
    ),
    competitor(
        "simpai-like",
        "our stand-in for the lost SimpAI: wins or blocks at once, else alpha-beta",
        &[depth(100)],
    ),
    competitor(
        "oizys",
        "alpha-beta over sequences in whole lines; forfeits if every move loses",
        &[depth(3)],
    ),
    competitor("oizys-v2", "Oizys when it counted pieces only", &[depth(3)]),
    competitor("oizys-v3", "Oizys when it looked at each line as a whole", &[depth(3)]),
    competitor("oizys-v4", "Oizys without a bonus for full sequences", &[depth(3)]),
    competitor("oizys-v5", "Oizys with room around sequences, in its authors' view a failure", &[depth(2)]),
    competitor(
        "ids",
        "alpha-beta with a table and iterative deepening; Heuristic 1: windows, 3: the centre",
        &[
            depth(100),
            OptionSpec {
                name: ids::HEURISTIC,
                kind: OptionKind::Combo { default: ids::WINDOWS, vars: &[ids::WINDOWS, ids::CENTRE] },
            },
        ],
    ),
    competitor("bee", "iterative deepening over a table that confuses positions", &[]),
    competitor("uct", "Monte Carlo tree search, a draw as bad as a loss", &[Draws::OPTION]),
];

impl<B: Bits> Playable for Position<B> {
    fn agent(name: &str, options: &Options) -> Option<Box<dyn Agent<Self>>> {
        let oizys = |title, version| Lookahead::new(title, oizys::MANNER, Oizys::new(version), options);
        Some(match name {
            "sequential" => Box::new(Sequential::default()),
            "random" => Box::new(Random::new(options)),
            "minimax" => Box::new(Lookahead::new("Minimax", MINIMAX, Centre::default(), options)),
            "simpai" => Box::new(SimpAi::new(options)),
            "simpai-like" => Box::new(StandIn::new(options)),
            "oizys" => Box::new(oizys("Oizys", Version::Main)),
            "oizys-v2" => Box::new(oizys("OizysV2", Version::V2)),
            "oizys-v3" => Box::new(oizys("OizysV3", Version::V3)),
            "oizys-v4" => Box::new(oizys("OizysV4", Version::V4)),
            "oizys-v5" => Box::new(oizys("OizysV5", Version::V5)),
            "ids" => Box::new(Ids::new(options)),
            "bee" => Box::new(Bee::new()),
            "uct" => Box::new(Uct::new(options)),
            _ => return None,
        })
    }
}

/// The framework's Minimax: no pruning, and of equal moves the last, so that it plays on when all lose.
const MINIMAX: Manner = Manner { prune: false, ties: Ties::Last };

/// The legal moves that `limits` leaves to choose from, in canonical order; all if it leaves none.
fn candidates<B: Bits>(position: &Position<B>, limits: &Limits<Move>) -> Vec<Move> {
    let legal = position.legal_moves();
    let wanted: Vec<Move> = legal.iter().copied().filter(|m| limits.allows(m)).collect();
    if wanted.is_empty() { legal } else { wanted }
}

/// The deepest iteration that makes sense: within `limits`, the agent's own depth and the game's end.
fn deepest<B: Bits>(position: &Position<B>, limits: &Limits<Move>, own: u32) -> u32 {
    limits.depth.unwrap_or(u32::MAX).min(own).min(position.max_plies_left()).max(1)
}
