//! Values and distances against independent rules and against the search, and what limits do.

use std::ops::ControlFlow;

use game::{
    Agent, Evaluate, Family, Limits as SearchLimits, Options, Playable, Record, Score, Visitor, control,
};
use registry::FamilyVisitor;
use search::{OPTIONS, Searcher};
use solve::{Constants, Gap, Goal, Limits, Progress, Proof, Solution, Value, solve};

const ENOUGH: Limits = Limits { nodes: u64::MAX, memory: 8 << 20 };

fn to_the_end<G: Evaluate>(position: &G, limits: Limits) -> Solution<G::Move> {
    solve(position, None, limits, &Constants::default(), &mut |_| ControlFlow::Continue(())).expect("memory")
}

/// Calls `check` with each position of a list of known values, and what is known of it. Gives their number.
fn each_known<C: Check>(game: &str, list: &str, check: &C) -> usize {
    struct Known<'a, C>(&'a str, &'a C);
    impl<C: Check> FamilyVisitor for Known<'_, C> {
        type Output = usize;
        fn visit<F: Family>(self) -> usize {
            let lines = self.0.lines().filter(|line| !line.starts_with('#'));
            let known = lines.map(|line| line.split_once(" | ").expect("a position and its value"));
            known.map(|(fen, value)| F::load(fen, One(value, self.1)).expect("a position")).count()
        }
    }
    struct One<'a, C>(&'a str, &'a C);
    impl<C: Check> Visitor for One<'_, C> {
        type Output = ();
        fn visit<G: Playable>(self, position: G) {
            self.1.check(&position, self.0);
        }
    }
    registry::visit(game, Known(list, check)).expect("a game")
}

trait Check {
    fn check<G: Playable>(&self, position: &G, known: &str);
}

macro_rules! known {
    ($($game:ident),+) => {
        [$((stringify!($game), include_str!(concat!("../../../tests/data/", stringify!($game), "/values.txt")))),+]
    };
}

const KNOWN: [(&str, &str); 4] = known![andantino, colosseum, simplexity, xrudder];

fn text<M>(solution: &Solution<M>) -> String {
    match (solution.value, solution.distance) {
        (Some(value), Some(plies)) => format!("{} {plies}", value.token()),
        (Some(value), None) => value.token().into(),
        (None, _) => "unknown".into(),
    }
}

/// Plays all that a proof has to answer for.
fn check_proof<G: Playable>(position: &G, proof: &Proof<G::Move>) {
    match position.outcome() {
        Some(outcome) => assert!(proof.claim.is_met(outcome), "{}", position.fen()),
        None if position.side_to_move() == proof.claim.side => match proof.step(position) {
            Some(m) => check_proof(&position.play(m), proof),
            None => assert!(position.folded().is_some(), "no move in {}, nor in an image", position.fen()),
        },
        None => position.legal_moves().iter().for_each(|&m| check_proof(&position.play(m), proof)),
    }
}

#[test]
fn values_distances_and_proofs_are_those_of_independent_rules() {
    struct All;
    impl Check for All {
        fn check<G: Playable>(&self, position: &G, known: &str) {
            let solution = to_the_end(position, ENOUGH);
            let fen = position.fen();
            assert_eq!(solution.value.map(Value::token), known.split(' ').next(), "{fen}");
            // A distance may be left open, but never wrong.
            assert!(solution.distance.is_none() || text(&solution) == known, "{fen}: {solution:?}");
            let proofs: Vec<_> =
                solution.proofs.iter().map(|proof| proof.as_ref().expect("a proof")).collect();
            for proof in &proofs {
                check_proof(position, proof);
            }
            if let Some(plies) = solution.distance {
                assert_eq!(plies, proofs[0].plies, "{fen}");
                assert_eq!(plies as usize, solution.line.len(), "{fen}");
            }
            let end = solution.line.iter().fold(position.clone(), |position, &m| position.play(m));
            let winner = end.outcome().expect("the line ends the game").winner;
            let value = winner.map_or(Value::Draw, |winner| {
                if winner == position.side_to_move() { Value::Win } else { Value::Loss }
            });
            assert_eq!(solution.value, Some(value), "{fen}");
        }
    }
    for (game, list) in KNOWN {
        let count = each_known(game, list, &All);
        assert!(count > 50, "{count} positions of {game}");
    }
}

#[test]
fn each_goal_alone_says_what_it_can() {
    struct Goals;
    impl Check for Goals {
        fn check<G: Playable>(&self, position: &G, known: &str) {
            for (goal, reached) in [(Goal::Win, "win"), (Goal::Draw, "win draw")] {
                let mut go_on = |_: &_| ControlFlow::Continue(());
                let solution =
                    solve(position, Some(goal), ENOUGH, &Constants::default(), &mut go_on).expect("memory");
                let word = known.split(' ').next().expect("a word");
                let is_reached = reached.split(' ').any(|value| value == word);
                assert_eq!(solution.goals, [(goal, is_reached)], "{}", position.fen());
                assert!(solution.value.is_none_or(|value| value.token() == word));
                assert_eq!(solution.value.is_some(), is_reached == (goal == Goal::Win), "{}", position.fen());
            }
        }
    }
    for (game, list) in KNOWN {
        each_known(game, list, &Goals);
    }
}

