//! What a table promises beside faults: records, limits, seeds, interruption, processes.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use arbiter::arena::Stream;
use arbiter::config::{ClockControl, Launch, TimeControl};
use arbiter::process::Hub;
use arbiter::record::EvalRecord;
use arbiter::table::Table;
use rustix::process::{Pid, Signal, kill_process};

use crate::fakes::{MARK, arena, fake, fake_engine, four_games, job, processes, program, wait_until};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn the_same_seed_gives_the_same_games_at_any_table() {
    let moves = |order: [u64; 2]| {
        let arena = arena(vec![fake("A", "healthy", &[]), fake("B", "healthy", &[])]);
        let hub = Hub::start(&arena).expect("the hub starts");
        let mut table = Table::new(&hub, &arena);
        let mut games = order.map(|index| table.play(&job(index, &arena)).expect("both start").game);
        games.sort_by_key(|game| game.index);
        games.map(|game| game.moves)
    };
    let games = moves([0, 1]);
    assert_eq!(games, moves([1, 0]));
    assert_ne!(games[0], games[1], "the seeds differ from game to game");
}

#[test]
fn the_record_holds_what_the_mover_said() {
    let games = four_games(arena(vec![fake("A", "bad-info", &[]), fake("B", "healthy", &[])])).played();
    let game = &games[0].game;
    assert_eq!(game.evals.len(), game.moves.len());
    assert_eq!(game.evals[0], Some(EvalRecord { depth: Some(4), cp: Some(12), mate: None }));
    assert_eq!(game.evals[1], None);
}

#[test]
fn long_games_end_as_draws() {
    let mut arena = arena(vec![fake("A", "healthy", &[]), fake("B", "healthy", &[])]);
    arena.max_plies = Some(4);
    for played in four_games(arena).played() {
        let game = &played.game;
        assert_eq!((game.result.as_str(), game.reason.as_str(), game.plies), ("draw", "max-plies", 4));
    }
}

#[test]
fn clocks_nodes_and_depth_are_watched_too() {
    let clock = Some(ClockControl { moves: None, base: ms(150), increment: ms(1) });
    let clocked = TimeControl { clock, ..TimeControl::default() };
    let nodes = TimeControl { nodes: Some(100), ..TimeControl::default() };
    for (limits, mode, reason) in
        [(clocked.clone(), "late", "time"), (clocked, "hang", "stall"), (nodes, "hang", "stall")]
    {
        let mut fake = fake("Fake", mode, &["--arg", "1000"]);
        fake.limits = Some(limits);
        let mut arena = arena(vec![fake, self::fake("Healthy", "healthy", &[])]);
        (arena.patience.margin, arena.patience.cleanup) = (ms(300), ms(2000));
        let games = four_games(arena).played();
        assert_eq!((games[0].game.reason.as_str(), games[0].game.guilty.as_deref()), (reason, Some("Fake")));
    }
}

#[test]
fn an_engine_killed_from_outside_is_a_crash() {
    let mark = format!("{}.killed", std::process::id());
    let mut arena = arena(vec![fake("Fake", "hang", &[]), fake("Healthy", "healthy", &[])]);
    arena.engines[0].env.push((MARK.into(), mark.clone()));
    arena.limits.movetime = Some(Duration::from_secs(20));
    let hub = Hub::start(&arena).expect("the hub starts");
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(ms(500));
            let [(pid, _)] = processes(&mark)[..] else { panic!("one engine is marked") };
            kill_process(Pid::from_raw(pid).expect("a process"), Signal::KILL).expect("it lives");
        });
        let played = Table::new(&hub, &arena).play(&job(0, &arena)).expect("both start");
        let fault = played.fault.expect("a fault");
        assert_eq!((fault.reason.as_str(), fault.engine.as_str()), ("crash", "Fake"));
        assert_eq!(fault.detail, "signal 9 (SIGKILL)");
    });
}

#[test]
fn interruption_ends_games_at_once_even_with_frozen_engines() {
    let mark = format!("{}.interrupted", std::process::id());
    let mut arena = arena(vec![fake("A", "ignore-sigterm", &[]), fake("B", "hang", &[])]);
    arena.engines.iter_mut().for_each(|spec| spec.env.push((MARK.into(), mark.clone())));
    arena.limits.movetime = Some(Duration::from_secs(60));
    arena.patience.exit = Duration::from_secs(1);
    let hub = Hub::start(&arena).expect("the hub starts");
    let stopper = hub.stopper();
    let alarm = thread::spawn(move || {
        thread::sleep(ms(500));
        stopper.stop();
        Instant::now()
    });
    let mut table = Table::new(&hub, &arena);
    for index in 0..2 {
        let played = table.play(&job(index, &arena)).expect("both start");
        assert_eq!((played.game.result.as_str(), played.game.reason.as_str()), ("unfinished", "unfinished"));
        assert_eq!((played.game.guilty, played.fault), (None, None));
    }
    drop(table);
    drop(hub);
    assert!(alarm.join().expect("a time").elapsed() < Duration::from_secs(20));
    assert_eq!(processes(&mark), []);
}

