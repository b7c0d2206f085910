//! Games that end by what the engines say of them, from the command line to the table.

use std::fs;

use serde_json::{Value, json};

use crate::cli::{directory, fake, games, records, run_in};

/// Centipawns of the last move but `ago`, from its mover's side; ends in sight are beyond all others.
fn score(game: &Value, ago: usize) -> Option<i64> {
    let said = game["evals"].as_array().and_then(|evals| evals.iter().rev().nth(ago))?;
    said["mate"].as_i64().map(|moves| moves.signum() * 1_000_000).or(said["cp"].as_i64())
}

#[test]
fn adjudicated_games_are_results_like_any_other_and_the_same_when_resumed() {
    let dir = directory();
    let engines = ["match", "simplexity", "a=builtin", "b=builtin", "--nodes", "500", "--seed", "3"];
    let rules = ["--games", "6", "--resign", "movecount=1,score=100,twosided", "--journal", "j"];
    let done = run_in(dir.path(), &[&engines[..], &rules].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let path = dir.path().join("j");
    let resign = json!({"resign": {"movecount": 1, "score": 100, "twosided": true}});
    assert_eq!(records(&path, "plan")[0]["adjudication"], resign);

    let all = games(&path);
    let adjudicated: Vec<&Value> = all.iter().filter(|game| game["reason"] == "adjudicated").collect();
    assert!(!adjudicated.is_empty(), "{all:?}");
    for game in &adjudicated {
        let first = usize::from(game["fen"].as_str().is_some_and(|fen| fen.contains(" r ")));
        let last_mover = (first + game["moves"].as_array().map_or(0, Vec::len) + 1) % 2;
        let [own, other] = [0, 1].map(|ago| score(game, ago).expect("a score"));
        assert!(own.abs() >= 100 && other.abs() >= 100 && own.signum() == -other.signum(), "{game}");
        let winner = if own > 0 { last_mover } else { 1 - last_mover };
        assert_eq!(game["result"], ["p1win", "p2win"][winner], "{game}");
        assert_eq!(game["guilty"], Value::Null);
    }
    let table = run_in(dir.path(), &["standings", "j", "--json"]).out;
    let table: Value = serde_json::from_str(&table).expect("JSON");
    assert_eq!((&table["games"], &table["faults"]), (&json!(6), &json!([])));

    let text = fs::read_to_string(&path).expect("a journal");
    let cut: String = text.split_inclusive('\n').take(2).collect();
    let path = dir.path().join("k");
    fs::write(&path, cut).expect("it is written");
    let done = run_in(dir.path(), &["resume", "k"]);
    assert_eq!((done.code, games(&path)), (0, all), "{}", done.err);
}

#[test]
fn even_games_are_drawn() {
    let dir = directory();
    // Two engines that always say 12 centipawns.
    let engines =
        ["match", "simplexity", &fake("bad-info", "1"), &format!("other_{}", fake("bad-info", "1"))];
    for (rule, drawn) in [("movenumber=2,movecount=1,score=12", true), ("movecount=1,score=11", false)] {
        let limits = ["--movetime", "10000", "--games", "2", "--draw", rule, "--journal", rule];
        let done = run_in(dir.path(), &[&engines[..], &limits].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        for game in games(&dir.path().join(rule)) {
            assert_eq!(game["reason"] == "adjudicated", drawn, "{game}");
            assert!(!drawn || game["result"] == "draw" && game["plies"] == 4, "{game}");
        }
    }
}

#[test]
fn rules_are_checked_before_anything_starts() {
    let dir = directory();
    for (option, rule, part) in [
        ("--draw", "movecount=1", "\"movecount=1\": expected movecount=MOVES, at least 1, and score="),
        ("--draw", "movecount=1,score=1,x=1", "\"x=1\": expected movecount="),
        ("--resign", "movecount=0,score=1", "expected movecount=MOVES,score=CENTIPAWNS, both at least 1"),
    ] {
        let done = run_in(dir.path(), &["match", "simplexity", "random", "random", option, rule]);
        assert_eq!((done.code, done.out.as_str()), (1, ""));
        assert!(done.err.contains(option) && done.err.contains(part), "{}", done.err);
    }
}
