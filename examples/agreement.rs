//! Does the engine play what the solver proves? Draws positions whose exact value is known, lets the engine think about
//! each for a given time, and counts the moves that keep the value.
//!
//! ```sh
//! cargo run --release --example agreement -- draw simplexity > mine.txt
//! cargo run --release --example agreement -- play simplexity mine.txt
//! ```
//!
//! A position counts if it is won or drawn, some legal move keeps that and another does not, and its end is far: within less
//! than the game's [`Course::far`] plies, whatever the opponent does, the side to move can't win a won position, nor can
//! either side end a drawn one without losing; `check` looks at that again. Positions come from games of random moves that
//! don't lose at once; which ones depends on the seed, and on how many nodes the solver takes. A line has the value, the
//! moves that keep it, the moves that don't, and the position; of the moves that it leaves out nothing is known. Where the
//! engine misses, the line is printed with its move.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use andantino::Andantino;
use clap::Parser;
use colosseum::Colosseum;
use game::zobrist::number;
use game::{Agent, Family, FenError, Limits, Options, Playable, Record, Side, Tactics, Visitor, control};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use search::{ALL_OPTIONS, Searcher};
use simplexity::Simplexity;
use solve::{Goal, solve};
use xrudder::XRudder;

#[derive(Parser)]
enum Args {
    /// Draw positions and print them
    Draw {
        game: String,
        /// Positions
        #[arg(long, default_value_t = 1000)]
        count: usize,
        /// Seed of the positions
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print those whose end is not far
    Check { game: String, file: PathBuf },
    /// Let the engine think about each of them
    Play {
        game: String,
        file: PathBuf,
        /// Time for each, in milliseconds
        #[arg(long, default_value_t = 1000)]
        movetime: u64,
        /// Searches at a time; without, as many as there are processor cores
        #[arg(long)]
        concurrency: Option<usize>,
    },
}

/// How positions of one game are drawn.
struct Course {
    /// Set-ups, or positions, that take turns.
    starts: &'static [&'static str],
    /// Random plies before the position.
    plies: RangeInclusive<u32>,
    /// Plies to the end, at least.
    far: u32,
    /// Nodes of the solver for the position, and for each move.
    nodes: u64,
}

const SIMPLEXITY: Course = Course { starts: &[""], plies: 12..=26, far: 8, nodes: 50_000 };
const XRUDDER: Course = Course {
    // With unequal supplies, as of equal ones few positions have moves of different value.
    starts: &["4/4/4/4 x 6 3 2", "5/5/5/5 x 6 2 1", "5/5/5/5 x 6 3 1", "5/5/5/5/5 x 6 3 1"],
    plies: 0..=5,
    far: 8,
    nodes: 50_000,
};
const COLOSSEUM: Course =
    Course { starts: &["size 4", "size 5", "size 6"], plies: 1..=16, far: 6, nodes: 50_000 };
const ANDANTINO: Course =
    Course { starts: &["radius 2", "radius 3", ""], plies: 4..=24, far: 8, nodes: 30_000 };

/// Attempts that are made together.
const BATCH: u64 = 32;
/// So many times as many nodes decide a move that was played.
const PATIENCE: u64 = 100;
/// Positions to look at for an end that is near.
const LOOK: u64 = 5_000_000;
/// Memory of the solver, in bytes.
const MEMORY: usize = 16 << 20;

fn main() -> Result<(), String> {
    let args = Args::parse();
    let (Args::Draw { game, .. } | Args::Check { game, .. } | Args::Play { game, .. }) = &args;
    match game.as_str() {
        Simplexity::NAME => measure::<Simplexity>(&SIMPLEXITY, &args),
        XRudder::NAME => measure::<XRudder>(&XRUDDER, &args),
        Colosseum::NAME => measure::<Colosseum>(&COLOSSEUM, &args),
        Andantino::NAME => measure::<Andantino>(&ANDANTINO, &args),
        _ => Err(format!("no game {game:?}: expected simplexity, xrudder, colosseum or andantino")),
    }
}

