//! Tables with misbehaving engines.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use arbiter::adjudication::Adjudication;
use arbiter::arena::{Arena, Job, Played, StartError};
use arbiter::config::{EngineSpec, Launch, Patience, TimeControl};
use arbiter::isolation::Isolation;
use arbiter::process::Hub;
use arbiter::table::Table;

/// Names the variable by which the processes of one test are found.
pub(crate) const MARK: &str = "LUDUS_TEST_MARK";

/// The program under test.
pub(crate) fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_arbiter").into()
}

/// The helper that misbehaves.
pub(crate) fn fake_engine() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let profile = test.ancestors().nth(2).expect("tests are built into target/PROFILE/deps");
    let path = profile.join("examples/fake-engine");
    assert!(path.exists(), "{} is missing: run `cargo build --example fake-engine`", path.display());
    path
}

/// All modes of the helper, as its help lists them.
pub(crate) fn modes() -> BTreeSet<String> {
    let output = Command::new(fake_engine()).args(["--mode", "?"]).output().expect("it runs");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    let list = err.split_once("[possible values: ").and_then(|(_, rest)| rest.split(']').next());
    list.expect("clap lists them").split(", ").map(str::to_owned).collect()
}

/// An engine that is started by this command line.
pub(crate) fn engine(name: &str, command: &[&str]) -> EngineSpec {
    EngineSpec {
        name: name.into(),
        launch: Launch::Command(command.iter().map(|word| (*word).to_owned()).collect()),
        options: Vec::new(),
        dir: None,
        env: Vec::new(),
        limits: None,
        isolation: Isolation::default(),
    }
}

/// The fake engine in a mode, with more arguments.
pub(crate) fn fake(name: &str, mode: &str, arguments: &[&str]) -> EngineSpec {
    let path = fake_engine();
    let command = [&[path.to_str().expect("an UTF-8 path"), "--mode", mode], arguments].concat();
    engine(name, &command)
}

/// 100 ms a move, and patience enough that no healthy engine is late on a loaded machine.
pub(crate) fn arena(engines: Vec<EngineSpec>) -> Arena {
    let rules = registry::find("simplexity").expect("the game is built in");
    let ms = Duration::from_millis;
    Arena {
        rules,
        setup: rules.setup(&[]).expect("the defaults are a set-up"),
        engines,
        limits: TimeControl { movetime: Some(ms(100)), ..TimeControl::default() },
        patience: Patience {
            startup: ms(5_000),
            first_ready: ms(5_000),
            ready: ms(10_000),
            margin: ms(10_000),
            cleanup: ms(600),
            max_think: ms(900),
            exit: ms(300),
        },
        adjudication: Adjudication::default(),
        max_plies: None,
        program: program(),
        log: None,
    }
}

/// What came of some games, and how long all took.
pub(crate) struct Outcome {
    pub(crate) games: Result<Vec<Played>, StartError>,
    pub(crate) elapsed: Duration,
}

impl Outcome {
    /// The games, none of which an engine failed to start for.
    pub(crate) fn played(self) -> Vec<Played> {
        self.games.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Why an engine did not start.
    pub(crate) fn refused(self) -> StartError {
        self.games.expect_err("an engine does not start")
    }
}

/// Plays two openings with both distributions of sides between engines 0 and 1, and makes sure that no process of
/// theirs is left.
pub(crate) fn four_games(mut arena: Arena) -> Outcome {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let mark = format!("{}.{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    for spec in &mut arena.engines {
        spec.env.push((MARK.into(), mark.clone()));
    }
    let since = Instant::now();
    let hub = Hub::start(&arena).expect("the hub starts");
    let mut table = Table::new(&hub, &arena);
    let games = (0..4).map(|index| table.play(&job(index, &arena))).collect();
    drop(table);
    drop(hub);
    let elapsed = since.elapsed();
    // The last ones may have been sent their KILL only just now.
    wait_until(Duration::from_secs(10), || processes(&mark).is_empty());
    Outcome { games, elapsed }
}

/// The `index`-th of [`four_games`].
pub(crate) fn job(index: u64, arena: &Arena) -> Job {
    let mut position = arena.rules.start(&arena.setup);
    if index >= 2 {
        position.play("4o").expect("an opening move");
    }
    let players = if index.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    Job { index, pair: index / 2, players, fen: position.fen(), seed: 1 }
}

/// Numbers and command lines of the live processes that carry a mark.
pub(crate) fn processes(mark: &str) -> Vec<(i32, String)> {
    let wanted = format!("{MARK}={mark}");
    let marked = |dir: &Path| {
        let pid = dir.file_name()?.to_str()?.parse().ok()?;
        let environ = fs::read(dir.join("environ")).ok()?;
        environ.split(|b| *b == 0).any(|pair| pair == wanted.as_bytes()).then_some(())?;
        let command = fs::read(dir.join("cmdline")).ok()?;
        Some((pid, String::from_utf8_lossy(&command).replace('\0', " ")))
    };
    let all = fs::read_dir("/proc").expect("a /proc");
    all.filter_map(|entry| marked(&entry.ok()?.path())).collect()
}

/// Waits until something is true, for `patience` at most.
#[track_caller]
pub(crate) fn wait_until(patience: Duration, mut is_true: impl FnMut() -> bool) {
    let until = Instant::now() + patience;
    while !is_true() {
        assert!(Instant::now() < until, "not within {patience:?}");
        thread::sleep(Duration::from_millis(5));
    }
}
