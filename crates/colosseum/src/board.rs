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
    /// The cells whose right side is open, and those whose lower side is.
    edges: [B; 2],
}

impl<B: Cells> Board<B> {
    /// A board without inner barriers.
    pub(crate) fn new(size: u32) -> Board<B> {
        let row = |cols: u32| u64::MAX >> (64 - cols);
        let rows = |count: u32, bits| (0..count).fold(B::EMPTY, |set, r| set.insert(cell::<B>(r, 0), bits));
        Board { edges: [rows(size, row(size - 1)), rows(size - 1, row(size))] }
    }

    /// The cells with an open side in that direction.
    #[inline]
    pub(crate) fn open(&self, side: Direction) -> B {
        let [right, down] = self.edges;
        match side {
            Direction::Up => down.raise(B::STRIDE),
            Direction::Right => right,
            Direction::Down => down,
            Direction::Left => right.raise(1),
        }
    }

    /// Number of open edges.
    #[inline]
    pub(crate) fn open_edges(&self) -> u32 {
        self.edges[0].count() + self.edges[1].count()
    }

    /// Whether a side of a cell of the board is open.
    #[inline]
    pub(crate) fn is_open(&self, at: u32, side: Direction) -> bool {
        let (owner, line) = edge::<B>(at, side);
        self.edges[line].test(owner)
    }

    /// Puts a barrier on a side of a cell of the board.
    #[inline]
    pub(crate) fn close(&mut self, at: u32, side: Direction) {
        let (owner, line) = edge::<B>(at, side);
        self.edges[line] = self.edges[line] & !single::<B>(owner);
    }

