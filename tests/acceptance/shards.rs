//! Runs split into shards, and made one again.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::{Done, directory, fake, games, records, run_in};
use crate::export::assert_table_is_right;
use crate::fakes::program;

/// Twelve pairs of games, in which nothing depends on the machine.
const MATCH: [&str; 8] = [
    "match",
    "simplexity",
    "two=minimax{Depth=2}",
    "one=minimax{Depth=1}",
    "--nodes=100000",
    "--games=24",
    "--seed=3",
    "--recover",
];

#[track_caller]
fn play(dir: &Path, run: &[&str], journal: &str, more: &[&str]) -> Done {
    let done = run_in(dir, &[run, &["--journal", journal], more].concat());
    assert!(done.code == 0 || done.code == 3, "{}\n{}", done.out, done.err);
    done
}

/// Plays all shards of a run, the `n`-th into the journal `n`.
fn play_shards(dir: &Path, run: &[&str], of: u64, concurrency: &str) {
    for number in 1..=of {
        let shard = format!("--shard={number}/{of}");
        play(dir, run, &number.to_string(), &[&shard, "--concurrency", concurrency]);
    }
}

/// What a command prints, which must succeed.
#[track_caller]
fn print(dir: &Path, args: &[&str]) -> String {
    let done = run_in(dir, args);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}: {}", done.out);
    done.out
}

/// A table in words, without the lines about time, which depend on the machine.
fn without_times(table: &str) -> String {
    let is_time = |line: &&str| line.contains(" ms per move,") || line.contains(" within ");
    table.split_inclusive('\n').filter(|line| !is_time(line)).collect()
}

#[test]
fn merged_shards_are_the_run_of_one_machine() {
    let dir = directory();
    let dir = dir.path();
    let gauntlet = fake("die-on-go", "1");
    let gauntlet = ["tournament", "simplexity", "random", "minimax{Depth=1}", &gauntlet, "--format=gauntlet"];
    let gauntlet = [&gauntlet[..], &["--nodes=100000", "--games=10", "--seed=8"]].concat();
    for (name, run) in [("match", &MATCH[..]), ("gauntlet", &gauntlet)] {
        let dir = dir.join(name);
        fs::create_dir(&dir).expect("a directory");
        play(&dir, run, "whole", &["--concurrency", "1"]);
        play_shards(&dir, run, 3, "2");
        let merged = print(&dir, &["merge", "2", "3", "1", "--output", "all"]);
        assert_eq!(games(&dir.join("all")), games(&dir.join("whole")), "{name}");
        assert_eq!(without_times(&merged), without_times(&print(&dir, &["standings", "whole"])), "{name}");
        for journal in ["whole", "all"] {
            assert_table_is_right(&dir, journal);
        }
        let csv = print(&dir, &["standings", "whole", "--csv"]);
        assert_eq!(print(&dir, &["merge", "1", "2", "3", "--csv"]), csv, "{name}");
        assert_eq!(print(&dir, &["standings", "all", "--csv"]), csv, "{name}");
        assert_eq!(print(&dir, &["show", "all"]).lines().count(), games(&dir.join("whole")).len());
        let exported = print(&dir, &["export", "all", "--to", "csv"]);
        assert_eq!(exported.lines().count(), games(&dir.join("whole")).len() + 1);
        let plan = |journal: &str| {
            let mut plan = records(&dir.join(journal), "plan").remove(0);
            plan.as_object_mut().expect("a plan").remove("started");
            plan
        };
        assert_eq!(plan("all"), plan("whole"), "nothing is left of the shards");
        assert_eq!(faults(&dir.join("all")), faults(&dir.join("whole")), "{name}");
        assert_eq!(faults(&dir.join("all")).len(), if name == "match" { 0 } else { 10 });
        let resumed = run_in(&dir, &["resume", "all"]);
        assert!(resumed.out.contains("going on after") && resumed.err.is_empty(), "{}", resumed.err);
        assert_eq!(
            games(&dir.join("all")).len(),
            games(&dir.join("whole")).len(),
            "nothing was left to play"
        );
        let done = run_in(&dir, &["merge", "1", "2", "3", "--output", "all"]);
        let expected = "error: journal all: the file exists; choose another name\n";
        assert_eq!((done.code, done.err.as_str()), (1, expected));
    }
}

