mod printer;
mod reader;

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
    Hello {
        /// The hello word.
        dialect: Dialect,
        /// The major version that is wanted; `None`: 1.
        version: Option<i64>,
    },
    /// `isready`.
    IsReady,
    /// `uginewgame` or `ucinewgame`.
    NewGame(Dialect),
    /// `setup GAME key value …`.
    Setup {
        /// The game's name.
        game: Token,
        /// Keys with their values, as given: neither known nor distinct keys are promised. Values are single words.
        pairs: Vec<(Token, String)>,
    },
    /// `setoption name N [value V]`.
    SetOption {
        /// The option's name: its words joined by single blanks, in the letter case given. Never empty.
        name: String,
        /// The text after `value` without outer blanks; `<empty>` and no text at all are the empty value.
        value: Option<String>,
    },
    /// `position ROOT [moves …]`.
    Position {
        /// Where the moves start from.
        root: Root,
        /// The moves, not checked for being any game's.
        moves: Vec<Token>,
    },
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
    /// A position string: its fields joined by single blanks. Never empty.
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

/// One of the two players as the wire names them; which side that is, the game's rules say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// The game's first player.
    P1,
    /// The game's second player.
    P2,
}

/// What a `go` says of one player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Milliseconds left; zero or less: move at once.
    pub time: i64,
    /// Milliseconds added after each move.
    pub increment: i64,
    /// Moves until the clock is replenished; `None`: never.
    pub moves_to_go: Option<i64>,
}

impl Go {
    /// The mover's clock, or `None` if the `go` names no clock at all. A clock that lacks the mover's own time is an
    /// error, `bad-syntax p1time` or `bad-syntax p2time`; only the engine, who knows the mover, can tell.
    pub fn clock(&self, mover: Player) -> Result<Option<Clock>, ErrorReply> {
        let named = [self.p1time, self.p2time, self.p1inc, self.p2inc, self.movestogo];
        if named.iter().all(Option::is_none) {
            return Ok(None);
        }
        let (word, time, increment) = match mover {
            Player::P1 => ("p1time", self.p1time, self.p1inc),
            Player::P2 => ("p2time", self.p2time, self.p2inc),
        };
        let missing = || ErrorReply::bad_syntax(word).text("a clock needs the time of the player to move");
        let time = time.ok_or_else(missing)?;
        Ok(Some(Clock { time, increment: increment.unwrap_or(0), moves_to_go: self.movestogo }))
    }

    /// Whether no limit but perhaps `infinite` is named.
    fn is_unlimited(&self) -> bool {
        let limits = [self.movetime, self.depth, self.nodes, self.mate, self.movestogo];
        let clocks = [self.p1time, self.p2time, self.p1inc, self.p2inc];
        limits.iter().chain(&clocks).all(Option::is_none)
    }
}

/// What a `query` asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// `p1turn`: whether player 1 is to move.
    P1Turn,
    /// `gameover`: whether the game is over.
    GameOver,
    /// `result`: who has won, if anyone.
    Result,
    /// `reason`: why the game is over.
    Reason,
    /// `score`: the points of both players.
    Score,
    /// `legal`: the legal moves.
    Legal,
    /// `islegal M`: whether that move is legal.
    IsLegal(Token),
    /// `turn`: who is to move.
    Turn,
    /// `ply`: the number of moves since the root.
    Ply,
    /// `fen`: the position string.
    Fen,
    /// `moves`: the moves since the root.
    Moves,
    /// `board`: the board for people.
    Board,
    /// `game`: the game and its set-up.
    Game,
    /// `status`: whether a search runs.
    Status,
    /// `eval`: the static value for the side to move.
    Eval,
    /// `perft N`: the number of move sequences of N plies.
    Perft(u32),
}

/// A line that is no command: the error to print, and what else the line's first word owes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// The error line.
    pub error: ErrorReply,
    /// What follows from the first word.
    pub owed: Owed,
    /// The game of a `setup` whose keys can't be read. Where it is none of the engine's, that is what is wrong with the line.
    pub game: Option<Token>,
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
