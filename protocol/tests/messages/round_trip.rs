//! Printing is the inverse of reading, and reading survives any bytes.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use protocol::{
    Answer, Best, Bound, Command, Dialect, ErrorCode, ErrorReply, GameDecl, Go, Info, InfoScore, OptionDecl,
    OptionType, ParamDecl, Query, Reply, Root, Token,
};

const GO_WORDS: [&str; 16] = [
    "infinite",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "movestogo",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "searchmoves",
    "tag",
];
const DECLARATION_WORDS: [&str; 7] = ["param", "type", "default", "min", "max", "var", "<empty>"];

fn token() -> impl Strategy<Value = Token> {
    let letters = "[A-Za-z0-9_.@+=*/:,!?'-]{1,64}|depth|legal|value|name";
    letters.prop_filter_map("reserved", |text| Token::new(&text))
}

fn moves() -> impl Strategy<Value = Vec<Token>> {
    vec(token(), 0..6)
}

fn word() -> impl Strategy<Value = String> {
    "[!-~äß☃]{1,12}"
}

/// Words that don't end a phrase.
fn plain_word() -> impl Strategy<Value = String> {
    word().prop_filter("a keyword", |word| {
        !DECLARATION_WORDS.contains(&word.as_str()) && !["moves", "value"].contains(&word.as_str())
    })
}

fn phrase() -> impl Strategy<Value = String> {
    vec(plain_word(), 1..4).prop_map(|words| words.join(" "))
}

/// Text without outer blanks, and not the word for no text.
fn text() -> impl Strategy<Value = String> {
    "[ -~\täß☃]{0,20}"
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("<empty>", |text| text != "<empty>")
}

fn number() -> impl Strategy<Value = Option<i64>> {
    option::of(any::<i64>())
}

fn pairs() -> impl Strategy<Value = Vec<(Token, String)>> {
    vec((token(), word()), 0..4)
}

fn dialect() -> impl Strategy<Value = Dialect> {
    select(vec![Dialect::Ugi, Dialect::Uci])
}

fn go() -> impl Strategy<Value = Go> {
    let limits = [(); 9].map(|()| number());
    let searchmoves = vec(token().prop_filter("a keyword", |m| !GO_WORDS.contains(&m.as_str())), 0..4);
    (any::<bool>(), limits, searchmoves, option::of(token())).prop_map(
        |(infinite, limits, searchmoves, tag)| {
            let [movetime, depth, nodes, mate, movestogo, p1time, p2time, p1inc, p2inc] = limits;
            // A `go` without limits is infinite.
            let infinite = infinite || limits.iter().all(Option::is_none);
            Go {
                infinite,
                movetime,
                depth,
                nodes,
                mate,
                movestogo,
                p1time,
                p2time,
                p1inc,
                p2inc,
                searchmoves,
                tag,
            }
        },
    )
}

fn query() -> impl Strategy<Value = Query> {
    let plain = [
        Query::P1Turn,
        Query::GameOver,
        Query::Result,
        Query::Reason,
        Query::Score,
        Query::Legal,
        Query::Turn,
        Query::Ply,
        Query::Fen,
        Query::Moves,
        Query::Board,
        Query::Game,
        Query::Status,
        Query::Eval,
    ];
    prop_oneof![select(plain.to_vec()), token().prop_map(Query::IsLegal), any::<u32>().prop_map(Query::Perft)]
}

