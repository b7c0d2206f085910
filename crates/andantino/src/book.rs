//! The book: Black's moves from the start of the usual board, as long as a short search doesn't find the win that is
//! proven.
//!
//! It is a file of entries in ascending order, one for each position, whichever of its images is on the board: the key of
//! the first of these, and the move there as [`Game::move_bits`] has it, both highest byte first. The example `book` of the
//! crate `search` makes it from a proof.

use game::Game;

use crate::geometry::Cell;
use crate::position::Position;

/// Bytes of an entry: those of the key, then those of the move.
const SIZE: usize = KEY + 2;
const KEY: usize = 8;

static ENTRIES: &[[u8; SIZE]] = include_bytes!("../book/black.bin").as_chunks().0;

/// What a position and its images have in common.
pub fn key<const N: usize>(position: &Position<N>) -> u64 {
    let (turns, is_mirrored) = position.first_image();
    position.image(turns, is_mirrored).key()
}

/// The entry for a position in which `m` is to be played.
pub fn entry<const N: usize>(position: &Position<N>, m: Cell) -> [u8; SIZE] {
    let (turns, is_mirrored) = position.first_image();
    let image = m.image(position.radius(), turns, is_mirrored);
    let mut entry = [0; SIZE];
    entry[..KEY].copy_from_slice(&key(position).to_be_bytes());
    entry[KEY..].copy_from_slice(&Position::<N>::move_bits(image).to_be_bytes());
    entry
}

/// The legal move that the book has for a position.
pub(crate) fn lookup<const N: usize>(position: &Position<N>) -> Option<Cell> {
    let key = key(position).to_be_bytes();
    let place = ENTRIES.binary_search_by(|entry| entry[..KEY].cmp(&key)).ok()?;
    position.legal_moves().into_iter().find(|&m| entry(position, m) == ENTRIES[place])
}
