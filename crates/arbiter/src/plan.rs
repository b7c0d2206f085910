//! Which games a run consists of: a pure function of the engines, the openings, the seed and the format (and where there
//! are rounds, of those so far), computed game by game so that ten million planned games take no memory.

use std::ops::Range;
use std::time::Duration;

use game::{Rules, Setup};
use stats::berger;

use crate::arena::Job;
use crate::config::{EngineSpec, Patience, TimeControl};
use crate::openings::{Generator, OpeningError, Openings, Source, Starts};
use crate::record::PlanRecord;
use crate::rounds::{EXTRA_PAIRS, KNOCKOUT, SWISS, Stage};
use crate::shard::Shard;

/// Why a plan can't be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// A game this program doesn't know.
    #[error("no game {0}; see `arbiter games`")]
    Game(String),
    /// A bad set-up.
    #[error(transparent)]
    Setup(#[from] game::SetupError),
    /// A bad engine or time control.
    #[error("{0}")]
    Engine(String),
    /// Bad openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A senseless test.
    #[error("the sequential test: {0}")]
    Sprt(#[from] stats::SprtError),
    /// Less than two engines, no games, or too many to count; a test of other than two engines or without pairs.
    #[error("{0}")]
    Size(&'static str),
}

/// What is to be played, checked.
pub struct Plan {
    /// The game.
    pub rules: &'static dyn Rules,
    /// Its set-up.
    pub setup: Setup,
    /// The engines, in order of seeding.
    pub engines: Vec<EngineSpec>,
    /// Limits of engines without limits of their own.
    pub limits: TimeControl,
    /// How long to wait for what.
    pub patience: Patience,
    /// Which game is played by whom.
    pub schedule: Schedule,
    /// The record it came from.
    pub record: PlanRecord,
}

impl Plan {
    /// Checks a record.
    pub fn new(record: PlanRecord) -> Result<Plan, PlanError> {
        let rules = registry::find(&record.game).ok_or_else(|| PlanError::Game(record.game.clone()))?;
        let words: Vec<&str> = record.setup.split_whitespace().collect();
        let (pairs, rest) = words.as_chunks::<2>();
        if let [key] = rest {
            return Err(PlanError::Engine(format!("set-up key {key} has no value")));
        }
        let setup = rules.setup(&pairs.iter().map(|[key, value]| (*key, *value)).collect::<Vec<_>>())?;
        let engines: Result<Vec<_>, _> = record.engines.iter().map(EngineSpec::try_from).collect();
        let limits = TimeControl::try_from(&record.limits).map_err(|e| PlanError::Engine(e.to_string()))?;
        let patience = Patience {
            margin: Duration::from_millis(record.margin_ms),
            max_think: Duration::from_millis(record.max_think_ms),
            ..Patience::default()
        };
        let count = record.engines.len() as u64;
        let schedule = match record.seeds {
            Some(seeds) => Schedule::gauntlet(count, seeds, record.pairs, record.swap)?,
            None if record.format == SWISS => Schedule::swiss(count, record.pairs, record.swap)?,
            None if record.format == KNOCKOUT => Schedule::knockout(count, record.pairs, record.swap)?,
            None => Schedule::new(count, record.pairs, record.swap)?,
        };
        let schedule = record.shard.map_or(Ok(schedule.clone()), |shard| schedule.share(shard))?;
        let engines = engines.map_err(PlanError::Engine)?;
        if let Some(test) = &record.sprt {
            test.sprt()?;
            if engines.len() != 2 || !record.swap || schedule.has_rounds() {
                return Err(PlanError::Size(
                    "a sequential test needs two engines and pairs of games, and no rounds",
                ));
            }
        }
        Ok(Plan { rules, setup, engines, limits, patience, schedule, record })
    }

    /// The openings of the run.
    pub fn openings(&self) -> Result<Openings, PlanError> {
        Ok(match self.record.openings.parse()? {
            Source::Random { plies, drawn } => {
                let starts = Starts::new(self.rules, &self.setup, drawn)?;
                Openings::Random(Generator::new(starts, plies, self.record.seed))
            }
            Source::Start => Openings::Listed(vec![self.rules.start(&self.setup).fen()]),
            Source::File(name) if self.record.opening_list.is_empty() => {
                return Err(OpeningError::Empty(name).into());
            }
            Source::File(_) => Openings::Listed(self.record.opening_list.clone()),
        })
    }

    /// Whether results decide how many games of the schedule are played.
    pub fn is_open(&self) -> bool {
        self.record.sprt.is_some() && self.record.shard.is_none() || self.schedule.is_open()
    }

    /// The job of a slot of the schedule.
    pub fn job(&self, slot: &Slot, openings: &mut Openings) -> Job {
        Job {
            index: slot.index,
            pair: slot.pair,
            players: slot.players,
            fen: openings.position(slot.opening),
            seed: self.record.seed,
        }
    }
}

/// The order of the games: cycle after cycle, in each of them every pairing once (a pair of games from one opening, or
/// a single game without swapping): of a round robin in the order of the Berger tables, of a gauntlet opponent by
/// opponent. More pairs append games and change none. Where there are rounds they follow each other, paired by
/// [`crate::rounds`], and each has cycles of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    engines: u64,
    format: Format,
    cycles: u64,
    swap: bool,
    /// Number of pairs of games, those of all shards together.
    pairs: u64,
    /// What of them is to be played.
    shard: Shard,
}

/// Who meets whom in a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Format {
    /// All each other.
    RoundRobin,
    /// So many of the engines, the first ones, all others but not each other.
    Gauntlet(u64),
    /// Each at most one other, depending on the results so far; a cycle is a round.
    Swiss,
    /// Those still in, each one other, as often as there are cycles; where they are level, a little more often.
    Knockout,
    /// Those who are listed. The pairs of games are counted on from those before, as are their openings.
    Listed {
        /// The first pair.
        first: u64,
        /// Who meets whom.
        encounters: Vec<[usize; 2]>,
    },
}

