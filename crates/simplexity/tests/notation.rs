//! What position strings and moves are refused, and what people see.

use game::{BoardStyle, MoveError, Notation, Rules, Ruleset};
use simplexity::{Position, Simplexity};

const RULES: Ruleset<Simplexity> = Ruleset::new();

#[test]
fn bad_positions_are_refused_by_field() {
    let many_rows = format!("{}1 w 1,1,1,1 1", "1/".repeat(50));
    let wide_row = format!("{} w 1,1,1,1 1", "1w".repeat(26));
    let long_run = format!("{} w 1,1,1,1 1", "9".repeat(100_000));
    let endless = format!("7/7 w 1,1,1,1 {}", "4".repeat(100_000));
    for (fen, field) in [
        // Fields and blanks: the first field that is missing, empty or too many.
        ("", 1),
        (" ", 1),
        ("startpos", 2),
        ("7/7/7/7/7/7", 2),
        ("7/7/7/7/7/7 w", 3),
        ("7/7/7/7/7/7 w 10,11,10,11", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 4 0", 5),
        ("7/7/7/7/7/7 w 10,11,10,11 4 ", 5),
        (" 7/7/7/7/7/7 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/7  w 10,11,10,11 4", 2),
        ("7/7/7/7/7/7 w  10,11,10,11 4", 3),
        ("7/7/7/7/7/7 w 10,11,10,11  4", 4),
        ("7/7/7/7/7/7\tw 10,11,10,11 4", 4),
        // The board.
        ("/7/7/7/7/7 w 10,11,10,11 4", 1),
        ("7/7/7//7/7 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/7/ w 10,11,10,11 4", 1),
        ("7/7/7/7/7/6 w 10,11,10,11 4", 1),
        ("8/7/7/7/7/7 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/3w4 r 9,11,10,11 4", 1),
        ("7/7/7/7/7/0w6 r 9,11,10,11 4", 1),
        ("7/7/7/7/7/w06 r 9,11,10,11 4", 1),
        ("7/7/7/7/7/07 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/0 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/+7 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/-7 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/x6 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/o6 r 9,11,10,11 4", 1),
        ("7/7/7/7/7/é6 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/\u{664}3 w 10,11,10,11 4", 1),
        ("7/7/7/7/7/w.5 r 9,11,10,11 4", 1),
        ("7,7,7,7,7,7 w 10,11,10,11 4", 1),
        ("7\\7 w 10,11,10,11 4", 1),
        ("51/51 w 10,11,10,11 4", 1),
        ("100 w 10,11,10,11 4", 1),
        ("999999999 w 10,11,10,11 4", 1),
        ("18446744073709551623 w 10,11,10,11 4", 1),
        ("4294967303/7 w 10,11,10,11 4", 1),
        (&many_rows, 1),
        (&wide_row, 1),
        (&long_run, 1),
        // A piece above an empty cell.
        ("7/7/7/7/w6/7 r 9,11,10,11 4", 1),
        ("w6/7/7/7/7/7 r 9,11,10,11 4", 1),
        ("7/7/7/R6/7/w6 w 9,11,10,10 4", 1),
        ("7/7/7/7/1R5/w6 w 9,11,10,10 4", 1),
        // The side, and piece counts that do not fit it.
        ("7/7/7/7/7/7 b 10,11,10,11 4", 2),
        ("7/7/7/7/7/7 W 10,11,10,11 4", 2),
        ("7/7/7/7/7/7 R 10,11,10,11 4", 2),
        ("7/7/7/7/7/7 ww 10,11,10,11 4", 2),
        ("7/7/7/7/7/7 white 10,11,10,11 4", 2),
        ("7/7/7/7/7/7 r 10,11,10,11 4", 2),
        ("7/7/7/7/7/w6 w 9,11,10,11 4", 2),
        ("7/7/7/7/7/r6 w 10,11,9,11 4", 2),
        ("7/7/7/7/7/r6 r 10,11,9,11 4", 2),
        ("7/7/7/7/7/wR5 r 9,11,10,10 4", 2),
        ("7/7/7/7/7/ww5 r 8,11,10,11 4", 2),
        // The stocks.
        ("7/7/7/7/7/7 w 10,11,10 4", 3),
        ("7/7/7/7/7/7 w 10,11,10,11,0 4", 3),
        ("7/7/7/7/7/7 w 10,11,10, 4", 3),
        ("7/7/7/7/7/7 w ,11,10,11 4", 3),
        ("7/7/7/7/7/7 w 10;11;10;11 4", 3),
        ("7/7/7/7/7/7 w 010,11,10,11 4", 3),
        ("7/7/7/7/7/7 w 00,11,0,11 4", 3),
        ("7/7/7/7/7/7 w -1,11,-1,11 4", 3),
        ("7/7/7/7/7/7 w +10,11,10,11 4", 3),
        ("7/7/7/7/7/7 w 10.0,11,10,11 4", 3),
        ("7/7/7/7/7/7 w ten,11,10,11 4", 3),
        ("7/7/7/7/7/7 w 65536,11,65536,11 4", 3),
        ("7/7/7/7/7/7 w 99999999999,11,99999999999,11 4", 3),
        ("7/7/7/7/7/7 w 10,11,11,10 4", 3),
        ("7/7/7/7/7/7 w 10,11,10,12 4", 3),
        ("7/7/7/7/7/w6 r 10,11,10,11 4", 3),
        ("7/7/7/7/7/w6 r 9,11,9,11 4", 3),
        ("7/7/7/7/7/wR5 w 9,11,10,11 4", 3),
        ("7/7/7/7/7/7 w 0,0,0,0 4", 3),
        ("7/7/7/7/7/wr5 w 65535,0,65535,0 4", 3),
        // The line length.
        ("7/7/7/7/7/7 w 10,11,10,11 0", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 8", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 04", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 -4", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 +4", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 four", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 4.0", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 4\n", 4),
        ("1/1 w 1,1,1,1 3", 4),
        ("7/7/7/7/7/7 w 10,11,10,11 4294967300", 4),
        (&endless, 4),
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
        "7/7/7/7/7/7 w 10,11,10,11 4",
        "37/37/37/37/37/37/37/37/37 w 83,84,83,84 5",
        "1 w 0,1,0,1 1",
        "50 w 65535,65535,65535,65535 50",
        "7/7/7/7/7/7 w 10,11,10,11 7",
        "7/7/7/7/7/wr5 w 65534,0,65534,0 4",
        "7/7/7/7/7/3w3 r 9,11,10,11 4",
        // Finished: a line, a full board, no piece left.
        "7/7/7/7/rrr4/WWWW3 r 10,7,7,11 4",
        "WrW/WRr/wwR r 0,0,0,1 3",
        "rw1/WRr/WRw w 0,0,0,0 3",
    ] {
        let state = RULES.load(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(state.fen(), fen);
    }
    let tall = format!("{}50 w 1,1,1,1 50", "50/".repeat(49));
    assert_eq!(RULES.load(&tall).expect("the largest board").fen(), tall);
}

#[test]
fn a_board_too_large_for_its_width_is_refused() {
    let error =
        Position::<u64>::from_fen("13/13/13/13/13/13/13/13 w 26,26,26,26 4").expect_err("it does not fit");
    assert_eq!(error.field, 1);
}

#[test]
fn set_ups_are_checked() {
    let canonical = |pairs: &[(&str, &str)]| RULES.setup(pairs).map(|setup| setup.text(RULES.params()));
    assert_eq!(canonical(&[]), Ok("rows 6 cols 7 win 4 round 10 square 11".into()));
    assert_eq!(
        canonical(&[("cols", "50"), ("win", "50")]),
        Ok("rows 6 cols 50 win 50 round 10 square 11".into())
    );
    assert_eq!(canonical(&[("round", "0")]), Ok("rows 6 cols 7 win 4 round 0 square 11".into()));
    for (pairs, key) in [
        (vec![("rows", "0")], "rows"),
        (vec![("rows", "51")], "rows"),
        (vec![("cols", "-1")], "cols"),
        (vec![("cols", "seven")], "cols"),
        (vec![("win", "8")], "win"),
        (vec![("win", "0")], "win"),
        (vec![("rows", "3"), ("cols", "3")], "win"),
        (vec![("round", "65536")], "round"),
        (vec![("round", "0"), ("square", "0")], "square"),
        (vec![("width", "7")], "width"),
        (vec![("rows", "6"), ("rows", "6")], "rows"),
        (vec![("rows", "auto")], "rows"),
    ] {
        assert_eq!(canonical(&pairs).expect_err("a bad set-up").key, key, "{pairs:?}");
    }
}

#[test]
fn moves_are_read_strictly_but_in_any_case() {
    let position = Position::<u64>::from_fen("3R3/3w3/3R3/3w3/3R3/3w3 w 0,6,3,3 4").expect("a good position");
    for text in ["1s", "1S", "7s", "7S"] {
        assert!(position.parse_move(text).is_ok(), "{text}");
    }
    for text in [
        "", "o", "s", "1", "0o", "01s", "+1s", "1 s", " 1s", "1s ", "1x", "1ss", "s1", "1r", "-1s", "é",
        "１s",
    ] {
        assert_eq!(position.parse_move(text), Err(MoveError::Malformed(text.into())));
    }
    for (text, why) in [
        ("8s", "there are only 7 columns"),
        ("99999999999999999999s", "there are only 7 columns"),
        ("4s", "column 4 is full"),
        ("1o", "white has no round pieces left"),
    ] {
        assert_eq!(position.parse_move(text), Err(MoveError::Illegal(why.into())));
    }
    let over = Position::<u64>::from_fen("7/7/7/7/rrr4/WWWW3 r 10,7,7,11 4").expect("a good position");
    assert_eq!(over.parse_move("1o"), Err(MoveError::GameOver));
    assert_eq!(over.parse_move("9o"), Err(MoveError::GameOver));
}

#[test]
fn the_board_shows_everything_without_colour() {
    let mut state = RULES.load("6/6/6/2wR2 w 8,9,9,8 4").expect("a good position");
    state.play("3s").expect("legal");
    let lines = |ascii| state.board(BoardStyle { ascii, ..BoardStyle::default() }).join("\n");
    let expected = "
 4  ·  ·  ·  ·  ·  ·
 3  ·  ·  ·  ·  ·  ·
 2  ·  · [□] ·  ·  ·
 1  ·  ·  ○  ■  ·  ·
    1  2  3  4  5  6

white  ○ 8  □ 8
red    ● 9  ■ 8  to move
4 in a row win";
    assert_eq!(format!("\n{}", lines(false)), expected);
    let ascii =
        expected.replace('·', ".").replace('□', "W").replace('○', "w").replace('■', "R").replace('●', "r");
    assert_eq!(format!("\n{}", lines(true)), ascii);
}

#[test]
fn a_wide_board_has_a_compact_form() {
    let mut state = RULES.load("11/11 w 9,9,9,9 2").expect("a good position");
    state.play("10s").expect("legal");
    state.play("11o").expect("legal");
    let board = state.board(BoardStyle { compact: true, ..BoardStyle::default() });
    assert_eq!(
        board[..4],
        [
            " 2  · · · · · · · · · · ·",
            " 1  · · · · · · · · · □[●]",
            "                      1 1",
            "    1 2 3 4 5 6 7 8 9 0 1",
        ]
    );
}
