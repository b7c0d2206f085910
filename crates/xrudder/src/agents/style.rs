use game::{Game, Side};

use crate::census::Prospects;
use crate::geometry::Cells;
use crate::position::{Move, Position};

/// What tells one agent that looks ahead from another.
pub(super) trait Style: Send {
    /// The static value of an unfinished position for the second player, in halves, so that half a point is exact.
    fn value<B: Cells>(&self, position: &Position<B>) -> i32;

    /// Whether a legal move is worth a look.
    fn admits<B: Cells>(&self, _position: &Position<B>, _m: Move) -> bool {
        true
    }
}

/// `n!` for an X with `n` tokens of one side and none of the other, half of that if a single further token would cross
/// it, nothing if it is crossed: in halves, for 1 to 4 tokens.
const FACTORIALS: [i32; 4] = [2, 4, 12, 48];

/// Values an X by the factorial of the tokens in it.
pub(super) struct Factorial;

impl Style for Factorial {
    fn value<B: Cells>(&self, position: &Position<B>) -> i32 {
        let [x, o] = Prospects::of_both(position).map(|side| side.weigh(&FACTORIALS));
        o - x
    }
}

/// The factorials, with a liking for pyramids and, towards the end, for tokens in hand; looks only at placements
/// diagonally next to a token, and moves tokens only when few are left in hand.
///
/// The idea is another program's, the numbers are not: only the idea is known.
pub(super) struct Pyramid;

/// Tokens in hand from which on down to save them and to move those on the board.
const FEW: u16 = 8;
/// Worth of a pyramid beyond its two X's, in halves.
const PYRAMID: i32 = 200;
/// Price of each token on the board once few are left in hand, in halves.
const SPENT: i32 = 6;

impl Style for Pyramid {
    fn value<B: Cells>(&self, position: &Position<B>) -> i32 {
        let prospects = Prospects::of_both(position);
        let [x, o] = Side::BOTH.map(|side| {
            let prospects = &prospects[side.index()];
            let spent = if position.hand(side) <= FEW { position.tokens(side).count() as i32 } else { 0 };
            prospects.weigh(&FACTORIALS) + PYRAMID * pyramids(position, side, prospects) - SPENT * spent
        });
        o - x
    }

    fn admits<B: Cells>(&self, position: &Position<B>, m: Move) -> bool {
        match m {
            Move::Place(cell) => {
                let diagonals = position.geometry().around[usize::from(cell)].diagonals;
                diagonals & !position.empty() != B::EMPTY
            }
            Move::Step { .. } => position.hand(position.side_to_move()) <= FEW,
            Move::Pass => true,
        }
    }
}

/// The number of pyramids of a side, upright or upside down: two X's side by side that share two arms, each lacking
/// the outer arm of the same row, so that a single answer stops only one of them.
fn pyramids<B: Cells>(position: &Position<B>, side: Side, prospects: &Prospects<B>) -> i32 {
    let threats = prospects.threats();
    let [north_east, north_west, south_east, south_west] = position.geometry().arms(position.tokens(side));
    // A centre two columns on is in the same row: beyond the right edge comes a column without centres.
    let beside = |left: B, right: B| (threats & !left & (threats & !right).lower(2)).count();
    (beside(north_west, north_east) + beside(south_west, south_east)) as i32
}
