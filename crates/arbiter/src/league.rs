//! Leagues: bots that come, change and go, rated period by period. A function of the records of a journal.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use stats::{Glicko2, Opponent};

use crate::done::Done;
use crate::fault::Reason;
use crate::plan::{Plan, PlanError, Schedule};
use crate::record::{EngineRecord, EntrantRecord, GameRecord, PeriodRecord, PlanRecord, Record};

/// The format of leagues in a plan.
pub const LEAGUE: &str = "league";

/// The rating of a newcomer.
const NEWCOMER: Glicko2 = Glicko2 { rating: 1500.0, deviation: 350.0, volatility: 0.06 };

/// Bounds how fast volatilities change.
const TAU: f64 = 0.5;

/// Pairs of games that each bot not yet rated plays in a period.
const PAIRS: usize = 5;

/// Games after which a bot counts as rated whatever its deviation: who wins or loses all of them can't be placed better.
const MOST_GAMES: u64 = 200;

/// A league so far.
#[derive(Clone, Debug)]
pub struct League {
    bots: Vec<Bot>,
    /// The deviation up to which a bot counts as rated.
    deviation: f64,
    /// Number of pairs of games of all periods so far.
    pairs: u64,
    open: Option<Open>,
}

/// A bot of a league.
#[derive(Clone, Debug)]
pub struct Bot {
    /// How it is started.
    pub engine: EngineRecord,
    /// What identifies its content.
    pub content: String,
    /// Its rating after the last period.
    pub rating: Glicko2,
    /// Games lost, drawn and won since it came or changed.
    pub games: [u64; 3],
    /// Those of them lost by a fault.
    pub faults: u64,
    /// Whether it is in the folder.
    pub is_present: bool,
    /// Whether it did not start in its last period, nor play any game of it: then it plays no more until it changes.
    pub is_broken: bool,
}

impl Bot {
    /// Number of its games.
    pub fn played(&self) -> u64 {
        self.games.iter().sum()
    }
}

/// A period in progress.
#[derive(Clone, Debug)]
struct Open {
    period: PeriodRecord,
    /// By index, the finished games.
    games: BTreeMap<u64, Finished>,
}

#[derive(Clone, Copy, Debug)]
struct Finished {
    players: [usize; 2],
    /// Those of the first player.
    half_points: usize,
    guilty: Option<usize>,
    not_started: bool,
}

impl League {
    /// The league of a plan, without bots; `None` if it is of another format.
    pub fn new(plan: &PlanRecord) -> Option<League> {
        let deviation = plan.league.as_ref()?.deviation;
        (plan.format == LEAGUE).then(|| League { bots: Vec::new(), deviation, pairs: 0, open: None })
    }

    /// Takes a record into account; says what is wrong with it if it doesn't go with those before.
    pub(crate) fn add(&mut self, record: &Record) -> Result<(), String> {
        match record {
            Record::Entrant(entrant) => self.enter(entrant),
            Record::Left { engine } => {
                self.close();
                let bot = self.index(engine)?;
                self.bots[bot].is_present = false;
            }
            Record::Period(period) => {
                self.close();
                if period.first != self.pairs {
                    let (first, expected) = (period.first, self.pairs);
                    return Err(format!("a period begins with pair {first}, expected {expected}"));
                }
                self.pairs += period.encounters.len() as u64;
                self.open = Some(Open { period: period.clone(), games: BTreeMap::new() });
            }
            _ => {}
        }
        Ok(())
    }

    /// What changes in the folder ends the period in progress: its games so far count.
    fn enter(&mut self, entrant: &EntrantRecord) {
        self.close();
        let engine = entrant.engine.clone();
        let content = entrant.content.clone();
        let newcomer = Bot {
            engine,
            content,
            rating: NEWCOMER,
            games: [0; 3],
            faults: 0,
            is_present: true,
            is_broken: false,
        };
        match self.bots.iter_mut().find(|bot| bot.engine.name == entrant.engine.name) {
            None => self.bots.push(newcomer),
            Some(bot) if bot.content == entrant.content => bot.is_present = true,
            // Its old rating is a first guess, as unsure as a newcomer's.
            Some(bot) => *bot = Bot { rating: Glicko2 { rating: bot.rating.rating, ..NEWCOMER }, ..newcomer },
        }
    }

