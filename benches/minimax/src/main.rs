//! CPU time to the same depth: the search of Ludus beside that of the crate `minimax`, with the rules and the static
//! evaluation of the same position types, one thread each, in turns within one run.
//!
//! `cargo run --release --manifest-path benches/minimax/Cargo.toml [-- GAME…]`
//!
//! * *full width*: ours with `FullWidth`, and without what a game knows of forced moves, so that both compute plain
//!   negamax and their values must be equal; that they are is checked, for every set of options that either is tried with.
//! * *as it plays*: ours with reductions and forced moves, to the same nominal depth.
//!
//! The positions are undecided openings of the game's list, spread over it; in Colosseum over those of up to 8 rows. Each
//! search has the table that makes it fastest, of 1, 4 or 16 MiB. Theirs and ours at full width also have the options that
//! do, chosen for each game, with 16 MiB, from among those that leave values as they are: of each kind in turn the one that
//! makes it fastest, beside those chosen before.
//!
//! Theirs carries along what is kept of a position for its evaluation, as ours does, and is tried once with the moves in the
//! order of the rules, once in that of the game, which ours begins with too. Those of its options that change values are left
//! out (singular extensions; null moves, which these games don't have), and those without effect: it doesn't reorder moves
//! by an evaluator yet, and there are no noisy moves that would leave values as they are.

use std::cmp::Reverse;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use andantino::Andantino;
use colosseum::Colosseum;
use game::{
    Agent, Evaluate, Family, Game, Limits, Options, Outcome, Playable, Record, Score, Side, Visitor, control,
};
use minimax::{
    BEST_EVAL, Evaluation, IterativeOptions, IterativeSearch, Replacement, Strategy, WORST_EVAL, Winner,
};
use rustix::time::{ClockId, clock_gettime};
use search::{ALL_OPTIONS, Searcher};
use simplexity::Simplexity;
use xrudder::XRudder;

/// Sizes of tables to choose among, in MiB.
const TABLES: [usize; 3] = [16, 4, 1];
/// At most so many openings are searched, spread over the list.
const OPENINGS: usize = 14;
/// The first of Colosseum's openings, which are of up to 8 rows.
const SMALL: usize = 24;
/// Repetitions of what is compared; the fastest counts.
const RUNS: usize = 5;
/// Repetitions of a choice among options.
const TRIALS: usize = 2;

/// Options by kind, each with its name.
type Choices<'a, T> = &'a [&'a [(&'static str, T)]];

/// What sets an option of theirs.
type Set = fn(IterativeOptions) -> IterativeOptions;

/// The options of theirs. They leave the values as they are.
const THEIRS: Choices<'_, Set> = &[
    &[("countermoves", IterativeOptions::with_countermoves)],
    &[("history", IterativeOptions::with_countermove_history)],
    &[
        ("window 5", |options| options.with_aspiration_window(5)),
        ("window 20", |options| options.with_aspiration_window(20)),
        ("window 80", |options| options.with_aspiration_window(80)),
        ("mtdf", IterativeOptions::with_mtdf),
    ],
    &[("no null windows", |options| options.with_null_window_search(false))],
    &[("double step", IterativeOptions::with_double_step_increment)],
    &[
        ("always replace", |options| options.with_replacement_strategy(Replacement::Always)),
        ("prefer depth", |options| options.with_replacement_strategy(Replacement::DepthPreferred)),
    ],
];

/// An option of ours and its value.
type Setting = (&'static str, &'static str);

/// The options of ours. At full width they leave the values as they are.
const OURS: Choices<'_, Setting> = &[
    &[("no killers", ("Tune.Killers", "0"))],
    &[("no history", ("Tune.HistoryBonus", "0"))],
    &[("no small table", ("Tune.Near", "0"))],
    &[("no look ahead", ("Tune.Ahead", "1000"))],
    &[
        ("window 5", ("Tune.Aspiration", "5")),
        ("window 10", ("Tune.Aspiration", "10")),
        ("window 80", ("Tune.Aspiration", "80")),
        ("no window", ("Tune.AspirationDepth", "1000")),
    ],
    &[("no null windows", ("Tune.NullWindow", "0"))],
    &[("single step", ("Tune.FullStep", "1"))],
];

/// The orders in which theirs is handed the moves of a position, before it sorts them by what it has learnt.
#[derive(Clone, Copy)]
enum Order {
    /// As the rules generate them.
    Rules,
    /// By the game's own guess at how good they are.
    Game,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:<12} {:>5} {:>8} {:>14} {:>14}  values equal   MiB      options of minimax; of ours at full width",
        "CPU s", "depth", "minimax", "full width", "as it plays"
    );
    let asked = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    if asked(Simplexity::NAME) {
        compare::<Simplexity>(11, usize::MAX, include_str!("../../../examples/openings/simplexity.txt"));
    }
    if asked(XRudder::NAME) {
        compare::<XRudder>(4, usize::MAX, include_str!("../../../examples/openings/xrudder.txt"));
    }
    if asked(Colosseum::NAME) {
        compare::<Colosseum>(5, SMALL, include_str!("../../../examples/openings/colosseum.txt"));
    }
    if asked(Andantino::NAME) {
        compare::<Andantino>(11, usize::MAX, include_str!("../../../examples/openings/andantino.txt"));
    }
}

