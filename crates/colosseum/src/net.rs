//! The evaluation: a [small neural network](game::net) that knows of each agent how much of the board it gets to before the
//! other, how open that is, and how narrow the ways there. Most of it are shares of the board, so that one network judges
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
const OF_AGENT: usize = 12;
const OF_BOARD: usize = 4;

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

/// Walks whose steps are counted one walk at a time.
const WALKS: usize = 3;

/// Both agents walk in all directions at once, a step each at a time, and keep what they get to first.
struct Race<B> {
    /// The cells that each gets to first.
    first: [B; 2],
    /// How many of those each gets to in each of the first walks.
    won: [[u32; WALKS]; 2],
    /// The fewest of them that a step of each of those walks adds, as long as either gets anywhere.
    narrowest: [[u32; WALKS]; 2],
    /// The last step with which each gets to a cell first.
    last: [u32; 2],
    /// The first step with which one gets to a cell that the other gets to with it or has got to before; 0 if none does.
    meeting: u32,
    /// Cells that both get to at once.
    tied: u32,
}

impl<B: Cells> Race<B> {
    /// Any number of cells that a step may add, beyond which it makes no difference.
    const WIDE: u32 = 20;

    fn run(board: &Board<B>, agents: [B; 2], walk: u32) -> Race<B> {
        let mut race = Race {
            first: agents,
            won: [[0; WALKS]; 2],
            narrowest: [[Self::WIDE; WALKS]; 2],
            last: [0; 2],
            meeting: 0,
            tied: 0,
        };
        let mut fronts = agents;
        let mut seen = agents[0] | agents[1];
        // A walk without steps counts as one of one.
        let walk = walk.max(1);
        let (mut walks, mut left) = (0, walk);
        for step in 1.. {
            // No call of `map`, which the compiler leaves a call for wide sets.
            let beside = [board.spread(fronts[0]), board.spread(fronts[1])];
            let [a, b] = [beside[0] & !seen, beside[1] & !seen];
            if race.meeting == 0 && beside[0] & (race.first[1] | b) != B::EMPTY {
                race.meeting = step;
            }
            if a | b == B::EMPTY {
                break;
            }
            fronts = [a, b];
            seen = seen | a | b;
            race.tied += (a & b).count();
            if left == 0 {
                (walks, left) = (walks + 1, walk);
            }
            left -= 1;
            for (agent, cells) in [a & !b, b & !a].into_iter().enumerate() {
                race.first[agent] = race.first[agent] | cells;
                let count = cells.count();
                if count > 0 {
                    race.last[agent] = step;
                }
                if walks < WALKS {
                    race.won[agent][walks] += count;
                    race.narrowest[agent][walks] = race.narrowest[agent][walks].min(count);
                }
            }
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
        // Four times the share of the board, and a multiple of the whole in 1/8.
        let share = |cells: u32| cells * SHARES[self.size() as usize] / 256;
        let eighths = |count: u32| count * (WHOLE / 8);
        let mut inputs = [0; INPUTS];
        let (of_agents, of_board) = inputs.split_at_mut(2 * OF_AGENT);
        for (i, of_agent) in of_agents.chunks_exact_mut(OF_AGENT).enumerate() {
            let [soon, later, latest] = race.won[i];
            let [narrow, narrow_later, narrow_latest] = race.narrowest[i];
            of_agent.copy_from_slice(&[
                share(soon),
                share(soon + later),
                share(self.reach(sides[i]).count()),
                4 * eighths(board.exits(agents[i])),
                eighths(board.exits(race.first[i])),
                share(board.ways(race.first[i])) / 2,
                eighths(narrow),
                eighths(narrow_later),
                share(race.first[i].count()),
                eighths(race.last[i]),
                share(latest),
                eighths(narrow_latest),
            ]);
        }
        of_board.copy_from_slice(&[
            share(race.tied),
            share(board.open_edges()) / 4,
            eighths(self.size()),
            2 * eighths(race.meeting),
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

    use super::*;

    /// The inputs as counts, shares of the board in cells.
    fn counts(fen: &str) -> [u32; INPUTS] {
        let position = Position::<u64>::from_fen(fen).expect("a good position");
        let cells = position.size() * position.size();
        let mut inputs = position.inputs().map(|input| input as u32);
        let share = |input: u32| (input * cells + 2 * WHOLE) / (4 * WHOLE);
        let eighths = |input: u32| input / (WHOLE / 8);
        for agent in inputs[..2 * OF_AGENT].as_chunks_mut::<OF_AGENT>().0 {
            let [
                soon,
                both,
                reach,
                exits,
                border,
                ways,
                narrow,
                narrow_later,
                all,
                last,
                latest,
                narrow_latest,
            ] = *agent;
            *agent = [
                share(soon),
                share(both),
                share(reach),
                eighths(exits) / 4,
                eighths(border),
                share(2 * ways),
                eighths(narrow),
                eighths(narrow_later),
                share(all),
                eighths(last),
                share(latest),
                eighths(narrow_latest),
            ];
        }
        let [tied, open, size, meeting] = &mut inputs[2 * OF_AGENT..] else { unreachable!("four inputs") };
        (*tied, *open, *size, *meeting) =
            (share(*tied), share(4 * *open), eighths(*size), eighths(*meeting) / 2);
        inputs
    }

    #[test]
    fn inputs_counted_by_hand() {
        // With walks of two steps A gets first to a2, then to a3; B to c1 and b2, then to c2 and b3, and then to c3. They are
        // neighbours, and there is no third walk.
        let a = [2, 2, 4, 2, 3, 2, 1, 0, 3, 2, 0, 20];
        let b = [4, 5, 6, 3, 3, 7, 2, 1, 6, 3, 0, 20];
        let board = [0, 12, 3, 1];
        assert_eq!(counts("3/3/3 a1 b1 a")[..], [&a[..], &b, &board].concat());
        assert_eq!(counts("3/3/3 a1 b1 b")[..], [&b[..], &a, &board].concat());
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

    #[test]
    fn no_value_passes_the_limit() {
        let most: i32 = WEIGHTS[OUTPUT].iter().map(|&weight| i32::from(weight).abs()).sum();
        assert!(most <= Position::<u64>::LIMIT, "{most}");
    }
}
