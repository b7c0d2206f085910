//! Move counts from independent implementations, split by result.

mod common;

use bits::Wide;
use colosseum::{Cells, Colosseum, Position};
use common::Symmetry;
use game::perft::{self, Perft};
use game::{Family, Game, Notation, Outcome, Playable, Side, Visitor};
use serde::Deserialize;

/// Leaves that a debug build counts one by one within a second.
const QUICK: u64 = 2_500_000;

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
#[serde(rename_all = "camelCase")]
struct Row {
    depth: u32,
    nodes: u64,
    win_a: u64,
    win_b: u64,
    draw: u64,
    diff: i64,
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/colosseum/perft.json");
    let text = std::fs::read_to_string(path).expect("the counts are readable");
    serde_json::from_str::<File>(&text).expect("the counts parse").positions
}

/// Compares the rows whose number of leaves `wanted` accepts.
fn compare(wanted: impl Fn(u64) -> bool) {
    let mut compared = 0;
    for case in cases() {
        let rows: Vec<&Row> = case.perft.iter().filter(|row| wanted(row.nodes)).collect();
        compared += rows.len();
        Colosseum::load(&case.position, Compare { name: &case.name, rows: &rows })
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
            let [a, b, draw] = [Some(Side::First), Some(Side::Second), None].map(|w| won_by(counted, w));
            assert_eq!((a, b, draw), (row.win_a, row.win_b, row.draw), "{name}, results");
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

/// Well under a minute in a release build: `cargo test --release -p colosseum -- --ignored`.
#[test]
#[ignore = "counts hundreds of millions of leaves"]
fn large_counts() {
    compare(|nodes| nodes > QUICK);
}

/// The sum of A's cells less B's over the games that end at exactly `depth`.
fn difference<G: Game>(position: &G, depth: u32) -> i64 {
    if depth == 0 {
        let (a, b) = position.score().expect("a game of points");
        return if position.outcome().is_some() { i64::from(a) - i64::from(b) } else { 0 };
    }
    position.legal_moves().into_iter().map(|m| difference(&position.play(m), depth - 1)).sum()
}

#[test]
fn scores_add_up() {
    struct Differences<'a>(&'a Case);
    impl Visitor for Differences<'_> {
        type Output = ();
        fn visit<G: Playable>(self, position: G) {
            for row in self.0.perft.iter().filter(|row| row.nodes <= QUICK / 5) {
                let name = format!("{} at depth {}", self.0.name, row.depth);
                assert_eq!(difference(&position, row.depth), row.diff, "{name}");
            }
        }
    }
    for case in cases() {
        Colosseum::load(&case.position, Differences(&case)).expect("the position loads");
    }
}

/// Every position counts the same in wider rows than it needs.
#[test]
fn widths_agree() {
    fn check<B: Cells>() {
        for case in cases() {
            let Ok(position) = Position::<B>::from_fen(&case.position) else { continue };
            for row in case.perft.iter().filter(|row| row.nodes <= QUICK / 100) {
                let name = format!("{} at depth {}", case.name, row.depth);
                assert_eq!(perft::perft(&position, row.depth), row.nodes, "{name}");
            }
        }
    }
    check::<u128>();
    check::<Wide<3>>();
    check::<Wide<4>>();
    check::<Wide<15>>();
}

/// The rules know no direction and no favourite.
#[test]
fn counts_are_symmetric() {
    for case in cases() {
        let Ok(position) = Position::<u64>::from_fen(&case.position) else { continue };
        let rows = case.perft.iter().filter(|row| row.nodes <= QUICK / 50);
        let Some(depth) = rows.map(|row| row.depth).max() else { continue };
        let plain = perft::table(&position, depth);
        for symmetry in Symmetry::all() {
            let table = perft::table(&symmetry.of_position(&position), depth);
            for (row, other) in plain.iter().zip(&table) {
                assert_eq!(row.nodes, other.nodes, "{} under {symmetry:?}", case.name);
                for &(Outcome { winner, reason }, n) in &row.ends {
                    let winner = winner.map(|side| symmetry.of_side(side));
                    let image = (Outcome { winner, reason }, n);
                    assert!(other.ends.contains(&image), "{} under {symmetry:?}", case.name);
                }
            }
        }
    }
}
