//! X-Rudder's endings, in which positions tell who can still win.

use game::{Agent, Evaluate, Game, Limits, Notation, Score};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use search::Searcher;
use xrudder::Position;

use crate::oracle::*;

type Board = Position<u128>;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap()
}

/// Searches to the end without and with what positions tell of who can win. Gives both last reports.
fn search_both(position: &Board) -> [Kept<xrudder::Move>; 2] {
    ["0", "1"].map(|value| {
        let mut searcher = searcher_of(&[("Hash", "1"), ("Tune.CanWin", value)]);
        let (best, reports) = think(&mut searcher, position, &Limits::default());
        let last = reports.last().unwrap().clone();
        assert_eq!(best, last.pv[0]);
        check_line(position, &last);
        last
    })
}

/// Positions without token moves on 5x6 cells, ten of them empty, with up to three tokens in each hand.
fn random_endings(seed: u64) -> impl Iterator<Item = Board> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let most = random.random_range(0..2);
        let mut cells = ["1"; 30];
        for _ in 0..20 {
            let empty: Vec<usize> = (0..30).filter(|&cell| cells[cell] == "1").collect();
            let token = if random.random_range(0..4) == 0 { 1 - most } else { most };
            cells[empty[random.random_range(0..empty.len())]] = ["x", "o"][token];
        }
        let mut rows = cells.chunks(6).map(<[&str]>::concat).collect::<Vec<_>>().join("/");
        for run in (2..=6).rev() {
            rows = rows.replace(&"1".repeat(run), &run.to_string());
        }
        let mut upto = |most| random.random_range(0..=most);
        board(&format!("{rows} {} {} {} 0", ["x", "o"][upto(1)], 1 + upto(2), 1 + upto(2)))
    })
    .filter(|position| position.outcome().is_none())
}

#[test]
fn whoever_cannot_win_changes_no_exact_value() {
    let (mut nodes, mut values) = ([0; 2], [0; 3]);
    for position in random_endings(1).take(300) {
        let found = search_both(&position);
        assert_eq!(found[0].score, found[1].score, "{}", position.fen());
        match found[0].score {
            Score::Win(_) => values[0] += 1,
            Score::Draw(_) => values[1] += 1,
            Score::Loss(_) => values[2] += 1,
            Score::Cp(_) => panic!("{} is small enough", position.fen()),
        }
        for i in [0, 1] {
            nodes[i] += found[i].nodes;
        }
    }
    assert!(values.into_iter().all(|n| n >= 20), "{values:?}");
    assert!(3 * nodes[1] < nodes[0], "{nodes:?}");
}

#[test]
fn a_drawn_ending_of_the_usual_game_takes_few_nodes() {
    for (fen, most) in [
        ("12/12/6o5/3o1x1x4/5xxo4/3xxxoox3/5oo5/4o1oxo3/5x6/6x1o3 x 4 4 0", 10_000),
        ("12/12/6o5/3o1x1x4/5xx5/3xxxoo4/5oo5/4o1oxo3/5x6/12 x 6 6 0", 100_000),
        ("12/1x1o8/2o1x7/1o3o1x1o2/x1o5x3/3x1x1x4/4o1x1o3/7o4/12/12 x 6 6 0", 100_000),
    ] {
        let position = board(fen);
        let (_, reports) = think(&mut reducing(), &position, &Limits::default());
        let last = reports.last().unwrap();
        assert_eq!(last.score, Score::Draw(position.max_plies_left()), "{fen}");
        check_line(&position, last);
        assert!(last.nodes < most, "{} nodes for {fen}", last.nodes);
    }
}

#[test]
fn at_full_width_values_do_not_ask_who_can_win() {
    for position in random_endings(2).take(100) {
        let (_, reports) = think(&mut searcher(1), &position, &to_depth(3));
        for report in reports {
            assert_eq!(
                on_scale(report.score),
                negamax(&position, report.depth),
                "{} {report:?}",
                position.fen()
            );
        }
    }
}

/// A proof leaves nothing in the table that a search at full width would take for its own.
#[test]
fn values_at_full_width_do_not_depend_on_what_was_settled_before() {
    let first = board("1oo3/1o1oo1/ox1oo1/ox3x/1o2o1 o 4 4 0");
    for position in [first].into_iter().chain(random_endings(3).take(100)) {
        let mut used = reducing();
        think(&mut used, &position, &to_nodes(100_000));
        used.configure(&options_of(&[("Hash", "1"), ("MultiPV", "3")])).unwrap();
        let lines = |searcher: &mut Searcher<Board>| {
            let (_, reports) = think(searcher, &position, &to_depth(2));
            reports.into_iter().map(|report| (report.depth, report.score)).collect::<Vec<_>>()
        };
        assert_eq!(lines(&mut used), lines(&mut searcher(3)), "{}", position.fen());
    }
}
