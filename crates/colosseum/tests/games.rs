//! Games and start positions that another implementation has played, judged and drawn.

mod common;

use colosseum::Colosseum;
use common::rows;
use game::{Family, Rules, Ruleset, SetupError, State};

const RULES: Ruleset<Colosseum> = Ruleset::new();

fn result(state: &dyn State) -> String {
    let (a, b) = state.score().expect("a game of points");
    match state.outcome() {
        None => format!("none {a} {b}"),
        Some(outcome) => format!("{} {} {a} {b}", outcome.token(), outcome.reason),
    }
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
        for m in moves.split_whitespace() {
            digest_position(&*state);
            state.play(m).expect("the move is legal");
        }
        digest_position(&*state);
        assert_eq!(&state.fen(), end, "after {moves} from {start}");
        assert_eq!(&result(&*state), verdict, "after {moves} from {start}");
        assert_eq!(&format!("{hash:016x}"), digest, "legal moves on the way through {moves} from {start}");
        let loaded = RULES.load(end).expect("the end loads");
        assert_eq!(result(&*loaded), result(&*state), "{end} loaded");
        assert_eq!(loaded.key(), state.key(), "{end} loaded");
    }
}

fn set_up(values: &str) -> Result<game::Setup, SetupError> {
    let keys = Colosseum::PARAMS.iter().map(|p| p.key);
    let pairs: Vec<_> = keys.zip(values.split(' ')).collect();
    RULES.setup(&pairs)
}

#[test]
fn starts_are_drawn_as_documented() {
    let starts = rows("starts.txt");
    assert!(starts.len() > 100);
    for row in starts {
        let [values, start] = &row[..] else { panic!("two columns in {row:?}") };
        match set_up(values) {
            Ok(setup) => {
                assert_eq!(&RULES.start(&setup).fen(), start, "{values}");
                assert_eq!(setup.0.iter().map(i64::to_string).collect::<Vec<_>>().join(" "), *values);
            }
            Err(error) => assert_eq!((start.as_str(), error.key.as_str()), ("none", "barriers"), "{values}"),
        }
    }
}

#[test]
fn values_left_open_follow_from_the_others() {
    for (given, resolved) in [
        ("6 auto auto 2022 0", "6 3 3 2022 0"),
        ("7 auto auto 2022 0", "7 4 4 2022 0"),
        ("7 auto auto 2023 0", "7 4 2 2023 0"),
        ("8 1 auto 2023 9", "8 1 3 2023 9"),
        ("3 auto auto 2023 0", "3 2 0 2023 0"),
        ("30 900 30 2022 9223372036854775807", "30 900 30 2022 9223372036854775807"),
    ] {
        let setup = set_up(given).expect("a good set-up");
        assert_eq!(setup.0.iter().map(i64::to_string).collect::<Vec<_>>().join(" "), resolved);
    }
    assert_eq!(Colosseum::default_setup().0, [6, 3, 3, 2022, 0]);
}

#[test]
fn bad_set_ups_are_refused_by_key() {
    for (values, key) in [
        ("2 auto auto 2022 0", "size"),
        ("31 auto auto 2022 0", "size"),
        ("auto auto auto 2022 0", "size"),
        ("6 -1 auto 2022 0", "steps"),
        ("6 901 auto 2022 0", "steps"),
        ("6 auto 7 2022 0", "barriers"),
        ("6 auto -1 2022 0", "barriers"),
        ("6 auto auto 2021 0", "generator"),
        ("6 auto auto 2024 0", "generator"),
        ("6 auto auto auto 0", "generator"),
        ("6 auto auto 2022 -1", "seed"),
        ("6 auto auto 2022 9223372036854775808", "seed"),
    ] {
        assert_eq!(set_up(values).expect_err("a bad set-up").key, key, "{values}");
    }
}

/// The rules' examples: what ends the game, and how.
#[test]
fn endings_are_judged_by_cells() {
    for (fen, moves, expected) in [
        // A has no room to walk, and closes the only way out.
        ("rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a2 a", "a1d", "p2win territory 1 24"),
        // Cells that belong to nobody.
        ("rrd2/2r2/1dbr1/rd3/r4 c1 c3 a", "", "p1win territory 15 10"),
        // Loaded when it is over.
        ("3/ddd/3 a1 a3 a", "", "p1win territory 6 3"),
        // The mover shuts itself in.
        ("d3/4/4/4 a1 a4 a", "a1r", "p2win territory 1 15"),
        // A wall from border to border, and before its last piece.
        ("4/dd2/4/4 a1 a4 a 9", "c2d", "none 16 16"),
        ("4/dd2/4/4 a1 a4 a 9", "c2d d3u", "draw territory 8 8"),
    ] {
        let mut state = RULES.load(fen).expect("a good position");
        for m in moves.split_whitespace() {
            state.play(m).expect("the move is legal");
        }
        assert_eq!(result(&*state), expected, "{fen} {moves}");
    }
}
