//! Limits hold exactly, searches can be stopped anywhere, and what is left behind is sound.

use std::time::Duration;

use game::zobrist::number;
use game::{Agent, Clock, Evaluate, Game, Limits, Notation, Options, Record, Score, Tactics};
use search::{OPTIONS, Searcher, fixed_depth};
use simplexity::Position;

use crate::oracle::*;
use crate::toys::{RandomTree, TicTacToe};

const TREE: fn(u64) -> RandomTree = |seed| RandomTree::new(seed, 40, 1_000);

/// The last report of the best line.
fn best_line<M>(reports: &[Kept<M>]) -> &Kept<M> {
    reports.iter().rev().find(|r| r.multipv.is_none_or(|rank| rank == 1)).expect("there is a report")
}

#[test]
fn a_node_limit_is_exact_and_repeatable() {
    for nodes in [1, 2, 3, 10, 100, 1_000, 20_000] {
        for seed in 0..20 {
            let first = think(&mut searcher(1), &TREE(seed), &to_nodes(nodes));
            let again = think(&mut searcher(1), &TREE(seed), &to_nodes(nodes));
            assert_eq!(first, again);
            let last = first.1.last().unwrap();
            assert!(last.nodes == nodes || last.nodes < nodes && !matches!(last.score, Score::Cp(_)));
            assert!(first.1.iter().all(|r| r.nodes <= nodes));
            assert_eq!(last.pv[0], first.0);
        }
    }
}

#[test]
fn new_game_makes_a_searcher_as_good_as_new() {
    let mut used = searcher(1);
    for seed in 0..20 {
        let fresh = think(&mut searcher(1), &TREE(seed), &to_nodes(5_000));
        think(&mut used, &TREE(seed + 1), &to_nodes(3_000));
        Agent::<RandomTree>::new_game(&mut used);
        assert_eq!(think(&mut used, &TREE(seed), &to_nodes(5_000)), fresh);
    }
}

#[test]
fn memory_passes_on_to_positions_of_another_type_as_good_as_new() {
    let mut narrow = Searcher::<Position<u64>>::new(&Options::defaults(OPTIONS), "").expect("memory");
    let mut options = Options::defaults(OPTIONS);
    for seed in 0..5 {
        let fresh = think(&mut searcher_of(&[]), &TREE(seed), &to_nodes(5_000));
        let start = Position::from_fen("7/7/7/7/7/7 w 10,11,10,11 4").expect("a position");
        think(&mut narrow, &start, &to_nodes(20_000));
        let memory = Agent::memory(&mut narrow).expect("a searcher has some");
        let mut heir = Searcher::with_memory(&options, "", Some(memory)).expect("no more memory is wanted");
        assert_eq!(think(&mut heir, &TREE(seed), &to_nodes(5_000)), fresh);
        narrow =
            Searcher::with_memory(&options, "", Agent::<RandomTree>::memory(&mut heir)).expect("nor here");
    }
    // More than there is has to be found anew.
    options.set("Hash", "32").expect("a size");
    let memory = Agent::memory(&mut narrow);
    let mut larger = Searcher::with_memory(&options, "", memory).expect("memory");
    assert_eq!(
        think(&mut larger, &TREE(1), &to_nodes(5_000)),
        think(&mut searcher_of(&[("Hash", "32")]), &TREE(1), &to_nodes(5_000))
    );
}

/// The most nodes between two questions whether to stop.
const NODES_PER_QUESTION: u64 = 16;

#[test]
fn a_search_stopped_anywhere_gives_a_legal_move_and_leaves_a_sound_searcher() {
    let mut searcher = searcher(2);
    for (seed, questions) in (0..600).zip((0..).map(|n| n * n % 1_009)) {
        let tree = RandomTree::new(seed % 50, 8, 40);
        let control = Recorder::new(questions, u32::MAX);
        let (best, reports) = think_with(&mut searcher, &tree, &Limits::default(), control);
        assert!(tree.is_legal(best));
        let last = best_line(&reports);
        assert!(last.nodes <= NODES_PER_QUESTION * questions && last.pv[0] == best);
        assert!(last.pv.iter().try_fold(tree.clone(), |position, &m| position.try_play(m)).is_some());
        let value = negamax(&tree, 8);
        if let Score::Win(_) | Score::Loss(_) | Score::Draw(_) = last.score {
            assert_eq!(on_scale(last.score), value, "{last:?}");
        }
        let (_, reports) = think(&mut searcher, &tree, &Limits::default());
        assert_eq!(on_scale(best_line(&reports).score), value);
    }
}

#[test]
fn a_search_without_any_time_still_answers() {
    let (best, reports) = think_with(&mut searcher(1), &TREE(1), &Limits::default(), Recorder::new(0, 9));
    assert!(TREE(1).is_legal(best));
    assert_eq!(reports.len(), 1);
    assert_eq!((reports[0].depth, reports[0].nodes, reports[0].pv.as_slice()), (0, 0, [best].as_slice()));
    assert_eq!(reports[0].score, Score::Cp(TREE(1).evaluate()));
}

