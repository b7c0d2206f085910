use std::array;
use std::ops::ControlFlow;

use bits::Bits;
use game::{Game, Outcome, Side, zobrist};

use crate::MAX_SIDE;
use crate::diagram::Diagram;
use crate::lines;
use crate::piece::{Move, Piece, Shape, Stocks};

/// A position, its board in sets of type `B`.
///
/// Cells are numbered up the columns, from the left, and each column ends in a margin cell that is always empty. So a
/// piece falls to the first zero of its column, and a step in any direction is a fixed distance that never leads from
/// one column into the next unnoticed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position<B: Bits> {
    occupied: B,
    /// The cells of the board that hold none, margins excluded.
    empty: B,
    white: B,
    round: B,
    completions: Completions<B>,
    /// A bit for each column that has room.
    open: u64,
    key: u64,
    stocks: Stocks,
    measures: Measures,
    side: Side,
    verdict: Verdict,
}

/// Empty cells where a piece would complete a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Completions<B> {
    /// Of White's pieces and of Red's.
    coloured: [B; 2],
    /// Of round pieces and of square ones.
    shaped: [B; 2],
}

/// The measures of a board that decide where lines can lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) rows: u32,
    pub(crate) cols: u32,
    pub(crate) win: u32,
}

impl Frame {
    /// The board everybody plays.
    pub(crate) const STANDARD: Frame = Frame { rows: 6, cols: 7, win: 4 };

    /// The distance between neighbouring cells in each of the four directions. Where a line fits only one direction,
    /// upright or level, that one stands for all.
    #[inline]
    pub(crate) fn steps(self) -> [u32; 4] {
        let stride = self.rows + 1;
        match (self.win <= self.rows, self.win <= self.cols) {
            (true, true) => [1, stride, stride + 1, stride - 1],
            (true, false) => [1; 4],
            (false, _) => [stride; 4],
        }
    }

    /// All cells of the board, margins excluded.
    #[inline]
    pub(crate) fn cells<B: Bits>(self) -> B {
        B::EMPTY.insert(0, (1 << self.rows) - 1).along(self.cols, self.rows + 1)
    }

    /// How many lines there are on the board.
    pub(crate) fn lines(self) -> u32 {
        let [up, right] = [self.rows, self.cols].map(|cells| (cells + 1).saturating_sub(self.win));
        self.cols * up + self.rows * right + 2 * up * right
    }

    /// How many of the [`Frame::steps`], from the first on, are directions of their own.
    #[inline]
    pub(crate) fn directions(self) -> usize {
        if self.win <= self.rows && self.win <= self.cols { 4 } else { 1 }
    }
}

/// A [`Frame`] in one word, so that it is copied and compared at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Measures(u32);

impl Measures {
    const STANDARD: Measures = Measures::new(Frame::STANDARD);

    const fn new(frame: Frame) -> Measures {
        Measures(frame.rows | frame.cols << 8 | frame.win << 16)
    }

    const fn frame(self) -> Frame {
        Frame { rows: self.0 & 0xFF, cols: self.0 >> 8 & 0xFF, win: self.0 >> 16 }
    }
}

/// What [`Bits::completions_through`] finds in all directions.
#[inline(never)]
fn completions_through<B: Bits>(set: B, cell: u32, frame: Frame) -> B {
    let steps = frame.steps().into_iter().take(frame.directions());
    steps.fold(B::EMPTY, |found, step| found | set.completions_through(cell, frame.win, step))
}

/// [`Game::outcome`] in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Unfinished,
    RoundLine,
    SquareLine,
    WhiteLine,
    RedLine,
    BoardFull,
    NoPieces,
}

impl Verdict {
    const fn shape_line(shape: Shape) -> Verdict {
        match shape {
            Shape::Round => Verdict::RoundLine,
            Shape::Square => Verdict::SquareLine,
        }
    }

    const fn colour_line(side: Side) -> Verdict {
        match side {
            Side::First => Verdict::WhiteLine,
            Side::Second => Verdict::RedLine,
        }
    }

    /// A line of the shape or of the colour of the piece that completes it.
    #[cold]
    const fn line(side: Side, shape: Shape, is_of_shape: bool) -> Verdict {
        if is_of_shape { Verdict::shape_line(shape) } else { Verdict::colour_line(side) }
    }

