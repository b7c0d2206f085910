//! What position strings and moves are refused, and what people see.

use game::{BoardStyle, MoveError, Notation, Rules, Ruleset};
use xrudder::{Position, XRudder};

const RULES: Ruleset<XRudder> = Ruleset::new();

#[test]
fn bad_positions_are_refused_by_field() {
    let many_rows = format!("{}1 x 1 1 1", "1/".repeat(26));
    let wide_row = format!("{} x 1 1 1", "1x".repeat(14));
    let long_run = format!("{} x 1 1 1", "9".repeat(100_000));
    let long_row = format!("{} x 1 1 1", "x".repeat(100_000));
    let endless = format!("3/3/3 x 1 1 {}", "4".repeat(100_000));
    for (fen, field) in [
        // Fields and blanks: the first field that is missing, empty or too many.
        ("", 1),
        (" ", 1),
        ("startpos", 2),
        ("3/3/3", 2),
        ("3/3/3 x", 3),
        ("3/3/3 x 5", 4),
        ("3/3/3 x 5 5", 5),
        ("3/3/3 x 5 5 9 0", 6),
        ("3/3/3 x 5 5 9 ", 6),
        (" 3/3/3 x 5 5 9", 1),
        ("3/3/3  x 5 5 9", 2),
        ("3/3/3 x  5 5 9", 3),
        ("3/3/3 x 5  5 9", 4),
        ("3/3/3 x 5 5  9", 5),
        ("3/3/3\tx 5 5 9", 5),
        ("3/3/3 x 5,5 9", 5),
        // The board.
        ("/3/3 x 5 5 9", 1),
        ("3//3 x 5 5 9", 1),
        ("3/3/ x 5 5 9", 1),
        ("/ x 5 5 9", 1),
        ("3/3/2 x 5 5 9", 1),
        ("4/3/3 x 5 5 9", 1),
        ("3/3/1x2 x 5 5 9", 1),
        ("3/3/0x2 x 5 5 9", 1),
        ("3/3/x02 x 5 5 9", 1),
        ("3/3/03 x 5 5 9", 1),
        ("3/3/0 x 5 5 9", 1),
        ("0 x 5 5 9", 1),
        ("3/3/+3 x 5 5 9", 1),
        ("3/3/-3 x 5 5 9", 1),
        ("3/3/X2 x 5 5 9", 1),
        ("3/3/O2 x 5 5 9", 1),
        ("3/3/w2 x 5 5 9", 1),
        ("3/3/.2 x 5 5 9", 1),
        ("3/3/é2 x 5 5 9", 1),
        ("3/3/\u{664}2 x 5 5 9", 1),
        ("3/3/×2 x 5 5 9", 1),
        ("3,3,3 x 5 5 9", 1),
        ("3\\3\\3 x 5 5 9", 1),
        ("27 x 5 5 9", 1),
        ("26x x 5 5 9", 1),
        ("111/1x1/12 x 5 5 9", 1),
        ("9999 x 5 5 9", 1),
        ("10000 x 5 5 9", 1),
        ("18446744073709551619/3 x 5 5 9", 1),
        ("4294967299/3 x 5 5 9", 1),
        (&many_rows, 1),
        (&wide_row, 1),
        (&long_run, 1),
        (&long_row, 1),
        // The side.
        ("3/3/3 X 5 5 9", 2),
        ("3/3/3 O 5 5 9", 2),
        ("3/3/3 w 5 5 9", 2),
        ("3/3/3 xx 5 5 9", 2),
        ("3/3/3 - 5 5 9", 2),
        ("3/3/3 p1 5 5 9", 2),
        // The hands.
        ("3/3/3 x -1 5 9", 3),
        ("3/3/3 x +5 5 9", 3),
        ("3/3/3 x 05 5 9", 3),
        ("3/3/3 x 00 5 9", 3),
        ("3/3/3 x 1000 5 9", 3),
        ("3/3/3 x 99999999999999999999 5 9", 3),
        ("3/3/3 x five 5 9", 3),
        ("3/3/3 x 5.0 5 9", 3),
        ("3/3/3 x \u{665} 5 9", 3),
        ("3/3/3 x 5 -1 9", 4),
        ("3/3/3 x 5 05 9", 4),
        ("3/3/3 x 5 1000 9", 4),
        ("3/3/3 x 5 65536 9", 4),
        ("3/3/3 x 5 o 9", 4),
        // The moves left.
        ("3/3/3 x 5 5 -9", 5),
        ("3/3/3 x 5 5 +9", 5),
        ("3/3/3 x 5 5 09", 5),
        ("3/3/3 x 5 5 10000", 5),
        ("3/3/3 x 5 5 4294967305", 5),
        ("3/3/3 x 5 5 nine", 5),
        ("3/3/3 x 5 5 9.0", 5),
        ("3/3/3 x 5 5 9\n", 5),
        (&endless, 5),
    ] {
        let shown: String = fen.chars().take(60).collect();
        let Err(error) = RULES.load(fen) else { panic!("{shown} is accepted") };
        assert_eq!(error.field, field, "{shown}: {error}");
        let length = error.to_string().chars().count();
        assert!(length < 300, "an error of {length} characters on {shown}");
        assert!(!error.to_string().contains(['\n', '\t']), "control characters in the error on {shown}");
    }
}

