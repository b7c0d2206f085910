//! Single actions and positions whose result is known.

use bits::Wide;
use game::{Game, Notation};
use serde::Deserialize;
use xrudder::{Cells, Position};

#[derive(Deserialize)]
struct Case {
    position: String,
    action: String,
    next: String,
    result: String,
    kind: String,
}

fn load<B: Cells>(fen: &str) -> Position<B> {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn after(fen: &str, actions: &[&str]) -> Position<u128> {
    actions.iter().fold(load(fen), |position, action| {
        let m = position.parse_move(action).unwrap_or_else(|e| panic!("{fen} {action}: {e}"));
        position.play(m)
    })
}

/// `p1win`, `p2win` or `draw` with the reason; `none` while the game goes on.
fn result<B: Cells>(position: &Position<B>) -> String {
    match position.outcome() {
        Some(outcome) => format!("{} {}", outcome.token(), outcome.reason),
        None => "none".into(),
    }
}

fn check<B: Cells>(case: &Case) {
    let position: Position<B> = load(&case.position);
    let next = position.play(position.parse_move(&case.action).expect("the action is legal"));
    assert_eq!(next.fen(), case.next);
    let side = match case.result.as_str() {
        "x" => "p1win",
        "o" => "p2win",
        other => other,
    };
    let reason = match case.kind.split('/').next() {
        Some("mover X" | "both valid") => " x",
        Some("uncrossed foe X") => " uncrossed-x",
        _ => "",
    };
    assert_eq!(result(&next), format!("{side}{reason}"), "{} {}", case.position, case.action);
    assert_eq!(result(&load::<B>(&case.next)), result(&next), "loaded: {}", case.next);
    assert_eq!(load::<B>(&case.next), next);
}

#[test]
fn actions_have_the_known_results() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/xrudder/cases.json");
    let text = std::fs::read_to_string(path).expect("the cases are readable");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("the cases parse");
    assert_eq!(cases.len(), 210);
    for case in &cases {
        check::<u128>(case);
        check::<Wide<11>>(case);
    }
}

#[test]
fn an_x_wins_unless_both_side_cells_are_hostile() {
    assert_eq!(result(&after("x1x/3/x1x x 1 5 0", &["b2"])), "p1win x");
    assert_eq!(result(&after("x1x/o1o/x1x x 1 5 0", &["b2"])), "none");
    assert_eq!(result(&after("x1x/o2/x1x x 1 5 0", &["b2"])), "p1win x");
    assert_eq!(result(&after("x1x/o1x/x1x x 1 5 0", &["b2"])), "p1win x");
    assert_eq!(result(&after("xox/3/xox x 1 5 0", &["b2"])), "p1win x", "above and below do not cross");
}

#[test]
fn an_x_may_touch_the_edge_but_not_wrap_around_it() {
    assert_eq!(result(&load::<u128>("1x1/x1x/3 o 5 5 5")), "none");
    // Four arms around a centre in the last column, the far ones one row off in the first column.
    assert_eq!(result(&load::<u128>("3x/x3/3x/x3/3x o 5 5 5")), "none");
    assert_eq!(result(&load::<u128>("4/x2x/3x/x2x/4 o 5 5 5")), "none");
}

#[test]
fn moving_a_crossing_token_away_loses() {
    assert_eq!(result(&after("5/1x1x1/1oxo1/1x1x1/5 o 5 5 3", &["b3a3"])), "p1win uncrossed-x");
    assert_eq!(result(&after("5/1x1x1/1oxo1/1x1x1/5 x 5 5 3", &["c5"])), "none");
}

#[test]
fn whoever_acted_wins_when_both_have_a_valid_x() {
    let both = "7/x1x2o1/oxo1o2/x1xo1o1/7 o 0 0 2";
    assert_eq!(result(&after(both, &["c3d4"])), "p2win x");
    assert_eq!(result(&after(both, &["c3d3"])), "p1win uncrossed-x");
    assert_eq!(result(&after(both, &["d2d1"])), "none");
    assert_eq!(result(&load::<u128>("7/x1xo1o1/oxo1o2/x1xo1o1/7 x 0 0 1")), "p2win x");
    assert_eq!(result(&load::<u128>("7/x1xo1o1/1xo1o2/x1xo1o1/7 x 0 0 1")), "p2win x");
    assert_eq!(result(&load::<u128>("7/x1xo1o1/1xo1o2/x1xo1o1/7 o 0 0 1")), "p1win x");
}

#[test]
fn a_crossed_x_does_not_spoil_a_valid_one() {
    assert_eq!(result(&load::<u128>("x1x4/oxo4/x1x1x1x/5x1/4x1x o 0 0 0")), "p1win x");
}

#[test]
fn passing_is_forced_or_illegal() {
    let names = |fen: &str| -> Vec<String> {
        let position: Position<u128> = load(fen);
        position.legal_moves().into_iter().map(|m| position.move_text(m)).collect()
    };
    assert_eq!(names("3/1x1/3 x 0 1 0"), ["pass"]);
    assert!(!names("3/1x1/3 x 0 1 1").contains(&"pass".into()));
    assert_eq!(names("xo1/oo1/3 x 0 0 4"), ["pass"], "blocked");
    assert_eq!(names("3/3/x2 x 0 0 1"), ["a1b1", "a1a2", "a1b2"], "no wrap-around");
    let passed = after("3/1x1/3 x 0 1 0", &["pass"]);
    assert_eq!((passed.fen().as_str(), result(&passed)), ("3/1x1/3 o 0 1 0", "none".into()));
}

#[test]
fn nobody_can_act_is_a_draw() {
    for fen in ["3/1x1/3 x 0 0 0", "xox/oxo/oxo x 3 3 9", "5/5 o 0 0 7", "x o 3 3 3"] {
        assert_eq!(result(&load::<u128>(fen)), "draw no-action", "{fen}");
    }
    assert_eq!(result(&after("3/1x1/3 x 1 0 0", &["a1"])), "draw no-action");
    assert_eq!(result(&after("1 x 1 1 0", &["a1"])), "draw no-action");
}

/// All placements, then the token moves, each by row and column.
#[test]
fn the_order_of_actions_is_canonical() {
    let position: Position<u128> = load("3/2o/x2 x 1 1 1");
    let names: Vec<String> = position.legal_moves().into_iter().map(|m| position.move_text(m)).collect();
    assert_eq!(names, ["b1", "c1", "a2", "b2", "a3", "b3", "c3", "a1b1", "a1a2", "a1b2"]);
}
