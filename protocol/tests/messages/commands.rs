//! Every rule about reading commands: what is accepted, in which canonical form, and what is refused with which error.

use protocol::{Clock, Command, Dialect, ErrorReply, Go, Owed, Player, Query, Refusal, Root, Token};

fn parse(line: &str) -> Command {
    match Command::parse(line.as_bytes()) {
        Ok(Some(command)) => command,
        other => panic!("{line:?} gives {other:?}"),
    }
}

fn refusal(line: &[u8]) -> Refusal {
    match Command::parse(line) {
        Err(refusal) => refusal,
        other => panic!("{line:?} gives {other:?}"),
    }
}

fn token(text: &str) -> Token {
    Token::new(text).unwrap()
}

/// The code and the details of an error, without its text for people.
fn essence(error: &ErrorReply) -> String {
    ErrorReply { text: String::new(), ..error.clone() }.to_string()
}

#[test]
fn commands_have_a_canonical_form() {
    let longest = "m".repeat(64);
    let table = [
        ("ugi", "ugi"),
        ("ugi 1", "ugi 1"),
        ("uci", "uci"),
        ("uci 02", "uci 2"),
        ("isready", "isready"),
        ("uginewgame", "uginewgame"),
        ("ucinewgame", "ucinewgame"),
        ("setup simplexity", "setup simplexity"),
        ("setup  simplexity\trows 8 cols  13", "setup simplexity rows 8 cols 13"),
        ("setup colosseum steps auto", "setup colosseum steps auto"),
        ("setup xrudder moves 30 tag 1", "setup xrudder moves 30 tag 1"),
        ("setoption name Hash value 64", "setoption name Hash value 64"),
        ("setoption name Clear  Hash", "setoption name Clear Hash"),
        ("setoption name Log File value  a  b ", "setoption name Log File value a  b"),
        ("setoption name Log value", "setoption name Log value"),
        ("setoption name Log value <empty>", "setoption name Log value"),
        ("setoption name Log value value", "setoption name Log value value"),
        ("position startpos", "position startpos"),
        ("position startpos moves", "position startpos"),
        ("position startpos moves 4o 4S", "position startpos moves 4o 4S"),
        ("position current moves 4o", "position current moves 4o"),
        ("position current", "position current"),
        ("position fen  7/7 w  1,2 4", "position fen 7/7 w 1,2 4"),
        ("position fen 7/7 w moves 4o", "position fen 7/7 w moves 4o"),
        ("position fen startpos current moves", "position fen startpos current"),
        ("legal 0", "legal 0"),
        ("legal 2 4o 4s", "legal 2 4o 4s"),
        ("go", "go infinite"),
        ("go infinite", "go infinite"),
        ("go tag a", "go infinite tag a"),
        ("go searchmoves 4o", "go infinite searchmoves 4o"),
        ("go movetime 0", "go movetime 0"),
        ("go nodes -5 depth 3 mate 2", "go depth 3 nodes -5 mate 2"),
        ("go depth 9223372036854775807", "go depth 9223372036854775807"),
        ("go depth -9223372036854775808", "go depth -9223372036854775808"),
        ("go infinite depth 3", "go infinite depth 3"),
        ("go wtime 1 btime 2 winc 3 binc 4 movestogo 5", "go p1time 1 p2time 2 p1inc 3 p2inc 4 movestogo 5"),
        ("go p1time 1 btime 2", "go p1time 1 p2time 2"),
        ("go searchmoves 4o 4s depth 3", "go depth 3 searchmoves 4o 4s"),
        ("go tag depth depth 3", "go depth 3 tag depth"),
        ("stop", "stop"),
        ("wait", "wait"),
        ("d", "d"),
        ("help", "help"),
        ("debug on", "debug on"),
        ("debug off", "debug off"),
        ("quit", "quit"),
        ("query islegal 4O", "query islegal 4O"),
        ("query perft 4294967295", "query perft 4294967295"),
        (&format!("query islegal {longest}"), &format!("query islegal {longest}")),
    ];
    for (line, canonical) in table {
        assert_eq!(parse(line).to_string(), canonical);
        assert_eq!(parse(canonical), parse(line));
    }
    for question in [
        "p1turn", "gameover", "result", "reason", "score", "legal", "turn", "ply", "fen", "moves", "board",
        "game", "status", "eval",
    ] {
        let line = format!("query {question}");
        assert_eq!(parse(&line).to_string(), line);
    }
}