    /// The members of `set` and the cells one step away from them.
    #[inline]
    pub(crate) fn spread(&self, set: B) -> B {
        let [right, down] = self.edges;
        let ahead = (set & right).raise(1) | (set & down).raise(B::STRIDE);
        set | ahead | set.lower(1) & right | set.lower(B::STRIDE) & down
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

    /// All cells connected to some of `from`, or `None` once `is_enough` says so of those found.
    #[inline]
    pub(crate) fn region_unless(&self, from: B, is_enough: impl Fn(B) -> bool) -> Option<B> {
        let mut region = from;
        loop {
            let next = self.spread(region);
            if is_enough(next) {
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
    /// cells connected to them, if there is one: the cell to put it up from, and its side. It parts the two where they stand,
    /// or closes the gap that the agent has walked away through.
    pub(crate) fn winning_cut(&self, from: u32, to: u32, steps: u32) -> Option<(u32, Direction)> {
        let near = self.walk(from, to, steps);
        let [right, down] = self.edges;
        let [tight_right, tight_down] = self.tight();
        // Where one can step across none of the edges that such a barrier could be on.
        let rest = Board {
            edges: [
                right & !(tight_right & (near | near.lower(1))),
                down & !(tight_down & (near | near.lower(B::STRIDE))),
            ],
        };
        // No region has more cells than there are that can be left.
        let cells = (right | right.raise(1) | down | down.raise(B::STRIDE)).count();
        let is_half = |region: B| 2 * region.count() >= cells;
        let mut theirs = single::<B>(to);
        loop {
            // What the opponent keeps whichever of those edges is closed. Mostly that is half of all.
            theirs = rest.region_unless(theirs, is_half)?;
            // Of the parts beyond that the agent can walk to, the one that has more than half, if any does.
            let mut seen = theirs;
            let ours = loop {
                let part = self.region_within(single((near & !seen).members().next()?), !theirs);
                if part.count() > theirs.count() && 2 * part.count() > self.region(from).count() {
                    break part;
                }
                seen = seen | part;
                if is_half(seen) {
                    return None;
                }
            };
            let right = (ours & theirs.lower(1) | theirs & ours.lower(1)) & right;
            let down = (ours & theirs.lower(B::STRIDE) | theirs & ours.lower(B::STRIDE)) & down;
            if right.count() + down.count() == 1 {
                let on = |edges: B, [this, other]: [Direction; 2]| {
                    edges.members().next().map(|cell| {
                        if ours.test(cell) { (cell, this) } else { (neighbour::<B>(cell, this), other) }
                    })
                };
                return on(right, [Direction::Right, Direction::Left])
                    .or_else(|| on(down, [Direction::Down, Direction::Up]));
            }
            // Of several ways over, none can be closed by a single barrier: it can only be further on.
            theirs = theirs | self.spread(theirs) & ours;
        }
    }

    /// The open edges on which a barrier touches another barrier, or the border, with both ends, as those of the board are
    /// held. No other barrier divides a region: one can walk around its end.
    #[inline]
    fn tight(&self) -> [B; 2] {
        let [right, down] = self.edges;
        let (crossed, crossed_down) = (down & down.lower(1), right & right.lower(B::STRIDE));
        // Where the end below, right of each cell, is loose, and that above; and the same for its lower side.
        let loose = crossed & right.lower(B::STRIDE) | (crossed & right).raise(B::STRIDE);
        let loose_down = crossed_down & down.lower(1) | (crossed_down & down).raise(1);
        [right & !loose, down & !loose_down]
    }

    /// Whether a barrier on an edge of the board could divide a region: only if both of its ends touch another barrier
    /// or the border, since else one can walk around an end.
    #[inline]
    pub(crate) fn may_divide(&self, at: u32, side: Direction) -> bool {
        let (owner, line) = edge::<B>(at, side);
        let (same, across) = (self.edges[line], self.edges[1 - line]);
        let (next, sideways) = [(1, B::STRIDE), (B::STRIDE, 1)][line];
        // The edges that meet at an end: two that cross the line of the barrier, and one that goes on along it.
        let loose = |corner: u32, on: u32| {
            across.test(corner) & across.test((corner + next) % B::WIDTH) & same.test(on)
        };
        let before = (owner + B::WIDTH - sideways) % B::WIDTH;
        !(loose(before, before) | loose(owner, (owner + sideways) % B::WIDTH))
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

/// The edge on a side of a cell of the board: the cell left of it or above it, and which of the sets of edges holds it.
/// Beyond the upper and the left border those are the last cells of a row or of the set, whose edges are never open.
#[inline]
pub(crate) fn edge<B: Cells>(at: u32, side: Direction) -> (u32, usize) {
    let (back, line) = [(B::STRIDE, 1), (0, 0), (0, 1), (1, 0)][side.index()];
    ((at + B::WIDTH - back) % B::WIDTH, line)
}

#[cfg(test)]
mod tests {
    use game::{Game, Notation};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::position::Position;

    /// Plays random games on the largest board of a set type, and compares what is said of an edge, from either side of it,
    /// with what is known of all.
    fn check_edges<B: Cells>(games: u32) {
        let mut rng = Pcg64::seed_from_u64(7);
        let mut told = [0; 2];
        let size = B::MAX_SIZE;
        let rows = vec![size.to_string(); size as usize].join("/");
        for _ in 0..games {
            let mut position = Position::<B>::from_fen(&format!("{rows} a1 b2 a")).expect("a good position");
            while position.outcome().is_none() {
                let board = *position.board();
                let (tight, open) = (board.tight(), Direction::ALL.map(|side| board.open(side)));
                for (row, col) in (0..size).flat_map(|row| (0..size).map(move |col| (row, col))) {
                    let cell = cell::<B>(row, col);
                    for (side, open) in Direction::ALL.into_iter().zip(open) {
                        assert_eq!(board.is_open(cell, side), open.test(cell), "{} {cell}", position.fen());
                        if !open.test(cell) {
                            continue;
                        }
                        let (owner, line) = edge::<B>(cell, side);
                        let may_divide = board.may_divide(cell, side);
                        assert_eq!(tight[line].test(owner), may_divide, "{} {cell} {side:?}", position.fen());
                        told[usize::from(may_divide)] += 1;
                        let mut closed = board;
                        closed.close(cell, side);
                        assert!(!closed.is_open(cell, side));
                        assert_eq!(closed.open_edges() + 1, board.open_edges());
                    }
                }
                let moves = position.legal_moves();
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
        assert!(told.into_iter().all(|count| count > 1_000), "{told:?}");
    }

    #[test]
    fn what_is_said_of_an_edge_is_what_is_known_of_all() {
        check_edges::<u64>(20);
        check_edges::<u128>(10);
        check_edges::<Wide<3>>(4);
        check_edges::<Wide<4>>(2);
        check_edges::<Wide<15>>(1);
    }
}
