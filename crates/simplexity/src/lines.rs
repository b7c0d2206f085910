//! Lines of four through a cell of the board everybody plays, looked up in place of found by shifts.
//!
//! In each direction a line through a cell lies within three cells to either side of it. A multiplication gathers those six
//! into an index, and a table has what completes a line.

/// The distances between neighbours in the three directions that are not upright.
const STEPS: [u32; 3] = [6, 7, 8];

/// Cells around the middle of a window of seven.
const AROUND: u32 = 6;

/// Where the `k`-th of the six cells lies in a window that begins at index 0.
const fn place(k: u32, step: u32) -> u32 {
    if k < AROUND / 2 { k * step } else { (k + 1) * step }
}

/// The six cells of a window.
const fn around(step: u32) -> u64 {
    let (mut cells, mut k) = (0, 0);
    while k < AROUND {
        cells |= 1 << place(k, step);
        k += 1;
    }
    cells
}

/// What to multiply the cells of a window by, so that they become the highest bits in their order.
const fn gather(step: u32) -> u64 {
    let (mut factor, mut k) = (0, 0);
    while k < AROUND {
        factor |= 1 << (u64::BITS - AROUND + k - place(k, step));
        k += 1;
    }
    factor
}

/// For each of the [`STEPS`] and each choice of the six cells, those where one more piece completes a line of four with
/// the chosen ones and the middle.
static COMPLETIONS: [[u64; 1 << AROUND]; 3] = {
    let mut tables = [[0; 1 << AROUND]; 3];
    let mut entry = 0_usize;
    while entry < 3 << AROUND {
        let (direction, chosen) = (entry >> AROUND, entry % (1 << AROUND));
        let pieces = (chosen & 0b111 | 0b1000 | (chosen & 0b11_1000) << 1) as u32;
        let mut start = 0;
        while start <= 3 {
            let gaps: u32 = 0b1111 << start & !pieces;
            if gaps.is_power_of_two() {
                tables[direction][chosen] |= 1 << (gaps.trailing_zeros() * STEPS[direction]);
            }
            start += 1;
        }
        entry += 1;
    }
    tables
};

/// The cells where a piece would complete a line of four with those of `set`: at least those of lines through the member
/// `cell`, and besides only such as hold a piece or lie outside the board.
#[expect(clippy::inline_always, reason = "what was just put on the board is still in registers")]
#[inline(always)]
pub(crate) fn completions_through(set: u64, cell: u32) -> u64 {
    // An upright line lacks its highest piece.
    let mut found = set << 1 & set << 2 & set << 3;
    for (table, step) in COMPLETIONS.iter().zip(STEPS) {
        // What the window has beyond the board are margins and unused bits, no pieces, up to two columns away.
        let start = cell.wrapping_sub(3 * step);
        let index =
            (set.rotate_right(start) & around(step)).wrapping_mul(gather(step)) >> (u64::BITS - AROUND);
        found |= table[index as usize].rotate_left(start);
    }
    found
}

#[cfg(test)]
mod tests {
    use bits::Bits;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::position::Frame;

    #[test]
    fn what_is_looked_up_is_what_shifts_find() {
        let board: u64 = Frame::STANDARD.cells();
        let by_shifts =
            |set: u64| [1, 6, 7, 8].into_iter().fold(0, |all, step| all | set.completions(4, step));
        let mut rng = Pcg64::seed_from_u64(5);
        let mut completed = 0;
        for _ in 0..3_000 {
            let bits = rng.next_u64();
            let columns = (0..7).map(|column| (1_u64 << ((bits >> (8 * column)) & 7).min(6)) - 1);
            let occupied = columns.enumerate().fold(0, |all, (column, pieces)| all | pieces << (7 * column));
            let set = occupied & (rng.next_u64() | rng.next_u64());
            let (empty, all) = (board & !occupied, by_shifts(set));
            for cell in set.members() {
                let found = completions_through(set, cell) & empty;
                let through = all & !by_shifts(set & !(1 << cell)) & empty;
                assert_eq!((found & !all, through & !found), (0, 0), "{set:#x} {cell}");
                completed += through.count();
            }
        }
        assert!(completed > 10_000, "{completed}");
    }
}
