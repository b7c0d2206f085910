use game::{Game, Side};

use super::winner;
use crate::position::Position;

/// Value of a won position; the negative is that of a lost one.
pub(super) const WON: i32 = 100;

/// What a searcher of the course program likes. Each stone has a worth, and a side's worth is the sum over its stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    /// Nothing: every unfinished position is worth 0.
    Nothing,
    /// A stone is worth the number of stones in its group.
    Groups,
    /// A stone is worth one more than its number of neighbours of its colour.
    Neighbours,
}

/// The value for the side to move: ±[`WON`], 0 for a draw, else within ±99.
pub(super) fn value<const N: usize>(position: &Position<N>, measure: Measure) -> i32 {
    let mover = position.side_to_move();
    if let Some(outcome) = position.outcome() {
        return match winner(Some(outcome)) {
            None => 0,
            Some(side) if side == mover => WON,
            Some(_) => -WON,
        };
    }
    let worth = |side| match measure {
        Measure::Nothing => 0,
        Measure::Groups => groups(position, side),
        Measure::Neighbours => neighbours(position, side),
    };
    let (own, opponents) = (worth(mover), worth(mover.other()));
    // Integer division rounds towards zero, as the original's conversion does.
    99 * (own - opponents) / (own + opponents).max(1)
}

fn groups<const N: usize>(position: &Position<N>, side: Side) -> i32 {
    let mut counted = [0; N];
    let mut sum = 0;
    for seed in Position::cells(&position.stones_of(side)) {
        if counted[seed.row()] & seed.bit() == 0 {
            let group = position.group(seed, side);
            let stones: u32 = group.iter().map(|row| row.count_ones()).sum();
            sum += (stones * stones) as i32;
            counted = std::array::from_fn(|row| counted[row] | group[row]);
        }
    }
    sum
}

fn neighbours<const N: usize>(position: &Position<N>, side: Side) -> i32 {
    let rows = position.stones_of(side);
    let stones: u32 = rows.iter().map(|row| row.count_ones()).sum();
    let along = rows.iter().map(|row| (row & row << 1).count_ones());
    let down =
        rows.windows(2).map(|pair| (pair[0] & pair[1]).count_ones() + (pair[0] << 1 & pair[1]).count_ones());
    let links: u32 = along.chain(down).sum();
    (stones + 2 * links) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Notation;

    #[test]
    fn values_worked_out_by_hand() {
        for (fen, neighbours, groups) in [
            // A lone black stone, White to move; then a white one beside it.
            ("3/4/2b2/4/3 w", -99, -99),
            ("3/4/1wb2/4/3 b", 0, 0),
            // Black has two linked stones, 2 + 2, White one: 99 * (1 - 4) / 5 = -59.4.
            ("3/1b2/1wb2/4/3 w", -59, -59),
            // White's two stones do not touch: 99 * (4 - 2) / 6.
            ("3/1bw1/1wb2/4/3 b", 33, 33),
            // Black has three stones in a row, 2 + 3 + 2 or 3 * 3; White two that touch and one, 2 + 2 + 1 or 4 + 1:
            // 99 * 2 / 12 = 16.5 and 99 * 4 / 14 = 28.3.
            ("3/1ww1/1bbb1/2w1/3 b", 16, 28),
        ] {
            let position = Position::<21>::from_fen(fen).expect("a legal position");
            assert_eq!(value(&position, Measure::Neighbours), neighbours, "{fen}");
            assert_eq!(value(&position, Measure::Groups), groups, "{fen}");
            assert_eq!(value(&position, Measure::Nothing), 0, "{fen}");
        }
    }
}
