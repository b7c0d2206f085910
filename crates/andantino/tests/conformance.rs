//! The common battery, on boards of every size.

mod common;

use andantino::{Andantino, Cell, MAX_RADIUS, Position, book};
use common::rows_of;
use game::{Evaluate, Family, Game, Notation, Playable, Setup, Visitor, conformance, perft};

struct Battery {
    games: usize,
}

impl Visitor for Battery {
    type Output = ();

    fn visit<G: Playable>(self, position: G) {
        conformance::check(&[position], self.games, 1);
    }
}

#[test]
fn all_boards_conform() {
    for radius in 1..=i64::from(MAX_RADIUS) {
        Andantino::start(&Setup(vec![radius]), Battery { games: 3 });
    }
}

/// The usual boards fit 21 lines with their margins.
type Usual = Position<21>;

/// The cell that `turns` sixths of a full turn about the centre and then perhaps a reflection lead to.
fn image(radius: u8, cell: Cell, turns: u8, reflected: bool) -> Cell {
    let radius = i16::from(radius);
    let (mut u, mut v) = (i16::from(cell.x) - radius, i16::from(cell.y) - radius);
    for _ in 0..turns {
        (u, v) = (u - v, u);
    }
    if reflected {
        (u, v) = (v, u);
    }
    Cell { x: (u + radius) as u8, y: (v + radius) as u8 }
}

/// The image of a whole position, by its position string.
fn image_of(position: &Usual, turns: u8, reflected: bool) -> Usual {
    let fen = position.fen();
    let (board, side) = fen.split_once(' ').expect("two fields");
    let rows: Vec<&str> = board.split('/').collect();
    let radius = (rows.len() / 2) as u8;
    let mut cells = vec![vec!['.'; rows.len()]; rows.len()];
    for (y, row) in (0..).zip(&rows) {
        let mut x = u8::saturating_sub(y, radius);
        let mut run = 0;
        for c in row.chars() {
            if let Some(digit) = c.to_digit(10) {
                run = 10 * run + digit as u8;
            } else {
                let there = image(radius, Cell { x: x + run, y }, turns, reflected);
                cells[usize::from(there.y)][usize::from(there.x)] = c;
                x += run + 1;
                run = 0;
            }
        }
    }
    let board = rows_of(usize::from(radius), &cells);
    Usual::from_fen(&format!("{board} {side}")).expect("as good as the original")
}

fn radius_of(position: &Usual) -> u8 {
    (position.fen().matches('/').count() / 2) as u8
}

#[test]
fn a_board_and_its_images_play_alike() {
    let start = Usual::from_fen("5/6/7/8/4b4/8/7/6/5 w").expect("the start");
    for (turns, reflected) in Usual::IMAGES {
        conformance::check_symmetry(
            &start,
            10,
            1,
            |position| image_of(position, turns, reflected),
            |position, m| image(radius_of(position), m, turns, reflected),
        );
    }
}

#[test]
fn the_first_positions_fold_to_one_for_each_number_of_stones() {
    let mut layer = vec![Usual::from_fen("5/6/7/8/4b4/8/7/6/5 w").expect("the start")];
    for count in [1, 6, 12] {
        assert_eq!(layer.len(), count);
        let folded = layer[0].folded().expect("few stones");
        for position in &layer {
            assert_eq!(position.folded().as_ref(), Some(&folded), "{}", position.fen());
            assert_eq!(position.folded().map(|position| position.key()), Some(folded.key()));
        }
        let is_folded = |(turns, reflected)| image_of(&layer[0], turns, reflected) == folded;
        assert!(Usual::IMAGES.into_iter().any(is_folded));
        layer = layer
            .iter()
            .flat_map(|position| position.legal_moves().into_iter().map(|m| position.play(m)))
            .collect();
    }
    assert!(layer.iter().all(|position| position.folded().is_none()));
}

#[test]
fn images_of_a_position_are_played_alike_by_the_book() {
    let start =
        Usual::from_fen("10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w").expect("the start");
    let mut met = 0;
    book::walk(&start, book::key, |position| {
        let m = position.book()?;
        met += 1;
        let next = position.play(m);
        // Where a position is its own image, several moves are as good as one.
        let expected = Usual::IMAGES.map(|(turns, mirror)| image_of(&next, turns, mirror));
        for (turns, mirror) in Usual::IMAGES {
            let image = image_of(position, turns, mirror);
            assert_eq!(image, position.image(turns, mirror));
            let m = image.book().expect("the image is in the book, too");
            assert!(expected.contains(&image.play(m)), "{}", image.fen());
        }
        Some(m)
    });
    assert_eq!(met, include_bytes!("../book/black.bin").len() / 10, "all of the book is met");
}

#[test]
fn images_have_equal_counts() {
    for (fen, depth) in [
        ("5/6/7/8/4b4/8/7/6/5 w", 7),
        ("10/11/12/13/14/15/16/8bb7/8bw1b6/8bbwwb6/8wbbw6/7www7/16/15/14/13/12/11/10 w", 4),
        ("wwb/wbb1/bwbb1/1ww1/1b1 w", 6),
    ] {
        let position = Usual::from_fen(fen).expect("a legal position");
        let counts = |position: &Usual| {
            let mut rows = perft::table(position, depth);
            // In which order the ends first appear depends on the order of the moves.
            for row in &mut rows {
                row.ends.sort_by_key(|(outcome, _)| (outcome.token(), outcome.reason));
            }
            rows
        };
        let expected = counts(&position);
        for (turns, reflected) in Usual::IMAGES {
            let image = image_of(&position, turns, reflected);
            assert_eq!(counts(&image), expected, "{}, an image of {fen}", image.fen());
        }
    }
}

/// Keys of equal stones on boards of different radius differ.
#[test]
fn different_set_ups_have_different_keys() {
    let mut keys: Vec<u64> =
        (1..=i64::from(MAX_RADIUS)).map(|radius| Andantino::start(&Setup(vec![radius]), Key)).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), usize::from(MAX_RADIUS));
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
    let position = Usual::from_fen("2/1b1/2 w").expect("the start");
    for (x, y) in [(0, 2), (2, 0), (3, 3), (255, 0), (0, 255), (255, 255)] {
        assert!(!position.is_legal(Cell { x, y }));
    }
}
