//! The root of the search: iterative deepening, several lines, limits, reports.

use std::any::Any;
use std::cmp::Reverse;
use std::marker::PhantomData;
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use game::{
    Agent, Control, Draws, Evaluate, Limits, OptionKind, OptionSpec, Options, Record, Report, Score, Tactics,
    Weights, control,
};
use solve::Constants;

use crate::clock::Pace;
use crate::history::History;
use crate::level::{self, Errors};
use crate::node::{self, Stopped, Worker};
use crate::order::NO_KILLERS;
use crate::params::Params;
use crate::proving;
use crate::reduction;
use crate::table::{Near, Table, View};
use crate::team::{self, Team};
use crate::value::{INFINITE, MAX_DEPTH, is_decisive, is_loss, to_score};

/// The options of [`Searcher`] that people set.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "Hash", kind: OptionKind::Spin { default: 16, min: 1, max: 65_536 } },
    OptionSpec { name: "MultiPV", kind: OptionKind::Spin { default: 1, min: 1, max: 64 } },
    OptionSpec { name: FULL_WIDTH, kind: OptionKind::Check { default: false } },
    OptionSpec { name: THREADS, kind: OptionKind::Spin { default: 1, min: 1, max: 256 } },
    OptionSpec {
        name: LEVEL,
        kind: OptionKind::Spin { default: level::FULL as i64, min: 1, max: level::FULL as i64 },
    },
    OptionSpec { name: PROVER, kind: OptionKind::Spin { default: 0, min: 0, max: 65_536 } },
    OptionSpec { name: OWN_BOOK, kind: OptionKind::Check { default: true } },
    Draws::OPTION,
];

/// All options of [`Searcher`]: [`OPTIONS`], then those that tuners set, whose names begin with [`game::TUNE`]. Those of
/// the weights of a game's evaluation ([`game::Family::WEIGHTS`]) come on top.
pub const ALL_OPTIONS: &[OptionSpec] = &{
    let mut all = [OPTIONS[0];
        OPTIONS.len() + Params::OPTIONS.len() + Pace::OPTIONS.len() + solve::Params::OPTIONS.len()];
    let (own, tuned) = all.split_at_mut(OPTIONS.len());
    let (params, tuned) = tuned.split_at_mut(Params::OPTIONS.len());
    let (pace, prover) = tuned.split_at_mut(Pace::OPTIONS.len());
    own.copy_from_slice(OPTIONS);
    params.copy_from_slice(Params::OPTIONS);
    pace.copy_from_slice(Pace::OPTIONS);
    prover.copy_from_slice(solve::Params::OPTIONS);
    all
};

/// Whether every move is searched to the full depth, so that each value is that of plain negamax.
const FULL_WIDTH: &str = "FullWidth";

/// How many threads search. Only the search of a single one is a function of its input.
const THREADS: &str = "Threads";

/// How strong to play. Levels below the highest search few nodes, in a single thread, and the lowest err besides: how,
/// depends on the option `Seed`.
const LEVEL: &str = "Level";

/// Memory in MiB of a prover that works beside the search, in a thread of its own; 0: there is none. No search waits for
/// it, and no two work at once.
const PROVER: &str = "Prover";

/// Whether to play the move of the game's book ([`Evaluate::book`]) where there is one.
const OWN_BOOK: &str = "OwnBook";

/// The strongest engine of a game whose positions can be evaluated.
///
/// It plays for the fewest plies to a proven win and the most to a proven loss. A search ends by itself once the value
/// is proven, the whole tree is searched, or, under a time limit, if there is only one move to consider; with a clock
/// also if only one doesn't lose at once (at full strength, where one line is wanted). A search that is stopped uses what
/// its last iteration has found so far, if that is a better move than the one it began with.
///
/// Where the game's book has a move, it considers no other, unless it is to play below its strength or to analyse: with
/// several lines, `FullWidth`, moves to search or a distance to a win, without end or without any limit.
pub struct Searcher<G: Evaluate> {
    name: String,
    table: Table,
    settings: Settings<G::Weights>,
    /// Held by the prover that works.
    proving: Arc<Mutex<()>>,
    game: PhantomData<fn(G)>,
}

