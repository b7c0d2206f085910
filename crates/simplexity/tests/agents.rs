//! The sample agents against values worked out by hand or by the oracle.

mod common;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::rows;
use game::{Agent, Control, Family, Limits, Notation, Options, Playable, Record, Report, Score, Visitor};
use simplexity::{Move, Position, Shape, Simplexity};

type Standard = Position<u64>;

const START: &str = "7/7/7/7/7/7 w 10,11,10,11 4";

/// Stops at the given question, and keeps the nodes and the score last reported.
struct Quiet {
    questions_left: AtomicU64,
    nodes: AtomicU64,
    score: Mutex<Option<Score>>,
}

impl Quiet {
    fn stopping_at(question: u64) -> Quiet {
        Quiet { questions_left: AtomicU64::new(question), nodes: AtomicU64::new(0), score: Mutex::default() }
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
        *self.score.lock().expect("no other thread") = Some(report.score);
        ControlFlow::Continue(())
    }
}

fn agent<'a, G: Playable>(
    name: &str,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Box<dyn Agent<G>> {
    G::agent(name, &options(name, settings)).expect("it is listed")
}

fn options<'a>(agent: &str, settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> Options {
    let spec = Simplexity::AGENTS.iter().find(|spec| spec.name == agent).expect("there is such an agent");
    let mut options = Options::defaults(spec.options);
    for (name, value) in settings {
        options.set(name, value).expect("an option and a good value");
    }
    options
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
    let shown = [
        ("sequential", "Sequential"),
        ("random", "Random"),
        ("minimax", "MinimaxD3"),
        ("simpai", "DIABISMAID1-repaired"),
        ("simpai-like", "SimpAI-likeD100"),
        ("oizys", "OizysD3"),
        ("oizys-v2", "OizysV2D3"),
        ("oizys-v3", "OizysV3D3"),
        ("oizys-v4", "OizysV4D3"),
        ("oizys-v5", "OizysV5D2"),
        ("ids", "IDSD100H1"),
        ("bee", "Bee"),
        ("uct", "UCT-K1.41"),
    ];
    assert_eq!(
        Simplexity::AGENTS.iter().map(|spec| spec.name).collect::<Vec<_>>(),
        shown.map(|(name, _)| name)
    );
    for (name, shown) in shown {
        assert_eq!(agent::<Standard>(name, None).name(), shown);
    }
    assert_eq!(agent::<Standard>("minimax", Some(("Depth", "2"))).name(), "MinimaxD2");
    assert_eq!(agent::<Standard>("simpai", Some(("Faithful", "true"))).name(), "DIABISMAID1");
    let mut ids = agent::<Standard>("ids", Some(("Heuristic", "3")));
    assert_eq!(ids.name(), "IDSD100H3");
    ids.configure(&options("ids", [("Depth", "5")])).expect("good options");
    assert_eq!(ids.name(), "IDSD5H1");
    assert!(Standard::agent("nobody", &Options::default()).is_none());
}

#[test]
fn competitors_are_no_default_opponents() {
    let defaults = Simplexity::AGENTS.iter().filter(|spec| spec.default_opponent).map(|spec| spec.name);
    assert_eq!(defaults.collect::<Vec<_>>(), ["sequential", "random", "minimax"]);
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

/// Asks an agent for its move in a position, as text, and its last score.
struct Ask<'a> {
    agent: &'a str,
    options: Options,
    depth: Option<u32>,
}

impl Visitor for Ask<'_> {
    type Output = (String, Option<Score>);

    fn visit<G: Playable>(self, position: G) -> Self::Output {
        let mut agent = G::agent(self.agent, &self.options).expect("it is listed");
        let control = Quiet::patient();
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let m = agent.think(&Record::new(position.clone()), &limits, &control);
        let score = *control.score.lock().expect("no other thread");
        (m.map_or("0000".into(), |m| position.move_text(m)), score)
    }
}

fn ask<'a>(
    fen: &str,
    agent: &str,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    depth: Option<u32>,
) -> (String, Option<Score>) {
    let ask = Ask { agent, options: options(agent, settings), depth };
    Simplexity::load(fen, ask).expect("the position loads")
}

