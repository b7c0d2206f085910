//! Journals read by others: exported, and tabulated by a program that shares nothing with ours.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::cli::{Done, directory, fake, records, run_in};

/// Plays a tournament with faults, draws and an odd end: its last game is broken off, its last line torn.
fn journal(dir: &Path) {
    let limits = ["--nodes", "500", "--max-plies", "20", "--games", "4", "--seed", "7", "--journal", "j"];
    let segv = fake("segv", "5");
    let engines = ["tournament", "simplexity", "random", "sequential", "minimax{Depth=1}", &segv];
    let done = run_in(dir, &[&engines[..], &limits].concat());
    assert_eq!(done.code, 3, "{}", done.err);
    let path = dir.join("j");
    let mut game = records(&path, "game").pop().expect("a game");
    (game["index"], game["pair"]) = (json!(24), json!(12));
    game["result"] = json!("unfinished");
    let mut file = OpenOptions::new().append(true).open(path).expect("the journal");
    write!(file, "{game}\n{{\"type\":\"game\",\"ind").expect("it is written");
}

fn export(dir: &Path, args: &[&str]) -> Done {
    run_in(dir, &[&["export", "j", "--to"], args].concat())
}

/// Compares the table of a journal with what a program computes from its records that shares nothing with ours.
pub(crate) fn assert_table_is_right(dir: &Path, journal: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/standings.py");
    let output = Command::new("python3").arg(script).arg(journal).current_dir(dir).output();
    let output = output.expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let done = run_in(dir, &["standings", journal, "--json"]);
    let ours: Value = serde_json::from_str(&done.out).expect("JSON");
    let rows = ours["standings"].as_array().expect("rows");
    assert_eq!(theirs.as_object().map(serde_json::Map::len), Some(rows.len()));
    for row in rows {
        let name = row["engine"].as_str().expect("a name");
        let other = &theirs[name];
        for column in ["wins", "draws", "losses", "pairs"] {
            assert_eq!(row[column], other[column], "{column} of {name}");
        }
        let strength = |column: &'static str| [row, other].map(|table| table["strength"][column].clone());
        let points = [row, other].map(|table| table["points"].clone());
        for [our, their] in [points, strength("elo"), strength("elo_low"), strength("elo_high")] {
            match (our.as_f64(), their.as_f64()) {
                (Some(our), Some(their)) => assert!((our - their).abs() < 1e-6, "{name}: {our}, {their}"),
                _ => assert_eq!(our, their, "{name}"),
            }
        }
    }
}

#[test]
fn another_program_computes_the_same_table() {
    let dir = directory();
    journal(dir.path());
    assert_table_is_right(dir.path(), "j");
}

