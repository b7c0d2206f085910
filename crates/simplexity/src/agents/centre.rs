use bits::Bits;
use game::Game;

use super::alpha_beta::Heuristic;
use crate::piece::Shape;
use crate::position::{Frame, Position};

/// The framework's liking for the centre: each piece counts by how much nearer to it than the corner it is, once for its
/// colour and once for its shape, for or against the side to move.
#[derive(Default)]
pub(super) struct Centre {
    frame: Option<Frame>,
    /// What a piece is worth on each cell, row by row from the bottom.
    worth: Vec<f32>,
}

impl<B: Bits> Heuristic<B> for Centre {
    fn fit(&mut self, frame: Frame) {
        if self.frame == Some(frame) {
            return;
        }
        self.frame = Some(frame);
        let most = distance(frame, (0, 0));
        let cells = (0..frame.rows).flat_map(|row| (0..frame.cols).map(move |column| (row, column)));
        self.worth = cells.map(|cell| most - distance(frame, cell)).collect();
    }

    /// The sum is in 32 bits and in the order of the original, whose roundings it shares.
    fn value(&self, position: &Position<B>) -> f32 {
        let viewer = position.side_to_move();
        let mut sum = 0.0;
        let mut worth = self.worth.iter();
        for row in 0..position.rows() {
            for column in 0..position.cols() {
                let Some(&worth) = worth.next() else { return sum };
                if let Some((side, shape)) = position.piece(row, column) {
                    sum += if side == viewer { worth } else { -worth };
                    sum += if shape == Shape::of(viewer) { worth } else { -worth };
                }
            }
        }
        sum
    }
}

/// How far a cell is from the centre, which is rounded down, so that it is a cell.
pub(super) fn distance(frame: Frame, (row, column): super::corridors::Cell) -> f32 {
    let (up, along) = ((frame.rows / 2).abs_diff(row), (frame.cols / 2).abs_diff(column));
    f64::from(up * up + along * along).sqrt() as f32
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the same operations on the same numbers")]
mod tests {
    use super::*;
    use game::Notation;

    fn value(fen: &str) -> f32 {
        let position = Position::<u64>::from_fen(fen).expect("a good position");
        let mut centre = Centre::default();
        Heuristic::<u64>::fit(&mut centre, position.frame());
        centre.value(&position)
    }

    #[test]
    fn pieces_count_by_their_nearness_to_the_centre() {
        // The centre of 6 x 7 is row 3, column 3, counted from 0; the corner is sqrt(18) away from it.
        let most = 18_f32.sqrt();
        // A white round piece below the centre counts for White twice over, so against Red; one in the corner nothing.
        assert_eq!(value("7/7/7/7/7/3w3 r 9,11,10,11 4"), -2.0 * (most - 3.0));
        assert_eq!(value("7/7/7/7/7/w6 r 9,11,10,11 4"), 0.0);
        // A red square one counts against White.
        assert_eq!(value("7/7/7/7/7/W2R3 w 10,10,10,10 4"), -2.0 * (most - 3.0));
        // White's colour, Red's shape: nothing.
        assert_eq!(value("7/7/7/7/7/3W3 r 10,10,10,11 4"), 0.0);
        // A red square above a white round piece is nearer by one, hence 2 (w - 3) - 2 (w - 2) = -2.
        let above = value("7/7/7/7/3R3/3w3 w 9,11,10,10 4");
        assert!((above + 2.0).abs() < 1e-6, "{above}");
    }
}