#[test]
fn commands_mean_what_they_say() {
    assert_eq!(parse("uci 2"), Command::Hello { dialect: Dialect::Uci, version: Some(2) });
    assert_eq!(parse("uginewgame"), Command::NewGame(Dialect::Ugi));
    let pairs = vec![(token("rows"), "8".to_owned()), (token("rows"), "x".to_owned())];
    assert_eq!(parse("setup g rows 8 rows x"), Command::Setup { game: token("g"), pairs });
    assert_eq!(
        parse("position fen a b moves m"),
        Command::Position { root: Root::Fen("a b".into()), moves: vec![token("m")] }
    );
    let go = Go { p1time: Some(7), p2inc: Some(-1), tag: Some(token("t")), ..Go::default() };
    assert_eq!(parse("go wtime 7 p2inc -1 tag t"), Command::Go(go));
    assert_eq!(parse("query perft 3"), Command::Query(Query::Perft(3)));
    assert_eq!(parse("legal 1 a"), Command::Legal(vec![token("a")]));
}

#[test]
fn blanks_returns_and_comments() {
    for nothing in ["", " ", "\t \t", "\r", " \r", "#", "  # go", "#go\r"] {
        assert_eq!(Command::parse(nothing.as_bytes()), Ok(None), "{nothing:?}");
    }
    assert_eq!(Command::parse(b"# \xff\0"), Ok(None));
    assert_eq!(parse("\t stop \t\r"), Command::Stop);
    assert_eq!(parse("go\t  depth \t 3\r"), parse("go depth 3"));
    assert_eq!(parse("setoption name A value x # y").to_string(), "setoption name A value x # y");
}

