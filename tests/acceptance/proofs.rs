//! Exact values and their proofs, by the program and by whoever checks them.

use std::fs;

use arbiter::proof::verify;
use serde_json::Value;

use crate::cli::{directory, run, run_in};

/// Starts of each game with their values.
const SOLVED: [(&str, &str, &str); 7] = [
    ("simplexity", "rows 3 cols 3 win 3 round 2 square 3", "loss"),
    ("simplexity", "rows 3 cols 3 win 3 round 2 square 2", "draw"),
    ("simplexity", "rows 4 cols 4 win 3 round 4 square 4", "win"),
    ("xrudder", "rows 3 cols 3 tokens 3 moves 1", "draw"),
    ("andantino", "radius 1", "draw"),
    ("colosseum", "size 3 seed 1", "draw"),
    ("colosseum", "size 3 seed 6", "win"),
];

#[test]
fn values_come_with_proofs_that_hold() {
    let dir = directory();
    for (index, (game, setup, value)) in SOLVED.into_iter().enumerate() {
        let file = format!("proof-{index}");
        let solve = |more: &[&str]| run_in(dir.path(), &[&["solve", game, "--setup", setup], more].concat());
        let done = solve(&["--proof", &file]);
        assert_eq!(done.code, 0, "{game} {setup}: {}", done.err);
        let last = done.out.lines().last().expect("a line").to_owned();
        assert!(
            last == format!("value {value}") || last.starts_with(&format!("value {value} distance ")),
            "{last}"
        );
        let checked = run_in(dir.path(), &["verify-proof", &file]);
        assert_eq!(checked.code, 0, "{game} {setup}: {}", checked.err);
        assert_eq!(checked.out.lines().last(), Some(format!("value {value}").as_str()));
        assert_eq!(checked.out.matches("proved ").count(), done.out.matches("proof ").count());

        let json: Value = serde_json::from_str(&solve(&["--json"]).out).expect("JSON");
        assert_eq!(json["value"], value, "{game} {setup}");
        assert!(json["nodes"].is_u64(), "{json}");
        let known = format!("proof-{index}");
        let done = solve(&["--proof", &known]);
        let expected = format!("error: --proof {known}: the file exists; choose another name\n");
        assert_eq!((done.code, done.err), (1, expected), "an existing file is never written");
    }
}

#[test]
fn the_same_question_has_the_same_answer_and_proof() {
    let dir = directory();
    let solve = |file| {
        let args = ["solve", "xrudder", "--setup", "rows 3 cols 3 tokens 4 moves 2", "--proof", file];
        (run_in(dir.path(), &args).out, fs::read(dir.path().join(file)).expect("a proof"))
    };
    assert_eq!(solve("a"), solve("b"));
}

#[test]
fn one_goal_may_leave_the_value_open() {
    for (goal, answer, value) in [("win", "not reached", "unknown"), ("draw", "reached", "unknown")] {
        let dir = directory();
        let fen = "3/3/3 w 2,2,2,2 3";
        let args = ["solve", "simplexity", "--fen", fen, "--goal", goal, "--proof", "p"];
        let done = run_in(dir.path(), &args);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.starts_with(&format!("goal {goal} {answer}\n")), "{}", done.out);
        assert!(done.out.ends_with(&format!("value {value}\n")), "{}", done.out);
        let checked = run_in(dir.path(), &["verify-proof", "p"]);
        assert!(checked.out.ends_with("value unknown\n"), "{}{}", checked.out, checked.err);
    }
}

#[test]
fn limits_end_a_search_without_an_answer_or_a_file() {
    let dir = directory();
    for limit in [["--nodes", "20000"], ["--time", "0.2"]] {
        let args = [&["solve", "simplexity", "--memory", "8", "--proof", "p"][..], &limit].concat();
        let done = run_in(dir.path(), &args);
        assert_eq!((done.code, done.out.lines().last()), (6, Some("value unknown")), "{}", done.err);
        assert!(!dir.path().join("p").exists());
    }
}

#[test]
fn bad_arguments_are_named() {
    for (args, part) in [
        (&["solve", "chess"][..], "no game \"chess\""),
        (&["solve", "simplexity", "--fen", "x"], "--fen \"x\": field "),
        (&["solve", "simplexity", "--setup", "rows"], "set-up key rows has no value"),
        (&["solve", "simplexity", "--time", "0"], "expected a number of seconds above 0"),
        (&["solve", "simplexity", "--goal", "lose"], "[possible values: win, draw]"),
        (&["solve", "simplexity", "--memory", "0"], "expected an integer from 1 to 16777216"),
        (&["solve", "simplexity", "--memory", "16777216"], "MiB are more than can be had at present"),
        (&["verify-proof", "nowhere"], "nowhere: No such file"),
    ] {
        let done = run(args);
        assert_eq!(done.code, 1, "{args:?}: {}", done.err);
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
    }
}

