//! The evaluation: a [small neural network](game::net) that knows of each agent how much of the board it gets to before the
//! other, in steps and in turns, and how walled in that is. Most inputs are shares of the board, so that one network judges
//! boards of every size.
//!
//! The numbers come from self-play on boards of many sizes, by the example `fit` of the crate `search`.

use std::hint::black_box;

use game::Game;
use game::net::{self, ONE};

use crate::MAX_SIZE;
use crate::board::{Board, Cells, Direction, single};
use crate::position::Position;

/// Hidden units.
pub const UNITS: usize = 32;

/// Inputs for each agent, the mover's first, and behind them those for the board.
const OF_AGENT: usize = 22;
const OF_BOARD: usize = 7;

/// Inputs of the network, a row each.
pub const INPUTS: usize = 2 * OF_AGENT + OF_BOARD;
/// What every unit begins with.
pub const BIAS: usize = INPUTS;
/// The weights of the units.
pub const OUTPUT: usize = BIAS + 1;
/// Rows of the network.
pub const ROWS: usize = OUTPUT + 1;

/// An input of 1. No input reaches four times that.
pub const WHOLE: u32 = 4096;

static WEIGHTS: [[i16; UNITS]; ROWS] = net::rows(include_bytes!("../weights/agents.bin"));

/// Four times [`WHOLE`] divided by the cells of a board, in 1/256, for each number of rows.
const SHARES: [u32; MAX_SIZE as usize + 1] = {
    let mut shares = [0; MAX_SIZE as usize + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        shares[size as usize] = 4 * 256 * WHOLE / (size * size);
        size += 1;
    }
    shares
};

/// Both agents walk in all directions at once, neither in the other's way. A cell is that agent's who gets there first, in
/// steps or in turns of as many steps as it may take.
struct Race<B> {
    /// The cells that each gets to first in steps, its own among them.
    first: [B; 2],
    /// The last step with which each gets to a cell first.
    last: [u32; 2],
    /// The first step with which both have got to a cell, as they do where nothing parts them.
    meeting: u32,
    /// The cells that both get to with the same step.
    tied: B,
    /// The cells that each gets to first in turns, its own among them.
    turns: [B; 2],
    /// Those that it gets to in the first turn, its own not among them.
    soon: [B; 2],
    /// The cells that both get to in the same turn.
    tied_turns: B,
    /// Those that they get to in the first turn.
    tied_soon: B,
}

impl<B: Cells> Race<B> {
    fn run(board: &Board<B>, agents: [B; 2], walk: u32) -> Race<B> {
        let mut race = Race {
            first: agents,
            last: [0; 2],
            meeting: 0,
            tied: B::EMPTY,
            turns: agents,
            soon: [B::EMPTY; 2],
            tied_turns: B::EMPTY,
            tied_soon: B::EMPTY,
        };
        // A walk without steps counts as one of one.
        let walk = walk.max(1);
        let mut reached = agents;
        let mut step = 0;
        for turn in 0.. {
            let before = reached[0] | reached[1];
            if board.spread(before) == before {
                break;
            }
            for _ in 0..walk {
                step += 1;
                // No call of `map`, which the compiler leaves a call for wide sets.
                let next = [board.spread(reached[0]), board.spread(reached[1])];
                if next == reached {
                    break;
                }
                let seen = reached[0] | reached[1];
                let [a, b] = [next[0] & !seen, next[1] & !seen];
                for (agent, cells) in [a & !b, b & !a].into_iter().enumerate() {
                    race.first[agent] = race.first[agent] | cells;
                    if cells != B::EMPTY {
                        race.last[agent] = step;
                    }
                }
                race.tied = race.tied | a & b;
                if race.meeting == 0 && next[0] & next[1] != B::EMPTY {
                    race.meeting = step;
                }
                reached = next;
            }
            let [a, b] = [reached[0] & !before, reached[1] & !before];
            race.turns = [race.turns[0] | a & !b, race.turns[1] | b & !a];
            race.tied_turns = race.tied_turns | a & b;
            if turn == 0 {
                (race.soon, race.tied_soon) = ([a & !b, b & !a], a & b);
            }
        }
        // All has been got to before they met.
        if race.meeting == 0 {
            race.meeting = step + 1;
        }
        race
    }
}

