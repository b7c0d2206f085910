//! Move counts from an independent implementation, split by result.

use game::perft::{self, Perft};
use game::{Family, Game, Playable, Side, Visitor};
use serde::Deserialize;
use simplexity::Simplexity;

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
    white: u64,
    red: u64,
    draw: u64,
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/simplexity/perft.json");
    let text = std::fs::read_to_string(path).expect("the counts are readable");
    serde_json::from_str::<File>(&text).expect("the counts parse").positions
}

/// Compares the rows whose number of leaves `wanted` accepts.
fn compare(wanted: impl Fn(u64) -> bool) {
    let mut compared = 0;
    for case in cases() {
        let rows: Vec<&Row> = case.perft.iter().filter(|row| wanted(row.nodes)).collect();
        compared += rows.len();
        Simplexity::load(&case.position, Compare { name: &case.name, rows: &rows })
            .expect("the position loads");
    }
    assert!(compared > 0);
}

struct Compare<'a> {
    name: &'a str,
    rows: &'a [&'a Row],
}

impl Visitor for Compare<'_> {
    type Output = ();

    fn visit<G: Playable>(self, position: G) {
        let Some(deepest) = self.rows.iter().map(|row| row.depth).max() else { return };
        let table = perft::table(&position, deepest);
        for row in self.rows {
            let name = format!("{} at depth {}", self.name, row.depth);
            assert_eq!(perft::perft(&position, row.depth), row.nodes, "{name}, in bulk");
            let counted = &table[row.depth as usize - 1];
            assert_eq!(counted.nodes, row.nodes, "{name}");
            let [white, red, draw] =
                [Some(Side::First), Some(Side::Second), None].map(|w| won_by(counted, w));
            assert_eq!((white, red, draw), (row.white, row.red, row.draw), "{name}, results");
        }
    }
}

fn won_by(row: &Perft, winner: Option<Side>) -> u64 {
    row.ends.iter().filter(|(outcome, _)| outcome.winner == winner).map(|(_, n)| n).sum()
}

#[test]
fn small_counts() {
    compare(|nodes| nodes <= QUICK);
}

/// About a minute in a release build: `cargo test --release -p simplexity -- --ignored`.
#[test]
#[ignore = "counts billions of leaves"]
fn large_counts() {
    compare(|nodes| nodes > QUICK);
}

/// Every count in the file is of a position that some width of board takes, in the widest one too.
#[test]
fn widths_agree() {
    for case in cases() {
        let wide = <simplexity::Position<bits::Wide<40>> as game::Notation>::from_fen(&case.position);
        let wide = wide.expect("the widest board takes all");
        for row in case.perft.iter().filter(|row| row.nodes <= QUICK / 100) {
            assert_eq!(perft::perft(&wide, row.depth), row.nodes, "{} at depth {}", case.name, row.depth);
        }
        assert_eq!(wide.key(), wide.key_from_scratch());
    }
}
