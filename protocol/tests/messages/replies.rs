//! Every rule about reading replies, above all what engines of other hands send.

use protocol::{Answer, Best, Bound, ErrorCode, ErrorReply, Info, InfoScore, OptionType, Reply, Token};

fn parse(line: &str) -> Reply {
    Reply::parse(line.as_bytes())
}

fn token(text: &str) -> Token {
    Token::new(text).unwrap()
}

fn info(line: &str) -> Info {
    match parse(line) {
        Reply::Info(info) => info,
        other => panic!("{line:?} gives {other:?}"),
    }
}

#[test]
fn replies_have_a_canonical_form() {
    let table = [
        ("id name  My  Bot 1.0 ", "id name My  Bot 1.0"),
        ("id author", "id author"),
        ("protocol ludus 1.0", "protocol ludus 1.0"),
        ("cap setup query\ttag", "cap setup query tag"),
        ("cap", "cap"),
        ("ugiok", "ugiok"),
        ("uciok\r", "uciok"),
        (" readyok ", "readyok"),
        ("setupok simplexity rows 6  cols 7", "setupok simplexity rows 6 cols 7"),
        ("setupok xrudder tokens 15 moves 30", "setupok xrudder tokens 15 moves 30"),
        ("game xrudder param moves type int default 30", "game xrudder param moves type int default 30"),
        (
            "game g param rows type int default 6 min 1 max 50 param k type choice default a var a var b",
            "game g param rows type int default 6 min 1 max 50 param k type choice default a var a var b",
        ),
        ("game go", "game go"),
        (
            "game c param steps type int max 900 min 0 default auto",
            "game c param steps type int default auto min 0 max 900",
        ),
        (
            "option name Hash type spin min 1 max 64 default 16",
            "option name Hash type spin default 16 min 1 max 64",
        ),
        ("option name Clear  Hash type button", "option name Clear Hash type button"),
        (
            "option name Style type combo default Very Solid var Very Solid var Wild",
            "option name Style type combo default Very Solid var Very Solid var Wild",
        ),
        ("option name Log type string default <empty>", "option name Log type string default <empty>"),
        ("option name Log type string default", "option name Log type string default <empty>"),
        ("option name Log type string default a min 3", "option name Log type string default a min 3"),
        ("info string  hello  world", "info string hello  world"),
        ("info string", "info string"),
        ("bestmove 4o", "bestmove 4o"),
        ("bestmove 4o tag g1.7", "bestmove 4o tag g1.7"),
        ("bestmove 0000 tag t", "bestmove 0000 tag t"),
        ("response true", "response true"),
        ("response fen 7/7 w  1,2 4", "response fen 7/7 w 1,2 4"),
        ("boardline   1 2  3", "boardline   1 2  3"),
        ("boardline", "boardline"),
        ("error illegal-move 3 4o :  the column  is full", "error illegal-move 3 4o : the column  is full"),
        ("error busy", "error busy"),
        ("  Some Banner v1.0  ", "Some Banner v1.0"),
    ];
    for (line, canonical) in table {
        assert_eq!(parse(line).to_string(), canonical);
        assert_eq!(parse(canonical), parse(line), "{line}");
    }
}

#[test]
fn best_moves_of_all_kinds() {
    let table = [
        ("bestmove 4o", Best::Move(token("4o")), None),
        ("bestmove 4O\r", Best::Move(token("4O")), None),
        ("  bestmove\t4o \t", Best::Move(token("4o")), None),
        ("bestmove 4o ponder 3s", Best::Move(token("4o")), None),
        ("bestmove 4o ponder", Best::Move(token("4o")), None),
        ("bestmove 4o ponder 3s tag t", Best::Move(token("4o")), Some("t")),
        ("bestmove 4o tag t", Best::Move(token("4o")), Some("t")),
        ("bestmove 4o tag t more", Best::Move(token("4o")), Some("t")),
        ("bestmove 4o tag", Best::Move(token("4o")), None),
        ("bestmove 4o tag (t)", Best::Move(token("4o")), None),
        ("bestmove 4o and more", Best::Move(token("4o")), None),
        ("bestmove 0000", Best::Null, None),
        ("bestmove 0000 tag t", Best::Null, Some("t")),
        ("bestmove none", Best::Null, None),
        ("bestmove NONE", Best::Null, None),
        ("bestmove (none)", Best::Null, None),
        ("bestmove resign", Best::Null, None),
        ("bestmove", Best::Null, None),
        ("bestmove ", Best::Null, None),
        ("bestmove tag t", Best::Null, Some("t")),
        ("bestmove (4o)", Best::Malformed("(4o)".into()), None),
        ("bestmove 4ö tag t", Best::Malformed("4ö".into()), Some("t")),
        ("bestmove moves", Best::Malformed("moves".into()), None),
    ];
    for (line, best, tag) in table {
        assert_eq!(parse(line), Reply::BestMove { best, tag: tag.map(token) }, "{line}");
    }
    let latin1 = Reply::parse(b"bestmove 4\xf6");
    assert_eq!(latin1, Reply::BestMove { best: Best::Malformed("4\u{fffd}".into()), tag: None });
}