impl<B: Cells> Position<B> {
    /// The inputs of the network, in 1/[`WHOLE`].
    pub fn inputs(&self) -> [i16; INPUTS] {
        let (board, sides) = (self.board(), [self.side_to_move(), self.side_to_move().other()]);
        let agents = sides.map(|side| single(self.agent_cell(side)));
        let race = Race::<B>::run(board, agents, self.steps());
        let [dead_ends, passages, forks] = board.cells_by_open_sides();
        // Passages beside a dead end.
        let pockets = passages & board.spread(dead_ends);
        let [elbows, loose_ends] = board.corners();
        // Four times the share that so many cells have of the board, and a multiple of the whole in 1/8.
        let share_of = |count: u32| count * SHARES[self.size() as usize] / 256;
        let share = |set: B| share_of(set.count());
        let eighths = |count: u32| count * (WHOLE / 8);
        let mut inputs = [0; INPUTS];
        let (of_agents, of_board) = inputs.split_at_mut(2 * OF_AGENT);
        for (i, of_agent) in of_agents.chunks_exact_mut(OF_AGENT).enumerate() {
            let (first, soon, turns) = (race.first[i], race.soon[i], race.turns[i]);
            // Its cell and those beside it are near.
            let (reach, near) = (self.reach(sides[i]), board.spread(agents[i]));
            // The corners of its cells, each given by the cell above it and left of it.
            let around = first | first.lower(1) | first.lower(B::STRIDE) | first.lower(B::STRIDE + 1);
            of_agent.copy_from_slice(&[
                share(reach),
                4 * eighths(board.exits(agents[i])),
                eighths(board.exits(first)),
                share_of(board.ways(first)) / 2,
                share(first),
                eighths(race.last[i]),
                2 * share(dead_ends & first),
                share(passages & first),
                share(forks & first),
                eighths((passages & reach).count()),
                share(turns),
                2 * share(pockets & first),
                share(loose_ends & around),
                share(elbows & around),
                share(soon),
                2 * share(dead_ends & turns),
                share(passages & turns),
                share(forks & turns),
                2 * eighths((dead_ends & near).count()),
                2 * eighths((passages & near).count()),
                2 * eighths((forks & near).count()),
                share(forks & soon),
            ]);
        }
        of_board.copy_from_slice(&[
            share(race.tied),
            share_of(board.open_edges()) / 4,
            eighths(self.size()),
            2 * eighths(race.meeting),
            share(race.tied_turns),
            share(race.tied_soon),
            share(passages & race.tied_soon),
        ]);
        inputs.map(|input| input.min(4 * WHOLE - 1) as i16)
    }

    /// The network's value for the side to move: a hundred times the logarithm of the odds to win.
    pub(crate) fn net_value(&self) -> i32 {
        // The compiler that knows the weights treats each unit in its own way, instead of many at once.
        let weights = black_box(&WEIGHTS);
        let mut sums = weights[BIAS];
        for (input, row) in self.inputs().into_iter().zip(weights) {
            net::add_times(&mut sums, row, input);
        }
        let mut given = [0; UNITS];
        net::give(&mut given, &sums);
        net::weigh(&given, &weights[OUTPUT]) / i32::from(ONE)
    }
}

impl<B: Cells> Board<B> {
    /// The cells with one, two and three open sides.
    fn cells_by_open_sides(&self) -> [B; 3] {
        let [up, right, down, left] = Direction::ALL;
        let [a, b, c, d] = [self.open(up), self.open(right), self.open(down), self.open(left)];
        let (odd, all) = (a ^ b ^ c ^ d, a & b & c & d);
        let several = a & b | c & d | (a ^ b) & (c ^ d);
        [odd & !several, several & !odd & !all, odd & several]
    }

