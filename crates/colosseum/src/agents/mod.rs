//! The sparring partners: the course's random agent, re-implementations of the agents that a course report describes
//! (its authors' code is the second witness), and two of our own.

mod flat_mc;
mod greedy;
mod idh;
mod mirror;
mod random;

use std::cmp::Ordering;
use std::time::Duration;

use game::{
    Agent, AgentSpec, Control, Draws, Game, Limits, OptionKind, OptionSpec, Options, Playable, Report, Score,
    Side,
};

use crate::board::{Cells, Direction, Move, neighbour, row_col, single};
use crate::position::Position;
use flat_mc::FlatMonteCarlo;
use greedy::Greedy;
use idh::Idh;
use mirror::Mirror;
use random::{Policy, Random};

/// Option: milliseconds for a move.
const LIMIT: &str = "Limit";

const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Spin { default, min, max } }
}

const fn check(name: &'static str, default: bool) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Check { default } }
}

const fn limit(default: i64) -> OptionSpec {
    spin(LIMIT, default, 1, 86_400_000)
}

const fn spec(name: &'static str, about: &'static str, options: &'static [OptionSpec]) -> AgentSpec {
    AgentSpec { name, about, options, default_opponent: true }
}

/// The agents of [`game::Family::AGENTS`].
pub(crate) const AGENTS: &[AgentSpec] = &[
    spec("random-walk", "walks at random and puts its barrier on any free side", &[Draws::OPTION]),
    spec("random", "plays any legal move", &[Draws::OPTION]),
    spec("greedy", "wins if it can, else plays the nearest safe move", greedy::OPTIONS),
    spec("flat-mc", "plays random games after each move and sums up how they end", flat_mc::OPTIONS),
    spec("idh", "alpha-beta with iterative deepening that counts the cells within one walk", idh::OPTIONS),
    spec("mirror", "copies the opponent's moves by a half turn of the board", &[]),
];

impl<B: Cells> Playable for Position<B> {
    fn agent(name: &str, options: &Options) -> Option<Box<dyn Agent<Self>>> {
        Some(match name {
            "random-walk" => Box::new(Random::new(Policy::Walk, options)),
            "random" => Box::new(Random::new(Policy::Uniform, options)),
            "greedy" => Box::new(Greedy::new(options)),
            "flat-mc" => Box::new(FlatMonteCarlo::new(options)),
            "idh" => Box::new(Idh::new(options)),
            "mirror" => Box::new(Mirror),
            _ => return None,
        })
    }
}

/// The value of one of the options that have a number; what is missing takes its default of `specs`.
fn number(options: &Options, specs: &[OptionSpec], name: &str) -> u64 {
    options.int(name).or_else(|| Options::defaults(specs).int(name)).unwrap_or(0) as u64
}

/// The legal moves that `limits` leaves to choose from, in the order in which the agents of the report list them: cells
/// by their distance from the mover, neighbours and sides in the order up, right, down, left.
fn candidates<B: Cells>(position: &Position<B>, limits: &Limits<Move>) -> Vec<Move> {
    let mut moves = breadth_first(position);
    moves.retain(|m| limits.allows(m));
    moves
}

fn breadth_first<B: Cells>(position: &Position<B>) -> Vec<Move> {
    let side = position.side_to_move();
    let (own, foe) = (position.agent_cell(side), position.agent_cell(side.other()));
    let mut seen = single::<B>(own) | single(foe);
    let mut queue = vec![(own, 0)];
    let mut moves = Vec::new();
    let mut next = 0;
    while let Some(&(cell, distance)) = queue.get(next) {
        next += 1;
        let (row, col) = row_col::<B>(cell);
        for wall in Direction::ALL {
            if position.board().is_open(cell, wall) {
                moves.push(Move { row: row as u8, col: col as u8, wall });
                let beyond = neighbour::<B>(cell, wall);
                if distance < position.steps() && !seen.test(beyond) {
                    seen = seen | single(beyond);
                    queue.push((beyond, distance + 1));
                }
            }
        }
    }
    moves
}

/// The position after a move that is known to be legal.
fn after<B: Cells>(position: &Position<B>, m: Move) -> Position<B> {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

/// How a game ended for a side; `None` if it goes on.
fn result<B: Cells>(position: &Position<B>, side: Side) -> Option<Ordering> {
    position.outcome().map(|outcome| match outcome.winner {
        None => Ordering::Equal,
        Some(winner) if winner == side => Ordering::Greater,
        Some(_) => Ordering::Less,
    })
}

/// There is to be no more thinking.
struct Stopped;

/// What a choice may cost: the limits it was asked for with, and the agent's own time.
struct Budget<'a> {
    control: &'a dyn Control<Move>,
    /// When the agent's own time is up.
    end: Duration,
    /// Positions looked at.
    nodes: u64,
    most_nodes: u64,
}

impl<'a> Budget<'a> {
    fn new(limits: &Limits<Move>, control: &'a dyn Control<Move>, time: Duration) -> Budget<'a> {
        let end = control.elapsed().saturating_add(time);
        Budget { control, end, nodes: 0, most_nodes: limits.nodes.unwrap_or(u64::MAX) }
    }

    /// Counts a position, unless thinking is to end.
    fn enter(&mut self) -> Result<(), Stopped> {
        /// So many positions take well below a millisecond.
        const BETWEEN_LOOKS: u64 = 16;
        let late = self.nodes.is_multiple_of(BETWEEN_LOOKS) && self.is_late();
        if self.nodes >= self.most_nodes || late || self.control.stopped() {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Whether the agent's own time is up.
    fn is_late(&self) -> bool {
        self.control.elapsed() >= self.end
    }

    /// Tells what was found, with a value in hundredths; nobody is asked whether to go on.
    fn report(&self, depth: u32, value: i32, best: Move) {
        let score = Score::Cp(value.clamp(-20_000, 20_000));
        let nodes = self.nodes;
        let pv = &[best];
        let report = Report { depth, seldepth: depth, nodes, score, multipv: None, hashfull: None, pv };
        let _ = self.control.report(&report);
    }
}
