//! What every search is measured by: plain negamax, a control that remembers all reports, and a check of lines.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use game::{Agent, Control, Evaluate, Limits, Options, Record, Report, Score, Side, Tactics};
use search::{ALL_OPTIONS, Searcher};

/// Depth-limited negamax; wins are worth `1_000_000` less the plies to them. A win at once is seen at depth 0, and a
/// forced reply is free.
pub(crate) fn negamax<G: Evaluate>(position: &G, depth: u32) -> i32 {
    let best = |moves: Vec<G::Move>, depth| {
        let values = moves.into_iter().map(|m| value_of_move(position, m, depth));
        values.max().expect("an unfinished position has moves")
    };
    let mut replies = Vec::new();
    match position.tactics(|m| replies.push(m)) {
        Tactics::Win(m) => best(vec![m], 1),
        Tactics::Forced => best(replies, depth + 1),
        Tactics::Open if depth == 0 => position.evaluate(),
        Tactics::Open => best(position.legal_moves(), depth),
    }
}

/// The value of one move for the side that plays it, `depth` counting the move itself.
pub(crate) fn value_of_move<G: Evaluate>(position: &G, m: G::Move, depth: u32) -> i32 {
    let child = position.play(m);
    let value = match child.outcome() {
        None => -negamax(&child, depth - 1),
        Some(outcome) => match outcome.winner {
            None => 0,
            Some(side) if side == position.side_to_move() => 1_000_000,
            Some(_) => -1_000_000,
        },
    };
    if value.abs() > 900_000 { value - value.signum() } else { value }
}

/// A score on the scale of [`negamax`].
pub(crate) fn on_scale(score: Score) -> i32 {
    match score {
        Score::Cp(v) => v,
        Score::Draw(_) => 0,
        Score::Win(plies) => 1_000_000 - plies as i32,
        Score::Loss(plies) => plies as i32 - 1_000_000,
    }
}

/// A report that can be kept.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Kept<M> {
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    pub(crate) nodes: u64,
    pub(crate) score: Score,
    pub(crate) multipv: Option<u32>,
    pub(crate) pv: Vec<M>,
}

/// Remembers all reports; can stop the search at any question whether to stop, or after a number of iterations.
pub(crate) struct Recorder<M> {
    pub(crate) reports: Mutex<Vec<Kept<M>>>,
    questions_left: AtomicU64,
    last_depth: u32,
}

impl<M> Recorder<M> {
    pub(crate) fn new(questions: u64, last_depth: u32) -> Recorder<M> {
        Recorder { reports: Mutex::default(), questions_left: AtomicU64::new(questions), last_depth }
    }
}