impl<G: Evaluate> Drop for Searcher<G> {
    /// Another searcher may need the memory.
    fn drop(&mut self) {
        self.rest();
    }
}

/// The values of all options but the size of the table.
#[derive(Clone, Copy)]
struct Settings<W> {
    multi_pv: usize,
    full_width: bool,
    threads: usize,
    /// In bytes.
    prover: usize,
    own_book: bool,
    level: usize,
    seed: u64,
    params: Params,
    /// The constants of the prover, those of the game among them.
    constants: Constants<W>,
}

impl<W: Weights> Settings<W> {
    fn new(options: &Options) -> Settings<W> {
        let level = value_of(options, LEVEL);
        let full = level == level::FULL;
        Settings {
            multi_pv: value_of(options, "MultiPV"),
            full_width: options.flag(FULL_WIDTH).unwrap_or(false),
            threads: if full { value_of(options, THREADS) } else { 1 },
            prover: if full { value_of(options, PROVER) << 20 } else { 0 },
            own_book: options.flag(OWN_BOOK).unwrap_or(true),
            level,
            // The full strength has no use for it.
            seed: if full { 0 } else { value_of(options, Draws::OPTION.name) as u64 },
            params: Params::new(options),
            constants: Constants { params: solve::Params::new(options), weights: W::new(options) },
        }
    }

    /// Whether nothing holds the engine back.
    fn is_full(&self) -> bool {
        self.level == level::FULL
    }

    /// What a position says of its moves, and how many replies it forces.
    fn tactics<G: Evaluate>(&self, position: &G) -> (Tactics<G::Move>, usize) {
        let mut replies = 0;
        let asked = self.params.tactics != 0;
        let seen = if asked { position.tactics(|_| replies += 1) } else { Tactics::Open };
        (seen, replies)
    }

    /// Whether late moves are reduced. Of several lines each is to have its exact value, not only the first.
    fn reduces(&self) -> bool {
        !self.full_width && self.multi_pv == 1
    }

    /// The book's move for a position, if it is to be played.
    fn book_move<G: Evaluate>(&self, position: &G, limits: &Limits<G::Move>) -> Option<G::Move> {
        let Limits { depth, nodes, mate, movetime, clock, searchmoves, infinite } = limits;
        let is_limited = depth.is_some() || nodes.is_some() || movetime.is_some() || clock.is_some();
        let plays = is_limited && !infinite && mate.is_none() && searchmoves.is_empty();
        let plays = plays && self.own_book && self.is_full() && self.reduces();
        plays.then(|| position.book()).flatten()
    }
}

impl<G: Evaluate> Searcher<G> {
    /// A searcher called `name`, with values for [`ALL_OPTIONS`] and the weights of the game; those that are missing take
    /// their defaults. The error says that there is no memory for a table of that size.
    pub fn new(options: &Options, name: impl Into<String>) -> Result<Searcher<G>, String> {
        Searcher::with_memory(options, name, None)
    }

    /// The same, with the memory that another searcher has [given up](Agent::memory), emptied, if it is as much as wanted.
    pub fn with_memory(
        options: &Options,
        name: impl Into<String>,
        memory: Option<Box<dyn Any + Send>>,
    ) -> Result<Searcher<G>, String> {
        let mib = value_of(options, "Hash");
        let fits = |table: &Table| table.mib() == mib;
        let given =
            memory.and_then(|memory| memory.downcast().ok()).map(|table: Box<Table>| *table).filter(fits);
        let mut table = given.map_or_else(|| Table::new(mib), Ok)?;
        table.clear();
        Ok(Searcher {
            name: name.into(),
            table,
            settings: Settings::new(options),
            proving: Arc::default(),
            game: PhantomData,
        })
    }
}

