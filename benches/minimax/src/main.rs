//! CPU time to the same depth: the search of Ludus beside that of the crate `minimax`, with the rules and the static
//! evaluation of the same position types, one thread and a table of 16 MiB each, in turns within one run.
//!
//! `cargo run --release --manifest-path benches/minimax/Cargo.toml [-- GAME…]`
//!
//! * *full width*: ours with `FullWidth`, and without what a game knows of forced moves, so that both compute plain
//!   negamax and their values must be equal; that they are is checked.
//! * *as it plays*: ours with reductions and forced moves, to the same nominal depth.
//!
//! Theirs is given several sets of options; the fastest counts.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use andantino::Andantino;
use colosseum::Colosseum;
use game::{
    Agent, Evaluate, Family, Game, Limits, Options, Outcome, Playable, Record, Score, Side, Visitor, control,
};
use minimax::{Evaluation, IterativeOptions, IterativeSearch, Strategy, Winner};
use rustix::time::{ClockId, clock_gettime};
use search::{OPTIONS, Searcher};
use simplexity::Simplexity;
use xrudder::XRudder;

/// Positions of a game, and the depth of the comparison.
struct Course {
    positions: &'static [&'static str],
    depth: u8,
}

const SIMPLEXITY: Course = Course {
    positions: &[
        "7/7/7/7/7/7 w 10,11,10,11 4",
        "7/7/7/7/7/RR1w2w w 8,11,10,9 4",
        "7/3w3/3R3/3w3/3R3/w2w2R r 6,11,10,8 4",
        "7/7/7/7/2w4/2Rw2R w 8,11,10,9 4",
    ],
    depth: 11,
};

const XRUDDER: Course = Course {
    positions: &[
        "12/12/12/12/12/12/12/12/12/12 x 15 15 30",
        "12/12/12/5xox4/5x1o4/5x1x4/12/12/12/12 x 9 11 30",
        "12/12/2x1o1x1o3/12/3x1o6/5x1o4/12/12/12/12 o 2 3 5",
    ],
    depth: 4,
};

const COLOSSEUM: Course = Course {
    positions: &[
        "8/1r3d2/7d/2r5/d3r3/2d5/5r2/8 h1 a8 a",
        "1dr2r1d/b4dd1/rrddd1d1/r1drdd2/dbrr1d2/1dddddbd/4d3/3r4 h6 e8 b",
        "r4d2/r1r1dd2/1bbdd3/rdrdd3/2dbr3/2r1r3/8/8 f3 d5 b",
    ],
    depth: 6,
};

const ANDANTINO: Course = Course {
    positions: &[
        "10/11/12/13/14/15/16/17/8bw8/8wbb8/18/17/16/15/14/13/12/11/10 w",
        "10/11/12/13/14/15/16/17/18/8bbw8/7wwbb7/9w7/16/15/14/13/12/11/10 b",
        "10/11/12/13/14/15/16/17/8b9/7wwbww7/7bbwb7/9b7/16/15/14/13/12/11/10 w",
    ],
    depth: 11,
};

/// Bytes of each table.
const TABLE: usize = 16 << 20;
/// Repetitions; the fastest counts.
const RUNS: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:<12} {:>5} {:>10} {:>22} {:>14} {:>14}",
        "CPU s", "depth", "minimax", "its options", "full width", "as it plays"
    );
    let asked = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    if asked(Simplexity::NAME) {
        compare::<Simplexity>(&SIMPLEXITY);
    }
    if asked(XRudder::NAME) {
        compare::<XRudder>(&XRUDDER);
    }
    if asked(Colosseum::NAME) {
        compare::<Colosseum>(&COLOSSEUM);
    }
    if asked(Andantino::NAME) {
        compare::<Andantino>(&ANDANTINO);
    }
}

