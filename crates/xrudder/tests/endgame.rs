//! Who can still win once tokens no longer move, against the whole tree.

#[path = "common/board.rs"]
mod board;

use std::collections::HashMap;
use std::ops::ControlFlow;

use game::{Evaluate, Game, Notation, Side};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use xrudder::Position;

use crate::board::{lay, load};

/// Whether `side` wins against the best replies.
fn wins(position: &Position<u128>, side: Side, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(side);
    }
    if let Some(&found) = known.get(&position.key()) {
        return found;
    }
    let is_mover = position.side_to_move() == side;
    // Whether some move decides for the mover.
    let decided = position.moves(|m| {
        if wins(&position.play(m), side, known) == is_mover {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let found = decided.is_break() == is_mover;
    known.insert(position.key(), found);
    found
}

/// Whether the first player would win if its opponent placed nothing.
fn would_win(position: &Position<u128>) -> bool {
    let fen = position.fen();
    let board = fen.split(' ').next().expect("a board");
    let alone = load(&format!("{board} x {} 0 0", position.hand(Side::First)));
    wins(&alone, Side::First, &mut HashMap::new())
}

/// A position without token moves, with so many cells empty. Most tokens are the first player's.
fn ending(rng: &mut Pcg64, empty: u32, hands: [u32; 2]) -> Position<u128> {
    let (rows, cols) = (rng.random_range(3..=5), rng.random_range(4..=6));
    let mut cells = vec!["."; rows * cols];
    let mut left = cells.len() as u32;
    while left > empty {
        let cell = rng.random_range(0..cells.len());
        if cells[cell] == "." {
            cells[cell] = if rng.random_range(0..4) == 0 { "o" } else { "x" };
            left -= 1;
        }
    }
    let side = ["x", "o"][rng.random_range(0..2)];
    lay(&cells, cols, &format!("{side} {} {} 0", hands[0], hands[1]))
}

#[test]
fn who_cannot_win_does_not_win() {
    let mut rng = Pcg64::seed_from_u64(1);
    // By the tokens in the first player's hand: positions, those it wins, those told to be none, and those of them that it
    // would win alone.
    let mut counts = [[0; 4]; 6];
    for round in 0..6_000 {
        let own = round % 6;
        let hands = [own, rng.random_range(0..=own + 1)];
        let empty = rng.random_range(4..=14);
        let position = ending(&mut rng, empty, hands);
        if position.outcome().is_some() {
            continue;
        }
        let won = wins(&position, Side::First, &mut HashMap::new());
        let told = !position.can_win(Side::First);
        assert!(!(won && told), "{}", position.fen());
        let count = &mut counts[own as usize];
        count[0] += 1;
        count[1] += u32::from(won);
        count[2] += u32::from(told);
        count[3] += u32::from(told && would_win(&position));
    }
    for [all, won, told, alone] in &counts[1..] {
        // Of those that it doesn't win, most are told.
        assert!(*all > 800 && *won > 150 && 3 * told > 2 * (all - won) && *alone > 15, "{counts:?}");
    }
}

#[test]
fn endings_of_the_usual_game_are_told() {
    let can_win = |fen: &str| Side::BOTH.map(|side| load(fen).can_win(side));
    // From drawn games, eight plies before the end.
    for fen in [
        "12/12/6o5/3o1x1x4/5xxo4/3xxxoox3/5oo5/4o1oxo3/5x6/6x1o3 x 4 4 0",
        "12/1x1o8/2o1x7/1o3o1x1o2/x1o5x3/3x1x1x4/2x1o1x1o3/4o2o1o2/8x3/12 x 4 4 0",
    ] {
        assert_eq!(can_win(fen), [false; 2], "{fen}");
    }
    // A game that the second player won, with two tokens more.
    assert_eq!(
        can_win("12/12/4x7/5o1o1x2/4o1o1x1x1/4x2x1x2/3oooxox1o1/3x1x1x1o2/6x1o3/12 x 2 4 0"),
        [false, true]
    );
    // While tokens may move, nothing is told.
    assert_eq!(can_win("12/12/12/12/12/12/12/12/12/xo10 x 1 1 1"), [true; 2]);
}

#[test]
fn without_token_moves_the_plies_left_are_known() {
    for (supplies, plies) in
        [("x 4 4", 8), ("x 4 3", 7), ("o 4 3", 8), ("x 2 4", 8), ("x 0 3", 6), ("x 3 0", 5)]
    {
        assert_eq!(
            load(&format!("12/12/12/12/12/12/12/12/12/12 {supplies} 0")).max_plies_left(),
            plies,
            "{supplies}"
        );
    }
    assert_eq!(load("3/3/xxx x 9 9 0").max_plies_left(), 11);
}