#[test]
fn minimax_chooses_as_the_oracle_does() {
    let rows = rows("minimax.txt");
    assert!(rows.len() > 50);
    for row in rows {
        let [fen, depth, expected, _] = &row[..] else { panic!("four columns in {row:?}") };
        let (chosen, _) = ask(fen, "minimax", [("Depth", depth.as_str())], None);
        assert_eq!(&chosen, expected, "at depth {depth} in {fen}");
    }
}

#[test]
fn competitors_choose_as_plain_search_over_the_oracle_does() {
    let rows = rows("agents.txt");
    assert!(rows.len() > 400);
    for row in rows {
        let [fen, name, settings, depth, expected, value] = &row[..] else {
            panic!("six columns in {row:?}")
        };
        let settings = settings.split(',').filter_map(|setting| setting.split_once('='));
        let (chosen, score) = ask(fen, name, settings, depth.parse().ok());
        assert_eq!(&chosen, expected, "{row:?}");
        let value = value.parse().ok().map(Score::Cp);
        assert_eq!(score, value, "{row:?}");
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
    let limits = Limits { searchmoves: vec![only], depth: Some(3), ..Limits::default() };
    for spec in Simplexity::AGENTS {
        let chosen = agent::<Standard>(spec.name, None).think(&record(START), &limits, &Quiet::patient());
        assert_eq!(chosen, Some(only), "{}", spec.name);
    }
}

/// White is about to lose to four squares in column 2 or in column 6.
const LOST_IN_TWO: &str = "7/7/7/7/w6/w1RRR1w w 7,11,10,8 4";
/// Any first move is a square, and one square wins for Red.
const LOST_AT_ONCE: &str = "7/7/7/7/7/7 w 0,21,0,21 1";

fn chosen<'a>(fen: &str, agent: &str, settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    ask(fen, agent, settings, Some(2)).0
}

#[test]
fn each_does_in_a_lost_position_what_its_program_does() {
    for (name, move_in_two, move_at_once) in [
        ("minimax", "7s", "7s"),
        ("simpai", "1s", "1s"),
        ("oizys", "0000", "0000"),
        ("oizys-v2", "0000", "0000"),
        ("oizys-v3", "0000", "0000"),
        ("oizys-v4", "0000", "0000"),
        ("oizys-v5", "0000", "0000"),
        ("bee", "1o", "1s"),
    ] {
        let depth = (name == "simpai").then_some(("Depth", "2"));
        assert_eq!(chosen(LOST_IN_TWO, name, depth), move_in_two, "{name}");
        assert_eq!(chosen(LOST_AT_ONCE, name, depth), move_at_once, "{name}");
    }
    // Its fallback is the last move; but an iteration that sees only losses leaves the move of the one before.
    assert_eq!(chosen(LOST_AT_ONCE, "ids", None), "7s");
    let shallow = ask(LOST_IN_TWO, "ids", None, Some(1)).0;
    assert_eq!(chosen(LOST_IN_TWO, "ids", None), shallow);
    assert_ne!(shallow, "7s");
}

#[test]
fn faithful_simpai_plays_a_move_it_never_looked_at() {
    let faithful = |fen| ask(fen, "simpai", [("Faithful", "true")], None);
    // The red squares are worth (w - sqrt 13) + (w - sqrt 8) twice over, w = sqrt 18, more than a white round piece on top
    // of them, the best move: w - sqrt 5 twice over.
    let behind = "7/7/7/7/5RW/5RW w 10,9,10,9 4";
    assert_eq!(faithful(behind), ("1o".into(), Some(Score::Cp(0))));
    assert_eq!(ask(behind, "simpai", None, None), ("6o".into(), Some(Score::Cp(-8))));
    // That move is illegal without round pieces, or with column 1 full.
    assert_eq!(faithful("7/7/7/7/5RW/5RW w 0,9,0,9 4").0, "0000");
    assert_eq!(faithful("R6/w6/R6/w6/R4RW/w4RW w 7,9,10,6 4").0, "0000");
    // A column has no task where there are fewer than seven, not even one that wins.
    assert_eq!(faithful("4/4/4/wwRR w 2,4,4,2 3").0, "1o");
    assert_eq!(chosen("4/4/4/wwRR w 2,4,4,2 3", "simpai", None), "3o");
    // Of 9 columns only 7 are looked at, and the result for the middle one is lost.
    assert_eq!(faithful("9/9/9/9/9/9 w 20,20,20,20 4").0, "4o");
    assert_eq!(chosen("9/9/9/9/9/9 w 20,20,20,20 4", "simpai", None), "5o");
    // With 14 columns each task has two.
    assert_eq!(faithful("14/14/14/14/14/14 w 20,20,20,20 4").0, "8o");
}

