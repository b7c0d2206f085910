//! Values, distances and lines are those of plain negamax.

use game::{Evaluate, Game, Limits, Score};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::oracle::*;
use crate::toys::{Chase, RandomTree, TicTacToe};

/// Searches to `depth` and compares every iteration with negamax. Gives the last report.
fn compare<G: Evaluate>(position: &G, depth: u32) -> Kept<G::Move> {
    let (best, reports) = think(&mut searcher(1), position, &to_depth(depth));
    for report in &reports {
        assert_eq!(on_scale(report.score), negamax(position, report.depth), "{position:?} {report:?}");
        check_line(position, report);
        assert_eq!(report.multipv, None);
        assert!(report.seldepth <= report.depth);
    }
    let last = reports.last().unwrap().clone();
    assert_eq!(best, last.pv[0]);
    let proven = !matches!(last.score, Score::Cp(_));
    assert!(proven || last.depth == depth.min(position.max_plies_left()));
    last
}

#[test]
fn random_trees_have_the_value_of_negamax_at_every_depth() {
    for seed in 0..3_000 {
        let width = [2, 5, 1_000][seed as usize % 3];
        compare(&RandomTree::new(seed, 7, width), 1 + seed as u32 % 9);
    }
}

#[test]
fn a_drawn_tree_is_proven_only_when_it_is_exhausted() {
    let last = compare(&TicTacToe::default(), 100);
    assert_eq!((last.score, last.depth), (Score::Draw(9), 9));
    let (_, reports) = think(&mut searcher(1), &TicTacToe::default(), &to_depth(8));
    assert!(reports.iter().all(|r| matches!(r.score, Score::Cp(_))));
}

#[test]
fn a_warm_table_changes_no_proven_value() {
    for seed in 0..600 {
        let mut searcher = searcher(1);
        let mut position = RandomTree::new(seed, 9, 60);
        while position.outcome().is_none() {
            let (best, reports) = think(&mut searcher, &position, &to_depth(3 + seed as u32 % 7));
            let last = reports.last().unwrap();
            if !matches!(last.score, Score::Cp(_)) {
                assert_eq!(on_scale(last.score), negamax(&position, 9), "{position:?}");
                check_line(&position, last);
            }
            position = position.play(best);
        }
    }
}

#[test]
fn a_proven_win_takes_as_long_as_announced_against_the_best_defence() {
    let mut won = 0;
    for seed in 0..600 {
        let position = RandomTree::new(seed, 9, 60);
        let mut searcher = if seed % 2 == 0 { searcher(1) } else { reducing() };
        let (_, reports) = think(&mut searcher, &position, &Limits::default());
        let us = position.side_to_move();
        let (winner, plies) = match reports.last().unwrap().score {
            Score::Win(plies) => (Some(us), plies),
            Score::Loss(plies) => (Some(us.other()), plies),
            Score::Draw(_) => (None, 0),
            Score::Cp(_) => panic!("the tree is small enough to be exhausted"),
        };
        let played = play_out(&mut searcher, &position, &Limits::default());
        assert_eq!(played.0, winner);
        if winner.is_some() {
            won += 1;
            assert_eq!(played.1, plies, "{position:?}");
        }
    }
    assert!(won > 100);
}

#[test]
fn several_lines_are_those_of_separate_searches() {
    for seed in 0..400 {
        let position = RandomTree::new(seed, 8, 30);
        let depth = 1 + seed as u32 % 8;
        let lines = position.count_moves().min(3) as u32;
        let (best, reports) = think(&mut searcher(3), &position, &to_depth(depth));
        let mut expected: Vec<i32> = Vec::new();
        for m in position.legal_moves() {
            let limits = Limits { searchmoves: vec![m], ..to_depth(depth) };
            let (only, single) = think(&mut searcher(1), &position, &limits);
            assert_eq!(only, m);
            let single = single.last().unwrap();
            assert_eq!(on_scale(single.score), value_of_move(&position, m, single.depth));
            expected.push(value_of_move(&position, m, depth));
        }
        expected.sort_by_key(|v| -v);
        for group in reports.chunks(lines as usize) {
            let mut firsts: Vec<_> = group.iter().map(|r| r.pv[0]).collect();
            assert!(group.iter().map(|r| on_scale(r.score)).is_sorted_by_key(|v| -v));
            if lines > 1 {
                assert!(group.iter().map(|r| r.multipv).eq((1..=lines).map(Some)));
            }
            for report in group {
                check_line(&position, report);
            }
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), group.len());
        }
        let last = &reports[reports.len() - lines as usize..];
        assert_eq!(best, last[0].pv[0]);
        let found: Vec<_> = last.iter().map(|r| on_scale(r.score)).collect();
        assert_eq!(found, expected[..lines as usize], "{position:?} depth {depth}");
    }
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    for seed in 0..300 {
        let position = RandomTree::new(seed, 7, 30);
        let chosen: Vec<_> = position.legal_moves().into_iter().filter(|_| random.random_bool(0.5)).collect();
        if chosen.is_empty() {
            continue;
        }
        let limits = Limits { searchmoves: chosen.clone(), ..to_depth(7) };
        let (best, reports) = think(&mut searcher(1), &position, &limits);
        let last = reports.last().unwrap();
        assert!(chosen.contains(&best) && best == last.pv[0]);
        let value = chosen.iter().map(|&m| value_of_move(&position, m, last.depth)).max().unwrap();
        assert_eq!(on_scale(last.score), value);
    }
}

#[test]
fn what_is_proven_holds_though_moves_are_left_out() {
    let mut decided = 0;
    for seed in 0..60 {
        let tree = RandomTree::new(seed, 5, 60).with_moves(25);
        let (_, reports) = think(&mut reducing(), &tree, &Limits::default());
        for report in reports {
            if !matches!(report.score, Score::Cp(_)) {
                decided += 1;
                assert_eq!(
                    on_scale(report.score).signum(),
                    negamax(&tree, 5).signum(),
                    "{tree:?} {report:?}"
                );
                check_line(&tree, &report);
            }
        }
    }
    assert!(decided > 60, "{decided}");
}

#[test]
fn an_exact_distance_may_take_about_as_many_nodes_as_the_win() {
    // At full width, anything nearer than nineteen plies takes more than 16^9 positions.
    let (_, reports) = think(&mut reducing(), &Chase::default(), &to_depth(3));
    let last = reports.last().unwrap();
    assert_eq!(last.score, Score::Win(19));
    assert!(last.nodes < 110_000, "{}", last.nodes);
}

#[test]
fn what_replies_cost_does_not_matter_where_none_is_seen_to_be_forced() {
    let reports = ["0", "1"].map(|forced| {
        let values = [("Hash", "1"), ("Tune.Tactics", "0"), ("Tune.Forced", forced)];
        think(&mut searcher_of(&values), &Chase::default(), &to_depth(4)).1
    });
    assert_eq!(reports[0], reports[1]);
}