    /// Takes a finished game into account, `half_points` being those of its first player.
    pub(crate) fn add_game(&mut self, game: &GameRecord, half_points: usize) -> Result<(), String> {
        let players = [self.index(&game.p1)?, self.index(&game.p2)?];
        let guilty = game.guilty.as_deref().map(|name| self.index(name)).transpose()?;
        let Some(open) = &mut self.open else { return Ok(()) };
        if !open.period.has(game.pair) || game.pair != game.index / 2 {
            return Err(format!("game {} is not one of the period", game.index));
        }
        let not_started = game.reason == Reason::NoStart.token();
        open.games.insert(game.index, Finished { players, half_points, guilty, not_started });
        if open.games.len() as u64 >= 2 * open.period.encounters.len() as u64 {
            self.close();
        }
        Ok(())
    }

    fn index(&self, name: &str) -> Result<usize, String> {
        let found = self.bots.iter().position(|bot| bot.engine.name == name);
        found.ok_or_else(|| format!("engine {name:?} is not in the league"))
    }

    /// Rates all who played in the period in progress, by the ratings before it. A bot that did not play keeps its
    /// rating and its deviation: programs don't change while they rest.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let before: Vec<Glicko2> = self.bots.iter().map(|bot| bot.rating).collect();
        for (number, bot) in self.bots.iter_mut().enumerate() {
            let mut opponents = Vec::new();
            let (mut has_failed, mut has_played) = (false, false);
            for game in open.games.values().filter(|game| game.players.contains(&number)) {
                let is_first = game.players[0] == number;
                let half_points = if is_first { game.half_points } else { 2 - game.half_points };
                let Glicko2 { rating, deviation, .. } = before[game.players[usize::from(is_first)]];
                opponents.push(Opponent { rating, deviation, score: half_points as f64 / 2.0 });
                bot.games[half_points] += 1;
                bot.faults += u64::from(game.guilty == Some(number));
                has_failed |= game.not_started && game.guilty == Some(number);
                has_played |= !game.not_started;
            }
            if !opponents.is_empty() {
                bot.rating = bot.rating.after(&opponents, TAU);
                bot.is_broken = has_failed && !has_played;
            }
        }
    }

    /// The bots, in the order in which they came.
    pub fn bots(&self) -> &[Bot] {
        &self.bots
    }

    /// Whether a period is in progress.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether a bot needs no more games.
    pub fn is_rated(&self, bot: &Bot) -> bool {
        bot.is_broken || bot.rating.deviation <= self.deviation || bot.played() >= MOST_GAMES
    }

    /// The bots' places in the list by rating, those that have left last.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        order.sort_by(|&a, &b| self.bots[b].rating.rating.total_cmp(&self.bots[a].rating.rating));
        order.sort_by_key(|&bot| Reverse(self.bots[bot].is_present));
        order
    }

    /// The games of the next period: each bot that is not rated yet plays some pairs, each against another of those
    /// nearest to it in rating, and against these again where they are too few. `None` while that is nobody.
    pub fn next_period(&self) -> Option<PeriodRecord> {
        let field: Vec<&Bot> = self.bots.iter().filter(|bot| bot.is_present && !bot.is_broken).collect();
        let mut encounters = Vec::new();
        for bot in field.iter().filter(|bot| !self.is_rated(bot)) {
            let distance = |other: &&&Bot| (other.rating.rating - bot.rating.rating).abs();
            let mut others: Vec<&&Bot> =
                field.iter().filter(|other| other.engine.name != bot.engine.name).collect();
            others.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            let pairs = others.iter().cycle().take(PAIRS);
            encounters.extend(pairs.map(|other| [bot.engine.name.clone(), other.engine.name.clone()]));
        }
        (!encounters.is_empty()).then_some(PeriodRecord { first: self.pairs, encounters })
    }

    /// The period in progress as a plan of its own, and which of its games are finished. `None` between periods.
    pub fn plan(&self, league: &PlanRecord) -> Result<Option<(Plan, Done)>, PlanError> {
        let Some(Open { period, games }) = &self.open else { return Ok(None) };
        let present = self.bots.iter().filter(|bot| bot.is_present);
        let engines: Vec<EngineRecord> = present.map(|bot| bot.engine.clone()).collect();
        let place = |name: &String| engines.iter().position(|engine| engine.name == *name);
        let encounters: Option<Vec<[usize; 2]>> =
            period.encounters.iter().map(|[one, other]| Some([place(one)?, place(other)?])).collect();
        let encounters =
            encounters.ok_or(PlanError::Size("a period of the league has bots that are not there"))?;
        let schedule = Schedule::listed(engines.len() as u64, period.first, encounters)?;
        let mut plan = Plan::new(PlanRecord { engines, pairs: 1, ..league.clone() })?;
        plan.schedule = schedule;
        let mut done = Done::default();
        done.extend(games.keys().copied());
        Ok(Some((plan, done)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isolation::Isolation;
    use crate::record::LeagueRecord;

    fn league() -> League {
        let league =
            Some(LeagueRecord { dir: "bots".into(), deviation: 75.0, isolation: Isolation::default() });
        League::new(&PlanRecord { format: LEAGUE.into(), league, ..PlanRecord::default() }).unwrap()
    }

    fn entrant(name: &str, content: &str) -> Record {
        let engine =
            EngineRecord { name: name.into(), builtin: Some("simplexity".into()), ..EngineRecord::default() };
        Record::Entrant(EntrantRecord { engine, content: content.into() })
    }

    fn enter_all(league: &mut League, names: &[&str]) {
        for name in names {
            league.add(&entrant(name, "1")).unwrap();
        }
    }

    /// Plays the period in progress to its end, or so many games of it: the first game of a pair is won by the first
    /// of `strength`, in the second one both draw.
    fn play(league: &mut League, strength: &[&str], most: usize) {
        let period = league.open.as_ref().unwrap().period.clone();
        let pairs = (period.first..).zip(&period.encounters);
        let games = pairs.flat_map(|(pair, [a, b])| [(2 * pair, a, b), (2 * pair + 1, b, a)]);
        // In any order: here backwards.
        for (index, p1, p2) in games.take(most).collect::<Vec<_>>().into_iter().rev() {
            let place = |name: &String| strength.iter().position(|s| s == name).unwrap();
            let half_points = match index % 2 {
                0 if place(p1) < place(p2) => 2,
                0 => 0,
                _ => 1,
            };
            let (p1, p2) = (p1.clone(), p2.clone());
            league
                .add_game(
                    &GameRecord { index, pair: index / 2, p1, p2, ..GameRecord::default() },
                    half_points,
                )
                .unwrap();
        }
    }

    fn begin(league: &mut League) -> PeriodRecord {
        let period = league.next_period().unwrap();
        league.add(&Record::Period(period.clone())).unwrap();
        period
    }

    #[test]
    fn bots_play_until_they_are_rated_and_stand_in_order() {
        let mut league = league();
        assert_eq!(league.next_period(), None);
        enter_all(&mut league, &["c", "a", "b"]);
        let mut periods = 0;
        let mut pairs = 0;
        while league.next_period().is_some() {
            assert_eq!(begin(&mut league).first, pairs);
            pairs = league.pairs;
            play(&mut league, &["a", "b", "c"], usize::MAX);
            periods += 1;
            assert!(periods < 50, "{league:?}");
        }
        assert!(league.bots().iter().all(|bot| bot.rating.deviation <= 75.0), "{:?}", league.bots());
        let names: Vec<_> =
            league.ranking().iter().map(|&bot| league.bots()[bot].engine.name.clone()).collect();
        assert_eq!(names, ["a", "b", "c"]);

        // A newcomer plays against the others, who need no more games for themselves.
        league.add(&entrant("d", "1")).unwrap();
        let period = begin(&mut league);
        assert_eq!(period.encounters.len(), PAIRS);
        assert!(period.encounters.iter().all(|[one, other]| one == "d" && other != "d"));
        // The nearest first: b is in the middle as the newcomer is.
        assert_eq!(period.encounters[0], ["d", "b"]);
    }

    #[test]
    fn the_order_of_games_is_no_matter() {
        let finish = |most: &[usize]| {
            let mut league = league();
            enter_all(&mut league, &["a", "b", "c"]);
            begin(&mut league);
            for most in most {
                play(&mut league, &["b", "a", "c"], *most);
            }
            league.bots().iter().map(|bot| bot.rating).collect::<Vec<_>>()
        };
        assert_eq!(finish(&[7, 30]), finish(&[30]));
        assert_ne!(finish(&[30]), finish(&[7]));
        assert_eq!(finish(&[29]), [NEWCOMER; 3], "nobody is rated before the period is over");
    }

    #[test]
    fn a_changed_bot_is_as_unsure_as_a_newcomer_and_one_that_left_is_known_again() {
        let mut league = league();
        enter_all(&mut league, &["a", "b"]);
        begin(&mut league);
        play(&mut league, &["a", "b"], usize::MAX);
        let rated = league.bots()[0].clone();
        assert!(rated.rating.rating > 1500.0 && rated.rating.deviation < 350.0);
        assert_eq!(rated.games, [0, 10, 10]);

        // What changes ends the period: two games of it count.
        begin(&mut league);
        play(&mut league, &["a", "b"], 2);
        league.add(&Record::Left { engine: "a".into() }).unwrap();
        assert_eq!((league.bots()[0].games, league.bots()[0].is_present), ([0, 11, 11], false));
        assert_eq!((league.next_period(), league.ranking()), (None, vec![1, 0]));
        let rating = league.bots()[0].rating;
        league.add(&entrant("a", "1")).unwrap();
        assert_eq!((league.bots()[0].rating, league.bots()[0].is_present), (rating, true));
        league.add(&entrant("a", "2")).unwrap();
        let bot = &league.bots()[0];
        assert_eq!((bot.rating, bot.games), (Glicko2 { rating: rating.rating, ..NEWCOMER }, [0; 3]));
        assert_eq!(begin(&mut league).first, 20, "pairs are never numbered again");
        assert!(league.add(&Record::Left { engine: "x".into() }).unwrap_err().contains("\"x\""));
        let gap = PeriodRecord { first: 99, encounters: Vec::new() };
        assert!(league.add(&Record::Period(gap)).unwrap_err().contains("pair 99, expected 30"));
    }

    #[test]
    fn bots_that_never_start_play_one_period() {
        let mut league = league();
        enter_all(&mut league, &["a", "x", "y"]);
        let period = begin(&mut league);
        // Nobody plays any game, but it is not the fault of a. Between x and y it is that of who comes first.
        for (pair, [one, other]) in (period.first..).zip(&period.encounters) {
            for (index, p1, p2) in [(2 * pair, one, other), (2 * pair + 1, other, one)] {
                let guilty = if p1 == "a" { p2 } else { p1 };
                let half_points = if guilty == p1 { 0 } else { 2 };
                let (p1, p2, guilty) = (p1.clone(), p2.clone(), Some(guilty.clone()));
                let reason = "no-start".into();
                let game = GameRecord { index, pair, p1, p2, reason, guilty, ..GameRecord::default() };
                league.add_game(&game, half_points).unwrap();
            }
        }
        let [a, x, y] = league.bots() else { panic!("{league:?}") };
        assert!(x.is_broken && y.is_broken && !a.is_broken && a.faults == 0 && x.faults > 0, "{league:?}");
        assert!(league.is_rated(x) && !league.is_rated(a));
        assert_eq!(league.next_period(), None, "there is nobody to play against");
        league.add(&entrant("x", "2")).unwrap();
        assert!(league.next_period().unwrap().encounters.iter().flatten().all(|name| name != "y"));
    }

    #[test]
    fn a_period_is_a_plan() {
        let mut league = league();
        let record = PlanRecord {
            schema: crate::record::SCHEMA,
            game: "simplexity".into(),
            format: LEAGUE.into(),
            openings: "random:2".into(),
            swap: true,
            ..PlanRecord::default()
        };
        enter_all(&mut league, &["a", "b"]);
        assert!(league.plan(&record).unwrap().is_none());
        begin(&mut league);
        play(&mut league, &["a", "b"], usize::MAX);
        begin(&mut league);
        play(&mut league, &["a", "b"], 3);
        let (plan, done) = league.plan(&record).unwrap().unwrap();
        assert_eq!((plan.schedule.games(), plan.schedule.index(0)), (20, 20));
        assert_eq!(done.count(), 3);
        assert!(done.contains(20) && done.contains(22) && !plan.schedule.owns(19) && plan.schedule.owns(39));
        let slot = plan.schedule.slot(31, &[]).unwrap();
        assert_eq!((slot.pair, slot.players), (15, [0, 1]), "the second game of b against a");
    }
}