    const fn outcome(self) -> Option<Outcome> {
        let (winner, reason) = match self {
            Verdict::Unfinished => return None,
            Verdict::RoundLine => (Some(Side::First), "line-shape"),
            Verdict::SquareLine => (Some(Side::Second), "line-shape"),
            Verdict::WhiteLine => (Some(Side::First), "line-colour"),
            Verdict::RedLine => (Some(Side::Second), "line-colour"),
            Verdict::BoardFull => (None, "board-full"),
            Verdict::NoPieces => (None, "no-pieces"),
        };
        Some(Outcome { winner, reason })
    }
}

/// Numbers for the Zobrist key: one for each kind of piece on each cell of the largest board.
static CELL_KEYS: [u64; ((MAX_SIDE + 1) * MAX_SIDE * 4) as usize] = zobrist::table(0x51_4d50_4c58);
const RED_TO_MOVE: u64 = zobrist::number(0x51_4d50_4c59, 0);
const SETUP_SEED: u64 = 0x51_4d50_4c5a;

/// The number of a piece on a cell; `cell` is below 51 * 50 on every board.
#[inline]
pub(crate) fn piece_key(cell: u32, side: Side, shape: Shape) -> u64 {
    CELL_KEYS[cell as usize * 4 + side.index() * 2 + shape.index()]
}

