//! The sparring partners: the three searchers of a course program of 2019 (S. Sweere's, written for a course on
//! intelligent search and games), and two simpler ones.

mod alpha_beta;
mod greedy;
mod measure;
mod random;
mod table;

use game::{Agent, AgentSpec, Draws, Game, Limits, OptionSpec, Options, Outcome, Playable, Side};

use crate::geometry::Cell;
use crate::position::Position;
use alpha_beta::AlphaBeta;
use greedy::Greedy;
use measure::Measure;
use random::Random;

const fn spec(name: &'static str, about: &'static str, options: &'static [OptionSpec]) -> AgentSpec {
    AgentSpec { name, about, options, default_opponent: true }
}

/// The agents of [`game::Family::AGENTS`].
pub(crate) const AGENTS: &[AgentSpec] = &[
    spec("random", "plays any legal move", &[Draws::OPTION]),
    spec("greedy", "wins if it can, else blocks, else keeps its stones together", &[]),
    spec("plain", "alpha-beta that knows only wins and losses", alpha_beta::OPTIONS),
    spec("groups", "alpha-beta that likes large groups", alpha_beta::OPTIONS),
    spec("neighbours", "alpha-beta that likes own stones side by side", alpha_beta::OPTIONS),
];

impl<const N: usize> Playable for Position<N> {
    fn agent(name: &str, options: &Options) -> Option<Box<dyn Agent<Self>>> {
        Some(match name {
            "random" => Box::new(Random::new(options)),
            "greedy" => Box::new(Greedy),
            "plain" => Box::new(AlphaBeta::new(Measure::Nothing, options)),
            "groups" => Box::new(AlphaBeta::new(Measure::Groups, options)),
            "neighbours" => Box::new(AlphaBeta::new(Measure::Neighbours, options)),
            _ => return None,
        })
    }
}

/// The legal moves that `limits` leaves to choose from, all if it leaves none, in the order in which the course program
/// goes over its board: by `x - y`, then by `y`.
fn candidates<const N: usize>(position: &Position<N>, limits: &Limits<Cell>) -> Vec<Cell> {
    let legal = in_board_order(position.legal_moves());
    let wanted: Vec<Cell> = legal.iter().copied().filter(|m| limits.allows(m)).collect();
    if wanted.is_empty() { legal } else { wanted }
}

fn in_board_order(mut moves: Vec<Cell>) -> Vec<Cell> {
    moves.sort_unstable_by_key(|m| (i16::from(m.x) - i16::from(m.y), m.y));
    moves
}

/// The first of `moves` with which `side` would win at once if it were to move.
fn winning<const N: usize>(position: &Position<N>, moves: &[Cell], side: Side) -> Option<Cell> {
    let position = if position.side_to_move() == side { *position } else { position.passed() };
    moves.iter().copied().find(|&m| winner(position.play(m).outcome()) == Some(side))
}

fn winner(outcome: Option<Outcome>) -> Option<Side> {
    outcome.and_then(|outcome| outcome.winner)
}
