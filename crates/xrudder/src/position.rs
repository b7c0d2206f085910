use std::ops::ControlFlow;

use game::{Game, Outcome, Side, zobrist};

use crate::MAX_SIDE;
use crate::census::Census;
use crate::diagram::Diagram;
use crate::geometry::{Cells, Direction, Geometry};

/// What a player does in one turn. Cells are numbered along the rows from the bottom, in a row from the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Move {
    /// Puts a token from the hand on a cell.
    Place(u16),
    /// Moves a token to a neighbouring cell.
    Step {
        /// The cell it stands on.
        from: u16,
        /// Where to.
        direction: Direction,
    },
    /// Does nothing, for want of an action.
    Pass,
}

/// A position, its board in sets of type `B`.
#[derive(Clone, Debug)]
pub struct Position<B: Cells> {
    /// The cells with a token of each side.
    tokens: [B; 2],
    /// How far the X's of each side are.
    census: [Census<B>; 2],
    /// The part of the key that stands for the tokens.
    tokens_key: u64,
    geometry: &'static Geometry<B>,
    /// Tokens of each side not yet placed.
    hands: [u16; 2],
    /// Token moves left to both sides together.
    moves_left: u16,
    side: Side,
    verdict: Verdict,
}

/// [`Game::outcome`] in one byte. The player who acted last is the one not to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Unfinished,
    /// The player who acted last has a valid X.
    OwnX,
    /// Only the opponent of the player who acted last has one.
    UncrossedX,
    NoAction,
}

/// Numbers for the Zobrist key: one for a token of each side on each cell of the largest board.
static CELL_KEYS: [u64; (MAX_SIDE * MAX_SIDE * 2) as usize] = zobrist::table(0x5852_7564_6401);
const COUNTERS_SEED: u64 = 0x5852_7564_6402;

fn token_key(cell: u32, side: Side) -> u64 {
    CELL_KEYS[cell as usize * 2 + side.index()]
}

impl<B: Cells> Position<B> {
    /// The position of a diagram that fits the width.
    pub(crate) fn new(diagram: &Diagram) -> Position<B> {
        let &Diagram { rows, cols, side, hands, moves_left, ref tokens } = diagram;
        let geometry = B::geometry(rows, cols);
        let mut position = Position {
            tokens: [B::EMPTY; 2],
            census: [Census::NOTHING; 2],
            tokens_key: 0,
            geometry,
            hands,
            moves_left,
            side,
            verdict: Verdict::Unfinished,
        };
        for &(row, col, owner) in tokens {
            position.put(row * cols + col, owner);
        }
        position.verdict = position.judge(side.other());
        position
    }

    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.geometry.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> u32 {
        self.geometry.cols
    }

    /// Tokens that a side has not yet placed.
    pub fn hand(&self, side: Side) -> u16 {
        self.hands[side.index()]
    }

    /// Token moves left to both sides together.
    pub fn moves_left(&self) -> u16 {
        self.moves_left
    }

    /// Whose token lies on a cell of the board; rows count from 0 at the bottom, columns from 0 on the left.
    pub fn token(&self, row: u32, col: u32) -> Option<Side> {
        let cell = row * self.cols() + col;
        Side::BOTH.into_iter().find(|&side| self.tokens(side).test(cell))
    }