impl<B: Bits> Position<B> {
    /// The position of a diagram that fits the width.
    pub(crate) fn new(diagram: &Diagram) -> Position<B> {
        let &Diagram { rows, cols, win, side, stocks, ref pieces } = diagram;
        let mut position = Position {
            occupied: B::EMPTY,
            empty: B::EMPTY,
            white: B::EMPTY,
            round: B::EMPTY,
            completions: Completions { coloured: [B::EMPTY; 2], shaped: [B::EMPTY; 2] },
            open: u64::MAX >> (64 - u32::from(cols)),
            key: 0,
            stocks: Stocks::new(stocks),
            measures: Measures::new(Frame { rows: rows.into(), cols: cols.into(), win: win.into() }),
            side,
            verdict: Verdict::Unfinished,
        };
        for &(row, column, Piece { side, shape }) in pieces {
            position.put(position.cell(u32::from(row), u32::from(column)), side, shape);
            if row + 1 == rows {
                position.open &= !(1 << column);
            }
        }
        position.empty = position.frame().cells::<B>() & !position.occupied;
        position.completions = position.completions_from_scratch();
        position.key = position.key_from_scratch();
        position.verdict = position.judge();
        position
    }

    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.frame().rows
    }

    /// Number of columns.
    pub fn cols(&self) -> u32 {
        self.frame().cols
    }

    /// Length of a winning line.
    pub fn win(&self) -> u32 {
        self.frame().win
    }

    /// Pieces of a shape that a side has left.
    #[inline]
    pub fn stock(&self, side: Side, shape: Shape) -> u16 {
        self.stocks.left(side, shape)
    }

    /// The key of the position in which the side to move has put a piece on that cell.
    #[inline]
    fn key_with(&self, cell: u32, shape: Shape) -> u64 {
        self.key ^ piece_key(cell, self.side, shape) ^ RED_TO_MOVE
    }

    /// Whether a side has pieces left of its own shape, and of the other one.
    #[inline]
    pub(crate) fn has(&self, side: Side) -> [bool; 2] {
        self.stocks.has(side)
    }

    /// What lies on a cell of the board; rows count from 0 at the bottom, columns from 0 on the left.
    pub fn piece(&self, row: u32, column: u32) -> Option<(Side, Shape)> {
        let cell = self.cell(row, column);
        self.occupied.test(cell).then(|| {
            let side = if self.white.test(cell) { Side::First } else { Side::Second };
            let shape = if self.round.test(cell) { Shape::Round } else { Shape::Square };
            (side, shape)
        })
    }

    /// Number of pieces in a column.
    #[inline]
    pub fn height(&self, column: u32) -> u32 {
        self.occupied.extract(self.cell(0, column)).trailing_ones()
    }

    /// The cells that hold a piece.
    #[inline]
    pub(crate) fn occupied(&self) -> B {
        self.occupied
    }

    /// The cells that hold none.
    #[inline]
    pub(crate) fn empty(&self) -> B {
        self.empty
    }

    /// The empty cells where a piece would complete a line of a colour.
    #[inline]
    pub(crate) fn completing_colour(&self, side: Side) -> B {
        self.completions.coloured[side.index()]
    }

    /// The empty cells where a piece would complete a line of a shape.
    #[inline]
    pub(crate) fn completing_shape(&self, shape: Shape) -> B {
        self.completions.shaped[shape.index()]
    }

    /// The cells with a piece of a colour.
    #[inline]
    pub(crate) fn coloured(&self, side: Side) -> B {
        self.occupied & (self.white ^ Self::flip(side == Side::Second))
    }

    /// The cells with a piece of a shape.
    #[inline]
    pub(crate) fn shaped(&self, shape: Shape) -> B {
        self.occupied & (self.round ^ Self::flip(shape == Shape::Square))
    }

    /// The kinds of lines that what lies on a cell doesn't fit, a bit each for those of White's colour, of Red's, of round
    /// pieces and of square ones; 0 for an empty cell.
    #[inline]
    pub(crate) fn bars(&self, cell: u32) -> u8 {
        if !self.occupied.test(cell) {
            return 0;
        }
        let colour = if self.white.test(cell) { 0b10 } else { 0b01 };
        colour | if self.round.test(cell) { 0b1000 } else { 0b0100 }
    }

    /// What turns a set into its complement: a branch on whose piece it is would be mispredicted half the time.
    #[inline]
    fn flip(complement: bool) -> B {
        if complement { !B::EMPTY } else { B::EMPTY }
    }

    /// The measures of the board.
    #[inline]
    pub(crate) fn frame(&self) -> Frame {
        self.measures.frame()
    }

    /// Whether the board is the one that everybody plays, in one word.
    #[inline]
    fn is_standard(&self) -> bool {
        B::WIDTH == u64::WIDTH && self.measures == Measures::STANDARD
    }

    /// This board with the other side to move, which the rules know no move for: to ask what the opponent threatens.
    pub(crate) fn passed(&self) -> Position<B> {
        Position { side: self.side.other(), key: self.key ^ RED_TO_MOVE, ..self.clone() }
    }

    #[inline]
    fn cell(&self, row: u32, column: u32) -> u32 {
        column * (self.rows() + 1) + row
    }

    #[inline]
    fn put(&mut self, cell: u32, side: Side, shape: Shape) {
        self.occupied = self.occupied.insert(cell, 1);
        self.white = self.white.insert(cell, u64::from(side == Side::First));
        self.round = self.round.insert(cell, u64::from(shape == Shape::Round));
    }

    /// The verdict on any board: the rules' tests in the rules' order.
    fn judge(&self) -> Verdict {
        let frame = self.frame();
        let has_line = |set: B| frame.steps().into_iter().any(|step| set.runs(frame.win, step) != B::EMPTY);
        if let Some(shape) = Shape::BOTH.into_iter().find(|&shape| has_line(self.shaped(shape))) {
            return Verdict::shape_line(shape);
        }
        if let Some(side) = Side::BOTH.into_iter().find(|&side| has_line(self.coloured(side))) {
            return Verdict::colour_line(side);
        }
        self.judge_supplies()
    }

    fn completions_from_scratch(&self) -> Completions<B> {
        let Frame { win, .. } = self.frame();
        let steps = self.frame().steps();
        let of = |set: B| {
            steps.into_iter().fold(B::EMPTY, |found, step| found | set.completions(win, step)) & self.empty
        };
        Completions {
            coloured: Side::BOTH.map(|side| of(self.coloured(side))),
            shaped: Shape::BOTH.map(|shape| of(self.shaped(shape))),
        }
    }

    /// Brings the completions up to date after `side` put a piece of `shape` on `cell`: new ones are of that colour or that
    /// shape, on a line through the cell.
    #[expect(clippy::inline_always, reason = "what was just put on the board is still in registers")]
    #[inline(always)]
    fn update_completions(&mut self, cell: u32, side: Side, shape: Shape) {
        let sets = [self.coloured(side), self.shaped(shape)];
        let [of_colour, of_shape] = if self.is_standard() {
            sets.map(|set| B::EMPTY.insert(0, lines::completions_through(set.extract(0), cell)))
        } else {
            sets.map(|set| completions_through(set, cell, self.frame()))
        };
        let grown = |cells: [B; 2], index: usize, more: B| {
            array::from_fn(|i| (cells[i] | if i == index { more } else { B::EMPTY }) & self.empty)
        };
        let Completions { coloured, shaped } = self.completions;
        self.completions = Completions {
            coloured: grown(coloured, side.index(), of_colour),
            shaped: grown(shaped, shape.index(), of_shape),
        };
    }

    /// The verdict on a board without a line. Stocks began equal, so when the side to move has none nobody has.
    #[inline]
    fn judge_supplies(&self) -> Verdict {
        if self.open == 0 {
            Verdict::BoardFull
        } else if self.stocks.is_out(self.side) {
            Verdict::NoPieces
        } else {
            Verdict::Unfinished
        }
    }
}

