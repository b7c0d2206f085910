use crate::setup::read_pairs;
use crate::{
    Agent, AgentSpec, Evaluate, FenError, Notation, OptionSpec, Options, Param, Setup, SetupError, Words,
};

/// A concrete position type with everything an engine needs.
pub trait Playable: Evaluate + Notation {
    /// A new agent of this game by its name in [`Family::AGENTS`], or `None` if there is none of that name.
    fn agent(name: &str, options: &Options) -> Option<Box<dyn Agent<Self>>>;
}

/// Code that works on any concrete position of a game.
pub trait Visitor {
    /// What it gives back.
    type Output;

    /// Called once, with the position.
    fn visit<G: Playable>(self, position: G) -> Self::Output;
}

/// A game: its name, its set-up keys, its agents, and which concrete position type a set-up or position string needs.
pub trait Family: Send + Sync + 'static {
    /// The game's name on the wire.
    const NAME: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// What people call things in it.
    const WORDS: &'static Words;
    /// The set-up keys, in canonical order.
    const PARAMS: &'static [Param];
    /// The agents the game ships.
    const AGENTS: &'static [AgentSpec];
    /// Random moves that make an opening where nothing else is asked for.
    const OPENING_PLIES: u32 = 4;
    /// The set-up key that does nothing but choose among start positions drawn by lot, where the game has one.
    const START_SEED: Option<&'static str> = None;
    /// The options that set the constants of its evaluation and of the order of its moves.
    const WEIGHTS: &'static [OptionSpec];
    /// The positions that an engine's `bench` searches, one position string per line.
    const BENCH: &'static str;

    /// Checks values (in the order of [`Family::PARAMS`], each within its own range, `None` = auto) against each other
    /// and resolves `auto`.
    fn resolve(values: &[Option<i64>]) -> Result<Setup, SetupError>;

    /// Visits the start position of a set-up.
    fn start<V: Visitor>(setup: &Setup, visitor: V) -> V::Output;

    /// Visits the position that a string describes.
    fn load<V: Visitor>(fen: &str, visitor: V) -> Result<V::Output, FenError>;

    /// Reads the `key value` pairs of a set-up; missing keys take their defaults.
    fn setup(pairs: &[(&str, &str)]) -> Result<Setup, SetupError> {
        Self::resolve(&read_pairs(Self::PARAMS, pairs)?)
    }

    /// The default set-up.
    fn default_setup() -> Setup {
        Self::setup(&[]).expect("the defaults are a valid set-up")
    }
}
