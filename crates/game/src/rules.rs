use std::marker::PhantomData;

use crate::perft::{self, Perft};
use crate::setup::read_value;
use crate::{
    AgentSpec, BoardStyle, Family, FenError, MoveError, Outcome, Param, Playable, Setup, SetupError, Side,
    Visitor, Words,
};

/// The rules of a game, for programs that learn at run time which game it is.
pub trait Rules: Send + Sync {
    /// The game's name on the wire.
    fn name(&self) -> &'static str;
    /// The game's name for people.
    fn title(&self) -> &'static str;
    /// What people call things in it.
    fn words(&self) -> &'static Words;
    /// The set-up keys.
    fn params(&self) -> &'static [Param];
    /// The agents the game ships.
    fn agents(&self) -> &'static [AgentSpec];
    /// Random moves that make an opening where nothing else is asked for.
    fn opening_plies(&self) -> u32;
    /// The set-up key that does nothing but choose among start positions drawn by lot, where the game has one.
    fn start_seed(&self) -> Option<&'static Param>;
    /// Reads a set-up; missing keys take their defaults.
    fn setup(&self, pairs: &[(&str, &str)]) -> Result<Setup, SetupError>;
    /// Checks one value of one key against that key's own range.
    fn check_value(&self, key: &str, value: &str) -> Result<(), SetupError>;
    /// The start position of a set-up.
    fn start(&self, setup: &Setup) -> Box<dyn State>;
    /// The position that a string describes.
    fn load(&self, fen: &str) -> Result<Box<dyn State>, FenError>;
}

/// A position of a game, its moves as text.
pub trait State: Send {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn State>;
    /// The side to move.
    fn side_to_move(&self) -> Side;
    /// The result if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Points of both players, for games that count points.
    fn score(&self) -> Option<(u32, u32)>;
    /// The legal moves in canonical order.
    fn legal(&self) -> Vec<String>;
    /// The number of legal moves.
    fn count_moves(&self) -> u64;
    /// Plays a move (in any letter case) and gives its canonical text; on an error nothing changes.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;
    /// The position string.
    fn fen(&self) -> String;
    /// The Zobrist key.
    fn key(&self) -> u64;
    /// The board for people, the last move played on this object marked.
    fn board(&self, style: BoardStyle) -> Vec<String>;
    /// Counts move sequences of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;
    /// Counts move sequences ply by ply up to `depth`, with the results of those that end there.
    fn perft_table(&self, depth: u32) -> Vec<Perft>;
    /// [`State::perft`] split by the first move.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
}

/// [`Rules`] of a [`Family`].
pub struct Ruleset<F>(PhantomData<F>);

impl<F> Ruleset<F> {
    /// The rules of `F`.
    pub const fn new() -> Ruleset<F> {
        Ruleset(PhantomData)
    }
}

impl<F> Default for Ruleset<F> {
    fn default() -> Ruleset<F> {
        Ruleset::new()
    }
}

impl<F: Family> Rules for Ruleset<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }
    fn title(&self) -> &'static str {
        F::TITLE
    }
    fn words(&self) -> &'static Words {
        F::WORDS
    }
    fn params(&self) -> &'static [Param] {
        F::PARAMS
    }
    fn agents(&self) -> &'static [AgentSpec] {
        F::AGENTS
    }
    fn opening_plies(&self) -> u32 {
        F::OPENING_PLIES
    }
    fn start_seed(&self) -> Option<&'static Param> {
        F::PARAMS.iter().find(|param| Some(param.key) == F::START_SEED)
    }
    fn setup(&self, pairs: &[(&str, &str)]) -> Result<Setup, SetupError> {
        F::setup(pairs)
    }
    fn check_value(&self, key: &str, value: &str) -> Result<(), SetupError> {
        let error = |expected| SetupError { key: key.into(), value: value.into(), expected };
        match F::PARAMS.iter().find(|p| p.key == key) {
            Some(param) => read_value(param, value).map(drop).map_err(error),
            None => Err(error("unknown key".into())),
        }
    }
    fn start(&self, setup: &Setup) -> Box<dyn State> {
        F::start(setup, Boxer)
    }
    fn load(&self, fen: &str) -> Result<Box<dyn State>, FenError> {
        F::load(fen, Boxer)
    }
}

struct Boxer;

impl Visitor for Boxer {
    type Output = Box<dyn State>;
    fn visit<G: Playable>(self, position: G) -> Box<dyn State> {
        Box::new(Concrete { position, last: None })
    }
}

#[derive(Clone)]
struct Concrete<G: Playable> {
    position: G,
    last: Option<G::Move>,
}

impl<G: Playable> State for Concrete<G> {
    fn boxed_clone(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }
    fn score(&self) -> Option<(u32, u32)> {
        self.position.score()
    }
    fn legal(&self) -> Vec<String> {
        self.position.legal_moves().into_iter().map(|m| self.position.move_text(m)).collect()
    }
    fn count_moves(&self) -> u64 {
        self.position.count_moves()
    }
    fn play(&mut self, text: &str) -> Result<String, MoveError> {
        let m = self.position.parse_move(text)?;
        let canonical = self.position.move_text(m);
        self.position.play_unchecked(m);
        self.last = Some(m);
        Ok(canonical)
    }
    fn fen(&self) -> String {
        self.position.fen()
    }
    fn key(&self) -> u64 {
        self.position.key()
    }
    fn board(&self, style: BoardStyle) -> Vec<String> {
        self.position.board(self.last, style)
    }
    fn perft(&self, depth: u32) -> u64 {
        perft::perft(&self.position, depth)
    }
    fn perft_table(&self, depth: u32) -> Vec<Perft> {
        perft::table(&self.position, depth)
    }
    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let rows = perft::divide(&self.position, depth);
        rows.into_iter().map(|(m, n)| (self.position.move_text(m), n)).collect()
    }
}