/// Prints what searching openings of a game to a depth takes, spread over so many at the head of its list.
fn compare<F: Family>(depth: u8, head: usize, openings: &str) {
    let openings: Vec<&str> = openings.lines().filter(|line| !line.starts_with('#')).take(head).collect();
    let positions: Vec<&str> = openings.iter().step_by(openings.len().div_ceil(OPENINGS)).copied().collect();
    let known = search::<F>(&positions, depth, Engine::FullWidth(&[], TABLES[0])).1;
    let (mut equal, mut compared) = (0, 0);
    let mut run = |engine: Engine<'_>| {
        let (seconds, values) = search::<F>(&positions, depth, engine);
        if !matches!(engine, Engine::AsItPlays(_)) {
            equal += values.iter().zip(&known).filter(|(value, known)| value == known).count();
            compared += values.len();
        }
        seconds
    };

    let chosen =
        [("order of the rules", Order::Rules), ("order of the game", Order::Game)].map(|(name, order)| {
            let (seconds, options, names) = choose(
                THEIRS,
                IterativeOptions::new(),
                |&options, set| set(options),
                |&options| run(Engine::Theirs(options, order, TABLES[0])),
            );
            (seconds, options, order, [&[name][..], &names].concat())
        });
    let (_, options, order, names) =
        chosen.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("two orders");
    let (_, own, own_names) = choose(
        OURS,
        Vec::new(),
        |own: &Vec<Setting>, setting| [&own[..], &[setting]].concat(),
        |own| run(Engine::FullWidth(own, TABLES[0])),
    );
    let engines = |table| {
        [Engine::Theirs(options, order, table), Engine::FullWidth(&own, table), Engine::AsItPlays(table)]
    };
    let tables = [0, 1, 2].map(|engine| {
        let timed = TABLES.map(|table| (fastest(TRIALS, || run(engines(table)[engine])), table));
        timed.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("three sizes").1
    });

    let mut best = [f64::INFINITY; 3];
    for _ in 0..RUNS {
        for (engine, (best, table)) in best.iter_mut().zip(tables).enumerate() {
            *best = best.min(run(engines(table)[engine]));
        }
    }
    let [theirs, full, plays] = best;
    println!(
        "{:<12} {:>5} {theirs:>8.3} {full:>6.3} ({:>5.3}) {plays:>6.3} ({:>5.3}) {:>13}   {:<8} {}; ours {}",
        F::NAME,
        depth,
        full / theirs,
        plays / theirs,
        format!("{equal} of {compared}"),
        tables.map(|table| table.to_string()).join(", "),
        names.join(", "),
        if own_names.is_empty() { "as it is".into() } else { own_names.join(", ") },
    );
}

/// The options that make a search fastest, as `seconds` measures it, with that time and their names.
fn choose<O, T: Copy>(
    kinds: Choices<'_, T>,
    mut options: O,
    with: impl Fn(&O, T) -> O,
    mut seconds: impl FnMut(&O) -> f64,
) -> (f64, O, Vec<&'static str>) {
    let mut names = Vec::new();
    let mut least = fastest(TRIALS, || seconds(&options));
    for choices in kinds {
        let mut chosen = None;
        for &(name, choice) in *choices {
            let changed = with(&options, choice);
            let time = fastest(TRIALS, || seconds(&changed));
            if time < least {
                least = time;
                chosen = Some((name, changed));
            }
        }
        if let Some((name, changed)) = chosen {
            options = changed;
            names.push(name);
        }
    }
    (least, options, names)
}

/// The least of so many measurements.
fn fastest(runs: usize, measure: impl FnMut() -> f64) -> f64 {
    std::iter::repeat_with(measure).take(runs).fold(f64::INFINITY, f64::min)
}

/// What searches, with a table of so many MiB.
#[derive(Clone, Copy)]
enum Engine<'a> {
    Theirs(IterativeOptions, Order, usize),
    FullWidth(&'a [Setting], usize),
    AsItPlays(usize),
}

/// CPU seconds that it takes for all positions, and the value of each as `minimax` has it.
fn search<F: Family>(positions: &[&str], depth: u8, engine: Engine<'_>) -> (f64, Vec<Evaluation>) {
    let searched = |fen: &&str| F::load(fen, Task { engine, depth }).expect("a good position");
    let (seconds, values): (Vec<f64>, Vec<Evaluation>) = positions.iter().map(searched).unzip();
    (seconds.iter().sum(), values)
}

struct Task<'a> {
    engine: Engine<'a>,
    depth: u8,
}

