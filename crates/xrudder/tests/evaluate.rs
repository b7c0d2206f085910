//! The static evaluation against the rules and against values worked out by hand.

#[path = "common/board.rs"]
mod board;

use game::conformance::check_tactics;
use game::{Evaluate, Game, Notation, Side, Tactics};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use xrudder::{Cells, Move, Position, Weights};

use crate::board::{lay, load};

fn wins_at_once<B: Cells>(position: &Position<B>) -> bool {
    let wins = |m| position.play(m).outcome().is_some_and(|o| o.winner == Some(position.side_to_move()));
    position.legal_moves().into_iter().any(wins)
}

/// A position with some tokens, most of them in a few clusters of one checkerboard colour, so that X's come about.
fn crowded(rng: &mut Pcg64) -> Position<u128> {
    let (rows, cols) = (rng.random_range(3..=7), rng.random_range(3..=7));
    let density = rng.random_range(2..=7);
    let letter = |cell: usize| match (rng.random_range(0..10), (cell / cols + cell % cols) % 2) {
        (n, _) if n >= density => ".",
        (n, parity) => ["x", "o"][usize::from((n % 5 == 0) != (parity == 0))],
    };
    let cells: Vec<_> = (0..rows * cols).map(letter).collect();
    let side = ["x", "o"][rng.random_range(0..2)];
    let mut supply = || rng.random_range(0..3) * rng.random_range(0..2);
    lay(&cells, cols, &format!("{side} {} {} {}", supply(), supply(), supply()))
}

/// The same board with the other side to move.
fn passed<B: Cells>(position: &Position<B>) -> Position<u128> {
    let swap = |field| match field {
        "x" => "o",
        "o" => "x",
        other => other,
    };
    load(&position.fen().split(' ').map(swap).collect::<Vec<_>>().join(" "))
}

/// Wins in one, the answers to threats and lost positions are what playing all moves shows, and none is missed.
#[test]
fn tactics_are_exact() {
    let mut rng = Pcg64::seed_from_u64(1);
    let (mut won, mut forced, mut lost, mut stepped, mut passes) = (0, 0, 0, 0, 0);
    for _ in 0..30_000 {
        let position = crowded(&mut rng);
        if position.outcome().is_some() {
            continue;
        }
        let (settled, fen) = (check_tactics(&position), position.fen());
        assert_eq!(settled.wins, matches!(settled.tactics, Tactics::Win(_)), "{fen}");
        let waiting = passed(&position);
        let is_threatened = waiting.outcome().is_none() && wins_at_once(&waiting);
        match settled.tactics {
            Tactics::Win(m) => {
                won += 1;
                stepped += u32::from(matches!(m, Move::Step { .. }));
            }
            Tactics::Open => {
                let foe = position.side_to_move().other();
                let may_run_out = position.moves_left() == 1 && position.hand(foe) == 0;
                assert!(!is_threatened || may_run_out, "{fen}");
            }
            Tactics::Forced => {
                assert!(is_threatened || settled.is_hopeless, "{fen}");
                forced += 1;
                lost += u32::from(settled.is_hopeless);
                passes += u32::from(settled.replies == [Move::Pass]);
                stepped += u32::from(settled.replies.iter().any(|m| matches!(m, Move::Step { .. })));
            }
        }
    }
    let counts = [won, forced, lost, stepped, passes];
    assert!(counts.into_iter().zip([1_000, 500, 100, 500, 100]).all(|(n, least)| n >= least), "{counts:?}");
}

#[test]
fn threats_have_the_answers_the_rules_leave() {
    let tactics = |fen: &str| {
        let position = load(fen);
        let settled = check_tactics(&position);
        let mut replies: Vec<_> = settled.replies.iter().map(|&m| position.move_text(m)).collect();
        replies.sort();
        (settled.tactics, replies.join(" "), settled.is_hopeless)
    };
    let forced = |replies: &str| (Tactics::Forced, replies.to_owned(), false);
    let open = || (Tactics::Open, String::new(), false);
    // The empty cell, also by a step; the other side of a half-crossed centre.
    assert_eq!(tactics("5/x1x2/1x3/x1o2/5 o 1 1 1").1, "");
    assert_eq!(tactics("5/x1x2/1x3/x2o1/5 o 1 1 1"), forced("c2 d2c2"));
    assert_eq!(tactics("5/x1x2/1xo2/x4/5 o 1 1 1"), forced("a3 c2 c3c2"));
    assert_eq!(tactics("5/x1x2/1xo2/x4/5 o 1 1 0"), forced("a3 c2"));
    // x has nothing to complete it with, or o may use up the only token move.
    assert_eq!(tactics("5/x1x2/1x3/x4/4o o 0 1 1"), open());
    assert_eq!(tactics("5/x1x2/1x3/x2x1/4o o 0 1 1"), open());
    assert_eq!(tactics("5/x1x2/1x3/x2x1/4o o 0 1 2"), forced("c2"));
    // Two X's, of which nothing stops both.
    assert!(tactics("7/7/x1x1x2/1x1x3/2x4/7 o 9 9 9").2, "a pyramid");
    assert_eq!(tactics("7/7/x1x1x2/1x1x3/2o4/7 o 9 9 9"), open());
    assert_eq!(tactics("x1x1x/1x1x1/x3x/5/5 o 9 9 0"), forced("c3"));
    // Whatever o moves uncrosses an X.
    assert_eq!(tactics("x1x/oxo/x1x o 1 0 1"), (Tactics::Forced, "a2b1".to_owned(), true));
}

