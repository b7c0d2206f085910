//! Where games start: generated positions, or those of a file.

use std::fmt;
use std::mem;
use std::str::FromStr;

use ahash::AHashSet;
use game::{Param, Rules, Setup, Side, State};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// So many openings are tried out before a run; that there are no more shows only later.
pub const LOOK_AHEAD: u64 = 1000;

/// What is asked for with `--openings`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// `start`: the start position, always.
    Start,
    /// `random:PLIES`: positions after that many random moves; `drawn:PLIES`: likewise, each from another start position.
    Random {
        /// Number of moves.
        plies: u32,
        /// Whether the start positions are drawn.
        drawn: bool,
    },
    /// A file of positions or move lists.
    File(String),
}

/// The order in which a file's openings are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the run's seed.
    Random,
}

/// Why openings can't be used. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// `random:` or `drawn:` without a number of plies.
    #[error("openings {0:?}: expected start, random:PLIES (such as random:4), drawn:PLIES or a file")]
    Source(String),
    /// `drawn:` in a game with nothing to draw.
    #[error("openings drawn: {0} has one start position per set-up; expected start, random:PLIES or a file")]
    NotDrawn(&'static str),
    /// A line that is no opening.
    #[error("{file}, line {line}: {message}")]
    Line {
        /// The file's name.
        file: String,
        /// The line.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Nothing but comments.
    #[error("{0}: no opening in this file; expected one position or move list per line")]
    Empty(String),
    /// A set-up whose start position is already the end.
    #[error("the set-up's start position is a finished game")]
    Finished,
}

impl Source {
    /// What a game is opened with unless something else is asked for: where its starts are drawn, another one each time.
    pub fn default_of(rules: &dyn Rules) -> Source {
        Source::Random { plies: rules.opening_plies(), drawn: rules.start_seed().is_some() }
    }
}

impl FromStr for Source {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<Source, OpeningError> {
        let error = || OpeningError::Source(text.into());
        match text.split_once(':') {
            Some((word @ ("random" | "drawn"), plies)) => {
                let plies = plies.parse().map_err(|_| error())?;
                Ok(Source::Random { plies, drawn: word == "drawn" })
            }
            _ if text == "start" => Ok(Source::Start),
            _ if text.is_empty() => Err(error()),
            _ => Ok(Source::File(text.into())),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Start => f.write_str("start"),
            Source::Random { plies, drawn: false } => write!(f, "random:{plies}"),
            Source::Random { plies, drawn: true } => write!(f, "drawn:{plies}"),
            Source::File(name) => f.write_str(name),
        }
    }
}

/// Reads the openings of a file: on each line a position string, or moves from the set-up's start position; `#`
/// begins a comment. Gives position strings, all of unfinished games. `file` is only used to name the place of errors.
pub fn read_file(
    rules: &dyn Rules,
    setup: &Setup,
    file: &str,
    text: &str,
) -> Result<Vec<String>, OpeningError> {
    let mut openings = Vec::new();
    // Editors on Windows begin files with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let error = |message: String| OpeningError::Line { file: file.into(), line: i + 1, message };
        let state = read_line(rules, setup, line).map_err(error)?;
        if let Some(outcome) = state.outcome() {
            return Err(error(format!("the game is over ({} by {})", outcome.token(), outcome.reason)));
        }
        openings.push(state.fen());
    }
    if openings.is_empty() { Err(OpeningError::Empty(file.into())) } else { Ok(openings) }
}

fn read_line(rules: &dyn Rules, setup: &Setup, line: &str) -> Result<Box<dyn State>, String> {
    let fen_error = match rules.load(line) {
        Ok(state) => return Ok(state),
        Err(error) => error,
    };
    let mut state = rules.start(setup);
    for (i, word) in line.split_whitespace().enumerate() {
        match state.play(word) {
            Ok(_) => {}
            // A first word that is no move at all: the line was meant as a position.
            Err(game::MoveError::Malformed(_)) if i == 0 => return Err(fen_error.to_string()),
            Err(error) => return Err(format!("move {} ({word}): {error}", i + 1)),
        }
    }
    Ok(state)
}

/// Puts a list into the order that `seed` stands for (Fisher and Yates).
pub fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    for i in (1..list.len()).rev() {
        list.swap(i, below(&mut rng, i as u64 + 1) as usize);
    }
}