    /// The corners of four cells where two barriers meet at a right angle, and those where one barrier ends at no other, each
    /// given by the cell above it and left of it.
    fn corners(&self) -> [B; 2] {
        let [right, down] = [Direction::Right, Direction::Down].map(|side| self.open(side));
        // Beside the last column `down` has the next row's first cell, but no edge right of the last column is open.
        let (below, beside) = (right.lower(B::STRIDE), down.lower(1));
        let (upright, level) = (right ^ below, down ^ beside);
        [upright & level, right & below & level | down & beside & upright]
    }

    /// Open edges between two members of a set.
    fn ways(&self, set: B) -> u32 {
        let [right, down] = [Direction::Right, Direction::Down].map(|side| set & self.open(side));
        (right & set.lower(1)).count() + (down & set.lower(B::STRIDE)).count()
    }

    /// Open edges between a member of a set and a cell that is none.
    fn exits(&self, set: B) -> u32 {
        let [right, down] = [Direction::Right, Direction::Down].map(|side| self.open(side));
        ((set ^ set.lower(1)) & right).count() + ((set ^ set.lower(B::STRIDE)) & down).count()
    }
}

#[cfg(test)]
mod tests {
    use bits::Wide;
    use game::{Evaluate, Notation};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// What one more adds to an input: so many times four shares of a cell of the board, or so many eighths.
    #[derive(Clone, Copy)]
    enum Unit {
        Share(f32),
        Eighths(f32),
    }
    use Unit::{Eighths, Share};

    // In the order of the inputs.
    const UNITS_OF_AGENT: [Unit; OF_AGENT] = [
        Share(1.0),
        Eighths(4.0),
        Eighths(1.0),
        Share(0.5),
        Share(1.0),
        Eighths(1.0),
        Share(2.0),
        Share(1.0),
        Share(1.0),
        Eighths(1.0),
        Share(1.0),
        Share(2.0),
        Share(1.0),
        Share(1.0),
        Share(1.0),
        Share(2.0),
        Share(1.0),
        Share(1.0),
        Eighths(2.0),
        Eighths(2.0),
        Eighths(2.0),
        Share(1.0),
    ];
    const UNITS_OF_BOARD: [Unit; OF_BOARD] =
        [Share(1.0), Share(0.25), Eighths(1.0), Eighths(2.0), Share(1.0), Share(1.0), Share(1.0)];

    /// The inputs as counts of cells, edges, corners or steps.
    fn counts(fen: &str) -> [u32; INPUTS] {
        let position = Position::<u64>::from_fen(fen).expect("a good position");
        let cells = (position.size() * position.size()) as f32;
        let mut units = [UNITS_OF_AGENT, UNITS_OF_AGENT].concat().into_iter().chain(UNITS_OF_BOARD);
        position.inputs().map(|input| {
            let input = f32::from(input) / WHOLE as f32;
            let count = match units.next() {
                Some(Share(times)) => input * cells / 4.0 / times,
                Some(Eighths(times)) => input * 8.0 / times,
                None => unreachable!("a unit for each input"),
            };
            count.round() as u32
        })
    }

