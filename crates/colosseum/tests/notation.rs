//! What position strings and moves are refused, and what people see.

use bits::Wide;
use colosseum::{Colosseum, Position};
use game::{BoardStyle, MoveError, Notation, Rules, Ruleset};

const RULES: Ruleset<Colosseum> = Ruleset::new();

#[test]
fn bad_positions_are_refused_by_field() {
    let many_rows = format!("{}31 a1 b1 a", "31/".repeat(30));
    let long_run = format!("{}/3/3 a1 b1 a", "9".repeat(100_000));
    let long_row = format!("{}/3/3 a1 b1 a", "d".repeat(100_000));
    let long_cell = format!("3/3/3 {} b1 a", "a".repeat(100_000));
    let endless = format!("3/3/3 a1 b1 a {}", "4".repeat(100_000));
    for (fen, field) in [
        // Fields and blanks: the first field that is missing, empty or too many.
        ("", 1),
        (" ", 1),
        ("startpos", 2),
        ("3/3/3", 2),
        ("3/3/3 a1", 3),
        ("3/3/3 a1 b1", 4),
        ("3/3/3 a1 b1 a 2 2", 6),
        ("3/3/3 a1 b1 a ", 5),
        ("3/3/3 a1 b1 a 2 ", 6),
        (" 3/3/3 a1 b1 a", 1),
        ("3/3/3  a1 b1 a", 2),
        ("3/3/3 a1  b1 a", 3),
        ("3/3/3 a1 b1  a", 4),
        ("3/3/3 a1 b1 a  2", 5),
        ("3/3/3\ta1 b1 a", 4),
        // The walls: the number of rows, the sum of each, letters, numbers, the border.
        ("3/3 a1 b1 a", 1),
        ("2/2 a1 b1 a", 1),
        ("1 a1 b1 a", 1),
        ("/3/3 a1 b1 a", 1),
        ("3//3 a1 b1 a", 1),
        ("3/3/ a1 b1 a", 1),
        ("3/3/3/ a1 b1 a", 1),
        ("3/2/3 a1 b1 a", 1),
        ("3/4/3 a1 b1 a", 1),
        ("3/3/2r a1 b1 a", 1),
        ("3/2b/3 a1 b1 a", 1),
        ("3/2r/3 a1 b1 a", 1),
        ("3/3/d2 a1 b1 a", 1),
        ("3/3/b2 a1 b1 a", 1),
        ("3/3d/3 a1 b1 a", 1),
        ("3/ddr/3 a1 b1 a", 1),
        ("3/dddd/3 a1 b1 a", 1),
        ("3/0d2/3 a1 b1 a", 1),
        ("3/d02/3 a1 b1 a", 1),
        ("3/03/3 a1 b1 a", 1),
        ("3/0/3 a1 b1 a", 1),
        ("3/+3/3 a1 b1 a", 1),
        ("3/D2/3 a1 b1 a", 1),
        ("3/R2/3 a1 b1 a", 1),
        ("3/u2/3 a1 b1 a", 1),
        ("3/l2/3 a1 b1 a", 1),
        ("3/é2/3 a1 b1 a", 1),
        ("3/\u{663}/3 a1 b1 a", 1),
        ("3,3,3 a1 b1 a", 1),
        ("3/999/3 a1 b1 a", 1),
        ("3/1000/3 a1 b1 a", 1),
        ("3/18446744073709551619/3 a1 b1 a", 1),
        (&many_rows, 1),
        (&long_run, 1),
        (&long_row, 1),
        // The agents.
        ("3/3/3 d1 b1 a", 2),
        ("3/3/3 a4 b1 a", 2),
        ("3/3/3 a0 b1 a", 2),
        ("3/3/3 a01 b1 a", 2),
        ("3/3/3 A1 b1 a", 2),
        ("3/3/3 a b1 a", 2),
        ("3/3/3 1a b1 a", 2),
        ("3/3/3 a1u b1 a", 2),
        ("3/3/3 a1a b1 a", 2),
        ("3/3/3 ae1 b1 a", 2),
        ("3/3/3 ba1 b1 a", 2),
        ("3/3/3 aaa1 b1 a", 2),
        ("3/3/3 a31 b1 a", 2),
        ("3/3/3 é1 b1 a", 2),
        ("3/3/3 a\u{661} b1 a", 2),
        (&long_cell, 2),
        ("3/3/3 a1 d1 a", 3),
        ("3/3/3 a1 b4 a", 3),
        ("3/3/3 a1 B1 a", 3),
        ("3/3/3 a1 a1 a", 3),
        ("3/3/3 a1 aa1 a", 3),
        // The side.
        ("3/3/3 a1 b1 A", 4),
        ("3/3/3 a1 b1 w", 4),
        ("3/3/3 a1 b1 ab", 4),
        ("3/3/3 a1 b1 a\n", 4),
        // The steps.
        ("3/3/3 a1 b1 a -1", 5),
        ("3/3/3 a1 b1 a +2", 5),
        ("3/3/3 a1 b1 a 02", 5),
        ("3/3/3 a1 b1 a 00", 5),
        ("3/3/3 a1 b1 a 901", 5),
        ("3/3/3 a1 b1 a 4294967298", 5),
        ("3/3/3 a1 b1 a two", 5),
        ("3/3/3 a1 b1 a 2.0", 5),
        ("3/3/3 a1 b1 a \u{662}", 5),
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
    let open = vec!["30"; 30].join("/");
    let full = format!("{}{}1", format!("{}d/", "b".repeat(29)).repeat(29), "r".repeat(29));
    for fen in [
        "1d4/2dr2/6/3d2/1r2d1/6 c1 d6 a",
        "3/3/3 a1 c3 b",
        "3/3/3 a1 c3 b 0",
        "3/3/3 a1 c3 b 900",
        "bbd/bbd/rr1 b2 c3 a",
        "10d1/12/12/12/12/12/12/12/12/12/12/r11 a1 l12 a",
        &format!("{open} ad30 z1 b 1"),
        &format!("{full} aa1 ab2 a"),
    ] {
        assert_eq!(RULES.load(fen).map(|state| state.fen()).as_deref(), Ok(fen));
    }
    // The usual number of steps is accepted, but not written.
    assert_eq!(RULES.load("3/3/3 a1 c3 b 2").expect("a good position").fen(), "3/3/3 a1 c3 b");
    assert!(full.len() <= 945, "the longest string of walls");
}

#[test]
fn a_set_type_takes_what_fits_it() {
    let open = |size: usize| format!("{} a1 b2 a", vec![size.to_string(); size].join("/"));
    assert!(Position::<u64>::from_fen(&open(8)).is_ok());
    assert_eq!(Position::<u64>::from_fen(&open(9)).map_err(|e| e.field), Err(1));
    assert!(Position::<u128>::from_fen(&open(11)).is_ok());
    assert_eq!(Position::<u128>::from_fen(&open(12)).map_err(|e| e.field), Err(1));
    assert!(Position::<Wide<3>>::from_fen(&open(13)).is_ok());
    assert_eq!(Position::<Wide<3>>::from_fen(&open(14)).map_err(|e| e.field), Err(1));
    assert!(Position::<Wide<4>>::from_fen(&open(16)).is_ok());
    assert_eq!(Position::<Wide<4>>::from_fen(&open(17)).map_err(|e| e.field), Err(1));
    assert!(Position::<Wide<15>>::from_fen(&open(30)).is_ok());
}

#[test]
fn moves_are_read_in_any_case_and_refused_with_a_reason() {
    let state = Position::<u64>::from_fen("r3/4/4/4 a1 d4 a").expect("a good position");
    assert_eq!(state.parse_move("A2R").map(|m| state.move_text(m)), Ok("a2r".into()));
    for text in [
        "", "a", "a1", "1u", "a0u", "a01u", "a31u", "ae1u", "ba1u", "aaa1u", "a1x", "a1uu", "a1 u", "é1u",
        "a1ü",
    ] {
        assert_eq!(state.parse_move(text), Err(MoveError::Malformed(text.into())), "{text}");
    }
    for (text, why) in [
        ("a1r", "side r of a1 is not free"),
        ("a1u", "side u of a1 is not free"),
        ("a1l", "side l of a1 is not free"),
        ("c1u", "c1 can't be reached in 2 steps"),
        ("c3u", "c3 can't be reached in 2 steps"),
        ("d4l", "d4 can't be reached in 2 steps"),
        ("e1u", "the board ends at d4"),
        ("a5u", "the board ends at d4"),
        ("aa1u", "the board ends at d4"),
        ("ad30l", "the board ends at d4"),
    ] {
        let Err(MoveError::Illegal(shown)) = state.parse_move(text) else { panic!("{text} is accepted") };
        assert_eq!(shown, why, "{text}");
    }
    let over = Position::<u64>::from_fen("rrd2/2r2/1dbr1/rd3/r4 c1 c3 a").expect("a good position");
    assert_eq!(over.parse_move("a1u"), Err(MoveError::GameOver));
    assert_eq!(over.parse_move("a1"), Err(MoveError::Malformed("a1".into())));
}

#[test]
fn columns_go_on_with_two_letters() {
    let fen = format!("{} aa17 a1 a", vec!["30"; 30].join("/"));
    let state = RULES.load(&fen).expect("a good position");
    assert!(state.legal().contains(&"aa17l".into()));
    assert!(state.legal().contains(&"ad18d".into()));
    assert!(state.legal().contains(&"z9r".into()));
}

#[test]
fn boards_show_walls_agents_and_the_last_move() {
    let mut state = RULES.load("1r2/4/d3/4 b2 c4 a").expect("a good position");
    state.play("c2d").expect("a legal move");
    let ascii = state.board(BoardStyle { ascii: true, ..BoardStyle::default() });
    assert_eq!(
        ascii,
        [
            "   +---+---+---+---+",
            " 1 |       |       |",
            "   +   +   +   +   +",
            " 2 |        [A]    |",
            "   +   +   +===+   +",
            " 3 |               |",
            "   +---+   +   +   +",
            " 4 |         B     |",
            "   +---+---+---+---+",
            "     a   b   c   d",
            "",
            "A",
            "B  to move",
            "walks of up to 2 steps",
        ]
    );
    let unicode = state.board(BoardStyle::default());
    assert_eq!(
        unicode[..9],
        [
            "   ┏━━━━━━━┳━━━━━━━┓",
            " 1 ┃       ┃       ┃",
            "   ┃   ·   ╹   ·   ┃",
            " 2 ┃        [A]    ┃",
            "   ┃   ·   ╺═══╸   ┃",
            " 3 ┃               ┃",
            "   ┣━━━╸   ·   ·   ┃",
            " 4 ┃         B     ┃",
            "   ┗━━━━━━━━━━━━━━━┛",
        ]
    );
    let compact = state.board(BoardStyle { ascii: true, colour: false, compact: true });
    assert_eq!(
        compact[..10],
        [
            "   +-+-+-+-+",
            " 1 |   |   |",
            "   + + + + +",
            " 2 |    A  |",
            "   + + +=+ +",
            " 3 |       |",
            "   +-+ + + +",
            " 4 |    B  |",
            "   +-+-+-+-+",
            "    a b c d",
        ]
    );
    let over = RULES.load("rrd2/2r2/1dbr1/rd3/r4 c1 c3 a").expect("a good position");
    let lines = over.board(BoardStyle::default());
    assert_eq!(lines[lines.len() - 3..], ["A", "B", "A has won: 15 cells to 10"]);
    let drawn = RULES.load("4/dddd/4/4 a1 b4 a").expect("a good position").board(BoardStyle::default());
    assert_eq!(drawn[drawn.len() - 1], "drawn: 8 cells each");
    let coloured = state.board(BoardStyle { ascii: true, colour: true, compact: false }).join("\n");
    assert!(coloured.contains("\x1b[1;36mA\x1b[0m") && coloured.contains("\x1b[1;35m===\x1b[0m"));
}

/// A barrier upright, and one named from its other side.
#[test]
fn the_last_barrier_is_marked_whichever_side_it_was_put_on() {
    for (m, line) in [("b2r", " 2 |    [B]#       |"), ("c2l", " 2 |     B #[A]    |")] {
        let fen = if m == "b2r" { "4/4/4/4 a1 b2 b" } else { "4/4/4/4 c3 b2 a" };
        let mut state = RULES.load(fen).expect("a good position");
        state.play(m).expect("a legal move");
        assert_eq!(state.board(BoardStyle { ascii: true, ..BoardStyle::default() })[3], line, "{m}");
    }
}
