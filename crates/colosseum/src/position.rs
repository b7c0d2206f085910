use std::cmp::Ordering;
use std::ops::ControlFlow;

use game::{Game, Outcome, Side, zobrist};

use crate::board::{Board, Cells, Direction, Move, cell, edge, row_col, single};
use crate::diagram::Diagram;

/// A position, its cells in sets of type `B`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position<B: Cells> {
    board: Board<B>,
    key: u64,
    /// The cells of both agents.
    agents: [u16; 2],
    /// Longest walk.
    steps: u16,
    size: u8,
    side: Side,
    verdict: Verdict,
}

/// [`Game::outcome`] in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Unfinished,
    Won(Side),
    Drawn,
}

/// Rows of the tables below, so that a position's key doesn't depend on its set type.
const KEY_STRIDE: u32 = 32;
const KEY_CELLS: usize = (KEY_STRIDE * KEY_STRIDE) as usize;

/// Numbers for the Zobrist key: one for a barrier right of each cell and one below it, one for each agent on each cell.
static BARRIER_KEYS: [u64; 2 * KEY_CELLS] = zobrist::table(0x436f_6c6f_7301);
static AGENT_KEYS: [u64; 2 * KEY_CELLS] = zobrist::table(0x436f_6c6f_7302);
const SETUP_SEED: u64 = 0x436f_6c6f_7303;
const B_TO_MOVE: u64 = zobrist::number(0x436f_6c6f_7304, 0);

#[inline]
fn key_index<B: Cells>(cell: u32) -> usize {
    let (row, col) = row_col::<B>(cell);
    (2 * (row * KEY_STRIDE + col)) as usize
}

#[inline]
fn agent_key<B: Cells>(cell: u32, side: Side) -> u64 {
    AGENT_KEYS[key_index::<B>(cell) + side.index()]
}

/// The number of a barrier on a side of a cell.
#[inline]
fn barrier_key<B: Cells>(cell: u32, side: Direction) -> u64 {
    let (owner, line) = edge::<B>(cell, side);
    BARRIER_KEYS[key_index::<B>(owner) + line]
}

impl<B: Cells> Position<B> {
    /// The position of a diagram that fits the width.
    pub(crate) fn new(diagram: &Diagram) -> Position<B> {
        let &Diagram { size, ref barriers, agents, side, steps } = diagram;
        let mut board = Board::new(size);
        for &Move { row, col, wall } in barriers {
            board.close(cell::<B>(row.into(), col.into()), wall);
        }
        let mut position = Position {
            board,
            key: 0,
            agents: agents.map(|(row, col)| cell::<B>(row, col) as u16),
            steps: steps as u16,
            size: size as u8,
            side,
            verdict: Verdict::Unfinished,
        };
        position.key = position.key_from_scratch();
        position.verdict = position.judge();
        position
    }

    /// Number of rows, which is also that of columns.
    pub fn size(&self) -> u32 {
        u32::from(self.size)
    }

    /// Longest walk.
    pub fn steps(&self) -> u32 {
        u32::from(self.steps)
    }

    /// The row and the column where an agent stands.
    pub fn cell_of(&self, side: Side) -> (u32, u32) {
        row_col::<B>(self.agent_cell(side))
    }

    /// Whether a side of a cell is free: neither the border nor a barrier.
    pub fn is_free(&self, row: u32, col: u32, side: Direction) -> bool {
        row.max(col) < self.size() && self.board.is_open(cell::<B>(row, col), side)
    }

    /// The cell where an agent stands.
    #[inline]
    pub(crate) fn agent_cell(&self, side: Side) -> u32 {
        u32::from(self.agents[side.index()])
    }

    /// Where one can step.
    #[inline]
    pub(crate) fn board(&self) -> &Board<B> {
        &self.board
    }

    /// The cells an agent could stop at, whoever is to move.
    #[inline]
    pub(crate) fn reach(&self, side: Side) -> B {
        self.board.walk(self.agent_cell(side), self.agent_cell(side.other()), self.steps())
    }

    /// Number of cells of an agent's region.
    #[inline]
    pub(crate) fn area(&self, side: Side) -> u32 {
        self.board.region(self.agent_cell(side)).count()
    }