#[test]
fn a_report_can_end_the_search() {
    let (_, reports) =
        think_with(&mut ply_by_ply(), &TREE(2), &Limits::default(), Recorder::new(u64::MAX, 3));
    assert_eq!(reports.iter().map(|r| r.depth).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn full_width_deepens_by_two_plies_up_to_the_depth_asked_for() {
    for (depth, expected) in [(6, vec![2, 4, 6]), (5, vec![1, 3, 5])] {
        let by_two = think(&mut searcher(1), &TREE(2), &to_depth(depth)).1;
        assert_eq!(by_two.iter().map(|r| r.depth).collect::<Vec<_>>(), expected);
        let by_one = think(&mut ply_by_ply(), &TREE(2), &to_depth(depth)).1;
        assert_eq!(by_two.last().unwrap().score, by_one.last().unwrap().score);
        // Each of several lines is told of after every ply.
        let lines = think(&mut searcher(2), &TREE(2), &to_depth(depth)).1;
        assert_eq!(lines.len() as u32, 2 * depth);
    }
}

#[test]
fn a_mate_limit_finds_a_win_of_that_length_if_there_is_one() {
    let mut found = 0;
    for seed in 0..500 {
        let tree = RandomTree::new(seed, 9, 200);
        for moves in 1..=3 {
            let limits = Limits { mate: Some(moves), ..Limits::default() };
            let (_, reports) = think(&mut searcher(1), &tree, &limits);
            let last = reports.last().unwrap();
            assert!(last.depth <= 2 * moves);
            let expected = negamax(&tree, 2 * moves);
            if expected > 900_000 {
                found += 1;
                assert_eq!(on_scale(last.score), expected);
            } else {
                assert!(!matches!(last.score, Score::Win(_)));
            }
        }
    }
    assert!(found > 100);
}

#[test]
fn without_a_choice_a_time_limit_buys_only_a_first_look() {
    let single = (0..1_000)
        .map(TREE)
        .find(|tree| tree.count_moves() == 1 && negamax(tree, 4).abs() < 900_000)
        .unwrap();
    let timed = Limits { movetime: Some(Duration::from_secs(9)), ..Limits::default() };
    assert_eq!(think(&mut ply_by_ply(), &single, &timed).1.last().unwrap().depth, 1);
    assert_eq!(think(&mut searcher(1), &single, &to_depth(4)).1.last().unwrap().depth, 4);
}

#[test]
fn with_a_clock_a_single_reply_that_does_not_lose_is_played_at_once() {
    let start = Position::<u64>::from_fen("7/7/7/7/7/7 w 10,11,10,11 4").unwrap();
    let walk = |seed| {
        let positions = (0..20).try_fold(start.clone(), |position, ply| {
            let moves = position.legal_moves();
            let m = moves.get(number(seed, ply) as usize % moves.len().max(1))?;
            Some(position.play(*m))
        });
        positions.filter(|end| end.outcome().is_none())
    };
    let replies = |position: &Position<u64>| {
        let mut replies = Vec::new();
        let tactics = position.tactics(|m| replies.push(m));
        if tactics == Tactics::Forced { replies } else { Vec::new() }
    };
    let is_forced = |position: &Position<u64>| {
        replies(position).len() == 1 && position.count_moves() > 1 && negamax(position, 5).abs() < 900_000
    };
    let forced = (0..10_000).filter_map(walk).find(is_forced).unwrap();
    let reply = replies(&forced)[0];
    let clock = Clock { remaining: Duration::from_secs(9), increment: Duration::ZERO, moves_to_go: None };
    let on_clock = Limits { clock: Some(clock), depth: Some(4), ..Limits::default() };
    let (best, reports) = think(&mut reducing(), &forced, &on_clock);
    assert_eq!((best, reports.last().unwrap().depth), (reply, 1));
    let for_a_time = Limits { movetime: Some(clock.remaining), depth: Some(4), ..Limits::default() };
    assert_eq!(think(&mut reducing(), &forced, &for_a_time).1.last().unwrap().depth, 4);
    let analysed = think(&mut searcher(2), &forced, &on_clock).1;
    assert_eq!(analysed.last().unwrap().depth, 4, "several lines are wanted for themselves");
}

#[test]
fn a_finished_position_has_no_move() {
    let mut record = Record::new(TicTacToe::default());
    for m in [0, 3, 1, 4, 2] {
        assert!(record.try_play(m));
    }
    assert_eq!(searcher(1).think(&record, &Limits::default(), &Recorder::new(u64::MAX, 9)), None);
}

#[test]
fn options_are_taken_or_refused_as_a_whole() {
    let mut options = Options::defaults(OPTIONS);
    let mut searcher: Searcher<TicTacToe> = Searcher::new(&options, "Ludus").unwrap();
    assert_eq!(searcher.name(), "Ludus");
    assert!(options.set("Hash", "65537").is_err() && options.set("MultiPV", "0").is_err());
    assert_eq!(options.set("Depth", "1"), Err("expected the name of an option".into()));
    options.set("Hash", "3").unwrap();
    options.set("MultiPV", "4").unwrap();
    searcher.configure(&options).unwrap();
    let (_, reports) = think(&mut searcher, &TicTacToe::default(), &to_depth(1));
    assert_eq!(reports.len(), 4);
}

#[test]
fn a_fixed_depth_always_takes_the_same_nodes() {
    let nodes = fixed_depth(&TREE(3), 6, &Options::default()).unwrap();
    assert!(nodes > 100);
    assert_eq!(fixed_depth(&TREE(3), 6, &Options::default()), Ok(nodes));
}