impl<M: Copy + Sync + Send> Control<M> for Recorder<M> {
    fn stopped(&self) -> bool {
        let left = self.questions_left.load(Relaxed);
        self.questions_left.store(left.saturating_sub(1), Relaxed);
        left == 0
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, r: &Report<'_, M>) -> ControlFlow<()> {
        assert!(r.hashfull.is_some_and(|permille| permille <= 1_000));
        self.reports.lock().unwrap().push(Kept {
            depth: r.depth,
            seldepth: r.seldepth,
            nodes: r.nodes,
            score: r.score,
            multipv: r.multipv,
            pv: r.pv.to_vec(),
        });
        if r.depth >= self.last_depth { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A searcher with a small table, of full width.
pub(crate) fn searcher<G: Evaluate>(multi_pv: u32) -> Searcher<G> {
    searcher_with(multi_pv, true)
}

/// A full-width searcher whose iterations deepen by a ply each.
pub(crate) fn ply_by_ply<G: Evaluate>() -> Searcher<G> {
    searcher_of(&[("Hash", "1"), ("FullWidth", "true"), ("Tune.FullStep", "1")])
}

/// A searcher with a small table that reduces late moves.
pub(crate) fn reducing<G: Evaluate>() -> Searcher<G> {
    searcher_with(1, false)
}

fn searcher_with<G: Evaluate>(multi_pv: u32, full_width: bool) -> Searcher<G> {
    let (multi_pv, full_width) = (multi_pv.to_string(), full_width.to_string());
    searcher_of(&[("Hash", "1"), ("MultiPV", &multi_pv), ("FullWidth", &full_width)])
}

/// A searcher with a small table and several threads.
pub(crate) fn team<G: Evaluate>(threads: u32, full_width: bool) -> Searcher<G> {
    let (threads, full_width) = (threads.to_string(), full_width.to_string());
    searcher_of(&[("Hash", "1"), ("Threads", &threads), ("FullWidth", &full_width)])
}

/// A searcher with these values of options.
pub(crate) fn searcher_of<G: Evaluate>(values: &[(&str, &str)]) -> Searcher<G> {
    Searcher::new(&options_of(values), "test").expect("memory for the table")
}

/// All options, these with values other than the usual ones.
pub(crate) fn options_of(values: &[(&str, &str)]) -> Options {
    let mut options = Options::defaults(ALL_OPTIONS);
    for (name, value) in values {
        options.set(name, value).expect("an option and a value in its range");
    }
    options
}

/// Searches and gives the move and all reports.
pub(crate) fn think<G: Evaluate>(
    searcher: &mut Searcher<G>,
    position: &G,
    limits: &Limits<G::Move>,
) -> (G::Move, Vec<Kept<G::Move>>) {
    think_with(searcher, position, limits, Recorder::new(u64::MAX, u32::MAX))
}

/// As [`think`], with a control of one's own.
pub(crate) fn think_with<G: Evaluate>(
    searcher: &mut Searcher<G>,
    position: &G,
    limits: &Limits<G::Move>,
    control: Recorder<G::Move>,
) -> (G::Move, Vec<Kept<G::Move>>) {
    let best = searcher.think(&Record::new(position.clone()), limits, &control).expect("there are moves");
    (best, control.reports.into_inner().unwrap())
}

pub(crate) fn to_depth<M>(depth: u32) -> Limits<M> {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub(crate) fn to_nodes<M>(nodes: u64) -> Limits<M> {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Asserts that a line is legal, and that it leads to what its score says: the end of the game as announced, or after
/// `depth` plies a position of that very estimate.
pub(crate) fn check_line<G: Evaluate>(position: &G, report: &Kept<G::Move>) {
    let mut end = position.clone();
    // Forced replies cost no depth.
    let mut depth = 0;
    for &m in &report.pv {
        depth += u32::from(end.tactics(|_| {}) != Tactics::Forced);
        end = end.try_play(m).expect("the line is legal");
    }
    let plies = report.pv.len() as u32;
    let us = position.side_to_move();
    let winner = end.outcome().map(|outcome| outcome.winner);
    match report.score {
        Score::Win(n) => assert_eq!((n, Some(Some(us))), (plies, winner)),
        Score::Loss(n) => assert_eq!((n, Some(Some(us.other()))), (plies, winner)),
        Score::Draw(n) => assert_eq!((n, Some(None)), (plies, winner)),
        Score::Cp(0) if winner == Some(None) => {}
        Score::Cp(value) => {
            assert_eq!((depth, winner), (report.depth, None), "{report:?}");
            let sign = if end.side_to_move() == us { 1 } else { -1 };
            assert_eq!(value, sign * end.evaluate(), "{report:?}");
        }
    }
    assert!(plies <= report.seldepth);
}

/// The side that wins when both sides let `searcher` play from `position` with `limits`, and the plies until then.
pub(crate) fn play_out<G: Evaluate>(
    searcher: &mut Searcher<G>,
    position: &G,
    limits: &Limits<G::Move>,
) -> (Option<Side>, u32) {
    let mut position = position.clone();
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return (outcome.winner, plies);
        }
        let (best, _) = think(searcher, &position, limits);
        position = position.play(best);
        plies += 1;
    }
}