fn measure<F: Family>(course: &Course, args: &Args) -> Result<(), String> {
    match args {
        Args::Draw { count, seed, .. } => {
            draw_all::<F>(course, *count, *seed);
            Ok(())
        }
        Args::Check { file, .. } => check_all::<F>(course, &read(file)?),
        Args::Play { file, movetime, concurrency, .. } => {
            let cores = concurrency.unwrap_or_else(cores);
            play_all::<F>(course, &read(file)?, Duration::from_millis(*movetime), cores)
        }
    }
}

fn read(file: &Path) -> Result<Vec<Solved>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines
        .map(|(i, line)| line.parse().map_err(|error| format!("{}:{}: {error}", file.display(), i + 1)))
        .collect()
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A position whose value is known.
struct Solved {
    /// What the side to move reaches, and nothing better.
    goal: Goal,
    /// Moves that keep that, and moves that don't; of the others the solver did not find out.
    good: Vec<String>,
    bad: Vec<String>,
    fen: String,
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = if self.goal == Goal::Win { "win" } else { "draw" };
        write!(f, "{goal}; {}; {}; {}", self.good.join(" "), self.bad.join(" "), self.fen)
    }
}

impl FromStr for Solved {
    type Err = &'static str;

    fn from_str(line: &str) -> Result<Solved, &'static str> {
        let fields: Vec<&str> = line.splitn(4, "; ").collect();
        let [goal, good, bad, fen] = fields[..] else { return Err("expected VALUE; MOVES; MOVES; POSITION") };
        let goal = match goal {
            "win" => Goal::Win,
            "draw" => Goal::Draw,
            _ => return Err("expected win or draw at its beginning"),
        };
        let moves = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        Ok(Solved { goal, good: moves(good), bad: moves(bad), fen: fen.to_owned() })
    }
}

fn draw_all<F: Family>(course: &Course, count: usize, seed: u64) {
    println!("# agreement draw {} --count {count} --seed {seed}", F::NAME);
    let (mut drawn, mut attempts) = (HashSet::new(), 0);
    while drawn.len() < count {
        let found = in_parallel(BATCH as usize, cores(), |i| draw::<F>(course, seed, attempts + i as u64));
        attempts += BATCH;
        for solved in found.into_iter().flatten() {
            if drawn.len() < count && drawn.insert(solved.fen.clone()) {
                println!("{solved}");
            }
        }
    }
    println!("# of {attempts} attempts");
}

fn check_all<F: Family>(course: &Course, solved: &[Solved]) -> Result<(), String> {
    let [far, _, open] = ask_all(solved, cores(), |solved| {
        let is_far = F::load(&solved.fen, Far { plies: course.far, goal: solved.goal })?;
        Ok((is_far, if is_far.is_some() { "ends soon" } else { "is not decided" }.into()))
    })?;
    println!(
        "{}, no end within less than {} plies: {far} of {} positions, {open} are open",
        F::NAME,
        course.far,
        solved.len(),
    );
    Ok(())
}

fn play_all<F: Family>(
    course: &Course,
    solved: &[Solved],
    time: Duration,
    cores: usize,
) -> Result<(), String> {
    let nodes = PATIENCE * course.nodes;
    let [right, wrong, open] = ask_all(solved, cores, |solved| {
        let (played, kept) = F::load(&solved.fen, Player { time, solved, nodes })?;
        Ok((kept, format!("{played} {}", if kept.is_some() { "doesn't keep it" } else { "is not decided" })))
    })?;
    let won = solved.iter().filter(|solved| solved.goal == Goal::Win).count();
    println!(
        "{}, {won} won and {} drawn positions, {} ms each: {right} moves kept the value, {wrong} did not, {open} are open; {:.2} %",
        F::NAME,
        solved.len() - won,
        time.as_millis(),
        100.0 * right as f64 / (right + wrong).max(1) as f64
    );
    Ok(())
}

