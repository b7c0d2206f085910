//! From lines to replies.

use crate::words::{Words, decode};
use crate::{
    Answer, Best, Bound, Dialect, ErrorReply, GameDecl, Info, InfoScore, OptionDecl, OptionType, ParamDecl,
    Reply, Token,
};

impl Reply {
    /// Reads a line without its line feed, with or without a carriage return at its end. Total: what it can't read is
    /// [`Reply::Unknown`]. Bytes that aren't UTF-8 and NUL turn into U+FFFD.
    pub fn parse(line: &[u8]) -> Reply {
        let text = decode(line);
        let mut words = Words::new(&text);
        reply(&mut words).unwrap_or_else(|| Reply::Unknown(Words::new(&text).text().to_owned()))
    }
}

fn reply(words: &mut Words) -> Option<Reply> {
    Some(match words.next()? {
        "info" => info(words),
        "bestmove" => best_move(words),
        "response" => Reply::Response(answer(words)?),
        "boardline" => Reply::BoardLine(words.indented().to_owned()),
        "readyok" => last(words, Reply::ReadyOk)?,
        "ugiok" => last(words, Reply::HelloOk(Dialect::Ugi))?,
        "uciok" => last(words, Reply::HelloOk(Dialect::Uci))?,
        "setupok" => setup_ok(words)?,
        "error" => Reply::Error(ErrorReply::parse(words)?),
        "id" => Reply::Id { field: words.next()?.to_owned(), text: words.text().to_owned() },
        "protocol" => {
            let name = words.next()?.to_owned();
            let (major, minor) = words.next()?.split_once('.')?;
            last(words, Reply::Protocol { name, major: major.parse().ok()?, minor: minor.parse().ok()? })?
        }
        "cap" => Reply::Cap(words.map(str::to_owned).collect()),
        "game" => Reply::Game(game(words)?),
        "option" => Reply::Option(option(words)?),
        _ => return None,
    })
}

/// The reply, unless words follow that make the line another one: `readyok-ish` banners are none of ours.
fn last(words: &mut Words, reply: Reply) -> Option<Reply> {
    words.next().is_none().then_some(reply)
}

fn best_move(words: &mut Words) -> Reply {
    let best = match words.peek() {
        None | Some("tag") => Best::Null,
        Some(word) => {
            words.next();
            let nothing = ["0000", "none", "(none)", "resign"];
            if nothing.iter().any(|none| word.eq_ignore_ascii_case(none)) {
                Best::Null
            } else {
                Token::new(word).map_or_else(|| Best::Malformed(word.to_owned()), Best::Move)
            }
        }
    };
    let tag = words.skip_while(|word| *word != "tag").nth(1).and_then(Token::new);
    Reply::BestMove { best, tag }
}

fn info(words: &mut Words) -> Reply {
    if words.peek() == Some("string") {
        words.next();
        return Reply::InfoString(words.text().to_owned());
    }
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => read(&mut info.depth, words),
            "seldepth" => read(&mut info.seldepth, words),
            "multipv" => read(&mut info.multipv, words),
            "endply" => read(&mut info.endply, words),
            "nodes" => read(&mut info.nodes, words),
            "nps" => read(&mut info.nps, words),
            "hashfull" => read(&mut info.hashfull, words),
            "time" => read(&mut info.time, words),
            "cp" => read_as(&mut info.score, words, InfoScore::Cp),
            "mate" => read_as(&mut info.score, words, InfoScore::Mate),
            "lowerbound" => info.bound = Some(Bound::Lower),
            "upperbound" => info.bound = Some(Bound::Upper),
            "wdl" => {
                let mut three = [None; 3];
                for n in &mut three {
                    read(n, words);
                }
                if let [Some(win), Some(draw), Some(loss)] = three {
                    info.wdl = Some([win, draw, loss]);
                }
            }
            "pv" => info.pv.extend(words.by_ref().map_while(Token::new)),
            "string" => break,
            _ => {}
        }
    }
    if info.score.is_none() {
        info.bound = None;
    }
    Reply::Info(info)
}

/// Reads a number if the next word is one; else leaves the word, which may be the next key.
fn read(field: &mut Option<i64>, words: &mut Words) {
    read_as(field, words, |n| n);
}

fn read_as<T>(field: &mut Option<T>, words: &mut Words, make: impl Fn(i64) -> T) {
    let mut ahead = words.clone();
    if let Some(n) = ahead.next().and_then(|word| word.parse().ok()) {
        *words = ahead;
        *field = Some(make(n));
    }
}

fn answer(words: &mut Words) -> Option<Answer> {
    let name = words.next()?.to_owned();
    let tokens: Vec<String> = words.map(str::to_owned).collect();
    let whole = ["true", "false", "p1win", "p2win", "draw", "none"].contains(&name.as_str());
    Some(if whole && tokens.is_empty() { Answer::Word(name) } else { Answer::Named { name, tokens } })
}

fn setup_ok(words: &mut Words) -> Option<Reply> {
    let game = Token::new(words.next()?)?;
    let mut pairs = Vec::new();
    while let Some(key) = words.next() {
        pairs.push((Token::key(key)?, words.next()?.to_owned()));
    }
    Some(Reply::SetupOk { game, pairs })
}

fn game(words: &mut Words) -> Option<GameDecl> {
    let name = Token::new(words.next()?)?;
    let mut params = Vec::new();
    while let Some(word) = words.next() {
        params.push(param(word, words)?);
    }
    Some(GameDecl { name, params })
}

fn param(word: &str, words: &mut Words) -> Option<ParamDecl> {
    let ends = |word: &str| matches!(word, "param" | "type") || is_declaration_word(word);
    (word == "param").then_some(())?;
    let key = Token::key(words.next()?)?;
    (words.next()? == "type").then_some(())?;
    let kind = words.next().filter(|kind| !ends(kind))?.to_owned();
    let values = Values::read(words, ends);
    Some(ParamDecl {
        key,
        kind,
        default: values.default?,
        min: values.min,
        max: values.max,
        vars: values.vars,
    })
}

fn option(words: &mut Words) -> Option<OptionDecl> {
    (words.next()? == "name").then_some(())?;
    let name = words.phrase(|word| word == "type");
    (!name.is_empty() && words.next()? == "type").then_some(())?;
    let kind = words.next()?;
    let kind = OptionType::ALL.into_iter().find(|k| k.word() == kind)?;
    let values = Values::read(words, |word| kind != OptionType::String && is_declaration_word(word));
    Some(OptionDecl {
        name,
        kind,
        default: values.default,
        min: values.min,
        max: values.max,
        vars: values.vars,
    })
}

fn is_declaration_word(word: &str) -> bool {
    matches!(word, "default" | "min" | "max" | "var")
}

/// The values of a declaration: `[default D] [min N] [max N] { var V }`.
#[derive(Default)]
struct Values {
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    vars: Vec<String>,
}

impl Values {
    /// Reads up to a word that begins no value. Each text runs up to a word that `ends` it.
    fn read(words: &mut Words, ends: impl Fn(&str) -> bool) -> Values {
        let mut values = Values::default();
        while let Some(word) = words.peek().filter(|word| is_declaration_word(word)) {
            words.next();
            let text = words.phrase(&ends);
            match word {
                "default" if text == "<empty>" => values.default = Some(String::new()),
                "default" => values.default = Some(text),
                "min" => values.min = text.parse().ok(),
                "max" => values.max = text.parse().ok(),
                _ => values.vars.push(text),
            }
        }
        values
    }
}
