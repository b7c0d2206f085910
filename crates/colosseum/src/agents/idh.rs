use std::cmp::Reverse;
use std::fmt::Write;
use std::time::Duration;

use ahash::AHashMap;
use game::{Agent, Control, Draws, Evaluate, Game, Limits, OptionSpec, Options, Record, Side};

use super::random::wanted_walk;
use super::{Budget, LIMIT, Stopped, after, breadth_first, candidates, check, limit, number, spin};
use crate::board::{Cells, Move};
use crate::position::Position;

/// Option: the deepest iteration.
const DEPTH: &str = "Depth";
/// Option: whether moves to known positions come first, by their values.
const ORDERING: &str = "Ordering";
/// Option: nodes for a move, 0 for any number.
const NODES: &str = "Nodes";

pub(super) const OPTIONS: &[OptionSpec] = &[
    spin(DEPTH, DEEPEST, 1, DEEPEST),
    check(ORDERING, true),
    limit(1_920),
    spin(NODES, 0, 0, i64::MAX),
    Draws::OPTION,
];

/// More plies than any game lasts.
const DEEPEST: i64 = 2_000;

/// Values from here on belong to games that are decided.
const DECIDED: i32 = 1_000;

/// The alpha-beta of the report: iterative deepening that orders moves by the values of an earlier iteration's leaves,
/// and compares how many cells each agent has within one walk.
pub(super) struct Idh {
    depth: u32,
    ordering: bool,
    time: Duration,
    nodes: u64,
    draws: Draws,
}

impl Idh {
    pub(super) fn new(options: &Options) -> Idh {
        let draws = Draws::new(options);
        let mut agent = Idh { depth: 0, ordering: false, time: Duration::ZERO, nodes: 0, draws };
        agent.set(options);
        agent
    }

    fn set(&mut self, options: &Options) {
        self.depth = number(options, OPTIONS, DEPTH) as u32;
        self.ordering = options.flag(ORDERING).unwrap_or(true);
        self.time = Duration::from_millis(number(options, OPTIONS, LIMIT));
        self.nodes = match number(options, OPTIONS, NODES) {
            0 => u64::MAX,
            most => most,
        };
    }
}

impl<B: Cells> Agent<Position<B>> for Idh {
    fn name(&self) -> String {
        let mut name = String::from("IDH");
        if i64::from(self.depth) < DEEPEST {
            let _ = write!(name, "-D{}", self.depth);
        }
        if !self.ordering {
            name += "-unordered";
        }
        let _ = write!(name, "-L{}", self.time.as_millis());
        if self.nodes < u64::MAX {
            let _ = write!(name, "-N{}", self.nodes);
        }
        name
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.draws.configure(options);
        self.set(options);
        Ok(())
    }

    fn new_game(&mut self) {
        self.draws.restart();
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let mut candidate = wanted_walk(position, limits, &mut self.draws.rng)?;
        let mut budget = Budget::new(limits, control, self.time);
        budget.most_nodes = budget.most_nodes.min(self.nodes);
        let mut search =
            Search { side: position.side_to_move(), ordering: self.ordering, known: AHashMap::new(), budget };
        // Beyond the longest game an iteration would only repeat the one before.
        let deepest = self.depth.min(limits.depth.unwrap_or(u32::MAX)).min(position.max_plies_left());
        for depth in 1..=deepest {
            let Ok((value, best)) = search.root(position, candidates(position, limits), depth) else { break };
            candidate = best.unwrap_or(candidate);
            search.budget.report(depth, value.saturating_mul(100), candidate);
            if value.abs() >= DECIDED {
                break;
            }
        }
        Some(candidate)
    }
}

struct Search<'a> {
    /// The side whose value is sought.
    side: Side,
    ordering: bool,
    /// The static values of this move's leaves and finished games, by key.
    known: AHashMap<u64, i32>,
    budget: Budget<'a>,
}