/// Which games ended by whose fault, and which.
fn faults(path: &Path) -> Vec<[Value; 3]> {
    let key = |fault: &Value| ["game", "engine", "reason"].map(|field| fault[field].clone());
    records(path, "fault").iter().map(key).collect()
}

#[test]
fn merged_shards_decide_a_test_as_one_machine_does() {
    let dir = directory();
    let dir = dir.path();
    let test = [&MATCH[..], &["--games=80", "--sprt=class"]].concat();
    play(dir, &test, "whole", &["--concurrency", "1"]);
    let verdict = records(&dir.join("whole"), "verdict");
    assert_eq!((verdict.len(), &verdict[0]["accepted"]), (1, &json!("H1")));
    play_shards(dir, &test, 2, "2");
    for shard in ["1", "2"] {
        assert_eq!(records(&dir.join(shard), "game").len(), 40, "a shard alone decides nothing");
        assert_eq!(records(&dir.join(shard), "verdict"), [] as [Value; 0]);
    }
    let merged: Value =
        serde_json::from_str(&print(dir, &["merge", "1", "2", "--output", "all", "--json"])).expect("JSON");
    assert_eq!(records(&dir.join("all"), "verdict"), verdict);
    assert_eq!(
        (&merged["sprt"]["verdict"], &merged["sprt"]["counts"]),
        (&json!("H1"), &verdict[0]["counts"])
    );
    let (whole, all) = (games(&dir.join("whole")), games(&dir.join("all")));
    assert_eq!((all.len(), &all[..whole.len()]), (80, &whole[..]));
}

