//! The sparring partners on positions worked out by hand.

mod common;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use andantino::{Andantino, Cell, Position};
use common::fen;
use game::{Agent, Clock, Control, Family, Game, Limits, Notation, Options, Playable, Record, Report, Score};

/// Boards of up to 21 lines, their margins included.
type Usual = Position<21>;

const START: &str = "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w";
const SEARCHERS: [&str; 3] = ["plain", "groups", "neighbours"];

/// A clock that moves on by a millisecond whenever it is read; keeps the last report.
#[derive(Default)]
struct Desk {
    questions_left: Option<AtomicU64>,
    readings: AtomicU64,
    nodes: AtomicU64,
    depth: AtomicU64,
}

impl Desk {
    /// Stops at the given question.
    fn stopping_at(question: u64) -> Desk {
        Desk { questions_left: Some(AtomicU64::new(question)), ..Desk::default() }
    }
}

impl Control<Cell> for Desk {
    fn stopped(&self) -> bool {
        self.questions_left.as_ref().is_some_and(|left| left.fetch_sub(1, Ordering::Relaxed) <= 1)
    }
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.readings.fetch_add(1, Ordering::Relaxed) + 1)
    }
    fn report(&self, report: &Report<'_, Cell>) -> ControlFlow<()> {
        self.nodes.store(report.nodes, Ordering::Relaxed);
        self.depth.store(report.depth.into(), Ordering::Relaxed);
        assert!(matches!(report.score, Score::Cp(-10_000..=10_000)), "{:?}", report.score);
        assert_eq!(report.pv.len(), 1);
        ControlFlow::Continue(())
    }
}

/// The agent of that name; the searchers with a small table, as most of these searches are short.
fn agent(name: &str, values: &[(&str, &str)]) -> Box<dyn Agent<Usual>> {
    let spec = Andantino::AGENTS.iter().find(|spec| spec.name == name).expect("there is such an agent");
    let mut options = Options::defaults(spec.options);
    let small = if SEARCHERS.contains(&name) { &[("TableBits", "12")][..] } else { &[] };
    for (name, value) in small.iter().chain(values) {
        options.set(name, value).expect("an option and a good value");
    }
    Usual::agent(name, &options).expect("it is listed")
}

fn record(fen: &str) -> Record<Usual> {
    Record::new(Usual::from_fen(fen).expect("a good position"))
}

fn choice(agent: &mut dyn Agent<Usual>, fen: &str, limits: &Limits<Cell>) -> String {
    let record = record(fen);
    let m = agent.think(&record, limits, &Desk::default()).expect("it has a move");
    record.position().move_text(m)
}

