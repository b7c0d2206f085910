//! Counts of move sequences, split by how they end, against tables from independent programs.

use std::collections::BTreeMap;

use andantino::Andantino;
use game::perft::Perft;
use game::{Rules, Ruleset, Side};
use serde::Deserialize;

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
    /// Ends by `winner_reason`, or `draw`.
    #[serde(flatten)]
    ends: BTreeMap<String, u64>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../tests/data/andantino/perft.json");
    serde_json::from_str::<File>(text).expect("the file is well formed").positions
}

/// The ends of a row, keyed as the file has them.
fn ends(row: &Perft) -> BTreeMap<String, u64> {
    let key = |winner, reason| {
        let Some(side) = winner else { return "draw".to_owned() };
        let side = if side == Side::First { 'w' } else { 'b' };
        let reason = match reason {
            "five" => "five",
            "enclosure" => "encl",
            "self-enclosure" => "self",
            other => panic!("unknown reason {other}"),
        };
        format!("{side}_{reason}")
    };
    row.ends.iter().map(|(outcome, n)| (key(outcome.winner, outcome.reason), *n)).collect()
}

fn check(nodes: impl Fn(u64) -> bool) {
    for case in cases() {
        let state = Ruleset::<Andantino>::new().load(&case.position).expect("a legal position");
        let Some(deepest) = case.perft.iter().filter(|row| nodes(row.nodes)).map(|row| row.depth).max()
        else {
            continue;
        };
        let table = state.perft_table(deepest);
        for row in case.perft.iter().filter(|row| row.depth <= deepest) {
            let found = &table[row.depth as usize - 1];
            assert_eq!(found.nodes, row.nodes, "{}, depth {}", case.name, row.depth);
            let expected = row.ends.iter().filter(|(_, n)| **n > 0);
            let expected: BTreeMap<_, _> = expected.map(|(key, n)| (key.clone(), *n)).collect();
            assert_eq!(ends(found), expected, "{}, depth {}", case.name, row.depth);
            assert_eq!(state.perft(row.depth), row.nodes, "{}, depth {} in bulk", case.name, row.depth);
        }
    }
}

/// Largest count that takes no more than about a second.
const QUICK: u64 = 4_000_000;

#[test]
fn counts_agree() {
    check(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "counts 259 million leaves one by one"]
fn large_counts_agree() {
    check(|nodes| nodes > QUICK);
}
