use bits::Bits;
use game::{Agent, Control, Evaluate, Game, Limits, Options, Record, Report, Score, Side};

use super::candidates;
use crate::piece::{Move, Shape};
use crate::position::Position;

/// Option: plies to look ahead.
pub(super) const DEPTH: &str = "Depth";

/// Plain minimax to a fixed depth over a liking for the centre. Among equal moves it takes the last; when it is
/// stopped it has no move.
pub(super) struct Minimax {
    depth: u32,
}

impl Minimax {
    pub(super) fn new(options: &Options) -> Minimax {
        let depth = options.int(DEPTH).and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
        Minimax { depth: depth.unwrap_or(3) }
    }
}

impl<B: Bits> Agent<Position<B>> for Minimax {
    fn name(&self) -> String {
        format!("MinimaxD{}", self.depth)
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        *self = Minimax::new(options);
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let depth = limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        let mut search = Search {
            worth: worth(position.rows(), position.cols()),
            viewer: position.side_to_move(),
            nodes_left: limits.nodes.unwrap_or(u64::MAX),
            control,
        };
        let (best, value) = search.best(position, candidates(position, limits), depth)?;
        let limit = Position::<B>::LIMIT as f32;
        let _ = control.report(&Report {
            depth,
            seldepth: depth,
            nodes: limits.nodes.unwrap_or(u64::MAX) - search.nodes_left,
            score: Score::Cp((100.0 * value).clamp(-limit, limit) as i32),
            multipv: None,
            hashfull: None,
            pv: best.as_slice(),
        });
        best
    }
}

struct Search<'a> {
    /// What a piece is worth on each cell, row by row from the bottom.
    worth: Vec<f32>,
    /// Whose value is sought: the side to move at the root.
    viewer: Side,
    nodes_left: u64,
    control: &'a dyn Control<Move>,
}

impl Search<'_> {
    /// The value of a position `depth` plies above the leaves, for the viewer; `None` when stopped.
    fn value<B: Bits>(&mut self, position: &Position<B>, depth: u32) -> Option<f32> {
        if let Some(outcome) = position.outcome() {
            self.enter()?;
            return Some(match outcome.winner {
                None => 0.0,
                Some(side) if side == self.viewer => f32::INFINITY,
                Some(_) => f32::NEG_INFINITY,
            });
        }
        if depth == 0 {
            self.enter()?;
            return Some(heuristic(position, self.viewer, &self.worth));
        }
        self.best(position, position.legal_moves(), depth).map(|(_, value)| value)
    }

    /// The best of `moves` for the side to move, and its value for the viewer; `None` when stopped.
    fn best<B: Bits>(
        &mut self,
        position: &Position<B>,
        moves: Vec<Move>,
        depth: u32,
    ) -> Option<(Option<Move>, f32)> {
        self.enter()?;
        let maximise = position.side_to_move() == self.viewer;
        let mut best = (None, if maximise { f32::NEG_INFINITY } else { f32::INFINITY });
        for m in moves {
            let value = self.value(&position.play(m), depth - 1)?;
            let better = if maximise { value >= best.1 } else { value <= best.1 };
            // Equal counts as better: so even a lost position yields a move.
            if better {
                best = (Some(m), value);
            }
        }
        Some(best)
    }

    /// Counts a node; `None` when there is to be no more.
    fn enter(&mut self) -> Option<()> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        (!self.control.stopped()).then_some(())
    }
}

/// How much nearer each cell is to the centre than the corner of row 0 and column 0, row by row from the bottom. The
/// centre is rounded down, so that it is a cell.
fn worth(rows: u32, cols: u32) -> Vec<f32> {
    let distance = |row: u32, col: u32| {
        let (up, along) = ((rows / 2).abs_diff(row), (cols / 2).abs_diff(col));
        f64::from(up * up + along * along).sqrt() as f32
    };
    let most = distance(0, 0);
    (0..rows)
        .flat_map(|row| (0..cols).map(move |col| (row, col)))
        .map(|(r, c)| most - distance(r, c))
        .collect()
}

/// Each piece counts its worth once for its colour and once for its shape, for or against the viewer. The sum is in
/// 32 bits and in the order of the original, whose roundings it shares.
fn heuristic<B: Bits>(position: &Position<B>, viewer: Side, worth: &[f32]) -> f32 {
    let mut sum = 0.0;
    let mut worth = worth.iter();
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

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the same operations on the same numbers")]
mod tests {
    use super::*;
    use game::Notation;

    fn value(fen: &str, viewer: Side) -> f32 {
        let position = Position::<u64>::from_fen(fen).expect("a good position");
        heuristic(&position, viewer, &worth(position.rows(), position.cols()))
    }

    #[test]
    fn pieces_count_by_their_nearness_to_the_centre() {
        // The centre of 6 x 7 is row 3, column 3, counted from 0; the corner is sqrt(18) away from it.
        let most = 18_f32.sqrt();
        let worth = worth(6, 7);
        assert_eq!(worth[0], 0.0);
        assert_eq!(worth[3 * 7 + 3], most);
        assert_eq!(worth[3], most - 3.0);
        assert_eq!(worth[5 * 7 + 6], most - 13_f32.sqrt());

        // A white round piece below the centre counts for White twice over, so against Red.
        assert_eq!(value("7/7/7/7/7/3w3 r 9,11,10,11 4", Side::First), 2.0 * (most - 3.0));
        assert_eq!(value("7/7/7/7/7/3w3 r 9,11,10,11 4", Side::Second), -2.0 * (most - 3.0));
        // White's colour, Red's shape: nothing.
        assert_eq!(value("7/7/7/7/7/3W3 r 10,10,10,11 4", Side::First), 0.0);
        // A red square above a white round piece is nearer by one, hence 2 (w - 3) - 2 (w - 2) = -2.
        let above = value("7/7/7/7/3R3/3w3 w 9,11,10,10 4", Side::First);
        assert!((above + 2.0).abs() < 1e-6, "{above}");
    }
}