/// The value of one of [`OPTIONS`].
fn value_of(options: &Options, name: &str) -> usize {
    let value = options.int(name).or_else(|| Options::defaults(OPTIONS).int(name));
    value.expect("one of OPTIONS") as usize
}

impl<G: Evaluate> Agent<G> for Searcher<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        let mib = value_of(options, "Hash");
        if mib != self.table.mib() {
            self.table = Table::new(mib)?;
        }
        let settings = Settings::new(options);
        if (settings.level, settings.seed) != (self.settings.level, self.settings.seed) {
            // Another level must not profit from what this one knows, or be fooled by it.
            self.table.clear();
        }
        self.settings = settings;
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    /// Waits for the last prover.
    fn rest(&mut self) {
        drop(self.proving.lock());
    }

    fn memory(&mut self) -> Option<Box<dyn Any + Send>> {
        let least = Table::new(1).ok()?;
        Some(Box::new(mem::replace(&mut self.table, least)))
    }

    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits<G::Move>,
        control: &dyn Control<G::Move>,
    ) -> Option<G::Move> {
        let Settings { prover, multi_pv, constants, .. } = self.settings;
        let position = record.position();
        if position.outcome().is_some() {
            return None;
        }
        let book_move = self.settings.book_move(position, limits);
        let is_asked = prover > 0 && multi_pv == 1 && limits.searchmoves.is_empty();
        if !is_asked || book_move.is_some() {
            return self.search(position, book_move, limits, control);
        }
        let turn = Arc::clone(&self.proving);
        proving::choose(position, prover, constants, turn, control, |control| {
            self.search(position, None, limits, control)
        })
    }
}

impl<G: Evaluate> Searcher<G> {
    /// Chooses a move without a prover, only that of the book if there is one.
    fn search(
        &mut self,
        position: &G,
        book_move: Option<G::Move>,
        limits: &Limits<G::Move>,
        control: &dyn Control<G::Move>,
    ) -> Option<G::Move> {
        let table = self.table.begin();
        let settings = &self.settings;
        let known = table.probe(node::table_key(position.key(), settings.reduces()));
        let moves = match book_move {
            Some(m) => vec![m],
            None => root_moves(position, limits, settings, known.map(|entry| entry.move_bits)),
        };
        if moves.is_empty() {
            return None;
        }
        let lines = settings.multi_pv.min(moves.len());
        let nodes = limits.nodes.into_iter().chain(level::nodes::<G>(settings.level)).min();
        let team = Team::new(control, settings.threads, nodes);
        // Of several lines, only the first thread has all.
        let any_decides = lines == 1;
        let found = team.work(any_decides, |index| {
            let mut root = Root::new(position, moves.clone(), limits, settings, table, &team, index);
            let answer = root.deepen();
            (answer, root.reported)
        });
        let mut found = found.into_iter();
        let (mut best, reported) = found.next()?;
        let mut told = best.depth > 0 && team.nodes() == reported;
        if any_decides {
            for (answer, _) in found {
                if answer.worth() > best.worth() {
                    (best, told) = (answer, false);
                }
            }
        }
        if !told {
            // Nothing is left to break off.
            let _ = best.report(&team, table, (lines > 1).then_some(1));
        }
        best.line.first().copied()
    }
}

/// The moves of a root to consider: first what wins at once, so that the first node finds it, then what was known before,
/// then the most promising.
fn root_moves<G: Evaluate>(
    position: &G,
    limits: &Limits<G::Move>,
    settings: &Settings<G::Weights>,
    known: Option<u16>,
) -> Vec<G::Move> {
    let (seen, _) = settings.tactics(position);
    let mut list = position.legal_moves();
    list.retain(|m| limits.allows(m));
    let known = known.and_then(|bits| position.move_from_bits(bits));
    let hint = |m| Reverse(position.order_hint(m, &settings.constants.weights));
    list.sort_by_key(|&m| (seen != Tactics::Win(m), Some(m) != known, hint(m)));
    list
}

