//! Swiss tournaments: rounds that depend on results, whatever the order the games end in.

use std::fs;

use serde_json::{Value, json};

use crate::cli::{directory, games, records, run_in};
use crate::export::assert_table_is_right;

const TOURNAMENT: [&str; 14] = [
    "tournament",
    "simplexity",
    "random",
    "sequential",
    "minimax{Depth=1}",
    "two=minimax{Depth=2}",
    "builtin",
    "--format",
    "swiss",
    "--rounds",
    "3",
    "--nodes",
    "300",
    "--seed=5",
];

#[test]
fn the_table_is_the_same_at_any_concurrency_and_after_an_interruption() {
    let dir = directory();
    let [one, eight, cut] = ["one", "eight", "cut"].map(|name| dir.path().join(name));
    for (journal, concurrency) in [("one", "1"), ("eight", "8")] {
        let place = ["--concurrency", concurrency, "--journal", journal];
        let done = run_in(dir.path(), &[&TOURNAMENT[..], &place].concat());
        assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
        assert!(done.out.contains("Buchholz") && done.out.contains("\nbye in round 3: "), "{}", done.out);
        assert_table_is_right(dir.path(), journal);
    }
    let whole = games(&one);
    assert_eq!(whole.len(), 12, "three rounds of two pairs, five engines");
    assert_eq!(whole, games(&eight));
    let byes = records(&one, "bye");
    assert_eq!(byes, records(&eight, "bye"));
    assert_eq!(byes[0], json!({"type": "bye", "round": 0, "engine": "builtin", "games": 2}));

    let text = fs::read_to_string(&one).expect("a journal");
    fs::write(&cut, &text[..text.len() / 2]).expect("it is written");
    let done = run_in(dir.path(), &["resume", "cut", "--concurrency", "2"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    assert_eq!((games(&cut), records(&cut, "bye")), (whole, byes));
    let table = |journal: &str| {
        let done = run_in(dir.path(), &["standings", journal, "--json"]);
        let mut table: Value = serde_json::from_str(&done.out).expect("JSON");
        for row in table["standings"].as_array_mut().expect("rows") {
            row.as_object_mut().expect("a row").remove("time");
        }
        table
    };
    assert_eq!((table("one"), table("one")), (table("eight"), table("cut")));
    let byes: u64 = table("one")["standings"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["byes"].as_u64())
        .sum();
    assert_eq!(byes, 6);

    let done = run_in(dir.path(), &["standings", "one", "eight", "--json"]);
    let both: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(both["games"], 24, "two journals are one table");
}

#[test]
fn the_plan_shows_the_round_that_is_known() {
    let dir = directory();
    let done = run_in(dir.path(), &[&TOURNAMENT[..], &["--plan"]].concat());
    assert_eq!((done.code, done.out.lines().count()), (0, 4), "{}", done.err);
    for (arguments, part) in [
        (&["--rounds", "6"][..], "a Swiss tournament needs fewer rounds than engines"),
        (&["--format", "gauntlet", "--seeds", "9"], "a gauntlet needs at least one seed"),
        (&["--seeds", "1"], "--seeds is for --format gauntlet"),
    ] {
        let done = run_in(dir.path(), &[&TOURNAMENT[..], arguments].concat());
        assert_eq!(done.code, 1);
        assert!(done.err.contains(part), "{}", done.err);
    }
    let args = ["tournament", "simplexity", "random", "sequential", "--format", "swiss"];
    let done = run_in(dir.path(), &args);
    assert!(done.code == 1 && done.err.contains("--format swiss needs --rounds N"), "{}", done.err);
}
