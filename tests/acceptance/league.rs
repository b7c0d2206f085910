//! Leagues: folders of bots that come, change and go.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::cli::{directory, games, mark, records, run_in, start, wait_until};
use crate::fakes::{fake_engine, processes};

const LEAGUE: [&str; 8] = [
    "tournament",
    "simplexity",
    "bots",
    "--format=league",
    "--nodes=100000",
    "--deviation=150",
    "--seed=3",
    "--once",
];

/// Puts a bot's file into the folder.
fn put(dir: &Path, file: &str, text: &str) {
    let path = dir.join("bots").join(file);
    fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
    fs::write(path, text).expect("it is written");
}

/// Two agents that are built in and differ in strength.
fn put_agents(dir: &Path) {
    put(dir, "random.toml", "builtin = \"random\"\n");
    put(dir, "minimax.toml", "builtin = \"minimax\"\noptions = { Depth = 1 }\n");
}

/// The league's table as JSON.
fn table(dir: &Path, journal: &str) -> Vec<Value> {
    let done = run_in(dir, &["standings", journal, "--json"]);
    let value: Value = serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}", done.err));
    value["league"].as_array().expect("bots").clone()
}

fn names(table: &[Value]) -> Vec<&str> {
    table.iter().filter_map(|row| row["bot"].as_str()).collect()
}

#[test]
fn bots_of_all_kinds_are_rated_and_none_stops_the_league() {
    let dir = directory();
    let dir = dir.path();
    put_agents(dir);
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bots/python/simplexity_bot.py");
    let script = fs::read_to_string(&python).expect("the example bot");
    put(dir, "python/bot.toml", "command = \"python3 my_bot.py\"\n");
    put(dir, "python/my_bot.py", &script);
    put(dir, "alone.py", "#!/bin/sh\nexec python3 \"$(dirname \"$0\")/python/my_bot.py\"\n");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(dir.join("bots/alone.py"), mode).expect("it is made executable");
    put(
        dir,
        "crash.toml",
        &format!("command = [{:?}, \"--mode\", \"die-on-go\", \"--after\", \"1\"]\n", fake_engine()),
    );
    put(dir, "broken.toml", "command = \"./no-such-program\"\n");
    put(dir, "README.md", "What is here is a league.");
    put(dir, "notes/thoughts.txt", "No bot.");
    put(dir, "wrong.toml", "comand = \"x\"\n");
    put(dir, "random", "not executable");
    let pipe = Command::new("mkfifo").args(["-m", "700", "pipe", "pipe.toml"]).current_dir(dir).status();
    assert!(pipe.expect("mkfifo runs").success());
    put(dir, "a b.toml", "builtin = \"random\"\n");

    let done = run_in(dir, &[&LEAGUE[..], &["--journal=j"]].concat());
    assert_eq!(done.code, 3, "{}\n{}", done.out, done.err);
    for part in ["wrong.toml\" is left out: ", "a b.toml\" is left out: a name consists of"] {
        assert_eq!(done.err.matches(part).count(), 1, "{}", done.err);
    }
    let rows = table(dir, "j");
    let state = |name: &str| rows.iter().find(|row| row["bot"] == name).expect("a bot")["state"].clone();
    assert_eq!(rows.len(), 6, "{rows:?}");
    assert_eq!(
        (state("broken"), state("python"), state("alone")),
        (json!("doesn't start"), json!("rated"), json!("rated"))
    );
    assert!(rows.iter().all(|row| row["state"] != "playing"), "{rows:?}");
    let place = |name: &str| names(&rows).iter().position(|other| *other == name);
    assert!(place("python") < place("random") && place("random") < place("crash"), "{rows:?}");
    let faults = records(&dir.join("j"), "fault");
    let of = |name: &str| faults.iter().filter(|fault| fault["engine"] == name).count();
    assert_eq!(of("broken") + of("crash"), faults.len());
    let reasons = faults.iter().filter(|fault| fault["engine"] == "broken").map(|fault| &fault["reason"]);
    assert!(of("broken") >= 10 && reasons.into_iter().all(|reason| reason == "no-start"));
    assert!(done.out.contains("± Deviation") && done.out.contains("doesn't start"), "{}", done.out);
    for command in [&["show", "j"][..], &["export", "j", "--to", "pgn"], &["standings", "j", "--markdown"]] {
        let done = run_in(dir, command);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{command:?}");
    }
}