#[test]
fn values_are_those_of_the_search_at_full_width() {
    struct Search;
    impl Check for Search {
        fn check<G: Playable>(&self, position: &G, _: &str) {
            let mut options = Options::defaults(OPTIONS);
            for (name, value) in [("FullWidth", "true"), ("Hash", "1")] {
                options.set(name, value).expect("an option and a value of it");
            }
            let mut searcher = Searcher::<G>::new(&options, "").expect("memory");
            let last = std::sync::Mutex::new(None);
            let keep_score =
                control(|| false, |report| *last.lock().expect("no panic before") = Some(report.score));
            searcher.think(&Record::new(position.clone()), &SearchLimits::default(), &keep_score);
            let solution = to_the_end(position, ENOUGH);
            let expected = match last.lock().expect("no panic before").expect("a report") {
                Score::Win(plies) => (Value::Win, Some(plies)),
                Score::Loss(plies) => (Value::Loss, Some(plies)),
                Score::Draw(_) => (Value::Draw, None),
                Score::Cp(_) => panic!("the search exhausts {}", position.fen()),
            };
            assert_eq!(solution.value, Some(expected.0), "{}", position.fen());
            assert!(solution.distance.is_none_or(|plies| Some(plies) == expected.1), "{}", position.fen());
        }
    }
    for (game, list) in KNOWN {
        // Some of each: exhausting a drawn game takes the search long.
        let some: Vec<&str> = list.lines().filter(|line| !line.ends_with("draw")).collect();
        each_known(game, &some.join("\n"), &Search);
    }
}

const DRAWN: &str = "3/3/3 x 5 5 2";

fn xrudder(fen: &str) -> xrudder::Position<u128> {
    game::Notation::from_fen(fen).expect("a position")
}

#[test]
fn the_same_search_finds_the_same() {
    let once = to_the_end(&xrudder(DRAWN), ENOUGH);
    assert_eq!(once, to_the_end(&xrudder(DRAWN), ENOUGH));
    assert_eq!(text(&once), "draw");
}

#[test]
fn a_small_table_makes_work_but_changes_nothing() {
    let tiny = to_the_end(&xrudder(DRAWN), Limits { memory: 1 << 20, ..ENOUGH });
    assert_eq!(text(&tiny), "draw");
    for memory in [0, 1_000] {
        let starved = to_the_end(&xrudder(DRAWN), Limits { memory, nodes: 200_000 });
        assert!(starved.value.is_none_or(|value| value == Value::Draw));
        assert!(starved.proofs.iter().flatten().next().is_none(), "no room for a proof");
    }
}

#[test]
fn limits_and_the_watch_end_a_search() {
    let few = to_the_end(&xrudder(DRAWN), Limits { nodes: 10_000, ..ENOUGH });
    assert_eq!((few.value, few.goals.len()), (None, 0));
    assert!((10_000..10_100).contains(&few.nodes), "{}", few.nodes);
    let mut looks = 0;
    let mut watch = |progress: &Progress| {
        looks += 1;
        assert!(progress.to_prove > 0 && progress.to_refute > 0 && progress.table <= 1.0);
        if looks == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let ended = solve(&xrudder(DRAWN), None, ENOUGH, &Constants::default(), &mut watch).expect("memory");
    assert_eq!((ended.value, looks), (None, 3));
}

/// Looks for a win with a watch that asks `is_enough` of how far it is and how far it was before. Gives what was found,
/// and how often the watch was asked after that was so.
fn until<G: Evaluate>(
    position: &G,
    is_enough: impl Fn(&Progress, &Progress) -> bool,
) -> (Solution<G::Move>, u32) {
    let (mut before, mut over, mut asked_again) = (None, false, 0);
    let mut watch = |progress: &Progress| {
        asked_again += u32::from(over);
        over |= is_enough(progress, before.as_ref().unwrap_or(progress));
        before = Some(*progress);
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let limits = Limits { nodes: 10_000_000, memory: 2 << 20 };
    let solution =
        solve(position, Some(Goal::Win), limits, &Constants::default(), &mut watch).expect("memory");
    assert!(over, "the watch was never told that");
    (solution, asked_again)
}

#[test]
fn the_watch_can_end_the_look_at_the_replies_of_one_position() {
    struct Largest;
    impl FamilyVisitor for Largest {
        type Output = ();
        fn visit<F: Family>(self) {
            F::start(&F::setup(&[("size", "30")]).expect("a set-up"), self);
        }
    }
    impl Visitor for Largest {
        type Output = ();
        fn visit<G: Playable>(self, position: G) {
            assert!(position.count_moves() > 1_000);
            let (ended, asked_again) = until(&position, |progress, _| progress.nodes >= 100);
            assert!((100..200).contains(&ended.nodes), "{}", ended.nodes);
            assert_eq!((ended.goals.len(), asked_again), (0, 0));
        }
    }
    registry::visit("colosseum", Largest).expect("a game");
}

#[test]
fn the_watch_can_end_the_growth_of_the_table() {
    // As many slots as the first table has take several questions, and nothing is searched meanwhile.
    let grows = |now: &Progress, before: &Progress| now.nodes > 0 && now.nodes == before.nodes;
    let (ended, asked_again) = until(&xrudder("4/4/4/4 x 5 5 9"), grows);
    assert_eq!((ended.goals.len(), asked_again), (0, 0));
}

#[test]
fn the_watch_can_end_the_making_of_a_proof() {
    let (ended, asked_again) = until(&xrudder(DRAWN), |progress, _| progress.to_refute == 0);
    assert_eq!((ended.goals, asked_again), (vec![(Goal::Win, false)], 0));
    assert_eq!(ended.proofs, [Err(Gap::Stopped)]);
}

#[test]
fn a_finished_game_has_its_value() {
    let won = to_the_end(&xrudder("x1x/1x1/x1x o 0 5 0"), ENOUGH);
    assert_eq!((text(&won).as_str(), won.nodes), ("loss 0", 0));
    let drawn = to_the_end(&xrudder("3/3/3 x 0 0 0"), ENOUGH);
    assert_eq!((text(&drawn).as_str(), drawn.proofs.len()), ("draw", 2));
}