    /// The tables of the board.
    pub(crate) fn geometry(&self) -> &'static Geometry<B> {
        self.geometry
    }

    /// The cells with a token of a side.
    #[inline]
    pub(crate) fn tokens(&self, side: Side) -> B {
        self.tokens[side.index()]
    }

    /// How many tokens of a side each X has.
    #[inline]
    pub(crate) fn census(&self, side: Side) -> &Census<B> {
        &self.census[side.index()]
    }

    /// The cells without a token.
    #[inline]
    pub(crate) fn empty(&self) -> B {
        self.geometry.all & !(self.tokens[0] | self.tokens[1])
    }

    /// The cell a move brings a token to; `None` for a pass.
    #[inline]
    pub(crate) fn destination(&self, m: Move) -> Option<u16> {
        match m {
            Move::Place(cell) => Some(cell),
            Move::Step { from, direction } => {
                self.geometry.around.get(usize::from(from))?.neighbours[direction.index()]
            }
            Move::Pass => None,
        }
    }

    /// The centres of the X's of a side that its opponent doesn't cross.
    #[inline]
    pub(crate) fn valid_xs(&self, side: Side) -> B {
        let foe = self.tokens(side.other());
        self.census(side).complete() & !(foe.lower(1) & foe.raise(1))
    }

    #[inline]
    fn has_valid_x(&self, side: Side) -> bool {
        // Hardly ever is one complete.
        self.census(side).complete() != B::EMPTY && self.valid_xs(side) != B::EMPTY
    }

    /// Whether a side has a placement or a token move, whoever is to move.
    #[inline]
    pub(crate) fn can_act(&self, side: Side) -> bool {
        let empty = self.empty();
        self.hand(side) > 0 && empty != B::EMPTY
            || self.moves_left > 0 && self.geometry.spread(empty) & self.tokens(side) != B::EMPTY
    }

    /// The verdict on a board without a valid X. Cells hang together by king steps, so unless the board is full any
    /// token at all means that some token can move.
    #[inline]
    fn judge_supplies(&self) -> Verdict {
        let occupied = self.tokens[0] | self.tokens[1];
        let can_place = self.hands != [0, 0];
        let can_move = self.moves_left > 0 && occupied != B::EMPTY;
        if occupied != self.geometry.all && (can_place || can_move) {
            Verdict::Unfinished
        } else {
            Verdict::NoAction
        }
    }

    #[inline]
    fn put(&mut self, cell: u32, side: Side) {
        self.tokens[side.index()] = self.tokens(side).insert(cell, 1);
        self.census[side.index()].add(self.geometry.around[cell as usize].centres);
        self.tokens_key ^= token_key(cell, side);
    }

    #[inline]
    fn take(&mut self, cell: u32, side: Side) {
        self.tokens[side.index()] = self.tokens(side) & !B::EMPTY.insert(cell, 1);
        self.census[side.index()].remove(self.geometry.around[cell as usize].centres);
        self.tokens_key ^= token_key(cell, side);
    }

    /// The verdict on any board, after `side` has acted.
    #[inline]
    fn judge(&self, side: Side) -> Verdict {
        if self.has_valid_x(side) {
            Verdict::OwnX
        } else if self.has_valid_x(side.other()) {
            Verdict::UncrossedX
        } else {
            self.judge_supplies()
        }
    }

    /// The key's part for everything but the tokens. All of it fits one index, each state its own.
    #[inline]
    fn counters_key(&self) -> u64 {
        let [x, o] = self.hands.map(u64::from);
        let (rows, cols) = (u64::from(self.rows()), u64::from(self.cols()));
        let packed = self.side.index() as u64
            | rows << 1
            | cols << 6
            | x << 11
            | o << 27
            | u64::from(self.moves_left) << 43;
        zobrist::number(COUNTERS_SEED, packed)
    }
}

impl<B: Cells> PartialEq for Position<B> {
    fn eq(&self, other: &Position<B>) -> bool {
        let state = |p: &Position<B>| (p.tokens, p.hands, p.moves_left, p.side, p.rows(), p.cols());
        state(self) == state(other)
    }
}

impl<B: Cells> Eq for Position<B> {}