#[test]
fn ratings_are_the_same_at_any_concurrency_and_after_an_interruption() {
    let dir = directory();
    let dir = dir.path();
    put_agents(dir);
    put(dir, "two.toml", "builtin = \"minimax\"\noptions = { Depth = 2 }\n");
    for (journal, concurrency) in [("one", "1"), ("four", "4")] {
        let done =
            run_in(dir, &[&LEAGUE[..], &["--journal", journal, "--concurrency", concurrency]].concat());
        assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    }
    let whole = table(dir, "one");
    assert_eq!(names(&whole).last(), Some(&"random"));
    assert_eq!(table(dir, "four"), whole);
    assert_eq!(games(&dir.join("four")), games(&dir.join("one")));
    let text = fs::read_to_string(dir.join("one")).expect("a journal");
    for (name, part) in [("third", 3), ("half", 2)] {
        fs::write(dir.join(name), &text[..text.len() / part]).expect("it is written");
        let done = run_in(dir, &["resume", name, "--once", "--concurrency", "2"]);
        assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
        assert_eq!(table(dir, name), whole, "{name}");
        assert_eq!(games(&dir.join(name)), games(&dir.join("one")), "{name}");
    }
}

#[test]
fn a_league_follows_its_folder() {
    let dir = directory();
    let dir = dir.path();
    put_agents(dir);
    let mark = mark("league");
    let endless = [&LEAGUE[..LEAGUE.len() - 1], &["--journal=j", "--concurrency=1"]].concat();
    let mut league = start(dir, &mark, &endless);
    let journal = dir.join("j");
    // The journal may end in the middle of a line now.
    let count = |part: &str| fs::read_to_string(&journal).unwrap_or_default().matches(part).count();
    let played = |name: &str| count(&format!("\"p1\":\"{name}\""));
    wait_until("both play", || played("random") > 0 && played("minimax") > 0);
    put(dir, "newcomer.toml", "builtin = \"sequential\"\n");
    wait_until("the newcomer plays", || played("newcomer") > 0);
    let id = Pid::from_raw(i32::try_from(league.id()).expect("a process number")).expect("a process");
    kill_process(id, Signal::TERM).expect("it lives");
    assert_eq!(league.wait().expect("it ends").code(), Some(4));
    wait_until("no engine is left", || processes(&mark).is_empty());

    // Two changes while nobody looks.
    fs::remove_file(dir.join("bots/random.toml")).expect("it is there");
    put(dir, "minimax.toml", "builtin = \"minimax\"\noptions = { Depth = 2 }\n");
    let done = run_in(dir, &["resume", "j", "--once", "--json"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let rows = table(dir, "j");
    assert_eq!(names(&rows), ["minimax", "newcomer", "random"]);
    assert_eq!(rows.iter().map(|row| &row["state"]).collect::<Vec<_>>(), ["rated", "rated", "gone"]);
    let entrants = records(&journal, "entrant");
    assert_eq!(entrants.iter().filter(|entrant| entrant["engine"]["name"] == "minimax").count(), 2);
    assert_eq!(records(&journal, "left"), [json!({"type": "left", "engine": "random"})]);
    let games = games(&journal).len();
    let done = run_in(dir, &["resume", "j", "--once"]);
    assert_eq!((done.code, records(&journal, "game").len() >= games), (0, true), "{}", done.err);
    assert_eq!(self::games(&journal).len(), games, "nothing was left to play");

    fs::rename(dir.join("bots"), dir.join("elsewhere")).expect("it is there");
    let done = run_in(dir, &["resume", "j", "--once"]);
    assert!(done.code == 1 && done.err.ends_with("go on with: arbiter resume j\n"), "{}", done.err);
}

#[test]
fn a_league_without_bots_says_so() {
    let dir = directory();
    let dir = dir.path();
    fs::create_dir(dir.join("bots")).expect("it is made");
    let line = "no bot has entered the league yet\n";
    let done = run_in(dir, &[&LEAGUE[..], &["--journal=j", "--quiet", "--markdown=m"]].concat());
    assert_eq!((done.code, done.out.as_str()), (0, line), "{}", done.err);
    assert!(done.err.starts_with("note: no bots in /") && done.err.lines().count() == 1, "{}", done.err);
    assert_eq!(fs::read_to_string(dir.join("m")).expect("a table"), line);
    for form in [&[][..], &["--markdown"]] {
        let done = run_in(dir, &[&["standings", "j"], form].concat());
        assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, line, ""));
    }
    put_agents(dir);
    let done = run_in(dir, &["resume", "j", "--once", "--quiet"]);
    assert!(done.code == 0 && done.out.contains("± Deviation"), "{}\n{}", done.out, done.err);
    assert_eq!(done.err, "");
}

