//! Move counts from an independent implementation, split by result.

use std::collections::HashMap;

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

/// Compares the rows whose number of leaves `wanted` accepts: their sums by bulk counting, their results by `table`.
fn compare(wanted: impl Fn(u64) -> bool, way: Way) {
    let mut compared = 0;
    for case in cases() {
        let rows: Vec<&Row> = case.perft.iter().filter(|row| wanted(row.nodes)).collect();
        compared += rows.len();
        let compare = Compare { name: &case.name, rows: &rows, way };
        Simplexity::load(&case.position, compare).expect("the position loads");
    }
    assert!(compared > 0);
}

/// How the results are counted.
#[derive(Clone, Copy)]
enum Way {
    /// One leaf after the other.
    Each,
    /// Positions that are reached in several ways only once, ply by ply.
    Merged,
}

struct Compare<'a> {
    name: &'a str,
    rows: &'a [&'a Row],
    way: Way,
}

impl Visitor for Compare<'_> {
    type Output = ();

    fn visit<G: Playable>(self, position: G) {
        let Some(deepest) = self.rows.iter().map(|row| row.depth).max() else { return };
        let table = match self.way {
            Way::Each => perft::table(&position, deepest),
            Way::Merged => merged_table(&position, deepest),
        };
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

/// As [`perft::table`], each position with the number of ways to it; positions are told apart by their keys.
fn merged_table<G: Playable>(start: &G, depth: u32) -> Vec<Perft> {
    let mut layer = HashMap::from([(start.key(), (start.clone(), 1))]);
    let mut table = Vec::new();
    for ply in 1..=depth {
        let (mut nodes, mut ends, mut next_layer) = (0, HashMap::new(), HashMap::new());
        for (position, ways) in layer.into_values() {
            for m in position.legal_moves() {
                let next = position.play(m);
                nodes += ways;
                match next.outcome() {
                    Some(outcome) => *ends.entry(outcome).or_insert(0) += ways,
                    None if ply == depth => {}
                    None => next_layer.entry(next.key()).or_insert((next, 0)).1 += ways,
                }
            }
        }
        table.push(Perft { depth: ply, nodes, ends: ends.into_iter().collect() });
        layer = next_layer;
    }
    table
}

#[test]
fn small_counts() {
    compare(|nodes| nodes <= QUICK, Way::Each);
}

/// Some three minutes in a release build: `cargo test --release -p simplexity -- --ignored`.
#[test]
#[ignore = "counts billions of leaves"]
fn large_counts() {
    compare(|nodes| nodes > QUICK, Way::Merged);
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