/// A number below `n`, by the same multiplication on every platform and version.
pub(crate) fn below(rng: &mut Pcg64Mcg, n: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

/// The openings of a run by number. Where there are too few they begin again.
pub enum Openings {
    /// Positions in the order of play, at least one.
    Listed(Vec<String>),
    /// Generated positions.
    Random(Generator),
}

impl Openings {
    /// The position of opening `n`, counted from 0.
    pub fn position(&mut self, n: u64) -> String {
        match self {
            Openings::Listed(list) => list[(n % list.len() as u64) as usize].clone(),
            Openings::Random(generator) => generator.position(n),
        }
    }

    /// How many different openings there are, as far as the first `wanted` are concerned.
    pub fn available(&mut self, wanted: u64) -> u64 {
        match self {
            Openings::Listed(list) => list.len() as u64,
            Openings::Random(generator) => generator.extend(wanted),
        }
    }
}

/// The start positions of openings.
pub struct Starts {
    /// That of the set-up.
    own: Box<dyn State>,
    lots: Option<Lots>,
}

/// What other start positions are drawn from.
struct Lots {
    rules: &'static dyn Rules,
    setup: Setup,
    seed: &'static Param,
}

impl Starts {
    /// The start of a set-up, always, or else other ones, `drawn` by the seed key of the game.
    pub fn new(rules: &'static dyn Rules, setup: &Setup, drawn: bool) -> Result<Starts, OpeningError> {
        let own = rules.start(setup);
        if own.outcome().is_some() {
            return Err(OpeningError::Finished);
        }
        let lots = match (drawn, rules.start_seed()) {
            (false, _) => None,
            (true, Some(seed)) => Some(Lots { rules, setup: setup.clone(), seed }),
            (true, None) => return Err(OpeningError::NotDrawn(rules.title())),
        };
        Ok(Starts { own, lots })
    }

    /// An unfinished start position; the set-up's own if no other came up.
    fn next(&self, rng: &mut Pcg64Mcg) -> Box<dyn State> {
        let drawn = self.lots.as_ref().and_then(|lots| lots.draw(rng));
        drawn.filter(|start| start.outcome().is_none()).unwrap_or_else(|| self.own.boxed_clone())
    }
}

impl Lots {
    /// The start with another seed; `None` where none comes of it.
    fn draw(&self, rng: &mut Pcg64Mcg) -> Option<Box<dyn State>> {
        let Param { key, min, max, .. } = *self.seed;
        let seed = min.wrapping_add_unsigned(below(rng, max.abs_diff(min).saturating_add(1)));
        let values = self.rules.params().iter().zip(&self.setup.0);
        let pairs: Vec<(&str, String)> = values
            .map(|(param, value)| (param.key, if param.key == key { seed } else { *value }.to_string()))
            .collect();
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
        self.rules.setup(&pairs).ok().map(|setup| self.rules.start(&setup))
    }
}

/// Generates distinct, unfinished positions in which nobody can force a win at once. Which positions depends on the
/// seed alone, whatever number is asked for first.
pub struct Generator {
    starts: Starts,
    plies: u32,
    seed: u64,
    /// The numbers of the draws that gave a new position.
    draws: Vec<u64>,
    keys: AHashSet<u64>,
    next_draw: u64,
    exhausted: bool,
    /// Whether it has been said that there are no more.
    is_told: bool,
}

impl Generator {
    /// So many draws in a row without a new position mean that there are no more.
    const PATIENCE: u64 = 1000;

    /// A generator of positions after `plies` moves, or after as many fewer as it takes to find one at all.
    pub fn new(starts: Starts, plies: u32, seed: u64) -> Generator {
        let (draws, keys) = (Vec::new(), AHashSet::new());
        let (exhausted, is_told) = (false, false);
        let mut generator = Generator { starts, plies, seed, draws, keys, next_draw: 0, exhausted, is_told };
        while generator.extend(1) == 0 {
            generator.plies = generator.plies.min(generator.longest_walk()) - 1;
            generator.next_draw = 0;
            generator.exhausted = false;
        }
        generator
    }

    /// The number of random moves in use.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Draws until there are `wanted` positions or no more to be found; says how many there are.
    fn extend(&mut self, wanted: u64) -> u64 {
        let mut misses = 0;
        while (self.draws.len() as u64) < wanted && !self.exhausted {
            let key = self
                .walk(self.next_draw)
                .filter(|state| self.plies == 0 || is_quiet(&**state))
                .map(|s| s.key());
            if key.is_some_and(|key| self.keys.insert(key)) {
                self.draws.push(self.next_draw);
                misses = 0;
            } else {
                misses += 1;
                self.exhausted = misses == Self::PATIENCE;
            }
            self.next_draw += 1;
        }
        self.draws.len() as u64
    }

    fn position(&mut self, n: u64) -> String {
        let count = self.extend(n + 1);
        if n >= count && count >= LOOK_AHEAD && !mem::replace(&mut self.is_told, true) {
            log::warn!("only {count} different openings were found: from now on they are used again");
        }
        let draw = self.draws[(n % count) as usize];
        self.walk(draw).expect("a draw that gave a position gives it again").fen()
    }

    /// The position of a draw; `None` if the game ended on the way.
    fn walk(&self, draw: u64) -> Option<Box<dyn State>> {
        let mut rng = Pcg64Mcg::seed_from_u64(game::zobrist::number(self.seed, draw));
        let mut state = self.starts.next(&mut rng);
        for _ in 0..self.plies {
            step(&mut *state, &mut rng);
            if state.outcome().is_some() {
                return None;
            }
        }
        Some(state)
    }

    /// Length of a few random games, at most: no use in asking for longer openings.
    fn longest_walk(&self) -> u32 {
        let walk = |draw| {
            let mut rng = Pcg64Mcg::seed_from_u64(game::zobrist::number(self.seed, draw));
            let mut state = self.starts.next(&mut rng);
            let mut plies = 0;
            while state.outcome().is_none() {
                step(&mut *state, &mut rng);
                plies += 1;
            }
            plies
        };
        (0..20).map(walk).max().unwrap_or_default()
    }
}

/// Plays a random move of an unfinished position, and says which.
pub(crate) fn step(state: &mut dyn State, rng: &mut Pcg64Mcg) -> String {
    let mut moves = state.legal();
    let choice = moves.swap_remove(below(rng, moves.len() as u64) as usize);
    state.play(&choice).expect("a legal move can be played");
    choice
}

/// Boards with more moves than this are only looked at one ply deep: there, a few random moves decide nothing, and
/// looking deeper takes long.
const FEW_MOVES: u64 = 40;

/// Whether neither side can force a win within its next two moves: openings that are decided tell nothing.
fn is_quiet(state: &dyn State) -> bool {
    let plies = if state.count_moves() <= FEW_MOVES { 3 } else { 1 };
    let loses = || {
        let mover = state.side_to_move();
        successors(state).all(|next| winner(&*next).map_or_else(|| wins(&*next, plies), |w| w != mover))
    };
    !wins(state, plies) && !loses()
}

/// Whether the side to move of an unfinished game can force a win within so many plies, an odd number.
fn wins(state: &dyn State, plies: u32) -> bool {
    let mover = state.side_to_move();
    let won = |next: &dyn State| winner(next) == Some(mover);
    successors(state).any(|next| won(&*next))
        || plies > 2
            && successors(state).filter(|next| next.outcome().is_none()).any(|next| {
                successors(&*next).all(|after| match after.outcome() {
                    Some(_) => won(&*after),
                    None => wins(&*after, plies - 2),
                })
            })
}

fn winner(state: &dyn State) -> Option<Side> {
    state.outcome().and_then(|outcome| outcome.winner)
}

/// The positions after each legal move.
fn successors(state: &dyn State) -> impl Iterator<Item = Box<dyn State>> {
    state.legal().into_iter().map(|m| {
        let mut next = state.boxed_clone();
        next.play(&m).expect("a legal move can be played");
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplexity(pairs: &[(&str, &str)]) -> (&'static dyn Rules, Setup) {
        let rules = registry::find("simplexity").unwrap();
        (rules, rules.setup(pairs).unwrap())
    }

    fn generator(pairs: &[(&str, &str)], plies: u32, seed: u64) -> Generator {
        let (rules, setup) = simplexity(pairs);
        Generator::new(Starts::new(rules, &setup, false).unwrap(), plies, seed)
    }

    #[test]
    fn generated_openings_are_distinct_unfinished_and_quiet() {
        let (rules, _) = simplexity(&[]);
        let mut openings = generator(&[], 4, 7);
        let mut seen = AHashSet::new();
        for n in 0..500 {
            let state = rules.load(&openings.position(n)).unwrap();
            assert!(state.outcome().is_none());
            assert!(is_quiet(&*state));
            assert!(seen.insert(state.fen()), "opening {n} is not new");
        }
    }

    #[test]
    fn generated_openings_depend_on_the_seed_alone() {
        let [mut a, mut b, mut other] = [1, 1, 2].map(|seed| generator(&[], 4, seed));
        let last = a.position(30);
        let forwards: Vec<_> = (0..30).map(|n| a.position(n)).collect();
        assert_eq!((0..30).map(|n| b.position(n)).collect::<Vec<_>>(), forwards);
        assert_eq!(b.position(30), last);
        assert_ne!((0..30).map(|n| other.position(n)).collect::<Vec<_>>(), forwards);
    }

    fn drawn(plies: u32, seed: u64) -> Generator {
        let rules = registry::find("colosseum").unwrap();
        Generator::new(Starts::new(rules, &rules.setup(&[]).unwrap(), true).unwrap(), plies, seed)
    }

    #[test]
    fn drawn_openings_have_a_start_each_and_depend_on_the_seed_alone() {
        let rules = registry::find("colosseum").unwrap();
        let own = rules.start(&rules.setup(&[]).unwrap()).fen();
        let [mut a, mut b, mut other] = [1, 1, 2].map(|seed| drawn(0, seed));
        let last = a.position(199);
        let starts: AHashSet<String> = (0..200).map(|n| a.position(n)).collect();
        assert_eq!(starts.len(), 200);
        assert!(!starts.contains(&own) && !starts.contains(&other.position(0)));
        assert_eq!(b.position(199), last);
        let mut moved = drawn(2, 1);
        for n in 0..50 {
            let state = rules.load(&moved.position(n)).unwrap();
            assert!(state.outcome().is_none() && is_quiet(&*state));
            assert!(!starts.contains(&state.fen()), "two moves are played");
        }
    }

    #[test]
    fn only_games_that_draw_their_starts_have_drawn_openings() {
        let (rules, setup) = simplexity(&[]);
        assert_eq!(Starts::new(rules, &setup, true).err(), Some(OpeningError::NotDrawn("Simplexity")));
        assert_eq!(Source::default_of(rules).to_string(), "random:4");
        assert_eq!(Source::default_of(registry::find("colosseum").unwrap()).to_string(), "drawn:2");
    }

    #[test]
    fn few_openings_begin_again() {
        // After one ply of a board of one column there are two positions.
        let mut openings = generator(&[("cols", "1"), ("win", "4")], 1, 3);
        let count = openings.extend(100);
        assert_eq!(count, 2);
        assert_eq!(openings.position(0), openings.position(2));
        assert_ne!(openings.position(0), openings.position(1));
    }

    #[test]
    fn tiny_boards_fall_back_to_fewer_plies() {
        for (rows, cols, win) in [("2", "2", "2"), ("1", "1", "1"), ("1", "2", "1"), ("3", "3", "2")] {
            let openings = generator(&[("rows", rows), ("cols", cols), ("win", win)], 100, 1);
            assert!(openings.plies() < 4, "{rows}x{cols} win {win}: {} plies", openings.plies());
        }
    }

    #[test]
    fn files_hold_positions_and_move_lists() {
        let (rules, setup) = simplexity(&[]);
        let text = "\u{feff}# a comment\n\n4o 4s # the centre\n  7/7/7/7/7/3w3 r 9,11,10,11 4\r\n";
        let openings = read_file(rules, &setup, "book.txt", text).unwrap();
        assert_eq!(openings, ["7/7/7/7/3R3/3w3 w 9,11,10,10 4", "7/7/7/7/7/3w3 r 9,11,10,11 4"]);
    }

    #[test]
    fn bad_files_are_refused_with_file_and_line() {
        let (rules, setup) = simplexity(&[]);
        for (text, expected) in [
            ("", "book.txt: no opening in this file"),
            ("# nothing", "book.txt: no opening in this file"),
            ("4o\n4o 9s", "book.txt, line 2: move 2 (9s)"),
            ("4o x", "book.txt, line 1: move 2 (x)"),
            ("7/7/7/7/7/7 x 10,11,10,11 4", "book.txt, line 1: field 2"),
            ("1o 7o 2o 7s 3o 7o 4o", "book.txt, line 1: the game is over (p1win by line-shape)"),
        ] {
            let error = read_file(rules, &setup, "book.txt", text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn shuffles_are_seeded_permutations() {
        let shuffled = |seed| {
            let mut list: Vec<u32> = (0..100).collect();
            shuffle(&mut list, seed);
            list
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn shuffles_are_fair() {
        // Where the first of six comes to stand: chi-square with 5 degrees of freedom, 99.9 % quantile.
        let mut counts = [0u32; 6];
        for seed in 0..6000 {
            let mut list = [0, 1, 2, 3, 4, 5];
            shuffle(&mut list, seed);
            counts[list.iter().position(|&x| x == 0).unwrap()] += 1;
        }
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 20.5, "{counts:?}");
    }

    #[test]
    fn sources_read_and_print() {
        for (text, source) in [
            ("start", Source::Start),
            ("random:4", Source::Random { plies: 4, drawn: false }),
            ("drawn:2", Source::Random { plies: 2, drawn: true }),
            ("books/a.txt", Source::File("books/a.txt".into())),
        ] {
            assert_eq!(text.parse(), Ok(source.clone()));
            assert_eq!(source.to_string(), text);
        }
        assert!("random:".parse::<Source>().is_err());
        assert!("random:x".parse::<Source>().is_err());
        assert!("drawn:-1".parse::<Source>().is_err());
    }
}
