//! Engines of strangers: what they can't do when that is asked for, and can when it isn't.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arbiter::config::EngineSpec;
use arbiter::isolation::Isolation;
use serde_json::json;

use crate::cli::{directory, games, mark, records, run_in, wait_until};
use crate::fakes::{MARK, arena, engine, fake, fake_engine, four_games, processes, program};

const SANDBOX: Isolation = Isolation { memory: None, scratch: None, sandbox: Some(true) };
const SCRATCH: Isolation = Isolation { memory: None, scratch: Some(true), sandbox: None };

fn isolated(mode: &str, arguments: &[&str], isolation: Isolation) -> EngineSpec {
    EngineSpec { isolation, ..fake("Fake", mode, arguments) }
}

/// The reasons and details of the faults in four games of an engine against a healthy one.
fn faults(spec: EngineSpec) -> Vec<(String, String)> {
    let played = four_games(arena(vec![spec, fake("Healthy", "healthy", &[])])).played();
    let faults = played.into_iter().filter_map(|played| played.fault);
    faults
        .inspect(|fault| assert_eq!(fault.engine, "Fake"))
        .map(|fault| (fault.reason, fault.detail))
        .collect()
}

#[track_caller]
fn assert_only_a_sandbox_forbids(mode: &str) {
    assert_eq!(faults(isolated(mode, &[], SANDBOX)), [], "{mode}");
    let refused =
        four_games(arena(vec![isolated(mode, &[], SCRATCH), fake("Healthy", "healthy", &[])])).refused();
    assert!(refused.message.contains("exit code 9, before `ugiok`"), "{mode}: {refused}");
}

#[test]
fn a_sandbox_has_no_network() {
    assert_only_a_sandbox_forbids("open-socket");
}

#[test]
fn nothing_is_written_outside_a_sandbox() {
    assert_only_a_sandbox_forbids("write-outside");
}

#[test]
fn no_process_is_started_in_a_sandbox() {
    assert_only_a_sandbox_forbids("fork-bomb");
}

#[test]
fn no_process_is_reached_from_a_sandbox() {
    assert_only_a_sandbox_forbids("signal-parent");
}

/// Where Python itself is: what stands on the path may be a script that starts it.
fn python() -> String {
    let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let python = String::from_utf8(python.expect("python3 is on the path").stdout).expect("a path");
    python.trim().to_owned()
}

#[test]
fn nothing_that_outlives_an_engine_and_no_privilege_is_made_in_a_sandbox() {
    // What is made is removed again.
    const MAKE: &str = "
import ctypes, os, sys
libc = ctypes.CDLL(None)
made = [
    (libc.shmctl, libc.shmget(0, 4096, 0o600), 0, None),
    (libc.semctl, libc.semget(0, 1, 0o600), 0, 0),
    (libc.msgctl, libc.msgget(0, 0o600), 0, None),
]
can = [remove(number, *rest) for remove, number, *rest in made if number >= 0]
CLONE_NEWUSER = 0x10000000
if can or libc.unshare(CLONE_NEWUSER) == 0: sys.exit(9)
os.execv(sys.argv[1], [sys.argv[1], '--mode', 'healthy'])";
    let (python, fake_engine) = (python(), fake_engine());
    let words = [&*python, "-c", MAKE, fake_engine.to_str().expect("a path")];
    let spec = |isolation| EngineSpec { isolation, ..engine("Fake", &words) };
    assert_eq!(faults(spec(SANDBOX)), []);
    let refused = four_games(arena(vec![spec(SCRATCH), fake("Healthy", "healthy", &[])])).refused();
    assert!(refused.message.contains("exit code 9, before `ugiok`"), "{refused}");
}

#[test]
fn memory_beyond_the_limit_is_the_engines_fault() {
    let limited = Isolation { memory: Some(256), ..Isolation::default() };
    for isolation in [limited, limited.or(SANDBOX)] {
        let faults = faults(isolated("allocate", &["--arg", "1024"], isolation));
        assert!(!faults.is_empty());
        for (reason, detail) in faults {
            assert_eq!(reason, "crash", "{detail}");
            assert_eq!(detail, "signal 6 (SIGABRT), its memory limit is 256 MiB");
        }
    }
    assert_eq!(faults(isolated("allocate", &["--arg", "1024"], SANDBOX)), []);
}

