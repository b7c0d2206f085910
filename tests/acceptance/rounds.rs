//! Swiss tournaments and knockouts: rounds that depend on results, whatever the order the games end in.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::{Done, directory, games, records, run_in};
use crate::export::assert_table_is_right;

/// Five engines, and nothing that depends on the machine.
const ENGINES: [&str; 10] = [
    "tournament",
    "simplexity",
    "random",
    "sequential",
    "minimax{Depth=1}",
    "two=minimax{Depth=2}",
    "builtin",
    "--nodes",
    "300",
    "--seed=5",
];
const SWISS: [&str; 4] = ["--format", "swiss", "--rounds", "3"];
const KNOCKOUT: [&str; 4] = ["--format", "knockout", "--games", "2"];

/// Plays the tournament one game at a time, eight at a time, and with a break, and expects the same games, byes and
/// tables each time. Returns the first run; its journal is `one`.
fn play_thrice(dir: &Path, format: &[&str]) -> Done {
    let [one, eight, cut] = ["one", "eight", "cut"].map(|name| dir.join(name));
    let play = |journal: &str, concurrency: &str| {
        let place = ["--concurrency", concurrency, "--journal", journal];
        let done = run_in(dir, &[&ENGINES[..], format, &place].concat());
        assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
        assert_table_is_right(dir, journal);
        done
    };
    let done = play("one", "1");
    play("eight", "8");
    let (whole, byes) = (games(&one), records(&one, "bye"));
    assert_eq!((&games(&eight), &records(&eight, "bye")), (&whole, &byes));

    let text = fs::read_to_string(&one).expect("a journal");
    fs::write(&cut, &text[..text.len() / 2]).expect("it is written");
    let resumed = run_in(dir, &["resume", "cut", "--concurrency", "2"]);
    assert_eq!(resumed.code, 0, "{}\n{}", resumed.out, resumed.err);
    assert_eq!((games(&cut), records(&cut, "bye")), (whole, byes));
    assert_eq!((table(dir, "one"), table(dir, "one")), (table(dir, "eight"), table(dir, "cut")));
    done
}

/// The table of a journal as JSON, without what depends on the machine.
fn table(dir: &Path, journal: &str) -> Value {
    let done = run_in(dir, &["standings", journal, "--json"]);
    let mut table: Value = serde_json::from_str(&done.out).expect("JSON");
    for row in table["standings"].as_array_mut().expect("rows") {
        row.as_object_mut().expect("a row").remove("time");
    }
    table
}

#[test]
fn a_swiss_tournament_is_the_same_at_any_concurrency_and_after_an_interruption() {
    let dir = directory();
    let done = play_thrice(dir.path(), &SWISS);
    assert!(done.out.contains("Buchholz") && done.out.contains("\nbye in round 3: "), "{}", done.out);
    let one = dir.path().join("one");
    assert_eq!(games(&one).len(), 12, "three rounds of two pairs, five engines");
    assert_eq!(records(&one, "bye")[0], json!({"type": "bye", "round": 0, "engine": "builtin", "games": 2}));
    let table = table(dir.path(), "one");
    let byes = table["standings"].as_array().expect("rows").iter().filter_map(|row| row["byes"].as_u64());
    assert_eq!(byes.sum::<u64>(), 6);

    let done = run_in(dir.path(), &["standings", "one", "eight", "--json"]);
    let both: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(both["games"], 24, "two journals are one table");
}

#[test]
fn a_knockout_is_the_same_at_any_concurrency_and_after_an_interruption() {
    let dir = directory();
    let done = play_thrice(dir.path(), &KNOCKOUT);
    assert!(done.out.contains("\nround 1: random has a bye\n"), "{}", done.out);
    let byes = records(&dir.path().join("one"), "bye");
    let expected = ["random", "sequential", "minimax"];
    assert_eq!(byes.iter().map(|bye| bye["engine"].as_str()).collect::<Vec<_>>(), expected.map(Some));
    assert!(byes.iter().all(|bye| bye["games"] == 0 && bye["round"] == 0));

    let table = table(dir.path(), "one");
    let matches = table["knockout"].as_array().expect("matches");
    let players: Vec<_> = matches.iter().map(|one| one["engines"].clone()).collect();
    assert_eq!(players[0], json!(["two", "builtin"]));
    let winner = |of: usize| matches[of]["winner"].clone();
    assert_eq!(players[1..3], [json!(["random", winner(0)]), json!(["sequential", "minimax"])]);
    assert_eq!(players[3], json!([winner(1), winner(2)]));
    assert_eq!((&matches[3]["final"], &winner(3)), (&json!(true), &table["standings"][0]["engine"]));
    let extra: u64 = matches.iter().filter_map(|one| one["extra_pairs"].as_u64()).sum();
    assert_eq!(table["games"], 8 + 2 * extra);
    let name = winner(3);
    assert!(done.out.contains(&format!("\nfinal: {} ", name.as_str().expect("a name"))), "{}", done.out);
}

#[test]
fn a_tournament_file_can_ask_for_a_knockout() {
    let dir = directory();
    let file = "game = \"simplexity\"\nformat = \"knockout\"\ngames = 2\nnodes = 100\nseed = 1\n";
    fs::write(dir.path().join("cup.toml"), file).expect("it is written");
    let done =
        run_in(dir.path(), &["tournament", "cup.toml", "random", "sequential", "builtin", "--journal", "j"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    assert!(done.out.contains("at most 24 games") && done.out.contains("\nfinal: "), "{}", done.out);
    assert_eq!(records(&dir.path().join("j"), "plan")[0]["format"], "knockout");
}

#[test]
fn the_plan_shows_the_round_that_is_known() {
    let dir = directory();
    for (format, games) in [(SWISS, 4), (KNOCKOUT, 2)] {
        let done = run_in(dir.path(), &[&ENGINES[..], &format, &["--plan"]].concat());
        assert_eq!((done.code, done.out.lines().count()), (0, games), "{}", done.err);
    }
    for (arguments, part) in [
        (&["--rounds", "6"][..], "a Swiss tournament needs fewer rounds than engines"),
        (&["--format", "gauntlet", "--seeds", "9"], "a gauntlet needs at least one seed"),
        (&["--seeds", "1"], "--seeds is for --format gauntlet"),
    ] {
        let done = run_in(dir.path(), &[&ENGINES[..], &SWISS, arguments].concat());
        assert_eq!(done.code, 1);
        assert!(done.err.contains(part), "{}", done.err);
    }
    let args = ["tournament", "simplexity", "random", "sequential", "--format", "swiss"];
    let done = run_in(dir.path(), &args);
    assert!(done.code == 1 && done.err.contains("--format swiss needs --rounds N"), "{}", done.err);
    let args = [&args[..4], &["--format", "knockout", "--sprt", "class"]].concat();
    let done = run_in(dir.path(), &args);
    assert!(
        done.code == 1 && done.err.contains("needs two engines and pairs of games, and no rounds"),
        "{}",
        done.err
    );
}
