use protocol::{Reply, Token};

use crate::client::{Client, play};
use crate::toy::Toy;

fn parsed(lines: &[String]) -> Vec<Reply> {
    lines.iter().map(|line| Reply::parse(line.as_bytes())).collect()
}

#[test]
fn the_identity_names_everything() {
    let said = play::<Toy>("builtin", "ugi");
    assert_eq!(
        said,
        [
            "id name Ludus Toy",
            "id author the Ludus developers",
            concat!("id version ", env!("CARGO_PKG_VERSION")),
            "protocol ludus 1.0",
            "cap setup query errors tag incremental multipv searchmoves perft wait",
            "game toy param pile type int default 21 min 1 max 1000000 \
             param take type int default auto min 1 max 9 var auto",
            "option name EofGrace type spin default 10000 min 0 max 86400000",
            "option name MoveOverhead type spin default 10 min 0 max 10000",
            "option name Hash type spin default 16 min 1 max 65536",
            "option name MultiPV type spin default 1 min 1 max 64",
            "option name FullWidth type check default false",
            "option name Threads type spin default 1 min 1 max 256",
            "option name Level type spin default 10 min 1 max 10",
            "option name Prover type spin default 0 min 0 max 65536",
            "option name OwnBook type check default true",
            "option name Seed type spin default 0 min 0 max 9223372036854775807",
            "option name Agent type combo default builtin var builtin var first var idle var chatty var mute \
             var panic var deaf var greedy",
            "option name UCI_Variant type combo default toy var toy",
            "option name pile type spin default 21 min 1 max 1000000",
            "option name take type string default auto",
            "ugiok",
        ]
    );
    assert!(parsed(&said).iter().all(|reply| !matches!(reply, Reply::Unknown(_))));
}

#[test]
fn constants_of_the_search_are_listed_only_if_asked_for() {
    let tunes = |config| {
        let mut client = Client::with::<Toy>(config);
        client.send("ugi\nsetoption name Tune.Reduction value 900\nquit");
        let said = client.finish();
        assert!(!said.iter().any(|line| line.starts_with("error")), "they can be set in any case: {said:?}");
        said.into_iter().filter(|line| line.starts_with("option name Tune.")).collect::<Vec<_>>()
    };
    assert!(tunes(engine::Config::default()).is_empty());
    let listed = tunes(engine::Config { tunable: true, ..engine::Config::default() });
    assert!(listed.contains(&"option name Tune.Reduction type spin default 1000 min 0 max 2500".to_owned()));
}

#[test]
fn an_agent_lists_its_own_options() {
    let said = play::<Toy>("greedy", "ugi");
    assert_eq!(said[0], "id name Tester greedy 1");
    assert!(said.contains(&"option name Greed type spin default 1 min 1 max 9".to_owned()));
    assert!(!said.iter().any(|line| line.contains("Hash")));
    // What it has no option for it doesn't announce, and the default of the choice is the agent that plays.
    assert!(said.contains(&"cap setup query errors tag incremental searchmoves perft wait".to_owned()));
    assert!(
        said.iter().any(|line| line.starts_with("option name Agent type combo default greedy var builtin "))
    );
}

#[test]
fn an_unknown_agent_is_refused() {
    let error = engine::run::<Toy>(
        std::io::empty(),
        std::io::sink(),
        engine::Config { agent: "nobody".to_owned(), ..engine::Config::default() },
    );
    let text = error.unwrap_err().to_string();
    assert!(text.starts_with("unknown agent nobody: expected one of builtin, first, idle"), "{text}");
}

#[test]
fn uci_sees_no_foreign_line() {
    let said = play::<Toy>("builtin", "uci\nsetoption name Nothing\nfoo\ngo depth 3\nisready");
    for line in &said {
        let first = line.split(' ').next().unwrap();
        assert!(["id", "option", "uciok", "info", "bestmove", "readyok"].contains(&first), "{line}");
    }
    assert!(said.contains(&"info string error unknown-option Nothing".to_owned()));
    assert!(said.iter().any(|line| line.starts_with("info string error unknown-command foo")));

    let mut client = Client::builtin::<Toy>();
    client.send("uci\nposition fen 5 3 p1 0,0\ngo depth 9");
    let info = loop {
        let line = client.line();
        if line.starts_with("info depth") && line.contains("mate") {
            break line;
        }
    };
    assert!(!info.contains("endply"), "{info}");
    client.finish();
}

#[test]
fn the_hello_word_can_come_again_and_switches_the_mode() {
    let said = play::<Toy>("first", "foo\nuci\nfoo\nugi\nfoo");
    let errors: Vec<_> = said.iter().filter(|line| line.contains("foo")).map(|l| &l[..22]).collect();
    assert_eq!(errors, ["error unknown-command ", "info string error unkn", "error unknown-command "]);
}

#[test]
fn another_version_is_unsupported_but_answered() {
    let said = play::<Toy>("first", "ugi 2");
    assert!(said[0].starts_with("error unsupported version"), "{}", said[0]);
    assert_eq!(said.last().unwrap(), "ugiok");
    assert!(play::<Toy>("first", "ugi 1")[0].starts_with("id name"));
}

#[test]
fn everything_works_without_a_hello() {
    assert_eq!(play::<Toy>("first", "isready"), ["readyok"]);
    assert_eq!(play::<Toy>("first", "go depth 1"), ["bestmove t1"], "from the default start position");
    assert_eq!(play::<Toy>("first", "query fen"), ["response fen 21 3 p1 0,0"]);
}

#[test]
fn every_word_of_the_identity_is_a_token() {
    for word in ["toy", "pile", "take"] {
        assert!(Token::new(word).is_some());
    }
}
