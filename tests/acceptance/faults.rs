//! Every way an engine can fail: the right reason, the right side, in bounded time, and nothing left behind.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arbiter::arena::{Job, Played};

use arbiter::process::Hub;
use arbiter::table::Table;

use crate::cli::{directory, finish, games, mark, memory, records, start};
use crate::fakes::{arena, engine, fake, fake_engine, four_games, modes, processes, wait_until};

/// Four games of the fake engine against a healthy one, as `reason` and `detail` of its faults. Only with `hurry` does
/// time matter, and then with room for a healthy engine on a loaded machine.
fn faults(mode: &str, arguments: &[&str], hurry: bool) -> Vec<(String, String)> {
    let mut arena = arena(vec![fake("Fake", mode, arguments), fake("Healthy", "healthy", &[])]);
    if mode.contains("flood") {
        // The quota is to be exceeded before the time, on a slow machine too.
        arena.limits.movetime = Some(Duration::from_secs(10));
    }
    if hurry {
        arena.patience.margin = Duration::from_millis(500);
        arena.patience.ready = Duration::from_secs(2);
        arena.patience.cleanup = Duration::from_secs(2);
    }
    let outcome = four_games(arena);
    assert!(outcome.elapsed < Duration::from_secs(60), "took {:?}", outcome.elapsed);
    let games = outcome.played();
    assert_eq!(games.len(), 4);
    games.iter().for_each(check);
    games.into_iter().filter_map(|played| played.fault).map(|fault| (fault.reason, fault.detail)).collect()
}

/// What holds for any game that the fake engine played.
fn check(played: &Played) {
    let game = &played.game;
    assert_eq!(game.moves.len(), game.times_ms.len());
    assert_eq!(game.plies as usize, game.moves.len());
    assert_ne!(game.result, "unfinished");
    match &played.fault {
        None => {
            assert_eq!(game.guilty, None);
            assert!(game.reason.starts_with("line-") || game.reason == "board-full", "{}", game.reason);
        }
        Some(fault) => {
            assert_eq!(game.guilty.as_deref(), Some("Fake"), "{}: {}", fault.reason, fault.detail);
            assert_eq!((fault.engine.as_str(), fault.game), ("Fake", game.index));
            assert_eq!(fault.reason, game.reason);
            assert_eq!(game.result, if game.p1 == "Fake" { "p2win" } else { "p1win" });
            assert!(!fault.last_lines.is_empty() && !fault.detail.is_empty());
            // Whatever the engine says, people can read it.
            assert!(
                fault.detail.len() < 1000 && !fault.detail.contains(char::is_control),
                "{}",
                fault.detail
            );
        }
    }
}

