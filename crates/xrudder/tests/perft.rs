//! Action counts from an independent implementation, split by result and by kind of action.

use bits::Wide;
use game::perft::{self, Perft};
use game::{Game, Notation, Outcome, Side};
use serde::Deserialize;
use xrudder::{Cells, Move, Position};

/// Leaves that a debug build counts one by one within a second.
const QUICK: u64 = 1_000_000;

#[derive(Deserialize)]
struct File {
    positions: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    position: String,
    perft: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    depth: u32,
    nodes: u64,
    x: u64,
    o: u64,
    draw: u64,
    place: u64,
    #[serde(rename = "move")]
    step: u64,
    pass: u64,
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/xrudder/perft.json");
    let text = std::fs::read_to_string(path).expect("the counts are readable");
    serde_json::from_str::<File>(&text).expect("the counts parse").positions
}

fn load<B: Cells>(fen: &str) -> Position<B> {
    Position::from_fen(fen).expect("the position loads")
}

/// Compares the rows whose number of leaves `wanted` accepts.
fn compare<B: Cells>(wanted: impl Fn(u64) -> bool) {
    let mut compared = 0;
    for case in cases() {
        let position: Position<B> = load(&case.position);
        let rows: Vec<&Row> = case.perft.iter().filter(|row| wanted(row.nodes)).collect();
        let Some(deepest) = rows.iter().map(|row| row.depth).max() else { continue };
        let table = perft::table(&position, deepest);
        for row in &rows {
            let name = format!("{} at depth {}", case.name, row.depth);
            assert_eq!(perft::perft(&position, row.depth), row.nodes, "{name}, in bulk");
            let counted = &table[row.depth as usize - 1];
            let results = [Some(Side::First), Some(Side::Second), None].map(|winner| won_by(counted, winner));
            assert_eq!((counted.nodes, results), (row.nodes, [row.x, row.o, row.draw]), "{name}");
            assert_eq!(kinds(&position, row.depth), [row.place, row.step, row.pass], "{name}, kinds");
        }
        compared += rows.len();
    }
    assert!(compared > 0);
}

fn won_by(row: &Perft, winner: Option<Side>) -> u64 {
    row.ends.iter().filter(|(outcome, _)| outcome.winner == winner).map(|(_, n)| n).sum()
}

/// How many action sequences of `depth` plies end in a placement, a token move and a pass.
fn kinds<B: Cells>(position: &Position<B>, depth: u32) -> [u64; 3] {
    let mut sum = [0; 3];
    for m in position.legal_moves() {
        let counts = match (depth, m) {
            (1, Move::Place(_)) => [1, 0, 0],
            (1, Move::Step { .. }) => [0, 1, 0],
            (1, Move::Pass) => [0, 0, 1],
            _ => kinds(&position.play(m), depth - 1),
        };
        sum = std::array::from_fn(|i| sum[i] + counts[i]);
    }
    sum
}

#[test]
fn small_counts() {
    compare::<u128>(|nodes| nodes <= QUICK);
}

#[test]
fn small_counts_on_the_wide_board() {
    compare::<Wide<11>>(|nodes| nodes <= QUICK / 20);
}

/// About a minute in a release build: `cargo test --release -p xrudder -- --ignored`.
#[test]
#[ignore = "counts billions of leaves"]
fn large_counts() {
    compare::<u128>(|nodes| nodes > QUICK);
}

/// A position string as seen in a mirror that swaps left and right, top and bottom, the sides, or several of them.
fn mirrored(fen: &str, columns: bool, rows: bool, sides: bool) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, x, o, moves] = fields[..] else { panic!("five fields") };
    let cells = |row: &str| -> Vec<String> {
        // A run of two digits must not be read backwards.
        let mut cells: Vec<String> = Vec::new();
        for letter in row.chars() {
            match cells.last_mut() {
                Some(last) if letter.is_ascii_digit() && last.ends_with(|c: char| c.is_ascii_digit()) => {
                    last.push(letter);
                }
                _ => cells.push(letter.into()),
            }
        }
        if columns {
            cells.reverse();
        }
        cells
    };
    let mut lines: Vec<String> = board.split('/').map(|row| cells(row).concat()).collect();
    if rows {
        lines.reverse();
    }
    let swap = |text: &str| -> String {
        let other = |letter| match letter {
            'x' if sides => 'o',
            'o' if sides => 'x',
            _ => letter,
        };
        text.chars().map(other).collect()
    };
    let [x, o] = if sides { [o, x] } else { [x, o] };
    format!("{} {} {x} {o} {moves}", swap(&lines.join("/")), swap(side))
}

/// The rules know no left and right, no top and bottom, and no favourite.
#[test]
fn counts_are_symmetric() {
    for case in cases() {
        let Some(depth) = case.perft.iter().filter(|r| r.nodes <= QUICK / 20).map(|row| row.depth).max()
        else {
            continue;
        };
        let plain = perft::table(&load::<u128>(&case.position), depth);
        for image in 1..8 {
            let (columns, rows, sides) = (image & 1 != 0, image & 2 != 0, image & 4 != 0);
            let table = perft::table(&load::<u128>(&mirrored(&case.position, columns, rows, sides)), depth);
            for (row, other) in plain.iter().zip(&table) {
                assert_eq!(row.nodes, other.nodes, "{}", case.name);
                for &(Outcome { winner, reason }, n) in &row.ends {
                    let winner = if sides { winner.map(Side::other) } else { winner };
                    assert!(other.ends.contains(&(Outcome { winner, reason }, n)), "{}", case.name);
                }
            }
        }
    }
}

/// The crossing cells lie left and right, so a quarter turn is no symmetry.
#[test]
fn a_quarter_turn_is_no_symmetry() {
    let level = load::<u128>("x1x/o1o/x1x x 1 5 0").legal_moves().len();
    let crossed = load::<u128>("x1x/o1o/x1x x 1 5 0");
    let turned = load::<u128>("xox/3/xox x 1 5 0");
    let centre = Move::Place(4);
    assert_eq!(level, 3);
    assert_eq!(crossed.play(centre).outcome(), None);
    assert_eq!(turned.play(centre).outcome().and_then(|outcome| outcome.winner), Some(Side::First));
}