#[test]
fn full_info() {
    let line = "info depth 12 seldepth 20 multipv 2 score cp -31 upperbound wdl 300 400 300 endply 9 nodes 5210 \
                nps 1736666 hashfull 3 time 30 pv 3s 4o 3o";
    let expected = Info {
        depth: Some(12),
        seldepth: Some(20),
        multipv: Some(2),
        score: Some(InfoScore::Cp(-31)),
        bound: Some(Bound::Upper),
        wdl: Some([300, 400, 300]),
        endply: Some(9),
        nodes: Some(5210),
        nps: Some(1_736_666),
        hashfull: Some(3),
        time: Some(30),
        pv: vec![token("3s"), token("4o"), token("3o")],
    };
    assert_eq!(info(line), expected);
    assert_eq!(Reply::Info(expected).to_string(), line);
    assert_eq!(info("info score mate -3").score, Some(InfoScore::Mate(-3)));
}

#[test]
fn bad_values_of_an_info_are_dropped() {
    let depth = |n| Info { depth: Some(n), ..Info::default() };
    let table = [
        ("info", Info::default()),
        ("info depth", Info::default()),
        ("info depth 1.5 depth 3", depth(3)),
        ("info depth 99999999999999999999 depth 3", depth(3)),
        ("info nodes depth 3", depth(3)),
        ("info score cp x depth 3", depth(3)),
        ("info score depth 3", depth(3)),
        ("info nps nan hashfull - depth 3", depth(3)),
        ("info wdl 1 2 depth 3", depth(3)),
        ("info lowerbound depth 3", depth(3)),
        ("info depth 3 currmove 4o currmovenumber 7 tbhits 0", depth(3)),
        ("info depth 3 x-private 7", depth(3)),
        ("info depth 3 pv", depth(3)),
        ("info depth 3 pv (bad) 4o", depth(3)),
        ("info depth 3 string depth 4", depth(3)),
        ("info depth 1 depth 3", depth(3)),
        ("info\tdepth\t\t3\r", depth(3)),
    ];
    for (line, expected) in table {
        assert_eq!(info(line), expected, "{line}");
    }
    assert_eq!(info("info score cp +12").score, Some(InfoScore::Cp(12)));
    assert_eq!(info("info pv 4o 4s § 3o").pv, [token("4o"), token("4s")]);
}

#[test]
fn answers() {
    for word in ["true", "false", "p1win", "p2win", "draw", "none"] {
        assert_eq!(parse(&format!("response {word}")), Reply::Response(Answer::Word(word.into())));
    }
    let named = |name: &str, tokens: &[&str]| {
        let tokens = tokens.iter().map(|&token| token.to_owned()).collect();
        Reply::Response(Answer::Named { name: name.into(), tokens })
    };
    assert_eq!(parse("response turn p1"), named("turn", &["p1"]));
    assert_eq!(parse("response legal 2 4o 4s"), named("legal", &["2", "4o", "4s"]));
    assert_eq!(parse("response reason none"), named("reason", &["none"]));
    assert_eq!(parse("response maybe"), named("maybe", &[]));
    assert_eq!(parse("response true indeed"), named("true", &["indeed"]));
}

#[test]
fn errors_are_machine_readable() {
    let error = |line: &str| match parse(line) {
        Reply::Error(error) => error,
        other => panic!("{line:?} gives {other:?}"),
    };
    let illegal = error("error illegal-move 3 4o : the column is full");
    assert_eq!(illegal.code, ErrorCode::IllegalMove);
    assert_eq!(illegal.details, ["3", "4o"]);
    assert_eq!(illegal.text, "the column is full");
    assert_eq!(error("error busy : a : b").text, "a : b");
    assert_eq!(error("error busy :").text, "");
    assert_eq!(error("error bad-syntax a:b").details, ["a:b"]);
    for unknown in ["error", "error: out of cheese", "error out-of-cheese 3", "error :"] {
        assert_eq!(parse(unknown), Reply::Unknown(unknown.into()));
    }
}

