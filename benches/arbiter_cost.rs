//! What the arbiter itself costs: processor and wall time per ply between two engines that answer at once.
//!
//! `cargo build --release --example fake-engine && cargo bench --bench arbiter_cost [-- GAMES]`

use std::time::{Duration, Instant};

use arbiter::adjudication::Adjudication;
use arbiter::arena::{Arena, Job};
use arbiter::config::{ClockControl, EngineSpec, Launch, Patience, TimeControl};
use arbiter::isolation::Isolation;
use arbiter::process::Hub;
use arbiter::table::Table;
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let games = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(2000);
    let bench = std::env::current_exe().expect("the benchmark has a path");
    let profile = bench.ancestors().nth(2).expect("benchmarks are built into target/PROFILE/deps");
    let fake = profile.join("examples/fake-engine");
    assert!(fake.exists(), "run `cargo build --release --example fake-engine`");
    let command: Vec<String> = [&fake.to_string_lossy(), "--mode", "instant"].map(str::to_owned).into();
    let engine = |name: &str| EngineSpec {
        name: name.into(),
        launch: Launch::Command(command.clone()),
        options: Vec::new(),
        dir: None,
        env: Vec::new(),
        limits: None,
        isolation: Isolation::default(),
    };
    let clock =
        ClockControl { moves: None, base: Duration::from_secs(10), increment: Duration::from_millis(100) };
    let rules = registry::find("simplexity").expect("the game is built in");
    let setup = rules.setup(&[]).expect("the defaults are a set-up");
    let fen = rules.start(&setup).fen();
    let arena = Arena {
        rules,
        setup,
        engines: vec![engine("A"), engine("B")],
        limits: TimeControl { clock: Some(clock), ..TimeControl::default() },
        patience: Patience::default(),
        adjudication: Adjudication::default(),
        max_plies: None,
        program: env!("CARGO_BIN_EXE_arbiter").into(),
        log: None,
    };
    let hub = Hub::start(&arena).expect("the hub starts");
    let mut table = Table::new(&hub, &arena);
    let mut play = |index: u64| {
        let players = if index.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        let played = table.play(&Job { index, pair: index / 2, players, fen: fen.clone(), seed: 1 });
        let played = played.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(played.fault, None);
        played.game.plies
    };
    play(0);
    let (since, busy) = (Instant::now(), processor_time());
    let plies: u64 = (1..=games).map(&mut play).sum();
    let (busy, wall) = (processor_time().saturating_sub(busy), since.elapsed());
    let per_ply = |time: Duration| time.as_secs_f64() * 1e6 / plies as f64;
    println!(
        "{games} games, {plies} plies: {:.2} µs CPU and {:.2} µs wall per ply",
        per_ply(busy),
        per_ply(wall)
    );
}

/// What this process has used, its engines not counted.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
