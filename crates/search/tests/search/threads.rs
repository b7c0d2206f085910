//! What several threads find together is as sound as what one finds, though it differs from run to run.

use game::{Agent, Game, Limits, Record, Score};

use crate::oracle::*;
use crate::toys::{RandomTree, TicTacToe};

#[test]
fn at_full_width_every_value_is_that_of_negamax() {
    for seed in 0..60 {
        let tree = RandomTree::new(seed, 8, 40);
        for threads in [2, 3, 8] {
            let (best, reports) = think(&mut team(threads, true), &tree, &to_depth(6));
            let last = reports.last().unwrap();
            assert_eq!(last.pv[0], best);
            for report in &reports {
                assert_eq!(on_scale(report.score), negamax(&tree, report.depth), "{report:?}");
            }
        }
    }
}

#[test]
fn proofs_hold_whoever_finds_them() {
    let mut decided = 0;
    for seed in 0..200 {
        let tree = RandomTree::new(seed, 9, 200);
        let (best, reports) = think(&mut team(4, false), &tree, &Limits::default());
        assert!(tree.is_legal(best));
        let last = reports.last().unwrap();
        if !matches!(last.score, Score::Cp(_)) {
            decided += 1;
            assert_eq!(on_scale(last.score).signum(), negamax(&tree, 9).signum(), "{last:?}");
        }
    }
    assert!(decided > 100);
}

#[test]
fn several_lines_go_as_deep_as_asked_for() {
    let trees = (0..100).map(|seed| RandomTree::new(seed, 8, 40));
    for (seed, tree) in trees.filter(|tree| tree.legal_moves().len() >= 3).enumerate() {
        let values = [("Hash", "1"), ("MultiPV", "3"), ("Threads", "4"), ("FullWidth", "true")];
        let (best, reports) = think(&mut searcher_of(&values), &tree, &to_depth(6));
        let depth = reports.last().unwrap().depth;
        // In the end the best line may come again, with the nodes of all.
        let last: Vec<_> = reports.iter().filter(|report| report.depth == depth).take(3).collect();
        let proven = last.iter().all(|report| !matches!(report.score, Score::Cp(_)));
        assert!(depth == 6 || proven, "{seed}: {last:?}");
        assert!(last.iter().map(|report| report.multipv).eq((1..=3).map(Some)), "{seed}: {last:?}");
        assert_eq!(last[0].pv[0], best);
        for report in last {
            assert_eq!(
                on_scale(report.score),
                value_of_move(&tree, report.pv[0], depth),
                "{seed}: {report:?}"
            );
        }
    }
}

#[test]
fn a_limit_of_nodes_holds_for_all_together() {
    let tree = RandomTree::new(3, 40, 1_000);
    for threads in [2, 5] {
        for nodes in [1, 10, 1_000, 50_000] {
            let (best, reports) = think(&mut team(threads, false), &tree, &to_nodes(nodes));
            assert!(tree.is_legal(best));
            assert!(reports.iter().all(|report| report.nodes <= nodes));
        }
    }
}

#[test]
fn a_team_can_be_stopped_anywhere_and_goes_on_afterwards() {
    let mut searcher = team(3, false);
    for questions in (0..200).map(|n| n * n % 1_009) {
        let tree = RandomTree::new(questions, 30, 60);
        let control = Recorder::new(questions, u32::MAX);
        let (best, reports) = think_with(&mut searcher, &tree, &Limits::default(), control);
        assert!(tree.is_legal(best));
        let last = reports.last().unwrap();
        assert_eq!(last.pv[0], best);
        assert!(last.pv.iter().try_fold(tree.clone(), |position, &m| position.try_play(m)).is_some());
    }
}

#[test]
fn a_report_can_end_the_search_of_all() {
    let tree = RandomTree::new(2, 40, 1_000);
    let (_, reports) = think_with(&mut team(2, false), &tree, &Limits::default(), Recorder::new(u64::MAX, 3));
    assert!(reports.iter().rev().skip(1).all(|report| report.depth <= 3));
}

#[test]
fn a_finished_position_has_no_move() {
    let mut record = Record::new(TicTacToe::default());
    for m in [0, 3, 1, 4, 2] {
        assert!(record.try_play(m));
    }
    assert_eq!(team(2, false).think(&record, &Limits::default(), &Recorder::new(u64::MAX, 9)), None);
}
