//! Speed of the search: `cargo bench --bench search [-- [SECTION…] [GAME…] [OPTION=VALUE…]]`, sections `speed`, `table`,
//! `techniques`, `threads` and `stop`, with the options of the search as told, but for what a section varies: unless told,
//! one thread and a table of 16 MiB. Every comparison is between figures of the same run.
//!
//! * `speed`: nodes per second of CPU time on the usual board.
//! * `table`: CPU time to the same depth with tables of several sizes, as multiples of the time with 16 MiB; and without any,
//!   as a multiple of that with one, to the depth that `techniques` has.
//! * `techniques`: what searching without one of those techniques takes that change no value at full width, as multiples
//!   of what it takes with all: the geometric mean over undecided openings, with its standard error.
//! * `threads`: two threads beside one, from undecided openings: nodes per second against two searches of one thread at
//!   once, each in a process of its own; those of two searches at once against twice one alone, which is what the machine
//!   makes of two threads at best; and time to the same depth, the geometric mean over the openings with its standard error.
//! * `stop`: from the moment a search is told to stop until it has answered, as a histogram, on usual boards and on the
//!   largest; with `Threads=2` by two threads, with `Prover=256` beside a prover. What of it is the machine's, a loop shows that
//!   does nothing but look at the flag.

use std::env;
use std::fmt::Write as _;
use std::iter::Sum;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use andantino::Andantino;
use colosseum::Colosseum;
use game::{Agent, Family, Limits, Options, Playable, Record, Visitor, control};
use rustix::time::{ClockId, clock_gettime};
use search::{ALL_OPTIONS, Searcher};
use simplexity::Simplexity;
use xrudder::XRudder;

/// What is asked of one game.
struct Course {
    /// The depth that each position of [`usual`] is searched to.
    depth: u32,
    /// Undecided openings of the usual boards, and the depths that those taken are searched to by one and by two threads, and
    /// without a technique: with reductions, and at full width.
    openings: &'static str,
    threads_depth: u32,
    techniques_depths: [u32; 2],
    /// Larger boards on which a search is stopped too.
    larger: &'static [&'static str],
}

const SIMPLEXITY: Course = Course {
    depth: 17,
    openings: include_str!("../examples/openings/simplexity.txt"),
    threads_depth: 20,
    techniques_depths: [13, 9],
    larger: &[
        "37/37/37/37/37/37/37/37/37 w 83,84,83,84 5",
        "42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42 \
         w 346,347,346,347 20",
        "50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/50/\
         50/50/50/50/50/50/50/50/50/50/50/50/50/50 w 625,625,625,625 20",
    ],
};

const XRUDDER: Course = Course {
    depth: 9,
    openings: include_str!("../examples/openings/xrudder.txt"),
    threads_depth: 12,
    techniques_depths: [7, 4],
    larger: &[
        "26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26 x 15 15 30",
        "26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26 x 338 338 9999",
    ],
};

const COLOSSEUM: Course = Course {
    depth: 11,
    openings: include_str!("../examples/openings/colosseum.txt"),
    threads_depth: 10,
    techniques_depths: [7, 4],
    larger: &[
        "20/20/4d15/20/20/9r10/20/20/20/20/20/20/20/20/10r9/20/20/15d4/20/20 j10 k11 a",
        "30/30/30/30/6d23/30/30/30/14r15/30/30/30/30/30/30/30/30/30/30/30/30/15r14/30/30/30/23d6/30/30/30/30 \
         o15 p16 a",
    ],
};

const ANDANTINO: Course = Course {
    depth: 18,
    openings: include_str!("../examples/openings/andantino.txt"),
    threads_depth: 19,
    techniques_depths: [13, 9],
    larger: &["13/14/15/16/17/18/19/20/21/22/23/24/12b12/24/23/22/21/20/19/18/17/16/15/14/13 w"],
};

/// Openings that are searched, spread over the list.
const OPENINGS: usize = 50;
/// Repetitions of what is timed.
const RUNS: usize = 3;
/// Searches that are stopped on each board.
const STOPS: usize = 1_000;
/// Bounds of the histogram of the time that a search takes to stop, in milliseconds.
const STOP_BOUNDS: [f64; 6] = [0.02, 0.05, 0.1, 0.5, 1.0, 5.0];
/// Sizes of the table in MiB that are compared.
const TABLES: [&str; 4] = ["1", "16", "64", "256"];