/// A row of the suite: a mode of the fake engine, its arguments, and the reason for which it loses, if it does.
type Row = (&'static str, &'static [&'static str], Option<&'static str>);

macro_rules! healthy {
    ($($name:ident: $mode:literal $($argument:literal)*;)*) => {
        const HEALTHY: &[Row] = &[$(($mode, &[$($argument),*], None)),*];
        $(
        #[test]
        fn $name() {
            assert_eq!(faults($mode, &[$($argument),*], false), []);
        }
    )*};
}

healthy! {
    a_healthy_engine_plays: "healthy";
    the_minimal_engine_plays: "healthy" "--minimal";
    an_engine_without_rules_plays: "legal-list";
    a_slow_handshake_is_waited_for: "slow-handshake" "--arg" "1000";
    a_slow_readyok_is_waited_for: "slow-readyok" "--arg" "1000";
    blank_lines_are_ignored: "blank-lines";
    tabs_separate_words: "tabs";
    crlf_ends_lines: "crlf";
    banners_and_prompts_are_ignored: "banner";
    a_second_bestmove_is_dropped: "twice";
    malformed_info_is_ignored: "bad-info";
    an_illegal_pv_is_ignored: "illegal-pv";
    words_after_a_move_are_ignored: "extra-words";
    foreign_encodings_are_ignored: "latin1";
    nul_bytes_are_ignored: "nul-byte";
    a_huge_line_is_ignored: "hugeline";
    standard_error_is_drained: "stderr-flood";
    nobody_pings_a_thinking_engine: "busy-noready" "--arg" "20";
    quit_may_be_ignored: "no-quit";
    sigterm_may_be_ignored: "ignore-sigterm";
    the_end_of_input_may_be_ignored: "ignore-eof";
    grandchildren_are_killed: "fork-grandchild";
    daemons_are_killed: "daemonise";
}

macro_rules! faulty {
    ($($name:ident: $mode:literal $($argument:literal)* => $reason:literal, $detail:literal;)*) => {
        const FAULTY: &[Row] = &[$(($mode, &[$($argument),*], Some($reason))),*];
        $(
        #[test]
        fn $name() {
            let faults = faults($mode, &[$($argument),*], matches!($reason, "time" | "stall"));
            assert!(!faults.is_empty(), "no fault");
            for (reason, detail) in faults {
                assert_eq!(reason, $reason, "{detail}");
                assert!(detail.contains($detail), "{detail}");
            }
        }
    )*};
}

faulty! {
    dying_is_a_crash: "die-on-go" => "crash", "exit code 3";
    exiting_is_an_exit: "exit-on-go" => "exit", "exit code 0";
    a_signal_is_a_crash: "segv" => "crash", "signal 11 (SIGSEGV)";
    dying_beside_a_grandchild_is_a_crash: "fork-grandchild" "--arg" "1" => "crash", "exit code 3";
    hanging_is_a_stall: "hang" => "stall", "is sleeping";
    not_reading_is_a_stall: "no-read-stdin" => "stall", "no move after";
    chatter_moves_no_deadline: "chatter" => "stall", "no move after";
    a_late_move_loses: "late" "--arg" "900" => "time", "beyond 100.0 ms and 500.0 ms margin";
    a_late_move_of_a_minimal_engine_loses: "late" "--arg" "900" "--minimal" => "time", "beyond 100.0 ms";
    a_stale_move_loses_one_game: "stale" "--arg" "900" => "time", "beyond 100.0 ms";
    a_very_late_move_is_a_stall: "late" "--arg" "4000" => "stall", "no move after";
    an_illegal_move_loses: "illegal-move" => "illegal", "its view: ";
    an_illegal_first_move_loses: "illegal-move" "--after" "1" => "illegal", "its view: ";
    a_malformed_move_loses: "malformed-move" => "malformed", "(e2-e4)";
    a_rant_is_no_move_and_is_cut_short: "rant" => "malformed", "`a\\u{1b}]0;b\\u{7}a";
    a_rant_about_an_error_is_cut_short: "rant" "--arg" "1" => "no-move", "; it said: error internal : a\\u{1b}";
    a_rant_about_the_position_is_cut_short: "rant" "--arg" "2" => "illegal", "; its view: a\\u{1b}]0;b";
    none_is_no_move: "none" => "no-move", "legal moves";
    null_is_no_move: "null" => "no-move", "; next step: larger ones, if these are too small";
    a_move_without_its_tag_is_none: "empty" => "stall", "; a move was dropped, expected tag t";
    nothing_is_no_move: "empty" "--minimal" => "no-move", "legal moves";
    resigning_is_no_move: "resign" => "no-move", "legal moves";
    a_flood_of_lines_is_a_flood: "flood" => "flood", "lines without an answer";
    a_flood_of_bytes_is_a_flood: "no-newline-flood" => "flood", "bytes in";
    closing_the_output_is_a_disconnect: "close-stdout" => "disconnect", "still alive";
    a_silent_readyok_is_a_stall: "no-readyok" "--after" "2" => "stall", "between two games: no `readyok`";
    dying_between_games_is_a_crash: "die-between-games" "--after" "2" => "crash", "between two games: exit code 3";
    dying_after_a_move_is_a_crash: "die-after-bestmove" => "crash", "exit code 3";
    refusing_a_legal_move_loses: "rejects-move" => "rejects-legal-move", "error illegal-move";
}

/// Modes that other tests look at: engines that never take part, and what only a sandbox is for.
const ELSEWHERE: [&str; 13] = [
    "allocate",
    "fork-bomb",
    "ignores-last-move",
    "instant",
    "list-descriptors",
    "never-flush",
    "open-socket",
    "prints-usage-and-waits",
    "random",
    "signal-parent",
    "silent-handshake",
    "write-outside",
    "wrong-setupok",
];

#[test]
fn every_mode_has_its_test() {
    let modes = modes();
    let rows = HEALTHY.iter().chain(FAULTY).map(|(mode, ..)| *mode);
    assert_eq!(rows.chain(ELSEWHERE).map(str::to_owned).collect::<BTreeSet<_>>(), modes);
}

#[test]
fn a_wrapper_goes_with_its_engine() {
    let stubborn = format!("{} --mode ignore-sigterm; true", fake_engine().display());
    let arena = arena(vec![engine("Fake", &["sh", "-c", &stubborn]), fake("Healthy", "healthy", &[])]);
    assert!(four_games(arena).played().iter().all(|played| played.fault.is_none()));
}

/// What the whole suite does to an arbiter of its own, row by row.
#[test]
#[ignore = "takes minutes, and is for its output: see CONTRIBUTING.md"]
fn the_suite_as_a_table() {
    println!(
        "| mode | verdict | reason | seconds | arbiter, MiB | engines, MiB |\n|---|---|---|---|---|---|"
    );
    for &(mode, arguments, expected) in HEALTHY.iter().chain(FAULTY) {
        let dir = directory();
        let mark = mark(&format!("table.{mode}.{}", arguments.join(".")));
        let word = format!("Fake={} --mode {mode} {}", fake_engine().display(), arguments.join(" "));
        let healthy = format!("Healthy={} --mode healthy", fake_engine().display());
        // A flood exceeds its quota before the time is up; a late move is late, and a healthy one is not.
        let movetime = if mode.contains("flood") { "--movetime=10000" } else { "--movetime=100" };
        let margin = if expected == Some("time") { "--margin=500" } else { "--margin=1000" };
        let args =
            ["match", "simplexity", &word, &healthy, "--games=4", "--recover", "--journal=j", "--quiet"];
        let since = Instant::now();
        let mut arbiter =
            start(dir.path(), &mark, &[&args[..], &["--concurrency=1", movetime, margin]].concat());
        let (mut own, mut engines) = (0, 0);
        while arbiter.try_wait().expect("a status").is_none() {
            own = own.max(memory(arbiter.id(), "VmHWM").unwrap_or_default());
            for (pid, command) in processes(&mark) {
                if command.contains("fake-engine") && !command.contains(" launch ") {
                    engines = engines.max(memory(pid as u32, "VmHWM").unwrap_or_default());
                }
            }
            assert!(since.elapsed() < Duration::from_secs(90), "{mode} has no end");
            std::thread::sleep(Duration::from_millis(5));
        }
        let seconds = since.elapsed().as_secs_f64();
        let (code, err) = finish(&mut arbiter);
        wait_until(Duration::from_secs(10), || processes(&mark).is_empty());
        let games = games(&dir.path().join("j"));
        assert_eq!((games.len(), code), (4, Some(if expected.is_some() { 3 } else { 0 })), "{mode}: {err}");
        assert!(own < 100 << 10, "{mode}: {own} KiB");
        let faults = records(&dir.path().join("j"), "fault");
        assert!(
            faults.iter().all(|fault| fault["engine"] == "Fake" && !fault["last_lines"].is_null()),
            "{mode}"
        );
        assert!(faults.iter().all(|fault| fault["reason"].as_str() == expected), "{mode}: {faults:?}");
        let verdict = if faults.is_empty() { "plays".into() } else { format!("loses {} of 4", faults.len()) };
        let name = [&[mode], arguments].concat().join(" ");
        let (own, engines) = (own as f64 / 1024.0, engines as f64 / 1024.0);
        println!(
            "| {name} | {verdict} | {} | {seconds:.2} | {own:.1} | {engines:.1} |",
            expected.unwrap_or_default()
        );
    }
}

#[test]
fn an_engine_out_of_step_shows_its_view() {
    let arena = arena(vec![fake("Fake", "ignores-last-move", &[]), fake("Healthy", "legal-list", &[])]);
    let hub = Hub::start(&arena).expect("the hub starts");
    // The healthy engine fills the last column, and the other one, not knowing, wants to do the same.
    let fen = "7/6w/6R/6w/6R/r5w w 7,11,9,9 4".to_owned();
    let job = Job { index: 0, pair: 0, players: [1, 0], fen, seed: 1 };
    let played = Table::new(&hub, &arena).play(&job).expect("both start");
    check(&played);
    let fault = played.fault.expect("a fault");
    assert_eq!(fault.reason, "illegal");
    let (ours, theirs) = ("6W/6w/6R/6w/6R/r5w r 7,10,9,9 4", "7/6w/6R/6w/6R/r5w w 7,11,9,9 4");
    for part in ["7s: ", &format!("position: {ours}"), &format!("its view: {theirs}")] {
        assert!(fault.detail.contains(part), "no {part:?} in {}", fault.detail);
    }
}

#[test]
fn a_process_that_becomes_another_program_all_the_time_is_killed() {
    let directory = tempfile::tempdir().expect("a directory");
    let script = directory.path().join("again.sh");
    fs::write(&script, "exec sh \"$0\"\n").expect("a script");
    for _ in 0..20 {
        let mut guard = Command::new(env!("CARGO_BIN_EXE_arbiter"))
            .arg("guard")
            .stdin(Stdio::piped())
            .spawn()
            .expect("the guard starts");
        let mut daemon = Command::new("sh")
            .arg(&script)
            .env("LUDUS_GUARD", guard.id().to_string())
            .spawn()
            .expect("a shell starts");
        drop(guard.stdin.take());
        assert!(guard.wait().expect("its end").success());
        wait_until(Duration::from_secs(10), || daemon.try_wait().expect("its state").is_some());
    }
}
