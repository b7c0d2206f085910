//! The common battery, on boards of every width and shape.

use bits::Wide;
use game::{Family, Game, Notation, Playable, Visitor, conformance};
use xrudder::{Direction, Move, Position, XRudder};

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
    let keys = XRudder::PARAMS.iter().map(|p| p.key);
    let pairs: Vec<_> = keys.zip(values.split(' ')).collect();
    XRudder::setup(&pairs).expect("the set-up is valid")
}

#[test]
fn all_boards_conform() {
    for (values, games) in [
        ("10 12 15 30", 2),
        ("10 12 16 31", 1),
        ("26 26 3 3", 1),
        ("11 12 3 3", 1),
        ("8 16 3 9", 1),
        ("5 5 7 9", 5),
        ("3 3 5 9", 10),
        ("3 9 9 9", 2),
        ("9 3 9 9", 2),
        ("1 1 1 1", 2),
        ("1 26 5 9", 2),
        ("26 1 5 9", 2),
        ("2 2 1 9", 4),
        ("4 4 0 9", 1),
        ("3 3 999 9999", 2),
        ("4 6 2 0", 4),
    ] {
        XRudder::start(&set_up(values), Battery { games });
    }
}

#[test]
fn loaded_positions_conform() {
    for fen in [
        "5/1x1x1/1oxo1/1x1x1/5 o 5 5 9",
        "7/x1x2o1/oxo1o2/x1xo1o1/7 o 0 0 20",
        "xo1/oo1/3 x 0 0 4",
        "3/1x1/3 x 0 3 0",
        "x1x1x/1x1x1/2x2/5 o 9 9 9",
    ] {
        XRudder::load(fen, Battery { games: 5 }).expect("a good position");
        conformance::check(&[Position::<Wide<11>>::from_fen(fen).expect("a good position")], 1, 1);
    }
}

/// The images under which the rules stay the same: left and right, top and bottom, and both.
#[test]
fn a_board_and_its_mirror_images_play_alike() {
    for (turn_columns, turn_rows) in [(true, false), (false, true), (true, true)] {
        let image = |position: &Position<u128>| {
            let fen = position.fen();
            let (board, rest) = fen.split_once(' ').expect("five fields");
            // Runs have one digit on a board this small.
            let turned = |row: &str| if turn_columns { row.chars().rev().collect() } else { row.to_owned() };
            let mut rows: Vec<String> = board.split('/').map(turned).collect();
            if turn_rows {
                rows.reverse();
            }
            Position::from_fen(&format!("{} {rest}", rows.join("/"))).expect("as good as the original")
        };
        let image_of = |position: &Position<u128>, m: Move| {
            let (rows, cols) = (position.rows() as u16, position.cols() as u16);
            let cell = |cell: u16| {
                let (row, col) = (cell / cols, cell % cols);
                let row = if turn_rows { rows - 1 - row } else { row };
                row * cols + if turn_columns { cols - 1 - col } else { col }
            };
            match m {
                Move::Place(at) => Move::Place(cell(at)),
                Move::Step { from, direction } => {
                    let (up, right) = direction.delta();
                    let delta = (if turn_rows { -up } else { up }, if turn_columns { -right } else { right });
                    let turned = Direction::ALL.into_iter().find(|d| d.delta() == delta);
                    Move::Step { from: cell(from), direction: turned.expect("one of eight") }
                }
                Move::Pass => Move::Pass,
            }
        };
        for start in ["7/7/7/7/7/7 x 9 9 20", "7/x1x2o1/oxo1o2/x1xo1o1/7 o 3 3 20"] {
            let start = Position::from_fen(start).expect("a good position");
            conformance::check_symmetry(&start, 4, 1, image, image_of);
        }
    }
}

#[test]
fn different_set_ups_have_different_keys() {
    let base = [10, 12, 15, 30];
    let mut keys = Vec::new();
    for i in 0..4 {
        for change in [0, 1, -1] {
            let mut values = base;
            values[i] += change;
            keys.push((values, XRudder::start(&game::Setup(values.to_vec()), Key)));
        }
    }
    for (a, key) in &keys {
        for (b, other) in &keys {
            assert_eq!(a == b, key == other, "{a:?} and {b:?}");
        }
    }
    // Hands do not follow from the board in positions that are loaded.
    let key = |fen: &str| Position::<u128>::from_fen(fen).expect("a good position").key();
    assert_ne!(key("3/3/3 x 5 6 9"), key("3/3/3 x 6 5 9"));
}

struct Key;

impl Visitor for Key {
    type Output = u64;

    fn visit<G: Playable>(self, position: G) -> u64 {
        position.key()
    }
}

#[test]
fn any_move_may_be_asked_for() {
    fn check<B: xrudder::Cells>() {
        let position = Position::<B>::from_fen("3/1x1/3 x 5 5 5").expect("a good position");
        for cell in [4, 9, 63, 64, 127, 128, 675, 676, 703, 704, 65_535] {
            assert!(!position.is_legal(Move::Place(cell)), "{cell}");
            for direction in Direction::ALL {
                assert_eq!(position.is_legal(Move::Step { from: cell, direction }), cell == 4, "{cell}");
            }
        }
        assert!(!position.is_legal(Move::Pass));
    }
    check::<u128>();
    check::<Wide<11>>();
}