#[test]
fn golden_error_table() {
    let table = [
        (ErrorReply::unknown_command("joho"), "error unknown-command joho"),
        (ErrorReply::bad_syntax("dpeth"), "error bad-syntax dpeth"),
        (ErrorReply::bad_number("1e9"), "error bad-number 1e9"),
        (ErrorReply::new(ErrorCode::BadEncoding), "error bad-encoding"),
        (ErrorReply::new(ErrorCode::LineTooLong), "error line-too-long"),
        (ErrorReply::unknown_game("go"), "error unknown-game go"),
        (ErrorReply::bad_param("rows", "0"), "error bad-param rows 0"),
        (ErrorReply::unknown_option("Hash  Size"), "error unknown-option Hash Size"),
        (ErrorReply::bad_value("Hash"), "error bad-value Hash"),
        (ErrorReply::bad_fen(2), "error bad-fen 2"),
        (ErrorReply::illegal_move(3, "4o"), "error illegal-move 3 4o"),
        (ErrorReply::new(ErrorCode::NoPosition), "error no-position"),
        (ErrorReply::new(ErrorCode::GameOver), "error game-over"),
        (ErrorReply::new(ErrorCode::Busy), "error busy"),
        (ErrorReply::unsupported("wait"), "error unsupported wait"),
        (ErrorReply::new(ErrorCode::Aborted).detail("perft"), "error aborted perft"),
        (ErrorReply::new(ErrorCode::Internal).text("out of memory"), "error internal : out of memory"),
    ];
    assert_eq!(table.each_ref().map(|(error, _)| error.code), ErrorCode::ALL);
    for (error, line) in table {
        assert_eq!(error.to_string(), line);
        assert_eq!(parse(line), Reply::Error(error));
    }
}

#[test]
fn details_are_always_one_word() {
    let long = "w".repeat(70);
    for (word, detail) in [(":", "?"), ("", "?"), ("a b\nc", "a?b?c"), ("ß", "?"), (&long, &long[..64])] {
        let error = ErrorReply::bad_syntax(word).text("two\nlines");
        assert_eq!(error.to_string(), format!("error bad-syntax {detail} : two lines"));
        assert_eq!(error.details, [detail]);
    }
}

#[test]
fn declarations() {
    let Reply::Option(option) = parse("option name Own Book type check default true") else { panic!() };
    assert_eq!((option.name.as_str(), option.kind), ("Own Book", OptionType::Check));
    assert_eq!(option.default.as_deref(), Some("true"));
    let Reply::Option(option) = parse("option name A type spin default 1 min few max 9") else { panic!() };
    assert_eq!((option.min, option.max), (None, Some(9)));
    let Reply::Game(game) =
        parse("game colosseum param generator type choice default 2022 var 2022 var 2023")
    else {
        panic!()
    };
    assert_eq!(game.params[0].vars, ["2022", "2023"]);
}

#[test]
fn everything_else_is_unknown() {
    for line in [
        "",
        "Stockfish by people",
        "readyok-ish",
        "readyok now",
        "ugiok!",
        "Bestmove 4o",
        "id",
        "protocol ludus",
        "protocol ludus 1",
        "protocol ludus 1.x",
        "setupok",
        "setupok simplexity rows",
        "game",
        "game g rows 6",
        "game g param rows type int",
        "option",
        "option name type spin",
        "option name A type knob",
        "response",
        "x-private 1 2",
    ] {
        assert_eq!(parse(line), Reply::Unknown(line.into()));
    }
    assert_eq!(Reply::parse(b"readyok\0\r"), Reply::Unknown("readyok\u{fffd}".into()));
    assert_eq!(
        Reply::parse(b"id name J\xfcrgen"),
        Reply::Id { field: "name".into(), text: "J\u{fffd}rgen".into() }
    );
}

#[test]
fn texts_cannot_break_a_line() {
    let reply = Reply::InfoString("a\r\nbestmove 4o".into());
    assert_eq!(reply.to_string(), "info string a  bestmove 4o");
}
