//! Sequential tests: the calculator, and runs that end with a verdict.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::{Done, directory, fake, records, run_in};

/// A match that the first engine wins or loses clearly, in a few dozen pairs.
fn test(dir: &Path, [one, other]: [&str; 2], journal: &str, more: &[&str]) -> Done {
    let args = ["match", "simplexity", one, other, "--nodes", "100000", "--sprt", "class", "--seed", "1"];
    run_in(dir, &[&args[..], &["--exit-on-sprt", "--journal", journal], more].concat())
}

const DEEP: &str = "deep=minimax{Depth=2}";
const SHALLOW: &str = "shallow=minimax{Depth=1}";

#[test]
fn a_test_ends_a_match_with_the_same_verdict_however_it_is_run() {
    let dir = directory();
    let path = |name: &str| dir.path().join(name);
    let done = test(dir.path(), [DEEP, SHALLOW], "one", &["--concurrency", "1"]);
    assert_eq!(done.code, 10, "{}\n{}", done.out, done.err);
    assert!(done.out.contains("H1 accepted\nLLR "), "{}", done.out);
    let verdict = records(&path("one"), "verdict");
    assert_eq!(verdict.len(), 1);
    assert_eq!(verdict[0]["accepted"], "H1");

    let done = test(dir.path(), [DEEP, SHALLOW], "three", &["--concurrency", "3"]);
    assert_eq!(done.code, 10, "{}\n{}", done.out, done.err);
    assert_eq!(records(&path("three"), "verdict"), verdict);

    // As if the machine had failed early: some games, and a torn line.
    let text = fs::read_to_string(path("three")).expect("a journal");
    let start: usize = text.split_inclusive('\n').take(30).map(str::len).sum();
    fs::write(path("cut"), &text[..start + 100]).expect("a journal");
    let done = run_in(dir.path(), &["resume", "cut", "--exit-on-sprt"]);
    assert_eq!(done.code, 10, "{}\n{}", done.out, done.err);
    assert_eq!(records(&path("cut"), "verdict"), verdict);
    let games = records(&path("cut"), "game").len();
    let done = run_in(dir.path(), &["resume", "cut"]);
    assert_eq!(done.code, 0, "nothing is left to play: {}", done.err);
    assert_eq!((records(&path("cut"), "game").len(), records(&path("cut"), "verdict").len()), (games, 1));

    // The table computes the verdict from the games.
    let done = run_in(dir.path(), &["standings", "one", "--json"]);
    let table: Value = serde_json::from_str(&done.out).expect("JSON");
    let sprt = &table["sprt"];
    assert_eq!((&sprt["verdict"], &sprt["counts"]), (&json!("H1"), &verdict[0]["counts"]));
    assert_eq!((&sprt["llr"], &sprt["bounds"]), (&verdict[0]["llr"], &verdict[0]["bounds"]));
}

#[test]
fn without_a_test_there_is_no_verdict_to_exit_with() {
    let dir = directory();
    let args = [
        "match",
        "simplexity",
        DEEP,
        SHALLOW,
        "--nodes",
        "100",
        "--games",
        "2",
        "--exit-on-sprt",
        "--journal",
        "none",
    ];
    let done = run_in(dir.path(), &args);
    assert_eq!(
        (done.code, done.err.trim()),
        (1, "error: --exit-on-sprt: expected a run with a test (--sprt)")
    );
    assert!(!dir.path().join("none").exists());
}

#[test]
fn a_weaker_engine_and_too_few_pairs_have_their_verdicts_too() {
    let dir = directory();
    let done = test(dir.path(), [SHALLOW, DEEP], "weak", &[]);
    assert_eq!(done.code, 11, "{}\n{}", done.out, done.err);
    assert_eq!(records(&dir.path().join("weak"), "verdict")[0]["accepted"], "H0");
    let done = test(dir.path(), [DEEP, SHALLOW], "few", &["--rounds", "3"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let verdict = &records(&dir.path().join("few"), "verdict")[0];
    assert_eq!((&verdict["accepted"], &verdict["pairs"]), (&json!("inconclusive"), &json!(3)));
}

#[test]
fn faults_spoil_a_test() {
    let dir = directory();
    let done = test(dir.path(), [&fake("illegal-move", "1"), SHALLOW], "j", &["--recover"]);
    assert_eq!(done.code, 3, "{}\n{}", done.out, done.err);
    assert_eq!(records(&dir.path().join("j"), "verdict")[0]["accepted"], "invalid");
    assert!(done.out.contains("invalid, "), "{}", done.out);
}

#[test]
fn senseless_tests_are_usage_errors() {
    let dir = directory();
    let play = ["match", "simplexity", "random", "random", "--sprt"];
    for (args, part) in [
        (&["class,alpha=0"][..], "alpha and beta above 0"),
        (&["elo0=10,elo1=0"], "elo0 below elo1"),
        (&["clas"], "expected class, dev, fine or non-regression"),
        (&["class", "--no-swap"], "needs two engines and pairs of games"),
    ] {
        let done = run_in(dir.path(), &[&play[..], args].concat());
        assert_eq!(done.code, 1, "{args:?}: {}", done.err);
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
    }
    let play = ["tournament", "simplexity", "random", "random", "sequential", "--sprt", "class"];
    let done = run_in(dir.path(), &play);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("needs two engines"), "{}", done.err);
}

#[test]
fn the_calculator_agrees_with_the_reference() {
    let dir = directory();
    let args = ["sprt", "13-37-50-25-3", "--sprt", "elo0=0,elo1=4", "--plan", "--json"];
    let done = run_in(dir.path(), &args);
    assert_eq!(done.code, 0, "{}", done.err);
    let value: Value = serde_json::from_str(&done.out).expect("JSON");
    let near = |value: &Value, expected: f64| (value.as_f64().expect("a number") - expected).abs() < 1e-9;
    assert!(near(&value["result"]["llr"], -0.549_124_587_401_263_4), "{value}");
    assert!(near(&value["result"]["strength"]["normalized_elo"], -63.968_076_277_349_816), "{value}");
    assert_eq!(value["result"]["verdict"], Value::Null);
    assert!(near(&value["plan"][4]["pass_probability"], 0.05), "{value}");
    assert!(near(&value["plan"][8]["pass_probability"], 0.95), "{value}");

    let done = run_in(dir.path(), &["sprt", "60-20-20"]);
    assert!(done.code == 0 && done.out.contains("verdict  H1 accepted"), "{}", done.out);
    for (args, part) in [
        (&["sprt"][..], "required arguments"),
        (&["sprt", "1-2"], "such as 13-37-50-25-3"),
        (&["sprt", "1-2-3", "--sprt", "x"], "expected class"),
    ] {
        let done = run_in(dir.path(), args);
        assert_eq!(done.code, 1, "{args:?}: {}", done.err);
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
    }
}
