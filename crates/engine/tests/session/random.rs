use proptest::prelude::*;
use protocol::Reply;

use crate::client::Client;
use crate::toy::Toy;

/// A line of a controller that is careless, but never says `quit`.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "ugi", "uci", "isready", "uginewgame", "ucinewgame", "stop", "d", "help", "debug on", "", "# comment",
            "setup toy", "setup toy pile 5", "setup toy pile 2000 take 9", "setup toy pile 0", "setup chess",
            "setoption name pile value 1500", "setoption name take value auto", "setoption name take value 9",
            "setoption name Agent value first", "setoption name Agent value builtin", "setoption name Hash value 1",
            "setoption name MultiPV value 3", "setoption name Agent value panic", "setoption name Agent value mute",
            "position startpos", "position current", "position fen 2 3 p1 0,0 moves t2", "position fen 1 2 3",
            "position fen 1999 3 p2 7,7", "legal 1 t1", "legal 1 t9", "query status", "query game", "query legal",
            "query fen", "query moves", "query result", "query eval", "query perft 4", "query perft 6", "wait",
        ]).prop_map(str::to_owned),
        3 => prop::sample::select(vec![
            "go", "go infinite", "go depth 2", "go nodes 50", "go movetime 1", "go depth 3 searchmoves t1",
            "go searchmoves t9", "go p1time 20 p2time 20", "go p1time", "go ponder", "go depth 1 tag t", "go mate 1",
            "go depth 99999999999999999999", "go movetime -1 nodes 7",
        ]).prop_map(str::to_owned),
        2 => prop::collection::vec(prop::sample::select(vec!["t1", "t2", "t3"]), 0..8)
            .prop_map(|moves| format!("position current moves {}", moves.join(" "))),
        1 => "[a-z0-9 \\-\t]{0,30}".prop_filter("no way out", |text| !text.contains("quit")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_conversation_has_one_bestmove_per_go(lines in prop::collection::vec(line(), 1..40)) {
        let mut client = Client::builtin::<Toy>();
        client.send("setoption name EofGrace value 20");
        for line in &lines {
            client.send(line);
        }
        let said = client.finish();
        let asked = lines.iter().filter(|line| line.split([' ', '\t']).find(|w| !w.is_empty()) == Some("go")).count();
        let answered = said.iter().filter(|line| line.starts_with("bestmove ")).count();
        prop_assert_eq!(asked, answered, "{:?}\n{:?}", lines, said);
        for line in said {
            prop_assert!(!matches!(Reply::parse(line.as_bytes()), Reply::Unknown(_)), "{line}");
        }
    }
}