/// What the search does without: a technique, and the option with its value that turns it off.
const TECHNIQUES: [(&str, &str, &str); 10] = [
    ("table", "Tune.Table", "0"),
    ("its near part", "Tune.Near", "0"),
    ("look ahead", "Tune.Ahead", "1000"),
    ("deeper kept", "Tune.TableKeep", "0"),
    ("double steps", "Tune.FullStep", "1"),
    ("killers", "Tune.Killers", "0"),
    ("history", "Tune.HistoryBonus", "0"),
    ("answers", "Tune.Answers", "0"),
    ("aspiration", "Tune.AspirationDepth", "1000"),
    ("null windows", "Tune.NullWindow", "0"),
];

/// A game's name and what measures a section on it.
type Game = (&'static str, fn(&str, &Options, bool));

const GAMES: [Game; 4] = [
    (Simplexity::NAME, |section, options, quick| measure::<Simplexity>(section, &SIMPLEXITY, options, quick)),
    (XRudder::NAME, |section, options, quick| measure::<XRudder>(section, &XRUDDER, options, quick)),
    (Colosseum::NAME, |section, options, quick| measure::<Colosseum>(section, &COLOSSEUM, options, quick)),
    (Andantino::NAME, |section, options, quick| measure::<Andantino>(section, &ANDANTINO, options, quick)),
];

fn main() {
    let (flags, words): (Vec<String>, Vec<String>) =
        env::args().skip(1).partition(|word| word.starts_with('-'));
    // The test runner calls benches too, to see that they run; a debug build would take minutes.
    let quick = flags.iter().any(|flag| flag == "--test") || cfg!(debug_assertions);
    let known = || SECTIONS.map(|(name, _)| name).into_iter().chain(GAMES.map(|(name, _)| name));
    let mut options = Options::defaults(ALL_OPTIONS);
    for word in &words {
        let fault = match word.split_once('=') {
            Some((name, value)) => options.set(name, value).err(),
            None if word == ONE || known().any(|name| name == word) => None,
            None => Some(format!("expected some of {}", known().collect::<Vec<_>>().join(", "))),
        };
        if let Some(fault) = fault {
            eprintln!("error: {word}: {fault}");
            std::process::exit(1);
        }
    }
    // Without a word of a kind, all of it.
    let asked = |kind: &[&str], name: &str| {
        words.iter().any(|word| word == name) || !words.iter().any(|word| kind.contains(&word.as_str()))
    };
    let measure_all = |section: &str| {
        for (game, measure) in GAMES {
            if asked(&GAMES.map(|(name, _)| name), game) {
                measure(section, &options, quick);
            }
        }
    };
    if words.first().is_some_and(|word| word == ONE) {
        measure_all(ONE);
        return;
    }
    for (section, head) in SECTIONS {
        if !asked(&SECTIONS.map(|(name, _)| name), section) {
            continue;
        }
        println!("{head}");
        if section == "stop" {
            histogram("no search", quick, "", |after| stopped_after(after, |stopped| while !stopped() {}));
        }
        measure_all(section);
        println!();
    }
}

/// The sections and the heads of their tables.
const SECTIONS: [(&str, &str); 5] = [
    ("speed", "speed         depth        nodes   CPU s   nodes/CPU-s"),
    (
        "table",
        "table         CPU time to the same depth, 16 MiB = 1:  1 MiB  16 MiB  64 MiB  256 MiB    none (depth)",
    ),
    (
        "techniques",
        "techniques    without one, with all = 1: CPU time, nodes (depth)     with reductions         at full width",
    ),
    (
        "threads",
        "threads       nodes/s: 2 threads / 2 searches at once   2 searches at once / twice 1 alone   \
         time to depth: 1 thread / 2 threads",
    ),
    (
        "stop",
        "stop          median   worst     up to ms: 0.02    0.05     0.1     0.5       1       5    more",
    ),
];

/// What a process is asked for in place of a section by the one that measures `threads`.
const ONE: &str = "one";

fn measure<F: Family>(section: &str, course: &Course, options: &Options, quick: bool) {
    let depth = if quick { 2 } else { course.depth };
    let runs = if quick { 1 } else { RUNS };
    let name = F::NAME;
    let fastest = |options: &Options, depth| -> Cost {
        let run = |_| usual(name).map(|fen| to_depth::<F>(fen, options, depth)).sum();
        (0..runs).map(run).min_by_key(|cost: &Cost| cost.cpu).unwrap_or_default()
    };
    match section {
        "speed" => {
            let Cost { cpu, nodes, .. } = fastest(options, depth);
            let cpu = cpu.as_secs_f64();
            println!("{name:<12} {depth:>6} {nodes:>12} {cpu:>7.2} {:>13.0}", nodes as f64 / cpu);
        }
        "table" => {
            let time = |name, value, depth| fastest(&changed(options, name, value), depth).cpu;
            let times = TABLES.map(|hash| time("Hash", hash, depth));
            let mut row = String::new();
            for time in times {
                let _ = write!(row, "  {:>6.2}", time.div_duration_f64(times[1]));
            }
            let depth = depth.min(course.techniques_depths[0]);
            let [without, with] = ["0", "1"].map(|table| time("Tune.Table", table, depth));
            let none = without.div_duration_f64(with);
            println!("{name:<50}{row}  {none:>9.2} ({depth:>2})");
        }
        "techniques" => techniques::<F>(course, options, quick),
        "threads" | ONE => {
            let depth = if quick { 2 } else { course.threads_depth };
            let openings = openings(course, quick);
            let [one, two] = ["1", "2"].map(|threads| changed(options, "Threads", threads));
            let search = |fen, options| to_depth::<F>(fen, options, depth);
            if section == ONE {
                println!("{}", openings.iter().map(|fen| search(fen, &one)).sum::<Cost>().rate());
                return;
            }
            // By turns, as the speed of a machine changes with what else it does.
            let by_turns = openings.iter().map(|fen| (search(fen, &one), search(fen, &two)));
            let (single, team): (Vec<Cost>, Vec<Cost>) = by_turns.unzip();
            let rate = |costs: &[Cost]| costs.iter().copied().sum::<Cost>().rate();
            let pair = rate_of_two(name);
            let (ratio, room) = (rate(&team) / pair, pair / (2.0 * rate(&single)));
            let gains: Vec<f64> =
                single.iter().zip(&team).map(|(one, two)| one.wall.div_duration_f64(two.wall)).collect();
            let (speedup, error) = geometric_mean(&gains);
            println!("{name:<12} {ratio:>38.2} {room:>36.2} {:>37}", format!("{speedup:.2} ± {error:.2}"));
        }
        _ => {
            for fen in usual(name).take(1).chain(course.larger.iter().copied()) {
                let (rows, rest) = fen.split_once(' ').unwrap_or((fen, ""));
                let board = format!("{} rows, {rest}", rows.split('/').count());
                histogram(name, quick, &board, |after| run::<F>(fen, options, Task::Stop(after)));
            }
        }
    }
}

/// Nodes per second of two searches of one thread at once, each in a process of its own: this program, told the same
/// options.
fn rate_of_two(game: &str) -> f64 {
    let start = |()| {
        let program = env::current_exe().expect("this program's path");
        let told = env::args().skip(1).filter(|word| word.starts_with('-') || word.contains('='));
        let mut command = Command::new(program);
        command.args([ONE, game]).args(told).stdout(Stdio::piped());
        command.spawn().expect("a process")
    };
    let rate = |child: Child| -> f64 {
        let output = child.wait_with_output().expect("the end of a process");
        String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
    };
    [(); 2].map(start).map(rate).into_iter().sum()
}

/// Prints what it takes something to stop, measured by `stop` as many times as are asked for, each time given its number.
fn histogram(name: &str, quick: bool, board: &str, stop: impl Fn(usize) -> Cost) {
    let stops = if quick { 3 } else { STOPS };
    let costs: Vec<Cost> = (0..stops).map(stop).collect();
    let mut times: Vec<f64> = costs.iter().map(|cost| cost.wall.as_secs_f64() * 1e3).collect();
    let worst = times.iter().copied().fold(0.0, f64::max);
    let within = |bound: f64| times.iter().filter(|&&time| time <= bound).count();
    let mut row = String::new();
    let mut before = 0;
    for count in STOP_BOUNDS.map(within).into_iter().chain([stops]) {
        let _ = write!(row, " {:>7}", count - before);
        before = count;
    }
    println!("{name:<12} {:>7.3} {worst:>7.3}         {row}  {board}", median(&mut times));
}

/// What it takes `work` to end once it is told to, at a moment that depends on the number.
fn stopped_after(number: usize, work: impl FnOnce(&(dyn Fn() -> bool + Sync)) + Send) -> Cost {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            work(&|| stop.load(Relaxed));
            Instant::now()
        });
        // From 2 to 14 ms, at no regular distance.
        thread::sleep(Duration::from_micros(2_000 + (number as u64 * 7_919) % 12_000));
        let told = Instant::now();
        stop.store(true, Relaxed);
        let end = worker.join().expect("no fault");
        Cost { wall: end.saturating_duration_since(told), ..Cost::default() }
    })
}

