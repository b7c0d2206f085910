//! What the arbiter itself costs between two engines that answer at once, beside a floor: a program with two pipes and no
//! rules that plays the same games with the same engines.
//!
//! `cargo build --release --example fake-engine && cargo bench --bench arbiter_cost [-- GAMES]`
//!
//! The arbiter is the whole binary with its rules, clocks, journal and statistics, seen from outside. The floor sends the
//! same lines, but for the numbers in them, in as many writes. Processor times are those of the one process, engines not
//! counted; wall times are from its start, or that of its engines, until all of them have left. Both run wherever the
//! system puts them and once with everything on one processor core, where no wake-up crosses cores, in turn and several
//! times; a ratio is that of the least values, or the median of the ratios of each turn.

use std::fs::read_to_string;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arbiter::journal::Reader;
use arbiter::record::{GameRecord, Record};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

const SEED: &str = "1";
/// Between two looks at a process.
const PAUSE: Duration = Duration::from_millis(10);
/// Runs of either kind.
const ROUNDS: usize = 5;
/// Short matches of which the median is told.
const MATCHES: usize = 21;
/// Games of the run whose memory is told.
const LONG: u64 = 1200;
const ENDLESS: u64 = 10_000_000;

fn main() -> io::Result<()> {
    let games = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(2000);
    let bench = std::env::current_exe()?;
    let profile = bench.ancestors().nth(2).expect("benchmarks are built into target/PROFILE/deps");
    let fake = profile.join("examples/fake-engine");
    assert!(fake.exists(), "run `cargo build --release --example fake-engine`");
    let dir = tempfile::tempdir()?;
    let bench = Bench { fake, dir: dir.path().to_owned() };

    println!("{games} games, seed {SEED}    CPU per ply      wall per ply   least and median of {ROUNDS}");
    bench.compare("wherever the system puts them", games)?;
    let all = sched_getaffinity(None)?;
    let mut one = CpuSet::new();
    one.set((0..CpuSet::MAX_CPU).find(|&core| all.is_set(core)).unwrap_or(0));
    sched_setaffinity(None, &one)?;
    bench.compare("all on one core", games)?;
    sched_setaffinity(None, &all)?;

    let mut short = (0..MATCHES).map(|_| Ok(bench.play(2)?.wall)).collect::<io::Result<Vec<_>>>()?;
    short.sort_unstable();
    println!(
        "match of two games, start to exit: median {:.1} ms of {MATCHES}, at most {:.1} ms",
        short[MATCHES / 2].as_secs_f64() * 1e3,
        short[MATCHES - 1].as_secs_f64() * 1e3
    );
    println!("memory of {LONG} games: {:.1} MiB", bench.memory(LONG)?);
    println!("memory with {ENDLESS} games planned: {:.1} MiB", bench.break_off(ENDLESS, LONG)?);
    Ok(())
}

/// What a run took.
struct Cost {
    busy: Duration,
    wall: Duration,
}

struct Bench {
    fake: PathBuf,
    dir: PathBuf,
}

impl Bench {
    /// Both in turn, several times: the machine's own noise comes and goes.
    fn compare(&self, place: &str, games: u64) -> io::Result<()> {
        let mut rounds = Vec::new();
        let mut plies = 0;
        for _ in 0..ROUNDS {
            let arbiter = self.play(games)?;
            let (setup, played) = self.games();
            plies = played.iter().map(|game| game.plies).sum();
            rounds.push([floor(&self.fake, &setup, &played)?, arbiter]);
        }
        println!("{place}, {plies} plies:");
        let column = |of: fn(&Cost) -> Duration| {
            let per_ply = |cost: &Cost| of(cost).as_secs_f64() * 1e6 / plies as f64;
            let sorted = |values: Vec<f64>| {
                let mut values = values;
                values.sort_by(f64::total_cmp);
                [values[0], values[values.len() / 2]]
            };
            let [floor, arbiter] =
                [0, 1].map(|i| sorted(rounds.iter().map(|round| per_ply(&round[i])).collect()));
            let ratios = rounds.iter().map(|[floor, arbiter]| per_ply(arbiter) / per_ply(floor));
            [floor, arbiter, [arbiter[0] / floor[0], sorted(ratios.collect())[1]]]
        };
        let columns = [column(|cost| cost.busy), column(|cost| cost.wall)];
        for (row, name) in ["floor, µs", "arbiter, µs", "ratio"].into_iter().enumerate() {
            let [[busy, usual_busy], [wall, usual_wall]] = columns.map(|column| column[row]);
            println!("  {name:20} {busy:6.2} {usual_busy:6.2}    {wall:6.2} {usual_wall:6.2}");
        }
        Ok(())
    }

    /// A match of so many games, in a process of its own.
    fn start(&self, games: u64) -> io::Result<Child> {
        let _ = std::fs::remove_file(self.journal());
        let mode = format!("{} --mode instant", self.fake.display());
        Command::new(env!("CARGO_BIN_EXE_arbiter"))
            .args(["match", "simplexity", &format!("A={mode}"), &format!("B={mode}")])
            .args(["--games", &games.to_string(), "--tc", "10+0.1", "--openings", "start", "--seed", SEED])
            .args(["--concurrency", "1", "--quiet", "--journal"])
            .arg(self.journal())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
    }

    fn journal(&self) -> PathBuf {
        self.dir.join("run.ndjson")
    }