/// Counts the positions by what `ask` answers of each: yes, no, or that it is not found out. Prints what else it says of those
/// where it isn't yes.
fn ask_all(
    solved: &[Solved],
    cores: usize,
    ask: impl Fn(&Solved) -> Result<(Option<bool>, String), FenError> + Sync,
) -> Result<[usize; 3], String> {
    let answers = in_parallel(solved.len(), cores, |i| {
        let solved = &solved[i];
        let (answer, remark) = ask(solved).map_err(|error| format!("{solved}: {error}"))?;
        if answer != Some(true) {
            println!("  {remark}: {solved}");
        }
        Ok(answer)
    });
    let answers = answers.into_iter().collect::<Result<Vec<_>, String>>()?;
    Ok([Some(true), Some(false), None].map(|kind| answers.iter().filter(|&&answer| answer == kind).count()))
}

/// The results of `task` for all numbers below `count`, in order, so many computed at a time.
fn in_parallel<T: Send>(count: usize, cores: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..cores.max(1) {
            // Search is recursive.
            let worker = thread::Builder::new().stack_size(search::STACK);
            let spawned = worker.spawn_scoped(scope, || {
                while let Some(i) = Some(next.fetch_add(1, Relaxed)).filter(|i| *i < count) {
                    let result = task(i);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
                }
            });
            spawned.expect("a thread");
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The position of an attempt, if it is one that counts.
fn draw<F: Family>(course: &Course, seed: u64, attempt: u64) -> Option<Solved> {
    let mut rng = Pcg64::seed_from_u64(number(seed, attempt));
    let text = course.starts[attempt as usize % course.starts.len()];
    let drawing = |rng| Drawing { course, rng };
    if text.contains('/') {
        return F::load(text, drawing(rng)).expect("a good position");
    }
    let start = rng.random_range(0..u32::MAX).to_string();
    let words: Vec<&str> =
        text.split_whitespace().chain(F::START_SEED.into_iter().flat_map(|key| [key, &start])).collect();
    let pairs: Vec<(&str, &str)> = words.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let setup = F::setup(&pairs).expect("a good set-up");
    F::start(&setup, drawing(rng))
}

struct Drawing<'a> {
    course: &'a Course,
    rng: Pcg64,
}

impl Visitor for Drawing<'_> {
    type Output = Option<Solved>;

    fn visit<G: Playable>(mut self, mut position: G) -> Option<Solved> {
        for _ in 0..self.rng.random_range(self.course.plies.clone()) {
            // Moves that lose at once would leave hardly a position undecided.
            let next = position.legal_moves().into_iter().map(|m| position.play(m));
            let is_quiet =
                |next: &G| next.outcome().is_none() && !matches!(next.tactics(|_| {}), Tactics::Win(_));
            let quiet: Vec<G> = next.filter(is_quiet).collect();
            let most = u32::try_from(quiet.len()).ok().filter(|n| *n > 0)?;
            position = quiet[self.rng.random_range(0..most) as usize].clone();
        }
        if position.outcome().is_some() || position.max_plies_left() < self.course.far {
            return None;
        }
        // What loses keeps that with every move.
        let Course { far, nodes, .. } = *self.course;
        let goal = if reaches(&position, Goal::Win, nodes)? { Goal::Win } else { Goal::Draw };
        let counts = goal == Goal::Win || reaches(&position, goal, nodes)?;
        if !counts || !is_far(&position, goal, far)? {
            return None;
        }
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for m in position.legal_moves() {
            match keeps(&position, m, goal, nodes) {
                Some(true) => good.push(position.move_text(m)),
                Some(false) => bad.push(position.move_text(m)),
                None => {}
            }
        }
        (!good.is_empty() && !bad.is_empty()).then(|| Solved { goal, good, bad, fen: position.fen() })
    }
}

/// Whether a position reaches a goal; `None` if that takes more nodes.
fn reaches<G: Playable>(position: &G, goal: Goal, nodes: u64) -> Option<bool> {
    let limits = solve::Limits { nodes, memory: MEMORY };
    let solution =
        solve(position, Some(goal), limits, &solve::Constants::default(), &mut |_| ControlFlow::Continue(()));
    Some(solution.expect("memory for the table").goals.first()?.1)
}