fn command() -> impl Strategy<Value = Command> {
    let root = prop_oneof![Just(Root::StartPos), Just(Root::Current), phrase().prop_map(Root::Fen)];
    let plain =
        [Command::IsReady, Command::Stop, Command::Wait, Command::Display, Command::Help, Command::Quit];
    prop_oneof![
        select(plain.to_vec()),
        (dialect(), number()).prop_map(|(dialect, version)| Command::Hello { dialect, version }),
        dialect().prop_map(Command::NewGame),
        (token(), pairs()).prop_map(|(game, pairs)| Command::Setup { game, pairs }),
        (phrase(), option::of(text())).prop_map(|(name, value)| Command::SetOption { name, value }),
        (root, moves()).prop_map(|(root, moves)| Command::Position { root, moves }),
        moves().prop_map(Command::Legal),
        go().prop_map(Command::Go),
        query().prop_map(Command::Query),
        any::<bool>().prop_map(Command::Debug),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let numbers = [(); 8].map(|()| number());
    let score = prop_oneof![any::<i64>().prop_map(InfoScore::Cp), any::<i64>().prop_map(InfoScore::Mate)];
    let bound = option::of(select(vec![Bound::Lower, Bound::Upper]));
    (numbers, option::of((score, bound)), option::of(any::<[i64; 3]>()), moves()).prop_map(
        |(numbers, score, wdl, pv)| {
            let [depth, seldepth, multipv, endply, nodes, nps, hashfull, time] = numbers;
            let (score, bound) = score.map_or((None, None), |(score, bound)| (Some(score), bound));
            Info { depth, seldepth, multipv, score, bound, wdl, endply, nodes, nps, hashfull, time, pv }
        },
    )
}

fn error() -> impl Strategy<Value = ErrorReply> {
    (select(ErrorCode::ALL.to_vec()), vec(word(), 0..3), text()).prop_map(|(code, details, text)| {
        details.iter().fold(ErrorReply::new(code), ErrorReply::detail).text(text)
    })
}

fn param() -> impl Strategy<Value = ParamDecl> {
    (token(), plain_word(), plain_word(), number(), number(), vec(plain_word(), 0..3))
        .prop_map(|(key, kind, default, min, max, vars)| ParamDecl { key, kind, default, min, max, vars })
}

fn option_decl() -> impl Strategy<Value = OptionDecl> {
    let kind = select(OptionType::ALL.to_vec());
    let default = option::of(prop_oneof![Just(String::new()), phrase()]);
    (phrase(), kind, default, number(), number(), vec(phrase(), 0..3)).prop_map(
        |(name, kind, default, min, max, vars)| {
            let bounded = kind != OptionType::String;
            let (min, max) = if bounded { (min, max) } else { (None, None) };
            OptionDecl { name, kind, default, min, max, vars: if bounded { vars } else { Vec::new() } }
        },
    )
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        select(vec!["true", "false", "p1win", "p2win", "draw", "none"])
            .prop_map(|word| Answer::Word(word.into())),
        (word(), vec(word(), 1..4)).prop_map(|(name, tokens)| Answer::Named { name, tokens }),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let best = prop_oneof![
        token()
            .prop_filter("no move", |m| !["none", "resign"].contains(&m.as_str().to_lowercase().as_str()))
            .prop_map(Best::Move),
        Just(Best::Null),
        "\\([a-z0-9]{1,5}\\]".prop_map(Best::Malformed),
    ];
    prop_oneof![
        (word(), text()).prop_map(|(field, text)| Reply::Id { field, text }),
        (word(), any::<u32>(), any::<u32>()).prop_map(|(name, major, minor)| Reply::Protocol {
            name,
            major,
            minor
        }),
        vec(word(), 0..5).prop_map(Reply::Cap),
        (token(), vec(param(), 0..4)).prop_map(|(name, params)| Reply::Game(GameDecl { name, params })),
        option_decl().prop_map(Reply::Option),
        dialect().prop_map(Reply::HelloOk),
        Just(Reply::ReadyOk),
        (token(), pairs()).prop_map(|(game, pairs)| Reply::SetupOk { game, pairs }),
        info().prop_map(Reply::Info),
        text().prop_map(Reply::InfoString),
        (best, option::of(token())).prop_map(|(best, tag)| Reply::BestMove { best, tag }),
        answer().prop_map(Reply::Response),
        "( {0,3}[!-~]){0,4}".prop_map(Reply::BoardLine),
        error().prop_map(Reply::Error),
        text().prop_map(|text| Reply::Unknown(format!("x-{text}"))),
    ]
}

/// Lines of the protocol's words in any order, which go deeper than random bytes.
fn word_salad() -> impl Strategy<Value = Vec<u8>> {
    let mut words = GO_WORDS.to_vec();
    words.extend(DECLARATION_WORDS);
    words.extend([
        "ugi",
        "uci",
        "isready",
        "setup",
        "setoption",
        "name",
        "value",
        "position",
        "startpos",
        "fen",
        "current",
        "moves",
        "legal",
        "go",
        "query",
        "islegal",
        "perft",
        "debug",
        "on",
        "info",
        "score",
        "cp",
        "pv",
        "string",
        "wdl",
        "bestmove",
        "0000",
        "none",
        "ponder",
        "response",
        "true",
        "error",
        "busy",
        ":",
        "id",
        "protocol",
        "1.0",
        "cap",
        "game",
        "option",
        "spin",
        "combo",
        "boardline",
        "setupok",
        "readyok",
        "1",
        "-5",
        "4o",
        "\t",
        "",
        "\r",
        "\0",
        "99999999999999999999",
        "é",
    ]);
    vec(select(words), 0..12).prop_map(|words| words.join(" ").into_bytes())
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![word_salad(), vec(any::<u8>(), 0..80)]
}

proptest! {
    #[test]
    fn commands(command in command()) {
        prop_assert_eq!(Command::parse(command.to_string().as_bytes()), Ok(Some(command)));
    }

    #[test]
    fn replies(reply in reply()) {
        prop_assert_eq!(Reply::parse(reply.to_string().as_bytes()), reply);
    }

    #[test]
    fn any_line_as_a_command(line in line()) {
        match Command::parse(&line) {
            Ok(None) => {}
            Ok(Some(command)) => {
                prop_assert_eq!(Command::parse(command.to_string().as_bytes()), Ok(Some(command)));
            }
            Err(refusal) => {
                prop_assert_eq!(Reply::parse(refusal.to_string().as_bytes()), Reply::Error(refusal.error));
            }
        }
    }

    #[test]
    fn any_line_as_a_reply(line in line()) {
        let reply = Reply::parse(&line);
        prop_assert_eq!(Reply::parse(reply.to_string().as_bytes()), reply);
    }
}