/// A move of the root.
struct RootMove<M> {
    m: M,
    /// Depth of the last iteration that has searched it.
    depth: u32,
    /// Value when it was last the best of its iteration.
    value: i32,
    /// The line behind that value, beginning with the move.
    line: Vec<M>,
}

/// What the search would play now.
struct Answer<M> {
    depth: u32,
    seldepth: u32,
    score: Score,
    line: Vec<M>,
}

impl<M> Answer<M> {
    /// What it is worth beside another thread's: a win is one whatever the others think, and the nearer the better; of
    /// equally near ones, and of estimates, the deepest counts.
    fn worth(&self) -> (u32, u32) {
        match self.score {
            Score::Win(plies) => (MAX_DEPTH.saturating_sub(plies) + 1, self.depth),
            _ => (0, self.depth),
        }
    }

    /// Tells the world, as the line of that rank where there are several.
    fn report(&self, team: &Team<'_, M>, table: View<'_>, rank: Option<u32>) -> ControlFlow<()> {
        team.control.report(&Report {
            depth: self.depth,
            seldepth: self.seldepth,
            nodes: team.nodes(),
            score: self.score,
            multipv: rank,
            hashfull: Some(table.hashfull()),
            pv: &self.line,
        })
    }
}

/// One search, seen from its root, by one thread.
struct Root<'a, G: Evaluate> {
    position: &'a G,
    /// The moves to consider, those of the wanted lines first.
    moves: Vec<RootMove<G::Move>>,
    /// Number of lines wanted.
    lines: usize,
    /// Their values in the last iteration of even and of odd depth.
    expected: [Vec<i32>; 2],
    /// Plies after which the game is over in any case.
    plies_left: u32,
    /// What a forced reply adds to the depth, as everywhere in the tree.
    free: u32,
    max_depth: u32,
    /// Whether to be content with a first look because there is no choice.
    forced: bool,
    /// Which of the threads this is; the first talks to the world.
    index: usize,
    /// The nodes of the last report.
    reported: u64,
    worker: Worker<'a, G>,
}

impl<'a, G: Evaluate> Root<'a, G> {
    /// The root as the thread of that index sees it. There must be moves.
    fn new(
        position: &'a G,
        moves: Vec<G::Move>,
        limits: &Limits<G::Move>,
        settings: &Settings<G::Weights>,
        table: View<'a>,
        team: &'a Team<'a, G::Move>,
        index: usize,
    ) -> Root<'a, G> {
        let plies_left = position.max_plies_left();
        let deepest = plies_left.min(MAX_DEPTH) as usize;
        let (params, weights) = (settings.params, settings.constants.weights);
        let worker = Worker {
            table,
            near: Near::new(),
            team,
            params,
            weights,
            errors: Errors::new(settings.level, settings.seed, position, &weights),
            history: History::new(position.history_size(), weights),
            path: vec![None; deepest + 1],
            stack: Vec::new(),
            lines: vec![Vec::new(); deepest + 1],
            killers: vec![NO_KILLERS; deepest + 1],
            memos: vec![position.memo(); deepest + 1],
            nodes: 0,
            pause: 0,
            claimed: 0,
            most: u64::MAX,
            counter: team.counter(index),
            seldepth: 0,
            reduce: settings.reduces(),
            settle: settings.reduces() && settings.is_full() && params.can_win != 0,
        };
        let timed = limits.movetime.is_some() || limits.clock.is_some();
        let (seen, replies) = settings.tactics(position);
        let is_forced = seen == Tactics::Forced;
        // With a clock, the time that a single forced reply would take is worth more later.
        let saves = limits.clock.is_some() && limits.mate.is_none() && settings.is_full();
        let saves = saves && settings.reduces();
        let is_single = moves.len() == 1 || saves && is_forced && replies == 1;