#[test]
fn good_positions_come_back_as_they_were() {
    for fen in [
        "12/12/12/12/12/12/12/12/12/12 x 15 15 30",
        "5/5/5/5 x 5 5 2",
        "1 o 0 0 0",
        "x x 0 0 0",
        "26 x 999 999 9999",
        "12/3x8/12/12/12/12/12/12/12/o10x o 13 14 30",
        // Hands and tokens need not add up; a row needs no run.
        "xox/oxo/xox o 999 0 7",
        // Finished: a valid X of either, nobody can act.
        "x1x/1x1/x1x o 3 3 3",
        "x1x/1x1/x1x x 3 3 3",
        "3/1x1/3 x 0 0 0",
    ] {
        let state = RULES.load(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(state.fen(), fen);
    }
    let largest = format!("{}26 x 1 1 1", "26/".repeat(25));
    assert_eq!(RULES.load(&largest).expect("the largest board").fen(), largest);
    let full = format!("{}{} x 1 1 1", "xoxoxoxoxoxoxoxoxoxoxoxoxo/".repeat(25), "o".repeat(26));
    assert_eq!(RULES.load(&full).expect("the largest board, full").fen(), full);
}

#[test]
fn a_board_too_large_for_its_width_is_refused() {
    let error = Position::<u128>::from_fen("26/26/26/26/26 x 5 5 5").expect_err("it does not fit");
    assert_eq!(error.field, 1);
}

#[test]
fn set_ups_are_checked() {
    let canonical = |pairs: &[(&str, &str)]| RULES.setup(pairs).map(|setup| setup.text(RULES.params()));
    assert_eq!(canonical(&[]), Ok("rows 10 cols 12 tokens 15 moves 30".into()));
    assert_eq!(
        canonical(&[("moves", "0"), ("rows", "1"), ("tokens", "0")]),
        Ok("rows 1 cols 12 tokens 0 moves 0".into())
    );
    for (pairs, key) in [
        (vec![("rows", "0")], "rows"),
        (vec![("rows", "27")], "rows"),
        (vec![("cols", "-1")], "cols"),
        (vec![("cols", "27")], "cols"),
        (vec![("cols", "twelve")], "cols"),
        (vec![("tokens", "1000")], "tokens"),
        (vec![("tokens", "-1")], "tokens"),
        (vec![("moves", "10000")], "moves"),
        (vec![("moves", "auto")], "moves"),
        (vec![("width", "7")], "width"),
        (vec![("rows", "6"), ("rows", "6")], "rows"),
    ] {
        assert_eq!(canonical(&pairs).expect_err("a bad set-up").key, key, "{pairs:?}");
    }
}

#[test]
fn moves_are_read_strictly_but_in_any_case() {
    let position =
        Position::<u128>::from_fen("12/11x/12/12/12/12/12/12/12/o11 x 1 1 1").expect("a good position");
    for text in ["b1", "B1", "l10", "L10", "l9k10", "L9K10", "l9L8"] {
        assert!(position.parse_move(text).is_ok(), "{text}");
    }
    for text in [
        "", "b", "1", "1b", "b0", "b01", "b+1", "b-1", "b 1", " b1", "b1 ", "b1c", "b1-c2", "b1c2d3",
        "b1c02", "bb1", "pas", "passs", "pass ", "0000", "é1", "b１", "bé", "_1", "b1é",
    ] {
        assert_eq!(position.parse_move(text), Err(MoveError::Malformed(text.into())));
    }
    for (text, why) in [
        ("m1", "the board ends at column l and row 10"),
        ("b11", "the board ends at column l and row 10"),
        ("b99999999999999999999", "the board ends at column l and row 10"),
        ("l9m9", "the board ends at column l and row 10"),
        ("z9y9", "the board ends at column l and row 10"),
        ("l9l9", "a token moves to a neighbouring cell"),
        ("l9l7", "a token moves to a neighbouring cell"),
        ("l9a10", "a token moves to a neighbouring cell"),
        ("a1", "a1 is occupied"),
        ("a1b1", "x has no token on a1"),
        ("b1b2", "x has no token on b1"),
        ("pass", "x has an action, so may not pass"),
    ] {
        assert_eq!(position.parse_move(text), Err(MoveError::Illegal(why.into())), "{text}");
    }
    let spent = Position::<u128>::from_fen("3/xo1/3 x 0 1 1").expect("a good position");
    assert_eq!(spent.parse_move("a1"), Err(MoveError::Illegal("x has no token in hand".into())));
    assert_eq!(spent.parse_move("a2b2"), Err(MoveError::Illegal("b2 is occupied".into())));
    let still = Position::<u128>::from_fen("3/xo1/3 x 1 1 0").expect("a good position");
    assert_eq!(still.parse_move("a2a1"), Err(MoveError::Illegal("no token moves are left".into())));
    let over = Position::<u128>::from_fen("x1x/1x1/x1x o 3 3 3").expect("a good position");
    for text in ["a2", "z9", "pass"] {
        assert_eq!(over.parse_move(text), Err(MoveError::GameOver));
    }
}

#[test]
fn the_board_shows_everything_without_colour() {
    let mut state = RULES.load("5/1x1o1/5/x4 x 8 9 30").expect("a good position");
    state.play("b3c2").expect("legal");
    let lines = |ascii| state.board(BoardStyle { ascii, ..BoardStyle::default() }).join("\n");
    let expected = "
 4  ·  ·  ·  ·  ·
 3  · (·) ·  ○  ·
 2  ·  · [✕] ·  ·
 1  ✕  ·  ·  ·  ·
    a  b  c  d  e

✕  8 in hand
○  9 in hand  to move
29 token moves left";
    assert_eq!(format!("\n{}", lines(false)), expected);
    let ascii = expected.replace('·', ".").replace('✕', "x").replace('○', "o");
    assert_eq!(format!("\n{}", lines(true)), ascii);
    let compact = state.board(BoardStyle { compact: true, ..BoardStyle::default() });
    assert_eq!(
        compact[..5],
        [" 4  · · · · ·", " 3  ·(·)· ○ ·", " 2  · ·[✕]· ·", " 1  ✕ · · · ·", "    a b c d e"]
    );
    state.play("e4").expect("legal");
    assert!(state.board(BoardStyle::default())[0].ends_with("[○]"));
}

#[test]
fn a_finished_board_names_the_result() {
    let last = |fen: &str| RULES.load(fen).expect("a good position").board(BoardStyle::default()).pop();
    assert_eq!(last("x1x/1x1/x1x o 3 3 3").as_deref(), Some("x has won: an X that is not crossed"));
    assert_eq!(last("x1x/1x1/x1x x 3 3 3").as_deref(), Some("x has won: its X is no longer crossed"));
    assert_eq!(last("3/1x1/3 x 0 0 0").as_deref(), Some("drawn: nobody can place or move a token any more"));
}