/// What searching without each of the techniques takes beside searching with all.
fn techniques<F: Family>(course: &Course, options: &Options, quick: bool) {
    let openings = openings(course, quick);
    for (technique, option, value) in TECHNIQUES {
        let mut row = String::new();
        for (full_width, depth) in ["false", "true"].into_iter().zip(course.techniques_depths) {
            let depth = if quick { 2 } else { depth };
            let with = changed(options, "FullWidth", full_width);
            let without = changed(&with, option, value);
            let (mut times, mut nodes) = (Vec::new(), Vec::new());
            for fen in &openings {
                // By turns, as the speed of a machine changes with what else it does.
                let [with, without] = [&with, &without].map(|options| to_depth::<F>(fen, options, depth));
                times.push(without.cpu.div_duration_f64(with.cpu));
                nodes.push(without.nodes as f64 / with.nodes as f64);
            }
            let [(time, error), (nodes, _)] = [times, nodes].map(|ratios| geometric_mean(&ratios));
            let _ = write!(row, "   {time:>6.2} ± {error:.2} {nodes:>6.2} ({depth:>2})");
        }
        println!("{:<12}  {technique:<15}{option:>22}={value:<5}{row}", F::NAME);
    }
}

/// The positions of a game's usual board that are searched.
fn usual(game: &str) -> impl Iterator<Item = &'static str> {
    include_str!("usual.txt").lines().filter_map(move |line| line.strip_prefix(game)?.strip_prefix(' '))
}

