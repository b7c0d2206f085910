//! One run from the journals of its shards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::journal::{JournalError, Mark, Reader};
use crate::plan::{Plan, PlanError};
use crate::record::{GameRecord, PlanRecord, Record};
use crate::shard::Shard;
use crate::sheet::UNFINISHED;

/// Why journals are not the shards of one run.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A journal can't be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A plan that can't be played.
    #[error("journal {}: {error}", path.display())]
    Plan {
        /// The journal.
        path: PathBuf,
        /// What is wrong.
        error: PlanError,
    },
    /// A whole run.
    #[error("journal {} is no shard but a whole run; see `arbiter standings`", path.display())]
    Whole {
        /// The journal.
        path: PathBuf,
    },
    /// A shard of another run.
    #[error("journal {} is of another run than {}: the plans differ in `{field}`", path.display(), first.display())]
    Foreign {
        /// The journal.
        path: PathBuf,
        /// The first journal.
        first: PathBuf,
        /// In what the plans differ.
        field: String,
    },
    /// A game that the shard doesn't have.
    #[error("journal {}: game {index} is not one of shard {shard}", path.display())]
    Stray {
        /// The journal.
        path: PathBuf,
        /// The game.
        index: u64,
        /// The shard.
        shard: Shard,
    },
    /// A game that was played twice, and not alike.
    #[error("game {index} is not the same in {} and {}", first.display(), second.display())]
    Disputed {
        /// The game.
        index: u64,
        /// The one journal that has it.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Games are missing; a line for each shard that isn't whole.
    #[error("the run is not complete\n{0}")]
    Incomplete(String),
}

/// The shards of one run, all there and complete. Of each game it remembers only where its record is.
pub struct Merge {
    plan: Plan,
    sources: Vec<Source>,
    /// By index, the finished games.
    games: BTreeMap<u64, Place>,
}

/// A shard's journal.
struct Source {
    path: PathBuf,
    reader: Reader,
    shard: Shard,
}

/// Where the record of a game is, and that of the fault that ended it.
#[derive(Clone, Copy)]
struct Place {
    source: usize,
    fault: Option<Mark>,
    game: Mark,
}

/// Missing shards up to which each is named.
const NAMED: usize = 8;

impl Merge {
    /// Reads the journals and checks that together they are one run: of the same plan, with no pair of games missing,
    /// and with the same moves and result wherever two of them have the same game.
    pub fn new(paths: &[PathBuf]) -> Result<Merge, MergeError> {
        let mut sources: Vec<Source> = Vec::new();
        for path in paths {
            let (path, reader) = (path.clone(), Reader::open(path)?);
            let Some(shard) = reader.plan().shard else { return Err(MergeError::Whole { path }) };
            if let Some(first) = sources.first()
                && let Some(field) = difference(first.reader.plan(), reader.plan())
            {
                return Err(MergeError::Foreign { path, first: first.path.clone(), field });
            }
            sources.push(Source { path, reader, shard });
        }
        let Some(first) = sources.first() else {
            return Err(MergeError::Incomplete("no shard is given".into()));
        };
        let checked =
            |record| Plan::new(record).map_err(|error| MergeError::Plan { path: first.path.clone(), error });
        checked(first.reader.plan().clone())?;
        let started = sources.iter().filter_map(|source| source.reader.plan().started.clone()).min();
        let plan = checked(PlanRecord { shard: None, started, ..first.reader.plan().clone() })?;
        let mut merge = Merge { plan, sources, games: BTreeMap::new() };
        for source in 0..merge.sources.len() {
            merge.read(source)?;
        }
        let missing = merge.missing();
        if missing.is_empty() { Ok(merge) } else { Err(MergeError::Incomplete(missing.join("\n"))) }
    }

    /// The plan of the whole.
    pub fn plan(&self) -> &PlanRecord {
        &self.plan.record
    }

    /// The journals that ended in the middle of a line.
    pub fn torn(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().filter(|source| source.reader.torn()).map(|source| source.path.as_path())
    }

    /// Passes all games in the order of the schedule, each after the fault that ended it.
    pub fn each_record<E: From<JournalError>>(
        &mut self,
        mut f: impl FnMut(&Record) -> Result<(), E>,
    ) -> Result<(), E> {
        for Place { source, fault, game } in self.games.values() {
            let reader = &mut self.sources[*source].reader;
            for mark in fault.iter().chain([game]) {
                f(&reader.record_at(*mark)?)?;
            }
        }
        Ok(())
    }

