use game::Side;

/// The shape of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Shape {
    /// White's shape.
    Round,
    /// Red's shape.
    Square,
}

impl Shape {
    /// Both shapes, in the canonical order of moves.
    pub const BOTH: [Shape; 2] = [Shape::Round, Shape::Square];

    /// 0 for round, 1 for square.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `round` or `square`.
    pub const fn name(self) -> &'static str {
        match self {
            Shape::Round => "round",
            Shape::Square => "square",
        }
    }

    /// Who wins with a line of this shape.
    pub const fn owner(self) -> Side {
        match self {
            Shape::Round => Side::First,
            Shape::Square => Side::Second,
        }
    }

    /// The shape that `side` wins with.
    pub const fn of(side: Side) -> Shape {
        match side {
            Side::First => Shape::Round,
            Side::Second => Shape::Square,
        }
    }
}

/// What lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) side: Side,
    pub(crate) shape: Shape,
}

impl Piece {
    const LETTERS: [[char; 2]; 2] = [['w', 'W'], ['r', 'R']];

    /// Its letter in position strings: `w` or `r` for the colour, capital for a square piece.
    pub(crate) fn letter(self) -> char {
        Piece::LETTERS[self.side.index()][self.shape.index()]
    }

    /// The piece of a letter.
    pub(crate) fn from_letter(letter: char) -> Option<Piece> {
        let all = Side::BOTH.into_iter().flat_map(|side| Shape::BOTH.map(|shape| Piece { side, shape }));
        all.into_iter().find(|piece| piece.letter() == letter)
    }
}

/// The pieces left, by side and shape. All in one word: what has just been written in part cannot be read as a whole
/// without waiting for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stocks(u64);

impl Stocks {
    pub(crate) fn new(stocks: [[u16; 2]; 2]) -> Stocks {
        let parts = Side::BOTH.map(|side| {
            let part =
                |shape: Shape| u64::from(stocks[side.index()][shape.index()]) << Stocks::shift(side, shape);
            part(Shape::Round) | part(Shape::Square)
        });
        Stocks(parts[0] | parts[1])
    }

    const fn shift(side: Side, shape: Shape) -> u32 {
        32 * side as u32 + 16 * shape as u32
    }

    pub(crate) const fn left(self, side: Side, shape: Shape) -> u16 {
        (self.0 >> Stocks::shift(side, shape)) as u16
    }

    /// Whether a side has pieces left of its own shape, and of the other one.
    pub(crate) const fn has(self, side: Side) -> [bool; 2] {
        let both = (self.0 >> Stocks::shift(side, Shape::Round)) as u32;
        let own_first = both.rotate_right(16 * side as u32);
        [own_first as u16 != 0, own_first >> 16 != 0]
    }

    /// Whether a side has no pieces left.
    pub(crate) const fn is_out(self, side: Side) -> bool {
        (self.0 >> Stocks::shift(side, Shape::Round)) as u32 == 0
    }

    /// Takes a piece, of which there must be one.
    pub(crate) const fn take(&mut self, side: Side, shape: Shape) {
        self.0 = self.0.wrapping_sub(1 << Stocks::shift(side, shape));
    }
}

/// A column, counted from 0 on the left, and the shape to drop there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    /// The column, below the number of columns in any legal move.
    pub column: u8,
    /// The shape of the piece; its colour is the mover's.
    pub shape: Shape,
}