impl<B: Bits> Game for Position<B> {
    type Move = Move;

    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.verdict.outcome()
    }

    #[inline]
    fn moves(&self, mut f: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.verdict != Verdict::Unfinished {
            return ControlFlow::Continue(());
        }
        let [rounds, squares] = Shape::BOTH.map(|shape| self.stock(self.side, shape));
        let mut open = self.open;
        while open != 0 {
            let column = open.trailing_zeros() as u8;
            open &= open - 1;
            if rounds > 0 {
                f(Move { column, shape: Shape::Round })?;
            }
            if squares > 0 {
                f(Move { column, shape: Shape::Square })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.verdict != Verdict::Unfinished {
            return 0;
        }
        let [rounds, squares] = Shape::BOTH.map(|shape| self.stock(self.side, shape));
        u64::from(self.open.count_ones()) * (u64::from(rounds > 0) + u64::from(squares > 0))
    }

    fn is_legal(&self, m: Move) -> bool {
        self.verdict == Verdict::Unfinished
            && self.open.checked_shr(u32::from(m.column)).unwrap_or(0) & 1 != 0
            && self.stock(self.side, m.shape) > 0
    }

    #[expect(clippy::inline_always, reason = "called instead, a played perft takes a quarter longer")]
    #[inline(always)]
    fn play_unchecked(&mut self, m: Move) {
        let column = u32::from(m.column);
        let row = self.height(column);
        let cell = self.cell(row, column);
        let side = self.side;
        let [by_shape, by_colour] = [self.completing_shape(m.shape), self.completing_colour(side)];
        self.put(cell, side, m.shape);
        self.empty = self.empty & !B::EMPTY.insert(cell, 1);
        self.update_completions(cell, side, m.shape);
        self.open &= !(u64::from(row + 1 == self.rows()) << column);
        self.stocks.take(side, m.shape);
        self.key = self.key_with(cell, m.shape);
        self.side = side.other();
        self.verdict = if (by_shape | by_colour).test(cell) {
            Verdict::line(side, m.shape, by_shape.test(cell))
        } else {
            self.judge_supplies()
        };
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn key_after(&self, m: Move) -> Option<u64> {
        let column = u32::from(m.column);
        Some(self.key_with(self.cell(self.height(column), column), m.shape))
    }

    fn key_from_scratch(&self) -> u64 {
        // The stocks left follow from the board and the stocks at the start, so those stand for them.
        let mut key = SETUP_SEED;
        let mut totals = Shape::BOTH.map(|shape| u64::from(self.stock(Side::First, shape)));
        let mut pieces = 0;
        for column in 0..self.cols() {
            for row in 0..self.height(column) {
                if let Some((side, shape)) = self.piece(row, column) {
                    pieces ^= piece_key(self.cell(row, column), side, shape);
                    totals[shape.index()] += u64::from(side == Side::First);
                }
            }
        }
        let [rounds, squares] = totals;
        for parameter in [self.rows().into(), self.cols().into(), self.win().into(), rounds, squares] {
            key = zobrist::number(key, parameter);
        }
        key ^ pieces ^ if self.side == Side::Second { RED_TO_MOVE } else { 0 }
    }

    #[inline]
    fn move_bits(m: Move) -> u16 {
        u16::from(m.column) * 2 + m.shape as u16
    }

    #[inline]
    fn move_from_bits(&self, bits: u16) -> Option<Move> {
        let column = u8::try_from(bits / 2).ok().filter(|&c| u32::from(c) < self.cols())?;
        Some(Move { column, shape: Shape::BOTH[usize::from(bits % 2)] })
    }
}
