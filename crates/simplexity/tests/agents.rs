//! The sample agents against values worked out by hand or by the oracle.

mod common;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::rows;
use game::{Agent, Control, Family, Limits, Notation, Options, Playable, Record, Report};
use simplexity::{Move, Position, Shape, Simplexity};

type Standard = Position<u64>;

const START: &str = "7/7/7/7/7/7 w 10,11,10,11 4";

/// Stops at the given question, and keeps the nodes last reported.
struct Quiet {
    questions_left: AtomicU64,
    nodes: AtomicU64,
}

impl Quiet {
    fn stopping_at(question: u64) -> Quiet {
        Quiet { questions_left: AtomicU64::new(question), nodes: AtomicU64::new(0) }
    }

    fn patient() -> Quiet {
        Quiet::stopping_at(u64::MAX)
    }
}

impl<M> Control<M> for Quiet {
    fn stopped(&self) -> bool {
        self.questions_left.fetch_sub(1, Ordering::Relaxed) <= 1
    }
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
    fn report(&self, report: &Report<'_, M>) -> ControlFlow<()> {
        self.nodes.store(report.nodes, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

fn agent<G: Playable>(name: &str, option: Option<(&str, &str)>) -> Box<dyn Agent<G>> {
    let spec = Simplexity::AGENTS.iter().find(|spec| spec.name == name).expect("there is such an agent");
    let mut options = Options::defaults(spec.options);
    if let Some((name, value)) = option {
        let spec = spec.options.iter().find(|o| o.name == name).expect("there is such an option");
        options.set(spec, value).expect("a good value");
    }
    G::agent(name, &options).expect("it is listed")
}

fn record<G: Playable>(fen: &str) -> Record<G> {
    Record::new(G::from_fen(fen).expect("a good position"))
}

fn choice<G: Playable>(agent: &mut dyn Agent<G>, record: &Record<G>) -> String {
    let m = agent.think(record, &Limits::default(), &Quiet::patient()).expect("it has a move");
    record.position().move_text(m)
}

#[test]
fn every_listed_agent_exists_under_its_name() {
    for (name, shown) in [("sequential", "Sequential"), ("random", "Random"), ("minimax", "MinimaxD3")] {
        assert_eq!(agent::<Standard>(name, None).name(), shown);
    }
    assert_eq!(Simplexity::AGENTS.len(), 3);
    assert_eq!(agent::<Standard>("minimax", Some(("Depth", "2"))).name(), "MinimaxD2");
    assert!(Standard::agent("nobody", &Options::default()).is_none());
}

#[test]
fn sequential_counts_columns_and_skips_full_ones() {
    let mut agent = agent::<Standard>("sequential", None);
    // Column 2 is full and column 3 nearly so; White has no round piece left.
    let mut record = record::<Standard>("1R2/1Ww1/1rr1/1wWR w 0,6,0,6 4");
    let mut played = Vec::new();
    for reply in ["1s", "1s", "4s"] {
        played.push(choice(&mut *agent, &record));
        for text in [played[played.len() - 1].as_str(), reply] {
            let m = record.position().parse_move(text).expect("legal");
            assert!(record.try_play(m));
        }
    }
    assert_eq!(played, ["1s", "3s", "4s"]);
    // After column 4 comes 1, whatever the opponent played.
    assert_eq!(choice(&mut *agent, &record), "1s");
    agent.new_game();
    assert_eq!(choice(&mut *agent, &self::record(START)), "1o");
    let red = self::record("7/7/7/7/7/w6 r 9,11,10,11 4");
    assert_eq!(choice(&mut *agent, &red), "2s");
}

#[test]
fn random_draws_shapes_by_stock_and_columns_evenly() {
    // White has 3 rounds and 1 square left; column 4 is full.
    let record = record::<Standard>("3r3/3w3/3r3/3W3/3R3/3w3 w 3,1,3,1 7");
    let mut counts = HashMap::new();
    let mut agent = agent::<Standard>("random", Some(("Seed", "7")));
    let draws = 12_000_i32;
    for _ in 0..draws {
        *counts.entry(choice(&mut *agent, &record)).or_insert(0_i32) += 1;
    }
    assert_eq!(counts.len(), 12);
    for (text, count) in counts {
        let expected = if text.ends_with('o') { draws / 8 } else { draws / 24 };
        assert!(
            (count - expected).abs() < expected / 5,
            "{text} drawn {count} times, expected about {expected}"
        );
    }
}

#[test]
fn random_repeats_itself_for_the_same_seed_only() {
    let play = |seed: &str, again: bool| {
        let mut agent = agent::<Standard>("random", Some(("Seed", seed)));
        let record = record::<Standard>(START);
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

#[test]
fn minimax_plays_the_last_of_equal_moves() {
    // Only squares are left: white squares are worth nothing anywhere, so all moves are equal at depth 1.
    let record = record::<Standard>("7/7/7/7/7/7 w 0,21,0,21 4");
    assert_eq!(choice(&mut *agent("minimax", Some(("Depth", "1"))), &record), "7s");
    // One round piece nearest to the centre, (3, 3) in rows and columns from 0: column 4.
    let start = self::record::<Standard>(START);
    assert_eq!(choice(&mut *agent("minimax", Some(("Depth", "1"))), &start), "4o");
}

#[test]
fn minimax_moves_even_when_every_move_loses() {
    // Red completes four squares in column 2 or in column 6: one more than White can stop.
    let lost = record::<Standard>("7/7/7/7/w6/w1RRR1w w 7,11,10,8 4");
    assert_eq!(choice(&mut *agent("minimax", Some(("Depth", "2"))), &lost), "7s");
}

#[test]
fn minimax_chooses_as_the_oracle_does() {
    struct Choose<'a>(&'a str);
    impl game::Visitor for Choose<'_> {
        type Output = String;
        fn visit<G: Playable>(self, position: G) -> String {
            choice(&mut *agent("minimax", Some(("Depth", self.0))), &Record::new(position))
        }
    }
    let rows = rows("minimax.txt");
    assert!(rows.len() > 50);
    for row in rows {
        let [fen, depth, expected, _] = &row[..] else { panic!("four columns in {row:?}") };
        let chosen = Simplexity::load(fen, Choose(depth)).expect("the position loads");
        assert_eq!(&chosen, expected, "at depth {depth} in {fen}");
    }
}

#[test]
fn minimax_counts_every_node_of_its_tree() {
    let mut agent = agent::<Standard>("minimax", None);
    let control = Quiet::patient();
    agent.think(&record(START), &Limits::default(), &control).expect("it has a move");
    assert_eq!(control.nodes.load(Ordering::Relaxed), 1 + 14 + 196 + 2744);
}

#[test]
fn minimax_has_no_move_when_stopped_or_out_of_nodes() {
    let tree = 1 + 14 + 196 + 2744;
    let mut agent = agent::<Standard>("minimax", None);
    let record = record::<Standard>(START);
    let mut think = |nodes: u64, question: u64| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        agent.think(&record, &limits, &Quiet::stopping_at(question))
    };
    assert!(think(tree, u64::MAX).is_some());
    assert!(think(tree - 1, u64::MAX).is_none());
    assert!(think(tree, 1).is_none());
    assert!(think(tree, tree).is_none(), "it asks at every node");
    let shallow = Limits { depth: Some(1), nodes: Some(15), ..Limits::default() };
    assert!(agent.think(&record, &shallow, &Quiet::patient()).is_some());
}

#[test]
fn agents_keep_to_the_moves_they_are_given() {
    let only = Move { column: 1, shape: Shape::Square };
    let limits = Limits { searchmoves: vec![only], ..Limits::default() };
    for spec in Simplexity::AGENTS {
        let chosen = agent::<Standard>(spec.name, None).think(&record(START), &limits, &Quiet::patient());
        assert_eq!(chosen, Some(only), "{}", spec.name);
    }
}