/// A proof of a draw, which is one of two claims.
fn draw() -> Vec<u8> {
    let dir = directory();
    let args = ["solve", "simplexity", "--setup", "rows 3 cols 3 win 3 round 2 square 2", "--proof", "p"];
    assert_eq!(run_in(dir.path(), &args).code, 0);
    fs::read(dir.path().join("p")).expect("a proof")
}

fn find(bytes: &[u8], part: &str) -> usize {
    bytes.windows(part.len()).position(|window| window == part.as_bytes()).expect("it is there")
}

fn replace(bytes: &[u8], part: &str, with: &[u8]) -> Vec<u8> {
    let at = find(bytes, part);
    [&bytes[..at], with, &bytes[at + part.len()..]].concat()
}

#[test]
fn damaged_proofs_are_refused_with_one_line() {
    let good = draw();
    assert_eq!(verify(&good[..], 64).expect("a proof").value(), "draw");
    let claim = "claim p2 draw\n";
    let body = find(&good, claim) + claim.len();
    let head = &good[..find(&good, claim)];
    let with = |text: &str| [head, text.as_bytes()].concat();
    let set = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    for (what, bytes, part) in [
        ("nothing", Vec::new(), "line 1: expected \"ludus-proof 1\""),
        ("another version", replace(&good, "proof 1", b"proof 2"), "line 1: expected \"ludus-proof 1\""),
        ("another kind of file", vec![0xff; 100_000], "line 1: expected a line of text"),
        ("no game", replace(&good, "game ", b"gone "), "line 2: expected \"game\" and a value"),
        (
            "an unknown game",
            replace(&good, "simplexity", b"chess"),
            "line 2: expected one of the games andantino",
        ),
        ("an unknown key", replace(&good, "rows", b"row"), "line 3: expected a set-up of simplexity"),
        (
            "a key without value",
            replace(&good, "square 2", b"square"),
            "line 3: expected a set-up of simplexity",
        ),
        (
            "another start",
            replace(&good, "square 2", b"square 3"),
            "line 4: expected the start of the set-up",
        ),
        ("no position", replace(&good, "fen ", b"fan "), "line 4: expected \"fen\" and a position"),
        (
            "no such position",
            b"ludus-proof 1\ngame simplexity\nfen 9\n".to_vec(),
            "line 3: expected a position: field ",
        ),
        ("text that is none", replace(&good, "fen ", b"fen \xff"), "line 4: expected a line of text"),
        ("no claim", head.to_vec(), "line 5: expected a claim"),
        ("no such claim", with("claim p3 win\n"), "line 5: expected another claim"),
        ("a claim without its line feed", with("claim p2 draw"), "line 5: expected a line of text"),
        ("a claim without moves", with(claim), "claim 1: byte 1: the proof ends here, expected a move in "),
        ("a lost end", good[..good.len() - 1].to_vec(), "the proof ends here, expected a move in "),
        ("more than the proof", [&good[..], b"x"].concat(), "expected a line of text"),
        ("the same claim twice", [&good[..], claim.as_bytes()].concat(), "expected another claim"),
        ("a move that isn't there", set(body, 0x7f), "claim 1: byte 1: expected one of 6 moves in "),
        (
            "an endless number",
            [&good[..body], &[0xff; 9]].concat(),
            "claim 1: byte 4: expected one of 6 moves in ",
        ),
        ("a claim that isn't true", replace(&good, "p2 draw", b"p2 win"), "claim 1: byte "),
        ("the claim of the other", replace(&good, "p2 draw", b"p1 win"), "claim 1: byte "),
    ] {
        let error = verify(&bytes[..], 64).expect_err(what).to_string();
        assert!(error.contains(part) && error.lines().count() == 1, "{what}: {error}");
    }
    let error = verify(&good[..], 0).expect_err("no memory").to_string();
    assert!(error.contains("take more than 0 MiB"), "{error}");
}

#[test]
fn whatever_the_bytes_no_false_value_is_accepted() {
    let good = draw();
    let (mut refused, mut others) = (0, 0);
    for at in find(&good, "fen ")..good.len() {
        for byte in [0, 1, 2, 5, 0x80, good[at] ^ 1, good[at].wrapping_add(1)] {
            let mut bytes = good.clone();
            bytes[at] = byte;
            match verify(&bytes[..], 64) {
                Ok(verified) => {
                    others += 1;
                    assert_eq!(verified.value(), "draw", "byte {at} set to {byte}");
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > others, "{refused} refused, {others} still proofs");
}

#[test]
fn a_proof_that_does_not_hold_has_an_exit_code_of_its_own() {
    let dir = directory();
    let good = draw();
    fs::write(dir.path().join("p"), &good[..good.len() - 3]).expect("it is written");
    let done = run_in(dir.path(), &["verify-proof", "p"]);
    assert_eq!((done.code, done.out.as_str()), (6, ""));
    assert!(
        done.err.starts_with("error: p: claim 2: byte ") && done.err.lines().count() == 1,
        "{}",
        done.err
    );
}
