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

/// `n!` for an X with `n` tokens of one side and none of the other, less if a single further token would cross it, nothing
/// if it is crossed: in halves, for 1 to 4 tokens.
const FACTORIALS: [i32; 4] = [2, 4, 12, 48];
/// How much less that is, in percent.
const FRAIL: i32 = 50;

/// Values an X by the factorial of the tokens in it.
pub(super) struct Factorial;

impl Style for Factorial {
    fn value<B: Cells>(&self, position: &Position<B>) -> i32 {
        let [x, o] = Side::BOTH.map(|side| Prospects::of(position, side).weigh(&FACTORIALS, FRAIL));
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
        let [x, o] = Side::BOTH.map(|side| {
            let prospects = Prospects::of(position, side);
            let spent = if position.hand(side) <= FEW { position.tokens(side).count() as i32 } else { 0 };
            prospects.weigh(&FACTORIALS, FRAIL) + PYRAMID * pyramids(position, side, &prospects)
                - SPENT * spent
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

#[cfg(test)]
mod tests {
    use game::Notation;

    use super::*;

    /// The value for the second player, in whole points.
    fn value(style: &impl Style, fen: &str) -> f64 {
        f64::from(style.value(&Position::<u128>::from_fen(fen).expect("a good position"))) / 2.0
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "halves are exact")]
    fn xs_are_worth_the_factorial_of_their_tokens() {
        let factorial = |fen| value(&Factorial, fen);
        // One X fits, and the two tokens beside or above its centre are in none.
        for (fen, worth) in [
            ("3/3/3 x 5 5 5", 0.0),
            ("3/1o1/3 x 5 5 5", 1.0),
            ("3/1x1/3 x 5 5 5", -1.0),
            ("o2/1o1/3 x 5 5 5", 2.0),
            ("o1o/3/o2 x 5 5 5", 6.0),
            ("x1x/1x1/x2 x 5 5 5", -24.0),
            ("x1x/1o1/x2 x 5 5 5", 0.0),
            ("xox/1x1/xo1 x 5 5 5", -24.0),
            ("x1x/ox1/x2 x 5 5 5", -12.0),
            ("x1x/1xo/x2 x 5 5 5", -12.0),
            ("x1x/xxo/x2 x 5 5 5", -24.0),
            ("x1x/oxo/x2 x 5 5 5", 0.0),
            ("x1x/oxo/x1x x 5 5 5", 0.0),
            ("x2/1xo/3 o 5 5 5", -1.0),
            ("2x/1ox/3 o 5 5 5", 0.0),
            ("3/xo1/3 o 5 5 5", 0.5),
        ] {
            assert_eq!(factorial(fen), worth, "{fen}");
        }
        // In the open a token is in five X's, and beside the centre of two that hold nothing.
        assert_eq!(factorial("5/5/2o2/5/5 x 5 5 5"), 5.0);
        // o has one token at c4 and c2 each, and two at b3 and d3, half crossed by c3: 1 + 1 + 2/2 + 2/2. x has one at c3,
        // and one at b2, b4, d2 and d4 each, half crossed by c2 or c4: 1 + 4/2.
        assert_eq!(factorial("5/2o2/2x2/2o2/5 x 5 5 5"), 1.0);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "halves are exact")]
    fn pyramids_and_saved_tokens_count() {
        let pyramid = |fen| value(&Pyramid, fen);
        // Two X's of four tokens, sharing a3 and so on: 24 each, and the pyramid.
        let upright = "7/7/7/x1x1x2/1x1x3/2x4/7/7 x 9 9 9";
        let over = value(&Factorial, upright) - 100.0;
        assert_eq!(pyramid("7/7/7/2x4/1x1x3/x1x1x2/7/7 x 9 9 9"), over, "upside down");
        assert_eq!(pyramid(upright), over);
        assert_eq!(
            pyramid("7/7/7/x1x1o2/1x1x3/2x4/7/7 x 9 9 9"),
            value(&Factorial, "7/7/7/x1x1o2/1x1x3/2x4/7/7 x 9 9 9")
        );
        // Three points a token once eight are left in hand.
        assert_eq!(pyramid("5/5/2o2/5/5 x 9 9 9"), 5.0);
        assert_eq!(pyramid("5/5/2o2/5/5 x 9 8 9"), 2.0);
        assert_eq!(pyramid("5/5/2x2/5/5 x 8 9 9"), -2.0);
    }

    #[test]
    fn pyramids_lie_in_one_row() {
        let found = |fen: &str| {
            let position = Position::<u128>::from_fen(fen).expect("a good position");
            pyramids(&position, Side::First, &Prospects::of(&position, Side::First))
        };
        assert_eq!(found("x1x1x/1x1x1/2x2/5 x 9 9 9"), 1);
        assert_eq!(found("x1x1x/1x1x1/2x2/5 o 9 9 9"), 1);
        // The missing arms of the upper row are on the same side of both X's.
        assert_eq!(found("2x2/1x1x1/x1x1x/5 x 9 9 9"), 1);
        // The two X's lack different rows.
        assert_eq!(found("x1x2/1x1x1/2x1x/5 x 9 9 9"), 0);
        // Two X's at the right and the left edge of neighbouring rows.
        assert_eq!(found("5/x1x2/1x3/x1x1x/3x1/2x1x/5 x 9 9 9"), 0);
    }
}
