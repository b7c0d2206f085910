use super::*;
use crate::record::EngineRecord;

fn plan(names: &[&str], points: [f64; 3], swap: bool) -> PlanRecord {
    let engine = |name: &&str| EngineRecord { name: (*name).into(), ..EngineRecord::default() };
    PlanRecord {
        game: "simplexity".into(),
        engines: names.iter().map(engine).collect(),
        points,
        swap,
        ..PlanRecord::default()
    }
}

fn game(pair: u64, p1: &str, p2: &str, result: &str) -> Record {
    let (p1, p2, result) = (p1.into(), p2.into(), result.into());
    Record::Game(GameRecord { pair, p1, p2, result, ..GameRecord::default() })
}

/// The cases of the statistics' reference file: (first, second, result of the first).
fn reference(function: &str, points: [f64; 3]) -> (Standings, serde_json::Value) {
    let text = include_str!("../../../../tests/data/stats-vectors.json");
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let case = file["cases"].as_array().unwrap().iter().find(|case| case["fn"] == function).unwrap().clone();
    let mut standings = Standings::new(&plan(&["D", "C", "B", "A"], points, true));
    for (i, line) in case["input"]["games"].as_array().unwrap().iter().enumerate() {
        let result = ["p2win", "draw", "p1win"][(line[2].as_f64().unwrap() * 2.0) as usize];
        let [p1, p2] = [0, 1].map(|side| line[side].as_str().unwrap());
        standings.add(&game(i as u64 / 2, p1, p2, result)).unwrap();
    }
    (standings, case["output"].clone())
}

#[test]
fn points_and_tie_breaks_agree_with_the_reference_cases() {
    for (function, points) in [("tiebreaks_1_half_0", [1.0, 0.5, 0.0]), ("tiebreaks_3_1_0", [3.0, 1.0, 0.0])]
    {
        let (standings, expected) = reference(function, points);
        for row in standings.rows() {
            let name = &standings.names()[row.engine];
            let value = |key: &str| expected[key][name].as_f64().unwrap();
            let got = [row.points, row.sonneborn_berger, row.total.games[2] as f64];
            let wanted = ["points", "sonneborn_berger", "wins"].map(value);
            assert_eq!(got.map(f64::to_bits), wanted.map(f64::to_bits), "{function} {name}");
        }
    }
}

fn order(standings: &Standings) -> Vec<&str> {
    standings.rows().iter().map(|row| standings.names()[row.engine].as_str()).collect()
}

#[test]
fn ties_are_broken_by_direct_encounter_first() {
    // Under 3/1/0 B and C have 7 points each; they drew once and B won once.
    let (standings, _) = reference("tiebreaks_3_1_0", [3.0, 1.0, 0.0]);
    assert_eq!(order(&standings), ["A", "B", "C", "D"]);
}

#[test]
fn without_any_difference_the_plan_decides() {
    let mut standings = Standings::new(&plan(&["B", "A"], [1.0, 0.5, 0.0], true));
    standings.add(&game(0, "A", "B", "draw")).unwrap();
    assert_eq!(order(&standings), ["B", "A"]);
}

#[test]
fn pairs_are_counted_when_complete_in_any_order() {
    let mut standings = Standings::new(&plan(&["A", "B"], [1.0, 0.5, 0.0], true));
    for (pair, p1, p2, result) in [
        (0, "A", "B", "p1win"),
        (1, "B", "A", "draw"),
        (2, "A", "B", "p2win"),
        (1, "A", "B", "p1win"),
        (0, "B", "A", "p2win"),
        (2, "B", "A", "unfinished"),
    ] {
        standings.add(&game(pair, p1, p2, result)).unwrap();
    }
    // Pair 0: two wins of A. Pair 1: draw and win. Pair 2: half a pair, no pair.
    let expected = Encounter { games: [1, 1, 3], singles: [1, 0, 0], pairs: [0, 0, 0, 1, 1] };
    assert_eq!(standings.between(0, 1), &expected);
    let expected = Encounter { games: [3, 1, 1], singles: [0, 0, 1], pairs: [1, 1, 0, 0, 0] };
    assert_eq!(standings.between(1, 0), &expected);
    assert_eq!(standings.games(), 5);
    standings.add(&game(2, "B", "A", "p2win")).unwrap();
    assert_eq!(standings.between(0, 1).pairs, [0, 0, 1, 1, 1]);
}

