use crate::{Dialect, Token};

/// A line from the engine to the controller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `id name|author|version TEXT`.
    Id { field: String, text: String },
    /// `protocol NAME MAJOR.MINOR`.
    Protocol { name: String, major: u32, minor: u32 },
    /// `cap …`.
    Cap(Vec<Token>),
    /// `game …`.
    Game(GameDecl),
    /// `option …`.
    Option(OptionDecl),
    /// `ugiok` or `uciok`.
    HelloOk(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `setupok GAME key value …`.
    SetupOk { game: Token, pairs: Vec<(Token, String)> },
    /// `info …`.
    Info(Info),
    /// `info string TEXT`.
    InfoString(String),
    /// `bestmove M|0000 [tag T]`; `None` is `0000`. What foreign engines add (`ponder X`) is dropped.
    BestMove { best: Option<Token>, tag: Option<Token> },
    /// `response …`.
    Response(Answer),
    /// `boardline TEXT`.
    BoardLine(String),
    /// `error …`.
    Error(ErrorReply),
    /// Anything else: banners, private words, malformed lines. A controller ignores it.
    Unknown(String),
}

/// `game NAME { param KEY type TYPE default VALUE [min N] [max N] { var V } }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameDecl {
    pub name: Token,
    pub params: Vec<ParamDecl>,
}

/// One set-up key of a [`GameDecl`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamDecl {
    pub key: Token,
    pub kind: String,
    pub default: String,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub vars: Vec<String>,
}

/// `option name N type T [default D] [min N] [max N] { var V }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDecl {
    pub name: String,
    pub kind: OptionType,
    pub default: Option<String>,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub vars: Vec<String>,
}

/// The option types of UCI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionType {
    Check,
    Spin,
    Combo,
    Button,
    String,
}

/// An analysis line. Unknown or malformed pairs of foreign engines are dropped on reading.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    pub depth: Option<i64>,
    pub seldepth: Option<i64>,
    pub multipv: Option<i64>,
    pub score: Option<InfoScore>,
    pub bound: Option<Bound>,
    pub wdl: Option<[i64; 3]>,
    pub endply: Option<i64>,
    pub nodes: Option<i64>,
    pub nps: Option<i64>,
    pub hashfull: Option<i64>,
    /// Milliseconds.
    pub time: Option<i64>,
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
    Lower,
    Upper,
}

/// What follows `response`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// One of `true false p1win p2win draw none`, the whole answer to `p1turn`, `gameover`, `result`.
    Word(String),
    /// `NAME token …`: any other answer.
    Named { name: String, tokens: Vec<String> },
}

/// An `error CODE detail … [: text]` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorReply {
    pub code: ErrorCode,
    /// The fixed details of the code.
    pub details: Vec<String>,
    /// For people; empty: none.
    pub text: String,
}

/// The error codes of version 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ErrorCode {
    UnknownCommand,
    BadSyntax,
    BadNumber,
    BadEncoding,
    LineTooLong,
    UnknownGame,
    BadParam,
    UnknownOption,
    BadValue,
    BadFen,
    IllegalMove,
    NoPosition,
    GameOver,
    Busy,
    Unsupported,
    Aborted,
    Internal,
}
