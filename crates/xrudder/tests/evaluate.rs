//! The static evaluation against the rules and against values worked out by hand.

use game::{Evaluate, Game, Notation, Side};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use xrudder::{Cells, Move, Position};

/// Above all values of quiet positions.
const QUIET: i32 = 15_000;

fn load(fen: &str) -> Position<u128> {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn wins_at_once<B: Cells>(position: &Position<B>) -> bool {
    let wins = |m| position.play(m).outcome().is_some_and(|o| o.winner == Some(position.side_to_move()));
    position.legal_moves().into_iter().any(wins)
}

/// A position with some tokens, most of them in a few clusters of one checkerboard colour, so that X's come about.
fn crowded(rng: &mut Pcg64) -> Position<u128> {
    let (rows, cols) = (rng.random_range(3..=7), rng.random_range(3..=7));
    let density = rng.random_range(2..=7);
    let cells: Vec<String> = (0..rows)
        .map(|row| {
            let letter = |col: usize| match (rng.random_range(0..10), (row + col) % 2) {
                (n, _) if n >= density => "1",
                (n, parity) => ["x", "o"][usize::from((n % 5 == 0) != (parity == 0))],
            };
            (0..cols).map(letter).collect::<Vec<_>>().join("")
        })
        .collect();
    // Runs of single empty cells join into one number each.
    let mut board = cells.join("/");
    for run in (2..=cols).rev() {
        board = board.replace(&"1".repeat(run), &run.to_string());
    }
    let side = ["x", "o"][rng.random_range(0..2)];
    let mut supply = || rng.random_range(0..3) * rng.random_range(0..2);
    load(&format!("{board} {side} {} {} {}", supply(), supply(), supply()))
}

/// A win in one is seen exactly when there is one, and a loss is never seen where there is none.
#[test]
fn wins_and_losses_in_one_are_real() {
    let mut rng = Pcg64::seed_from_u64(1);
    let (mut wins, mut losses, mut quiet) = (0, 0, 0);
    for _ in 0..20_000 {
        let position = crowded(&mut rng);
        if position.outcome().is_some() {
            continue;
        }
        let (fen, value) = (position.fen(), position.evaluate());
        assert_eq!(value > QUIET, wins_at_once(&position), "a win in {fen}");
        if value < -QUIET {
            losses += 1;
            for m in position.legal_moves() {
                let next = position.play(m);
                assert!(next.outcome().is_none_or(|o| o.winner == Some(next.side_to_move())), "{fen}");
                assert!(
                    next.outcome().is_some() || wins_at_once(&next),
                    "{} in {fen}",
                    position.move_text(m)
                );
            }
        }
        wins += u32::from(value > QUIET);
        quiet += u32::from(value.abs() <= QUIET);
    }
    assert!(wins > 200 && losses > 50 && quiet > 2_000, "{wins} wins, {losses} losses, {quiet} others");
}

#[test]
fn quiet_values_are_the_sum_of_their_parts() {
    for (fen, value) in [
        // One token in the open is part of five X's, worth 1 each.
        ("5/5/2x2/5/5 x 9 9 9", 5),
        ("5/5/2x2/5/5 o 9 9 9", -5),
        // Two X's hold both tokens, and each token stands alone in three; 2 * 5 + 3 + 3 - 2 for centres off the board.
        ("7/7/7/2x1x2/7/7/7 x 9 9 9", 16),
        // A token more in hand is worth 10 + 600 / (10 + 9 + 9).
        ("5/5/5/5/5 x 10 9 9", 31),
        ("5/5/5/5/5 x 9 10 9", -31),
        ("5/5/5/5/5 x 1 0 0", 70),
        // A crossed X ties down its crossers: 40, less what they are worth: nothing, as every X of theirs has an x.
        ("3/3/3 x 9 9 9", 0),
        ("x1x/oxo/x1x x 9 9 9", 40),
        ("x1x/oxo/x1x o 9 9 9", -40),
        // Four in an X that the opponent must answer, half of it because one more token crosses it, and the tempo.
        ("x1x/1x1/x2 o 9 9 9", -60 - 30),
        ("x1x/ox1/x2 o 9 9 9", -60 + 30 - 30),
        // Nothing to fear while it can't be completed.
        ("x1x/1x1/x2 o 0 9 0", -60 + 9 * (10 + 600 / 10)),
    ] {
        assert_eq!(load(fen).evaluate(), value, "{fen}");
    }
}

#[test]
fn double_threats_are_lost_and_single_ones_are_not() {
    let value = |fen: &str| load(fen).evaluate();
    assert!(value("7/7/x1x1x2/1x1x3/2x4/7 o 9 9 9") < -QUIET, "a pyramid");
    assert!(value("7/7/x1x1x2/1x1x3/2o4/7 o 9 9 9") > -QUIET);
    // The four cells around one empty centre and the two X's beside it share the missing cell.
    assert!(value("x1x1x/1x1x1/x3x/5/5 o 9 9 9") > -QUIET, "one cell stops both");
    // x needs a token move, and o can use the last one up.
    assert!(value("7/7/x1x1x2/1x1x3/2x4/x6 o 0 9 1") > -QUIET);
}

/// What the mover has is what the other side lacks, but for wins in one and the duty to answer.
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
    let hint = |text: &str| position.order_hint(position.parse_move(text).expect("a legal move"));
    // d3 and d5 share X's with both tokens, b5 with one; d4 is beside both, and a1 far from them.
    assert!(hint("d3") == hint("d5") && hint("d5") > hint("b5") && hint("b5") > hint("d4"));
    assert_eq!([hint("d4"), hint("a1")], [0, 0]);
    let pass = load("3/1x1/3 x 0 1 0");
    assert_eq!(pass.order_hint(Move::Pass), 0);
}