        // A win in N moves takes 2N - 1 plies, or 2N if the opponent is the one who has to complete it.
        let mate = limits.mate.map(|moves| moves.saturating_mul(2));
        let bounds = [limits.depth, mate, Some(plies_left), Some(MAX_DEPTH)];
        Root {
            lines: settings.multi_pv.min(moves.len()),
            forced: timed && !limits.infinite && is_single && limits.searchmoves.is_empty(),
            expected: [Vec::new(), Vec::new()],
            moves: moves.into_iter().map(|m| RootMove { m, depth: 0, value: 0, line: vec![m] }).collect(),
            position,
            plies_left,
            free: params.free(is_forced),
            max_depth: bounds.into_iter().flatten().fold(u32::MAX, u32::min).max(1),
            index,
            reported: 0,
            worker,
        }
    }

    /// Searches deeper and deeper and gives what it has found.
    fn deepen(&mut self) -> Answer<G::Move> {
        let first_guess = self.moves[0].line.clone();
        let score = Score::Cp(self.worker.judge(self.position, 0));
        let mut answer = Answer { depth: 0, seldepth: 0, score, line: first_guess };
        let leads = self.index == 0;
        let params = &self.worker.params;
        let is_exact = !self.worker.reduce && self.lines == 1;
        let step = if is_exact { params.full_step } else { params.step } as u32;
        for depth in 1..=self.max_depth {
            let before_last = self.max_depth - depth;
            if team::skips(self.index, before_last / step) || !before_last.is_multiple_of(step) {
                continue;
            }
            // Only without reductions is a whole tree searched, and a draw proven.
            self.worker.reduce &= depth < self.plies_left;
            if self.iterate(depth).is_err() {
                self.salvage(depth, &mut answer);
                break;
            }
            let wanted = &mut self.moves[..self.lines];
            wanted.sort_by_key(|m| Reverse(m.value));
            self.expected[depth as usize % 2] = wanted.iter().map(|m| m.value).collect();
            let proven = wanted.iter().all(|m| is_decisive(m.value));
            let exhausted = depth >= self.plies_left;
            let mut enough = false;
            for (rank, best) in (1..).zip(&self.moves[..self.lines]) {
                let score = to_score(best.value, exhausted, best.line.len());
                let found = Answer { depth, seldepth: self.worker.seldepth, score, line: best.line.clone() };
                if leads {
                    let rank = (self.lines > 1).then_some(rank);
                    enough |= found.report(self.worker.team, self.worker.table, rank).is_break();
                }
                if rank == 1 {
                    answer = found;
                }
            }
            self.reported = self.worker.team.nodes();
            if proven && self.worker.reduce && !enough {
                // Void if it is stopped: the proof stands, its distance is a bound.
                let _ = self.measure(&mut answer);
            }
            if proven || self.forced || enough {
                break;
            }
        }
        answer.seldepth = self.worker.seldepth;
        answer
    }

    /// Makes the distance of a proven win or loss exact, which reductions may have missed a shorter win for: searches
    /// full width, but only for what is nearer, until the depth where `answer` is, and with no more nodes than it took to
    /// find, or [`Params::measure`].
    fn measure(&mut self, answer: &mut Answer<G::Move>) -> Result<(), Stopped> {
        (self.worker.reduce, self.worker.settle) = (false, false);
        self.worker.most = self.worker.nodes + self.worker.nodes.max(self.worker.params.measure as u64);
        let proven = self.moves[0].value;
        let (alpha, beta) = if proven > 0 { (proven, INFINITE) } else { (-INFINITE, proven + 1) };
        for depth in 1..answer.line.len() as u32 {
            let value = self.search_window(0, depth, alpha, beta)?;
            if is_decisive(value) && alpha < value && value < beta {
                answer.score = to_score(value, false, 0);
                answer.line.clone_from(&self.moves[0].line);
                break;
            }
        }
        Ok(())
    }

    /// Searches the wanted lines to a depth, each among the moves that no line before it begins with.
    fn iterate(&mut self, depth: u32) -> Result<(), Stopped> {
        (0..self.lines).try_for_each(|first| self.find_best(first, depth))
    }

    /// Brings the best of the moves from `first` on to its place. The aspiration window is set around the value found
    /// there two plies less deep, since values swing with who moves last, and opened on the side where the value lies.
    fn find_best(&mut self, first: usize, depth: u32) -> Result<(), Stopped> {
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if let Some(&expected) = self.expected[depth as usize % 2].get(first)
            && depth >= self.worker.params.aspiration_depth as u32
            && !is_decisive(expected)
        {
            let half = self.worker.params.aspiration;
            (alpha, beta) = (expected - half, expected + half);
        }
        loop {
            let value = self.search_window(first, depth, alpha, beta)?;
            if value <= alpha {
                alpha = -INFINITE;
            } else if value >= beta {
                beta = INFINITE;
            } else {
                return Ok(());
            }
        }
    }

    /// Searches the moves from `first` on within a window and moves each that beats `alpha` and all before it to the
    /// front. Gives the best value, exact inside the window.
    fn search_window(&mut self, first: usize, depth: u32, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let mut best = alpha;
        for i in first..self.moves.len() {
            let m = self.moves[i].m;
            let params = &self.worker.params;
            let less = if self.worker.reduce { reduction::of::<true>(params, depth, i - first) } else { 0 };
            let nominal = depth + self.free;
            let value =
                self.worker.visit::<true>(self.position, m, 0, nominal, best, beta, i == first, less)?;
            let this = &mut self.moves[i];
            this.depth = depth;
            if value > best {
                best = value;
                this.value = value;
                this.line.truncate(1);
                this.line.extend_from_slice(&self.worker.lines[1]);
                self.moves[first..=i].rotate_right(1);
            }
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Takes from an unfinished iteration what it has found: a better move than the one it began with, or that this
    /// one loses, so that any move not yet searched is more promising.
    fn salvage(&self, depth: u32, answer: &mut Answer<G::Move>) {
        let best = &self.moves[0];
        if best.depth < depth {
            return;
        }
        let untried = self.moves.iter().find(|m| m.depth < depth);
        if let Some(untried) = untried
            && is_loss(best.value)
        {
            answer.line = vec![untried.m];
        } else if best.m != answer.line[0] {
            answer.score = to_score(best.value, false, best.line.len());
            answer.line.clone_from(&best.line);
        }
    }
}

/// The number of nodes of a search of fixed depth that begins with an empty table and has no book: it changes with the
/// search, the evaluation and the values of [`OPTIONS`], and with nothing else.
pub fn fixed_depth<G: Evaluate>(position: &G, depth: u32, options: &Options) -> Result<u64, String> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let nodes = AtomicU64::new(0);
    let counter = control(|| false, |report| nodes.store(report.nodes, Relaxed));
    let mut searcher = Searcher::new(options, "")?;
    searcher.settings.own_book = false;
    searcher.think(&Record::new(position.clone()), &limits, &counter);
    Ok(nodes.load(Relaxed))
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use simplexity::Position;

    use super::*;

    #[test]
    fn rest_comes_after_the_prover() {
        let mut searcher = Searcher::<Position<u64>>::new(&Options::default(), "test").expect("a MiB");
        let proving = Arc::clone(&searcher.proving);
        let prover = proving.lock().expect("no fault");
        thread::scope(|scope| {
            let resting = scope.spawn(|| searcher.rest());
            thread::sleep(Duration::from_millis(20));
            assert!(!resting.is_finished());
            drop(prover);
        });
    }
}
