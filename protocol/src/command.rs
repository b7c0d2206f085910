use crate::{ErrorReply, Token};

/// Which hello word, and so which vocabulary, a line uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `ugi`, `uginewgame`, `ugiok`.
    Ugi,
    /// `uci`, `ucinewgame`, `uciok`: strict, no foreign lines.
    Uci,
}

/// A line from the controller to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `ugi [N]` or `uci [N]`.
    Hello { dialect: Dialect, version: Option<i64> },
    /// `isready`.
    IsReady,
    /// `uginewgame` or `ucinewgame`.
    NewGame(Dialect),
    /// `setup GAME key value …`. Values are single words.
    Setup { game: Token, pairs: Vec<(Token, String)> },
    /// `setoption name N [value V]`.
    SetOption { name: String, value: Option<String> },
    /// `position ROOT [moves …]`.
    Position { root: Root, moves: Vec<Token> },
    /// `legal N m1 …`: the legal moves of the position just sent, for engines without rules.
    Legal(Vec<Token>),
    /// `go …`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `wait`.
    Wait,
    /// `query …`.
    Query(Query),
    /// `d`, short for `query board`.
    Display,
    /// `help`.
    Help,
    /// `debug on|off`.
    Debug(bool),
    /// `quit`.
    Quit,
}

/// Where a position starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// The set-up's start position.
    StartPos,
    /// A position string: its fields joined by single blanks.
    Fen(String),
    /// The present position.
    Current,
}

/// The limits of a `go`. A limit is active when it is named; negative numbers are kept as given and mean the smallest
/// search. `wtime btime winc binc` are read as `p1time p2time p1inc p2inc`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// `infinite`, or nothing at all but perhaps `searchmoves` and `tag`. The parser sets it for a plain `go`.
    pub infinite: bool,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// A win in this many moves.
    pub mate: Option<i64>,
    /// Moves until the clock is replenished.
    pub movestogo: Option<i64>,
    /// Milliseconds left for player 1.
    pub p1time: Option<i64>,
    /// Milliseconds left for player 2.
    pub p2time: Option<i64>,
    /// Milliseconds added per move for player 1.
    pub p1inc: Option<i64>,
    /// Milliseconds added per move for player 2.
    pub p2inc: Option<i64>,
    /// The only moves to consider; empty: all.
    pub searchmoves: Vec<Token>,
    /// A word that comes back with the `bestmove`.
    pub tag: Option<Token>,
}

/// What a `query` asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    P1Turn,
    GameOver,
    Result,
    Reason,
    Score,
    Legal,
    IsLegal(Token),
    Turn,
    Ply,
    Fen,
    Moves,
    Board,
    Game,
    Status,
    Eval,
    Perft(u32),
}

/// A line that is no command: the error to print, and what else the line's first word owes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The error line.
    pub error: ErrorReply,
    /// What follows from the first word.
    pub owed: Owed,
}

/// What a refused line still causes, by its first word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owed {
    /// Nothing.
    Nothing,
    /// It was a `go`: `bestmove 0000`, with this tag if one could be read.
    BestMove(Option<Token>),
    /// It was a `position`: the position is unset.
    UnsetPosition,
    /// It was a `setup`: everything is unset.
    UnsetSetup,
}
