//! The common battery, on boards of every width and shape.

use game::{Family, Game, Notation, Playable, Visitor, conformance};
use simplexity::{Move, Position, Simplexity};

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
    let keys = Simplexity::PARAMS.iter().map(|p| p.key);
    let pairs: Vec<_> = keys.zip(values.split(' ')).collect();
    Simplexity::setup(&pairs).expect("the set-up is valid")
}

#[test]
fn all_boards_conform() {
    for (values, games) in [
        ("6 7 4 10 11", 10),
        ("8 13 4 26 26", 3),
        ("9 37 5 83 84", 1),
        ("50 50 4 300 300", 1),
        ("33 42 20 20 20", 1),
        ("1 50 3 9 9", 2),
        ("50 1 3 9 9", 2),
        ("1 9 4 0 5", 4),
        ("9 1 4 5 0", 4),
        ("3 3 1 2 2", 4),
        ("1 1 1 65535 65535", 2),
        ("3 3 3 2 2", 10),
        ("7 8 5 3 1", 5),
        ("31 2 31 40 2", 3),
        ("2 21 21 9 40", 3),
    ] {
        Simplexity::start(&set_up(values), Battery { games });
    }
}

#[test]
fn a_board_and_its_mirror_image_play_alike() {
    fn mirror(position: &Position<u64>) -> Position<u64> {
        let fen = position.fen();
        let (board, rest) = fen.split_once(' ').expect("four fields");
        // Runs have one digit on a board this small.
        let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
        Position::from_fen(&format!("{} {rest}", rows.join("/"))).expect("as good as the original")
    }
    let image_of =
        |position: &Position<u64>, m: Move| Move { column: position.cols() as u8 - 1 - m.column, ..m };
    // One that a network judges, and one judged by lines, threats and waiting.
    for (start, games) in [("7/7/7/7/7/7 w 10,11,10,11 4", 20), ("8/8/8/8/8 w 10,10,10,10 4", 100)] {
        let start = Position::from_fen(start).expect("the start");
        conformance::check_symmetry(&start, games, 1, mirror, image_of);
    }
}

#[test]
fn different_set_ups_have_different_keys() {
    let base = [6, 7, 4, 10, 11];
    let mut keys = Vec::new();
    for i in 0..5 {
        for change in [0, 1, -1] {
            let mut values = base;
            values[i] += change;
            keys.push((values, Simplexity::start(&game::Setup(values.to_vec()), Key)));
        }
    }
    for (a, key) in &keys {
        for (b, other) in &keys {
            assert_eq!(a == b, key == other, "{a:?} and {b:?}");
        }
    }
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
    let position = Position::<u64>::from_fen("7/7/7/7/7/7 w 10,11,10,11 4").expect("the start");
    for column in [7, 63, 64, 255] {
        for shape in simplexity::Shape::BOTH {
            assert!(!position.is_legal(Move { column, shape }));
        }
    }
}
