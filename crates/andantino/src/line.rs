use std::iter::from_fn;

use game::Side;

use crate::geometry::MARGIN;

/// What stands on a line of the board, two bits a cell: 0 where there is no cell, 1 for a stone of the first side, 2 for one
/// of the second, 3 for an empty cell. So whatever lies beyond the ends is no cell by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line(u64);

/// What lies on either side of a cell, the four cells with lower places first: two bits a cell, that of the lowest place
/// in the lowest. Less than [`ARM_CODES`] each.
pub(crate) type Arms = [usize; 2];

/// The number of different arms.
pub(crate) const ARM_CODES: usize = 1 << 8;

/// The lower bit of each cell.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Nine cells.
const STRIP: u64 = (1 << 18) - 1;

/// The lower bit of the middle of nine cells.
const CENTRE: u64 = 1 << 8;

impl Line {
    /// A line without stones: `cells` are the bits of those that exist, as in the geometry's rows.
    pub(crate) fn new(cells: u32) -> Line {
        let exist = (0..u32::BITS).filter(|bit| cells >> bit & 1 != 0);
        Line(exist.fold(0, |line, bit| line | 3 << (2 * bit)))
    }

    /// Puts a stone on an empty cell.
    #[inline]
    pub(crate) fn put(&mut self, place: u32, side: Side) {
        self.0 &= !(2 >> side.index() << (2 * (place + MARGIN)));
    }

    /// What the four cells on either side of a place hold.
    #[inline]
    pub(crate) fn arms(self, place: u32) -> Arms {
        let strip = (self.0 >> (2 * place)) as usize;
        [strip % ARM_CODES, strip >> 10 & (ARM_CODES - 1)]
    }

    /// The lower bits of the cells with a stone of `side`.
    #[inline]
    fn stones(self, side: Side) -> u64 {
        let (low, high) = (self.0, self.0 >> 1);
        LOW & match side {
            Side::First => low & !high,
            Side::Second => high & !low,
        }
    }

    /// Whether a stone of `side` at a place would be part of a run of five or more.
    #[inline]
    pub(crate) fn completes_five(self, place: u32, side: Side) -> bool {
        let run = self.stones(side) >> (2 * place) & STRIP | CENTRE;
        let twos = run & run >> 2;
        let fours = twos & twos >> 4;
        fours & run >> 8 != 0
    }

    /// The places of the empty cells on which a stone of `side` would be part of a run of five or more.
    pub(crate) fn fives(self, side: Side) -> impl Iterator<Item = u32> {
        let own = self.stones(side);
        // The cells with so many of the side's stones right above them, and right below.
        let (mut above, mut below) = ([!0; 5], [!0; 5]);
        for n in 1..5 {
            above[n] = above[n - 1] & own >> (2 * n);
            below[n] = below[n - 1] & own << (2 * n);
        }
        let empty = self.0 & self.0 >> 1 & LOW;
        let mut fives = (0..5).fold(0, |fives, n| fives | above[n] & below[4 - n]) & empty;
        from_fn(move || {
            let bit = fives.checked_ilog2()?;
            fives ^= 1 << bit;
            Some(bit / 2 - MARGIN)
        })
    }

    /// On how many of the two ways from a place to its ends the line has no stone of `side`, nor one at `added`.
    #[inline]
    pub(crate) fn ways_out(self, place: u32, side: Side, added: Option<u32>) -> u32 {
        let bit = |place: u32| 1 << (2 * (place + MARGIN));
        let stones = self.stones(side) | added.map_or(0, bit);
        u32::from(stones < bit(place)) + u32::from(stones & (bit(place) - 1) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells that exist from place 0 on, empty (`.`) or with a stone (`1`, `2`).
    fn line(cells: &str) -> Line {
        let mut line = Line::new(((1 << cells.len()) - 1) << MARGIN);
        for (place, cell) in (0..).zip(cells.chars()) {
            match cell {
                '1' => line.put(place, Side::First),
                '2' => line.put(place, Side::Second),
                _ => {}
            }
        }
        line
    }

    #[test]
    fn the_longest_line_has_room() {
        let longest = ".".repeat(25);
        assert_eq!(line(&longest).arms(12), [ARM_CODES - 1, ARM_CODES - 1]);
        assert_eq!(line(&longest).arms(0), [0, ARM_CODES - 1]);
        assert_eq!(line(&longest).arms(24), [ARM_CODES - 1, 0]);
    }

    #[test]
    fn a_place_sees_four_cells_either_way() {
        assert_eq!(line("1...2.2...1").arms(5), [0b10_11_11_11, 0b11_11_11_10]);
        assert_eq!(line("12.").arms(2), [0b10_01_00_00, 0]);
    }

    #[test]
    fn five_needs_an_unbroken_run_through_the_middle() {
        let five = |cells: &str| line(cells).completes_five(4, Side::First);
        for cells in ["1111.", "..11.11", "2....1111", "1111.1111"] {
            assert!(five(cells), "{cells}");
        }
        for cells in ["111.....1", "2222.", ".1111", "11.1.1.11", "11121111"] {
            assert!(!line(cells).completes_five(4, Side::First), "{cells}");
        }
        assert!(!line("1111.").completes_five(4, Side::Second));
        assert!(line("2222.").completes_five(4, Side::Second));
    }

    #[test]
    fn fives_are_the_cells_that_complete_one() {
        for cells in [
            "1111.",
            ".1111.",
            "11.11.1.111",
            "2111.1.11112",
            "1.111.222.2",
            ".........................",
            "111",
        ] {
            for side in Side::BOTH {
                let line = line(cells);
                let empty = (0..).zip(cells.chars()).filter(|(_, cell)| *cell == '.').map(|(place, _)| place);
                let expected: Vec<u32> = empty.filter(|&place| line.completes_five(place, side)).collect();
                let mut fives: Vec<u32> = line.fives(side).collect();
                fives.reverse();
                assert_eq!(fives, expected, "{cells}");
            }
        }
        assert_eq!(line("11.11.1.111").fives(Side::First).collect::<Vec<_>>(), [7, 2]);
    }

    #[test]
    fn stones_bar_the_ways_to_the_ends() {
        let ways = |cells: &str, side, added| line(cells).ways_out(3, side, added);
        assert_eq!(ways("..1.2..", Side::First, None), 1);
        assert_eq!(ways("..1.2..", Side::Second, None), 1);
        assert_eq!(ways("..1.2..", Side::First, Some(6)), 0);
        assert_eq!(ways("..1.2..", Side::First, Some(0)), 1);
        assert_eq!(ways("..1....", Side::Second, None), 2);
        assert_eq!(ways("1.....1", Side::First, None), 0);
    }
}
