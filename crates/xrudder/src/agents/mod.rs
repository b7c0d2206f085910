//! The agents of the first programs for the game, as sparring partners.

mod lookahead;
mod published;
mod random;
mod rings;
mod style;

use game::{Agent, AgentSpec, Draws, OptionKind, OptionSpec, Options, Playable};

use crate::geometry::Cells;
use crate::position::Position;
use lookahead::Lookahead;
use published::Published;
use random::Random;
use style::{Factorial, Pyramid};

/// Option: plies to look ahead.
const DEPTH: &str = "Depth";
/// Option: milliseconds for a move.
const LIMIT: &str = "Limit";

const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Spin { default, min, max } }
}

/// The agents of [`game::Family::AGENTS`].
pub(crate) const AGENTS: &[AgentSpec] = &[
    AgentSpec {
        name: "random",
        about: "plays any legal action",
        options: &[Draws::OPTION],
        default_opponent: true,
    },
    AgentSpec {
        name: "greedy",
        about: "plays the action that looks best at once, by the factorials of tokens in each X",
        options: &[],
        default_opponent: true,
    },
    AgentSpec {
        name: "factorial",
        about: "looks two plies ahead, by the factorials of tokens in each X",
        options: &[spin(DEPTH, 2, 1, 100)],
        default_opponent: true,
    },
    AgentSpec {
        name: "factorial-published",
        about: "the factorials as first programmed, with an update that forgets what is blocked or half crossed",
        options: &[],
        default_opponent: true,
    },
    AgentSpec {
        name: "depth4",
        about: "looks four plies ahead and, when its time is up, plays the best it has seen so far",
        options: &[spin(DEPTH, 4, 1, 100), spin(LIMIT, 5_000, 1, 86_400_000)],
        default_opponent: true,
    },
    AgentSpec {
        name: "pyramid",
        about: "looks three plies ahead at placements next to tokens, saves tokens, likes two X's side by side",
        options: &[spin(DEPTH, 3, 1, 100)],
        default_opponent: true,
    },
];

impl<B: Cells> Playable for Position<B> {
    fn agent(name: &str, options: &Options) -> Option<Box<dyn Agent<Self>>> {
        Some(match name {
            "random" => Box::new(Random::new(options)),
            "greedy" => Box::new(Lookahead::new("Greedy", Factorial, 1, options)),
            "factorial" => Box::new(Lookahead::new("Factorial", Factorial, 2, options)),
            "factorial-published" => Box::new(Published),
            "depth4" => Box::new(Lookahead::new("Factorial", Factorial, 4, options)),
            "pyramid" => Box::new(Lookahead::new("Pyramid", Pyramid, 3, options)),
            _ => return None,
        })
    }
}
