//! The arbiter's command line: what it plays, prints, records and answers for.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fakes::{MARK, fake_engine, processes, program};

/// What came of a command.
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// What makes a run repeatable that names no seed of its own: no test may depend on luck.
fn seed(args: &[&str]) -> &'static [&'static str] {
    let plays = matches!(args, ["match" | "tournament", subject, ..] if !subject.contains(".toml"));
    if plays && !args.iter().any(|arg| arg.starts_with("--seed")) { &["--seed=1"] } else { &[] }
}

/// Runs the arbiter in a directory.
pub(crate) fn run_in(dir: &Path, args: &[&str]) -> Done {
    let mut command = assert_cmd::Command::new(program());
    let output =
        command.current_dir(dir).args(args).args(seed(args)).timeout(Duration::from_secs(120)).output();
    let output = output.expect("the arbiter runs");
    let text = |bytes| String::from_utf8(bytes).expect("the arbiter writes UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    let code = output.status.code().unwrap_or_else(|| panic!("{args:?}: ended by a signal\n{out}\n{err}"));
    Done { code, out, err }
}

/// Runs the arbiter in a directory of its own.
pub(crate) fn run(args: &[&str]) -> Done {
    run_in(directory().path(), args)
}

pub(crate) fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// Starts the arbiter, its processes marked.
pub(crate) fn start(dir: &Path, mark: &str, args: &[&str]) -> Child {
    let mut command = Command::new(program());
    command.current_dir(dir).args(args).args(seed(args)).env(MARK, mark);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the arbiter starts")
}

/// A mark no other test has.
pub(crate) fn mark(name: &str) -> String {
    format!("{}.{name}", std::process::id())
}

/// Waits until `ready`, at most thirty seconds: far more than is promised anywhere, for the sake of loaded machines.
pub(crate) fn wait_until(what: &str, mut ready: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !ready() {
        assert!(Instant::now() < until, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn engines(mark: &str) -> usize {
    processes(mark).iter().filter(|(_, command)| command.contains(" engine simplexity")).count()
}

/// The records of a journal, of one type.
pub(crate) fn records(path: &Path, kind: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a journal");
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a whole record"));
    all.filter(|record| record["type"] == kind).collect()
}

pub(crate) fn fake(mode: &str, after: &str) -> String {
    format!("{}={} --mode {mode} --after {after}", mode.replace('-', "_"), fake_engine().display())
}

#[test]
fn usage_errors_exit_with_1_and_say_what_was_expected() {
    for (args, part) in [
        (&[][..], "Usage: arbiter <COMMAND>"),
        (&["nonsense"], "unrecognized subcommand 'nonsense'"),
        (&["match", "simplexity", "builtin"], "required arguments were not provided:\n  <ENGINE>"),
        (&["match", "simplexity", "builtin", "builtin", "builtin"], "unexpected argument 'builtin'"),
        (&["match", "simplexity", "builtin", "builtin", "--movetime", "0"], "expected an integer from 1 to"),
        (&["match", "chess", "a", "b"], "no game \"chess\"; the games are "),
        (
            &["match", "simplexity", "simplexity:nobody", "builtin"],
            "no agent nobody; the agents of simplexity are",
        ),
        (&["match", "simplexity", "builtin{Hash}", "builtin"], "is no KEY=VALUE"),
        (&["match", "simplexity", "builtin", "builtin", "--games", "3"], "an even number is needed"),
        (&["match", "simplexity", "builtin", "builtin", "--games", "0"], "expected an integer from 1 to"),
        (
            &["match", "simplexity", "builtin", "builtin", "--games", "2", "--rounds", "1"],
            "cannot be used with",
        ),
        (
            &["match", "simplexity", "builtin", "builtin", "--seed", "x"],
            "expected an integer from 0 to 18446744073709551615",
        ),
        (
            &["match", "simplexity", "builtin", "builtin", "--adjudicate-solved=0"],
            "expected an integer from 1 to",
        ),
        (&["match", "simplexity", "builtin", "builtin", "--movetiem", "1"], "--movetime"),
        (
            &["match", "simplexity", "builtin", "builtin", "--tc", "1/2/3"],
            "expected [MOVES/]SECONDS[+INCREMENT]",
        ),
        (&["match", "simplexity", "builtin", "builtin", "--points", "1/2/3"], "such as 3/1/0"),
        (&["match", "simplexity", "builtin", "builtin", "--points", "-1/0/-1"], "such as 3/1/0"),
        (&["match", "simplexity", "builtin", "builtin", "--shard", "-1/2"], "'--shard <I/N>': expected"),
        (&["perft", "simplexity", "--depth", "-1"], "expected an integer from "),
        (&["solve", "simplexity", "--nodes", "-1"], "expected an integer from "),
        (&["show", "j.ndjson", "--game", "-1"], "expected an integer from "),
        (&["engine", "simplexity", "bench", "--depth", "-1"], "expected an integer from "),
        (&["match", "simplexity", "builtin", "builtin", "--preset", "x"], "base-track"),
        (
            &["match", "simplexity", "builtin", "builtin", "--setup", "rows=99"],
            "expected an integer from 1 to 50",
        ),
        (&["match", "simplexity", "builtin", "builtin", "--setup", "rows"], "set-up key rows has no value"),
        (
            &["match", "simplexity", "builtin", "builtin", "--openings", "random:x"],
            "expected start, random:PLIES",
        ),
        (
            &["match", "simplexity", "builtin", "builtin", "--openings", "no.txt"],
            "openings \"no.txt\" can't be read",
        ),
        (&["tournament", "simplexity", "builtin"], "at least two engines"),
        (&["tournament", "missing.toml"], "tournament file missing.toml can't be read"),
        (&["resume", "missing.ndjson"], "journal missing.ndjson: No such file"),
        (&["standings"], "JOURNAL"),
        (&["show", "missing.ndjson"], "journal missing.ndjson: No such file"),
        (&["perft", "simplexity"], "--depth"),
        (&["perft", "simplexity", "--depth", "1", "--fen", "7 w"], "--fen \"7 w\": field"),
        (&["engine", "chess"], "unknown game chess"),
        (&["engine", "simplexity", "nonsense"], "unexpected argument 'nonsense'"),
        (&["engine", "simplexity", "--agent", "nobody"], "unknown agent nobody: expected one of builtin, "),
    ] {
        let done = run(args);
        assert_eq!(done.code, 1, "{args:?}: {}", done.err);
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
        assert_eq!(done.out, "", "{args:?}");
    }
}

#[test]
fn help_and_version_are_no_failures() {
    for args in [&["--help"][..], &["--version"], &["match", "--help"], &["help", "perft"]] {
        let done = run(args);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
        assert!(!done.out.is_empty());
    }
}

#[test]
fn perft_prints_the_known_counts() {
    let done = run(&["perft", "simplexity", "--depth", "5"]);
    assert_eq!(done.code, 0);
    assert_eq!(done.out, "1 14\n2 196\n3 2744\n4 38416\n5 534940\nnodes 534940\n");
    let done = run(&["perft", "simplexity", "--depth", "1", "--divide", "--setup", "rows=2,cols=2,win=2"]);
    assert_eq!(done.out, "1o 1\n1s 1\n2o 1\n2s 1\nnodes 4\n");
    let done = run(&["perft", "simplexity", "--depth", "0"]);
    assert_eq!(done.out, "nodes 1\n");
    let fen = "7/7/7/7/7/wWw1r1r w 8,10,8,11 4";
    let done = run(&["perft", "simplexity", "--depth", "1", "--json", "--fen", fen]);
    assert_eq!((done.code, done.out.as_str()), (1, ""), "three white pieces and two red ones, white to move");
    let fen = "7/7/7/7/7/wWr1R2 w 9,10,9,10 4";
    let done = run(&["perft", "simplexity", "--depth", "1", "--json", "--fen", fen]);
    let rows: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.err));
    assert_eq!(rows, json!([{"depth": 1, "nodes": 14, "ends": []}]));
}

#[test]
fn games_and_engines_are_listed() {
    let done = run(&["games", "--json"]);
    let games: Value = serde_json::from_str(&done.out).expect("JSON");
    let mut games = games.as_array().expect("a list").iter();
    let key = &games.find(|game| game["name"] == "simplexity").expect("the game is listed")["setup"][0];
    assert_eq!(key, &json!({"key": "rows", "default": 6, "min": 1, "max": 50, "about": key["about"]}));
    let done = run(&["engines", "--json"]);
    let engines: Value = serde_json::from_str(&done.out).expect("JSON");
    let names: Vec<&str> =
        engines.as_array().expect("a list").iter().filter_map(|e| e["name"].as_str()).collect();
    assert!(names.starts_with(&["builtin"]) && names.contains(&"minimax"), "{names:?}");
    for text in [run(&["games"]), run(&["engines"])] {
        assert!(text.code == 0 && text.out.contains("simplexity"), "{}", text.out);
    }
    // The columns of each game's keys are ranged right, below "values" and "default".
    let mut ends = Vec::new();
    for line in run(&["games"]).out.lines().filter_map(|line| line.strip_prefix("  ")) {
        let words = line.split_whitespace().take(3).collect::<Vec<_>>();
        let end_of = |word: &str| line.find(word).map(|at| at + word.len());
        match words[..] {
            ["a", "move", _] | ["openings", ..] => {}
            ["key", values, default] => ends = [values, default].map(end_of).to_vec(),
            [_, values, default] => assert_eq!(end_of(values), ends[0], "{default} in {line:?}"),
            _ => panic!("{line:?}"),
        }
    }
}

/// What doesn't depend on the clock, by index.
pub(crate) fn games(path: &Path) -> Vec<Value> {
    let mut games = records(path, "game");
    games.retain(|game| game["result"] != "unfinished");
    games.sort_by_key(|game| game["index"].as_u64());
    for game in &mut games {
        game.as_object_mut().expect("a record").remove("times_ms");
    }
    games
}

#[test]
fn the_same_seed_and_nodes_give_the_same_games_at_any_concurrency() {
    let dir = directory();
    let play = |concurrency: &str, seed: &str, journal: &str| {
        // A shallow minimax: cut off by the node limit it would, as its model does, have no move to give.
        let engines = ["tournament", "simplexity", "builtin", "sequential", "random", "minimax{Depth=2}"];
        let limits = ["--nodes", "2000", "--games", "2", "--seed", seed];
        let place = ["--concurrency", concurrency, "--journal", journal];
        let done = run_in(dir.path(), &[&engines[..], &limits, &place].concat());
        assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
        games(&dir.path().join(journal))
    };
    let (one, two, other) = (play("1", "1", "a"), play("2", "1", "b"), play("2", "2", "c"));
    assert_eq!(one.len(), 12);
    assert_eq!(one, two);
    assert_ne!(one, other);
}

#[test]
fn a_tournament_without_engines_plays_the_built_in_ones() {
    let dir = directory();
    let files = ["--markdown", "t.md", "--csv", "t.csv", "--log", "t.log", "--journal", "t.ndjson"];
    let args = ["tournament", "simplexity", "--depth", "3", "--games", "2"];
    let done = run_in(dir.path(), &[&args[..], &files].concat());
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    for word in ["builtin", "sequential", "random", "minimax", "W-D-L against", "seed ", "t.ndjson"] {
        assert!(done.out.contains(word), "no {word} in {}", done.out);
    }
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("a file");
    assert!(read("t.md").starts_with("| # | Engine"), "{}", read("t.md"));
    assert!(read("t.log").lines().any(|line| line.ends_with("builtin > ugi")));
    let standings = |format: &[&str]| run_in(dir.path(), &[&["standings", "t.ndjson"], format].concat());
    assert_eq!(standings(&["--csv"]).out, read("t.csv"));
    assert_eq!(standings(&["--markdown"]).out, read("t.md"));
    assert!(done.out.ends_with(&standings(&[]).out), "the journal gives the same table");
    assert_eq!(standings(&["--csv", "--json"]).code, 1);

    // Points are the sum of the records, counted by hand.
    let table: Value = serde_json::from_str(&standings(&["--json"]).out).expect("JSON");
    let records = games(&dir.path().join("t.ndjson"));
    for row in table["standings"].as_array().expect("rows") {
        let points = |game: &Value| match game["result"].as_str() {
            Some("draw") if game["p1"] == row["engine"] || game["p2"] == row["engine"] => 0.5,
            Some("p1win") if game["p1"] == row["engine"] => 1.0,
            Some("p2win") if game["p2"] == row["engine"] => 1.0,
            _ => 0.0,
        };
        let sum: f64 = records.iter().map(points).sum();
        assert_eq!(row["points"], json!(sum));
        assert_eq!(row["games"], 6);
    }

    let done = run_in(dir.path(), &["show", "t.ndjson"]);
    assert_eq!(done.out.lines().count(), 12);
    let done = run_in(dir.path(), &["show", "t.ndjson", "--game", "3", "--board"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("game 3: "), "{}", done.out);
    let done = run_in(dir.path(), &["show", "t.ndjson", "--game", "99"]);
    assert_eq!(done.code, 1);
}

#[test]
fn standard_output_has_the_table_once_and_progress_is_elsewhere() {
    let args = ["match", "simplexity", "random", "sequential", "--depth=1", "--games=20"];
    let tables = |text: &str| text.lines().filter(|line| line.starts_with(" #  Engine")).count();
    let done = run(&args);
    assert_eq!((done.code, tables(&done.out), tables(&done.err)), (0, 1, 1), "{}\n{}", done.out, done.err);
    assert!(done.err.starts_with("10 of 20 games\n #  Engine"), "{}", done.err);
    let done = run(&[&args[..], &["--quiet"]].concat());
    assert_eq!((tables(&done.out), done.err.as_str()), (1, ""), "{}", done.out);
}

#[test]
fn in_a_gauntlet_the_first_engine_meets_all_others() {
    let dir = directory();
    let args = ["tournament", "simplexity", "builtin", "random", "sequential", "--format", "gauntlet"];
    let done =
        run_in(dir.path(), &[&args[..], &["--games", "2", "--nodes", "100", "--journal", "j"]].concat());
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let games = games(&dir.path().join("j"));
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game["p1"] == "builtin" || game["p2"] == "builtin"), "{games:?}");
    assert_eq!(records(&dir.path().join("j"), "plan")[0]["format"], "gauntlet");
    for (more, part) in [(&["--seeds", "3"][..], "one other engine"), (&["--format", "ladder"], "gauntlet")] {
        let done = run_in(dir.path(), &[&args[..], more].concat());
        assert_eq!(done.code, 1, "{}", done.err);
        assert!(done.err.contains(part), "{}", done.err);
    }
}

#[test]
fn tournament_files_say_what_the_command_line_can_say() {
    let dir = directory();
    let text = "game = \"simplexity\"\nnodes = 100\ngames = 4\nseed = 3\nsetup = { rows = 4, cols = 4, win = 3 }\n\
        points = \"3/1/0\"\njournal = \"file.ndjson\"\n\
        [[engine]]\nname = \"strong\"\nbuiltin = \"builtin\"\noptions = { Hash = 1 }\n\
        [[engine]]\nbuiltin = \"minimax\"\nlimits = { depth = 2 }\n";
    fs::write(dir.path().join("cup.toml"), text).expect("a file");
    let done = run_in(dir.path(), &["tournament", "cup.toml", "random", "--games", "2"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let plan = &records(&dir.path().join("file.ndjson"), "plan")[0];
    assert_eq!(plan["setup"], "rows 4 cols 4 win 3 round 10 square 11");
    assert_eq!((&plan["pairs"], &plan["points"]), (&json!(1), &json!([3.0, 1.0, 0.0])));
    assert_eq!(plan["engines"][0]["options"], json!([["Hash", "1"]]));
    assert_eq!(plan["engines"][1]["limits"], json!({"depth": 2}));
    assert_eq!(plan["engines"][2]["name"], "random");
    assert_eq!(games(&dir.path().join("file.ndjson")).len(), 6);

    for (settings, fault) in [
        (
            "movetiem = 3",
            ": line 2, column 1: unknown key \"movetiem\"; expected game, engine or an option of `arbiter tournament`, \
             perhaps movetime",
        ),
        (
            "games = 2\nrounds = 1",
            ", or beside it: the argument '--games <N>' cannot be used with '--rounds <N>'",
        ),
    ] {
        fs::write(dir.path().join("bad.toml"), format!("game = \"simplexity\"\n{settings}\n"))
            .expect("a file");
        let done = run_in(dir.path(), &["tournament", "bad.toml"]);
        assert_eq!((done.code, done.err), (1, format!("error: tournament file bad.toml{fault}\n")));
    }
}

#[test]
fn events_are_the_journal_on_standard_output() {
    let dir = directory();
    let args = ["match", "simplexity", "random", "sequential", "--nodes", "1", "--games", "2"];
    let done = run_in(dir.path(), &[&args[..], &["--events", "-", "--journal", "j"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(done.out, fs::read_to_string(dir.path().join("j")).expect("a journal"));
    assert!(done.err.contains("Points"));
}

#[test]
fn a_journal_is_never_overwritten() {
    let dir = directory();
    fs::write(dir.path().join("j"), "mine").expect("a file");
    let args = ["match", "simplexity", "random", "random", "--nodes", "1", "--games", "2"];
    let done = run_in(dir.path(), &[&args[..], &["--journal", "j"]].concat());
    assert_eq!(done.code, 1);
    assert!(done.err.contains("arbiter resume j"), "{}", done.err);
    assert_eq!(fs::read_to_string(dir.path().join("j")).expect("a file"), "mine");
    for _ in 0..2 {
        let done = run_in(dir.path(), &args);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 3);
}

#[test]
fn openings_come_from_files_and_begin_again() {
    let dir = directory();
    fs::write(dir.path().join("book"), "4o 4s\n# a comment\n1o\n").expect("a file");
    let args = ["match", "simplexity", "random", "random", "--openings", "book", "--rounds", "3", "--plan"];
    let done = run_in(dir.path(), &[&args[..], &["--json"]].concat());
    let lines: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let fens: Vec<&str> = lines.iter().filter_map(|line| line["fen"].as_str()).collect();
    let [a, b] = ["7/7/7/7/3R3/3w3 w 9,11,10,10 4", "7/7/7/7/7/w6 r 9,11,10,11 4"];
    assert_eq!(fens, [a, a, b, b, a, a]);
    let done = run_in(dir.path(), &[&args[..8], &["--nodes", "1"]].concat());
    assert!(done.out.contains("only 2 different openings"), "{}", done.out);
    fs::write(dir.path().join("book"), "4o 9s\n").expect("a file");
    let done = run_in(dir.path(), &args);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("book, line 1: move 2 (9s)"), "{}", done.err);
}

#[test]
fn that_openings_run_out_is_told_once() {
    let args = ["tournament", "simplexity", "random", "random", "random", "--openings=random:3"];
    let done = run(&[&args[..], &["--rounds=1700", "--plan"]].concat());
    assert_eq!((done.code, done.out.lines().count()), (0, 10_200), "{}", done.err);
    assert_eq!(done.err.matches("different openings were found").count(), 1, "{}", done.err);
}

#[test]
fn each_opening_of_a_game_with_drawn_starts_has_its_own() {
    let match_of = |more: &[&str]| {
        let args = ["match", "colosseum", "random", "random", "--rounds=5", "--seed=3"];
        run(&[&args[..], more].concat())
    };
    let openings = |more: &[&str]| {
        let done = match_of(&[&["--plan", "--json"], more].concat());
        let games = done.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        games.map(|game| game["fen"].as_str().expect("a position").to_owned()).collect::<Vec<_>>()
    };
    let fens = openings(&[]);
    assert_eq!(fens.len(), 10);
    assert!(fens.chunks(2).all(|pair| pair[0] == pair[1]), "{fens:?}");
    assert_eq!(fens.iter().collect::<BTreeSet<_>>().len(), 5, "{fens:?}");
    assert_eq!(fens, openings(&["--openings=drawn:2"]));
    assert_eq!(openings(&["--setup=seed=0"]), openings(&["--openings=random:2"]), "one start, chosen");
    assert_ne!(fens, openings(&["--seed=4"]));
    let done = match_of(&["--nodes=1"]);
    assert!(done.code == 0 && done.out.contains("openings drawn:2, seed 3"), "{}\n{}", done.out, done.err);
    let done = run(&["match", "simplexity", "random", "random", "--openings=drawn:2"]);
    assert!(done.code == 1 && done.err.contains("Simplexity has one start position"), "{}", done.err);
}

#[test]
fn tiny_boards_get_shorter_openings() {
    for setup in ["rows=2,cols=2,win=2", "rows=1,cols=1,win=1", "rows=1,cols=50,win=50,round=65535,square=0"]
    {
        let args =
            ["match", "simplexity", "random", "random", "--nodes", "1", "--games", "2", "--setup", setup];
        let done = run(&args);
        assert_eq!(done.code, 0, "{setup}: {}", done.err);
    }
}

#[test]
fn ten_million_games_are_planned_at_once() {
    let dir = directory();
    let args = ["match", "simplexity", "builtin", "builtin", "--games", "10000000", "--movetime", "60000"];
    let mark = mark("planned");
    let mut arbiter = start(dir.path(), &mark, &args);
    wait_until("both games run", || engines(&mark) >= 2);
    let kib = memory(arbiter.id(), "VmRSS").expect("it runs");
    assert!(kib < 20 * 1024, "{kib} KiB");
    interrupt(&mut arbiter, Signal::INT);
}

#[test]
fn presets_play_by_the_competitions_rules() {
    let dir = directory();
    let args = ["match", "simplexity", "random", "sequential", "--preset", "unknown-track", "--seed", "5"];
    let done = run_in(dir.path(), &[&args[..], &["--journal", "j"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("note: unknown-track, drawn "), "{}", done.out);
    let plan = &records(&dir.path().join("j"), "plan")[0];
    assert_eq!((&plan["points"], &plan["openings"]), (&json!([3.0, 1.0, 0.0]), &json!("start")));
    let played = games(&dir.path().join("j"));
    assert_eq!(played.len(), 2);
    assert_eq!((&played[0]["p1"], &played[0]["p2"]), (&played[1]["p2"], &played[1]["p1"]));
    let args = ["match", "simplexity", "random", "sequential", "--preset", "base-track", "--journal", "k"];
    assert_eq!(run_in(dir.path(), &args).code, 0);
    assert_eq!(records(&dir.path().join("k"), "plan")[0]["limits"], json!({"movetime": 200}));
    // What is told of a preset is what it decides.
    let args = ["match", "simplexity", "random", "sequential", "--preset", "base-track"];
    let setup = "rows 6 cols 7 win 4 round 10 square 11";
    for (options, note) in [
        (&[][..], format!("base-track: {setup}, 200 ms per move")),
        (&["--first-movetime=7"], format!("base-track: {setup}, 200 ms per move")),
        (&["--movetime=7"], format!("base-track: {setup}")),
        (&["--tc=1"], format!("base-track: {setup}")),
        (&["--setup=rows=5"], "base-track: 200 ms per move".into()),
        (&["--setup=rows=5", "--nodes=1"], "base-track".into()),
    ] {
        let done = run(&[&args[..], options].concat());
        assert!(done.out.contains(&format!("note: {note}\n\n")), "{options:?}: {}", done.out);
    }
}

#[test]
fn an_engine_that_cannot_start_exits_with_2() {
    for path in ["/nonexistent/engine", "/etc/passwd"] {
        let dir = directory();
        let done =
            run_in(dir.path(), &["match", "simplexity", path, "random", "--games", "2", "--nodes", "1"]);
        assert_eq!(done.code, 2, "{}\n{}", done.out, done.err);
        assert!(done.err.contains(path) && !done.err.contains("last lines"), "{}", done.err);
        assert_eq!(
            fs::read_dir(dir.path()).expect("a directory").count(),
            0,
            "an empty journal stays behind"
        );
    }
}

#[test]
fn what_nobody_reads_any_more_is_not_found_out() {
    let dir = directory();
    // Either would take hours.
    for args in [
        &["match", "simplexity", "random", "random", "--plan", "--games=2000000000", "--seed=1"][..],
        &["perft", "xrudder", "--depth=40"],
    ] {
        let mut child = start(dir.path(), &mark("left"), args);
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        assert!(line.ends_with('\n'), "{args:?}: {line}");
        assert_eq!(finish(&mut child), (Some(0), String::new()), "{args:?}");
    }
}

#[test]
fn an_engine_that_starts_no_more_loses_its_games_and_the_others_go_on() {
    let dir = directory();
    let dying = format!("exec {} --mode die-on-go --after 1", fake_engine().display());
    let script = |starts: u32| {
        format!("n=$(cat count 2>/dev/null)\necho x$n >count\n[ ${{#n}} -lt {starts} ] || exit 7\n{dying}\n")
    };
    let run = |journal: &str, starts: u32, engines: &[&str]| {
        fs::write(dir.path().join("dying"), script(starts)).expect("a script");
        fs::write(dir.path().join("count"), "").expect("a file");
        let settings = ["--games=4", "--nodes=1", "--seed=1", "--concurrency=1", "--journal", journal];
        run_in(dir.path(), &[&["tournament", "simplexity"], engines, &settings].concat())
    };

    let done = run("thrice", 3, &["dying=sh dying", "random", "sequential"]);
    assert_eq!(done.code, 3, "{}", done.err);
    assert_eq!(games(&dir.path().join("thrice")).len(), 12);
    let faults = records(&dir.path().join("thrice"), "fault");
    let reasons: Vec<_> = faults.iter().map(|fault| fault["reason"].as_str().expect("a reason")).collect();
    assert_eq!(reasons, [["crash"; 3].as_slice(), &["no-start"; 5]].concat());
    let detail = faults[7]["detail"].as_str().expect("a text");
    assert!(detail.contains("exit code 7"), "{detail}");

    // One that has never started is a mistake of whoever started the run.
    let done = run("never", 0, &["dying=sh dying", "random"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(!done.err.contains("go on with"), "{}", done.err);

    let done = run("late", 0, &["dying=sh dying", "random", "sequential"]);
    assert_eq!((done.code, games(&dir.path().join("late")).len()), (2, 2), "{}", done.err);
    assert!(done.err.ends_with("  then go on with: arbiter resume late\n"), "{}", done.err);
    assert!(done.out.contains("Points"), "{}", done.out);
}

#[test]
fn a_fault_exits_with_3_and_ends_a_match_unless_it_recovers() {
    let dir = directory();
    let bad = fake("illegal-move", "1");
    let args = ["match", "simplexity", &bad, "random", "--games", "8", "--nodes", "1", "--concurrency", "1"];
    let done = run_in(dir.path(), &[&args[..], &["--journal", "ends"]].concat());
    assert_eq!(done.code, 3, "{}\n{}", done.out, done.err);
    assert_eq!(games(&dir.path().join("ends")).len(), 1);
    assert!(done.out.contains("fault in game 0: illegal_move, illegal"), "{}", done.out);
    let done = run_in(dir.path(), &[&args[..], &["--journal", "recovers", "--recover"]].concat());
    assert_eq!(done.code, 3, "{}\n{}", done.out, done.err);
    let path = dir.path().join("recovers");
    assert_eq!(games(&path).len(), 8);
    let guilty = |game: &&Value| game["guilty"] == "illegal_move";
    assert_eq!(games(&path).iter().filter(guilty).count(), records(&path, "fault").len());

    let done = run_in(dir.path(), &["resume", "ends", "--recover"]);
    assert_eq!(done.code, 3, "{}\n{}", done.out, done.err);
    assert_eq!(games(&dir.path().join("ends")).len(), 8);
}

/// Sends a signal, and gives the exit code and standard error; the end must come soon.
fn interrupt(arbiter: &mut Child, signal: Signal) -> (Option<i32>, String) {
    let pid = Pid::from_child(arbiter);
    kill_process(pid, signal).expect("the arbiter can be signalled");
    finish(arbiter)
}

/// A live process's memory in KiB: `VmRSS` now, `VmHWM` at its peak.
pub(crate) fn memory(pid: u32, which: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(which)?.strip_prefix(':'))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

pub(crate) fn finish(arbiter: &mut Child) -> (Option<i32>, String) {
    let mut status = None;
    wait_until("the arbiter ends", || {
        status = arbiter.try_wait().expect("a status");
        status.is_some()
    });
    let mut err = String::new();
    std::io::Read::read_to_string(arbiter.stderr.as_mut().expect("a pipe"), &mut err).expect("UTF-8");
    (status.and_then(|status| status.code()), err)
}

#[test]
fn interrupted_and_resumed_a_run_gives_all_games() {
    let dir = directory();
    let args =
        ["match", "simplexity", "builtin", "minimax", "--nodes", "3000", "--games", "40", "--seed", "9"];
    let done = run_in(dir.path(), &[&args[..], &["--journal", "whole"]].concat());
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let journal = dir.path().join("cut");
    let mark = mark("cut");
    let mut arbiter = start(dir.path(), &mark, &[&args[..], &["--journal", "cut"]].concat());
    wait_until("some games are played", || {
        fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 4)
    });
    let (code, err) = interrupt(&mut arbiter, Signal::INT);
    assert_eq!(code, Some(4), "{err}");
    assert!(err.contains("arbiter resume cut"), "{err}");
    assert_eq!(processes(&mark), []);
    assert_eq!(
        records(&journal, "interrupted"),
        [json!({"type": "interrupted", "resume": "arbiter resume cut"})]
    );
    assert!(games(&journal).len() < 40, "the interruption came too late to test anything");

    // As if the machine had failed in the middle of a write.
    let mut text = fs::read_to_string(&journal).expect("a journal");
    text.push_str("{\"type\":\"game\",\"ind");
    fs::write(&journal, text).expect("a journal");
    let done = run_in(dir.path(), &["resume", "cut"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    assert!(done.out.contains("the journal's last line is torn"), "{}", done.out);
    assert_eq!(games(&journal), games(&dir.path().join("whole")));
    let done = run_in(dir.path(), &["resume", "cut"]);
    assert_eq!(done.code, 0, "a finished run has nothing left to play: {}", done.err);
}

#[test]
fn every_way_to_interrupt_ends_soon_even_with_frozen_engines() {
    for signal in [Some(Signal::INT), Some(Signal::TERM), Some(Signal::HUP), None] {
        if signal == Some(Signal::HUP) && arbiter::interrupts::hangups_are_ignored() {
            // These tests run under `nohup`, and so would the arbiter.
            continue;
        }
        let dir = directory();
        let mark = mark(&format!("interrupt.{signal:?}"));
        let frozen = fake("ignore-sigterm", "1");
        let args = ["match", "simplexity", &frozen, "builtin", "--movetime", "60000", "--games", "2"];
        let mut arbiter = start(dir.path(), &mark, &[&args[..], &["--journal", "j"]].concat());
        wait_until("the engines run", || engines(&mark) >= 1);
        let (code, err) = if let Some(signal) = signal {
            interrupt(&mut arbiter, signal)
        } else {
            drop(arbiter.stdout.take());
            finish(&mut arbiter)
        };
        assert_eq!(code, Some(4), "{signal:?}: {err}");
        wait_until("no process is left", || processes(&mark).is_empty());
        assert!(games(&dir.path().join("j")).is_empty(), "an interrupted game has no result");
        assert_eq!(run_in(dir.path(), &["standings", "j"]).out, "no game is finished yet\n");
    }
}

#[test]
fn an_interrupted_run_leaves_no_daemon() {
    let dir = directory();
    let mark = mark("daemons");
    let daemonic = fake("daemonise", "1");
    let mut arbiter =
        start(dir.path(), &mark, &["match", "simplexity", &daemonic, "builtin", "--movetime", "60000"]);
    let daemons = || processes(&mark).iter().filter(|(_, command)| command.starts_with("sleep")).count();
    wait_until("the engines run, and a daemon", || engines(&mark) >= 1 && daemons() >= 1);
    assert_eq!(interrupt(&mut arbiter, Signal::INT).0, Some(4));
    wait_until("no process is left", || processes(&mark).is_empty());
}

#[test]
fn a_killed_arbiter_leaves_no_engine() {
    let dir = directory();
    let mark = mark("killed");
    let frozen = fake("ignore-eof", "1");
    let args = ["match", "simplexity", &frozen, "builtin", "--movetime", "60000", "--games", "2"];
    let mut arbiter = start(dir.path(), &mark, &args);
    wait_until("the engines run", || engines(&mark) >= 1);
    arbiter.kill().expect("the arbiter can be killed");
    arbiter.wait().expect("a status");
    wait_until("no process is left", || processes(&mark).is_empty());
}

#[test]
fn no_more_games_run_than_asked_for() {
    for (concurrency, most) in [("1", 2), ("3", 6)] {
        let dir = directory();
        let mark = mark(&format!("count.{concurrency}"));
        let args = ["match", "simplexity", "builtin", "minimax", "--nodes", "1000", "--games", "40"];
        let args = [&args[..], &["--concurrency", concurrency, "--journal", "j"]].concat();
        let mut arbiter = start(dir.path(), &mark, &args);
        let mut seen = 0;
        wait_until("the run ends", || {
            seen = seen.max(engines(&mark));
            arbiter.try_wait().expect("a status").is_some()
        });
        assert!((1..=most).contains(&seen), "{seen} engines at concurrency {concurrency}");
    }
}

#[test]
fn journals_of_different_games_have_no_common_table() {
    let dir = directory();
    for game in ["simplexity", "xrudder"] {
        let done = run_in(
            dir.path(),
            &["match", game, "random", "random", "--games=2", "--depth=1", "--journal", game],
        );
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let done = run_in(dir.path(), &["standings", "simplexity", "xrudder"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert_eq!(done.err, "error: journal xrudder is of xrudder, the first one of simplexity\n");
    let done = run_in(dir.path(), &["standings", "xrudder", "./xrudder"]);
    assert_eq!((done.code, done.err.as_str()), (1, "error: journal ./xrudder is given twice\n"));
}
