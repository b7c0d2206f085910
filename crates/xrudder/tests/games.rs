//! Games played and judged by another implementation.

mod common;

use common::rows;
use game::{Outcome, Rules, Ruleset, State};
use xrudder::XRudder;

const RULES: Ruleset<XRudder> = Ruleset::new();

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
        for m in moves.split_whitespace() {
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
