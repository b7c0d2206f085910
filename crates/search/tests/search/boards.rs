//! The search on Simplexity, whose small boards can be searched by brute force.

use game::{Agent, Evaluate, Game, Limits, Notation, Options, Record, Score, Weights as _};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use search::{OPTIONS, Searcher};
use simplexity::{Position, Weights};

use crate::oracle::*;

type Board = Position<u64>;

const STANDARD: &str = "7/7/7/7/7/7 w 10,11,10,11 4";

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap()
}

/// Unfinished positions up to `plies` random plies after the start.
fn random_positions(start: &str, plies: u32, seed: u64) -> impl Iterator<Item = Board> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let start = board(start);
    std::iter::repeat_with(move || {
        let mut position = start.clone();
        for _ in 0..random.random_range(0..=plies) {
            let moves = position.legal_moves();
            let next = position.play(moves[random.random_range(0..moves.len())]);
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        position
    })
}

/// The position seen from behind the board.
fn mirrored(position: &Board) -> Board {
    let fen = position.fen();
    let (rows, rest) = fen.split_once(' ').unwrap();
    let rows: Vec<String> = rows.split('/').map(|row| row.chars().rev().collect()).collect();
    board(&format!("{} {rest}", rows.join("/")))
}

#[test]
fn options_set_the_weights_of_an_evaluation() {
    let position = board("1/1/1/1/w r 1,3,2,3 4");
    let value = |in_stock: &str| {
        let mut options = Options::defaults(&[OPTIONS, Weights::OPTIONS].concat());
        options.set(Weights::OPTIONS[1].name, in_stock).unwrap();
        let (_, reports) = think(&mut Searcher::new(&options, "test").unwrap(), &position, &to_nodes(0));
        reports[0].score
    };
    // Two lines of four on five cells are 1.6 through each, the root of which is 1.2, cut to tenths. Red has two pieces for
    // his two moves, worth as much as 2.50 are far from the end, White one, which is worth 2.15.
    assert_eq!([value("50"), value("200")], [Score::Cp(15 - 12 - 2), Score::Cp(60 - 51 - 2)]);
}

#[test]
fn small_boards_have_their_known_values() {
    let known = [
        ("2/2 w 1,1,1,1 2", "loss"),
        ("3/3/3 w 2,3,2,3 3", "loss"),
        ("3/3/3 w 2,2,2,2 3", "draw"),
        ("4/4/4 w 3,3,3,3 3", "win"),
        ("3/3/3/3 w 3,3,3,3 3", "win"),
        ("6 w 3,3,3,3 3", "draw"),
        ("1/1/1/1/1/1 w 3,3,3,3 3", "draw"),
        ("2/2/2/2/2 w 3,3,3,3 4", "draw"),
        ("3/3/3 w 1,1,1,1 1", "win"),
        ("4/4/4 w 3,3,3,3 2", "win"),
        ("4/4/4/4 w 4,4,4,4 3", "win"),
    ];
    for ((fen, value), full_width) in known.into_iter().flat_map(|case| [(case, true), (case, false)]) {
        let new = || if full_width { searcher(1) } else { reducing() };
        let position = board(fen);
        let (_, reports) = think(&mut new(), &position, &Limits::default());
        let last = reports.last().unwrap();
        let found = match last.score {
            Score::Win(_) => "win",
            Score::Loss(_) => "loss",
            Score::Draw(_) => "draw",
            Score::Cp(_) => "nothing",
        };
        assert_eq!(found, value, "{fen}");
        check_line(&position, last);
        let (winner, plies) = play_out(&mut new(), &position, &Limits::default());
        if winner.is_some() {
            assert_eq!(plies, last.pv.len() as u32, "{fen}");
        }
    }
}

#[test]
fn values_are_those_of_negamax() {
    let starts = [
        ("3/3/3 w 2,3,2,3 3", 6, 6, 300),
        ("4/4/4 w 3,3,3,3 3", 7, 4, 300),
        ("2/2/2/2/2 w 3,3,3,3 4", 6, 6, 300),
        ("4/4/4/4 w 4,4,4,4 3", 8, 4, 200),
        ("6 w 3,3,3,3 3", 5, 6, 200),
        (STANDARD, 14, 3, 100),
    ];
    for (start, plies, depth, count) in starts {
        for position in random_positions(start, plies, 1).take(count) {
            let (_, reports) = think(&mut searcher(1), &position, &to_depth(depth));
            for report in reports {
                assert_eq!(
                    on_scale(report.score),
                    negamax(&position, report.depth),
                    "{position:?} {report:?}"
                );
                check_line(&position, &report);
            }
        }
    }
}

