//! What the arbiter makes of its surroundings: a full disk, foreign descriptors, suspension, a closing terminal.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::cli::{directory, engines, fake, finish, mark, records, run_in, start, wait_until};
use crate::fakes::{fake_engine, program};

/// Random moves at once: a game takes no time.
const QUICK: [&str; 7] = ["match", "simplexity", "random", "random", "--games=2", "--journal=j", "--seed=1"];

/// The arbiter started by a shell that does something before.
fn through_shell(dir: &Path, before: &str, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{before}; exec \"$0\" \"$@\"")]).arg(program()).args(args);
    command.current_dir(dir).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_table_that_cannot_be_written_is_no_success() {
    let dir = directory();
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut command = Command::new(program());
    let output = command.current_dir(dir.path()).args(QUICK).arg("--quiet").stdout(full).output();
    let output = output.expect("the arbiter runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{err}");
    assert!(
        err.contains("the table can't be written: No space left") && err.contains("arbiter resume j"),
        "{err}"
    );
    assert_eq!(run_in(dir.path(), &["resume", "j", "--quiet"]).code, 0, "nothing is lost");
}

#[test]
fn a_file_that_cannot_be_written_keeps_no_table_back() {
    let dir = directory();
    for (options, refused) in [
        (&["--csv=/dev/full"][..], "--csv"),
        (&["--markdown=/dev/full", "--csv=t.csv"], "--markdown"),
        (&["--csv=/dev/full", "--json"], "--csv"),
    ] {
        let done = run_in(dir.path(), &[&QUICK[..], &["--quiet"], options].concat());
        let refused = format!("{refused} /dev/full");
        let error = format!(
            "error: {refused}: No space left on device (os error 28)\n  next step: write it again with: \
             arbiter resume j {refused}\n"
        );
        assert_eq!(done.code, 5, "{options:?}: {}", done.err);
        assert!(done.err.ends_with(&error), "{options:?}: {}", done.err);
        let standings = run_in(dir.path(), &["standings", "j"]).out;
        let is_json = options.contains(&"--json");
        assert!(
            if is_json { done.err.starts_with(&standings) } else { done.out == standings },
            "{}",
            done.out
        );
        assert_eq!(is_json, done.out.starts_with("{\"faults\":[]"), "{}", done.out);
        let done = run_in(dir.path(), &["resume", "j", "--quiet", "--csv=u.csv"]);
        assert_eq!(done.code, 0, "{}", done.err);
        fs::remove_file(dir.path().join("j")).expect("a journal");
    }
    let [one, other] = ["t.csv", "u.csv"].map(|name| fs::read(dir.path().join(name)).expect("a table"));
    assert!(one == other && !one.is_empty());
}

