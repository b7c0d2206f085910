use ahash::AHashMap;
use bits::Bits;
use game::Game;

use crate::position::{Position, piece_key};

/// What a value in the table says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Entry {
    /// For the side to move.
    pub(super) value: f32,
    pub(super) bound: Bound,
    /// Plies that were looked ahead, at least 1.
    pub(super) depth: u32,
}

/// How positions are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keys {
    /// By the Zobrist key. IDS leaves the side to move out of its own, but that follows from the pieces.
    Zobrist,
    /// As Bee means to do it, but its numbers are chosen by row times column. So all cells of the bottom row and of the
    /// left column are one to it, and many positions are taken for others.
    RowTimesColumn,
}

/// What is known of the positions of a game. Once it is full no more are taken in.
pub(super) struct Table {
    keys: Keys,
    entries: AHashMap<u64, Entry>,
}

impl Table {
    /// About 25 MB with their share of empty slots.
    const MOST_ENTRIES: usize = 1 << 19;

    /// An empty table. Its memory is reserved at once, so that it never stops to grow.
    pub(super) fn new(keys: Keys) -> Table {
        Table { keys, entries: AHashMap::with_capacity(Table::MOST_ENTRIES) }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn key<B: Bits>(&self, position: &Position<B>) -> u64 {
        match self.keys {
            Keys::Zobrist => position.key(),
            Keys::RowTimesColumn => row_times_column(position),
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.entries.get(&key).copied()
    }

    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        if self.entries.len() < Table::MOST_ENTRIES {
            self.entries.insert(key, entry);
        } else if let Some(known) = self.entries.get_mut(&key) {
            *known = entry;
        }
    }
}

fn row_times_column<B: Bits>(position: &Position<B>) -> u64 {
    let cells =
        (0..position.cols()).flat_map(|column| (0..position.height(column)).map(move |row| (row, column)));
    let number =
        |(row, column)| position.piece(row, column).map(|(side, shape)| piece_key(row * column, side, shape));
    cells.filter_map(number).fold(0, |key, number| key ^ number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Notation;

    #[test]
    fn bee_takes_cells_with_the_same_product_for_one() {
        let key =
            |fen: &str| Table::new(Keys::RowTimesColumn).key(&Position::<u64>::from_fen(fen).expect("good"));
        let start = key("7/7/7/7/7/7 w 10,11,10,11 4");
        let corner = key("7/7/7/7/7/w6 r 9,11,10,11 4");
        assert_eq!(corner, key("7/7/7/7/7/6w r 9,11,10,11 4"), "the product is 0 all along the bottom");
        assert_ne!(corner, start);
        assert_ne!(corner, key("7/7/7/7/7/W6 r 10,10,10,11 4"));
        // Row 1 of column 2 is row 2 of column 1.
        let (low, high) = ("7/7/7/7/1rw4/1RR2WW w 9,9,9,9 4", "7/7/7/1w5/1r5/1RR2WW w 9,9,9,9 4");
        assert_eq!(key(low), key(high));
        assert_ne!(key(low), key("7/7/7/7/1wr4/1RR2WW w 9,9,9,9 4"));
    }
}
