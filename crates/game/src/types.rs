use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::{BoardStyle, FenError, Weights};

/// One of the two players. `First` is the player the rules call first (white, x, A), whoever is to move now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Side {
    /// The game's first player, `p1` on the wire.
    First,
    /// The game's second player, `p2` on the wire.
    Second,
}

impl Side {
    /// Both sides, first player first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `p1` or `p2`.
    pub const fn token(self) -> &'static str {
        match self {
            Side::First => "p1",
            Side::Second => "p2",
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Outcome {
    /// The winner, or `None` for a draw.
    pub winner: Option<Side>,
    /// The reason token of the game's rules, such as `line-shape`.
    pub reason: &'static str,
}

impl Outcome {
    /// `p1win`, `p2win` or `draw`.
    pub const fn token(self) -> &'static str {
        match self.winner {
            Some(Side::First) => "p1win",
            Some(Side::Second) => "p2win",
            None => "draw",
        }
    }
}

/// What a search says of a position, seen from the side to move. Distances count plies to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Score {
    /// An estimate in hundredths of a unit ("centipawns").
    Cp(i32),
    /// A proven win, the game ending after this many plies.
    Win(u32),
    /// A proven loss, the game ending after this many plies.
    Loss(u32),
    /// A proven draw, the game ending after this many plies.
    Draw(u32),
}

/// A position of a game. Copy-make: [`Game::play_unchecked`] changes a copy, nothing is ever undone.
///
/// Equality and [`Game::key`] cover everything that can change the rest of the game (board, side to move, stocks,
/// counters, limits such as the line length) and ignore the reason of a finished game.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move. It fits 16 bits: see [`Game::move_bits`].
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// The side to move; in a finished position, the side that would be.
    fn side_to_move(&self) -> Side;

    /// The result if the game is over, else `None`. Decided when a move is played or a position is loaded.
    fn outcome(&self) -> Option<Outcome>;

    /// Points of the first and of the second player, for games that count points.
    fn score(&self) -> Option<(u32, u32)> {
        None
    }

    /// Calls `f` with each legal move in the canonical order of the rules until it breaks. None in a finished game.
    fn moves(&self, f: impl FnMut(Self::Move) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The number of legal moves. Overridden where it can be had without listing them (bulk counting).
    fn count_moves(&self) -> u64 {
        let mut n = 0;
        let _ = self.moves(|_| {
            n += 1;
            ControlFlow::Continue(())
        });
        n
    }

    /// Whether `m` is legal here; `false` for every move of a finished game. Total: any value may be asked for.
    fn is_legal(&self, m: Self::Move) -> bool;

    /// Plays a move that the caller knows to be legal. With an illegal one the position is unspecified, but no
    /// undefined behaviour results.
    fn play_unchecked(&mut self, m: Self::Move);

    /// The position after a legal move.
    ///
    /// # Panics
    /// If the move is illegal.
    #[must_use]
    fn play(&self, m: Self::Move) -> Self {
        self.try_play(m).expect("the move is legal")
    }

    /// The position after `m`, or `None` if it is illegal.
    fn try_play(&self, m: Self::Move) -> Option<Self> {
        self.is_legal(m).then(|| {
            let mut next = self.clone();
            next.play_unchecked(m);
            next
        })
    }

    /// The Zobrist key, kept up incrementally.
    fn key(&self) -> u64;

    /// The key of the position after a legal move, if it can be had for less than playing it.
    fn key_after(&self, _m: Self::Move) -> Option<u64> {
        None
    }

    /// The key computed afresh from the whole position; equal to [`Game::key`] always.
    fn key_from_scratch(&self) -> u64;

    /// The same position for all that the board's symmetries make of this one: whoever wants to know its value may ask
    /// for that of this. `None` unless that saves much work at little cost, as near a symmetrical start.
    fn folded(&self) -> Option<Self> {
        None
    }

    /// Packs a move into 16 bits; never 0xFFFF, which tables use for "no move".
    fn move_bits(m: Self::Move) -> u16;

    /// Unpacks [`Game::move_bits`]; `None` for bits that are no move at all on this board (legality is not checked).
    fn move_from_bits(&self, bits: u16) -> Option<Self::Move>;

    /// All legal moves, in canonical order.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut list = Vec::new();
        let _ = self.moves(|m| {
            list.push(m);
            ControlFlow::Continue(())
        });
        list
    }
}

/// Why a text is not a move that can be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not of the game's move grammar at all.
    #[error("not a move of this game: {0}")]
    Malformed(String),
    /// A move of the grammar that is not legal here; the text says why.
    #[error("{0}")]
    Illegal(String),
    /// The game is over.
    #[error("the game is over")]
    GameOver,
}

/// Text forms of moves and positions, as the rules define them.
pub trait Notation: Game {
    /// Reads a position string. Strict: refuses everything the rules refuse, naming the field.
    fn from_fen(text: &str) -> Result<Self, FenError>;

    /// The position string; `from_fen(fen())` gives an equal position.
    fn fen(&self) -> String;

    /// Reads a move (in any letter case) and checks that it is legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The canonical text of a move.
    fn move_text(&self, m: Self::Move) -> String;

    /// The board as lines of text for people: coordinates, pieces, the `last` move marked; and after an empty line captions:
    /// stocks and side to move.
    fn board(&self, last: Option<Self::Move>, style: BoardStyle) -> Vec<String>;
}

/// What the next two plies settle. It must be exact: search relies on it as on the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tactics<M> {
    /// Nothing is settled, or nothing is known.
    Open,
    /// This move wins the game at once.
    Win(M),
    /// No move wins at once, and none is better than the best of the replies handed out: the others lose to the
    /// opponent's next move.
    Forced,
}