/// Undecided openings of a game, spread over the list.
fn openings(course: &Course, quick: bool) -> Vec<&'static str> {
    let lines: Vec<&str> = course.openings.lines().filter(|line| !line.starts_with('#')).collect();
    lines.iter().step_by(lines.len().div_ceil(if quick { 3 } else { OPENINGS })).copied().collect()
}

/// Options of which one has another value.
fn changed(options: &Options, name: &str, value: &str) -> Options {
    let mut options = options.clone();
    options.set(name, value).expect("an option and a value in its range");
    options
}

/// What it takes to search a position to a depth.
fn to_depth<F: Family>(fen: &str, options: &Options, depth: u32) -> Cost {
    run::<F>(fen, options, Task::ToDepth(depth))
}

fn run<F: Family>(fen: &str, options: &Options, task: Task) -> Cost {
    F::load(fen, Search { task, options: options.clone() }).expect("a good position")
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The geometric mean and its standard error.
fn geometric_mean(ratios: &[f64]) -> (f64, f64) {
    let count = ratios.len() as f64;
    let logarithms = || ratios.iter().map(|ratio| ratio.ln());
    let mean = logarithms().sum::<f64>() / count;
    let variance = logarithms().map(|ln| (ln - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean.exp(), mean.exp() * (variance / count).sqrt())
}

/// What a search has taken.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    cpu: Duration,
    wall: Duration,
}

impl Cost {
    /// Nodes per second of wall-clock time.
    fn rate(self) -> f64 {
        self.nodes as f64 / self.wall.as_secs_f64()
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), |sum, cost| Cost {
            nodes: sum.nodes + cost.nodes,
            cpu: sum.cpu + cost.cpu,
            wall: sum.wall + cost.wall,
        })
    }
}

/// What to do with a position.
enum Task {
    /// Search it to a depth with an empty table.
    ToDepth(u32),
    /// Stop a search at a moment that depends on this number, as [`stopped_after`] does.
    Stop(usize),
}

struct Search {
    task: Task,
    options: Options,
}

impl Visitor for Search {
    type Output = Cost;

    fn visit<G: Playable>(self, position: G) -> Cost {
        let mut searcher = Searcher::<G>::new(&self.options, "").expect("memory for the table");
        let record = Record::new(position);
        match self.task {
            Task::ToDepth(depth) => {
                let nodes = AtomicU64::new(0);
                let (cpu, wall) = (cpu_time(), Instant::now());
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let control = control(|| false, |report| nodes.store(report.nodes, Relaxed));
                searcher.think(&record, &limits, &control);
                let (cpu, wall) = (cpu_time().saturating_sub(cpu), wall.elapsed());
                Cost { nodes: nodes.load(Relaxed), cpu, wall }
            }
            Task::Stop(number) => stopped_after(number, |stopped| {
                searcher.think(&record, &Limits::default(), &control(stopped, |_| ()));
            }),
        }
    }
}

/// CPU time of this process.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