    fn read(&mut self, source: usize) -> Result<(), MergeError> {
        let mut fault = None;
        loop {
            let reader = &mut self.sources[source].reader;
            let record = reader.next_record()?;
            let mark = reader.place();
            match record {
                None => return Ok(()),
                Some(Record::Fault(record)) => fault = Some((record, mark)),
                Some(Record::Game(game)) => {
                    let fault = fault.take().filter(|(fault, _)| fault.ended(&game)).map(|(_, mark)| mark);
                    self.enter(&game, Place { source, fault, game: mark })?;
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, game: &GameRecord, place: Place) -> Result<(), MergeError> {
        let Source { path, shard, .. } = &self.sources[place.source];
        let (path, shard, index) = (path.clone(), *shard, game.index);
        if !self.is_of_plan(game, shard) {
            return Err(MergeError::Stray { path, index, shard });
        }
        if game.result == UNFINISHED {
            return Ok(());
        }
        let Some(known) = self.games.get(&index).copied() else {
            self.games.insert(index, place);
            return Ok(());
        };
        let here = self.sources[place.source].reader.mark();
        let source = &mut self.sources[known.source];
        let other = source.reader.record_at(known.game)?;
        if !matches!(&other, Record::Game(other) if game.essence() == other.essence()) {
            return Err(MergeError::Disputed { index, first: source.path.clone(), second: path });
        }
        Ok(self.sources[place.source].reader.go_to(here)?)
    }

    /// Whether a game is one of the shard's, between those that the plan has for it.
    fn is_of_plan(&self, game: &GameRecord, shard: Shard) -> bool {
        let schedule = self.plan.schedule.clone().share(shard);
        let slot = schedule.ok().filter(|schedule| schedule.owns(game.index));
        let slot = slot.and_then(|schedule| schedule.slot(game.index, &[]));
        slot.is_some_and(|slot| {
            let [p1, p2] = slot.players.map(|player| &self.plan.engines[player].name);
            (game.pair, &game.p1, &game.p2) == (slot.pair, p1, p2)
        })
    }

    /// What is missing, a line for each shard.
    fn missing(&self) -> Vec<String> {
        let Some(of) = self.sources.first().map(|source| source.shard.of) else { return Vec::new() };
        let given: BTreeMap<u64, &Source> =
            self.sources.iter().rev().map(|source| (source.shard.number, source)).collect();
        let mut lines = Vec::from_iter(absent(of, &given.keys().copied().collect()));
        let games_per_pair = self.plan.schedule.games_per_pair();
        let is_there = |pair: u64| {
            (0..games_per_pair).all(|game| self.games.contains_key(&(pair * games_per_pair + game)))
        };
        let mut complete: BTreeMap<u64, u64> = BTreeMap::new();
        for index in self.games.keys().filter(|index| index.is_multiple_of(games_per_pair)) {
            let pair = index / games_per_pair;
            *complete.entry(pair % of + 1).or_default() += u64::from(is_there(pair));
        }
        for (number, source) in given {
            let Ok(share) = self.plan.schedule.clone().share(source.shard) else { continue };
            let pairs = share.games() / games_per_pair;
            let lacking = pairs - complete.get(&number).copied().unwrap_or_default();
            let first = || (number - 1..).step_by(of as usize).find(|pair| !is_there(*pair));
            if lacking > 0
                && let Some(first) = first()
            {
                let path = shell_words::quote(&source.path.to_string_lossy()).into_owned();
                lines.push(format!(
                    "shard {} lacks {lacking} of {pairs} pairs of games, the first is pair {first}; \
                     go on with: arbiter resume {path}",
                    source.shard
                ));
            }
        }
        lines
    }
}

/// Names the shards that are not given.
fn absent(of: u64, given: &BTreeSet<u64>) -> Option<String> {
    let count = of - given.len() as u64;
    let missing = (1..=of).filter(|number| !given.contains(number)).take(NAMED);
    let mut names: Vec<String> = missing.map(|number| number.to_string()).collect();
    if count > NAMED as u64 {
        names.push(format!("{} more", count - NAMED as u64));
    }
    let last = names.pop()?;
    Some(if names.is_empty() {
        format!("shard {last} of {of} is missing")
    } else {
        format!("shards {} and {last} of {of} are missing", names.join(", "))
    })
}

/// The first field in which the plans of two shards differ that have to be the same.
fn difference(one: &PlanRecord, other: &PlanRecord) -> Option<String> {
    let fields = |plan: &PlanRecord| {
        let shard = plan.shard.map(|shard| Shard { number: 0, ..shard });
        let plan = serde_json::to_value(PlanRecord { shard, started: None, ..plan.clone() });
        plan.ok().and_then(|plan| plan.as_object().cloned()).unwrap_or_default()
    };
    let (one, other) = (fields(one), fields(other));
    one.keys().chain(other.keys()).find(|key| one.get(*key) != other.get(*key)).cloned()
}
