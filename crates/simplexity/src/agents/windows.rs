use bits::Bits;
use game::{Game, Side};

use super::alpha_beta::Heuristic;
use super::corridors::{Cell, Corridors};
use crate::piece::Shape;
use crate::position::{Frame, Position};

/// What a window with so many pieces of one colour or shape counts, and how much more if it is a shape. It is made for
/// windows of four: no number is known of more pieces.
const WORTH: [i32; 4] = [0, 20, 80, 200];
const SHAPE_EXTRA: [i32; 4] = [0, 5, 20, 50];

/// What the worth, though not the extra of a shape, is multiplied by if a piece can land on each empty cell now.
const READY: i32 = 4;

/// Heuristic `1` of IDS: every window as long as a winning line that has pieces of one colour or of one shape only. What
/// one side gains the other loses.
#[derive(Default)]
pub(super) struct Windows {
    corridors: Corridors,
}

impl<B: Bits> Heuristic<B> for Windows {
    fn fit(&mut self, frame: Frame) {
        self.corridors.fit(frame);
    }

    fn value(&self, position: &Position<B>) -> f32 {
        let win = self.corridors.win() as usize;
        let windows = self.corridors.iter().flat_map(|line| line.windows(win));
        windows.map(|window| value(position, window)).sum::<i32>() as f32
    }

    fn scale(&self) -> f32 {
        1.0
    }
}

fn value<B: Bits>(position: &Position<B>, window: &[Cell]) -> i32 {
    let (mut colours, mut shapes) = ([0; 2], [0; 2]);
    let mut factor = READY;
    for &(row, column) in window {
        if let Some((side, shape)) = position.piece(row, column) {
            colours[side.index()] += 1;
            shapes[shape.index()] += 1;
        } else if row > position.height(column) {
            factor = 1;
        }
    }
    let count: usize = colours.iter().sum();
    let worth = |table: [i32; 4]| table.get(count).copied().unwrap_or(0);
    let sign = |side: Side| if side == position.side_to_move() { 1 } else { -1 };
    let mut value = 0;
    if let Some(side) = only(Side::BOTH, colours) {
        value += sign(side) * factor * worth(WORTH);
    }
    if let Some(shape) = only(Shape::BOTH, shapes) {
        let owner = shape.owner();
        if position.stock(owner, shape) == 0 {
            return 0;
        }
        value += sign(owner) * (factor * worth(WORTH) + worth(SHAPE_EXTRA));
    }
    value
}

/// The one kind of two that there is, if the other is missing.
fn only<T: Copy>(kinds: [T; 2], counts: [usize; 2]) -> Option<T> {
    match counts.map(|count| count > 0) {
        [true, false] => Some(kinds[0]),
        [false, true] => Some(kinds[1]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Notation;

    fn value(fen: &str) -> i32 {
        let position = Position::<u64>::from_fen(fen).expect("a good position");
        let mut windows = Windows::default();
        Heuristic::<u64>::fit(&mut windows, position.frame());
        windows.value(&position) as i32
    }

    #[test]
    fn windows_count_by_colour_and_shape() {
        // Nothing but rows fits. One window, all of it ready: 4 * 20 by colour and by shape, and 5 for the shape.
        assert_eq!(value("4/w3 r 3,4,4,4 4"), -(80 + 80 + 5));
        // White's colour, Red's shape; then a shape in both colours.
        assert_eq!(value("4/W3 r 4,3,4,4 4"), -80 + 85);
        assert_eq!(value("4/WR2 w 4,3,4,3 4"), -(4 * 80 + 20));
        // All four kinds together count nothing.
        assert_eq!(value("4/wR2 w 3,4,4,3 4"), 0);
        // Both colours and one shape below; above, where a piece can't land on all cells, one of each.
        assert_eq!(value("w3/rw2 r 2,4,3,4 4"), -(4 * 80 + 20) - 20 - 25);
        // A window of a shape whose owner has none left counts nothing, not by its colour either.
        assert_eq!(value("w3/rw2 r 0,4,1,4 4"), 0);
        // There is no number for four pieces.
        assert_eq!(value("6/wrrw2 w 3,4,3,4 6"), 0);
    }
}