/// The limits of an engine that plays below its strength. A win at once that a position sees
/// ([`Evaluate::tactics`](crate::Evaluate::tactics)) it takes whatever they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The most nodes for a move.
    pub nodes: u64,
    /// By how much the judgement errs at most, in percent of what the moves of the root differ by.
    pub error: i32,
    /// How many of a thousand positions are misjudged altogether: their value is nearer to 0 than that.
    pub overlooked: u64,
    /// How many of a hundred thousand positions are misjudged like these and not looked into besides, so that not even
    /// threats are seen.
    pub missed: u64,
}

impl Level {
    /// Levels at least 65 % of the points apart in games where every node counts and few end in a draw: measured in Andantino.
    pub const USUAL: [Level; 9] = [
        Level::new(10, 250, 1_000, 22_000),
        Level::new(12, 210, 1_000, 2_500),
        Level::new(29, 86, 280, 0),
        Level::new(78, 38, 44, 0),
        Level::new(260, 14, 6, 0),
        Level::new(780, 10, 3, 0),
        Level::new(2_900, 7, 1, 0),
        Level::new(12_000, 5, 0, 0),
        Level::new(150_000, 2, 0, 0),
    ];

    /// A level with these limits, in the order of the fields.
    pub const fn new(nodes: u64, error: i32, overlooked: u64, missed: u64) -> Level {
        Level { nodes, error, overlooked, missed }
    }
}

/// What the search needs to know of a game beyond its rules.
pub trait Evaluate: Game {
    /// What is kept of a position so that those a move later are evaluated with less work; `()` for nothing.
    type Memo: Copy + PartialEq + Debug + Send;

    /// What is kept of this position.
    fn memo(&self) -> Self::Memo;

    /// Replaces `memo` by what is kept of this position, given the position `before` the last move and what was kept of
    /// that.
    fn keep_memo(&self, memo: &mut Self::Memo, _before: &Self, _before_memo: &Self::Memo) {
        *memo = self.memo();
    }

    /// The constants of the evaluation and of [`Evaluate::order_hint`]; `()` for none.
    type Weights: Weights;

    /// A static value for the side to move in hundredths of a unit, within ±[`Evaluate::LIMIT`] whatever the weights. Only
    /// called on unfinished positions, with what is kept of them.
    fn evaluate_with(&self, memo: &Self::Memo, weights: &Self::Weights) -> i32;

    /// The same, from nothing but the position.
    fn evaluate(&self) -> i32 {
        self.evaluate_with(&self.memo(), &Self::Weights::default())
    }

    /// What the value of an unfinished position that nothing forces will hardly be below, and hardly above, after a search of
    /// so many plies, 0 for the static one, as far as that shows without any: a search that need not be exact takes it
    /// for the value where that is enough. `None` if nothing can be said.
    fn outlook(&self, _depth: u32, _weights: &Self::Weights) -> Option<[i32; 2]> {
        None
    }

    /// Bound of [`Evaluate::evaluate`].
    const LIMIT: i32 = 20_000;

    /// Depth in plies up to which a search keeps what it finds in a small table that stays in the cache, not in the large
    /// one: where searching again takes less than waiting for memory. 0: nowhere.
    const NEAR: u32 = 0;

    /// By how much of the static value a position is to be better for a prover to expect half the effort to show that it is
    /// good, and twice that to show that it isn't. `None`: only the number of replies is looked at.
    fn effort_doubles(_weights: &Self::Weights) -> Option<i32> {
        None
    }

    /// What an engine may do that is to play below its strength: the weakest level first.
    const LEVELS: [Level; 9] = Level::USUAL;

    /// What can be said of an unfinished position without playing a move. Hands out the replies where they are
    /// [forced](Tactics::Forced), at least one and each once, and none otherwise.
    fn tactics(&self, _replies: impl FnMut(Self::Move)) -> Tactics<Self::Move> {
        Tactics::Open
    }

    /// Whether a side may win an unfinished position against the best replies, as far as that shows without playing a
    /// move: `false` is a proof that its opponent can at least draw. Searches ask that must not give plain negamax's values.
    fn can_win(&self, _side: Side) -> bool {
        true
    }

    /// Hands out legal moves of an unfinished position that leave the opponent little choice, so that they are worth a
    /// look where the search ends. Every line of such moves and of replies that [`Evaluate::tactics`] forces must end.
    fn forcing(&self, _f: impl FnMut(Self::Move)) {}

    /// Hands out moves of an unfinished position, roughly the most promising first: all from a place on, or at least
    /// `most`, each once. The first place is 0; gives the next one, `None` if there is none.
    fn candidates(&self, _from: usize, _most: usize, mut f: impl FnMut(Self::Move)) -> Option<usize> {
        let _ = self.moves(|m| {
            f(m);
            ControlFlow::Continue(())
        });
        None
    }

    /// A legal move of a position for which it is known once and for all that none is better.
    fn book(&self) -> Option<Self::Move> {
        None
    }

    /// A first guess at how good a move is, bigger is better; used to order moves nothing else is known about.
    fn order_hint(&self, m: Self::Move, weights: &Self::Weights) -> i32;

    /// Number of different values of [`Evaluate::history_index`].
    fn history_size(&self) -> usize;

    /// Index of a move in history tables, below [`Evaluate::history_size`]: moves that mean the same share one.
    fn history_index(&self, m: Self::Move) -> usize;

    /// Whether moves are few and keep their meaning: a move's history index is its [`Game::move_bits`], and its
    /// [`Evaluate::order_hint`] is the same in all positions with the same side to move. Then the search keeps all moves of
    /// a side sorted, in place of ranking those of every node.
    const STEADY: bool = false;

    /// An upper bound on the number of plies left, however the game goes on. Search never goes deeper.
    fn max_plies_left(&self) -> u32;
}