#[test]
fn a_directory_that_is_given_is_where_an_engine_starts() {
    let dir = directory();
    let place = dir.path().canonicalize().expect("it is there");
    let script = format!(
        "[ \"$(pwd)\" = {place:?} ] && [ \"$TMPDIR\" != {place:?} ] && [ -z \"$(ls \"$TMPDIR\")\" ] && exec {:?} --mode healthy",
        fake_engine()
    );
    let spec = EngineSpec { dir: Some(place), isolation: SCRATCH, ..engine("Fake", &["sh", "-c", &script]) };
    assert_eq!(faults(spec), []);
}

/// What is in the arbiter's directory for temporary files.
fn scratches(tmp: &Path) -> Vec<PathBuf> {
    fs::read_dir(tmp).expect("a directory").flatten().map(|entry| entry.path()).collect()
}

#[test]
fn directories_of_engines_are_removed_however_the_run_ends() {
    let dir = directory();
    let tmp = dir.path().join("tmp");
    fs::create_dir(&tmp).expect("it is made");
    let writer = format!("writer={} --mode write-outside", fake_engine().display());
    for kill in [false, true] {
        let mark = mark(&format!("scratch.{kill}"));
        let games = if kill { "--games=1000000" } else { "--games=2" };
        let args = [
            "match",
            "simplexity",
            &writer,
            "random",
            "--sandbox",
            "--nodes=1",
            "--quiet",
            "--seed=1",
            games,
        ];
        let mut command = Command::new(program());
        command.current_dir(dir.path()).args(args).env("TMPDIR", &tmp).env(MARK, &mark).stdout(Stdio::null());
        let mut arbiter = command.spawn().expect("the arbiter starts");
        if kill {
            let has_written = || scratches(&tmp).iter().any(|root| root.join("0/inside").exists());
            wait_until("an engine has written something", has_written);
            arbiter.kill().expect("it is ours");
        }
        let status = arbiter.wait().expect("a status");
        assert_eq!(status.code(), (!kill).then_some(0));
        wait_until("no process is left", || processes(&mark).is_empty());
        assert_eq!(scratches(&tmp), [] as [PathBuf; 0], "{kill}");
    }
}

#[test]
fn a_sandbox_that_cannot_be_had_is_refused() {
    // A filter that hides Landlock, as if the system had none.
    const HIDE: &str = "
import ctypes, os, struct, sys
code = struct.pack('HBBI' * 4, 0x20, 0, 0, 0, 0x15, 0, 1, 444, 6, 0, 0, 0x50026, 6, 0, 0, 0x7fff0000)
code = ctypes.create_string_buffer(code)
class Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]
prctl = ctypes.CDLL(None).prctl
assert prctl(38, 1, 0, 0, 0) == 0
assert prctl(22, 2, ctypes.byref(Program(4, ctypes.addressof(code))), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])";
    let dir = directory();
    let mut command = Command::new("python3");
    command.args(["-c", HIDE]).arg(program()).current_dir(dir.path());
    command.args(["match", "simplexity", "random", "random", "--games=2", "--nodes=1", "--sandbox"]);
    let output = command.output().expect("python3 is on the path");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    for part in ["can't be started: sandbox: ", "Linux 6.12", "next step: use a newer system"] {
        assert!(err.contains(part), "no {part:?} in {err}");
    }
    assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 0, "no journal is left");
}

#[test]
fn files_and_flags_say_what_engines_are_kept_from() {
    let dir = directory();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bots");
    std::os::unix::fs::symlink(bots, dir.path().join("bots")).expect("a link");
    let file = "game = \"simplexity\"\nsandbox = true\nmemory = 2048\nnodes = 50\ngames = 2\nseed = 1\njournal = \"j\"\n\
        [[engine]]\ncommand = \"python3 bots/python/simplexity_bot.py\"\nmemory = 1024\n\
        [[engine]]\nbuiltin = \"random\"\nsandbox = false\n"
        .replace("python3 ", &format!("{} ", python()));
    fs::write(dir.path().join("cup.toml"), &file).expect("it is written");
    let done = run_in(dir.path(), &["tournament", "cup.toml"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    assert_eq!(games(&dir.path().join("j")).len(), 2);
    let plan = &records(&dir.path().join("j"), "plan")[0];
    let isolation = |i: usize| plan["engines"][i]["isolation"].clone();
    assert_eq!(isolation(0), json!({"memory": 1024, "sandbox": true}));
    assert_eq!(isolation(1), json!({"memory": 2048, "sandbox": false}));
    let bad = file.replace("memory = 1024", "memory = 0");
    fs::write(dir.path().join("bad.toml"), bad).expect("it is written");
    let done = run_in(dir.path(), &["tournament", "bad.toml"]);
    assert!(done.code == 1 && done.err.contains("memory: expected a number of MiB"), "{}", done.err);
}