#[test]
fn what_is_no_whole_run_is_not_merged() {
    let dir = directory();
    let dir = dir.path();
    // One game at a time: what is cut off below has to be known.
    play_shards(dir, &MATCH, 3, "1");
    let text = |journal: &str| fs::read_to_string(dir.join(journal)).expect("a journal");
    let edited = |journal: &str, name: &str, edit: &dyn Fn(&str) -> String| {
        fs::write(dir.join(name), edit(&text(journal))).expect("it is written");
    };
    // Two whole pairs and a half are lost, and the next record is torn.
    edited("2", "cut", &|text| {
        let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
        text[..ends[3] + 40].to_owned()
    });
    edited("2", "other result", &|text| text.replacen("p1win", "draw", 1).replacen("p2win", "draw", 1));
    edited("2", "stray", &|text| text.replacen("\"index\":2,", "\"index\":4,", 1));
    edited("2", "other players", &|text| text.replacen("\"p1\":\"two\"", "\"p1\":\"one\"", 1));
    edited("2", "no such shard", &|text| text.replacen("\"number\":2", "\"number\":4", 1));
    play(dir, &MATCH, "whole", &[]);
    play(dir, &MATCH, "seed", &["--seed=4", "--shard=2/3"]);
    play(dir, &MATCH, "four", &["--shard=2/4"]);
    let lacks = "shard 2/3 lacks 3 of 4 pairs of games, the first is pair 4; go on with: arbiter resume cut";
    for (journals, part) in [
        (&["1", "3"][..], "the run is not complete\nshard 2 of 3 is missing\n"),
        (&["3"], "shards 1 and 2 of 3 are missing\n"),
        (&["1", "cut", "3"], lacks),
        (&["1", "cut"], "shard 3 of 3 is missing\nshard 2/3 lacks"),
        (&["1", "2", "other result", "3"], "is not the same in 2 and other result"),
        (&["1", "stray", "3"], "journal stray: game 4 is not one of shard 2/3"),
        (&["1", "other players", "3"], "journal other players: game 2 is not one of shard 2/3"),
        (&["1", "no such shard", "3"], "journal no such shard: "),
        (&["no such shard"], "the shards of a run are numbered from 1"),
        (&["1", "seed", "3"], "journal seed is of another run than 1: the plans differ in `seed`"),
        (&["1", "four", "3"], "journal four is of another run than 1: the plans differ in `shard`"),
        (&["whole"], "journal whole is no shard but a whole run"),
        (&["1", "2", "missing"], "journal missing: No such file"),
    ] {
        let done = run_in(dir, &[&["merge", "--output", "all"], journals].concat());
        assert_eq!((done.code, done.out.as_str()), (1, ""), "{journals:?}: {}", done.err);
        assert!(done.err.contains(part), "{journals:?}: {}", done.err);
        assert!(!dir.join("all").exists(), "{journals:?}");
    }

    // The same shard or game twice is no harm, whole or in part; a torn line behind the last game neither.
    edited("2", "twice", &|text| {
        let line = text.lines().nth(1).expect("a game");
        text.replacen(line, &format!("{line}\n{line}"), 1)
    });
    let csv = print(dir, &["standings", "whole", "--csv"]);
    assert_eq!(print(dir, &["merge", "1", "2", "3", "2", "--csv"]), csv);
    assert_eq!(print(dir, &["merge", "1", "twice", "3", "--csv"]), csv);
    let done = run_in(dir, &["merge", "cut", "1", "3", "2", "--csv"]);
    assert_eq!((done.code, done.out.as_str()), (0, csv.as_str()), "{}", done.err);
    assert_eq!(done.err, "note: journal cut: the last line is torn and was dropped\n");

    // An interrupted shard is gone on with like any run.
    let done = run_in(dir, &["resume", "cut", "--concurrency", "1"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("shard 2/3") && done.out.contains("after 3 of 8 games"), "{}", done.out);
    assert_eq!(print(dir, &["merge", "1", "cut", "3", "--csv"]), csv);
}

#[test]
fn senseless_shards_are_usage_errors() {
    let dir = directory();
    for (args, part) in [
        (&["--shard=0/3"][..], "expected I/N with I from 1 to N, such as 2/8"),
        (&["--shard=4/3"], "expected I/N with I from 1 to N"),
        (&["--shard=3"], "expected I/N with I from 1 to N"),
        (&["--shard=1/13"], "there are more shards than pairs of games"),
    ] {
        let done = run_in(dir.path(), &[&MATCH[..], args].concat());
        assert_eq!((done.code, done.out.as_str()), (1, ""), "{args:?}");
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
    }
    let tournament = ["tournament", "simplexity", "random", "sequential", "minimax", "--shard=1/2"];
    for (args, part) in [
        (&["--seed=1", "--format=swiss", "--rounds=2"][..], "can't be split into shards"),
        (&["--seed=1", "--format=knockout"], "can't be split into shards"),
    ] {
        let done = run_in(dir.path(), &[&tournament[..], args].concat());
        assert!(done.code == 1 && done.err.contains(part), "{args:?}: {}", done.err);
        assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    }
    let file = "game = \"simplexity\"\nshard = \"1/2\"\n";
    fs::write(dir.path().join("cup.toml"), file).expect("it is written");
    let done = run_in(dir.path(), &["tournament", "cup.toml", "random", "sequential"]);
    assert!(done.code == 1 && done.err.contains("--shard needs --seed N"), "{}", done.err);

    let done = run_in(dir.path(), &[&MATCH[..], &["--shard=2/5", "--plan"]].concat());
    let pairs: Vec<&str> = done.out.lines().filter_map(|line| line.split("  ").nth(1)).collect();
    assert_eq!(pairs, ["pair 1", "pair 1", "pair 6", "pair 6", "pair 11", "pair 11"]);
}

#[test]
fn the_sample_for_one_machine_plays_all_shards_and_goes_on_with_them() {
    let dir = directory();
    let dir = dir.path();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cluster/parallel.sh");
    let play = || {
        let mut command = assert_cmd::Command::new(&script);
        command.arg("3").env("ARBITER", program()).current_dir(dir).timeout(Duration::from_secs(120));
        let output = command.output().expect("the script runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
        assert!(text(&output.stdout).contains("SPRT nElo 0 against 50"), "{}", text(&output.stdout));
        games(&dir.join("merged.ndjson"))
    };
    let whole = play();
    assert_eq!(whole.len(), 400);
    let cut = dir.join("shard-2-of-3.ndjson");
    let text = fs::read_to_string(&cut).expect("a journal");
    fs::write(&cut, &text[..text.len() / 2]).expect("it is written");
    fs::remove_file(dir.join("merged.ndjson")).expect("it is there");
    assert_eq!(play(), whole);
}