#[test]
fn exports_hold_every_game_and_say_what_they_drop() {
    let dir = directory();
    journal(dir.path());
    let text = fs::read_to_string(dir.path().join("j")).expect("a journal");
    let whole = text.lines().filter(|line| line.ends_with('}')).map(serde_json::from_str);
    let mut games: Vec<Value> = whole.map(|record| record.expect("a record")).collect();
    games.retain(|record| record["type"] == "game");
    games.sort_by_key(|game| game["index"].as_u64());
    let torn = "note: journal j: the last line is torn and was dropped\n";

    let done = export(dir.path(), &["json"]);
    assert_eq!((done.code, done.err.as_str()), (0, torn));
    let exported: Vec<Value> = serde_json::from_str(&done.out).expect("an array");
    for (game, exported) in games.iter_mut().zip(&exported) {
        game.as_object_mut().expect("a record").remove("type");
        assert_eq!(game, exported);
    }
    assert_eq!(games.len(), exported.len());

    let done = export(dir.path(), &["csv"]);
    assert_eq!((done.code, done.err.as_str()), (0, torn));
    assert_eq!(done.out.lines().count(), games.len() + 1);

    let done = export(dir.path(), &["pgn", "--output", "j.pgn"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", torn));
    let pgn = fs::read_to_string(dir.path().join("j.pgn")).expect("a file");
    for tag in ["[Event \"simplexity round-robin\"]", "[SetUp \"1\"]", "[TimeControl \"500 nodes\"]"] {
        assert_eq!(pgn.lines().filter(|line| *line == tag).count(), games.len(), "{tag}");
    }
    assert!(pgn.contains("[Reason \"crash\"]\n[Guilty \"segv\"]\n"), "{pgn}");
    assert!(!pgn.contains("[Date \"?"), "the plan has the date");
    // Where the line of its moves is full it stands on one of its own.
    assert_eq!(pgn.split_whitespace().last(), Some("*"), "the last game was broken off");
}

#[test]
fn exports_and_lists_have_the_order_of_the_schedule() {
    let dir = directory();
    journal(dir.path());
    let path = dir.path().join("j");
    let read = || {
        let forms = [&["show", "j"][..], &["show", "j", "--json"], &["export", "j", "--to", "csv"]];
        forms.map(|args| run_in(dir.path(), args).out)
    };
    let text = fs::read_to_string(&path).expect("a journal");
    let (plan, rest) = text.split_once('\n').expect("a plan");
    let mut lines: Vec<&str> = rest.lines().filter(|line| line.starts_with("{\"type\":\"game\"")).collect();
    lines.retain(|line| line.ends_with('}'));
    lines.sort_by_key(|line| serde_json::from_str::<Value>(line).expect("a record")["index"].as_u64());
    let write = |lines: &[&str]| fs::write(&path, format!("{plan}\n{}\n", lines.join("\n")));
    write(&lines).expect("it is written");
    let in_order = read();
    lines.reverse();
    write(&lines).expect("it is written");
    assert_eq!(read(), in_order);
    assert!(in_order[0].starts_with("     0  ") && in_order[0].lines().count() == lines.len());
}

#[test]
fn an_export_overwrites_nothing() {
    let dir = directory();
    journal(dir.path());
    let before = fs::read(dir.path().join("j")).expect("a journal");
    let done = export(dir.path(), &["csv", "--output", "j"]);
    assert_eq!(done.code, 1);
    assert_eq!(done.err, "error: --output j: the file exists; choose another name\n");
    assert_eq!(fs::read(dir.path().join("j")).expect("a journal"), before);
    let done = export(dir.path(), &["xml"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("[possible values: pgn, csv, json]"), "{}", done.err);
    let done = run_in(dir.path(), &["export", "none", "--to", "csv"]);
    assert_eq!((done.code, done.err.contains("journal none: No such file")), (1, true), "{}", done.err);
}

#[test]
fn a_game_that_a_journal_has_twice_counts_once_or_is_named() {
    let dir = directory();
    let dir = dir.path();
    let run =
        ["match", "simplexity", "minimax", "random", "--games=4", "--depth=1", "--seed=1", "--journal=j"];
    assert_eq!(run_in(dir, &run).code, 0);
    let readers = [
        &["standings", "j"][..],
        &["show", "j"],
        &["show", "j", "--game=1"],
        &["export", "j", "--to=csv"],
        &["resume", "j", "--quiet"],
    ];
    let read = || readers.map(|args| run_in(dir, args));
    let before = read();
    let path = dir.join("j");
    let mut again = records(&path, "game").remove(1);
    again["times_ms"] = json!([1000]);
    let append = |game: &Value| {
        let file = OpenOptions::new().append(true).open(&path);
        writeln!(file.expect("the journal"), "{game}").expect("it is written");
    };
    append(&again);
    for (before, after) in before.iter().zip(read()) {
        assert_eq!((after.code, &after.out, after.err), (0, &before.out, String::new()));
    }
    again["result"] = json!("draw");
    append(&again);
    let (line, first) = (records(&path, "game").len() + 1, 1 + position(&path, &again["index"]));
    for done in read() {
        let named = format!(
            "error: journal j, line {line}: game {} is not the one of line {first}\n",
            again["index"]
        );
        assert_eq!((done.code, done.err), (1, named));
    }
}

/// The line of the first record of a game, from 1 behind the plan.
fn position(path: &Path, index: &Value) -> usize {
    1 + records(path, "game").iter().position(|game| game["index"] == *index).expect("it is there")
}
