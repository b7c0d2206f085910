//! From lines to commands.

use crate::words::{BLANKS, Words, decode};
use crate::{Command, Dialect, ErrorCode, ErrorReply, Go, Owed, Query, Refusal, Root, Token};

impl Command {
    /// Reads a line without its line feed, with or without a carriage return at its end. `None`: an empty line or a
    /// comment. Fails closed: surplus, unknown, repeated and missing words are refused, and numbers outside their range.
    pub fn parse(line: &[u8]) -> Result<Option<Command>, Refusal> {
        let text = decode(line);
        let mut words = Words::new(&text);
        let Some(word) = words.next().filter(|word| !word.starts_with('#')) else {
            return Ok(None);
        };
        let parsed = if line.contains(&0) || str::from_utf8(line).is_err() {
            Err(ErrorReply::new(ErrorCode::BadEncoding).text("expected UTF-8 without NUL"))
        } else {
            command(word, &mut words)
        };
        parsed.map(Some).map_err(|error| {
            let is_setup = word == "setup" && error.code == ErrorCode::BadSyntax;
            let game = Words::new(&text).nth(1).filter(|_| is_setup).and_then(Token::new);
            Refusal { error, owed: Owed::by(&text), game }
        })
    }
}

impl Refusal {
    /// The refusal of a line that is too long, from its first bytes as in [`crate::Line::TooLong`].
    pub fn too_long(head: &[u8]) -> Refusal {
        // The last word may have been cut, and half a tag is none.
        let head = decode(head);
        let whole = head.rfind(BLANKS).and_then(|end| head.get(..end)).unwrap_or(&head);
        let error = ErrorReply::new(ErrorCode::LineTooLong).text("expected at most 1 MiB");
        Refusal { error, owed: Owed::by(whole), game: None }
    }
}

impl Owed {
    /// What a refused line owes.
    fn by(line: &str) -> Owed {
        let mut words = Words::new(line);
        match words.next() {
            Some("go") => {
                let mut after_tag = words.clone().skip_while(|word| *word != "tag").skip(1);
                Owed::BestMove(after_tag.next().and_then(Token::new))
            }
            Some("position") => Owed::UnsetPosition,
            Some("setup") => Owed::UnsetSetup,
            _ => Owed::Nothing,
        }
    }
}

type Parsed<T> = Result<T, ErrorReply>;

fn command(word: &str, words: &mut Words) -> Parsed<Command> {
    let command = match word {
        "ugi" => hello(Dialect::Ugi, words)?,
        "uci" => hello(Dialect::Uci, words)?,
        "isready" => Command::IsReady,
        "uginewgame" => Command::NewGame(Dialect::Ugi),
        "ucinewgame" => Command::NewGame(Dialect::Uci),
        "setup" => setup(words)?,
        "setoption" => set_option(words)?,
        "position" => position(words)?,
        "legal" => legal(words)?,
        "go" => Command::Go(go(words)?),
        "stop" => Command::Stop,
        "wait" => Command::Wait,
        "query" => Command::Query(query(words)?),
        "d" => Command::Display,
        "help" => Command::Help,
        "debug" => Command::Debug(match words.next().ok_or_else(|| missing("debug", "on or off"))? {
            "on" => true,
            "off" => false,
            other => return Err(ErrorReply::bad_syntax(other).text("expected on or off")),
        }),
        "quit" => Command::Quit,
        other => return Err(ErrorReply::unknown_command(other)),
    };
    match words.next() {
        None => Ok(command),
        Some(surplus) => Err(ErrorReply::bad_syntax(surplus).text(format!("{word} ends before this word"))),
    }
}

fn hello(dialect: Dialect, words: &mut Words) -> Parsed<Command> {
    let version = words.next().map(|word| integer(word, "a major version")).transpose()?;
    Ok(Command::Hello { dialect, version })
}

fn setup(words: &mut Words) -> Parsed<Command> {
    let game = token(words, "setup", "the name of a game")?;
    let mut pairs = Vec::new();
    while let Some(word) = words.next() {
        let key = Token::key(word).ok_or_else(|| ErrorReply::bad_syntax(word).text("expected a key"))?;
        let value = words.next().ok_or_else(|| missing(word, "a value"))?;
        pairs.push((key, value.to_owned()));
    }
    Ok(Command::Setup { game, pairs })
}

fn set_option(words: &mut Words) -> Parsed<Command> {
    match words.next() {
        Some("name") => {}
        Some(other) => return Err(ErrorReply::bad_syntax(other).text("expected name")),
        None => return Err(missing("setoption", "name")),
    }
    let name = words.phrase(|word| word == "value");
    if name.is_empty() {
        return Err(missing("name", "the option's name"));
    }
    let value = words.next().map(|_| match words.text() {
        "<empty>" => String::new(),
        text => text.to_owned(),
    });
    *words = Words::new("");
    Ok(Command::SetOption { name, value })
}