/// In games of more tokens than the network can sum up.
#[test]
fn quiet_values_of_very_many_tokens_are_the_sum_of_their_parts() {
    for (fen, value) in [
        // One token in the open is part of five X's, worth 1 each.
        ("5/5/2x2/5/5 x 99 99 9", 5),
        ("5/5/2x2/5/5 o 99 99 9", -5),
        // Two X's hold both tokens, and each token stands alone in three; 2 * 5 + 3 + 3 - 2 for centres off the board.
        ("7/7/7/2x1x2/7/7/7 x 99 99 9", 16),
        // A token more in hand is worth 20 + 600 / (10 + 41 + 9).
        ("5/5/5/5/5 x 42 41 9", 30),
        ("5/5/5/5/5 x 41 42 9", -30),
        ("5/5/5/5/5 x 80 0 0", 80 * 80),
        // A crossed X promises nothing more, nor do its crossers, as every X of theirs has an x.
        ("3/3/3 x 99 99 9", 0),
        ("x1x/oxo/x1x x 99 99 9", 0),
        // Four in an X, half of it where one more token crosses it.
        ("x1x/1x1/x2 o 99 99 9", -60),
        ("x1x/ox1/x2 o 99 99 9", -60 + 30),
        ("x1x/1x1/x2 o 0 90 0", -60 + 90 * (20 + 600 / 10)),
    ] {
        assert_eq!(load(fen).evaluate(), value, "{fen}");
    }
}

/// What the mover has is what the other side lacks.
#[test]
fn quiet_values_change_sign_with_the_sides() {
    let mut rng = Pcg64::seed_from_u64(2);
    for _ in 0..2_000 {
        let position = crowded(&mut rng);
        let fen = position.fen();
        let swapped: String = fen
            .split(' ')
            .take(2)
            .map(|field| {
                let other = |letter| match letter {
                    'x' => 'o',
                    'o' => 'x',
                    _ => letter,
                };
                field.chars().map(other).chain([' ']).collect::<String>()
            })
            .collect();
        let [x, o] = Side::BOTH.map(|side| position.hand(side));
        let image = load(&format!("{swapped}{o} {x} {}", position.moves_left()));
        assert_eq!(image.outcome().is_some(), position.outcome().is_some(), "{fen}");
        if position.outcome().is_none() {
            assert_eq!(image.evaluate(), position.evaluate(), "{fen}");
        }
    }
}

#[test]
fn actions_among_tokens_come_first() {
    let position = load("7/7/2x1x2/7/7/7 x 9 9 9");
    let weights = Weights::default();
    let hint = |text: &str| position.order_hint(position.parse_move(text).expect("a legal move"), &weights);
    // d3 and d5 share X's with both tokens, b5 with one; d4 is beside both, and a1 far from them.
    assert!(hint("d3") == hint("d5") && hint("d5") > hint("b5") && hint("b5") > hint("d4"));
    assert_eq!([hint("d4"), hint("a1")], [0, 0]);
    let pass = load("3/1x1/3 x 0 1 0");
    assert_eq!(pass.order_hint(Move::Pass, &weights), 0);
}

#[test]
fn candidates_build_and_stop_first() {
    let candidates = |fen: &str, most| {
        let position = load(fen);
        let mut moves = Vec::new();
        position.candidates(0, most, |m| moves.push(position.move_text(m)));
        moves.join(" ")
    };
    // The fourth token of an X and what joins three X's of two; a step first by the token that isn't needed; without choice, whatever there is.
    assert_eq!(candidates("7/7/2x1x2/3x3/7/7/7 x 9 0 0", 2), "c3 e3 d6");
    assert!(candidates("7/7/2x1x2/3x3/7/6x/7 x 0 0 1", 1).starts_with("g2"));
    assert_eq!(candidates("3/3/3 x 9 9 9", 1).split(' ').count(), 9);
    assert_eq!(candidates("3/1x1/3 x 0 1 0", 1), "pass");
}