    #[test]
    fn inputs_counted_by_hand() {
        // Of what either gets to with two steps A is first only at a3, and B at b3 and c2. They are neighbours.
        let a = [4, 2, 3, 2, 3, 2, 0, 2, 1, 2, 2, 0, 0, 0, 1, 0, 2, 0, 0, 1, 2, 0];
        let b = [6, 3, 3, 7, 6, 3, 0, 2, 3, 1, 3, 0, 0, 0, 2, 0, 0, 3, 0, 2, 1, 2];
        let board = [0, 12, 3, 1, 4, 3, 1];
        assert_eq!(counts("3/3/3 a1 b1 a")[..], [&a[..], &b, &board].concat());
        assert_eq!(counts("3/3/3 a1 b1 b")[..], [&b[..], &a, &board].concat());
        // With dead ends, a passage to one, elbows and loose ends.
        let a = [5, 2, 3, 3, 4, 2, 0, 3, 1, 3, 2, 0, 0, 2, 1, 0, 2, 0, 0, 2, 1, 0];
        let b = [9, 3, 3, 13, 12, 6, 2, 4, 5, 3, 11, 1, 1, 3, 5, 2, 4, 5, 0, 0, 3, 3];
        let board = [0, 19, 4, 2, 3, 3, 1];
        assert_eq!(counts("r3/rd2/1b2/4 b1 c3 a")[..], [&a[..], &b, &board].concat());
        let a = [5, 2, 2, 5, 5, 2, 0, 3, 2, 3, 5, 0, 1, 0, 4, 0, 3, 2, 0, 2, 1, 2];
        let b = [6, 2, 2, 9, 9, 5, 1, 5, 3, 3, 9, 1, 3, 0, 5, 1, 5, 3, 0, 1, 2, 3];
        let board = [2, 18, 4, 3, 2, 0, 0];
        assert_eq!(counts("4/1bd1/1r1d/1r2 a4 d1 a")[..], [&a[..], &b, &board].concat());
    }

    #[test]
    fn all_sets_that_hold_a_board_say_the_same_of_it() {
        fn same<B: Cells>(fen: &str, narrow: &Position<u64>) {
            let wide = Position::<B>::from_fen(fen).expect("a good position");
            assert_eq!((narrow.inputs(), narrow.evaluate()), (wide.inputs(), wide.evaluate()));
        }
        for fen in
            ["3/3/3 a1 b1 a", "8/1r3d2/7d/2r5/d3r3/2d5/5r2/8 h1 a8 a", "r4d/4r1/2dd2/6/rd4/4r1 f1 b6 b"]
        {
            let narrow = Position::<u64>::from_fen(fen).expect("a good position");
            same::<u128>(fen, &narrow);
            same::<Wide<3>>(fen, &narrow);
            same::<Wide<4>>(fen, &narrow);
            same::<Wide<15>>(fen, &narrow);
        }
    }

    /// Where rows follow one another without a gap.
    #[test]
    fn boards_as_wide_as_their_sets_are_judged_as_in_larger_ones() {
        fn compare<B: Cells>(seed: u64) {
            let rows = vec![B::MAX_SIZE.to_string(); B::MAX_SIZE as usize].join("/");
            let mut position = Position::<B>::from_fen(&format!("{rows} c3 f6 a")).expect("a good position");
            let mut rng = Pcg64::seed_from_u64(seed);
            while position.outcome().is_none() {
                let wide = Position::<Wide<15>>::from_fen(&position.fen()).expect("a good position");
                assert_eq!(position.inputs(), wide.inputs(), "{}", position.fen());
                let moves = position.legal_moves();
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
        for seed in 1..=3 {
            compare::<u64>(seed);
            compare::<u128>(seed);
            compare::<Wide<3>>(seed);
            compare::<Wide<4>>(seed);
        }
    }

    #[test]
    fn more_steps_than_the_board_has_cells_are_no_more_than_all_there_are() {
        let inputs = |steps: u32| {
            let fen = format!("r3/rd2/1b2/4 b1 c3 a {steps}");
            Position::<u64>::from_fen(&fen).expect("a good position").inputs()
        };
        assert_eq!(inputs(16), inputs(900));
    }

    #[test]
    fn no_value_passes_the_limit() {
        let most: i32 = WEIGHTS[OUTPUT].iter().map(|&weight| i32::from(weight).abs()).sum();
        assert!(most <= Position::<u64>::LIMIT, "{most}");
    }
}