#[test]
fn records_and_traffic_that_cannot_be_written_are_told_once_and_are_no_success() {
    let play = ["play", "simplexity", "--p1=random", "--p2=random", "--seed=1"];
    for (args, option) in [(&QUICK[..], "--events"), (&QUICK, "--log"), (&play, "--log")] {
        let done = run_in(directory().path(), &[args, &[&format!("{option}=/dev/full")]].concat());
        assert_eq!(done.code, 5, "{}", done.err);
        assert_eq!(done.err.matches("ends here").count(), 1, "{}", done.err);
        assert!(done.err.ends_with(&format!("error: {option} has not all there was to write\n")));
        assert!(done.out.contains("Points") || done.out.contains("1. white"), "{}", done.out);
    }
    let dir = directory();
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut command = Command::new(program());
    let output = command.current_dir(dir.path()).args(QUICK).arg("--events=-").stdout(full).output();
    let output = output.expect("the arbiter runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(5) && err.contains("Points"), "{err}");
}

#[test]
fn what_cannot_be_printed_is_no_success() {
    let dir = directory();
    assert_eq!(run_in(dir.path(), &QUICK).code, 0);
    let proof = ["solve", "simplexity", "--fen=7/7/7/7/3R3/3w3 w 9,11,10,10 4", "--nodes=1"];
    for args in [
        &["show", "j"][..],
        &["show", "j", "--json"],
        &["show", "j", "--game=0"],
        &["standings", "j"],
        &["export", "j", "--to=pgn"],
        &["games"],
        &["engines"],
        &["--help"],
        &["play", "--help"],
        &["--version"],
        &["engine", "simplexity", "--help"],
        &["engine", "simplexity", "bench", "--depth=1"],
        &["sprt", "--plan"],
        &["perft", "simplexity", "--depth=1"],
        &["play", "simplexity", "--p2=human"],
        &["play", "simplexity", "--p1=random", "--p2=random"],
        &[&QUICK[..4], &["--plan"]].concat(),
        &proof,
    ] {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut command = Command::new(program());
        let output = command.current_dir(dir.path()).args(args).stdin(Stdio::null()).stdout(full).output();
        let output = output.expect("the arbiter runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{args:?}: {err}");
        assert_eq!(err.matches("error: ").count(), 1, "{args:?}: {err}");
        assert!(err.contains(" can't be written: No space left"), "{args:?}: {err}");
    }
}

#[test]
fn what_cannot_be_opened_leaves_no_journal() {
    let dir = directory();
    for option in ["--events=/", "--log=/", "--markdown=nowhere/m", "--csv=/", "--csv=-", "--affinity=4000"] {
        let done = run_in(dir.path(), &[&QUICK[..], &[option]].concat());
        assert_eq!(done.code, 1, "{}", done.err);
        assert!(!dir.path().join("j").exists(), "{option}");
    }
}

#[test]
fn no_output_goes_where_another_goes() {
    let dir = directory();
    assert_eq!(run_in(dir.path(), &QUICK).code, 0);
    let journal = fs::read(dir.path().join("j")).expect("a journal");
    fs::hard_link(dir.path().join("j"), dir.path().join("link")).expect("a link");
    for options in [
        &["--events=j"][..],
        &["--log=link"],
        &["--markdown=j"],
        &["--csv=./j"],
        &["--markdown=m", "--csv=m"],
        &["--log=e", "--events=e"],
    ] {
        let done = run_in(dir.path(), &[&["resume", "j", "--quiet"], options].concat());
        assert_eq!(done.code, 1, "{options:?}: {}", done.err);
        let last = options.last().expect("an option").replace('=', " ");
        assert_eq!(done.err, format!("error: {last}: the run writes something else there\n"), "{options:?}");
        assert_eq!(fs::read(dir.path().join("j")).expect("a journal"), journal, "{options:?}");
    }
    let done = run_in(dir.path(), &["resume", "j", "--quiet", "--markdown=m", "--csv=c"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let table = fs::read_to_string(dir.path().join("m")).expect("a table");
    assert!(table.starts_with("| # "), "{table}");
}

#[test]
fn no_output_goes_where_another_comes_to_be() {
    let dir = directory();
    symlink("j", dir.path().join("link")).expect("a link");
    for option in ["--markdown=j", "--csv=./j", "--log=link", "--events=link"] {
        let done = run_in(dir.path(), &[&QUICK[..], &[option]].concat());
        assert_eq!(done.code, 1, "{option}: {}", done.err);
        let option = option.replace('=', " ");
        assert_eq!(done.err, format!("error: {option}: the run writes something else there\n"));
        assert!(!dir.path().join("j").exists(), "{option}");
    }
}

#[test]
fn no_output_goes_where_the_run_reads() {
    let dir = directory();
    let files = [
        ("book", "4o\n1o\n"),
        ("bot.py", "import sys\n"),
        (
            "cup.toml",
            "game = \"simplexity\"\ngames = 2\nopenings = \"book\"\njournal = \"j\"\n\
             [[engine]]\nbuiltin = \"random\"\n[[engine]]\ncommand = \"python3 bot.py\"\ndir = \".\"\n",
        ),
    ];
    for (name, text) in files {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    fs::hard_link(dir.path().join("book"), dir.path().join("link")).expect("a link");
    let one_match = [&QUICK[..2], &["random", "python3 bot.py"], &QUICK[4..], &["--openings=book"]].concat();
    let cup = ["tournament", "cup.toml", "--seed=1"];
    let play = ["play", "simplexity", "--p2=python3 bot.py"];
    for (args, option) in [
        (&one_match[..], "--csv=book"),
        (&one_match, "--markdown=./link"),
        (&one_match, "--log=bot.py"),
        (&cup, "--log=cup.toml"),
        (&cup, "--events=./cup.toml"),
        (&cup, "--csv=book"),
        (&cup, "--markdown=bot.py"),
        (&play, "--log=bot.py"),
    ] {
        let done = run_in(dir.path(), &[args, &[option]].concat());
        assert_eq!(done.code, 1, "{option}: {}", done.err);
        let option = option.replace('=', " ");
        assert_eq!(done.err, format!("error: {option}: the run reads something else there\n"));
        for (name, text) in files {
            assert_eq!(fs::read_to_string(dir.path().join(name)).expect("a file"), text, "{option}");
        }
        assert!(!dir.path().join("j").exists(), "{option}");
    }
}

#[test]
fn a_refused_run_leaves_all_files_as_they_were() {
    let dir = directory();
    symlink("aim", dir.path().join("link")).expect("a link");
    let names = || {
        let entries = fs::read_dir(dir.path()).expect("a directory");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    };
    for name in ["events", "log", "m"] {
        fs::write(dir.path().join(name), "keep\n").expect("a file");
    }
    let before = names();
    let old = ["--events=events", "--log=log", "--markdown=m", "--csv=new"];
    let new = ["--events=e", "--log=link", "--markdown=n", "--csv=c"];
    for outputs in [old, new] {
        for refused in ["--journal=nowhere/j", "--affinity=4000", "--csv=/", "--events=/"] {
            let done = run_in(dir.path(), &[&QUICK[..], &outputs, &[refused]].concat());
            assert_eq!(done.code, 1, "{refused}: {}", done.err);
            assert_eq!(names(), before, "{refused}");
            for name in ["events", "log", "m"] {
                let text = fs::read_to_string(dir.path().join(name)).expect("a file");
                assert_eq!(text, "keep\n", "{refused}");
            }
        }
    }
    for outputs in [old, new] {
        let done = run_in(dir.path(), &[&QUICK[..], &outputs].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        fs::remove_file(dir.path().join("j")).expect("a journal");
    }
    for name in ["events", "log", "m", "new", "e", "aim", "n", "c"] {
        let text = fs::read_to_string(dir.path().join(name)).expect("a file");
        assert!(!text.is_empty() && !text.starts_with("keep"), "{name}: {text}");
    }
}

#[test]
fn a_limit_of_file_sizes_is_a_full_disk() {
    let dir = directory();
    let args = [&QUICK[..4], &["--games=2000", "--journal=j", "--seed=1", "--quiet"]].concat();
    let output = through_shell(dir.path(), "ulimit -f 8", &args).output().expect("the shell runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{err}");
    assert!(err.contains("make room and go on with: arbiter resume j"), "{err}");
    let done = run_in(dir.path(), &["standings", "j"]);
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn a_game_that_cannot_be_saved_whole_leaves_no_file() {
    let dir = directory();
    // So many moves, on a board that has room for no line, exceed the limit whether the shell counts it in 512 bytes or 1024.
    let moves = (0..80).map(|n| format!("{}{}\n", 1 + n / 10, ["o", "s"][n / 2 % 2]));
    let said = moves.collect::<String>() + "save s\nquit\n";
    fs::write(dir.path().join("said"), said).expect("a file");
    let args =
        ["play", "simplexity", "--p2=human", "--ascii", "--setup=rows=10,cols=9,win=10,round=50,square=50"];
    let mut command = through_shell(dir.path(), "ulimit -f 1", &args);
    let said = File::open(dir.path().join("said")).expect("a file");
    let output = command.stdin(said).output().expect("the shell runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("journal s: File too large"), "{out}");
    assert!(out.contains("unfinished at ply 80"), "{out}");
    assert!(!dir.path().join("s").exists());
}

#[test]
fn an_engine_without_a_launcher_leaves_no_journal() {
    let dir = directory();
    let copy = dir.path().join("arbiter");
    fs::copy(program(), &copy).expect("a copy");
    let mut arbiter = Command::new(&copy)
        .current_dir(dir.path())
        .args([
            "match",
            "simplexity",
            "random",
            "random",
            "--nodes=1",
            "--openings=/dev/stdin",
            "--journal=j",
        ])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the copy starts");
    // It waits for its openings before it starts itself anew as guard and launcher, from a file that is gone by then.
    fs::remove_file(&copy).expect("the copy is there");
    let mut openings = arbiter.stdin.take().expect("a pipe");
    openings.write_all(b"4o\n").expect("the copy reads its openings");
    drop(openings);
    let (code, err) = finish(&mut arbiter);
    assert_eq!(code, Some(5), "{err}");
    assert!(!dir.path().join("j").exists(), "an empty journal stays behind");
}

#[test]
fn engines_inherit_no_descriptors() {
    let dir = directory();
    let bot = dir.path().join("bot");
    let script = "#!/bin/sh\n[ -e /proc/self/fd/9 ] && exit 7\nexec \"$FAKE\" --mode list-descriptors\n";
    fs::write(&bot, script).expect("a script");
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("the script can be run");
    let args = ["match", "simplexity", "./bot", "random", "--games=2", "--depth=1"];
    let mut command = through_shell(dir.path(), "exec 9</dev/null", &args);
    let output = command.env("FAKE", fake_engine()).output().expect("the shell runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn too_few_files_are_said_before_the_run_or_are_enough_for_it() {
    let dir = directory();
    let dying = fake("die-on-go", "2");
    let args = ["match", "simplexity", &dying, "random", "--games=12", "--recover", "--nodes=1", "--seed=1"];
    let place = ["--journal=j", "--log=log", "--scratch", "--quiet"];
    let few = |concurrency: &str| {
        let args = [&args[..], &place, &["--concurrency", concurrency]].concat();
        let output = through_shell(dir.path(), "ulimit -n 64", &args).output().expect("the shell runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, err) = few("100");
    assert_eq!((code, err.lines().count()), (Some(1), 1), "{err}");
    assert!(err.contains("(ulimit -n) leaves room for 2 games at a time, not 12"), "{err}");
    assert!(!dir.path().join("j").exists());
    let (code, err) = few("2");
    assert_eq!(code, Some(3), "{err}");
    let faults = records(&dir.path().join("j"), "fault");
    assert!(faults.iter().all(|fault| fault["engine"] == "die_on_go"), "{faults:?}");
    assert_eq!(records(&dir.path().join("j"), "game").len(), 12);
}

#[test]
fn a_run_that_ignores_hangups_survives_its_terminal() {
    let dir = directory();
    let args = [&QUICK[..4], &["--games=1000000", "--journal=j", "--quiet"]].concat();
    let mut arbiter = through_shell(dir.path(), "trap '' HUP", &args).spawn().expect("the shell runs");
    let journal = dir.path().join("j");
    let games = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    wait_until("a game is played", || games() > 1);
    let pid = Pid::from_child(&arbiter);
    kill_process(pid, Signal::HUP).expect("it runs");
    let before = games();
    wait_until("more games are played", || games() > before + 20);
    kill_process(pid, Signal::TERM).expect("it still runs");
    assert_eq!(finish(&mut arbiter).0, Some(4));
}

#[test]
fn no_engine_pays_for_the_time_an_arbiter_was_suspended() {
    let dir = directory();
    let mark = mark("suspended");
    let args = ["match", "simplexity", "builtin", "builtin", "--games=2", "--movetime=400", "--margin=1000"];
    let mut arbiter =
        start(dir.path(), &mark, &[&args[..], &["--journal=j", "--concurrency=1", "--quiet"]].concat());
    let pid = Pid::from_child(&arbiter);
    wait_until("the engines run", || engines(&mark) == 2);
    for _ in 0..2 {
        sleep(Duration::from_millis(300));
        kill_process(pid, Signal::STOP).expect("it runs");
        sleep(Duration::from_millis(1500));
        kill_process(pid, Signal::CONT).expect("it is stopped");
    }
    arbiter.wait().expect("it ends");
    let faults = records(&dir.path().join("j"), "fault");
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn a_journal_has_one_run_at_a_time() {
    let dir = directory();
    let args = [&QUICK[..4], &["--games=1000000", "--journal=j", "--quiet"]].concat();
    let mut arbiter = start(dir.path(), &mark("busy"), &args);
    wait_until("the journal is begun", || {
        fs::metadata(dir.path().join("j")).is_ok_and(|file| file.len() > 0)
    });
    let done = run_in(dir.path(), &["resume", "j"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("another run is writing it"), "{}", done.err);
    kill_process(Pid::from_child(&arbiter), Signal::TERM).expect("it runs");
    assert_eq!(finish(&mut arbiter).0, Some(4));
}

#[test]
fn a_first_move_has_a_limit_of_its_own() {
    let dir = directory();
    let args = [&QUICK[..], &["--movetime=7", "--first-movetime=70", "--margin=5000", "--log=log"]].concat();
    let done = run_in(dir.path(), &[&args[..], &["--affinity=auto", "--concurrency=1"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("7 ms per move, 70 ms for the first"), "{}", done.out);
    let log = fs::read_to_string(dir.path().join("log")).expect("a log");
    let games = records(&dir.path().join("j"), "game");
    let moves: usize = games.iter().map(|game| game["moves"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(log.matches("go movetime 70 ").count(), 4, "one for each engine in each game");
    assert_eq!(log.matches("go movetime 7 ").count(), moves - 4);
    let done =
        run_in(dir.path(), &["match", "simplexity", "random", "random", "--nodes=5", "--first-movetime=9"]);
    assert!(done.code == 1 && done.err.contains("instead of --movetime"), "{}", done.err);
}
