//! Engines that can't take part: the message names the engine, the command, what happened and what to do.

use std::time::Duration;

use arbiter::config::EngineSpec;
use arbiter::process::Hub;

use crate::fakes::{arena, engine, fake, four_games};

/// The message that refuses an engine, with the command and what to do.
fn refusal(spec: EngineSpec) -> String {
    let message = any_refusal(spec);
    assert!(message.contains("\n  command: ") && message.contains("\n  next step: "), "{message}");
    message
}

/// The message that refuses an engine.
fn any_refusal(spec: EngineSpec) -> String {
    let outcome = four_games(arena(vec![spec, fake("Healthy", "healthy", &[])]));
    assert!(outcome.elapsed < Duration::from_secs(30), "took {:?}", outcome.elapsed);
    let error = outcome.refused();
    assert_eq!(error.engine, "Fake");
    let disturbs = |c: char| c.is_control() && c != '\n';
    assert!(error.message.len() < 10_000 && !error.message.contains(disturbs), "{error:?}");
    error.message
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no {part:?} in:\n{message}");
    }
}

#[test]
fn a_missing_program_is_named() {
    let message = refusal(engine("Fake", &["/nonexistent", "x"]));
    assert_says(&message, &["can't be started: /nonexistent: No such file", "os error 2", "/nonexistent x"]);
}

#[test]
fn a_file_that_is_no_program_is_named() {
    assert_says(
        &refusal(engine("Fake", &["/etc/passwd"])),
        &["/etc/passwd: Permission denied", "os error 13"],
    );
}

#[test]
fn a_missing_directory_is_named() {
    let spec = EngineSpec { dir: Some("/no such dir".into()), ..fake("Fake", "healthy", &[]) };
    let message = refusal(spec);
    assert_says(
        &message,
        &["working directory /no such dir: No such file", "next step: make that directory, or correct"],
    );
}

#[test]
fn a_bare_name_of_a_file_beside_is_explained() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("here.py"), "").expect("a file");
    let spec = |name: &str| EngineSpec { dir: Some(dir.path().to_owned()), ..engine("Fake", &[name]) };
    let message = refusal(spec("here.py"));
    assert_says(
        &message,
        &[
            "here.py: No such file",
            "looked for on PATH; for the file in its working directory write ./here.py",
        ],
    );
    for name in ["nowhere.py", "./here.py", "./nowhere.py"] {
        let message = refusal(spec(name));
        assert_says(&message, &["check the path"]);
        assert!(!message.contains("on PATH"), "{message}");
    }
}

#[test]
fn any_directory_will_do() {
    let dir = tempfile::Builder::new().prefix("a dïr ").tempdir().expect("a directory");
    let spec = EngineSpec { dir: Some(dir.path().to_owned()), ..fake("Fake", "healthy", &[]) };
    four_games(arena(vec![spec, fake("Healthy", "healthy", &[])])).played();
}

#[test]
fn silence_is_explained() {
    for mode in ["silent-handshake", "never-flush"] {
        assert_says(
            &refusal(fake("Fake", mode, &[])),
            &["said nothing within 5 s", "> ugi", "doesn't speak this protocol", "flush"],
        );
    }
}

#[test]
fn another_protocol_is_shown() {
    let message = refusal(fake("Fake", "prints-usage-and-waits", &[]));
    assert_says(
        &message,
        &[
            "no `ugiok` within 5 s",
            "doesn't speak the protocol",
            "< this program speaks CECP",
            "it has 5 s for that, which no option changes",
        ],
    );
}

#[test]
fn a_handshake_that_is_too_slow_is_refused() {
    assert_says(&refusal(fake("Fake", "slow-handshake", &["--arg", "60000"])), &["said nothing"]);
    assert_says(
        &refusal(fake("Fake", "no-readyok", &["--after", "1"])),
        &["no `readyok` within 5 s", "< ugiok"],
    );
}

#[test]
fn an_engine_that_dies_at_its_start_is_refused() {
    let message = refusal(fake("Fake", "die-between-games", &["--after", "1"]));
    assert_says(&message, &["crash: exit code 3, before `readyok`"]);
    let message = refusal(engine("Fake", &["sh", "-c", "echo no licence >&2; exit 127"]));
    assert_says(&message, &["crash: exit code 127, before `ugiok`", "standard error:\n    no licence"]);
}

#[test]
fn another_set_up_is_refused_with_both_lines() {
    let ours = "setupok simplexity rows 6 cols 7 win 4 round 10 square 11";
    let theirs = "setupok simplexity rows 7 cols 7 win 4 round 10 square 11";
    assert_says(&refusal(fake("Fake", "wrong-setupok", &[])), &[ours, theirs]);
}

#[test]
fn unknown_options_are_refused_in_one_line_and_known_ones_are_not() {
    let with = |name: &str, value: &str| EngineSpec {
        options: vec![(name.into(), value.into())],
        ..fake("Fake", "healthy", &[])
    };
    assert_eq!(any_refusal(with("Hash", "16")), "it has no option Hash; its options: SEED");
    assert_eq!(any_refusal(with("Sede", "16")), "it has no option Sede, perhaps SEED; its options: SEED");
    let message = any_refusal(with("seed", "1\nquit"));
    assert!(message.starts_with("option seed: expected ") && message.lines().count() == 1, "{message}");
    four_games(arena(vec![with("seed", "16"), fake("Healthy", "healthy", &[])])).played();
}

#[test]
fn what_an_engine_says_of_itself_is_cut_short_and_escaped() {
    let says = |greeting: &str, ready: &str| {
        let bot = format!(
            "import sys\nfor line in sys.stdin:\n  \
             if line == 'ugi\\n': print({greeting}, 'ugiok', sep='\\n', flush=True)\n  \
             if line == 'isready\\n': print({ready}, 'readyok', sep='\\n', flush=True)\n"
        );
        EngineSpec { options: vec![("Hash".into(), "16".into())], ..engine("Fake", &["python3", "-c", &bot]) }
    };
    let long = "'a\\x1b[2Jb\\x07' * 99999";
    let option = |name: &str| format!("'option name ' + {name} + ' type string'");
    let message = any_refusal(says(&option(long), "''"));
    assert_says(&message, &["it has no option Hash; its options: a\\u{1b}[2Jb\\u{7}a"]);
    let message = refusal(says(&option("'Hash'"), &format!("'error internal : ' + {long}")));
    assert_says(&message, &["refuses what precedes a game: error internal : a\\u{1b}[2Jb"]);
    let set_up = format!("'setupok simplexity rows ' + {long}");
    let message = refusal(says(&format!("'cap setup', {}", option("'Hash'")), &set_up));
    assert_says(&message, &["another set-up than ours", "it said:  setupok simplexity rows a\\u{1b}"]);
    let message = refusal(says(&format!("'arbiter launch failed: ' + {long}, exit(127)"), "''"));
    assert_says(&message, &["crash: exit code 127"]);
    let lie = format!("'arbiter launch failed: ' + {long}, flush=True); exit(127); print(''");
    assert_says(&refusal(says(&lie, "''")), &["can't be started: a\\u{1b}[2Jb"]);
}

#[test]
fn a_missing_launcher_is_an_error() {
    let mut arena = arena(vec![]);
    arena.program = "/nonexistent".into();
    assert!(Hub::start(&arena).is_err());
}
