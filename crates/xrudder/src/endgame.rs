use game::{Game, Side};

use crate::census::Prospects;
use crate::geometry::Cells;
use crate::position::Position;
use crate::tally::Tally;

/// The most tokens in hand with which it is worth asking: with more, the sum is hardly ever small enough.
const MOST: u16 = 8;

/// What a whole X counts.
const WHOLE: u32 = 32;

/// [`game::Evaluate::can_win`] once no token move is left: tokens stay for good, and an X that the opponent has touched is
/// dead.
///
/// Each open X counts `WHOLE >> lacking`, by the cells it has yet to fill; one that lacks more than the side has in hand is
/// dead. Let the opponent always take the cell whose X's count most together, which kills these. The side's next placement
/// doubles what the X's through its cell count, and so adds no more than was taken away. Hence a sum below `WHOLE` with the
/// opponent to move stays there, and no X is ever completed (Erdős and Selfridge, "On a combinatorial game", 1973). That
/// the opponent may also cross X's only helps it, and a token too many never harms it. Beyond that:
///
/// * If the side is to move, it adds what the X's through one cell count, before the opponent's turn comes.
/// * A placement before which the opponent has no token left to place may double the whole sum.
/// * X's that lack equally many cells need not count before the side's first placement in them, but twice as much from then
///   on. With `n` placements to come, it is one of the next `n + 1 - lacking`, or they are dead, and each of these begins at
///   most as many X's as meet in one cell now.
#[inline(never)]
pub(crate) fn can_win<B: Cells>(position: &Position<B>, side: Side) -> bool {
    if position.hand(side) > MOST {
        return true;
    }
    let [own, foe] = [side, side.other()].map(|side| u32::from(position.hand(side)));
    let is_mover = side == position.side_to_move() && own > 0;
    // The placements that one of the opponent's may precede.
    let later = own - u32::from(is_mover);

    let (geometry, empty) = (position.geometry(), position.empty());
    let prospects = Prospects::of(position, side);
    let mut sum = 0;
    // What the side's placement now adds.
    let mut gains = Tally::<B, 8>::NOTHING;
    for lacking in 1..=own.min(5) {
        let weight = 5 - lacking;
        let xs = prospects.with(weight) & geometry.centres;
        let meeting = Tally::<B, 3>::count(geometry.within(xs));
        let begun_before = xs.count() << weight;
        let begun_yet = (2 * (later + 1 - lacking) * meeting.max(empty)) << weight;
        sum += begun_before.min(begun_yet);
        if is_mover {
            gains.add((weight + u32::from(begun_yet < begun_before)) as usize, meeting);
        }
    }
    (sum + gains.max(empty)) << later.saturating_sub(foe) >= WHOLE
}