impl Visitor for Task<'_> {
    type Output = (f64, Evaluation);

    fn visit<G: Playable>(self, position: G) -> (f64, Evaluation) {
        match self.engine {
            Engine::Theirs(options, order, table) => {
                let options = options.with_table_byte_size(table << 20);
                let mut search = IterativeSearch::new(Judge::<G>::default(), options);
                search.set_max_depth(self.depth);
                let state = State::new(position, order);
                let begin = cpu_time();
                search.choose_move(&state);
                ((cpu_time() - begin).as_secs_f64(), search.root_value())
            }
            Engine::FullWidth(own, table) => {
                timed(&mut searcher(own, true, table), Plain(position), self.depth)
            }
            Engine::AsItPlays(table) => timed(&mut searcher(&[], false, table), position, self.depth),
        }
    }
}

/// CPU seconds of ours to a depth, and its value.
fn timed<G: Evaluate>(searcher: &mut Searcher<G>, position: G, depth: u8) -> (f64, Evaluation) {
    let last = Mutex::new(Score::Cp(0));
    let keep_score = control(|| false, |report| *last.lock().expect("no panic") = report.score);
    let limits = Limits { depth: Some(depth.into()), ..Limits::default() };
    let record = Record::new(position);
    let begin = cpu_time();
    searcher.think(&record, &limits, &keep_score);
    let seconds = (cpu_time() - begin).as_secs_f64();
    let value = match *last.lock().expect("no panic") {
        Score::Cp(value) => value as Evaluation,
        Score::Win(_) => BEST_EVAL,
        Score::Loss(_) => WORST_EVAL,
        Score::Draw(_) => 0,
    };
    (seconds, value)
}

fn searcher<G: Evaluate>(own: &[Setting], full_width: bool, table: usize) -> Searcher<G> {
    let (full_width, table) = (full_width.to_string(), table.to_string());
    let mut options = Options::defaults(ALL_OPTIONS);
    for &(name, value) in [("FullWidth", full_width.as_str()), ("Hash", &table)].iter().chain(own) {
        options.set(name, value).expect("an option and a value in its range");
    }
    Searcher::new(&options, "").expect("memory for the table")
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// A position as `minimax` sees it, with what is kept of it.
#[derive(Clone)]
struct State<G: Evaluate> {
    position: G,
    memo: G::Memo,
    order: Order,
    /// Some move, which is not played.
    filler: Option<G::Move>,
}

impl<G: Evaluate> State<G> {
    fn new(position: G, order: Order) -> State<G> {
        State { memo: position.memo(), order, filler: position.legal_moves().first().copied(), position }
    }
}

/// A game as `minimax` sees it.
struct Rules<G>(PhantomData<G>);

impl<G: Evaluate> minimax::Game for Rules<G> {
    type S = State<G>;
    type M = G::Move;

    fn generate_moves(state: &State<G>, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_some() {
            return winner;
        }
        match state.order {
            Order::Rules => {
                let _ = state.position.moves(|m| {
                    moves.push(m);
                    ControlFlow::Continue(())
                });
            }
            Order::Game => {
                state.position.candidates(0, usize::MAX, |m| moves.push(m));
                let weights = G::Weights::default();
                moves.sort_by_cached_key(|&m| Reverse(state.position.order_hint(m, &weights)));
            }
        }
        None
    }

    fn apply(state: &mut State<G>, m: G::Move) -> Option<State<G>> {
        let mut child = state.clone();
        child.position.play_unchecked(m);
        // Nothing is evaluated after the end of a game.
        if child.position.outcome().is_none() {
            child.position.keep_memo(&mut child.memo, &state.position, &state.memo);
        }
        Some(child)
    }

    fn get_winner(state: &State<G>) -> Option<Winner> {
        state.position.outcome().map(|outcome| match outcome.winner {
            None => Winner::Draw,
            Some(side) if side == state.position.side_to_move() => Winner::PlayerToMove,
            Some(_) => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &State<G>) -> u64 {
        state.position.key()
    }

    /// Without a null move there is no table of countermoves: it is filled with it at first. Unless asked to, `minimax`
    /// plays none.
    fn null_move(state: &State<G>) -> Option<G::Move> {
        state.filler
    }

    fn table_index(m: G::Move) -> u16 {
        // What shares an entry only makes the order worse.
        G::move_bits(m) % Self::max_table_index()
    }

    fn max_table_index() -> u16 {
        8192
    }
}

/// A static evaluation as `minimax` sees it.
struct Judge<G: Evaluate>(G::Weights);

impl<G: Evaluate> Default for Judge<G> {
    fn default() -> Judge<G> {
        Judge(G::Weights::default())
    }
}

impl<G: Evaluate> minimax::Evaluator for Judge<G> {
    type G = Rules<G>;

    fn evaluate(&self, state: &State<G>) -> Evaluation {
        state.position.evaluate_with(&state.memo, &self.0) as Evaluation
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

    fn order_hint(&self, m: G::Move, weights: &G::Weights) -> i32 {
        self.0.order_hint(m, weights)
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