#[test]
fn no_output_goes_where_the_bots_are() {
    let dir = directory();
    let dir = dir.path();
    fs::create_dir(dir.join("bots")).expect("it is made");
    let done = run_in(dir, &[&LEAGUE[..], &["--journal=old"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let files = [
        ("flat.toml", "builtin = \"minimax\"\n"),
        ("wrong.toml", "comand = \"x\"\n"),
        ("named.toml", "command = \"./run ../data\"\n"),
        ("../data", "1"),
        ("deep/bot.toml", "command = \"./run\"\n"),
        ("deep/run", "2"),
        ("alone", "3"),
    ];
    for (file, text) in files {
        put(dir, file, text);
    }
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(dir.join("bots/alone"), mode).expect("it is made executable");
    fs::hard_link(dir.join("bots/deep/run"), dir.join("link")).expect("a link");
    let before = fs::read(dir.join("old")).expect("a journal");
    let new = [&LEAGUE[..], &["--journal=new"]].concat();
    for args in [&new[..], &["resume", "old", "--once"]] {
        for option in [
            "--csv=bots/flat.toml",
            "--markdown=bots/wrong.toml",
            "--log=bots/named.toml",
            "--events=data",
            "--csv=link",
            "--log=bots/alone",
            "--csv=bots/deep/run",
            "--log=bots/deep/log",
        ] {
            let done = run_in(dir, &[args, &[option]].concat());
            let what = format!("error: {}: the run reads ", option.replace('=', " "));
            assert!(done.code == 1 && done.err.starts_with(&what), "{args:?} {option}: {}", done.err);
            assert_eq!(done.err.lines().count(), 1, "{}", done.err);
        }
    }
    let done = run_in(dir, &[&LEAGUE[..], &["--journal=bots/deep/j"]].concat());
    assert!(done.code == 1 && done.err.starts_with("error: --journal bots/deep/j: the run reads all"));
    for (file, text) in files {
        assert_eq!(fs::read_to_string(dir.join("bots").join(file)).expect("a file"), text, "{file}");
    }
    assert_eq!(fs::read(dir.join("old")).expect("a journal"), before);
    assert_eq!(fs::read_dir(dir.join("bots/deep")).expect("a folder").count(), 2);
    assert!(!dir.join("new").exists());
}

#[test]
fn senseless_leagues_are_usage_errors() {
    let dir = directory();
    put_agents(dir.path());
    for (args, part) in [
        (&["tournament", "simplexity", "none", "--format=league"][..], "the folder none: No such file"),
        (&["tournament", "simplexity", "--format=league"], "one folder of bots"),
        (&["tournament", "simplexity", "bots/random.toml", "--format=league"], "is no folder of bots"),
        (&["tournament", "simplexity", "bots", "--format=league", "--games=2"], "a league has no --games"),
        (&["tournament", "simplexity", "bots", "--format=league", "--sprt=class"], "a league has no"),
        (&["tournament", "simplexity", "random", "random", "--once"], "are for --format league"),
        (&["match", "simplexity", "random", "random", "--format=league"], "--format is for tournaments"),
    ] {
        let done = run_in(dir.path(), args);
        assert_eq!((done.code, done.out.as_str()), (1, ""), "{args:?}: {}", done.err);
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
    }
    let args = ["match", "simplexity", "random", "random", "--games=2", "--journal=j"];
    assert_eq!(run_in(dir.path(), &args).code, 0);
    let done = run_in(dir.path(), &["resume", "j", "--once"]);
    assert!(done.code == 1 && done.err.contains("--once is for a league; j is none"), "{}", done.err);
}
