use std::sync::OnceLock;

use crate::MAX_RADIUS;
use crate::line::Line;
use crate::patterns::Patterns;

/// A cell, and the move that places a stone on it. Row `y` is horizontal and counted from the top; `x` rises to the
/// right along it. On the board of radius `R` iff both are at most `2R` and differ by at most `R`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Cell {
    /// Letter of the name, from 0.
    pub x: u8,
    /// Number of the name, from 0.
    pub y: u8,
}

/// Lines of one axis on the largest board, with an empty one on either side.
pub(crate) const MAX_LINES: usize = lines(MAX_RADIUS);

/// Bit of a line's cell 0. Below it there is room for the four cells that a run of five can reach from there.
pub(crate) const MARGIN: u32 = 4;

/// Lines of one axis on a board, with an empty one on either side.
pub(crate) const fn lines(radius: u8) -> usize {
    2 * radius as usize + 3
}

impl Cell {
    /// The steps to the six neighbours, in cyclic order.
    pub(crate) const STEPS: [(i8, i8); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

    /// The cell at a place of a line of an axis, as [`Cell::lines`] gives them.
    pub(crate) fn at(radius: u8, axis: usize, line: usize, place: u32) -> Cell {
        let (line, place) = (line as u8 - 1, place as u8);
        match axis {
            0 => Cell { x: place, y: line },
            1 => Cell { x: line, y: place },
            _ => Cell { x: place, y: place + radius - line },
        }
    }

    /// The cell one step away, if both its coordinates are representable; it need not be on the board.
    #[inline]
    pub(crate) fn step(self, (dx, dy): (i8, i8)) -> Option<Cell> {
        Some(Cell { x: self.x.checked_add_signed(dx)?, y: self.y.checked_add_signed(dy)? })
    }

    /// Where it comes to lie on the board of `radius` by so many sixths of a full turn about the centre, and then perhaps
    /// a reflection.
    pub(crate) fn image(self, radius: u8, turns: u8, is_mirrored: bool) -> Cell {
        let centre = i16::from(radius);
        let (x, y) = (i16::from(self.x) - centre, i16::from(self.y) - centre);
        let (x, y) = (0..turns).fold((x, y), |(x, y), _| (x - y, x));
        let (x, y) = if is_mirrored { (y, x) } else { (x, y) };
        Cell { x: (x + centre) as u8, y: (y + centre) as u8 }
    }

    /// Its row among the lines of the first axis.
    #[inline]
    pub(crate) fn row(self) -> usize {
        usize::from(self.y) + 1
    }

    /// Its bit in its row.
    #[inline]
    pub(crate) fn bit(self) -> u32 {
        1 << (u32::from(self.x) + MARGIN)
    }

    /// For each axis, the cell's line and its place on it. The axes are those along which `y`, `x` and their
    /// difference stay the same; with these places, all three have lines of the same lengths in the same order.
    #[inline]
    pub(crate) fn lines(self, radius: u8) -> [(usize, u32); 3] {
        let (x, y) = (usize::from(self.x), usize::from(self.y));
        [(y + 1, x as u32), (x + 1, y as u32), (x + usize::from(radius) - y + 1, x as u32)]
    }
}

/// What all positions on boards of one radius share.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) radius: u8,
    /// Number of cells.
    pub(crate) cells: u16,
    /// The cells of each line that exist; the same for each axis.
    pub(crate) board: [u32; MAX_LINES],
    /// Each line without stones; the same for each axis.
    pub(crate) blank: [Line; MAX_LINES],
    /// The cells of each row that have fewer than six neighbours.
    pub(crate) edge: [u32; MAX_LINES],
    /// What a new stone does to the lines through it.
    pub(crate) patterns: &'static Patterns,
}

impl Geometry {
    /// The geometry of the board of `radius`, 1 to [`MAX_RADIUS`].
    pub(crate) fn of(radius: u8) -> &'static Geometry {
        static BOARDS: [OnceLock<Geometry>; MAX_RADIUS as usize + 1] =
            [const { OnceLock::new() }; MAX_RADIUS as usize + 1];
        BOARDS[usize::from(radius)].get_or_init(|| Geometry::new(radius))
    }

    fn new(radius: u8) -> Geometry {
        let (mut board, mut edge) = ([0; MAX_LINES], [0; MAX_LINES]);
        let mut cells = 0;
        for y in 0..=2 * radius {
            let (first, last) = row_ends(radius, y);
            let ends = [first, last].map(|x| Cell { x, y });
            let row = ends[0].row();
            board[row] = 2 * ends[1].bit() - ends[0].bit();
            edge[row] = if y == 0 || y == 2 * radius { board[row] } else { ends[0].bit() | ends[1].bit() };
            cells += u16::from(last - first) + 1;
        }
        Geometry { radius, cells, board, blank: board.map(Line::new), edge, patterns: Patterns::get() }
    }

    #[inline]
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        cell.x.max(cell.y) <= 2 * self.radius && cell.x.abs_diff(cell.y) <= self.radius
    }

    /// The neighbours of `cell` at the end of those [steps](Cell::STEPS) whose bits are set.
    #[inline]
    pub(crate) fn neighbours(&self, cell: Cell, steps: u32) -> impl Iterator<Item = Cell> {
        let steps = Cell::STEPS.into_iter().zip(0..).filter(move |(_, i)| steps >> i & 1 != 0);
        steps.filter_map(move |(step, _)| cell.step(step)).filter(|&cell| self.contains(cell))
    }
}

/// The least and the greatest `x` of row `y`.
pub(crate) fn row_ends(radius: u8, y: u8) -> (u8, u8) {
    (y.saturating_sub(radius), (y + radius).min(2 * radius))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_agree_with_the_definitions() {
        for radius in 1..=MAX_RADIUS {
            let board = Geometry::of(radius);
            assert_eq!(u32::from(board.cells), 3 * u32::from(radius) * (u32::from(radius) + 1) + 1);
            let mut cells = 0;
            for (x, y) in (0..40).flat_map(|x| (0..40).map(move |y| (x, y))) {
                let cell = Cell { x, y };
                if !board.contains(cell) {
                    continue;
                }
                cells += 1;
                let neighbours = Cell::STEPS.iter().filter_map(|&s| cell.step(s));
                let neighbours = neighbours.filter(|&n| board.contains(n)).count();
                assert_eq!(board.edge[cell.row()] & cell.bit() != 0, neighbours < 6, "{cell:?}");
                for (axis, (line, place)) in cell.lines(radius).into_iter().enumerate() {
                    assert_eq!(Cell::at(radius, axis, line, place), cell);
                    assert_ne!(board.board[line] >> (place + MARGIN) & 1, 0, "{cell:?}");
                }
            }
            assert_eq!(cells, board.cells);
        }
    }

    #[test]
    fn steps_along_an_axis_stay_on_its_line() {
        let cell = Cell { x: 7, y: 5 };
        for (axis, step) in [(0, (1, 0)), (1, (0, 1)), (2, (1, 1))] {
            let (line, place) = cell.lines(9)[axis];
            assert_eq!(cell.step(step).map(|c| c.lines(9)[axis]), Some((line, place + 1)));
        }
    }
}