#[test]
fn refusals_name_the_offending_word() {
    let long = "m".repeat(65);
    let table = [
        ("joho debug on", "error unknown-command joho"),
        ("GO", "error unknown-command GO"),
        ("Quit", "error unknown-command Quit"),
        (":", "error unknown-command ?"),
        ("größe", "error unknown-command gr??e"),
        ("x-private 1", "error unknown-command x-private"),
        ("go\u{a0}depth", "error unknown-command go?depth"),
        // Commands without arguments, and with one too many or too few.
        ("isready now", "error bad-syntax now"),
        ("stop it", "error bad-syntax it"),
        ("quit 1 2", "error bad-syntax 1"),
        ("uginewgame x", "error bad-syntax x"),
        ("ugi 1 2", "error bad-syntax 2"),
        ("ugi 1.0", "error bad-number 1.0"),
        ("debug", "error bad-syntax debug"),
        ("debug maybe", "error bad-syntax maybe"),
        ("debug on off", "error bad-syntax off"),
        // Set-up and options.
        ("setup", "error bad-syntax setup"),
        ("setup (g)", "error bad-syntax ?g?"),
        ("setup g rows", "error bad-syntax rows"),
        ("setup g rows 6 (k) 7", "error bad-syntax ?k?"),
        ("setoption", "error bad-syntax setoption"),
        ("setoption Hash", "error bad-syntax Hash"),
        ("setoption name", "error bad-syntax name"),
        ("setoption name value 3", "error bad-syntax name"),
        // Positions.
        ("position", "error bad-syntax position"),
        ("position somewhere", "error bad-syntax somewhere"),
        ("position 7/7/7/7/7/7 w 10,11,10,11 4", "error bad-syntax 7/7/7/7/7/7"),
        ("position startpos 4o", "error bad-syntax 4o"),
        ("position fen", "error bad-syntax fen"),
        ("position fen moves 4o", "error bad-syntax fen"),
        ("position startpos moves 4o (4s)", "error illegal-move 2 ?4s?"),
        ("position startpos moves 4o moves", "error illegal-move 2 moves"),
        ("position startpos moves 0000", "error illegal-move 1 0000"),
        (&format!("position startpos moves {long}"), &format!("error illegal-move 1 {}", &long[1..])),
        ("legal", "error bad-syntax legal"),
        ("legal many 4o", "error bad-number many"),
        ("legal -1", "error bad-number -1"),
        ("legal 3 4o 4s", "error bad-syntax legal"),
        ("legal 1 4o 4s", "error bad-syntax legal"),
        ("legal 2 4o 0000", "error illegal-move 2 0000"),
        // Searches: a typo never becomes an infinite one.
        ("go ponder", "error bad-syntax ponder"),
        ("go dpeth 5", "error bad-syntax dpeth"),
        ("go 5", "error bad-syntax 5"),
        ("go depth", "error bad-syntax depth"),
        ("go p1time p2time 500", "error bad-syntax p1time"),
        ("go depth five", "error bad-number five"),
        ("go depth 5.0", "error bad-number 5.0"),
        ("go nodes 9223372036854775808", "error bad-number 9223372036854775808"),
        ("go nodes -9223372036854775809", "error bad-number -9223372036854775809"),
        ("go depth 1 depth 2", "error bad-syntax depth"),
        ("go wtime 1 p1time 1", "error bad-syntax p1time"),
        ("go infinite infinite", "error bad-syntax infinite"),
        ("go infinite now", "error bad-syntax now"),
        ("go tag", "error bad-syntax tag"),
        ("go tag tag", "error bad-syntax tag"),
        ("go tag a tag b", "error bad-syntax tag"),
        ("go searchmoves", "error bad-syntax searchmoves"),
        ("go searchmoves depth 3", "error bad-syntax searchmoves"),
        ("go searchmoves a depth 3 searchmoves b", "error bad-syntax searchmoves"),
        ("go searchmoves a 0000", "error illegal-move 2 0000"),
        // Questions.
        ("query", "error bad-syntax query"),
        ("query weather", "error bad-syntax weather"),
        ("query turn now", "error bad-syntax now"),
        ("query islegal", "error bad-syntax islegal"),
        ("query islegal 0000", "error bad-syntax 0000"),
        ("query perft", "error bad-syntax perft"),
        ("query perft x", "error bad-number x"),
        ("query perft -1", "error bad-number -1"),
        ("query perft 4294967296", "error bad-number 4294967296"),
    ];
    for (line, error) in table {
        assert_eq!(essence(&refusal(line.as_bytes()).error), error, "{line}");
    }
}

#[test]
fn what_is_owed_follows_from_the_first_word() {
    let table = [
        ("joho tag 7", Owed::Nothing),
        ("query weather", Owed::Nothing),
        ("position nowhere", Owed::UnsetPosition),
        ("position startpos moves (", Owed::UnsetPosition),
        ("setup", Owed::UnsetSetup),
        ("setup g rows", Owed::UnsetSetup),
        ("go dpeth 5", Owed::BestMove(None)),
        ("go dpeth 5 tag g1.7", Owed::BestMove(Some(token("g1.7")))),
        ("go tag a dpeth 5", Owed::BestMove(Some(token("a")))),
        ("go tag a tag b", Owed::BestMove(Some(token("a")))),
        ("go depth tag a", Owed::BestMove(Some(token("a")))),
        ("go tag (", Owed::BestMove(None)),
        ("go tag", Owed::BestMove(None)),
    ];
    for (line, owed) in table {
        assert_eq!(refusal(line.as_bytes()).owed, owed, "{line}");
    }
}