/// One game of a [`Schedule`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The game's index, from 0.
    pub index: u64,
    /// The pair it belongs to, from 0.
    pub pair: u64,
    /// Number of the opening, from 0: all pairings of a cycle play the same.
    pub opening: u64,
    /// Who plays first and second player.
    pub players: [usize; 2],
}

impl Schedule {
    /// A schedule of `cycles` pairs of games for each pairing of `engines` engines.
    pub fn new(engines: u64, cycles: u64, swap: bool) -> Result<Schedule, PlanError> {
        Schedule::checked(engines, Format::RoundRobin, cycles, swap)
    }

    /// The same for the pairings of each of the first `seeds` engines with each of the others.
    pub fn gauntlet(engines: u64, seeds: u64, cycles: u64, swap: bool) -> Result<Schedule, PlanError> {
        if seeds == 0 || seeds >= engines {
            return Err(PlanError::Size("a gauntlet needs at least one seed and one other engine"));
        }
        Schedule::checked(engines, Format::Gauntlet(seeds), cycles, swap)
    }

    /// A Swiss tournament of so many rounds, each pairing of which plays a pair of games.
    pub fn swiss(engines: u64, rounds: u64, swap: bool) -> Result<Schedule, PlanError> {
        if rounds >= engines + engines % 2 {
            return Err(PlanError::Size(
                "a Swiss tournament needs fewer rounds than engines (as many, if their number is odd)",
            ));
        }
        Schedule::checked(engines, Format::Swiss, rounds, swap)
    }

    /// A knockout with `cycles` pairs of games in each match, and at most [`EXTRA_PAIRS`] more in one that is level.
    pub fn knockout(engines: u64, cycles: u64, swap: bool) -> Result<Schedule, PlanError> {
        Schedule::checked(engines, Format::Knockout, cycles, swap)
    }

    /// A pair of games for each of these encounters, of which the first is number `first`.
    pub fn listed(engines: u64, first: u64, encounters: Vec<[usize; 2]>) -> Result<Schedule, PlanError> {
        if first.checked_add(encounters.len() as u64).is_none_or(|end| end > u64::MAX / 2) {
            return Err(PlanError::Size("more games than can be counted"));
        }
        Schedule::checked(engines, Format::Listed { first, encounters }, 1, true)
    }

    fn checked(engines: u64, format: Format, cycles: u64, swap: bool) -> Result<Schedule, PlanError> {
        if engines < 2 {
            return Err(PlanError::Size("at least two engines are needed"));
        }
        if cycles == 0 {
            return Err(PlanError::Size("there are no games to play"));
        }
        let pairs = match format {
            Format::Knockout => {
                cycles.checked_add(EXTRA_PAIRS).and_then(|most| most.checked_mul(engines - 1))
            }
            _ => cycles.checked_mul(pairings(engines, &format)),
        };
        let pairs = pairs.filter(|pairs| pairs.checked_mul(2).is_some());
        let pairs = pairs.ok_or(PlanError::Size("more games than can be counted"))?;
        Ok(Schedule { engines, format, cycles, swap, pairs, shard: Shard { number: 1, of: 1 } })
    }

