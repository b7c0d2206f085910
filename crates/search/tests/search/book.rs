//! The book of Andantino: who has it wins as Black from the start.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use andantino::{Position, book};
use game::{Agent, Clock, Evaluate, Game, Limits, Notation, Options, Record, Score, Side, control};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use search::{OPTIONS, Searcher, fixed_depth};

use crate::oracle::*;

/// The usual board.
type Board = Position<21>;

/// Nodes of a search that needs no book.
const NODES: u64 = 20_000;

fn start() -> Board {
    Board::from_fen("10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w").unwrap()
}

/// What can come on the board with Black to move while Black plays by the book: positions of the book and those where it
/// ends, of images one.
fn positions() -> (Vec<Board>, Vec<Board>) {
    let (mut known, mut ends) = (Vec::new(), Vec::new());
    book::walk(&start(), book::key, |position| {
        let m = position.book();
        if m.is_some() { &mut known } else { &mut ends }.push(*position);
        m
    });
    (known, ends)
}

fn is_proven(searcher: &mut Searcher<Board>, position: &Board) -> bool {
    let won = AtomicBool::new(false);
    let control =
        control(|| won.load(Relaxed), |report| won.store(matches!(report.score, Score::Win(_)), Relaxed));
    Agent::<Board>::new_game(searcher);
    searcher.think(&Record::new(*position), &to_nodes(NODES), &control);
    won.load(Relaxed)
}

/// Where the book ends, a search proves the win: in the images of each position, every `step`-th of all.
fn check_ends(step: usize) {
    let mut searcher = reducing();
    let (known, ends) = positions();
    assert!(!known.is_empty() && ends.len() > known.len());
    let images =
        ends.iter().flat_map(|end| Board::IMAGES.map(|(turns, is_mirrored)| end.image(turns, is_mirrored)));
    for image in images.step_by(step) {
        assert!(is_proven(&mut searcher, &image), "no win found in {}", image.fen());
    }
}

#[test]
fn where_the_book_ends_a_search_proves_the_win() {
    // Prime to the number of images, so that they take turns.
    check_ends(13);
}

#[test]
#[ignore = "a minute or two"]
fn where_the_book_ends_a_search_proves_the_win_however_the_board_lies() {
    check_ends(1);
}

/// Games from the start against a White that plays at random at first, fewer or more moves, and then searches so many nodes.
fn check_games(seeds: Range<u32>, white_nodes: u64) {
    for seed in seeds {
        let mut random = Pcg64Mcg::seed_from_u64(seed.into());
        let (mut white, mut black) = (reducing(), reducing());
        let mut record = Record::new(start());
        while record.position().outcome().is_none() {
            let position = record.position();
            let is_white = position.side_to_move() == Side::First;
            let m = if is_white && record.moves().len() < 2 * (seed % 20) as usize {
                let moves = position.legal_moves();
                moves[random.random_range(0..moves.len() as u32) as usize]
            } else {
                let (agent, nodes) = if is_white { (&mut white, white_nodes) } else { (&mut black, NODES) };
                agent.think(&record, &to_nodes(nodes), &control(|| false, |_| {})).unwrap()
            };
            assert!(record.try_play(m));
        }
        let winner = record.position().outcome().unwrap().winner;
        assert_eq!(winner, Some(Side::Second), "seed {seed}: {}", record.position().fen());
    }
}

#[test]
fn black_wins_from_the_start() {
    check_games(0..16, 2_000);
}

#[test]
#[ignore = "a minute or two"]
fn black_wins_from_the_start_against_white_as_strong() {
    check_games(0..200, NODES);
}

/// A position of the book with more moves than a first look at one takes nodes.
fn rich_position() -> Board {
    positions().0.into_iter().max_by_key(Board::count_moves).unwrap()
}

#[test]
fn the_book_is_played_under_the_limits_of_games() {
    let position = rich_position();
    let time = Duration::from_secs(9);
    let clock = Some(Clock { remaining: time, increment: time, moves_to_go: None });
    for (limits, depth) in [
        (to_depth(3), 3),
        (Limits { nodes: Some(1 << 40), depth: Some(3), ..Limits::default() }, 3),
        (Limits { movetime: Some(time), ..Limits::default() }, 1),
        (Limits { clock, ..Limits::default() }, 1),
    ] {
        for prover in ["0", "1"] {
            let mut searcher = searcher_of(&[("Hash", "1"), ("Prover", prover)]);
            let (best, reports) = think(&mut searcher, &position, &limits);
            let last = reports.last().unwrap();
            assert_eq!((Some(best), last.pv[0], last.depth), (position.book(), best, depth), "{limits:?}");
            assert!(reports[0].nodes < position.count_moves());
        }
    }
}

#[test]
fn analyses_and_weak_levels_have_no_book() {
    let position = rich_position();
    let limits = to_depth(1);
    let looks_at_all = |values: &[(&str, &str)], limits: &Limits<_>| {
        let mut searcher = searcher_of(values);
        let (_, reports) = think_with(&mut searcher, &position, limits, Recorder::new(u64::MAX, 1));
        assert!(reports[0].nodes >= position.count_moves(), "{values:?}, {limits:?}");
    };
    for option in [("OwnBook", "false"), ("FullWidth", "true"), ("MultiPV", "2"), ("Level", "9")] {
        looks_at_all(&[option], &limits);
    }
    let searchmoves = position.legal_moves();
    looks_at_all(&[], &Limits { searchmoves, ..limits });
    looks_at_all(&[], &Limits { mate: Some(9), ..Limits::default() });
    looks_at_all(&[], &Limits { infinite: true, ..to_depth(1) });
    looks_at_all(&[], &Limits::default());
    let nodes = fixed_depth(&position, 1, &Options::defaults(OPTIONS)).unwrap();
    assert!(nodes >= position.count_moves());
}
