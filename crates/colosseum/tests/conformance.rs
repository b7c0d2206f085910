//! The common battery, on boards of every width.

mod common;

use bits::Wide;
use colosseum::{Colosseum, Direction, Move, Position};
use common::Symmetry;
use game::{Evaluate, Family, Game, Notation, Playable, Visitor, conformance};

struct Battery {
    games: usize,
}

impl Visitor for Battery {
    type Output = ();

    fn visit<G: Playable>(self, position: G) {
        conformance::check(&[position], self.games, 1);
    }
}

fn set_up(values: &str) -> game::Setup {
    let keys = Colosseum::PARAMS.iter().map(|p| p.key);
    let pairs: Vec<_> = keys.zip(values.split(' ')).collect();
    Colosseum::setup(&pairs).expect("the set-up is valid")
}

#[test]
fn all_boards_conform() {
    for (values, games) in [
        ("3 auto auto 2022 1", 10),
        ("3 0 0 2023 2", 5),
        ("4 auto 4 2023 3", 5),
        ("5 900 auto 2022 4", 3),
        ("6 auto auto 2022 0", 3),
        ("7 1 7 2022 6", 2),
        ("8 auto auto 2023 7", 2),
        ("9 auto auto 2022 8", 1),
        ("12 2 12 2022 9", 1),
        ("16 1 16 2022 10", 1),
        ("17 1 17 2022 11", 1),
    ] {
        Colosseum::start(&set_up(values), Battery { games });
    }
}

/// The largest board has too many moves for whole games.
#[test]
fn the_largest_board_conforms_at_its_start() {
    fn last_moves<G: Playable>(position: &G) -> G {
        let m = position.legal_moves().into_iter().last().expect("a legal move");
        position.play(m)
    }
    struct Look;
    impl Visitor for Look {
        type Output = ();
        fn visit<G: Playable>(self, position: G) {
            let position = last_moves(&last_moves(&position));
            assert_eq!(position.key(), position.key_from_scratch());
            assert_eq!(G::from_fen(&position.fen()).as_ref(), Ok(&position));
            assert!(position.evaluate().abs() <= G::LIMIT);
            assert!(position.legal_moves().into_iter().all(|m| position.is_legal(m)));
            assert!(
                position
                    .legal_moves()
                    .into_iter()
                    .all(|m| position.history_index(m) < position.history_size())
            );
        }
    }
    for values in ["30 auto auto 2022 0", "30 900 30 2023 1"] {
        Colosseum::start(&set_up(values), Look);
    }
}

#[test]
fn loaded_positions_conform() {
    for fen in [
        "rrrr1/rrrr1/rrrr1/rrrr1/5 a1 a2 a",
        "rrd2/2r2/1dbr1/rd3/r4 c1 c3 a",
        "3r1/3rd/5/5/5 a1 e5 b",
        "3b3/2r1d2/2rb1rd/d6/r1d4/rd1b3/2r4 d3 b6 b",
        "bbbbd/bbbbd/bbbbd/bbbbd/rrrr1 a1 e5 b 3",
    ] {
        Colosseum::load(fen, Battery { games: 3 }).expect("a good position");
        conformance::check(&[Position::<u128>::from_fen(fen).expect("a good position")], 1, 1);
        conformance::check(&[Position::<Wide<3>>::from_fen(fen).expect("a good position")], 1, 1);
        conformance::check(&[Position::<Wide<4>>::from_fen(fen).expect("a good position")], 1, 1);
        conformance::check(&[Position::<Wide<15>>::from_fen(fen).expect("a good position")], 1, 1);
    }
}

/// A board and all its images, with the agents as they are.
#[test]
fn a_board_and_its_images_play_alike() {
    for start in ["6/d2d2/4r1/r1d2d/6/6 c2 d5 a", "rr3/2r2/1ddr1/rd3/r4 d3 b3 b", "8/8/8/8/8/8/8/8 a1 h8 a 2"]
    {
        let start = Position::<u64>::from_fen(start).expect("a good position");
        for symmetry in Symmetry::all().take(8) {
            let image_of = |position: &Position<u64>, m: Move| symmetry.of_move(position.size(), m);
            conformance::check_symmetry(&start, 1, 1, |position| symmetry.of_position(position), image_of);
        }
    }
}

/// The exchange of the agents changes nothing for the side to move.
#[test]
fn the_agents_are_equals() {
    for fen in ["6/d2d2/4r1/r1d2d/6/6 c2 d5 a", "rr3/2r2/1ddr1/rd3/r4 d3 b3 b"] {
        let position = Position::<u64>::from_fen(fen).expect("a good position");
        for symmetry in Symmetry::all().skip(8) {
            let image = symmetry.of_position(&position);
            assert_eq!(image.side_to_move(), position.side_to_move().other());
            assert_eq!(image.evaluate(), position.evaluate(), "{symmetry:?}");
            for m in position.legal_moves() {
                let (here, there) = (position.play(m), image.play(symmetry.of_move(image.size(), m)));
                assert_eq!(symmetry.of_position(&here), there, "{symmetry:?}");
                let winner = |p: &Position<u64>| p.outcome().map(|o| o.winner);
                let swapped = winner(&here).map(|winner| winner.map(|side| symmetry.of_side(side)));
                assert_eq!(winner(&there), swapped, "{symmetry:?}");
            }
        }
    }
}

#[test]
fn different_positions_have_different_keys() {
    let fens = [
        "4/4/4/4 a1 b2 a",
        "4/4/4/4 a1 b2 b",
        "4/4/4/4 b2 a1 a",
        "4/4/4/4 a1 b2 a 3",
        "4/4/4/4 a1 b2 a 258",
        "5/5/5/5/5 a1 b2 a",
        "5/5/5/5/5 a1 b2 a 2",
        "r3/4/4/4 a1 b2 a",
        "d3/4/4/4 a1 b2 a",
        "1r2/4/4/4 a1 b2 a",
    ];
    let keys = fens.map(|fen| Position::<u64>::from_fen(fen).expect("a good position").key());
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "{} has the key of another", fens[i]);
        assert_eq!(Position::<u128>::from_fen(fens[i]).map(|p| p.key()), Ok(*key), "in another width");
        assert_eq!(Position::<Wide<15>>::from_fen(fens[i]).map(|p| p.key()), Ok(*key), "in another width");
    }
}

#[test]
fn any_move_may_be_asked_for() {
    fn check<B: colosseum::Cells>() {
        let position = Position::<B>::from_fen("3/3/3 a1 c3 a 4").expect("a good position");
        for (row, col) in [(0, 3), (3, 0), (7, 8), (8, 0), (0, 255), (255, 0), (255, 255), (2, 2)] {
            for wall in Direction::ALL {
                assert!(!position.is_legal(Move { row, col, wall }), "{row} {col} {wall:?}");
            }
        }
        assert!(position.is_legal(Move { row: 0, col: 2, wall: Direction::Left }));
        assert!(!position.is_legal(Move { row: 0, col: 2, wall: Direction::Up }));
    }
    check::<u64>();
    check::<u128>();
    check::<Wide<3>>();
    check::<Wide<4>>();
    check::<Wide<15>>();
}
