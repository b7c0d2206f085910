//! From commands to lines.

use std::fmt;

use crate::words::{OneLine, write_all};
use crate::{Command, Dialect, Go, Query, Root};

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Hello { dialect, version } => {
                f.write_str(dialect.word())?;
                write_all(f, version)
            }
            Command::IsReady => f.write_str("isready"),
            Command::NewGame(dialect) => write!(f, "{}newgame", dialect.word()),
            Command::Setup { game, pairs } => {
                write!(f, "setup {game}")?;
                pairs.iter().try_for_each(|(key, value)| write!(f, " {key} {}", OneLine(value)))
            }
            Command::SetOption { name, value } => {
                write!(f, "setoption name {}", OneLine(name))?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {}", OneLine(value)),
                }
            }
            Command::Position { root, moves } => {
                write!(f, "position {root}")?;
                if moves.is_empty() {
                    return Ok(());
                }
                f.write_str(" moves")?;
                write_all(f, moves)
            }
            Command::Legal(moves) => {
                write!(f, "legal {}", moves.len())?;
                write_all(f, moves)
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::Wait => f.write_str("wait"),
            Command::Query(query) => write!(f, "query {query}"),
            Command::Display => f.write_str("d"),
            Command::Help => f.write_str("help"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl Dialect {
    /// `ugi` or `uci`.
    pub const fn word(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uci => "uci",
        }
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Root::StartPos => f.write_str("startpos"),
            Root::Fen(fen) => write!(f, "fen {}", OneLine(fen)),
            Root::Current => f.write_str("current"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        let limits = [
            ("movetime", self.movetime),
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("mate", self.mate),
            ("p1time", self.p1time),
            ("p2time", self.p2time),
            ("p1inc", self.p1inc),
            ("p2inc", self.p2inc),
            ("movestogo", self.movestogo),
        ];
        for (word, limit) in limits {
            if let Some(n) = limit {
                write!(f, " {word} {n}")?;
            }
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
            write_all(f, &self.searchmoves)?;
        }
        if let Some(tag) = &self.tag {
            write!(f, " tag {tag}")?;
        }
        Ok(())
    }
}

impl Query {
    /// The question's word, such as `islegal`; an answer that isn't one of the classic three begins with it.
    pub const fn word(&self) -> &'static str {
        match self {
            Query::P1Turn => "p1turn",
            Query::GameOver => "gameover",
            Query::Result => "result",
            Query::Reason => "reason",
            Query::Score => "score",
            Query::Legal => "legal",
            Query::IsLegal(_) => "islegal",
            Query::Turn => "turn",
            Query::Ply => "ply",
            Query::Fen => "fen",
            Query::Moves => "moves",
            Query::Board => "board",
            Query::Game => "game",
            Query::Status => "status",
            Query::Eval => "eval",
            Query::Perft(_) => "perft",
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Query::IsLegal(m) => write!(f, " {m}"),
            Query::Perft(depth) => write!(f, " {depth}"),
            _ => Ok(()),
        }
    }
}
