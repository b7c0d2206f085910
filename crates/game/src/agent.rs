use std::any::Any;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::{Game, Score};

/// A game so far: where it started, what was played, where it stands.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    root: G,
    moves: Vec<G::Move>,
    position: G,
}

impl<G: Game> Record<G> {
    /// A game that starts at `root`.
    pub fn new(root: G) -> Record<G> {
        Record { position: root.clone(), root, moves: Vec::new() }
    }

    /// Plays `m` if it is legal, and says whether it was.
    pub fn try_play(&mut self, m: G::Move) -> bool {
        let legal = self.position.is_legal(m);
        if legal {
            self.position.play_unchecked(m);
            self.moves.push(m);
        }
        legal
    }

    /// Where the game started.
    pub fn root(&self) -> &G {
        &self.root
    }

    /// The moves played since the root.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Where the game stands.
    pub fn position(&self) -> &G {
        &self.position
    }
}

/// The mover's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until `remaining` is replenished; `None`: never.
    pub moves_to_go: Option<u32>,
}

/// What bounds one search. All that are given hold at once; the first one reached ends the search. With none, only
/// [`Control::stopped`] does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// Largest depth in plies, at least 1.
    pub depth: Option<u32>,
    /// Largest number of nodes, at least 1.
    pub nodes: Option<u64>,
    /// Search for a win in this many moves, at least 1.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// The only root moves to consider; empty: all.
    pub searchmoves: Vec<M>,
    /// Whether the position is to be analysed, not a move to be played: the answer waits until it is asked for.
    pub infinite: bool,
}

impl<M: PartialEq> Limits<M> {
    /// Whether a root move is one of those to consider.
    pub fn allows(&self, m: &M) -> bool {
        self.searchmoves.is_empty() || self.searchmoves.contains(m)
    }
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            depth: None,
            nodes: None,
            mate: None,
            movetime: None,
            clock: None,
            searchmoves: Vec::new(),
            infinite: false,
        }
    }
}

/// One line of analysis.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a, M> {
    /// Depth in plies that was completed.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// Value of the line for the side to move at the root.
    pub score: Score,
    /// Rank of the line from 1, where more than one is asked for.
    pub multipv: Option<u32>,
    /// Share of the table in use, in permille.
    pub hashfull: Option<u32>,
    /// The principal variation, best move first.
    pub pv: &'a [M],
}

/// The only way out of a search, and the only way in: stop flag, time, reports.
pub trait Control<M>: Sync {
    /// Whether to end at once and answer with what there is. Cheap: may be asked at every node.
    fn stopped(&self) -> bool;

    /// Time since the search was asked for. For agents that manage their own time; the generic search leaves that to
    /// whoever implements [`Control::report`].
    fn elapsed(&self) -> Duration;

    /// Takes a finished iteration's line. `Break` asks not to begin another iteration.
    fn report(&self, report: &Report<'_, M>) -> ControlFlow<()>;
}

/// A control for programs that want a search's answer and its reports, and have no clock: it says what `stopped` says,
/// hands each report to `report`, and never keeps a search from its next iteration.
pub fn control<M>(
    stopped: impl Fn() -> bool + Sync,
    report: impl Fn(&Report<'_, M>) + Sync,
) -> impl Control<M> {
    Functions { stopped, report }
}

struct Functions<S, R> {
    stopped: S,
    report: R,
}

impl<M, S: Fn() -> bool + Sync, R: Fn(&Report<'_, M>) + Sync> Control<M> for Functions<S, R> {
    fn stopped(&self) -> bool {
        (self.stopped)()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &Report<'_, M>) -> ControlFlow<()> {
        (self.report)(report);
        ControlFlow::Continue(())
    }
}

/// Something that chooses moves: the strongest engine of a game as well as a sparring partner.
pub trait Agent<G: Game>: Send {
    /// The name shown to people, parameters included, such as `MinimaxD3`.
    fn name(&self) -> String;

    /// Takes new option values; keeps what was learnt where that is possible. On an error (no memory for a table of
    /// that size, say) the agent works on with its old values.
    fn configure(&mut self, options: &Options) -> Result<(), String>;

    /// Forgets everything learnt, as if freshly made with the present options.
    fn new_game(&mut self);

    /// Waits until it needs no more memory than between searches: some of what one has worked with may be given back only after
    /// its end.
    fn rest(&mut self) {}

    /// Gives up the memory that it works with to an agent for positions of another type, if there is any worth it: large
    /// memory takes long to come by. Nothing is asked of it after that.
    fn memory(&mut self) -> Option<Box<dyn Any + Send>> {
        None
    }

    /// Chooses a move in an unfinished position within `limits`. `None`: the agent has no move to give and forfeits.
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits<G::Move>,
        control: &dyn Control<G::Move>,
    ) -> Option<G::Move>;
}

/// What an option of an agent can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// Default.
        default: bool,
    },
    /// An integer.
    Spin {
        /// Default.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// Default.
        default: &'static str,
        /// All values.
        vars: &'static [&'static str],
    },
}

/// An option of an agent, as declared in the handshake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Its name; compared without regard to letter case.
    pub name: &'static str,
    /// Its type, default and range.
    pub kind: OptionKind,
}

/// An agent a game ships, apart from its main engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentSpec {
    /// The name it is asked for by, such as `minimax`.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Whether a tournament without named engines plays it. Never one that forfeits by design.
    pub default_opponent: bool,
}

/// The options of one agent with their values, which are checked. Names are compared without regard to letter case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    values: Vec<(OptionSpec, String)>,
}

impl Options {
    /// The defaults of `specs`.
    pub fn defaults(specs: &[OptionSpec]) -> Options {
        let value = |kind: OptionKind| match kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.to_owned(),
        };
        Options { values: specs.iter().map(|&spec| (spec, value(spec.kind))).collect() }
    }

    /// What can be set.
    pub fn specs(&self) -> impl Iterator<Item = &OptionSpec> {
        self.values.iter().map(|(spec, _)| spec)
    }

    /// Sets an option to `value` if there is one of that name and that is a value of its type and range; otherwise says
    /// what was expected and changes nothing.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let named = self.values.iter_mut().find(|(spec, _)| spec.name.eq_ignore_ascii_case(name));
        let (spec, slot) = named.ok_or("expected the name of an option")?;
        *slot = match spec.kind {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                word @ ("true" | "false") => word.to_owned(),
                _ => return Err("expected true or false".into()),
            },
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(n) if (min..=max).contains(&n) => n.to_string(),
                _ => return Err(format!("expected an integer from {min} to {max}")),
            },
            OptionKind::Combo { vars, .. } => match vars.iter().find(|v| v.eq_ignore_ascii_case(value)) {
                Some(word) => (*word).to_owned(),
                None => return Err(format!("expected one of {}", vars.join(", "))),
            },
        };
        Ok(())
    }

    /// The value of an option, `None` if there is no such option.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(spec, _)| spec.name.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// The value of a spin option.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }

    /// The value of a check option.
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.text(name)?.parse().ok()
    }
}