    fn play(&self, games: u64) -> io::Result<Cost> {
        let since = Instant::now();
        let mut arbiter = self.start(games)?;
        let pid = Pid::from_child(&arbiter);
        waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)?;
        let wall = since.elapsed();
        // Not reaped yet, it can still be asked.
        let busy = processor_time(&arbiter);
        assert!(arbiter.wait()?.success(), "the match ended without a fault");
        Ok(Cost { busy, wall })
    }

    /// The memory that a match needs.
    fn memory(&self, games: u64) -> io::Result<f64> {
        let mut arbiter = self.start(games)?;
        let mut mib: f64 = 0.0;
        while arbiter.try_wait()?.is_none() {
            mib = mib.max(peak_memory(&arbiter));
            sleep(PAUSE);
        }
        Ok(mib)
    }

    /// Begins a match and ends it after some of its games. Gives the memory it needed.
    fn break_off(&self, planned: u64, after: u64) -> io::Result<f64> {
        let mut arbiter = self.start(planned)?;
        while Reader::open(&self.journal()).is_err() || (self.games().1.len() as u64) < after {
            assert!(arbiter.try_wait()?.is_none(), "the match goes on");
            sleep(10 * PAUSE);
        }
        let mib = peak_memory(&arbiter);
        kill_process(Pid::from_child(&arbiter), Signal::INT)?;
        arbiter.wait()?;
        Ok(mib)
    }

    /// The set-up and the games in the journal.
    fn games(&self) -> (String, Vec<GameRecord>) {
        let mut reader = Reader::open(&self.journal()).expect("the journal can be read");
        let setup = reader.plan().setup.clone();
        let records = std::iter::from_fn(|| reader.next_record().ok().flatten());
        let games = records.filter_map(|record| match record {
            Record::Game(game) => Some(game),
            _ => None,
        });
        (setup, games.collect())
    }
}

/// The most memory that a process has had so far, in MiB.
fn peak_memory(process: &Child) -> f64 {
    let status = read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    peak.and_then(|kib| kib.trim().parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// What a process has used, its children not counted: fields 14 and 15 of its `stat`.
fn processor_time(process: &Child) -> Duration {
    let stat = read_to_string(format!("/proc/{}/stat", process.id())).expect("nobody has waited for it yet");
    let (_, fields) = stat.rsplit_once(')').expect("its name comes first");
    let ticks = |i: usize| fields.split_whitespace().nth(i).and_then(|field| field.parse::<u64>().ok());
    let ticks = ticks(11).expect("user time") + ticks(12).expect("system time");
    Duration::from_millis(ticks * 1000 / clock_ticks_per_second())
}

/// Plays the games with one write a ply, waiting for whichever engine answers, and knows nothing of them.
fn floor(fake: &Path, setup: &str, games: &[GameRecord]) -> io::Result<Cost> {
    let busy = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let (since, before) = (Instant::now(), busy());
    let mut engines = [Engine::start(fake)?, Engine::start(fake)?];
    answer(&mut engines, 0, "ugiok")?;
    answer(&mut engines, 1, "ugiok")?;
    for game in games {
        for engine in &mut engines {
            let seed = format!("setoption name SEED value {}", game.index);
            let lines = format!("{seed}\nsetup simplexity {setup}\nuginewgame\nisready\n");
            engine.buffer.clear();
            engine.input.write_all(lines.as_bytes())?;
        }
        answer(&mut engines, 0, "readyok")?;
        answer(&mut engines, 1, "readyok")?;
        let first = usize::from(game.p1 != "A");
        let mut line = format!("position fen {}", game.fen);
        for (ply, m) in game.moves.iter().enumerate() {
            let mover = first ^ (ply % 2);
            let order = format!("{line}\ngo p1time 10000 p2time 10000 p1inc 100 p2inc 100 tag t{ply}\n");
            engines[mover].buffer.clear();
            engines[mover].input.write_all(order.as_bytes())?;
            answer(&mut engines, mover, "bestmove")?;
            line.push_str(if ply == 0 { " moves " } else { " " });
            line.push_str(m);
        }
    }
    for mut engine in engines {
        engine.input.write_all(b"quit\n")?;
        engine.process.wait()?;
    }
    Ok(Cost { busy: busy().saturating_sub(before), wall: since.elapsed() })
}

struct Engine {
    process: Child,
    input: ChildStdin,
    output: ChildStdout,
    buffer: Vec<u8>,
}

impl Engine {
    fn start(fake: &Path) -> io::Result<Engine> {
        let mut process = Command::new(fake)
            .args(["--mode", "instant"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (mut input, output) = (process.stdin.take(), process.stdout.take());
        if let Some(input) = &mut input {
            input.write_all(b"ugi\n")?;
        }
        let pipes = input.zip(output).ok_or_else(|| io::Error::other("no pipes"))?;
        Ok(Engine { process, input: pipes.0, output: pipes.1, buffer: Vec::new() })
    }
}

/// Reads what the engines say until one has said a whole line that begins with this word.
fn answer(engines: &mut [Engine; 2], who: usize, word: &str) -> io::Result<()> {
    let said = |engine: &Engine| {
        engine
            .buffer
            .split_inclusive(|&byte| byte == b'\n')
            .any(|line| line.ends_with(b"\n") && line.starts_with(word.as_bytes()))
    };
    while !said(&engines[who]) {
        let ready = {
            let mut fds = [0, 1].map(|i: usize| PollFd::new(&engines[i].output, PollFlags::IN));
            poll(&mut fds, None)?;
            fds.map(|fd| !fd.revents().is_empty())
        };
        for (engine, _) in engines.iter_mut().zip(ready).filter(|(_, ready)| *ready) {
            let mut bytes = [0; 4096];
            match engine.output.read(&mut bytes)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => engine.buffer.extend_from_slice(&bytes[..count]),
            }
        }
    }
    Ok(())
}
