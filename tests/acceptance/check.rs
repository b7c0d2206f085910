//! `arbiter check`: engines that keep to the protocol pass, and every way to break it is caught by the step it belongs to.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::cli::{Done, directory, mark, run, start, wait_until};
use crate::fakes::{fake_engine, modes, processes, program};

/// Room for a loaded machine, where only what is answered matters.
const PATIENT: &str = "--time-margin=30000";

/// Checks an engine and gives the report.
fn check(game: &str, engine: &str, options: &[&str]) -> Value {
    let done = run(&[&["check", game, engine, "--seed=1", "--json"], options].concat());
    let report: Value = serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}", done.err));
    assert_eq!(done.code, if report["failed"] == 0 { 0 } else { 3 }, "{engine}");
    report
}

/// The names of the steps that came out so.
fn names<'a>(report: &'a Value, status: &str) -> BTreeSet<&'a str> {
    let steps = report["steps"].as_array().expect("steps");
    steps.iter().filter(|step| step["status"] == status).filter_map(|step| step["name"].as_str()).collect()
}

fn fake(arguments: &str) -> String {
    format!("{} {arguments}", fake_engine().display())
}

/// A bot of the examples.
fn bot(name: &str) -> String {
    format!("python3 {}/examples/bots/python/{name}.py", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_main_engines_pass_in_full() {
    for rules in registry::GAMES {
        let report = check(rules.name(), "builtin", &["--full", PATIENT, "--positions=50", "--games=50"]);
        assert_eq!(names(&report, "failed"), BTreeSet::new(), "{report:#}");
        assert_eq!(names(&report, "skipped"), BTreeSet::new(), "{}", rules.name());
    }
}

#[test]
fn the_main_engines_pass_on_other_boards() {
    for (game, setup) in [
        ("simplexity", "rows 5 cols 9 win 3 round 40 square 2"),
        ("xrudder", "rows 7 cols 8 tokens 9 moves 4"),
        ("colosseum", "size 8 steps 2 barriers 3 generator 2023 seed 5"),
        ("andantino", "radius 4"),
    ] {
        let setup_option = format!("--setup={setup}");
        let options = ["--full", PATIENT, "--positions=10", "--games=10", &setup_option];
        let report = check(game, "builtin", &options);
        assert_eq!(report["setup"], setup);
        assert_eq!(names(&report, "failed"), BTreeSet::new(), "{report:#}");
        assert_eq!(names(&report, "skipped"), BTreeSet::new(), "{game}");
    }
}

#[test]
fn on_small_boards_no_count_is_stopped() {
    let options = ["--full", PATIENT, "--positions=10", "--games=10", "--setup=size=3"];
    let report = check("colosseum", "builtin", &options);
    assert_eq!(names(&report, "failed"), BTreeSet::new(), "{report:#}");
    let counts = ["aborted", "counting-is-searching", "end-of-input-while-counting", "quit-while-counting"];
    assert_eq!(names(&report, "skipped"), BTreeSet::from(counts));
}

#[test]
fn engines_are_held_to_the_board_asked_for() {
    let setup = "--setup=rows=5,cols=5";
    let engine = format!(
        "sh -c \"'{}' engine simplexity | sed -u 's/^setupok simplexity rows 5/setupok simplexity rows 6/'\"",
        program().display()
    );
    let report = check("simplexity", &engine, &[PATIENT, setup, "--only=set-up"]);
    assert_eq!(names(&report, "failed"), BTreeSet::from(["set-up"]));
    let report = check("simplexity", &bot("any_game_bot"), &[PATIENT, setup]);
    assert_eq!(names(&report, "failed"), BTreeSet::new(), "{report:#}");
}

/// Every agent takes what can differ from agent to agent; the session around them is that of the main engines.
#[test]
fn all_agents_pass() {
    let steps = [
        "whole-game",
        "random-positions",
        "option-ranges",
        "set-ups",
        "smallest-searches",
        "limits-combine",
        "searchmoves",
        "infinite-waits-for-stop",
        "stop-at-once",
        "multipv",
        "last-info",
        "info-rate",
        "uci-words",
        "same-game-again",
        "stop-races",
        "memory",
        "idle-after-a-search",
        "quit-while-searching",
        "pv-moves",
        "clean-output",
    ];
    let only = steps.map(|step| format!("--only={step}"));
    let mut options = vec!["--full", PATIENT, "--positions=10", "--games=10"];
    options.extend(only.iter().map(String::as_str));
    for rules in registry::GAMES {
        for agent in rules.agents() {
            let report = check(rules.name(), agent.name, &options);
            assert_eq!(
                names(&report, "failed"),
                BTreeSet::new(),
                "{} {}: {report:#}",
                rules.name(),
                agent.name
            );
        }
    }
}

#[test]
fn the_example_bots_can_play() {
    for (game, name) in [
        ("simplexity", "simplexity_bot"),
        ("simplexity", "any_game_bot"),
        ("xrudder", "any_game_bot"),
        ("colosseum", "any_game_bot"),
        ("andantino", "any_game_bot"),
    ] {
        let report = check(game, &bot(name), &[PATIENT]);
        assert_eq!(names(&report, "failed"), BTreeSet::new(), "{game} {name}: {report:#}");
        assert_eq!(names(&report, "skipped"), BTreeSet::from(["set-up"]), "{game} {name}");
    }
}

/// Modes of the fake engine that the arbiter puts up with and the protocol allows.
const HEALTHY: &[&str] = &[
    "--mode healthy",
    "--mode healthy --minimal",
    "--mode legal-list",
    "--mode tabs",
    "--mode stderr-flood --after 1",
    "--mode fork-grandchild",
    "--mode daemonise",
    "--mode busy-noready --arg 20",
    "--mode instant",
];

/// Where time is the fault; a healthy engine might fail here too if the machine is loaded, but none of these may pass.
const LATE: &str = "--time-margin=700";

/// Modes that break the protocol, and the step that sees each.
const FAULTY: &[(&str, &str, &[&str])] = &[
    ("--mode extra-words", "go-movetime", &["--full", "--only=go-movetime"]),
    ("--mode silent-handshake", "handshake", &["--full", LATE]),
    ("--mode prints-usage-and-waits", "handshake", &["--full", LATE]),
    ("--mode never-flush", "handshake", &["--full", LATE]),
    ("--mode slow-handshake --arg 5000", "handshake", &["--full", LATE]),
    ("--mode slow-readyok --arg 8000", "handshake", &["--full", LATE]),
    ("--mode no-readyok --after 3", "ready", &["--full", LATE, "--only=ready"]),
    ("--mode wrong-setupok", "set-up", &[]),
    ("--mode die-on-go", "go-movetime", &[]),
    ("--mode exit-on-go", "go-movetime", &[]),
    ("--mode segv", "go-movetime", &[]),
    ("--mode fork-grandchild --arg 1", "go-movetime", &[]),
    ("--mode die-after-bestmove", "go-movetime", &[]),
    ("--mode close-stdout", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode hang", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode no-read-stdin", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode chatter", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode flood", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode no-newline-flood", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode late --arg 5000", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode stale --arg 5000", "go-movetime", &[LATE, "--only=go-movetime"]),
    ("--mode illegal-move", "go-movetime", &[]),
    ("--mode malformed-move", "go-movetime", &[]),
    ("--mode none", "go-movetime", &[]),
    ("--mode null", "go-movetime", &[]),
    ("--mode empty", "go-movetime", &[]),
    ("--mode resign", "go-movetime", &[]),
    ("--mode rant", "go-movetime", &[]),
    ("--mode rejects-move", "go-movetime", &[]),
    ("--mode twice", "one-answer-per-go", &["--only=one-answer-per-go"]),
    ("--mode ignores-last-move", "last-move", &["--only=last-move"]),
    ("--mode die-between-games --after 2", "new-game", &["--only=new-game"]),
    ("--mode no-quit", "quit", &[LATE, "--only=quit"]),
    ("--mode ignore-sigterm", "quit", &[LATE, "--only=quit"]),
    ("--mode ignore-eof", "end-of-input", &[LATE, "--only=end-of-input"]),
    ("--mode illegal-pv", "pv-moves", &["--full", "--only=go-movetime", "--only=pv-moves"]),
    ("--mode blank-lines", "clean-output", &["--full", "--only=clean-output"]),
    ("--mode crlf", "clean-output", &["--full", "--only=clean-output"]),
    ("--mode banner", "handshake", &["--only=handshake"]),
    ("--mode bad-info", "clean-output", &["--full", "--only=go-movetime", "--only=clean-output"]),
    ("--mode latin1", "clean-output", &["--full", "--only=go-movetime", "--only=clean-output"]),
    ("--mode nul-byte", "clean-output", &["--full", "--only=go-movetime", "--only=clean-output"]),
    ("--mode hugeline", "clean-output", &["--full", "--only=go-movetime", "--only=clean-output"]),
];

/// Modes that only a sandbox is for, or that are any of the others.
const ELSEWHERE: [&str; 7] =
    ["allocate", "fork-bomb", "list-descriptors", "open-socket", "random", "signal-parent", "write-outside"];

#[test]
fn every_mode_has_its_row() {
    let mode = |arguments: &&str| arguments.split(' ').nth(1).map(str::to_owned);
    let rows = FAULTY.iter().map(|(arguments, ..)| arguments).chain(HEALTHY).filter_map(mode);
    assert_eq!(rows.chain(ELSEWHERE.map(str::to_owned)).collect::<BTreeSet<_>>(), modes());
}

#[test]
fn healthy_modes_can_play() {
    for arguments in HEALTHY {
        let report = check("simplexity", &fake(arguments), &[PATIENT]);
        assert_eq!(names(&report, "failed"), BTreeSet::new(), "{arguments}: {report:#}");
    }
}

#[test]
fn each_way_to_misbehave_has_its_step() {
    let mut unseen = Vec::new();
    for (arguments, step, options) in FAULTY {
        let after = if arguments.contains("--after") { "" } else { " --after 1" };
        let options =
            if options.contains(&LATE) { options.to_vec() } else { [options, &[PATIENT][..]].concat() };
        let report = check("simplexity", &fake(&format!("{arguments}{after}")), &options);
        if !names(&report, "failed").contains(step) {
            unseen.push(format!("{arguments}, {step}: {report:#}"));
        }
    }
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}

/// Engines of ours with one answer changed on its way, or with company, and the step that sees it.
#[test]
fn each_part_of_the_specification_has_its_step() {
    let engine = program();
    let engine = engine.to_str().expect("an UTF-8 path");
    let edited = |edit: &str| format!("sh -c \"'{engine}' engine simplexity | sed -u '{edit}'\"");
    let python = |text: &str| format!("python3 -c \"{text}\"");
    let leaking = "\
import sys
kept = []
for line in sys.stdin:
    word = (line.split() or [''])[0]
    if word == 'uginewgame': kept.append(bytearray(1 << 20))
    if word in ('ugi', 'isready'): print({'ugi': 'cap wants-legal\\\\nugiok'}.get(word, 'readyok'), flush=True)
    if word == 'legal': best = line.split()[2]
    if word == 'go': print('bestmove', best, flush=True)
    if word == 'quit': break
";
    for (engine, step) in [
        (edited("s/^protocol ludus 1/protocol ludus 2/"), "identity"),
        (edited("s/^game simplexity param rows/game simplexity param lines/"), "identity"),
        (edited("s/^error unsupported version.*//"), "hello-of-another-version"),
        (edited("s/^uciok/protocol ludus 1.0\\\\nuciok/"), "uci"),
        (edited("s/^info string error/error/"), "uci"),
        (edited("s/^info depth/info endply 3 depth/"), "uci-words"),
        (edited("s/^error unknown-command Isready/error unknown-command isready/"), "keywords-in-capitals"),
        (edited("s/^error line-too-long/error bad-encoding/"), "line-too-long"),
        (edited("s/^error bad-encoding/error bad-syntax/"), "bad-encoding"),
        (edited("s/^error bad-number/error bad-syntax/"), "bad-number"),
        (edited("s/^bestmove 0000$/bestmove 4o/"), "bad-go"),
        (edited("s/^error bad-param joho 1/error bad-param joho/"), "bad-param"),
        (
            edited("s/^error unknown-option Colour of the Board/error unknown-option Colour/"),
            "unknown-option",
        ),
        (edited("s/^error bad-fen [0-9]*/error bad-fen/"), "bad-fen"),
        (edited("s/^error illegal-move 3/error illegal-move 2/"), "illegal-move"),
        (edited("s/^error no-position.*//"), "no-position"),
        (edited("s/^error game-over/info string error game-over/"), "game-over"),
        (edited("s/^error busy.*//"), "busy"),
        (edited("s/^error aborted perft/error aborted/"), "aborted"),
        (edited("s/^error bad-value Hash/error bad-value/"), "option-ranges"),
        (edited("s/^response ply 0/response ply 1/"), "set-up-is-a-new-game"),
        (edited("s/^response gameover/x-response/;s/^response true/response false/"), "questions-at-the-end"),
        (edited("s/^setupok simplexity rows 50/setupok simplexity rows 49/"), "set-ups"),
        (edited("s/^response legal 1\\\\([0-9]\\\\) /response legal 1\\\\1 9o /"), "legal-moves"),
        (edited("s/^response perft .*[02468]$/response perft 1/"), "move-counts"),
        (edited("s/^\\\\(bestmove [^ ]*\\\\) tag .*/\\\\1/"), "tags"),
        (edited("s/^\\\\(bestmove [^ ]*\\\\)$/\\\\1 ponder 4s/"), "stop-too-late"),
        (edited("s/multipv [23]/multipv 1/"), "multipv"),
        (edited("s/ nps [0-9]*//"), "last-info"),
        (
            edited(
                "s/^info depth.*/& \\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&\\\\n&/",
            ),
            "info-rate",
        ),
        (edited("s/^response status searching/response status idle/"), "status-searching"),
        (edited("s/^error unsupported wait/error busy wait/"), "wait-searching"),
        (edited("s/^info string stopped.*//"), "end-of-input-while-searching"),
        (format!("sh -c \"'{engine}' engine simplexity; exit 3\""), "quit-while-searching"),
        (format!("sh -c \"(while :; do :; done) & exec '{engine}' engine simplexity\""), "idle"),
        (bot("any_game_bot"), "same-game-again"),
        (bot("any_game_bot"), "infinite-waits-for-stop"),
        (python(leaking), "memory"),
    ] {
        let options = ["--full", PATIENT, "--positions=20", "--games=40"];
        let only = format!("--only={step}");
        let report = check("simplexity", &engine, &[&options[..], &[&only]].concat());
        assert_eq!(names(&report, "failed"), BTreeSet::from([step]), "{engine}: {report:#}");
    }
}

#[test]
fn an_engine_that_takes_its_time_to_start_is_idle_in_the_end() {
    let start = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done";
    let engine = format!("sh -c \"{start}; exec '{}' engine simplexity\"", program().display());
    for step in ["silent-before-hello", "idle"] {
        let only = format!("--only={step}");
        let report = check("simplexity", &engine, &["--full", PATIENT, &only]);
        assert_eq!(report["failed"], 0, "{report:#}");
        assert!(names(&report, "ok").contains(step), "{report:#}");
    }
}

#[test]
fn a_failure_says_what_was_sent_expected_and_got() {
    let engine = format!("bad={}", fake("--mode illegal-move --after 1"));
    let done = run(&["check", "simplexity", &engine, "--seed=7", PATIENT, "--only=go-movetime"]);
    assert_eq!(done.code, 3, "{}", done.err);
    for part in [
        "simplexity bad: minimal check, seed 7",
        "ok       handshake: Fake",
        "FAILED   go-movetime",
        "expected one of the 14 legal moves 1o 1s",
        "got      bestmove 50s",
        "ms > go movetime 500",
        "ms < bestmove 50s",
        "1 ok, 1 failed, 0 skipped: it does not conform",
    ] {
        assert!(done.out.contains(part), "no {part:?} in\n{}", done.out);
    }
}

#[test]
fn a_simple_bot_is_told_that_it_needs_nothing_of_what_failed_in_full() {
    let only = ["--full", "--only=go-movetime", "--only=infinite-waits-for-stop", "--seed=1", PATIENT];
    let done = run(&[&["check", "simplexity", &bot("any_game_bot")], &only[..]].concat());
    assert_eq!(done.code, 3, "{}", done.err);
    let summary = "\n2 ok, 1 failed, 0 skipped: it does not conform; nothing that failed is needed to play in the arbiter\n";
    assert!(done.out.ends_with(summary), "{}", done.out);
}

#[test]
fn a_second_move_for_a_go_is_called_that() {
    let engine = fake("--mode twice --after 1 --minimal");
    for step in ["go-movetime", "one-answer-per-go"] {
        let report = check("simplexity", &engine, &[PATIENT, &format!("--only={step}")]);
        let steps = report["steps"].as_array().expect("steps");
        let failed = steps.iter().find(|other| other["name"] == step).expect("the step");
        assert_eq!(failed["expected"], "one `bestmove` for one `go`, and no other", "{report:#}");
        assert!(failed["got"].as_str().is_some_and(|got| got.starts_with("bestmove ")), "{report:#}");
    }
}

#[test]
fn what_an_engine_says_is_cut_short() {
    let done = run(&["check", "simplexity", &fake("--mode rant --after 1"), PATIENT, "--only=go-movetime"]);
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(done.out.contains("got      bestmove a\\u{1b}]0;b"), "{}", done.out);
    assert!(done.out.lines().all(|line| line.len() < 1000), "{} bytes", done.out.len());
    let name = "print('id name ' + 'a\\\\x1b' * 99999, 'ugiok', *['readyok'] * 2, sep='\\\\n', flush=True); [*open(0)]";
    let done = run(&["check", "simplexity", &format!("python3 -c \"{name}\""), PATIENT, "--only=handshake"]);
    assert!(done.out.contains("ok       handshake: a\\u{1b}a"), "{}", done.out);
    assert!(done.out.lines().all(|line| line.len() < 1000), "{} bytes", done.out.len());
}

#[test]
fn what_cannot_be_checked_is_said() {
    for (args, code, part) in [
        (&["check", "simplexity", "./nowhere"][..], 2, "can't be started: ./nowhere: No such file"),
        (&["check", "simplexity", "./nowhere"], 2, "next step: check the path"),
        (&["check", "simplexity", "builtin{Joho=1}"], 2, "it has no option Joho; its options: EofGrace, "),
        (
            &["check", "simplexity", "minimax{Depht=1}"],
            2,
            "it has no option Depht, perhaps Depth; its options: ",
        ),
        (&["check", "chess", "builtin"], 1, "no game \"chess\""),
        (&["check", "simplexity", "builtin", "--setup", "rows=99"], 1, "expected an integer from 1 to 50"),
        (&["check", "xrudder", "builtin", "--setup", "rows=1,cols=1"], 1, "expected some of 3 plies or more"),
        (&["check", "simplexity", "builtin", "--only", "joho"], 1, "no step of this level has that name"),
    ] {
        let Done { code: got, err, .. } = run(args);
        assert_eq!(got, code, "{args:?}: {err}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}

#[test]
fn an_interrupt_ends_a_checkup_and_leaves_nothing() {
    let (dir, mark) = (directory(), mark("check"));
    let engine = fake("--mode ignore-sigterm");
    let args = ["check", "simplexity", &engine, "--full", "--games=1000000", "--only=memory"];
    let child = start(dir.path(), &mark, &args);
    wait_until("the engine runs", || {
        processes(&mark).iter().any(|(_, line)| line.starts_with(&*fake_engine().to_string_lossy()))
    });
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it lives");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
    wait_until("nothing is left", || processes(&mark).is_empty());
}
