//! The sparring partners against values worked out by hand or by an independent implementation.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use colosseum::{Colosseum, Position};
use common::rows;
use game::{
    Agent, Control, Family, Game, Limits, Notation, Options, Playable, Record, Report, Score, Visitor,
};

type Small = Position<u64>;

/// Stops at the given question, lets a millisecond pass with each look at the clock, and keeps what was last reported.
struct Quiet {
    last_question: u64,
    questions: AtomicU64,
    looks: AtomicU64,
    nodes: AtomicU64,
    value: AtomicU64,
}

impl Quiet {
    fn stopping_at(question: u64) -> Quiet {
        let zero = || AtomicU64::new(0);
        Quiet { last_question: question, questions: zero(), looks: zero(), nodes: zero(), value: zero() }
    }

    fn patient() -> Quiet {
        Quiet::stopping_at(u64::MAX)
    }

    /// How often it was asked whether to stop: agents do so at every node.
    fn questions(&self) -> u64 {
        self.questions.load(Ordering::Relaxed)
    }

    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    fn value(&self) -> i32 {
        self.value.load(Ordering::Relaxed) as i32
    }
}

impl<M> Control<M> for Quiet {
    fn stopped(&self) -> bool {
        self.questions.fetch_add(1, Ordering::Relaxed) + 1 >= self.last_question
    }
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.looks.fetch_add(1, Ordering::Relaxed))
    }
    fn report(&self, report: &Report<'_, M>) -> ControlFlow<()> {
        self.nodes.store(report.nodes, Ordering::Relaxed);
        let Score::Cp(value) = report.score else { panic!("the agents prove nothing") };
        self.value.store(value as u64, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

/// An agent with options given as `name value` pairs; so much time that a test never needs it.
fn agent<G: Playable>(name: &str, options: &str) -> Box<dyn Agent<G>> {
    let spec = Colosseum::AGENTS.iter().find(|spec| spec.name == name).expect("there is such an agent");
    let mut chosen = Options::defaults(spec.options);
    let words: Vec<&str> = options.split_whitespace().collect();
    for pair in words.chunks(2) {
        chosen.set(pair[0], pair[1]).expect("an option and a good value");
    }
    G::agent(name, &chosen).expect("it is listed")
}

fn record(fen: &str) -> Record<Small> {
    Record::new(Position::from_fen(fen).expect("a good position"))
}

/// What an agent plays within limits.
fn choose<G: Playable>(agent: &mut dyn Agent<G>, record: &Record<G>, limits: &Limits<G::Move>) -> String {
    let m = agent.think(record, limits, &Quiet::patient()).expect("it has a move");
    record.position().move_text(m)
}

fn choice(name: &str, options: &str, fen: &str) -> String {
    choose(&mut *agent::<Small>(name, options), &record(fen), &Limits::default())
}

fn nodes(nodes: u64) -> Limits<colosseum::Move> {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

#[test]
fn every_listed_agent_exists_under_its_name() {
    for (name, options, shown) in [
        ("random-walk", "Seed 3", "RandomWalk"),
        ("random", "", "Random"),
        ("greedy", "", "Greedy-L1950"),
        ("greedy", "AsCoded true Limit 100", "Greedy-as-coded-L100"),
        ("flat-mc", "", "FlatMC-L1970"),
        ("flat-mc", "MaxPlayouts 830 SinglePass true", "FlatMC-L1970-P830-single-pass"),
        ("idh", "", "IDH-L1920"),
        ("idh", "Depth 3 Ordering false Limit 1990 Nodes 7900", "IDH-D3-unordered-L1990-N7900"),
        ("mirror", "", "Mirror"),
    ] {
        assert_eq!(agent::<Small>(name, options).name(), shown);
    }
    assert_eq!(Colosseum::AGENTS.len(), 6);
    assert!(Small::agent("nobody", &Options::default()).is_none());
}

#[test]
fn agents_choose_as_their_descriptions_say() {
    struct Choose<'a> {
        name: &'a str,
        options: &'a str,
    }
    impl Visitor for Choose<'_> {
        type Output = (String, i32);
        fn visit<G: Playable>(self, position: G) -> (String, i32) {
            let mut agent = agent::<G>(self.name, &format!("{} Limit 86400000", self.options));
            let control = Quiet::patient();
            let m = agent.think(&Record::new(position.clone()), &Limits::default(), &control);
            (position.move_text(m.expect("it has a move")), control.value())
        }
    }
    let rows = rows("choices.txt");
    assert!(rows.len() > 300);
    for row in rows {
        let [fen, name, options, expected] = &row[..] else { panic!("four columns in {row:?}") };
        let (m, value) = Colosseum::load(fen, Choose { name, options }).expect("the position loads");
        let chosen = match expected.split_once(' ') {
            None => m,
            Some((_, value_expected)) => {
                let expected: i32 = value_expected.parse().expect("a number");
                assert_eq!(
                    value,
                    (100 * expected).clamp(-20_000, 20_000),
                    "value of {fen} to {name} {options}"
                );
                format!("{m} {value_expected}")
            }
        };
        assert_eq!(&chosen, expected, "{name} {options} in {fen}");
    }
}

#[test]
fn the_greedy_agent_prefers_classes_in_order() {
    for (options, fen, expected) in [
        // All moves are safe on an open board: the first is to stay and close the side above, or to the right.
        ("", "5/5/5/5/5 c3 a1 a", "c3u"),
        ("AsCoded true", "5/5/5/5/5 a1 e5 a", "a1r"),
        // The last gap in a wall wins, though it is far away.
        ("", "4/4/ddd1/4 c3 a4 a 9", "d3d"),
        // One move only, and it loses.
        ("", "rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a2 a", "a1d"),
    ] {
        assert_eq!(choice("greedy", options, fen), expected, "{options} in {fen}");
    }
}

#[test]
fn random_walks_follow_the_simulator() {
    // A is in a corridor a1-b1-c1 of three cells whose only exit is d1, where B stands; K = 2. Free sides: a1 right; b1
    // left and right; c1 left and right. Walks of length 0 stay at b1, of length 1 go to a1 or c1, of length 2 come back.
    let fen = "ddd1/4/4/4 b1 d1 a";
    let record = record(fen);
    let mut counts = BTreeMap::new();
    let mut agent = agent::<Small>("random-walk", "Seed 7");
    let draws = 12_000_i32;
    for _ in 0..draws {
        *counts.entry(choose(&mut *agent, &record, &Limits::default())).or_insert(0) += 1;
    }
    let expected = [
        ("a1r", draws / 6),
        ("b1l", draws / 3),
        ("b1r", draws / 3),
        ("c1l", draws / 12),
        ("c1r", draws / 12),
    ];
    assert_eq!(counts.len(), expected.len());
    for (text, expected) in expected {
        let count = counts[text];
        assert!(
            (count - expected).abs() < expected / 8,
            "{text} drawn {count} times, expected about {expected}"
        );
    }
    // No room to walk at all.
    assert_eq!(choice("random-walk", "", "rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a2 a"), "a1d");
}

#[test]
fn the_uniform_agent_draws_every_legal_move_alike() {
    let record = record("ddd1/4/4/4 b1 d1 a");
    let mut counts = BTreeMap::new();
    let mut agent = agent::<Small>("random", "Seed 7");
    for _ in 0..10_000 {
        *counts.entry(choose(&mut *agent, &record, &Limits::default())).or_insert(0_i32) += 1;
    }
    assert_eq!(counts.len(), 5);
    assert!(counts.values().all(|&count| (count - 2_000).abs() < 250), "{counts:?}");
}

#[test]
fn draws_repeat_themselves_for_the_same_seed_only() {
    let record = record("6/d2d2/4r1/r1d2d/6/6 c2 d5 a");
    for name in ["random-walk", "random", "flat-mc"] {
        let play = |seed: &str, again: bool| {
            let mut agent = agent::<Small>(name, &format!("Seed {seed}"));
            let mut list: Vec<_> = (0..8).map(|_| choose(&mut *agent, &record, &nodes(3_000))).collect();
            if again {
                agent.new_game();
                list = (0..8).map(|_| choose(&mut *agent, &record, &nodes(3_000))).collect();
            }
            list
        };
        assert_eq!(play("1", false), play("1", true), "{name}");
        assert_eq!(play("0", false), play("0", false), "{name}");
        assert_ne!(play("0", false), play("1", false), "{name}");
    }
}

#[test]
fn flat_monte_carlo_adds_up_what_is_certain() {
    // c1d and d1l, say, lose at once; closing the last gap wins at once, and all other totals are far below.
    assert_eq!(choice("flat-mc", "SinglePass true", "4/4/ddd1/4 c3 a4 a 9"), "d3d");
    // A can only lose, with whatever total.
    assert_eq!(choice("flat-mc", "", "rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a2 a"), "a1d");
    // With a single playout only the first move has been visited, and a game that goes well can't make it lose.
    assert_eq!(choice("flat-mc", "MaxPlayouts 1", "5/5/5/5/5 c3 a1 a"), "c3u");
}

/// What two agents play, each given by its name and its options, and the number of legal moves.
struct Both([(&'static str, &'static str); 2]);

impl Visitor for Both {
    type Output = ([String; 2], u64);

    fn visit<G: Playable>(self, position: G) -> ([String; 2], u64) {
        let record = Record::new(position);
        let chosen = self
            .0
            .map(|(name, options)| choose(&mut *agent::<G>(name, options), &record, &Limits::default()));
        (chosen, record.position().count_moves())
    }
}

#[test]
fn flat_monte_carlo_leaves_wide_boards_to_the_greedy_agent() {
    let open = |size: usize| format!("{} e5 a1 a", vec![size.to_string(); size].join("/"));
    for (size, most) in [(9, 120), (10, 100), (11, 90), (12, 80)] {
        // After a single game it would play the first move it has tried.
        let both = Both([("flat-mc", "MaxPlayouts 1"), ("greedy", "")]);
        let ([flat, greedy], moves) = Colosseum::load(&open(size), both).expect("a good position");
        assert!(moves > most);
        assert_eq!(flat, greedy, "size {size}");
    }
    // On larger boards it matters whether one pass was finished in its own time.
    for limit in ["Limit 1", "Limit 2", "Limit 7", "Limit 8", "Limit 30", "Limit 31"] {
        let both = Both([("flat-mc", limit), ("greedy", "")]);
        let ([hurried, greedy], _) = Colosseum::load(&open(13), both).expect("a good position");
        assert_eq!(hurried, greedy, "{limit}");
    }
}

#[test]
fn idh_counts_its_nodes_and_keeps_to_them() {
    let fen = "3/3/3 a1 c3 a";
    // The root, and each of its 16 moves.
    let control = Quiet::patient();
    let record = record(fen);
    agent::<Small>("idh", "Depth 1").think(&record, &Limits::default(), &control);
    assert_eq!(control.nodes(), 1 + 16);
    // The candidate before any finished iteration is random; with one more node the first iteration is finished.
    let chosen =
        |limits: &Limits<_>, options: &str| choose(&mut *agent::<Small>("idh", options), &record, limits);
    let first = chosen(&Limits::default(), "Depth 1");
    assert_eq!(chosen(&nodes(17), ""), first);
    assert_eq!(chosen(&Limits::default(), "Nodes 17"), first);
    let early: BTreeSet<String> = (0..50).map(|seed| chosen(&nodes(16), &format!("Seed {seed}"))).collect();
    assert!(early.len() > 5, "{early:?}");
    // A limit on depth is one more.
    let depth = Limits { depth: Some(1), ..Limits::default() };
    assert_eq!(chosen(&depth, "Depth 5"), first);
}

#[test]
fn idh_takes_wins_and_the_smallest_certain_loss() {
    // It wins by as many cells as it can: by 15 to 1, not by 12 to 4 with d3d.
    assert_eq!(choice("idh", "Depth 1", "4/4/ddd1/4 c3 a4 a 9"), "b4l");
    assert_eq!(choice("idh", "", "rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a2 a"), "a1d");
}

#[test]
fn mirror_copies_the_last_move_unless_it_can_win_or_would_lose() {
    let play = |fen: &str, m: &str| {
        let mut record = record(fen);
        assert!(record.try_play(record.position().parse_move(m).expect("a legal move")));
        choose(&mut *agent::<Small>("mirror", ""), &record, &Limits::default())
    };
    for (m, image) in [("c2d", "d5u"), ("a2u", "f5d"), ("c3l", "d4r")] {
        assert_eq!(play("6/6/6/6/6/6 c2 d5 a", m), image);
    }
    // Beside the image, d4l, there is a move that shuts A in with two cells.
    assert_eq!(play("4/ddd1/4/4 a1 d4 a 9", "a1r"), "b2l");
    // The image, d4u, would shut B in; and d4l is no free side.
    for (m, image) in [("a1d", "d4u"), ("a1r", "d4l")] {
        assert_ne!(play("4/4/4/2r1 a1 d4 a", m), image);
    }
}

#[test]
fn mirror_without_a_move_to_copy_looks_two_plies_ahead() {
    assert_eq!(choice("mirror", "", "4/4/ddd1/4 c3 a4 a 9"), "d3d");
    assert_eq!(choice("mirror", "", "rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a2 a"), "a1d");
    // Whatever it plays, no reply wins for A.
    let fen = "6/d2d2/4r1/r1d2d/6/6 c2 d5 a";
    let position = Small::from_fen(fen).expect("a good position");
    let next = position.play(position.parse_move(&choice("mirror", "", fen)).expect("a legal move"));
    for m in next.legal_moves() {
        assert_ne!(next.play(m).outcome().and_then(|o| o.winner), Some(next.side_to_move()));
    }
}

#[test]
fn agents_keep_to_the_moves_they_are_given() {
    let record = record("6/d2d2/4r1/r1d2d/6/6 c2 d5 a");
    let only = record.position().parse_move("b1u").or_else(|_| record.position().parse_move("b2l"));
    let limits =
        Limits { searchmoves: vec![only.expect("a legal move")], nodes: Some(2_000), ..Limits::default() };
    for spec in Colosseum::AGENTS {
        let chosen = agent::<Small>(spec.name, "").think(&record, &limits, &Quiet::patient());
        assert_eq!(chosen, Some(limits.searchmoves[0]), "{}", spec.name);
    }
}

/// Every agent answers with a legal move whenever it is stopped, and asks at every node.
#[test]
fn agents_have_a_move_whenever_they_are_stopped() {
    let record = record("6/d2d2/4r1/r1d2d/6/6 c2 d5 a");
    for spec in Colosseum::AGENTS {
        for question in [1, 2, 3, 10, 61, 62, 100, 1_000, 20_000] {
            let control = Quiet::stopping_at(question);
            let chosen = agent::<Small>(spec.name, "").think(&record, &Limits::default(), &control);
            assert!(chosen.is_some_and(|m| record.position().is_legal(m)), "{} at {question}", spec.name);
            assert!(control.questions() <= question, "{} went on after question {question}", spec.name);
        }
        for count in [1, 2, 3, 61, 62, 63, 5_000] {
            let control = Quiet::patient();
            let chosen = agent::<Small>(spec.name, "").think(&record, &nodes(count), &control);
            assert!(chosen.is_some_and(|m| record.position().is_legal(m)), "{} at {count}", spec.name);
            assert!(control.questions() <= count, "{} spent more than {count} nodes", spec.name);
        }
    }
}

#[test]
fn agents_stop_when_their_own_time_is_up() {
    let record = record("8/8/8/8/8/8/8/8 c2 d5 a");
    for name in ["greedy", "flat-mc", "idh"] {
        let control = Quiet::patient();
        let chosen = agent::<Small>(name, "Limit 5").think(&record, &Limits::default(), &control);
        assert!(chosen.is_some(), "{name}");
        // One look at the clock takes a millisecond here, and there are some dozen nodes between two.
        assert!(control.questions() < 200, "{name} has spent {} nodes", control.questions());
    }
}