fn depth(depth: u32) -> Limits<Cell> {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn every_listed_agent_exists_and_shows_its_parameters() {
    for (name, values, shown) in [
        ("random", &[][..], "Random"),
        ("greedy", &[], "Greedy"),
        ("plain", &[("TableBits", "24")], "Plain-original-D20-T24-80/25-8"),
        ("groups", &[("Precheck", "fixed"), ("MaxDepth", "5")], "Groups-fixed-D5-T12-80/25-8"),
        (
            "neighbours",
            &[("GameTime", "600000"), ("EarlyMoves", "30"), ("EarlyShare", "70"), ("LateShare", "5")],
            "Neighbours-original-D20-T12-600000ms-70/30-5",
        ),
    ] {
        assert_eq!(agent(name, values).name(), shown);
    }
    assert_eq!(Andantino::AGENTS.len(), 5);
    assert!(Usual::agent("nobody", &Options::default()).is_none());
}

#[test]
fn random_is_fixed_by_its_seed() {
    let game = |seed: &str, agent: &mut dyn Agent<Usual>| {
        let mut record = record(START);
        while record.position().outcome().is_none() {
            let m = agent.think(&record, &Limits::default(), &Desk::default()).expect("it has a move");
            assert!(record.try_play(m), "an illegal move with seed {seed}");
        }
        record.moves().to_vec()
    };
    let mut one = agent("random", &[("Seed", "1")]);
    let first = game("1", &mut *one);
    one.new_game();
    assert_eq!(game("1", &mut *one), first);
    assert_ne!(game("1", &mut *one), first, "without a new game the draws go on");
    assert_ne!(game("2", &mut *agent("random", &[("Seed", "2")])), first);
}

#[test]
fn random_draws_all_moves_alike() {
    let mut agent = agent("random", &[]);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..6_000 {
        *counts.entry(choice(&mut *agent, START, &Limits::default())).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6);
    assert!(counts.values().all(|n| (850..1_150).contains(n)), "{counts:?}");
}

/// Black to move wins on d5, White threatens to win on i6.
fn both_threaten() -> String {
    fen(4, "e5 f5 g5 h5", "e6 f6 g6 h6")
}

#[test]
fn only_the_original_check_blocks_before_it_wins() {
    for name in SEARCHERS {
        assert_eq!(choice(&mut *agent(name, &[]), &both_threaten(), &depth(1)), "i6", "{name}");
        let mut fixed = agent(name, &[("Precheck", "fixed")]);
        assert_eq!(choice(&mut *fixed, &both_threaten(), &depth(1)), "d5", "{name}");
    }
    assert_eq!(choice(&mut *agent("greedy", &[]), &both_threaten(), &Limits::default()), "d5");
}

/// White threatens to win on f4 and on f9: by rows f4 comes first, but by `x - y` it is f9.
#[test]
fn of_two_threats_the_first_on_the_board_is_blocked() {
    let threats = fen(4, "e5 g5 e8 h6", "f5 f6 f7 f8");
    for (name, values) in [("greedy", &[][..]), ("plain", &[]), ("plain", &[("Precheck", "fixed")])] {
        assert_eq!(choice(&mut *agent(name, values), &threats, &Limits::default()), "f9", "{name}");
    }
}

/// With nothing to win or block, each of Greedy's moves is judged by the stones' neighbours; White's first move is the
/// same everywhere, so that it takes the first in the order by `x - y`.
#[test]
fn greedy_keeps_its_stones_together() {
    let mut greedy = agent("greedy", &[]);
    assert_eq!(choice(&mut *greedy, START, &Limits::default()), "i10");
    // Black's two stones touch wherever the second goes.
    assert_eq!(choice(&mut *greedy, &fen(9, "j10", "i10"), &Limits::default()), "j11");
    // White has i10; h9 and j11 touch it, j9 does not. For both x - y is -1, so the upper one comes first.
    assert_eq!(choice(&mut *greedy, &fen(9, "j10 i9", "i10"), &Limits::default()), "h9");
}

#[test]
fn searchers_take_the_first_of_equal_moves() {
    for name in SEARCHERS {
        assert_eq!(choice(&mut *agent(name, &[]), START, &depth(1)), "i10", "{name}");
    }
}

#[test]
fn searches_are_the_same_each_time() {
    let fen = "10/11/12/13/14/15/16/8bb7/8bw1b6/8bbwwb6/8wbbw6/7www7/16/15/14/13/12/11/10 w";
    for name in SEARCHERS {
        let mut agent = agent(name, &[("TableBits", "16")]);
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let (first, second) = (Desk::default(), Desk::default());
        let record = record(fen);
        let m = agent.think(&record, &limits, &first);
        agent.new_game();
        assert_eq!(agent.think(&record, &limits, &second), m);
        let nodes = first.nodes.into_inner();
        assert!(nodes <= 5_000);
        assert_eq!(second.nodes.into_inner(), nodes);
    }
}

#[test]
fn a_search_cut_short_plays_the_best_of_the_last_whole_iteration() {
    let fen = "10/11/12/13/14/15/16/17/8wbb7/7bbbwb7/6wwwbw7/9w7/16/15/14/13/12/11/10 b";
    let record = record(fen);
    for name in SEARCHERS {
        let depth_two = Desk::default();
        let two = agent(name, &[]).think(&record, &depth(2), &depth_two);
        let nodes = depth_two.nodes.into_inner();
        for questions in [nodes + 1, nodes + 5] {
            let stopped = Desk::stopping_at(questions);
            assert_eq!(agent(name, &[]).think(&record, &Limits::default(), &stopped), two, "{name}");
            assert_eq!(stopped.depth.into_inner(), 2, "{name}");
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        assert_eq!(agent(name, &[]).think(&record, &limits, &Desk::default()), two, "{name}");
    }
}

#[test]
fn without_time_the_first_move_is_played() {
    for name in SEARCHERS {
        let m = agent(name, &[]).think(&record(START), &Limits::default(), &Desk::stopping_at(1));
        assert_eq!(m, Some(Cell { x: 8, y: 9 }), "{name}");
    }
}

/// The clock of [`Desk`] shows how often it was looked at, so how long the agent wanted to think.
#[test]
fn time_is_shared_out_as_described() {
    let think = |agent: &mut dyn Agent<Usual>, limits: &Limits<Cell>| {
        let desk = Desk::default();
        agent.think(&record(START), limits, &desk).expect("it has a move");
        desk.readings.into_inner()
    };
    let clock = |remaining| Limits {
        clock: Some(Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    };
    let mut plain = agent("plain", &[("EarlyMoves", "2")]);
    // 80 % of 500 ms for two moves, though less is left at the second one; then 8 % of what is left.
    assert_eq!(think(&mut *plain, &clock(500)), 200);
    assert_eq!(think(&mut *plain, &clock(400)), 200);
    assert_eq!(think(&mut *plain, &clock(1_000)), 80);
    plain.new_game();
    assert_eq!(think(&mut *plain, &clock(100)), 40);
    assert_eq!(
        think(&mut *plain, &Limits { movetime: Some(Duration::from_millis(30)), ..Limits::default() }),
        30
    );
    let mut told = agent("plain", &[("GameTime", "2000"), ("EarlyMoves", "10"), ("EarlyShare", "50")]);
    assert_eq!(think(&mut *told, &clock(400)), 100);
    // A blocked threat is no searched move.
    let mut blocking = agent("plain", &[("EarlyMoves", "1")]);
    choice(&mut *blocking, &both_threaten(), &clock(500));
    assert_eq!(think(&mut *blocking, &clock(100)), 80);
    assert_eq!(think(&mut *blocking, &clock(100)), 8);
}

#[test]
fn agents_keep_to_the_moves_they_are_given() {
    let only = Cell { x: 10, y: 9 };
    let limits = Limits { searchmoves: vec![only], depth: Some(2), ..Limits::default() };
    for spec in Andantino::AGENTS {
        assert_eq!(choice(&mut *agent(spec.name, &[]), START, &limits), "k10", "{}", spec.name);
    }
}