#[test]
fn repaired_simpai_plays_the_last_of_equal_moves_in_the_first_column() {
    // White squares are worth nothing anywhere.
    assert_eq!(chosen("7/7/7/7/7/7 w 0,21,0,21 4", "simpai", None), "1s");
    // In a column of its own corner's worth, 0, both shapes are equal.
    assert_eq!(chosen("1/1/1 w 3,3,3,3 3", "simpai", None), "1s");
}

#[test]
fn ids_opens_in_the_fourth_column() {
    let mut ids = agent::<Standard>("ids", [("Depth", "1")]);
    let red = record("7/7/7/7/7/w6 r 9,11,10,11 4");
    assert_eq!(choice(&mut *ids, &red), "4s");
    let second = choice(&mut *ids, &red);
    ids.new_game();
    assert_eq!(choice(&mut *ids, &record(START)), "4o");
    assert_eq!(second, ask("7/7/7/7/7/w6 r 9,11,10,11 4", "ids", [("Depth", "1")], None).0);
}

#[test]
fn ids_can_let_a_broken_off_iteration_replace_its_move() {
    // Column 4 is taken. At depth 1 it looks at 1 + 14 positions, at depth 2 at 1 + 1 + 14 up to the end of the first move.
    let reply = record("7/7/7/7/7/3w3 r 9,11,10,11 4");
    let think = |nodes| {
        let mut ids = agent::<Standard>("ids", [("Heuristic", "3")]);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        ids.think(&reply, &limits, &Quiet::patient()).map(|m| reply.position().move_text(m))
    };
    assert_eq!(think(30).as_deref(), Some("4s"));
    assert_eq!(think(31).as_deref(), Some("1o"));
    assert_eq!(think(1).as_deref(), Some("7s"), "without a move it takes the last");
}

#[test]
fn bee_takes_the_moves_of_the_bottom_row_for_one() {
    assert_eq!(chosen(START, "bee", None), "1o");
    assert_eq!(chosen("7/7/7/7/7/3w3 r 9,11,10,11 4", "bee", None), "1s");
}

#[test]
fn the_stand_in_wins_or_blocks_before_it_searches() {
    let stand_in = |fen| ask(fen, "simpai-like", None, Some(1));
    assert_eq!(stand_in("7/7/7/7/7/Rwww1RR w 7,11,10,8 4"), ("5o".into(), None));
    // A square in column 5 would complete Red's line.
    assert_eq!(stand_in("7/7/7/7/w6/wRRR2w w 7,11,10,8 4"), ("5o".into(), None));
    // There is no block against two threats; so it searches.
    assert!(stand_in(LOST_IN_TWO).1.is_some());
}

#[test]
fn uct_finds_what_wins_or_saves_at_once_and_repeats_itself() {
    let think = |fen, nodes, seed: &str| {
        let mut uct = agent::<Standard>("uct", [("Seed", seed)]);
        let record = record(fen);
        let control = Quiet::patient();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let m = uct.think(&record, &limits, &control).expect("it has a move");
        (record.position().move_text(m), *control.score.lock().expect("no other thread"))
    };
    assert_eq!(think("7/7/7/7/7/Rwww1RR w 7,11,10,8 4", 20_000, "1"), ("5o".into(), Some(Score::Cp(100))));
    assert_eq!(think("7/7/7/7/w6/wRRR2w w 7,11,10,8 4", 50_000, "1").0, "5o");
    assert_eq!(think(START, 5_000, "1"), think(START, 5_000, "1"));
    assert_ne!(think(START, 5_000, "1"), think(START, 5_000, "2"));
    assert_eq!(think(START, 1, "1").0, "1o", "without a game it takes the first");
    assert_eq!(ask(START, "uct", None, Some(2)).0, ask(START, "uct", None, Some(2)).0, "a depth ends it too");
}

