use bits::{Bits, Wide};

/// A direction of a step, and the side of a cell that lies there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Direction {
    /// To the row before.
    Up,
    /// To the column after.
    Right,
    /// To the row after.
    Down,
    /// To the column before.
    Left,
}

impl Direction {
    /// All directions, in canonical order.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// 0 to 3, the place in [`Direction::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step as (rows down, columns right).
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::Up => (-1, 0),
            Direction::Right => (0, 1),
            Direction::Down => (1, 0),
            Direction::Left => (0, -1),
        }
    }

    /// The opposite direction.
    #[must_use]
    pub const fn reversed(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Right => Direction::Left,
            Direction::Down => Direction::Up,
            Direction::Left => Direction::Right,
        }
    }
}

/// Where to walk, and on which side of that cell to put the barrier. Rows count from 0 at the top, columns from 0 on the
/// left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    /// The row of the cell.
    pub row: u8,
    /// The column of the cell.
    pub col: u8,
    /// The side of the cell.
    pub wall: Direction,
}

impl Move {
    /// The image under a half turn of a board of `size` rows. The move must be on that board.
    #[must_use]
    pub const fn turned(self, size: u32) -> Move {
        let last = size as u8 - 1;
        Move { row: last - self.row, col: last - self.col, wall: self.wall.reversed() }
    }
}

/// A set type that holds the cells of a board: row by row from the top, each as wide as the widest board the type takes.
pub trait Cells: Bits {
    /// Distance of neighbouring rows.
    const STRIDE: u32;
    /// The largest board.
    const MAX_SIZE: u32;
}

impl Cells for u64 {
    const STRIDE: u32 = 8;
    const MAX_SIZE: u32 = 8;
}

impl Cells for u128 {
    const STRIDE: u32 = 11;
    const MAX_SIZE: u32 = 11;
}

impl Cells for Wide<3> {
    const STRIDE: u32 = 13;
    const MAX_SIZE: u32 = 13;
}

impl Cells for Wide<4> {
    const STRIDE: u32 = 16;
    const MAX_SIZE: u32 = 16;
}

impl Cells for Wide<15> {
    const STRIDE: u32 = 32;
    const MAX_SIZE: u32 = 30;
}

/// The index of a cell.
#[inline]
pub(crate) fn cell<B: Cells>(row: u32, col: u32) -> u32 {
    row * B::STRIDE + col
}

/// The row and the column of a cell.
#[inline]
pub(crate) fn row_col<B: Cells>(cell: u32) -> (u32, u32) {
    (cell / B::STRIDE, cell % B::STRIDE)
}

/// The set of a single cell.
#[inline]
pub(crate) fn single<B: Cells>(cell: u32) -> B {
    B::EMPTY.insert(cell, 1)
}

/// Where one can step: the edges between neighbouring cells that hold no barrier. The border needs no further table: it
/// is a barrier beside the last column and below the last row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board<B> {
    /// The cells whose right side is open.
    right: B,
    /// The cells whose lower side is open.
    down: B,
}

impl<B: Cells> Board<B> {
    /// A board without inner barriers.
    pub(crate) fn new(size: u32) -> Board<B> {
        let row = |cols: u32| u64::MAX >> (64 - cols);
        let rows = |count: u32, bits| (0..count).fold(B::EMPTY, |set, r| set.insert(cell::<B>(r, 0), bits));
        Board { right: rows(size, row(size - 1)), down: rows(size - 1, row(size)) }
    }

    /// The cells with an open side in that direction.
    #[inline]
    pub(crate) fn open(&self, side: Direction) -> B {
        match side {
            Direction::Up => self.down.raise(B::STRIDE),
            Direction::Right => self.right,
            Direction::Down => self.down,
            Direction::Left => self.right.raise(1),
        }
    }

    /// Number of open edges.
    #[inline]
    pub(crate) fn open_edges(&self) -> u32 {
        self.right.count() + self.down.count()
    }

