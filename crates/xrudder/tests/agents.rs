//! The sparring agents against values worked out by hand or by plain minimax.

mod common;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::rows;
use game::{Agent, Control, Family, Game, Limits, Notation, Options, Playable, Record, Report, Visitor};
use xrudder::{Move, Position, XRudder};

type Standard = Position<u128>;

const START: &str = "12/12/12/12/12/12/12/12/12/12 x 15 15 30";

/// Stops at the given question, lets that much time pass at each look at the clock, and keeps the nodes last reported.
struct Quiet {
    questions_left: AtomicU64,
    looks: AtomicU64,
    tick: Duration,
    nodes: AtomicU64,
}

impl Quiet {
    fn new(question: u64, tick: Duration) -> Quiet {
        Quiet {
            questions_left: AtomicU64::new(question),
            looks: AtomicU64::new(0),
            tick,
            nodes: AtomicU64::new(0),
        }
    }

    fn stopping_at(question: u64) -> Quiet {
        Quiet::new(question, Duration::ZERO)
    }

    fn patient() -> Quiet {
        Quiet::stopping_at(u64::MAX)
    }

    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

impl<M> Control<M> for Quiet {
    fn stopped(&self) -> bool {
        self.questions_left.fetch_sub(1, Ordering::Relaxed) <= 1
    }
    fn elapsed(&self) -> Duration {
        self.tick * self.looks.fetch_add(1, Ordering::Relaxed) as u32
    }
    fn report(&self, report: &Report<'_, M>) -> ControlFlow<()> {
        self.nodes.store(report.nodes, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

fn agent<G: Playable>(name: &str, values: &[(&str, &str)]) -> Box<dyn Agent<G>> {
    let spec = XRudder::AGENTS.iter().find(|spec| spec.name == name).expect("there is such an agent");
    let mut options = Options::defaults(spec.options);
    for &(name, value) in values {
        options.set(name, value).expect("an option and a good value");
    }
    G::agent(name, &options).expect("it is listed")
}

/// A game from `fen` in which `moves` were played.
fn record<G: Playable>(fen: &str, moves: &str) -> Record<G> {
    let mut record = Record::new(G::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")));
    for text in moves.split_whitespace() {
        let m = record.position().parse_move(text).expect("a legal move");
        assert!(record.try_play(m));
    }
    record
}

fn choice<G: Playable>(agent: &mut dyn Agent<G>, record: &Record<G>) -> String {
    let m = agent.think(record, &Limits::default(), &Quiet::patient()).expect("it has a move");
    record.position().move_text(m)
}

/// What an agent with its default options answers.
fn answer(name: &str, fen: &str, moves: &str) -> String {
    choice(&mut *agent::<Standard>(name, &[]), &record(fen, moves))
}

#[test]
fn every_listed_agent_exists_under_its_name() {
    let shown = [
        ("random", "Random"),
        ("greedy", "Greedy"),
        ("factorial", "FactorialD2"),
        ("factorial-published", "FactorialPublished"),
        ("depth4", "FactorialD4L5000"),
        ("pyramid", "PyramidD3"),
    ];
    for (name, shown) in shown {
        assert_eq!(agent::<Standard>(name, &[]).name(), shown);
    }
    assert_eq!(XRudder::AGENTS.len(), shown.len());
    assert_eq!(agent::<Standard>("depth4", &[("Depth", "3"), ("Limit", "200")]).name(), "FactorialD3L200");
    assert!(Standard::agent("nobody", &Options::default()).is_none());
}

#[test]
fn all_choose_as_plain_minimax_does() {
    struct Choose<'a> {
        name: &'a str,
        depth: &'a str,
        moves: &'a str,
    }
    impl Visitor for Choose<'_> {
        type Output = String;
        fn visit<G: Playable>(self, position: G) -> String {
            let has_depth = ["factorial", "depth4", "pyramid"].contains(&self.name);
            let values = [("Depth", self.depth)];
            let mut agent = agent::<G>(self.name, if has_depth { &values } else { &[] });
            choice(&mut *agent, &record(&position.fen(), self.moves))
        }
    }
    let rows = rows("choices.txt");
    assert!(rows.len() > 100);
    for row in rows {
        let [name, depth, start, moves, expected, _] = &row[..] else { panic!("six columns in {row:?}") };
        let chosen = XRudder::load(start, Choose { name, depth, moves }).expect("the position loads");
        assert_eq!(&chosen, expected, "{name} at depth {depth} after {moves} from {start}");
    }
}

#[test]
fn random_draws_evenly_and_repeats_itself_for_the_same_seed_only() {
    let record = record::<Standard>("3/1x1/3 x 1 1 1", "");
    let mut counts = HashMap::new();
    let mut agent = agent::<Standard>("random", &[("Seed", "7")]);
    let draws = 8_000;
    for _ in 0..draws {
        *counts.entry(choice(&mut *agent, &record)).or_insert(0_i32) += 1;
    }
    assert_eq!(counts.len(), 16);
    for (text, count) in counts {
        let expected = draws / 16;
        assert!(
            (count - expected).abs() < expected / 4,
            "{text} drawn {count} times, expected about {expected}"
        );
    }
    let play = |seed: &str, again: bool| {
        let mut agent = self::agent::<Standard>("random", &[("Seed", seed)]);
        let record = self::record::<Standard>(START, "");
        let mut list: Vec<String> = (0..20).map(|_| choice(&mut *agent, &record)).collect();
        if again {
            agent.new_game();
            list = (0..20).map(|_| choice(&mut *agent, &record)).collect();
        }
        list
    };
    assert_eq!(play("1", false), play("1", true));
    assert_eq!(play("0", false), play("0", false));
    assert_ne!(play("0", false), play("1", false));
}

/// A first token is worth 1 for each X it can be part of: five anywhere but near the edge. From a1 on, b2 is in two (it
/// and c3), c2 in three, b3 and c3 in more; c3 is the first with five.
#[test]
fn the_first_token_goes_to_the_first_cell_with_five_xs() {
    assert_eq!(answer("greedy", START, ""), "c3");
    // In the ring around e5, d4 comes first, and joins e5's X, two of which they share.
    assert_eq!(answer("greedy", START, "e5"), "d4");
}

#[test]
fn a_win_in_one_is_taken() {
    // x completes the X centred b2 by b2, or by moving c3's neighbour to the missing arm.
    for name in ["greedy", "factorial", "factorial-published", "depth4", "pyramid"] {
        assert_eq!(answer(name, "5/x1x2/5/x1x2/5 x 3 3 0", ""), "b3", "{name}");
    }
    assert_eq!(answer("factorial", "5/x1x2/1x3/x4/2x2 x 0 3 4", ""), "c1c2");
}

#[test]
fn a_threat_is_answered() {
    // o occupies the missing arm c3; with b2 half crossed by a2, c2 would do as well but comes later around b3.
    assert_eq!(answer("factorial", "7/7/x6/1x5/x1x4 x 3 3 0", "g5"), "c3");
    assert_eq!(answer("factorial", "7/7/x6/1x5/x1x4 o 3 3 0", ""), "c3");
}

#[test]
fn the_report_knows_that_uncrossing_loses_and_the_program_does_not() {
    // o must move a token and has two: the crossing one on b3 and one on a1. The last action was far from both.
    let fen = "5/1x1x1/1oxo1/1x1x1/o4 o 5 0 3";
    assert_ne!(&answer("factorial", fen, "")[..2], "b3");
    // Infinity minus infinity is no number, so no reply is better than that: the program takes it for a win.
    assert_eq!(&answer("factorial-published", fen, "")[..2], "b3");
}

#[test]
fn a_forced_pass_is_played() {
    for spec in XRudder::AGENTS {
        assert_eq!(answer(spec.name, "3/1x1/3 x 0 1 0", ""), "pass", "{}", spec.name);
    }
}

/// Six empty cells lie diagonally next to a token, and the token on c4 has seven moves, which count once few are in hand.
#[test]
fn pyramid_looks_at_few_actions() {
    let looked_at = |hand: u32| {
        let control = Quiet::patient();
        let record = record::<Standard>(&format!("6/6/2x3/3o2/6/6 x {hand} 9 9"), "");
        let mut agent = agent::<Standard>("pyramid", &[("Depth", "1")]);
        agent.think(&record, &Limits::default(), &control).expect("it has a move");
        control.nodes()
    };
    assert_eq!(looked_at(9), 6);
    assert_eq!(looked_at(8), 13);
}

#[test]
fn a_stopped_agent_plays_the_best_it_has_searched() {
    let record = record::<Standard>("5/1x1x1/5/1x1x1/5 x 3 3 2", "");
    let total = {
        let control = Quiet::patient();
        let m =
            agent::<Standard>("depth4", &[]).think(&record, &Limits::default(), &control).expect("a move");
        assert_eq!(record.position().move_text(m), "c3");
        control.nodes()
    };
    // In the ring order around a1, c3 is far from the first; before it is reached, a1 is the best there is or nothing.
    let first = agent::<Standard>("depth4", &[]).think(&record, &Limits::default(), &Quiet::stopping_at(1));
    assert_eq!(first.map(|m| record.position().move_text(m)), Some("a1".into()));
    for name in ["greedy", "factorial", "factorial-published", "depth4", "pyramid"] {
        for nodes in [1, 2, 10, 100, 1_000, total] {
            let think = |limits: &Limits<Move>, control: &Quiet| {
                agent::<Standard>(name, &[]).think(&record, limits, control).expect("it has a move")
            };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (control, again) = (Quiet::patient(), Quiet::patient());
            let chosen = think(&limits, &control);
            assert!(record.position().is_legal(chosen), "{name} with {nodes} nodes");
            assert_eq!(chosen, think(&limits, &again), "{name} with {nodes} nodes");
            assert!(control.nodes() <= nodes && control.nodes() == again.nodes(), "{name}");
            let stopped = think(&Limits::default(), &Quiet::stopping_at(nodes));
            assert!(record.position().is_legal(stopped), "{name} stopped at question {nodes}");
        }
    }
}

#[test]
fn depth4_keeps_its_own_time() {
    let record = record::<Standard>(START, "");
    let nodes = |limit: &str| {
        // A second passes from each look at the clock to the next.
        let control = Quiet::new(u64::MAX, Duration::from_secs(1));
        let mut agent = agent::<Standard>("depth4", &[("Depth", "3"), ("Limit", limit)]);
        assert!(agent.think(&record, &Limits::default(), &control).is_some());
        control.nodes()
    };
    assert_eq!(nodes("1"), 64, "it looks every 64 nodes");
    assert_eq!(nodes("10000"), 640);
}

#[test]
fn depth_limits_are_kept() {
    let record = record::<Standard>(START, "e5");
    for name in ["factorial", "factorial-published", "depth4", "pyramid"] {
        let control = Quiet::patient();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        agent::<Standard>(name, &[]).think(&record, &limits, &control).expect("it has a move");
        assert!(control.nodes() <= 119, "{name} looks at {} nodes", control.nodes());
    }
}

#[test]
fn agents_keep_to_the_moves_they_are_given() {
    let record = record::<Standard>(START, "e5 f7");
    for text in ["a10", "e5f5"] {
        let only = record.position().parse_move(text).expect("a legal move");
        let limits = Limits { searchmoves: vec![only], ..Limits::default() };
        for spec in XRudder::AGENTS {
            let chosen = agent::<Standard>(spec.name, &[]).think(&record, &limits, &Quiet::patient());
            assert_eq!(chosen, Some(only), "{}", spec.name);
        }
    }
}