/// Whether a goal is still reached after a move; `None` if finding out takes more nodes.
fn keeps<G: Playable>(position: &G, m: G::Move, goal: Goal, nodes: u64) -> Option<bool> {
    let next = position.play(m);
    let (wins, draws) = match next.outcome() {
        Some(outcome) => (outcome.winner == Some(position.side_to_move()), outcome.winner.is_none()),
        None if goal == Goal::Win => (!reaches(&next, Goal::Draw, nodes)?, false),
        None => (false, !reaches(&next, Goal::Win, nodes)?),
    };
    Some(wins || draws && goal == Goal::Draw)
}

/// Whether the game won't end in less than so many plies: the side to move can't force a win if the goal is a win; if it is
/// a draw, neither side can force an end that doesn't lose. `None` if finding out takes too long.
fn is_far<G: Playable>(position: &G, goal: Goal, plies: u32) -> Option<bool> {
    let own = position.side_to_move();
    let sides = if goal == Goal::Win { &[own][..] } else { &[own, own.other()] };
    for &side in sides {
        let mut look = Look { side, goal, left: LOOK, known: HashMap::new() };
        if look.forces(position, plies - 1)? {
            return Some(false);
        }
    }
    Some(true)
}

/// Looks through all games of a few plies.
struct Look {
    /// Who wants the game to end.
    side: Side,
    /// With a win, or with a draw at least.
    goal: Goal,
    /// So many more positions may be looked at.
    left: u64,
    /// By key and plies.
    known: HashMap<(u64, u32), bool>,
}

impl Look {
    /// Whether the side can force such an end in so many plies; `None` if there are too many positions.
    fn forces<G: Playable>(&mut self, position: &G, plies: u32) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.winner.map_or(self.goal == Goal::Draw, |winner| winner == self.side));
        }
        if plies == 0 {
            return Some(false);
        }
        let place = (position.key(), plies);
        if let Some(&forces) = self.known.get(&place) {
            return Some(forces);
        }
        self.left = self.left.checked_sub(1)?;
        let is_own = position.side_to_move() == self.side;
        let mut forces = !is_own;
        for m in position.legal_moves() {
            if self.forces(&position.play(m), plies - 1)? == is_own {
                forces = is_own;
                break;
            }
        }
        self.known.insert(place, forces);
        Some(forces)
    }
}

struct Far {
    plies: u32,
    goal: Goal,
}

impl Visitor for Far {
    type Output = Option<bool>;

    fn visit<G: Playable>(self, position: G) -> Option<bool> {
        is_far(&position, self.goal, self.plies)
    }
}

/// Thinks for a time. Gives the text of the move, and whether it keeps the value if that is found out.
struct Player<'a> {
    time: Duration,
    solved: &'a Solved,
    /// For the solver, where it did not find out before.
    nodes: u64,
}

impl Visitor for Player<'_> {
    type Output = (String, Option<bool>);

    fn visit<G: Playable>(self, position: G) -> Self::Output {
        let mut searcher = Searcher::new(&Options::defaults(ALL_OPTIONS), "").expect("memory for the table");
        let record = Record::new(position);
        let is_time = AtomicBool::new(false);
        let best = thread::scope(|scope| {
            let (done, waiting) = mpsc::channel::<()>();
            let is_time = &is_time;
            scope.spawn(move || {
                let _ = waiting.recv_timeout(self.time);
                is_time.store(true, Relaxed);
            });
            let limits = Limits { movetime: Some(self.time), ..Limits::default() };
            let best = searcher.think(&record, &limits, &control(|| is_time.load(Relaxed), |_| {}));
            drop(done);
            best
        });
        let Some(m) = best else { return ("nothing".into(), Some(false)) };
        let position = record.position();
        let text = position.move_text(m);
        let Solved { goal, good, bad, .. } = self.solved;
        let kept = match (good.contains(&text), bad.contains(&text)) {
            (false, false) => keeps(position, m, *goal, self.nodes),
            (kept, _) => Some(kept),
        };
        (text, kept)
    }
}