    /// Whether a side of a cell of the board is open.
    #[inline]
    pub(crate) fn is_open(&self, at: u32, side: Direction) -> bool {
        let (owner, along) = owner::<B>(at, side);
        owner.is_some_and(|owner| self.edges(along).test(owner))
    }

    /// Puts a barrier on an open side.
    #[inline]
    pub(crate) fn close(&mut self, at: u32, side: Direction) {
        if let (Some(owner), along) = owner::<B>(at, side) {
            match along {
                Along::Row => self.right = self.right & !single::<B>(owner),
                Along::Column => self.down = self.down & !single::<B>(owner),
            }
        }
    }

    #[inline]
    fn edges(&self, along: Along) -> B {
        match along {
            Along::Row => self.right,
            Along::Column => self.down,
        }
    }

    /// The members of `set` and the cells one step away from them.
    #[inline]
    pub(crate) fn spread(&self, set: B) -> B {
        let (right, down) = ((set & self.right).raise(1), (set & self.down).raise(B::STRIDE));
        set | right | down | set.lower(1) & self.right | set.lower(B::STRIDE) & self.down
    }

    /// The cells that can be walked to in at most `steps` steps from `from`, itself included, without entering
    /// `blocked`.
    #[inline]
    pub(crate) fn walk(&self, from: u32, blocked: u32, steps: u32) -> B {
        let (mut reached, free) = (single(from), !single::<B>(blocked));
        for _ in 0..steps {
            let next = self.spread(reached) & free;
            if next == reached {
                break;
            }
            reached = next;
        }
        reached
    }

    /// All cells connected to some of `from`, or `None` if one of `goals` is among them.
    #[inline]
    pub(crate) fn region_without(&self, from: B, goals: B) -> Option<B> {
        let mut region = from;
        loop {
            let next = self.spread(region);
            if next & goals != B::EMPTY {
                return None;
            }
            if next == region {
                return Some(region);
            }
            region = next;
        }
    }

    /// All cells connected to `from`.
    #[inline]
    pub(crate) fn region(&self, from: u32) -> B {
        self.region_within(single(from), !B::EMPTY)
    }

    /// All cells that can be walked to from some of `from` without leaving `within`.
    #[inline]
    fn region_within(&self, from: B, within: B) -> B {
        let mut region = from;
        loop {
            let next = self.spread(region) & within;
            if next == region {
                return region;
            }
            region = next;
        }
    }

    /// The barrier that one agent can put up after at most `steps` steps and that leaves the other less than half of the
    /// cells connected to them: the cell to put it up from, and its side. It must be put up between the two; walking away
    /// through a gap and closing that is another matter.
    pub(crate) fn winning_cut(&self, from: u32, to: u32, steps: u32) -> Option<(u32, Direction)> {
        let near = self.walk(from, to, steps);
        let tight = self.tight();
        let right = tight.right & (near | near.lower(1));
        let down = tight.down & (near | near.lower(B::STRIDE));
        // Where one can step across none of the edges that such a barrier could be on.
        let rest = Board { right: self.right & !right, down: self.down & !down };
        let (start, mut theirs) = (single::<B>(from), single::<B>(to));
        loop {
            // Mostly there is a way round all of those edges.
            theirs = rest.region_without(theirs, start)?;
            let ours = self.region_within(start, !theirs);
            if ours.count() <= theirs.count() {
                return None;
            }
            let right = (ours & theirs.lower(1) | theirs & ours.lower(1)) & self.right;
            let down = (ours & theirs.lower(B::STRIDE) | theirs & ours.lower(B::STRIDE)) & self.down;
            if right.count() + down.count() == 1 {
                if 2 * ours.count() <= self.region(from).count() {
                    return None;
                }
                let on = |edges: B, [this, other]: [Direction; 2]| {
                    edges.members().next().map(|cell| {
                        if ours.test(cell) { (cell, this) } else { (neighbour::<B>(cell, this), other) }
                    })
                };
                return on(right, [Direction::Right, Direction::Left])
                    .or_else(|| on(down, [Direction::Down, Direction::Up]));
            }
            // Of several ways over, none can be closed by a single barrier: it can only be nearer.
            theirs = theirs | self.spread(theirs) & ours;
        }
    }

