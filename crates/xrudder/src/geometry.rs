use std::fmt::Debug;
use std::sync::OnceLock;

use bits::{Bits, Wide};

use crate::MAX_SIDE;

/// One of the eight directions of a token move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Direction {
    /// Down and left.
    SouthWest,
    /// Down.
    South,
    /// Down and right.
    SouthEast,
    /// Left.
    West,
    /// Right.
    East,
    /// Up and left.
    NorthWest,
    /// Up.
    North,
    /// Up and right.
    NorthEast,
}

impl Direction {
    /// All directions, in the canonical order of the cells they lead to.
    pub const ALL: [Direction; 8] = [
        Direction::SouthWest,
        Direction::South,
        Direction::SouthEast,
        Direction::West,
        Direction::East,
        Direction::NorthWest,
        Direction::North,
        Direction::NorthEast,
    ];

    /// 0 to 7, the place in [`Direction::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step as (rows up, columns right).
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::SouthWest => (-1, -1),
            Direction::South => (-1, 0),
            Direction::SouthEast => (-1, 1),
            Direction::West => (0, -1),
            Direction::East => (0, 1),
            Direction::NorthWest => (1, -1),
            Direction::North => (1, 0),
            Direction::NorthEast => (1, 1),
        }
    }
}

/// A set type that holds boards, with the tables of every board that fits it.
///
/// Cells are numbered along the rows from the bottom, in a row from the left, without margins.
pub trait Cells: Bits {
    /// A number for each cell of any such board that can be the centre of an X, and one more.
    type PerCentre: Copy + Eq + Debug + Send + AsRef<[u16]> + AsMut<[u16]>;

    /// Those numbers, all of them 0.
    const ZEROS: Self::PerCentre;

    /// The tables of a board of at most [`Bits::WIDTH`] cells, made on first use.
    #[doc(hidden)]
    fn geometry(rows: u32, cols: u32) -> &'static Geometry<Self>;
}

/// One slot for each size of board.
type Tables<B> = [OnceLock<Geometry<B>>; (MAX_SIDE * MAX_SIDE) as usize];

fn table<B: Bits>(tables: &'static Tables<B>, rows: u32, cols: u32) -> &'static Geometry<B> {
    tables[((rows - 1) * MAX_SIDE + cols - 1) as usize].get_or_init(|| Geometry::new(rows, cols))
}

macro_rules! cells {
    ($($set:ty, $centres:literal);+) => {
        $(impl Cells for $set {
            type PerCentre = [u16; $centres + 1];

            const ZEROS: Self::PerCentre = [0; $centres + 1];

            fn geometry(rows: u32, cols: u32) -> &'static Geometry<Self> {
                static TABLES: Tables<$set> = [const { OnceLock::new() }; (MAX_SIDE * MAX_SIDE) as usize];
                table(&TABLES, rows, cols)
            }
        })+
    };
}

// The most centres that boards have: 8x16 or 9x14 of at most 128 cells, and 26x26.
cells!(u128, 84; Wide<11>, 576);

/// Tables of one size of board.
#[doc(hidden)]
#[derive(Debug)]
pub struct Geometry<B> {
    pub(crate) rows: u32,
    pub(crate) cols: u32,
    /// All cells.
    pub(crate) all: B,
    /// The cells that can be the centre of an X: those off the edge.
    pub(crate) centres: B,
    /// All cells but those of the first column.
    pub(crate) off_west: B,
    /// All cells but those of the last column.
    pub(crate) off_east: B,
    /// What lies around each cell.
    pub(crate) around: Vec<Around<B>>,
}

/// What lies around one cell.
#[derive(Debug)]
pub(crate) struct Around<B> {
    /// The neighbour in each direction.
    pub(crate) neighbours: [Option<u16>; 8],
    /// The diagonal neighbours.
    pub(crate) diagonals: B,
    /// The centres of all X's that the cell is part of.
    pub(crate) centres: B,
    /// The neighbours left and right.
    pub(crate) sides: B,
    /// The other cells of all X's that the cell is part of.
    pub(crate) partners: B,
    /// Its part in each of the patterns around the centres that it is beside.
    pub(crate) parts: [Part; PLACES.len()],
}