fn position(words: &mut Words) -> Parsed<Command> {
    let expected = "startpos, fen or current";
    let root = match words.next().ok_or_else(|| missing("position", expected))? {
        "startpos" => Root::StartPos,
        "current" => Root::Current,
        "fen" => {
            let fen = words.phrase(|word| word == "moves");
            if fen.is_empty() {
                return Err(missing("fen", "a position string"));
            }
            Root::Fen(fen)
        }
        other => return Err(ErrorReply::bad_syntax(other).text(format!("expected {expected}"))),
    };
    let moves = match words.next() {
        None => Vec::new(),
        Some("moves") => moves(words)?,
        Some(other) => return Err(ErrorReply::bad_syntax(other).text("expected moves")),
    };
    Ok(Command::Position { root, moves })
}

fn legal(words: &mut Words) -> Parsed<Command> {
    let count = words.next().ok_or_else(|| missing("legal", "the number of moves"))?;
    let count = usize::try_from(integer(count, "the number of moves")?)
        .map_err(|_| ErrorReply::bad_number(count).text("expected the number of moves"))?;
    let moves = moves(words)?;
    if moves.len() != count {
        let text = format!("{count} moves announced, {} listed", moves.len());
        return Err(ErrorReply::bad_syntax("legal").text(text));
    }
    Ok(Command::Legal(moves))
}

fn go(words: &mut Words) -> Parsed<Go> {
    let mut go = Go::default();
    let mut infinite = false;
    while let Some(word) = words.next() {
        let repeated = match word {
            "infinite" => std::mem::replace(&mut infinite, true),
            "searchmoves" => {
                let again = !go.searchmoves.is_empty();
                while let Some(m) = words.peek().filter(|word| !is_go_word(word)) {
                    words.next();
                    go.searchmoves.push(listed_move(go.searchmoves.len() + 1, m)?);
                }
                if go.searchmoves.is_empty() {
                    return Err(missing(word, "a move"));
                }
                again
            }
            "tag" => go.tag.replace(token(words, word, "a tag")?).is_some(),
            _ => {
                let limit = match word {
                    "movetime" => &mut go.movetime,
                    "depth" => &mut go.depth,
                    "nodes" => &mut go.nodes,
                    "mate" => &mut go.mate,
                    "movestogo" => &mut go.movestogo,
                    "p1time" | "wtime" => &mut go.p1time,
                    "p2time" | "btime" => &mut go.p2time,
                    "p1inc" | "winc" => &mut go.p1inc,
                    "p2inc" | "binc" => &mut go.p2inc,
                    _ => return Err(ErrorReply::bad_syntax(word).text("not a limit")),
                };
                let value = words.next().filter(|value| !is_go_word(value));
                let value = value.ok_or_else(|| missing(word, "a number"))?;
                limit.replace(integer(value, "a 64-bit integer")?).is_some()
            }
        };
        if repeated {
            return Err(ErrorReply::bad_syntax(word).text("given twice"));
        }
    }
    go.infinite = infinite || go.is_unlimited();
    Ok(go)
}

/// Whether a word begins the next part of a `go`.
fn is_go_word(word: &str) -> bool {
    matches!(
        word,
        "infinite"
            | "movetime"
            | "depth"
            | "nodes"
            | "mate"
            | "movestogo"
            | "p1time"
            | "p2time"
            | "p1inc"
            | "p2inc"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "searchmoves"
            | "tag"
    )
}

fn query(words: &mut Words) -> Parsed<Query> {
    Ok(match words.next().ok_or_else(|| missing("query", "a question"))? {
        "p1turn" => Query::P1Turn,
        "gameover" => Query::GameOver,
        "result" => Query::Result,
        "reason" => Query::Reason,
        "score" => Query::Score,
        "legal" => Query::Legal,
        "islegal" => Query::IsLegal(token(words, "islegal", "a move")?),
        "turn" => Query::Turn,
        "ply" => Query::Ply,
        "fen" => Query::Fen,
        "moves" => Query::Moves,
        "board" => Query::Board,
        "game" => Query::Game,
        "status" => Query::Status,
        "eval" => Query::Eval,
        "perft" => {
            let depth = words.next().ok_or_else(|| missing("perft", "a depth"))?;
            let plies = u32::try_from(integer(depth, "a depth in plies")?);
            Query::Perft(plies.map_err(|_| ErrorReply::bad_number(depth).text("expected a depth in plies"))?)
        }
        other => return Err(ErrorReply::bad_syntax(other).text("not a question")),
    })
}

/// The moves that make up the rest of a line.
fn moves(words: &mut Words) -> Parsed<Vec<Token>> {
    words.enumerate().map(|(i, word)| listed_move(i + 1, word)).collect()
}

fn listed_move(index: usize, word: &str) -> Parsed<Token> {
    Token::new(word).ok_or_else(|| ErrorReply::illegal_move(index, word).text("no game's move"))
}

/// The argument of `of`.
fn token(words: &mut Words, of: &str, expected: &str) -> Parsed<Token> {
    let word = words.next().ok_or_else(|| missing(of, expected))?;
    Token::new(word).ok_or_else(|| ErrorReply::bad_syntax(word).text(format!("expected {expected}")))
}

fn integer(word: &str, expected: &str) -> Parsed<i64> {
    word.parse().map_err(|_| ErrorReply::bad_number(word).text(format!("expected {expected}")))
}

/// The argument of `word` is missing.
fn missing(word: &str, expected: &str) -> ErrorReply {
    ErrorReply::bad_syntax(word).text(format!("expected {expected} after it"))
}