impl Search<'_> {
    /// The value of the root and its best move, the first among equals.
    fn root<B: Cells>(
        &mut self,
        position: &Position<B>,
        moves: Vec<Move>,
        depth: u32,
    ) -> Result<(i32, Option<Move>), Stopped> {
        self.budget.enter()?;
        self.best(position, moves, depth, i32::MIN, i32::MAX)
    }

    /// The value of a position whose leaves are `depth` plies away.
    fn value<B: Cells>(
        &mut self,
        position: &Position<B>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.budget.enter()?;
        let key = position.key();
        if let Some(&value) = self.known.get(&key)
            && (value.abs() >= DECIDED || depth == 0)
        {
            return Ok(value);
        }
        if depth == 0 || position.outcome().is_some() {
            let value = static_value(position, self.side);
            self.known.insert(key, value);
            return Ok(value);
        }
        let (value, _) = self.best(position, breadth_first(position), depth, alpha, beta)?;
        Ok(value)
    }

    fn best<B: Cells>(
        &mut self,
        position: &Position<B>,
        moves: Vec<Move>,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> Result<(i32, Option<Move>), Stopped> {
        let maximise = position.side_to_move() == self.side;
        let mut best = (if maximise { i32::MIN } else { i32::MAX }, None);
        for (m, next) in self.ordered(position, moves, maximise) {
            let value = self.value(&next, depth - 1, alpha, beta)?;
            if maximise {
                if value > best.0 {
                    best = (value, Some(m));
                }
                if best.0 >= beta {
                    break;
                }
                alpha = alpha.max(value);
            } else {
                if value < best.0 {
                    best = (value, Some(m));
                }
                if best.0 <= alpha {
                    break;
                }
                beta = beta.min(value);
            }
        }
        Ok(best)
    }

    /// The moves with the positions they lead to: the known ones first, best first, the others as they come.
    fn ordered<B: Cells>(
        &self,
        position: &Position<B>,
        moves: Vec<Move>,
        maximise: bool,
    ) -> Vec<(Move, Position<B>)> {
        let mut list: Vec<_> = moves.into_iter().map(|m| (m, after(position, m))).collect();
        if self.ordering {
            list.sort_by_cached_key(|(_, next)| match self.known.get(&next.key()) {
                None => (true, Reverse(0)),
                Some(&value) => (false, Reverse(if maximise { value } else { -value })),
            });
        }
        list
    }
}

/// The value of a position for a side: of a game that is won or lost, a thousand times the difference of the areas; else
/// the difference of the numbers of cells within one walk, in drawn games too.
fn static_value<B: Cells>(position: &Position<B>, side: Side) -> i32 {
    let difference = |count: &dyn Fn(Side) -> u32| count(side) as i32 - count(side.other()) as i32;
    let won_by = match position.outcome() {
        None => 0,
        Some(_) => difference(&|side| position.area(side)),
    };
    if won_by == 0 { difference(&|side| position.reach(side).count()) } else { DECIDED * won_by }
}

#[cfg(test)]
mod tests {
    use game::Notation;

    use super::*;

    fn value(fen: &str, side: Side) -> i32 {
        static_value(&Position::<u64>::from_fen(fen).expect("a good position"), side)
    }

    #[test]
    fn cells_within_a_walk_count_and_areas_of_decided_games() {
        // A reaches a1 b1 a2 c1 b2 a3; B reaches c3 b3 c2 a3 b2 c1.
        assert_eq!(value("3/3/3 a1 c3 a", Side::First), 0);
        // B stands beside A: each is in the other's way. A reaches a1 a2 a3 b2, B reaches b1 c1 b2 a2 b3 c2.
        assert_eq!(value("3/3/3 a1 b1 a", Side::First), 4 - 6);
        assert_eq!(value("3/3/3 a1 b1 a", Side::Second), 6 - 4);
        assert_eq!(value("3/3/3 a1 b1 b", Side::First), 4 - 6);
        // Over: 15 cells to 10.
        assert_eq!(value("rrd2/2r2/1dbr1/rd3/r4 c1 c3 a", Side::First), 5_000);
        assert_eq!(value("rrd2/2r2/1dbr1/rd3/r4 c1 c3 b", Side::Second), -5_000);
        // Drawn, 8 cells each: A reaches 5 of them from the corner, B 7 from the edge, in 2 steps.
        assert_eq!(value("4/dddd/4/4 a1 b4 a", Side::First), 5 - 7);
    }
}