#[test]
fn mirrored_positions_have_equal_scores() {
    let scores = |position: &Board| {
        let (_, reports) = think(&mut searcher(1), position, &to_depth(6));
        reports.into_iter().map(|r| r.score).collect::<Vec<_>>()
    };
    for position in random_positions(STANDARD, 16, 2).take(60) {
        assert_eq!(scores(&position), scores(&mirrored(&position)), "{position:?}");
    }
}

#[test]
fn the_size_of_the_table_changes_no_value() {
    for position in random_positions(STANDARD, 12, 3).take(5) {
        let scores = ["1", "64"].map(|mib| {
            let mut searcher = searcher_of(&[("Hash", mib)]);
            let control = Recorder::new(u64::MAX, u32::MAX);
            searcher.think(&Record::new(position.clone()), &to_depth(9), &control);
            control.reports.into_inner().unwrap().into_iter().map(|r| r.score).collect::<Vec<_>>()
        });
        assert_eq!(scores[0], scores[1], "{position:?}");
    }
}

#[test]
fn whole_games_repeat_and_end_as_announced() {
    for nodes in [500, 3_000] {
        let game = || {
            let mut searcher = searcher(1);
            let mut position = board(STANDARD);
            let mut announced = None;
            let mut told = Vec::new();
            while position.outcome().is_none() {
                let (best, reports) = think(&mut searcher, &position, &to_nodes(nodes));
                let score = reports.last().unwrap().score;
                // Once a win is announced it comes at every later move two plies nearer, or nearer still.
                match (announced, score) {
                    (Some(before), Score::Win(_) | Score::Loss(_)) => assert!(on_scale(score).abs() > before),
                    (Some(_), _) => panic!("a proof was lost: {score:?}"),
                    (None, Score::Win(_) | Score::Loss(_)) => announced = Some(on_scale(score).abs()),
                    (None, _) => {}
                }
                told.push((best, reports));
                position = position.play(best);
            }
            told
        };
        assert_eq!(game(), game());
    }
}

#[test]
fn forced_replies_are_free_unless_they_are_to_cost_a_ply() {
    for forced in ["1", "0"] {
        let mut free = 0;
        for position in random_positions(STANDARD, 16, 6).take(100) {
            let mut searcher = searcher_of(&[("FullWidth", "true"), ("Tune.Forced", forced)]);
            let last = think(&mut searcher, &position, &to_depth(4)).1.pop().unwrap();
            if let Score::Cp(value) = last.score {
                let end = last.pv.iter().fold(position, |position, &m| position.play(m));
                let plies = last.pv.len() as u32;
                assert_eq!(value, if plies.is_multiple_of(2) { end.evaluate() } else { -end.evaluate() });
                free += plies - last.depth;
            }
        }
        assert_eq!(free > 0, forced == "1");
    }
}

#[test]
fn no_technique_changes_a_value() {
    let searched = |values: &[(&str, &str)]| {
        let mut searcher = searcher_of(values);
        let search = |position| think(&mut searcher, &position, &to_depth(7)).1;
        let reports: Vec<_> = random_positions(STANDARD, 12, 4).take(5).flat_map(search).collect();
        let nodes: u64 = reports.iter().map(|report| report.nodes).sum();
        (reports.into_iter().map(|report| report.score).collect::<Vec<_>>(), nodes)
    };
    let all = searched(&[("FullWidth", "true")]);
    for (name, value) in [
        ("Tune.Table", "0"),
        ("Tune.Near", "0"),
        ("Tune.Ahead", "1000"),
        ("Tune.Killers", "0"),
        ("Tune.HistoryBonus", "0"),
        ("Tune.AspirationDepth", "1000"),
        ("Tune.NullWindow", "0"),
    ] {
        let (scores, nodes) = searched(&[("FullWidth", "true"), (name, value)]);
        assert_eq!(scores, all.0, "{name}");
        assert_ne!(nodes, all.1, "{name}");
    }
    // Full width doesn't ask for what last refuted the move before.
    assert_eq!(searched(&[("FullWidth", "true"), ("Tune.Answers", "0")]), all);
}
