//! Games played and judged by others.

mod common;

use common::rows;
use game::{Outcome, Rules, Ruleset, Setup, State};
use simplexity::Simplexity;

const RULES: Ruleset<Simplexity> = Ruleset::new();

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
        let [start, moves, end, verdict, digest] = &game[..] else { panic!("five columns in {game:?}") };
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
        assert_eq!(&state.fen(), end, "after {moves} from {start}");
        assert_eq!(&result(state.outcome()), verdict, "after {moves} from {start}");
        assert_eq!(&format!("{hash:016x}"), digest, "legal moves on the way through {moves} from {start}");
        let loaded = RULES.load(end).expect("the end loads");
        assert_eq!(result(loaded.outcome()), result(state.outcome()), "{end} loaded");
        assert_eq!(loaded.key(), state.key(), "{end} loaded");
    }
}

#[test]
fn published_games_end_as_published() {
    let games = rows("published-games.txt");
    assert!(games.len() > 150);
    for game in games {
        let [setup, published, moves] = &game[..] else { panic!("three columns in {game:?}") };
        let values = setup.split(' ').map(|n| n.parse().expect("a number")).collect();
        let mut state = RULES.start(&Setup(values));
        for m in moves.split(' ') {
            assert_eq!(state.outcome(), None, "the game goes on before {m} in {moves}");
            state.play(m).expect("the move is legal");
        }
        let result = state.outcome().map_or("forfeit", |outcome| outcome.token());
        assert_eq!(result, published, "{moves}");
    }
}

/// The rules' examples of what counts before what: set-up, moves, the position they lead to, the result.
#[test]
fn shape_beats_colour_whoever_moves() {
    let standard = [6, 7, 4, 10, 11];
    for (setup, moves, fen, expected) in [
        (standard, "1s 1o 2s 2o 3s 3o 4s", "7/7/7/7/rrr4/WWWW3 r 10,7,7,11 4", "p2win line-shape"),
        (standard, "7s 1o 7o 2o 6s 3o 6s 4o", "7/7/7/7/5Ww/rrrr1WW w 9,8,6,11 4", "p1win line-shape"),
        (standard, "1o 7s 2s 7s 3o 7o 4s", "7/7/7/6r/6R/wWwW2R r 8,9,9,9 4", "p1win line-colour"),
        (standard, "1s 2s 7o 3s 4s", "7/7/7/7/7/WRRW2w r 9,9,10,9 4", "p2win line-shape"),
        (
            [4, 5, 3, 5, 5],
            "1o 1s 3o 5s 3s 1o 4o 3s 5o 2s 1o 5s 5s 3o 4s",
            "w1r1W/r1R1R/R1WWw/wRwwR r 0,2,3,0 3",
            "p2win line-shape",
        ),
        ([3, 3, 3, 2, 3], "2o 3s 1o 3o 1s 2s 3s 2o 1s", "WrW/WRr/wwR r 0,0,0,1 3", "p2win line-shape"),
        ([3, 3, 3, 2, 2], "1s 2s 1s 1o 3o 2s 2o 3o", "rw1/WRr/WRw w 0,0,0,0 3", "draw no-pieces"),
    ] {
        let mut state = RULES.start(&Setup(setup.to_vec()));
        for m in moves.split(' ') {
            state.play(m).expect("the move is legal");
        }
        assert_eq!(state.fen(), fen);
        assert_eq!(result(state.outcome()), expected, "{fen}");
        assert_eq!(result(RULES.load(fen).expect("the end loads").outcome()), expected, "{fen} loaded");
        assert!(state.legal().is_empty());
    }
}

/// Boards that cannot arise in play, where the order of the tests decides.
#[test]
fn the_order_of_the_tests_decides_on_made_up_boards() {
    for (fen, expected) in [
        // Lines of both shapes and of White; no round one; lines of both colours.
        ("4/wwww/WWWW/RrRr/rRrR w 0,0,0,0 4", "p1win line-shape"),
        ("4/wwWw/WWWW/RrRr/rRrR w 1,0,0,1 4", "p2win line-shape"),
        ("wWwW/rRrR w 0,0,0,0 4", "p1win line-colour"),
    ] {
        assert_eq!(result(RULES.load(fen).expect("the board loads").outcome()), expected, "{fen}");
    }
}
