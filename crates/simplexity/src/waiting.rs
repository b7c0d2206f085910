//! Who has to play below a threat once nothing else is left.
//!
//! A piece right below a cell where the opponent completes a line loses, and below an own such cell it gives that away. So
//! both fill all other cells first, and how many these are decides who runs out of them.

use bits::Bits;
use game::{Game, Side};

use crate::MAX_SIDE;
use crate::position::Position;

impl<B: Bits> Position<B> {
    /// The side that the other one has to hand a win, if both play on as above and make no more threats; those that can be
    /// carried out at once are left out. `threats` are where White and Red complete a line. `None` also if the pieces don't
    /// last until somebody has to.
    pub(crate) fn wins_waiting(&self, threats: [B; 2]) -> Option<Side> {
        let stride = self.rows() + 1;
        let all = threats[0] | threats[1];
        // The lowest threat of each column that has one; and how many cells may be filled, below what lies below such a
        // threat and in columns without any.
        let (mut lowest, mut columns) = ([0; MAX_SIDE as usize], 0);
        let mut free = self.empty().count();
        for cell in (all & self.empty().raise(1)).members() {
            if columns == 0 || lowest[columns - 1] / stride != cell / stride {
                lowest[columns] = cell;
                columns += 1;
                free -= stride - cell % stride;
            }
        }
        if self.pieces_left() <= free {
            return None;
        }
        let mut mover =
            if free.is_multiple_of(2) { self.side_to_move() } else { self.side_to_move().other() };
        loop {
            // Who runs out of other moves gives away what he can, which the opponent has to block. What that leaves above
            // may be played, as far as the next threat but one cell. He begins where the opponent can't block both of two,
            // or else where as many cells are left that the opponent runs out of them; which column it is doesn't count.
            let [own, foreign] = [threats[mover.index()], threats[mover.other().index()]];
            let gift = |column: usize| {
                let cell = lowest[column];
                let left = self.rows() - cell % stride - 1;
                let above = |set: B| set.extract(cell + 1) & ((1 << left) - 1);
                let more = match above(all) >> 1 {
                    0 => left,
                    threats => threats.trailing_zeros(),
                };
                let is_own = own.test(cell) && !foreign.test(cell);
                let rank = (!own.test(cell + 1), more.is_multiple_of(2), left, above(own), above(foreign));
                is_own.then_some((rank, column, more))
            };
            let Some((rank, column, more)) = (0..columns).filter_map(gift).min_by_key(|&(rank, ..)| rank)
            else {
                return (columns > 0).then_some(mover.other());
            };
            let (is_blocked, is_even, left, ..) = rank;
            if !is_blocked {
                return Some(mover);
            }
            if more == left {
                columns -= 1;
                lowest[column] = lowest[columns];
            } else {
                lowest[column] += 2 + more;
            }
            if !is_even {
                mover = mover.other();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Notation;

    use super::*;

    /// Who wins by waiting on an empty board of 6 rows, with threats in these rows and columns, White to move.
    fn winner(white: &[(u32, u32)], red: &[(u32, u32)]) -> Option<Side> {
        let position: Position<u64> = Notation::from_fen("7/7/7/7/7/7 w 10,11,10,11 4").unwrap();
        let set = |cells: &[(u32, u32)]| {
            cells.iter().fold(0_u64, |set, (row, column)| set.insert(column * 7 + row, 1))
        };
        position.wins_waiting([set(white), set(red)])
    }

    #[test]
    fn who_runs_out_of_other_moves_loses() {
        let [white, red] = [Some(Side::First), Some(Side::Second)];
        assert_eq!(winner(&[], &[]), None);
        // 37 cells are left besides, so that Red has to play below.
        assert_eq!(winner(&[(2, 3)], &[]), white);
        assert_eq!(winner(&[], &[(1, 3)]), red);
        // What White has to give away himself wins nothing.
        assert_eq!(winner(&[(1, 3)], &[]), None);
        assert_eq!(winner(&[], &[(2, 3)]), None);
        // Nor does what lies above a cell where the opponent wins.
        assert_eq!(winner(&[(2, 3)], &[(1, 3)]), red);
        // Of two, one above the other, the opponent can block but one.
        assert_eq!(winner(&[(1, 3), (2, 3)], &[]), white);
        // Red gives away his own first, which leaves four cells above.
        assert_eq!(winner(&[(2, 0)], &[(1, 1)]), white);
        // Where both win, nobody wants to play below; without another threat White has to.
        assert_eq!(winner(&[(1, 3)], &[(1, 3)]), red);
        // Whichever column comes first: nobody has to play below in the end, or Red can give no more away.
        assert_eq!(winner(&[], &[(1, 0), (2, 1)]), winner(&[], &[(2, 5), (1, 6)]));
        assert_eq!(winner(&[], &[(1, 0), (2, 1), (3, 1)]), red);
        // The lowest row can be played at once.
        assert_eq!(winner(&[(0, 3)], &[(0, 2)]), None);
    }
}
