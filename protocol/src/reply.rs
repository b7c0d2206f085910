mod printer;
mod reader;

use crate::{Dialect, ErrorReply, Token};

/// A line from the engine to the controller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `id name|author|version TEXT`.
    Id {
        /// What the text is: `name`, `author`, `version`. A single word.
        field: String,
        /// The text.
        text: String,
    },
    /// `protocol NAME MAJOR.MINOR`.
    Protocol {
        /// The protocol's name. A single word.
        name: String,
        /// Its major version.
        major: u32,
        /// Its minor version.
        minor: u32,
    },
    /// `cap …`: single words. No tokens, since `tag` is a capability and a reserved word.
    Cap(Vec<String>),
    /// `game …`.
    Game(GameDecl),
    /// `option …`.
    Option(OptionDecl),
    /// `ugiok` or `uciok`.
    HelloOk(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `setupok GAME key value …`.
    SetupOk {
        /// The game's name.
        game: Token,
        /// Every key of the game with its value, a single word, in canonical order.
        pairs: Vec<(Token, String)>,
    },
    /// `info …`.
    Info(Info),
    /// `info string TEXT`.
    InfoString(String),
    /// `bestmove M|0000 [tag T]`. What foreign engines add (`ponder X`) is dropped.
    BestMove {
        /// The move, if it is one.
        best: Best,
        /// The tag of the `go` that this answers.
        tag: Option<Token>,
    },
    /// `response …`.
    Response(Answer),
    /// `boardline TEXT`. Blanks at the beginning belong to the text.
    BoardLine(String),
    /// `error …`.
    Error(ErrorReply),
    /// Anything else: banners, private words, malformed lines. A controller ignores it.
    Unknown(String),
}

/// What an engine wants to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Best {
    /// A move, not checked for being the game's.
    Move(Token),
    /// No move: `0000`, or in foreign engines `none`, `(none)`, `resign`, or nothing at all.
    Null,
    /// A single word that can't be any game's move.
    Malformed(String),
}

/// `game NAME { param KEY type TYPE default VALUE [min N] [max N] { var V } }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameDecl {
    /// The game's name.
    pub name: Token,
    /// Its set-up keys, in canonical order.
    pub params: Vec<ParamDecl>,
}

/// One set-up key of a [`GameDecl`]. Its texts are single words, none of them `param`, `type`, `default`, `min`, `max`
/// or `var`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamDecl {
    /// The key.
    pub key: Token,
    /// The type's name: `int` or `choice`.
    pub kind: String,
    /// The default value.
    pub default: String,
    /// Smallest value.
    pub min: Option<i64>,
    /// Largest value.
    pub max: Option<i64>,
    /// Values besides a range, or instead of one.
    pub vars: Vec<String>,
}

/// `option name N type T [default D] [min N] [max N] { var V }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDecl {
    /// The name, words joined by single blanks; matched in any letter case.
    pub name: String,
    /// The type.
    pub kind: OptionType,
    /// The default; empty text is `<empty>` on the wire.
    pub default: Option<String>,
    /// Smallest value.
    pub min: Option<i64>,
    /// Largest value.
    pub max: Option<i64>,
    /// The values of a combo.
    pub vars: Vec<String>,
}

/// The option types of UCI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionType {
    /// `true` or `false`.
    Check,
    /// An integer from `min` to `max`.
    Spin,
    /// One of the `var` values.
    Combo,
    /// No value: setting it does something.
    Button,
    /// Any text.
    String,
}

/// An analysis line. Unknown or malformed pairs of foreign engines are dropped on reading.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies searched in full.
    pub depth: Option<i64>,
    /// Plies of the longest line searched.
    pub seldepth: Option<i64>,
    /// Which of the best lines this is, from 1.
    pub multipv: Option<i64>,
    /// The score.
    pub score: Option<InfoScore>,
    /// Whether the score is only a bound; `None`: it is exact. Printed only with a score.
    pub bound: Option<Bound>,
    /// Chances to win, draw and lose, in thousandths, for the side to move.
    pub wdl: Option<[i64; 3]>,
    /// Exact distance to the end of the game, in plies.
    pub endply: Option<i64>,
    /// Nodes searched.
    pub nodes: Option<i64>,
    /// Nodes per second.
    pub nps: Option<i64>,
    /// Use of the table, in thousandths.
    pub hashfull: Option<i64>,
    /// Milliseconds.
    pub time: Option<i64>,
    /// The principal variation.
    pub pv: Vec<Token>,
}

/// A score, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InfoScore {
    /// Hundredths of a unit.
    Cp(i64),
    /// Moves (not plies) to the end; negative: the side to move loses.
    Mate(i64),
}

/// Which bound a score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is this or better.
    Lower,
    /// The true score is this or worse.
    Upper,
}

/// What follows `response`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// One of `true false p1win p2win draw none`, the whole answer to `p1turn`, `gameover`, `result`.
    Word(String),
    /// `NAME token …`: any other answer.
    Named {
        /// The question's word.
        name: String,
        /// The answer's words.
        tokens: Vec<String>,
    },
}
