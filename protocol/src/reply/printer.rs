//! From replies to lines.

use std::fmt;

use crate::words::{BLANKS, OneLine, write_all};
use crate::{Answer, Best, Bound, GameDecl, Info, InfoScore, OptionDecl, OptionType, ParamDecl, Reply};

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id { field, text } => labelled(f, &format!("id {}", OneLine(field)), text),
            Reply::Protocol { name, major, minor } => write!(f, "protocol {} {major}.{minor}", OneLine(name)),
            Reply::Cap(capabilities) => {
                f.write_str("cap")?;
                write_all(f, capabilities.iter().map(|word| OneLine(word)))
            }
            Reply::Game(game) => game.fmt(f),
            Reply::Option(option) => option.fmt(f),
            Reply::HelloOk(dialect) => write!(f, "{}ok", dialect.word()),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::SetupOk { game, pairs } => {
                write!(f, "setupok {game}")?;
                pairs.iter().try_for_each(|(key, value)| write!(f, " {key} {}", OneLine(value)))
            }
            Reply::Info(info) => info.fmt(f),
            Reply::InfoString(text) => labelled(f, "info string", text),
            Reply::BestMove { best, tag } => {
                write!(f, "bestmove {best}")?;
                tag.iter().try_for_each(|tag| write!(f, " tag {tag}"))
            }
            Reply::Response(answer) => answer.fmt(f),
            Reply::BoardLine(text) => labelled(f, "boardline", text),
            Reply::Error(error) => error.fmt(f),
            Reply::Unknown(text) => OneLine(text).fmt(f),
        }
    }
}

/// A label, and after one blank a text, if there is any.
fn labelled(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    f.write_str(label)?;
    let text = text.trim_end_matches(BLANKS);
    if text.is_empty() { Ok(()) } else { write!(f, " {}", OneLine(text)) }
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Best::Move(m) => m.fmt(f),
            Best::Null => f.write_str("0000"),
            Best::Malformed(text) => OneLine(text).fmt(f),
        }
    }
}

impl fmt::Display for GameDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.name)?;
        write_all(f, &self.params)
    }
}

impl fmt::Display for ParamDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "param {} type {} default {}", self.key, OneLine(&self.kind), OneLine(&self.default))?;
        bounds(f, self.min, self.max, &self.vars)
    }
}

impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", OneLine(&self.name), self.kind.word())?;
        match self.default.as_deref() {
            None => {}
            Some("") => f.write_str(" default <empty>")?,
            Some(text) => write!(f, " default {}", OneLine(text))?,
        }
        bounds(f, self.min, self.max, &self.vars)
    }
}

fn bounds(f: &mut fmt::Formatter<'_>, min: Option<i64>, max: Option<i64>, vars: &[String]) -> fmt::Result {
    min.iter().try_for_each(|n| write!(f, " min {n}"))?;
    max.iter().try_for_each(|n| write!(f, " max {n}"))?;
    vars.iter().try_for_each(|value| write!(f, " var {}", OneLine(value)))
}

impl OptionType {
    /// Every type.
    pub const ALL: [OptionType; 5] =
        [OptionType::Check, OptionType::Spin, OptionType::Combo, OptionType::Button, OptionType::String];

    /// The type's word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            OptionType::Check => "check",
            OptionType::Spin => "spin",
            OptionType::Combo => "combo",
            OptionType::Button => "button",
            OptionType::String => "string",
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |f: &mut fmt::Formatter<'_>, key: &str, value: Option<i64>| match value {
            Some(n) => write!(f, " {key} {n}"),
            None => Ok(()),
        };
        f.write_str("info")?;
        number(f, "depth", self.depth)?;
        number(f, "seldepth", self.seldepth)?;
        number(f, "multipv", self.multipv)?;
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
            f.write_str(match self.bound {
                None => "",
                Some(Bound::Lower) => " lowerbound",
                Some(Bound::Upper) => " upperbound",
            })?;
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        number(f, "endply", self.endply)?;
        number(f, "nodes", self.nodes)?;
        number(f, "nps", self.nps)?;
        number(f, "hashfull", self.hashfull)?;
        number(f, "time", self.time)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            write_all(f, &self.pv)?;
        }
        Ok(())
    }
}

impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InfoScore::Cp(n) => write!(f, "cp {n}"),
            InfoScore::Mate(n) => write!(f, "mate {n}"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Word(word) => write!(f, "response {}", OneLine(word)),
            Answer::Named { name, tokens } => {
                write!(f, "response {}", OneLine(name))?;
                write_all(f, tokens.iter().map(|token| OneLine(token)))
            }
        }
    }
}