/// The sets of options that theirs is tried with.
fn option_sets() -> [(&'static str, IterativeOptions); 4] {
    let plain = IterativeOptions::new().with_table_byte_size(TABLE);
    [
        ("default", plain),
        ("countermoves", plain.with_countermoves()),
        ("history", plain.with_countermoves().with_countermove_history()),
        ("history, window", plain.with_countermoves().with_countermove_history().with_aspiration_window(20)),
    ]
}

fn compare<F: Family>(course: &Course) {
    let (mut theirs, mut full, mut ours) = ([f64::INFINITY; 4], f64::INFINITY, f64::INFINITY);
    let (mut equal, mut compared) = (0, 0);
    for _ in 0..RUNS {
        let mut sums = [0.0; 6];
        for fen in course.positions {
            let times = F::load(fen, Compare { depth: course.depth }).expect("a good position");
            for (sum, time) in sums.iter_mut().zip(times.seconds) {
                *sum += time;
            }
            equal += usize::from(times.equal);
            compared += 1;
        }
        for (best, sum) in theirs.iter_mut().zip(sums) {
            *best = best.min(sum);
        }
        (full, ours) = (full.min(sums[4]), ours.min(sums[5]));
    }
    let (best, name) = theirs
        .into_iter()
        .zip(option_sets().map(|(name, _)| name))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or_default();
    println!(
        "{:<12} {:>5} {best:>10.3} {name:>22} {:>6.3} ({:>5.3}) {:>6.3} ({:>5.3})  values equal: {equal} of {compared}",
        F::NAME,
        course.depth,
        full,
        full / best,
        ours,
        ours / best,
    );
}

struct Compare {
    depth: u8,
}

/// Seconds of theirs with each set of options, of ours full width, and of ours as it plays; whether the values are equal.
struct Times {
    seconds: [f64; 6],
    equal: bool,
}

impl Visitor for Compare {
    type Output = Times;

    fn visit<G: Playable>(self, position: G) -> Times {
        let mut seconds = [0.0; 6];
        let mut values = Vec::new();
        for (slot, (_, options)) in seconds.iter_mut().zip(option_sets()) {
            let mut search = IterativeSearch::new(Judge::<G>(PhantomData), options);
            search.set_max_depth(self.depth);
            let begin = cpu_time();
            search.choose_move(&position);
            *slot = (cpu_time() - begin).as_secs_f64();
            values.push(i32::from(search.root_value()));
        }
        let mut plain = searcher::<Plain<G>>(true);
        (seconds[4], values[3]) = timed(&mut plain, Plain(position.clone()), self.depth, values[3]);
        let first = values[0];
        seconds[5] = timed(&mut searcher::<G>(false), position, self.depth, 0).0;
        // Windows and tables may leave another bound where a value is decisive; elsewhere there is one value.
        Times { seconds, equal: values[..3].iter().all(|&value| value == first) && values[3] == first }
    }
}

/// CPU seconds of ours to a depth, and its value; `decided` if the game is.
fn timed<G: Evaluate>(searcher: &mut Searcher<G>, position: G, depth: u8, decided: i32) -> (f64, i32) {
    let last = Mutex::new(Score::Cp(0));
    let keep_score = control(|| false, |report| *last.lock().expect("no panic") = report.score);
    let limits = Limits { depth: Some(depth.into()), ..Limits::default() };
    let begin = cpu_time();
    searcher.think(&Record::new(position), &limits, &keep_score);
    let seconds = (cpu_time() - begin).as_secs_f64();
    let value = match *last.lock().expect("no panic") {
        Score::Cp(value) => value,
        _ => decided,
    };
    (seconds, value)
}

fn searcher<G: Evaluate>(full_width: bool) -> Searcher<G> {
    let mut options = Options::defaults(OPTIONS);
    let spec = OPTIONS.iter().find(|spec| spec.name == "FullWidth").expect("an option");
    options.set(spec, &full_width.to_string()).expect("a value of its range");
    Searcher::new(&options, "").expect("memory for the table")
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// A game as `minimax` sees it.
struct Rules<G>(PhantomData<G>);

impl<G: Playable> minimax::Game for Rules<G> {
    type S = G;
    type M = G::Move;

    fn generate_moves(state: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            let _ = state.moves(|m| {
                moves.push(m);
                ControlFlow::Continue(())
            });
        }
        winner
    }

    fn apply(state: &mut G, m: G::Move) -> Option<G> {
        let mut child = state.clone();
        child.play_unchecked(m);
        Some(child)
    }

    fn get_winner(state: &G) -> Option<Winner> {
        state.outcome().map(|outcome| match outcome.winner {
            None => Winner::Draw,
            Some(side) if side == state.side_to_move() => Winner::PlayerToMove,
            Some(_) => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &G) -> u64 {
        state.key()
    }

    fn table_index(m: G::Move) -> u16 {
        // A table by pairs of moves must have room; what shares an entry only makes the order worse.
        G::move_bits(m) % Self::max_table_index()
    }

    fn max_table_index() -> u16 {
        4096
    }
}

/// A static evaluation as `minimax` sees it.
struct Judge<G>(PhantomData<G>);

impl<G: Playable> minimax::Evaluator for Judge<G> {
    type G = Rules<G>;

    fn evaluate(&self, state: &G) -> Evaluation {
        state.evaluate() as Evaluation
    }
}

/// A position of which only the rules, the static value and an order of the moves are known.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Plain<G>(G);

impl<G: Game> Game for Plain<G> {
    type Move = G::Move;

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn moves(&self, f: impl FnMut(G::Move) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0.moves(f)
    }

    fn is_legal(&self, m: G::Move) -> bool {
        self.0.is_legal(m)
    }

    fn play_unchecked(&mut self, m: G::Move) {
        self.0.play_unchecked(m);
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn key_from_scratch(&self) -> u64 {
        self.0.key_from_scratch()
    }

    fn move_bits(m: G::Move) -> u16 {
        G::move_bits(m)
    }

    fn move_from_bits(&self, bits: u16) -> Option<G::Move> {
        self.0.move_from_bits(bits)
    }

    fn key_after(&self, m: G::Move) -> Option<u64> {
        self.0.key_after(m)
    }
}

impl<G: Evaluate> Evaluate for Plain<G> {
    type Memo = G::Memo;

    const LIMIT: i32 = G::LIMIT;
    const NEAR: u32 = G::NEAR;
    const STEADY: bool = G::STEADY;

    fn memo(&self) -> G::Memo {
        self.0.memo()
    }

    fn keep_memo(&self, memo: &mut G::Memo, before: &Plain<G>, before_memo: &G::Memo) {
        self.0.keep_memo(memo, &before.0, before_memo);
    }

    type Weights = G::Weights;

    fn evaluate_with(&self, memo: &G::Memo, weights: &G::Weights) -> i32 {
        self.0.evaluate_with(memo, weights)
    }

    fn candidates(&self, from: usize, most: usize, f: impl FnMut(G::Move)) -> Option<usize> {
        self.0.candidates(from, most, f)
    }

    fn order_hint(&self, m: G::Move) -> i32 {
        self.0.order_hint(m)
    }

    fn history_size(&self) -> usize {
        self.0.history_size()
    }

    fn history_index(&self, m: G::Move) -> usize {
        self.0.history_index(m)
    }

    fn max_plies_left(&self) -> u32 {
        self.0.max_plies_left()
    }
}
