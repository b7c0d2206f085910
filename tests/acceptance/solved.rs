//! Games that end because one of their positions is solved.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arbiter::arena::{Arena, Played};
use arbiter::config::TimeControl;
use arbiter::process::Hub;
use arbiter::table::Table;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::cli::{directory, fake, finish, games, mark, records, run, run_in, start};
use crate::fakes::{arena, fake as fake_spec, job, processes, program, wait_until};

/// Expects an adjudicated game to have the result that its last position is worth.
#[track_caller]
fn assert_exact(game_name: &str, game: &Value) {
    let rules = registry::find(game_name).expect("the game is built in");
    let mut state = rules.load(game["fen"].as_str().expect("a position")).expect("it is one");
    for m in game["moves"].as_array().expect("moves") {
        state.play(m.as_str().expect("a move")).expect("it is legal");
    }
    assert_eq!(state.outcome(), None, "the rules alone end no such game");
    let solved = run(&["solve", game_name, "--fen", &state.fen(), "--json"]);
    let solved: Value = serde_json::from_str(&solved.out).expect("JSON");
    assert_eq!(game["solved"]["value"], solved["value"], "{game}");
    let mover = state.side_to_move().index();
    let result = match solved["value"].as_str() {
        Some("win") => ["p1win", "p2win"][mover],
        Some("loss") => ["p2win", "p1win"][mover],
        _ => "draw",
    };
    assert_eq!((&game["result"], &game["guilty"]), (&json!(result), &Value::Null), "{game}");
}

fn adjudicated(games: &[Value]) -> Vec<&Value> {
    games.iter().filter(|game| game["reason"] == "adjudicated").collect()
}

#[test]
fn solved_games_have_exact_results_and_are_the_same_at_any_concurrency_and_when_resumed() {
    let dir = directory();
    // So few nodes prove nothing before some moves are played.
    let args =
        ["match", "andantino", "greedy", "groups", "--depth=1", "--games=8", "--adjudicate-solved=300"];
    let play = |concurrency: &str, journal: &str| {
        let args = [&args[..], &["--concurrency", concurrency, "--journal", journal]].concat();
        let done = run_in(dir.path(), &args);
        assert_eq!(done.code, 0, "{}", done.err);
        games(&dir.path().join(journal))
    };
    let all = play("1", "one");
    assert_eq!(all, play("2", "two"));
    assert_eq!(records(&dir.path().join("one"), "plan")[0]["adjudication"], json!({"solved": 300}));
    let solved = adjudicated(&all);
    assert!(
        solved.iter().any(|game| game["plies"].as_u64() > Some(1)),
        "some are solved only later: {all:?}"
    );
    for game in &solved {
        assert_exact("andantino", game);
        assert!(game["solved"]["nodes"].as_u64() < Some(600), "{game}");
    }
    let table = run_in(dir.path(), &["standings", "one", "--json"]).out;
    let table: Value = serde_json::from_str(&table).expect("JSON");
    assert_eq!((&table["games"], &table["faults"]), (&json!(8), &json!([])));
    let value = format!("{} in ", solved[0]["solved"]["value"].as_str().expect("a value"));
    for (args, before) in
        [(&["show", "one"][..], "(solved: "), (&["export", "one", "--to=pgn"], "[Solved \"")]
    {
        let out = run_in(dir.path(), args).out;
        assert!(out.contains(&format!("{before}{value}")), "{out}");
    }

    // The option belongs to the plan.
    let text = fs::read_to_string(dir.path().join("one")).expect("a journal");
    let cut: String = text.split_inclusive('\n').take(3).collect();
    fs::write(dir.path().join("cut"), cut).expect("it is written");
    let done = run_in(dir.path(), &["resume", "cut"]);
    assert_eq!((done.code, games(&dir.path().join("cut"))), (0, all), "{}", done.err);
}

#[test]
fn games_of_each_kind_are_solved() {
    for (game, setup) in
        [("xrudder", "rows=3,cols=4,tokens=4,moves=2"), ("andantino", "radius=2"), ("colosseum", "size=3")]
    {
        let dir = directory();
        let args = ["match", game, "a=random", "b=random", "--setup", setup, "--depth=1", "--games=4"];
        let args = [&args[..], &["--adjudicate-solved", "--journal=j"]].concat();
        let done = run_in(dir.path(), &args);
        assert_eq!(done.code, 0, "{game}: {}", done.err);
        assert_eq!(records(&dir.path().join("j"), "plan")[0]["adjudication"], json!({"solved": 20000}));
        let all = games(&dir.path().join("j"));
        assert!(!adjudicated(&all).is_empty(), "{all:?}");
        for played in adjudicated(&all) {
            assert_exact(game, played);
        }
    }
}