    /// The same games, of which only a shard is to be played.
    pub fn share(self, shard: Shard) -> Result<Schedule, PlanError> {
        if self.has_rounds() {
            return Err(PlanError::Size(
                "a Swiss tournament or a knockout can't be split into shards: who meets whom depends on all games before",
            ));
        }
        if !shard.is_sound() {
            return Err(PlanError::Size("the shards of a run are numbered from 1"));
        }
        if shard.of > self.pairs {
            return Err(PlanError::Size("there are more shards than pairs of games"));
        }
        Ok(Schedule { shard, ..self })
    }

    /// Number of games to be played; of a knockout, at most.
    pub fn games(&self) -> u64 {
        let pairs = self.range();
        (pairs.end - pairs.start).div_ceil(self.shard.of) * self.games_per_pair()
    }

    /// The index of the `n`-th game to be played, `n` below [`Schedule::games`].
    pub fn index(&self, n: u64) -> u64 {
        let (pair, game) = (n / self.games_per_pair(), n % self.games_per_pair());
        (self.range().start + pair * self.shard.of) * self.games_per_pair() + game
    }

    /// Whether a game of that index is to be played.
    pub fn owns(&self, index: u64) -> bool {
        let (pair, pairs) = (index / self.games_per_pair(), self.range());
        pairs.contains(&pair) && (pair - pairs.start).is_multiple_of(self.shard.of)
    }

    /// From the first pair to be played to the last one of any shard.
    fn range(&self) -> Range<u64> {
        match self.format {
            Format::Listed { first, .. } => first..first + self.pairs,
            _ => self.shard.number - 1..self.pairs,
        }
    }

    /// Whether its number of games depends on results.
    pub fn is_open(&self) -> bool {
        self.format == Format::Knockout
    }

    /// Whether its pairings depend on results.
    pub fn has_rounds(&self) -> bool {
        matches!(self.format, Format::Swiss | Format::Knockout)
    }

    /// Number of different openings it uses, those of level matches of a knockout left out.
    pub fn openings(&self) -> u64 {
        match self.format {
            Format::Knockout => self.cycles.saturating_mul(self.engines.next_power_of_two().ilog2().into()),
            _ => self.cycles,
        }
    }

    /// Number of games played from one opening by one pairing.
    pub fn games_per_pair(&self) -> u64 {
        if self.swap { 2 } else { 1 }
    }

    /// Number of games to be played whose players are known, the first ones, once these stages are paired.
    pub fn known(&self, stages: &[Stage]) -> u64 {
        let pairs = || stages.iter().map(Stage::pairs).sum::<u64>() * self.games_per_pair();
        if self.has_rounds() { self.games().min(pairs()) } else { self.games() }
    }

    /// The game of an index, of any shard; `None` if it depends on more than these stages.
    pub fn slot(&self, index: u64, stages: &[Stage]) -> Option<Slot> {
        let pair = index / self.games_per_pair();
        let pairings = pairings(self.engines, &self.format);
        let (opening, number) = (pair / pairings, pair % pairings);
        let (opening, mut players) = match &self.format {
            Format::RoundRobin => (opening, berger(self.engines, number).map(|player| player as usize)),
            Format::Gauntlet(seeds) => {
                (opening, [number % seeds, seeds + number / seeds].map(|player| player as usize))
            }
            Format::Swiss | Format::Knockout => encounter(pair, stages)?,
            Format::Listed { first, encounters } => {
                (pair, *encounters.get(usize::try_from(pair.checked_sub(*first)?).ok()?)?)
            }
        };
        if index % self.games_per_pair() == 1 {
            players.reverse();
        }
        Some(Slot { index, pair, opening, players })
    }
}

/// Number of pairings in a cycle; of a knockout, in the whole.
fn pairings(engines: u64, format: &Format) -> u64 {
    match format {
        Format::RoundRobin => engines * (engines - 1) / 2,
        Format::Gauntlet(seeds) => seeds * (engines - seeds),
        Format::Swiss => engines / 2,
        Format::Knockout => engines - 1,
        Format::Listed { encounters, .. } => encounters.len() as u64,
    }
}