    /// The open edges on which a barrier touches another barrier, or the border, with both ends. No other barrier divides
    /// a region: one can walk around its end.
    #[inline]
    fn tight(&self) -> Board<B> {
        let (right, down) = (self.right, self.down);
        let (crossed, crossed_down) = (down & down.lower(1), right & right.lower(B::STRIDE));
        // Where the end below, right of each cell, is loose, and that above; and the same for its lower side.
        let loose = crossed & right.lower(B::STRIDE) | (crossed & right).raise(B::STRIDE);
        let loose_down = crossed_down & down.lower(1) | (crossed_down & down).raise(1);
        Board { right: right & !loose, down: down & !loose_down }
    }

    /// Whether a barrier on an edge of the board could divide a region: only if both of its ends touch another barrier
    /// or the border, since else one can walk around an end.
    #[inline]
    pub(crate) fn may_divide(&self, at: u32, side: Direction) -> bool {
        let (Some(owner), along) = owner::<B>(at, side) else { return true };
        let (same, across) = match along {
            Along::Row => (self.right, self.down),
            Along::Column => (self.down, self.right),
        };
        let (next, sideways) = match along {
            Along::Row => (1, B::STRIDE),
            Along::Column => (B::STRIDE, 1),
        };
        // The edges that meet at an end: two that cross the line of the barrier, and one that goes on along it.
        let loose = |corner: u32, on: u32| across.test(corner) && across.test(corner + next) && same.test(on);
        let first = owner.checked_sub(sideways).is_some_and(|before| loose(before, before));
        !first && !loose(owner, owner + sideways)
    }
}

/// The cell beyond a side that is no border.
#[inline]
pub(crate) fn neighbour<B: Cells>(at: u32, side: Direction) -> u32 {
    match side {
        Direction::Up => at - B::STRIDE,
        Direction::Right => at + 1,
        Direction::Down => at + B::STRIDE,
        Direction::Left => at - 1,
    }
}

/// The line that an edge's two cells are on.
#[derive(Clone, Copy)]
enum Along {
    Row,
    Column,
}

/// The cell left of or above an edge, `None` beyond the first cell, and the line of its two cells.
#[inline]
fn owner<B: Cells>(at: u32, side: Direction) -> (Option<u32>, Along) {
    match side {
        Direction::Up => (at.checked_sub(B::STRIDE), Along::Column),
        Direction::Right => (Some(at), Along::Row),
        Direction::Down => (Some(at), Along::Column),
        Direction::Left => (at.checked_sub(1), Along::Row),
    }
}

#[cfg(test)]
mod tests {
    use game::{Game, Notation};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use crate::Direction;
    use crate::position::Position;

    #[test]
    fn tight_edges_are_those_that_may_divide() {
        let mut rng = Pcg64::seed_from_u64(7);
        let mut told = [0; 2];
        for _ in 0..20 {
            let mut position = Position::<u64>::from_fen("6/6/6/6/6/6 a1 f6 a").expect("a good position");
            while position.outcome().is_none() {
                let board = position.board();
                let tight = board.tight();
                for (open, tight, side) in
                    [(board.right, tight.right, Direction::Right), (board.down, tight.down, Direction::Down)]
                {
                    for cell in bits::Bits::members(open) {
                        let may_divide = board.may_divide(cell, side);
                        assert_eq!(tight >> cell & 1 != 0, may_divide, "{} {cell} {side:?}", position.fen());
                        told[usize::from(may_divide)] += 1;
                    }
                }
                let moves = position.legal_moves();
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
        assert!(told.into_iter().all(|count| count > 1_000), "{told:?}");
    }
}