/// Time that stands still.
struct Clock(Duration);

impl<M> Control<M> for Clock {
    fn stopped(&self) -> bool {
        false
    }
    fn elapsed(&self) -> Duration {
        self.0
    }
    fn report(&self, _report: &Report<'_, M>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn each_ends_at_its_share_of_the_time() {
    // White can win. At the limit Bee has no move, and the others one that they did not search for.
    let record = record::<Standard>("7/7/7/7/7/Rwww1RR w 7,11,10,8 4");
    let think = |name, elapsed| {
        let movetime = Some(Duration::from_millis(200));
        let limits = Limits { movetime, nodes: Some(5_000), ..Limits::default() };
        agent::<Standard>(name, None).think(&record, &limits, &Clock(Duration::from_millis(elapsed)))
    };
    let text = |m: Option<Move>| m.map_or("0000".into(), |m| record.position().move_text(m));
    for (name, end, at_the_limit) in
        [("ids", 180, "7s"), ("bee", 170, "0000"), ("simpai-like", 166, "1o"), ("uct", 196, "1o")]
    {
        assert_eq!(text(think(name, end)), at_the_limit, "{name}");
        assert_ne!(text(think(name, end - 1)), at_the_limit, "{name}");
    }
}

#[test]
fn stopped_at_once_they_do_what_their_program_does_without_a_move() {
    let record = record::<Standard>("7/7/7/7/7/3w3 r 9,11,10,11 4");
    for (name, expected) in [
        ("minimax", None),
        ("simpai", None),
        ("oizys", None),
        ("bee", None),
        ("ids", Some("7s")),
        ("simpai-like", Some("1o")),
        ("uct", Some("1o")),
    ] {
        let m = agent::<Standard>(name, None).think(&record, &Limits::default(), &Quiet::stopping_at(1));
        let text = m.map(|m| record.position().move_text(m));
        assert_eq!(text.as_deref(), expected, "{name}");
    }
}

/// Plays a few moves of a game by each agent on its own, the same twice.
struct Plays;

impl Visitor for Plays {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        for spec in Simplexity::AGENTS {
            let play = || {
                let mut agent = agent::<G>(spec.name, None);
                let mut record = Record::new(start.clone());
                for _ in 0..6 {
                    if record.position().outcome().is_some() {
                        break;
                    }
                    let limits = Limits { nodes: Some(150), depth: Some(3), ..Limits::default() };
                    let chosen = agent.think(&record, &limits, &Quiet::patient());
                    let Some(m) = chosen.or(record.position().legal_moves().first().copied()) else { break };
                    assert!(record.try_play(m), "{} plays {m:?} in {}", spec.name, record.position().fen());
                }
                record.position().fen()
            };
            assert_eq!(play(), play(), "{}", spec.name);
        }
    }
}

#[test]
fn every_agent_plays_on_every_board() {
    for start in [
        "1 w 1,1,1,1 1",
        "3/3/3 w 2,2,2,2 1",
        "3/3/3 w 2,2,2,2 2",
        "50 w 9,9,9,9 3",
        "1/1/1/1/1/1/1/1/1 w 5,0,5,0 4",
        "7/7 w 1,0,1,0 4",
        "2/2/2/2/2/2/2 w 40,2,40,2 5",
        "13/13/13/13/13/13/13/13 w 26,26,26,26 4",
        "37/37/37/37/37/37/37/37/37 w 83,84,83,84 5",
        "50/50/50/50/50/50/50/50/50/50 w 65535,65535,65535,65535 50",
    ] {
        Simplexity::load(start, Plays).expect("the position loads");
    }
    let largest = format!("{} w 625,625,625,625 25", ["50"; 50].join("/"));
    Simplexity::load(&largest, Plays).expect("the position loads");
}
