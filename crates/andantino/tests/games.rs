//! Games played and judged by others, and positions judged as the rules say.

mod common;

use andantino::Andantino;
use common::{fen, rows};
use game::{MoveError, Outcome, Rules, Ruleset, State};

const RULES: Ruleset<Andantino> = Ruleset::new();

fn result(outcome: Option<Outcome>) -> String {
    outcome.map_or("none".into(), |outcome| format!("{} {}", outcome.token(), outcome.reason))
}

/// 64-bit FNV-1a, continued.
fn fnv(hash: u64, text: &str) -> u64 {
    let bytes = text.bytes().chain([b'\n']);
    bytes.fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn random_games_go_as_in_the_oracle() {
    let games = rows("oracle-games.txt");
    assert!(games.len() > 200);
    for game in games {
        let [start, moves, verdict, digest] = &game[..] else { panic!("four columns in {game:?}") };
        let mut state = RULES.load(start).expect("the start loads");
        let mut hash = 0xcbf2_9ce4_8422_2325;
        let mut digest_position = |state: &dyn State| {
            hash = fnv(hash, &state.fen());
            hash = fnv(hash, &state.legal().join(" "));
        };
        for m in moves.split(' ') {
            digest_position(&*state);
            state.play(m).expect("the move is legal");
        }
        digest_position(&*state);
        assert_eq!(&result(state.outcome()), verdict, "after {moves} from {start}");
        assert_eq!(&format!("{hash:016x}"), digest, "legal moves on the way through {moves} from {start}");
        let loaded = RULES.load(&state.fen()).expect("the end loads");
        let token = |outcome: Option<Outcome>| outcome.map(Outcome::token);
        assert_eq!(token(loaded.outcome()), token(state.outcome()), "{} loaded", state.fen());
        assert_eq!(loaded.key(), state.key(), "{} loaded", state.fen());
    }
}

#[test]
fn the_first_moves_are_beside_the_centre() {
    let mut state = RULES.start(&RULES.setup(&[]).expect("the defaults"));
    assert_eq!(state.fen(), "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w");
    assert_eq!(state.legal(), ["i9", "j9", "i10", "k10", "j11", "k11"]);
    state.play("I10").expect("legal in any letter case");
    assert_eq!(state.legal(), ["i9", "j11"]);
    state.play("i9").expect("legal");
    assert_eq!(state.legal(), ["h9", "j9", "j11"]);
}

#[test]
fn refused_moves_say_why() {
    let mut state = RULES.start(&RULES.setup(&[("radius", "2")]).expect("a radius"));
    state.play("b3").expect("legal");
    for (text, expected) in [
        ("c3", "c3 is taken"),
        ("b3", "b3 is taken"),
        ("e2", "e2 is not on a board of radius 2"),
        ("A5", "a5 is not on a board of radius 2"),
        ("z99", "z99 is not on a board of radius 2"),
        ("d3", "d3 has fewer than two stones next to it"),
    ] {
        assert_eq!(state.play(text), Err(MoveError::Illegal(expected.into())), "{text}");
    }
    for text in
        ["", "b", "3", "33", "b0", "b03", "b3 ", " b3", "bb", "b-1", "b+1", "b300", "é3", "bé", "{3", "b3b"]
    {
        assert_eq!(state.play(text), Err(MoveError::Malformed(text.into())));
    }
    let mut start = RULES.start(&RULES.setup(&[("radius", "2")]).expect("a radius"));
    let far = MoveError::Illegal("a1 is not next to the first stone".into());
    assert_eq!(start.play("a1"), Err(far));
}

/// Positions before a move (radius, black and white stones), the move, and what it leads to.
#[test]
fn moves_end_games_as_the_rules_say() {
    for (radius, black, white, m, expected) in [
        // A ring of six around a stone.
        (3, "d4 f4 f5 f6 d6 e6", "c3 c4 d5 e5 e4", "d3", "p1win enclosure"),
        // The edge is no wall: the black stone on the corner is shut in, but not enclosed.
        (3, "d4 a1 d3 e4 f4 f6", "a2 b2 c3 e5 f5", "b1", "none"),
        // A ring around an empty cell: the opponent loses there, its owner may fill it.
        (3, "d4 e4 f5 f6 e6 d5", "c3 d3 e3 c4 f4", "e5", "p2win self-enclosure"),
        (3, "d4 e4 f5 f6 e6 d5", "b3 c3 d3 e3 c4 f4", "e5", "none"),
        // A ring of stones on the edge too, closed in the corner.
        (3, "d4 b2 e4 f4 e5 f5", "c2 c3 b3 a2 b1", "a1", "p1win enclosure"),
        // A longer ring around a stone and an empty cell.
        (3, "d4 g5 g6 f6 e6 d6 b3 b4", "d3 f4 f5 e5 d5 c4 c3", "e3", "p1win enclosure"),
        // Fives along each axis, and a run of six.
        (4, "e5 e6 e7 e8", "f5 f6 f7 f8", "e4", "p2win five"),
        (4, "e5 f5 g5 h5", "e6 f6 g6 h6", "d5", "p2win five"),
        (4, "e5 f6 g7 h8", "e4 f5 g6 h7", "d4", "p2win five"),
        (4, "e5 f5 g5 c5 b5", "c6 d6 e6 g6 h6", "d5", "p2win five"),
        // Four are not enough.
        (4, "e5 f5 g5", "d6 e6 f6", "d5", "none"),
    ] {
        let fen = fen(radius, black, white);
        let mut state = RULES.load(&fen).expect("a legal position");
        assert_eq!(state.outcome(), None, "{fen}");
        state.play(m).expect("a legal move");
        assert_eq!(result(state.outcome()), expected, "{m} in {fen}");
        assert_eq!(state.legal().is_empty(), expected != "none", "{m} in {fen}");
    }
}

#[test]
fn a_full_board_is_a_draw() {
    let mut state = RULES.load("2/1b1/2 w").expect("the start");
    for m in ["a1", "b1", "c2", "c3", "b3"] {
        state.play(m).expect("a legal move");
        assert_eq!(state.outcome(), None);
    }
    state.play("a2").expect("the last cell");
    assert_eq!(result(state.outcome()), "draw board-full");
    assert_eq!(state.play("a2"), Err(MoveError::GameOver));
}

#[test]
fn a_five_counts_before_a_ring_closed_with_it() {
    let fen = "wbwwwbwbwb/bwwbbwwwbww/wbbwwbbwwbbb/bwbwwbbbwwwbw/wwbwwbbwbwbwwb/wbwbbwwbwbbbbww/bwbbbwbwwwwbwbbb/\
               wbbwwwbwwwbbwbwbb/bbwwwbwbwbbbbwbww1/wwwbbwbwbbbwwbwwwb1/wbwwbwbbwwwwbwbbb1/wbbwbbwbwbbwwbwbb/\
               bbwwwwbbbwwbwwbw/wwbbwwbwbbwbwwb/bbwbbbwbb1bbww/bbwbbwbbwwwwb/bwbwwbwwwbbb/wwbbwwwbbbb/wbbbbwwwwb w";
    let mut state = RULES.load(fen).expect("a legal position");
    state.play("o15").expect("a legal move");
    assert_eq!(result(state.outcome()), "p1win five");
}

/// Positions that are over when they are loaded (radius, black and white stones).
#[test]
fn loaded_positions_are_judged_as_they_stand() {
    for (radius, black, white, expected) in [
        (4, "e5 f5 g5 h5 d5", "e6 f6 g6 h6 d4", "p2win five"),
        (3, "d4 g5 g6 f6 e6 d6 b3 b4", "d3 f4 f5 e5 d5 c4 c3 e3", "p1win enclosure"),
        (3, "d4 e4 f5 f6 e6 d5", "c3 d3 e3 c4 f4 e5", "p2win enclosure"),
        (3, "d4 e4 f5 f6 e6 d5 g6", "c3 d3 e3 c4 f4 e5", "p2win enclosure"),
        (1, "b2 b1 c3 a1", "a2 b3 c2", "draw board-full"),
    ] {
        let fen = fen(radius, black, white);
        let state = RULES.load(&fen).expect("a legal position");
        assert_eq!(result(state.outcome()), expected, "{fen}");
        assert_eq!(state.fen(), fen);
        assert!(state.legal().is_empty());
    }
}