#[test]
fn built_in_engines_are_processes_of_their_own() {
    let mark = format!("{}.builtin", std::process::id());
    let mut arena = arena(vec![fake("A", "healthy", &[]), fake("B", "healthy", &[])]);
    for spec in &mut arena.engines {
        spec.launch = Launch::BuiltIn { game: "simplexity".into(), agent: None };
        spec.env.push((MARK.into(), mark.clone()));
    }
    arena.limits = TimeControl { depth: Some(2), ..TimeControl::default() };
    arena.patience.max_think = Duration::from_secs(10);
    let hub = Hub::start(&arena).expect("the hub starts");
    let mut table = Table::new(&hub, &arena);
    let played = table.play(&job(0, &arena)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(played.fault, None);
    let engines: Vec<_> = processes(&mark).into_iter().map(|(_, command)| command).collect();
    assert_eq!(engines.len(), 2, "{engines:?}");
    assert!(engines.iter().all(|command| command.contains("engine simplexity")), "{engines:?}");
}

#[test]
fn nothing_outlives_an_arbiter_that_is_killed() {
    for mode in ["hang", "ignore-eof", "ignore-sigterm", "fork-grandchild", "daemonise"] {
        let mark = format!("{}.{mode}", std::process::id());
        let engine = |name: &str| format!("{name}={} --mode {mode} --after 1", fake_engine().display());
        let dir = tempfile::tempdir().expect("a directory");
        let mut arbiter = Command::new(program())
            .args([
                "match",
                "simplexity",
                &engine("A"),
                &engine("B"),
                "--movetime",
                "60000",
                "--games",
                "100000",
                "--concurrency",
                "2",
            ])
            .arg("--journal")
            .arg(dir.path().join("journal.ndjson"))
            .env(MARK, &mark)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the arbiter starts");
        wait_until(Duration::from_secs(60), || {
            let fake = fake_engine().to_string_lossy().into_owned();
            processes(&mark).iter().filter(|(_, command)| command.starts_with(&fake)).count() == 4
        });
        arbiter.kill().expect("it lives");
        arbiter.wait().expect("it ends");
        wait_until(Duration::from_secs(10), || processes(&mark).is_empty());
    }
}

#[test]
fn every_line_goes_to_the_log() {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let mut arena = arena(vec![fake("A", "latin1", &[]), fake("B", "healthy", &[])]);
    let sink = lines.clone();
    arena.log = Some(Box::new(move |traffic| {
        let game = traffic.game.map_or("-".into(), |game| game.to_string());
        let line = format!("{game} {} {} {}", traffic.engine, traffic.stream, traffic.line);
        assert!(traffic.stream != Stream::Err);
        sink.lock().expect("no panic").push(line);
    }));
    four_games(arena).played();
    let lines = lines.lock().expect("no panic");
    for line in [
        "- A > ugi",
        "- B < ugiok",
        "0 A > isready",
        "3 B < readyok",
        "0 A < info string caf\u{fffd} \u{fffd}\u{fffd}",
    ] {
        assert!(lines.iter().any(|l| l == line), "no {line:?}");
    }
}

#[test]
fn crashes_leave_no_zombies() {
    const CRASHES: u64 = 30;
    let mut arena =
        arena(vec![fake("A", "die-on-go", &["--after", "1"]), fake("B", "segv", &["--after", "1"])]);
    arena.limits.movetime = Some(Duration::from_secs(10));
    let hub = Hub::start(&arena).expect("the hub starts");
    let mut table = Table::new(&hub, &arena);
    let mut faults = 0;
    for index in 0..CRASHES {
        faults += u64::from(table.play(&job(index, &arena)).expect("both start").fault.is_some());
    }
    assert_eq!(faults, CRASHES);
    drop(table);
    drop(hub);
    // The hub has waited for all of its own. A few others may be there, which other tests have yet to wait for.
    let seen = zombies();
    wait_until(Duration::from_secs(20), || (zombies().intersection(&seen).count() as u64) < CRASHES);
}

/// The children of this process that are dead and not waited for.
fn zombies() -> BTreeSet<String> {
    let parent = std::process::id().to_string();
    let zombie = |stat: String| {
        let (id, fields) = stat.rsplit_once(") ")?;
        let mut fields = fields.split(' ');
        (fields.next()? == "Z" && fields.next()? == parent).then(|| id.to_owned())
    };
    let entries = std::fs::read_dir("/proc").expect("a /proc").flatten();
    let stats = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter_map(zombie).collect()
}