#[test]
fn points_are_the_sum_of_the_records() {
    let mut standings = Standings::new(&plan(&["A", "B", "C"], [3.0, 1.0, 0.0], true));
    let (mut wins, mut draws) = (0, 0);
    for i in 0..60u64 {
        let [p1, p2] = [["A", "B"], ["B", "C"], ["C", "A"]][(i % 3) as usize];
        let result = ["p1win", "p2win", "draw", "unfinished"][(i * i % 4) as usize];
        wins += u64::from(result.ends_with("win"));
        draws += u64::from(result == "draw");
        standings.add(&game(i, p1, p2, result)).unwrap();
    }
    let sum: f64 = standings.rows().iter().map(|row| row.points).sum();
    assert_eq!(sum.to_bits(), ((3 * wins + 2 * draws) as f64).to_bits());
    assert_eq!(standings.games(), wins + draws);
}

#[test]
fn times_are_the_movers() {
    let mut record = plan(&["A", "B"], [1.0, 0.5, 0.0], true);
    record.limits.movetime = Some(10);
    let mut standings = Standings::new(&record);
    let fen = "7/7/7/7/7/3w3 r 9,11,10,11 4".into();
    let (p1, p2, result) = ("A".into(), "B".into(), "draw".into());
    let times_ms = vec![1.0, 20.0, 3.0];
    let game = GameRecord { p1, p2, fen, times_ms, result, ..GameRecord::default() };
    standings.add(&Record::Game(game)).unwrap();
    let [a, b] = [standings.times()[0], standings.times()[1]];
    assert_eq!((a.moves, a.over, b.moves, b.over), (1, 1, 2, 0));
    let expected = TimeUse { limit_ms: Some(10), moves: 2, total_ms: 4.0, max_ms: 3.0, ..TimeUse::default() };
    assert_eq!(b, TimeUse { histogram: [0, 1, 1, 0, 0, 0, 0], ..expected });
}

#[test]
fn faults_count_with_their_game() {
    let mut standings = Standings::new(&plan(&["A", "B"], [1.0, 0.5, 0.0], true));
    let fault = FaultRecord { engine: "A".into(), reason: "crash".into(), ..FaultRecord::default() };
    standings.add(&Record::Fault(fault.clone())).unwrap();
    assert_eq!(standings.faults(), []);
    standings.add(&Record::Fault(fault.clone())).unwrap();
    let Record::Game(lost) = game(0, "A", "B", "p2win") else { panic!("a game") };
    let mut again = standings.clone();
    standings.add(&Record::Game(GameRecord { guilty: Some("A".into()), ..lost.clone() })).unwrap();
    assert_eq!(standings.faults(), [fault]);
    again.add(&Record::Game(lost)).unwrap();
    assert_eq!(again.faults(), [], "it was played again and ended well");
    let faults: Vec<_> = standings.rows().iter().map(|row| row.faults).collect();
    assert_eq!(faults, [0, 1]);
}

#[test]
fn unknown_engines_are_named() {
    let mut standings = Standings::new(&plan(&["A", "B"], [1.0, 0.5, 0.0], true));
    let error = standings.add(&game(0, "A", "X", "draw")).unwrap_err();
    assert!(error.contains("\"X\""), "{error}");
}

#[test]
fn merged_journals_share_engines_by_name() {
    let one = plan(&["A", "B"], [1.0, 0.5, 0.0], true);
    let mut standings = Standings::new(&one);
    standings.add(&game(0, "A", "B", "p1win")).unwrap();
    standings.merge_plan(&plan(&["B", "C"], [1.0, 0.5, 0.0], true));
    standings.add(&game(0, "B", "C", "p1win")).unwrap();
    assert_eq!(standings.names(), ["A", "B", "C"]);
    assert_eq!(standings.between(0, 1).games, [0, 0, 1]);
    assert_eq!(standings.between(1, 2).games, [0, 0, 1]);
    assert_eq!(standings.between(0, 1).pairs, [0; 5]);
}