/// The opening and the players of a pair of games in a tournament with rounds.
fn encounter(mut pair: u64, stages: &[Stage]) -> Option<(u64, [usize; 2])> {
    let mut opening = 0;
    for stage in stages {
        let pairings = &stage.round.pairs;
        if pair < stage.pairs() {
            let width = pairings.len() as u64;
            return Some((opening + pair / width, *pairings.get((pair % width) as usize)?));
        }
        pair -= stage.pairs();
        opening += stage.cycles;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use stats::Round;

    use super::*;

    #[test]
    fn every_pairing_plays_its_games_with_both_sides_balanced() {
        for engines in 2..=9 {
            for cycles in [1, 2, 5] {
                for swap in [true, false] {
                    let schedule = Schedule::new(engines, cycles, swap).unwrap();
                    let mut games: BTreeMap<[usize; 2], u64> = BTreeMap::new();
                    for index in 0..schedule.games() {
                        let slot = schedule.slot(index, &[]).unwrap();
                        assert_eq!(slot.index, index);
                        assert_ne!(slot.players[0], slot.players[1]);
                        *games.entry(slot.players).or_default() += 1;
                    }
                    for a in 0..engines as usize {
                        for b in 0..a {
                            let [one, other] = [[a, b], [b, a]].map(|p| games.get(&p).copied().unwrap_or(0));
                            if swap {
                                assert_eq!([one, other], [cycles; 2], "{engines} engines, {a} and {b}");
                            } else {
                                assert_eq!(one + other, cycles);
                                assert!(one == 0 || other == 0);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_seeds_of_a_gauntlet_meet_all_others_and_not_each_other() {
        for (engines, seeds) in [(2, 1), (5, 1), (5, 2), (6, 5)] {
            let schedule = Schedule::gauntlet(engines, seeds, 3, true).unwrap();
            let mut games: BTreeMap<[usize; 2], u64> = BTreeMap::new();
            for index in 0..schedule.games() {
                *games.entry(schedule.slot(index, &[]).unwrap().players).or_default() += 1;
            }
            let seed = |player: usize| (player as u64) < seeds;
            let all = (0..engines as usize).flat_map(|a| (0..engines as usize).map(move |b| [a, b]));
            let expected: Vec<[usize; 2]> = all.filter(|[a, b]| seed(*a) != seed(*b)).collect();
            assert_eq!(games.keys().copied().collect::<Vec<_>>(), expected);
            assert!(games.values().all(|n| *n == 3));
        }
        for (engines, seeds) in [(3, 0), (3, 3), (1, 1)] {
            assert!(Schedule::gauntlet(engines, seeds, 1, true).is_err(), "{engines} {seeds}");
        }
        assert!(Schedule::gauntlet(3, 1, u64::MAX / 3, true).is_err());
    }

    #[test]
    fn a_round_is_known_once_it_is_paired() {
        let schedule = Schedule::swiss(5, 3, true).unwrap();
        assert_eq!((schedule.games(), schedule.openings(), schedule.known(&[])), (12, 3, 0));
        assert_eq!(schedule.slot(0, &[]), None);
        let rounds = [[[0, 2], [1, 3]], [[0, 1], [4, 2]]].map(|pairs| stage(&pairs, 1));
        assert_eq!(schedule.known(&rounds), 8);
        let slot = Slot { index: 7, pair: 3, opening: 1, players: [2, 4] };
        assert_eq!((schedule.slot(7, &rounds), schedule.slot(8, &rounds)), (Some(slot), None));
        for (engines, rounds, fits) in
            [(4, 3, true), (4, 4, false), (5, 5, true), (5, 6, false), (1, 1, false), (0, 1, false)]
        {
            assert_eq!(Schedule::swiss(engines, rounds, true).is_ok(), fits, "{rounds} rounds of {engines}");
        }
    }

    fn stage(pairs: &[[usize; 2]], cycles: u64) -> Stage {
        Stage { number: 0, round: Round { pairs: pairs.to_vec(), byes: vec![] }, cycles }
    }

    #[test]
    fn the_stages_of_a_knockout_follow_each_other() {
        let schedule = Schedule::knockout(5, 2, true).unwrap();
        assert_eq!((schedule.games(), schedule.openings(), schedule.known(&[])), (4 * (2 + 5) * 2, 6, 0));
        assert!(schedule.is_open() && schedule.slot(0, &[]).is_none());
        let stages = [stage(&[[3, 4]], 2), stage(&[[3, 4]], 1), stage(&[[0, 4], [1, 2]], 2)];
        assert_eq!(schedule.known(&stages), 14);
        let slots: Vec<_> = (0..7).map(|pair| schedule.slot(2 * pair, &stages).unwrap()).collect();
        let players = [[3, 4], [3, 4], [3, 4], [0, 4], [1, 2], [0, 4], [1, 2]];
        assert_eq!(slots.iter().map(|slot| slot.players).collect::<Vec<_>>(), players);
        assert_eq!(slots.iter().map(|slot| slot.opening).collect::<Vec<_>>(), [0, 1, 2, 3, 3, 4, 4]);
        assert_eq!(schedule.slot(13, &stages).unwrap().players, [2, 1]);
        assert_eq!(schedule.slot(14, &stages), None);
        assert!(Schedule::knockout(1, 1, true).is_err() && Schedule::knockout(2, 0, true).is_err());
        assert!(Schedule::knockout(3, u64::MAX / 4, true).is_err());
    }

    #[test]
    fn shards_have_every_game_once() {
        for (engines, cycles, swap) in [(2, 7, true), (4, 5, true), (3, 3, false)] {
            let whole = Schedule::new(engines, cycles, swap).unwrap();
            for of in 1..=whole.games() / whole.games_per_pair() {
                let mut seen = Vec::new();
                for number in 1..=of {
                    let share = whole.clone().share(Shard { number, of }).unwrap();
                    let indices: Vec<u64> = (0..share.games()).map(|n| share.index(n)).collect();
                    let owned: Vec<u64> = (0..2 * whole.games()).filter(|index| share.owns(*index)).collect();
                    assert_eq!(indices, owned, "{number}/{of}");
                    for index in indices {
                        assert_eq!(share.slot(index, &[]), whole.slot(index, &[]));
                        seen.push(index);
                    }
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..whole.games()).collect::<Vec<_>>(), "{of} shards");
            }
        }
    }

    #[test]
    fn listed_encounters_are_counted_on() {
        let schedule = Schedule::listed(3, 7, vec![[0, 2], [2, 1]]).unwrap();
        assert_eq!((schedule.games(), schedule.known(&[])), (4, 4));
        let indices: Vec<u64> = (0..4).map(|n| schedule.index(n)).collect();
        assert_eq!(indices, (0..40).filter(|index| schedule.owns(*index)).collect::<Vec<_>>());
        let slots = indices.iter().map(|index| schedule.slot(*index, &[]).unwrap());
        let expected = [(7, [0, 2]), (7, [2, 0]), (8, [2, 1]), (8, [1, 2])];
        assert!(slots.map(|slot| (slot.pair, slot.players)).eq(expected));
        assert_eq!((schedule.slot(13, &[]), schedule.slot(18, &[])), (None, None));
        assert!(Schedule::listed(3, u64::MAX / 2, vec![[0, 1]]).is_err());
    }

    #[test]
    fn senseless_shards_are_refused() {
        let whole = Schedule::new(2, 4, true).unwrap();
        for (number, of) in [(0, 1), (2, 1), (0, 0), (1, 5), (5, 4)] {
            assert!(whole.clone().share(Shard { number, of }).is_err(), "{number}/{of}");
        }
        assert!(Schedule::swiss(4, 2, true).unwrap().share(Shard { number: 1, of: 2 }).is_err());
        assert!(Schedule::knockout(4, 2, true).unwrap().share(Shard { number: 1, of: 1 }).is_err());
    }

    #[test]
    fn a_pair_plays_one_opening_with_sides_swapped() {
        let schedule = Schedule::new(5, 3, true).unwrap();
        for pair in 0..schedule.games() / 2 {
            let [a, b] = [2 * pair, 2 * pair + 1].map(|index| schedule.slot(index, &[]).unwrap());
            assert_eq!((a.pair, b.pair), (pair, pair));
            assert_eq!(a.opening, b.opening);
            assert_eq!(a.players, [b.players[1], b.players[0]]);
        }
    }

    #[test]
    fn more_pairs_append_games() {
        let [short, long] = [3, 50].map(|cycles| Schedule::new(6, cycles, true).unwrap());
        for index in 0..short.games() {
            assert_eq!(short.slot(index, &[]).unwrap(), long.slot(index, &[]).unwrap());
        }
    }

    #[test]
    fn any_size_is_planned_at_once() {
        let schedule = Schedule::new(3, u64::MAX / 6, true).unwrap();
        let last = schedule.slot(schedule.games() - 1, &[]).unwrap();
        assert_eq!(last.opening, schedule.openings() - 1);
        assert!(Schedule::new(3, u64::MAX / 5, true).is_err());
        assert!(Schedule::new(1, 1, true).is_err());
        assert!(Schedule::new(2, 0, true).is_err());
    }
}
