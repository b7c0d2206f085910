//! The book: Black's moves from the start of the usual board, as long as a short search doesn't find the win that is
//! proven.
//!
//! It is a file of entries in ascending order, one for each position, whichever of its images is on the board: the key of
//! the first of these, and the move there as [`Game::move_bits`] has it, both highest byte first. The example `book` of the
//! crate `search` makes it from a proof.

use std::collections::HashSet;

use game::{Game, Side};

use crate::geometry::Cell;
use crate::position::Position;

/// Bytes of an entry: those of the key, then those of the move.
const SIZE: usize = KEY + 2;
const KEY: usize = 8;

static ENTRIES: &[[u8; SIZE]] = include_bytes!("../book/black.bin").as_chunks().0;

/// The key of the first of a position's images, which all of them have in common, and what a move is there.
fn first<const N: usize>(position: &Position<N>) -> (u64, impl Fn(Cell) -> [u8; 2]) {
    let (turns, is_mirrored) = position.first_image();
    let radius = position.radius();
    let bytes = move |m: Cell| Position::<N>::move_bits(m.image(radius, turns, is_mirrored)).to_be_bytes();
    (position.image(turns, is_mirrored).key(), bytes)
}

/// What a position and its images have in common.
pub fn key<const N: usize>(position: &Position<N>) -> u64 {
    first(position).0
}

/// The entry for a position in which `m` is to be played.
pub fn entry<const N: usize>(position: &Position<N>, m: Cell) -> [u8; SIZE] {
    let (key, bytes) = first(position);
    let mut entry = [0; SIZE];
    entry[..KEY].copy_from_slice(&key.to_be_bytes());
    entry[KEY..].copy_from_slice(&bytes(m));
    entry
}

/// The legal move that the book has for a position.
pub(crate) fn lookup<const N: usize>(position: &Position<N>) -> Option<Cell> {
    let (key, bytes) = first(position);
    let place = ENTRIES.binary_search_by(|entry| entry[..KEY].cmp(&key.to_be_bytes())).ok()?;
    position.legal_moves().into_iter().find(|&m| bytes(m) == ENTRIES[place][KEY..])
}

/// Meets the positions with Black to move that White can bring about from `start`, in the order of proofs, each once as
/// `name` tells them apart. `answer` gives Black's move, or nothing where the walk shall go no further.
pub fn walk<const N: usize>(
    start: &Position<N>,
    name: fn(&Position<N>) -> u64,
    mut answer: impl FnMut(&Position<N>) -> Option<Cell>,
) {
    let mut met = HashSet::new();
    let mut stack = vec![*start];
    while let Some(position) = stack.pop() {
        if position.side_to_move() == Side::First {
            stack.extend(position.legal_moves().into_iter().rev().map(|m| position.play(m)));
        } else if position.outcome().is_none()
            && met.insert(name(&position))
            && let Some(m) = answer(&position)
        {
            stack.push(position.play(m));
        }
    }
}