impl<B: Cells> Game for Position<B> {
    type Move = Move;

    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let (winner, reason) = match self.verdict {
            Verdict::Unfinished => return None,
            Verdict::OwnX => (Some(self.side.other()), "x"),
            Verdict::UncrossedX => (Some(self.side), "uncrossed-x"),
            Verdict::NoAction => (None, "no-action"),
        };
        Some(Outcome { winner, reason })
    }

    #[inline]
    fn moves(&self, mut f: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict != Verdict::Unfinished {
            return ControlFlow::Continue(());
        }
        let empty = self.empty();
        let mut must_pass = true;
        if self.hand(self.side) > 0 {
            for cell in empty.members() {
                must_pass = false;
                f(Move::Place(cell as u16))?;
            }
        }
        if self.moves_left > 0 {
            for from in self.tokens(self.side).members() {
                let neighbours = &self.geometry.around[from as usize].neighbours;
                for (direction, to) in Direction::ALL.into_iter().zip(neighbours) {
                    if to.is_some_and(|to| empty.test(u32::from(to))) {
                        must_pass = false;
                        f(Move::Step { from: from as u16, direction })?;
                    }
                }
            }
        }
        if must_pass { f(Move::Pass) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.verdict != Verdict::Unfinished {
            return 0;
        }
        let (empty, own) = (self.empty(), self.tokens(self.side));
        let placements = if self.hand(self.side) > 0 { empty.count() } else { 0 };
        let steps = if self.moves_left > 0 {
            let (west, east) = (self.geometry.west_of(empty), self.geometry.east_of(empty));
            let level = (west & own).count() + (east & own).count();
            [west, empty, east].into_iter().fold(level, |steps, row| {
                steps + (row.lower(self.cols()) & own).count() + (row.raise(self.cols()) & own).count()
            })
        } else {
            0
        };
        u64::from((placements + steps).max(1))
    }

    fn is_legal(&self, m: Move) -> bool {
        if self.verdict != Verdict::Unfinished {
            return false;
        }
        let cells = self.rows() * self.cols();
        let to_empty =
            || self.destination(m).is_some_and(|to| u32::from(to) < cells && self.empty().test(to.into()));
        match m {
            Move::Place(_) => self.hand(self.side) > 0 && to_empty(),
            Move::Step { from, .. } => {
                self.moves_left > 0
                    && u32::from(from) < cells
                    && self.tokens(self.side).test(from.into())
                    && to_empty()
            }
            Move::Pass => !self.can_act(self.side),
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        let side = self.side;
        self.side = side.other();
        // A pass changes nothing that could end the game.
        let Some(to) = self.destination(m) else { return };
        self.put(to.into(), side);
        if let Move::Step { from, .. } = m {
            self.take(from.into(), side);
            self.moves_left = self.moves_left.wrapping_sub(1);
        } else {
            let hand = &mut self.hands[side.index()];
            *hand = hand.wrapping_sub(1);
        }
        self.verdict = self.judge(side);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.tokens_key ^ self.counters_key()
    }

    fn key_from_scratch(&self) -> u64 {
        Side::BOTH.into_iter().fold(self.counters_key(), |key, side| {
            self.tokens(side).members().fold(key, |key, cell| key ^ token_key(cell, side))
        })
    }

    #[inline]
    fn move_bits(m: Move) -> u16 {
        match m {
            Move::Place(cell) => cell,
            Move::Step { from, direction } => FIRST_STEP + from * 8 + direction.index() as u16,
            Move::Pass => PASS,
        }
    }

    #[inline]
    fn move_from_bits(&self, bits: u16) -> Option<Move> {
        match bits {
            ..FIRST_STEP => (u32::from(bits) < self.rows() * self.cols()).then_some(Move::Place(bits)),
            PASS => Some(Move::Pass),
            _ => {
                let (from, direction) =
                    ((bits - FIRST_STEP) / 8, Direction::ALL[usize::from((bits - FIRST_STEP) % 8)]);
                let step = Move::Step { from, direction };
                self.destination(step).map(|_| step)
            }
        }
    }
}

/// Where packed token moves begin: above all cells of the largest board.
const FIRST_STEP: u16 = (MAX_SIDE * MAX_SIDE) as u16;
/// The packed pass: above all token moves.
const PASS: u16 = FIRST_STEP * 9;