#[test]
fn a_setup_with_bad_keys_still_names_its_game() {
    let table = [
        ("setup g rows", Some(token("g"))),
        ("setup rows 8 cols 8", Some(token("rows"))),
        ("setup g ( 8", Some(token("g"))),
        ("setup", None),
        ("setup ( 8", None),
        ("query g now", None),
    ];
    for (line, game) in table {
        assert_eq!(refusal(line.as_bytes()).game, game, "{line}");
    }
}

#[test]
fn bad_encoding() {
    let table: [(&[u8], Owed); 6] = [
        (b"\xff", Owed::Nothing),
        (b"isready\0", Owed::Nothing),
        (b"go depth 5\0 tag t", Owed::BestMove(Some(token("t")))),
        (b"go tag t\xe4", Owed::BestMove(None)),
        (b"position startpos moves 4\xf6", Owed::UnsetPosition),
        (b"setup \0", Owed::UnsetSetup),
    ];
    for (line, owed) in table {
        let refusal = refusal(line);
        assert_eq!(essence(&refusal.error), "error bad-encoding");
        assert_eq!(refusal.owed, owed, "{line:?}");
    }
}

#[test]
fn lines_that_are_too_long() {
    let table: [(&[u8], Owed); 7] = [
        (b"", Owed::Nothing),
        (b"aaaaaaaa", Owed::Nothing),
        (b"gogogogo", Owed::Nothing),
        (b"go tag t searchmoves 4", Owed::BestMove(Some(token("t")))),
        (b"go searchmoves a tag trunc", Owed::BestMove(None)),
        (b"position startpos moves 4o 4", Owed::UnsetPosition),
        (b"setup game rows \xff", Owed::UnsetSetup),
    ];
    for (head, owed) in table {
        let refusal = Refusal::too_long(head);
        assert_eq!(essence(&refusal.error), "error line-too-long");
        assert_eq!(refusal.owed, owed, "{head:?}");
    }
}

#[test]
fn a_clock_needs_the_movers_own_time() {
    let clock = |line: &str, mover| match parse(line) {
        Command::Go(go) => go.clock(mover).map_err(|error| essence(&error)),
        other => panic!("{other:?}"),
    };
    assert_eq!(clock("go depth 3", Player::P1), Ok(None));
    assert_eq!(
        clock("go wtime 100 btime 200 binc 3", Player::P2),
        Ok(Some(Clock { time: 200, increment: 3, moves_to_go: None }))
    );
    assert_eq!(
        clock("go p1time -4 movestogo 9", Player::P1),
        Ok(Some(Clock { time: -4, increment: 0, moves_to_go: Some(9) }))
    );
    for (line, mover, missing) in [
        ("go p1time 100", Player::P2, "p2time"),
        ("go p2time 100 p1inc 5", Player::P1, "p1time"),
        ("go movestogo 40", Player::P1, "p1time"),
        ("go winc 40", Player::P2, "p2time"),
        ("go movetime 100 binc 40", Player::P2, "p2time"),
    ] {
        assert_eq!(clock(line, mover), Err(format!("error bad-syntax {missing}")), "{line}");
    }
}

#[test]
fn a_game_of_ten_thousand_moves() {
    let line = format!("position startpos moves{}", " 4o 4s".repeat(5_000));
    match parse(&line) {
        Command::Position { root: Root::StartPos, moves } => assert_eq!(moves.len(), 10_000),
        other => panic!("{other:?}"),
    }
    assert_eq!(parse(&line).to_string(), line);
}

#[test]
fn values_cannot_break_a_line() {
    let value = Some("a\nquit\r\0".to_owned());
    let printed = Command::SetOption { name: "A\nB".into(), value }.to_string();
    assert_eq!(printed, "setoption name A B value a quit \u{fffd}");
}