#[test]
fn where_a_clock_runs_positions_are_solved_while_an_engine_thinks() {
    let dir = directory();
    // Engines that take their time for each move; there is enough for the rest of the game to be solved meanwhile.
    let slow = format!("{} --arg 2000", fake("busy-noready", "1"));
    let place = ["--games=2", "--openings=random:1", "--concurrency=1", "--journal=j"];
    let args = ["match", "simplexity", &slow, &format!("b{slow}"), "--setup=rows=3,cols=3,win=3"];
    let rule = ["--movetime=60000", "--adjudicate-solved"];
    let done = run_in(dir.path(), &[&args[..], &rule, &place].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let all = games(&dir.path().join("j"));
    assert!(!adjudicated(&all).is_empty(), "{all:?}");
    for game in adjudicated(&all) {
        assert_exact("simplexity", game);
    }
}

#[test]
fn a_tournament_file_may_ask_for_it() {
    let dir = directory();
    for (value, nodes) in [("true", 20000), ("77", 77)] {
        let text = format!("game = \"simplexity\"\ngames = 2\ndepth = 1\nadjudicate-solved = {value}\n");
        fs::write(dir.path().join("t.toml"), text).expect("it is written");
        let args = ["tournament", "t.toml", "random", "sequential", "--journal", value];
        let done = run_in(dir.path(), &args);
        assert_eq!(done.code, 0, "{}", done.err);
        let plan = &records(&dir.path().join(value), "plan")[0];
        assert_eq!(plan["adjudication"], json!({"solved": nodes}));
    }
    let args = ["match", "simplexity", "random", "random", "--adjudicate-solved=0"];
    let done = run(&args);
    assert!(done.code == 1 && done.err.contains("--adjudicate-solved"), "{}", done.err);
}

/// The niceness of a process.
fn niceness(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(16)?.parse().ok()
}

#[test]
fn nothing_outlives_an_arbiter_that_solves() {
    for (limit, signal, is_beside) in [
        ("--movetime=600000", Signal::KILL, true),
        ("--movetime=600000", Signal::TERM, true),
        ("--depth=1", Signal::KILL, false),
        ("--depth=1", Signal::TERM, false),
    ] {
        let dir = directory();
        let mark = mark(&format!("solving.{}.{limit}", signal.as_raw()));
        let hang = fake("hang", "1");
        let args = ["match", "simplexity", &hang, "random", limit, "--concurrency=1", "--max-think=600000"];
        let rule = ["--adjudicate-solved=1000000000000", "--journal=j"];
        let mut arbiter = start(dir.path(), &mark, &[&args[..], &rule].concat());
        let solver = || {
            processes(&mark)
                .into_iter()
                .find(|(_, command)| command.contains(" solve simplexity ") && !command.contains(" launch "))
        };
        wait_until(Duration::from_secs(30), || solver().is_some());
        let niceness = solver().and_then(|(pid, _)| niceness(pid));
        assert_eq!(niceness, Some(if is_beside { 19 } else { 0 }), "{limit}");
        kill_process(Pid::from_child(&arbiter), signal).expect("it runs");
        let (code, err) = finish(&mut arbiter);
        assert_eq!(code, (signal == Signal::TERM).then_some(4), "{limit}: {err}");
        wait_until(Duration::from_secs(30), || processes(&mark).is_empty());
    }
}

/// An arbiter's executable whose `solve` does something else.
fn program_with(dir: &Path, solve: &str) -> PathBuf {
    let path = dir.join("arbiter");
    let script = format!("#!/bin/sh\n[ \"$1\" = solve ] || exec '{}' \"$@\"\n{solve}\n", program().display());
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the script can be run");
    path
}

#[test]
fn a_solver_that_fails_decides_nothing() {
    let play = |arena: &Arena| {
        let hub = Hub::start(arena).expect("the hub starts");
        let mut table = Table::new(&hub, arena);
        table.play(&job(0, arena)).unwrap_or_else(|error| panic!("{error}"))
    };
    let bare = |Played { game, fault }: Played| {
        assert_eq!(fault, None);
        (game.moves, game.result, game.reason, game.solved)
    };
    for limits in [
        TimeControl { movetime: Some(Duration::from_secs(60)), ..TimeControl::default() },
        TimeControl { nodes: Some(1), ..TimeControl::default() },
    ] {
        let engines = || vec![fake_spec("a", "instant", &[]), fake_spec("b", "instant", &[])];
        let arena = || Arena { limits: limits.clone(), ..arena(engines()) };
        let expected = bare(play(&arena()));
        assert_eq!(expected.3, None);
        for solve in [
            "exit 3",
            "kill -9 $$",
            "echo nonsense",
            "echo '{\"value\":\"winning\",\"nodes\":1}'",
            "echo '{\"value\":\"win\"}'",
            "echo '{\"value\":\"win\",\"nodes\":1}'; echo '{\"value\":\"loss\",\"nodes\":1}'",
            "echo '{\"value\":\"unknown\",\"nodes\":1}'",
            "kill -STOP $$",
            "exec sleep 300",
            "exec yes",
            "exec yes >&2",
        ] {
            let dir = directory();
            let mut arena = arena();
            arena.program = program_with(dir.path(), solve);
            // Killed at such a priority, one may take its time to end.
            arena.patience.exit = Duration::from_secs(20);
            arena.adjudication.solved = Some(1000.try_into().expect("not 0"));
            assert_eq!(bare(play(&arena)), expected, "{solve}");
        }
    }
}