/// Where the seven cells lie that matter to an X, counted from its centre: down and left, up and left, down and right, up and
/// right; left, the centre, right. As (rows up, columns right).
const PLACES: [(i32, i32); 7] = [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 0), (0, 1)];

/// A cell's part in the pattern of the seven cells that matter to an X, a number with a digit to base 3 for each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The number of the centre, along the rows; of no centre, the number of all of them, where there is none.
    pub(crate) centre: u16,
    /// What the cell's digit counts in the pattern; 0 where there is no centre.
    pub(crate) power: u16,
}

impl<B: Bits> Geometry<B> {
    fn new(rows: u32, cols: u32) -> Geometry<B> {
        let cells = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let inner = |&(row, col): &(u32, u32)| row > 0 && row + 1 < rows && col > 0 && col + 1 < cols;
        let step = |(row, col): (u32, u32), (up, right): (i32, i32)| {
            let row = row.checked_add_signed(up).filter(|&row| row < rows)?;
            let col = col.checked_add_signed(right).filter(|&col| col < cols)?;
            Some((row, col))
        };
        let diagonals =
            |cell| [(-1, -1), (-1, 1), (1, -1), (1, 1)].into_iter().filter_map(move |d| step(cell, d));
        let cross = |centre| diagonals(centre).chain([centre]);
        let index = |(row, col): (u32, u32)| row * cols + col;
        let set = |cells: &mut dyn Iterator<Item = (u32, u32)>| {
            cells.fold(B::EMPTY, |set, cell| set.insert(index(cell), 1))
        };
        let centres = rows.saturating_sub(2) * cols.saturating_sub(2);
        let part = |cell, place: usize| {
            let (up, right) = PLACES[place];
            step(cell, (-up, -right)).filter(inner).map_or(
                Part { centre: centres as u16, power: 0 },
                |(row, col)| Part {
                    centre: ((row - 1) * (cols - 2) + col - 1) as u16,
                    power: 3_u16.pow(place as u32),
                },
            )
        };
        let around = |cell| Around {
            neighbours: Direction::ALL.map(|d| step(cell, d.delta()).map(|cell| index(cell) as u16)),
            diagonals: set(&mut diagonals(cell)),
            centres: set(&mut cross(cell).filter(inner)),
            sides: set(&mut [(0, -1), (0, 1)].into_iter().filter_map(|d| step(cell, d))),
            partners: set(&mut cross(cell).filter(inner).flat_map(cross).filter(|&other| other != cell)),
            parts: std::array::from_fn(|place| part(cell, place)),
        };
        Geometry {
            rows,
            cols,
            all: set(&mut cells()),
            centres: set(&mut cells().filter(inner)),
            off_west: set(&mut cells().filter(|&(_, col)| col > 0)),
            off_east: set(&mut cells().filter(|&(_, col)| col + 1 < cols)),
            around: cells().map(around).collect(),
        }
    }

    /// The neighbours of the members of `set`, and the members themselves: a king step in all directions.
    #[inline]
    pub(crate) fn spread(&self, set: B) -> B {
        let row = set | self.east_of(set) | self.west_of(set);
        row | row.lower(self.cols) | row.raise(self.cols) & self.all
    }

    /// The cells right of the members of `set`.
    #[inline]
    pub(crate) fn east_of(&self, set: B) -> B {
        (set & self.off_east).raise(1)
    }

    /// The cells left of the members of `set`.
    #[inline]
    pub(crate) fn west_of(&self, set: B) -> B {
        (set & self.off_west).lower(1)
    }

    /// For each of the five places in an X, the cells that have it in the X's around `centres`, all of them off the edge.
    #[inline]
    pub(crate) fn within(&self, centres: B) -> [B; 5] {
        let [a, b, c, d] = self.arms(centres);
        [centres, a, b, c, d]
    }

    /// The four diagonal neighbours' membership of `set`, each as the set of the centres that see it. Only right at
    /// [`Geometry::centres`]: elsewhere it wraps around the edge.
    #[inline]
    pub(crate) fn arms(&self, set: B) -> [B; 4] {
        let (wide, narrow) = (self.cols + 1, self.cols - 1);
        [set.lower(wide), set.lower(narrow), set.raise(narrow), set.raise(wide)]
    }
}