    #[inline]
    fn judge(&self) -> Verdict {
        let [a, b] = Side::BOTH.map(|side| self.agent_cell(side));
        match self.board.region_unless(single(a), |region| region.test(b)) {
            None => Verdict::Unfinished,
            Some(region) => match region.count().cmp(&self.area(Side::Second)) {
                Ordering::Greater => Verdict::Won(Side::First),
                Ordering::Less => Verdict::Won(Side::Second),
                Ordering::Equal => Verdict::Drawn,
            },
        }
    }
}

impl<B: Cells> Game for Position<B> {
    type Move = Move;

    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let winner = match self.verdict {
            Verdict::Unfinished => return None,
            Verdict::Won(side) => Some(side),
            Verdict::Drawn => None,
        };
        Some(Outcome { winner, reason: "territory" })
    }

    fn score(&self) -> Option<(u32, u32)> {
        Some((self.area(Side::First), self.area(Side::Second)))
    }

    #[inline]
    fn moves(&self, mut f: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict != Verdict::Unfinished {
            return ControlFlow::Continue(());
        }
        let [up, right, down, left] = Direction::ALL;
        // No call of `map`, which the compiler leaves a call for wide sets.
        let open =
            [self.board.open(up), self.board.open(right), self.board.open(down), self.board.open(left)];
        for cell in self.reach(self.side).members() {
            let (row, col) = row_col::<B>(cell);
            // A bit for each open side, so that no branch depends on whether a single one is open.
            let mut sides =
                (0..).zip(&open).fold(0_u32, |sides, (i, open)| sides | u32::from(open.test(cell)) << i);
            while sides != 0 {
                let wall = Direction::ALL[sides.trailing_zeros() as usize];
                f(Move { row: row as u8, col: col as u8, wall })?;
                sides &= sides - 1;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.verdict != Verdict::Unfinished {
            return 0;
        }
        let reach = self.reach(self.side);
        Direction::ALL.into_iter().map(|side| u64::from((reach & self.board.open(side)).count())).sum()
    }

    fn is_legal(&self, m: Move) -> bool {
        let (row, col) = (u32::from(m.row), u32::from(m.col));
        self.verdict == Verdict::Unfinished
            && self.is_free(row, col, m.wall)
            && self.reach(self.side).test(cell::<B>(row, col))
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        let (from, to) = (self.agent_cell(self.side), cell::<B>(m.row.into(), m.col.into()));
        self.board.close(to, m.wall);
        self.key ^= barrier_key::<B>(to, m.wall) ^ B_TO_MOVE;
        self.key ^= agent_key::<B>(from, self.side) ^ agent_key::<B>(to, self.side);
        self.agents[self.side.index()] = to as u16;
        self.side = self.side.other();
        // The agents were connected before, so only this barrier can have parted them.
        if self.board.may_divide(to, m.wall) {
            self.verdict = self.judge();
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let setup = u64::from(self.size) | u64::from(self.steps) << 8;
        let mut key = zobrist::number(SETUP_SEED, setup);
        let all = Board::<B>::new(self.size());
        for side in [Direction::Right, Direction::Down] {
            let barriers = all.open(side) & !self.board.open(side);
            key = barriers.members().fold(key, |key, cell| key ^ barrier_key::<B>(cell, side));
        }
        key = Side::BOTH.into_iter().fold(key, |key, side| key ^ agent_key::<B>(self.agent_cell(side), side));
        key ^ if self.side == Side::Second { B_TO_MOVE } else { 0 }
    }

    #[inline]
    fn move_bits(m: Move) -> u16 {
        let cell = cell::<B>(m.row.into(), m.col.into());
        cell as u16 * 4 + m.wall.index() as u16
    }

    #[inline]
    fn move_from_bits(&self, bits: u16) -> Option<Move> {
        let (row, col) = row_col::<B>(u32::from(bits / 4));
        let wall = Direction::ALL[usize::from(bits % 4)];
        (row.max(col) < self.size()).then_some(Move { row: row as u8, col: col as u8, wall })
    }
}
