//! Who stands where: counts kept game by game, and the ranking they give.

use ahash::AHashMap;
use game::Rules;
use stats::{
    Anchor, Cluster, Counts, CrossTable, Cut, DrawModel, Errors, Fit, Game, GameResult, Ratings, Summary,
    TieBreak, Z95, components,
};

use crate::league::League;
use crate::record::{FaultRecord, GameRecord, LimitsRecord, PlanRecord, Record};
use crate::rounds::Rounds;
use crate::sprt::Trial;

/// What decides between engines of equal points.
const TIE_BREAKS: [TieBreak; 4] =
    [TieBreak::DirectEncounter, TieBreak::SonnebornBerger, TieBreak::Wins, TieBreak::Colley];

/// The same in a Swiss tournament, where opponents differ in strength.
const SWISS_TIE_BREAKS: [TieBreak; 5] = [
    TieBreak::DirectEncounter,
    TieBreak::SonnebornBerger,
    TieBreak::Wins,
    TieBreak::Buchholz,
    TieBreak::Colley,
];

/// The results of a run so far.
#[derive(Clone)]
pub struct Standings {
    rules: Option<&'static dyn Rules>,
    names: Vec<String>,
    points: [f64; 3],
    /// By engine and opponent, `names.len()` to a row.
    encounters: Vec<Encounter>,
    /// The first finished game of pairs of which the second is missing: its players and the half points of the first.
    half_pairs: AHashMap<u64, ([usize; 2], usize)>,
    /// Without what engines have printed, which would fill memory.
    faults: Vec<FaultRecord>,
    /// A fault whose game is not recorded yet: until then it may be played again.
    pending_fault: Option<FaultRecord>,
    times: Vec<TimeUse>,
    swap: bool,
    trial: Option<Trial>,
    verdict_recorded: bool,
    rounds: Option<Rounds>,
    league: Option<League>,
    /// The run's limits, for engines that come later.
    limits: LimitsRecord,
    /// Recorded byes, by engine the games they count as.
    byes: Vec<u64>,
    byes_recorded: usize,
}

/// What happened between an engine and an opponent, from the engine's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Encounter {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Those of them that are in no complete pair.
    pub singles: [u64; 3],
    /// Complete pairs of games by points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl Encounter {
    /// Games played.
    pub fn played(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Points under a rule that gives `points` for a win, a draw and a loss.
    pub fn points(&self, points: [f64; 3]) -> f64 {
        let [lost, drawn, won] = self.games.map(|n| n as f64);
        won * points[0] + drawn * points[1] + lost * points[2]
    }

    /// The mean result of its games, 1 for a win and ½ for a draw; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let played = self.played();
        (played > 0).then(|| self.points([1.0, 0.5, 0.0]) / played as f64)
    }

    fn add(&mut self, other: &Encounter) {
        self.games.iter_mut().zip(other.games).for_each(|(sum, n)| *sum += n);
        self.singles.iter_mut().zip(other.singles).for_each(|(sum, n)| *sum += n);
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, n)| *sum += n);
    }
}

/// How an engine used its time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeUse {
    /// Its time per move in milliseconds, if it has that kind of limit.
    pub limit_ms: Option<u64>,
    /// The same for its first move of a game, if that differs.
    pub first_limit_ms: Option<u64>,
    /// Moves made.
    pub moves: u64,
    /// Milliseconds used for all of them.
    pub total_ms: f64,
    /// Milliseconds used for the slowest.
    pub max_ms: f64,
    /// Moves that took longer than the limit, late or within the margin.
    pub over: u64,
    /// Moves by time: within each of [`TimeUse::BOUNDS_MS`] but not the one before, then those beyond the last.
    pub histogram: [u64; 7],
}

impl TimeUse {
    /// The bounds of the histogram in milliseconds.
    pub const BOUNDS_MS: [f64; 6] = [0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0];
}

/// A line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Place, from 1.
    pub rank: usize,
    /// Index of the engine in the plan.
    pub engine: usize,
    /// All its games.
    pub total: Encounter,
    /// Points of all its games.
    pub points: f64,
    /// Points of the games among those of equal points.
    pub direct_encounter: f64,
    /// Sonneborn-Berger: each game's result (1, ½, 0 under every points rule) times the opponent's points.
    pub sonneborn_berger: f64,
    /// Buchholz: the sum of the opponents' points, once for each game.
    pub buchholz: f64,
    /// Strength against the field: from complete pairs if there are any, else from single games.
    pub summary: Option<Summary>,
    /// Games it lost by a fault.
    pub faults: u64,
}

impl Row {
    /// Share of draws among its games; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        let played = self.total.played();
        (played > 0).then(|| self.total.games[1] as f64 / played as f64)
    }
}

impl Standings {
    /// Standings of a run in which nothing was played yet.
    pub fn new(plan: &PlanRecord) -> Standings {
        let limit = |own: &LimitsRecord| TimeUse {
            limit_ms: own.movetime,
            first_limit_ms: own.first_movetime,
            ..TimeUse::default()
        };
        let limits = plan.engines.iter().map(|engine| engine.limits.as_ref().unwrap_or(&plan.limits));
        Standings {
            rules: registry::find(&plan.game),
            names: plan.engines.iter().map(|engine| engine.name.clone()).collect(),
            points: plan.points,
            encounters: vec![Encounter::default(); plan.engines.len().pow(2)],
            half_pairs: AHashMap::new(),
            faults: Vec::new(),
            pending_fault: None,
            times: limits.map(limit).collect(),
            swap: plan.swap,
            trial: Trial::new(plan),
            verdict_recorded: false,
            rounds: Rounds::new(plan),
            league: League::new(plan),
            limits: plan.limits.clone(),
            byes: vec![0; plan.engines.len()],
            byes_recorded: 0,
        }
    }

    /// Makes room for the engines of another journal, whose pairs are none of ours: several runs are no one test,
    /// no one tournament with rounds and no one league.
    pub fn merge_plan(&mut self, plan: &PlanRecord) {
        self.widen(plan);
        self.half_pairs.clear();
        self.limits = plan.limits.clone();
        self.trial = None;
        self.rounds = None;
        self.league = None;
    }

    /// Makes room for those engines of a plan that are not known yet.
    fn widen(&mut self, plan: &PlanRecord) {
        let mut wider = Standings::new(&PlanRecord {
            engines: plan.engines.iter().filter(|e| !self.names.contains(&e.name)).cloned().collect(),
            ..plan.clone()
        });
        let (old, added) = (self.names.len(), wider.names.len());
        let mut encounters = vec![Encounter::default(); (old + added).pow(2)];
        for a in 0..old {
            for b in 0..old {
                encounters[a * (old + added) + b] = self.encounters[a * old + b];
            }
        }
        self.encounters = encounters;
        self.names.append(&mut wider.names);
        self.times.append(&mut wider.times);
        self.byes.append(&mut wider.byes);
    }

    /// Takes a record into account; says which engine is unknown if one is.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        if let Some(league) = &mut self.league {
            league.add(record)?;
        }
        match record {
            Record::Game(game) => self.add_game(game),
            Record::Fault(fault) => {
                self.index(&fault.engine)?;
                let (stderr, last_lines) = (String::new(), Vec::new());
                self.pending_fault = Some(FaultRecord { stderr, last_lines, ..fault.clone() });
                Ok(())
            }
            Record::Verdict(verdict) => {
                self.verdict_recorded = true;
                if self.trial.as_ref().is_some_and(|trial| trial.verdict() != Some(verdict)) {
                    log::warn!(
                        "the recorded verdict, {}, is not the one that the games give",
                        verdict.accepted
                    );
                }
                Ok(())
            }
            Record::Bye(bye) => {
                let engine = self.index(&bye.engine)?;
                self.byes[engine] += bye.games;
                self.byes_recorded += 1;
                Ok(())
            }
            Record::Entrant(entrant) => {
                let (engines, limits) = (vec![entrant.engine.clone()], self.limits.clone());
                self.widen(&PlanRecord { engines, limits, ..PlanRecord::default() });
                Ok(())
            }
            Record::Plan(_) | Record::Left { .. } | Record::Period(_) | Record::Interrupted { .. } => Ok(()),
        }
    }

    fn add_game(&mut self, game: &GameRecord) -> Result<(), String> {
        let players = [self.index(&game.p1)?, self.index(&game.p2)?];
        self.faults.extend(self.pending_fault.take().filter(|fault| fault.ended(game)));
        let Some(half_points) = half_points(&game.result) else { return Ok(()) };
        if let Some(trial) = &mut self.trial {
            trial.add(game, half_points);
        }
        if let Some(rounds) = &mut self.rounds {
            rounds.add(players, half_points);
        }
        if let Some(league) = &mut self.league {
            league.add_game(game, half_points)?;
        }
        let others = [players[1], players[0]];
        self.encounter(players).games[half_points] += 1;
        self.encounter(others).games[2 - half_points] += 1;
        match self.half_pairs.remove(&game.pair) {
            Some((first, points)) if self.swap && first == others => {
                let pair = points + 2 - half_points;
                self.encounter(others).pairs[pair] += 1;
                self.encounter(players).pairs[4 - pair] += 1;
                self.encounter(others).singles[points] -= 1;
                self.encounter(players).singles[2 - points] -= 1;
            }
            _ => {
                self.half_pairs.insert(game.pair, (players, half_points));
                self.encounter(players).singles[half_points] += 1;
                self.encounter(others).singles[2 - half_points] += 1;
            }
        }
        self.add_times(game, players);
        Ok(())
    }

    fn add_times(&mut self, game: &GameRecord, players: [usize; 2]) {
        let Some(Ok(start)) = self.rules.map(|rules| rules.load(&game.fen)) else { return };
        let first = start.side_to_move().index();
        for (i, &ms) in game.times_ms.iter().enumerate() {
            let use_of = &mut self.times[players[(first + i) % 2]];
            use_of.moves += 1;
            use_of.total_ms += ms;
            use_of.max_ms = use_of.max_ms.max(ms);
            let limit = use_of.first_limit_ms.filter(|_| i < 2).or(use_of.limit_ms);
            use_of.over += u64::from(limit.is_some_and(|limit| ms > limit as f64));
            use_of.histogram[TimeUse::BOUNDS_MS.partition_point(|&bound| bound < ms)] += 1;
        }
    }

    fn index(&self, name: &str) -> Result<usize, String> {
        let found = self.names.iter().position(|known| known == name);
        found.ok_or_else(|| format!("engine {name:?} is not in the plan"))
    }

    fn encounter(&mut self, players: [usize; 2]) -> &mut Encounter {
        &mut self.encounters[players[0] * self.names.len() + players[1]]
    }

    /// The engines' names, in the order of the plan.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Points for a win, a draw and a loss.
    pub fn points_rule(&self) -> [f64; 3] {
        self.points
    }

    /// What happened between two engines, from the first one's side.
    pub fn between(&self, engine: usize, opponent: usize) -> &Encounter {
        &self.encounters[engine * self.names.len() + opponent]
    }

    /// The run's sequential test.
    pub fn trial(&self) -> Option<&Trial> {
        self.trial.as_ref()
    }

    /// The rounds of a Swiss tournament or a knockout.
    pub fn rounds(&self) -> Option<&Rounds> {
        self.rounds.as_ref()
    }

    /// The league, if it is one.
    pub fn league(&self) -> Option<&League> {
        self.league.as_ref()
    }

    /// By engine, won games that its byes count as.
    pub fn byes(&self) -> &[u64] {
        &self.byes
    }

    /// What the games so far have brought about and no record says yet: a bye, or the verdict of the test.
    pub fn due(&self) -> Option<Record> {
        let bye = self.rounds.as_ref().and_then(|rounds| rounds.byes().nth(self.byes_recorded));
        let verdict = self.trial.as_ref().and_then(Trial::verdict).filter(|_| !self.verdict_recorded);
        bye.map(Record::Bye).or_else(|| verdict.cloned().map(Record::Verdict))
    }

    /// All faults, in order, without what the engines have printed.
    pub fn faults(&self) -> &[FaultRecord] {
        &self.faults
    }

    /// How each engine used its time, in the order of the plan.
    pub fn times(&self) -> &[TimeUse] {
        &self.times
    }

    /// Number of finished games.
    pub fn games(&self) -> u64 {
        self.encounters.iter().map(Encounter::played).sum::<u64>() / 2
    }

    /// The table: by points, then by the points of the games among those tied, Sonneborn-Berger, wins, in Swiss
    /// tournaments Buchholz, Colley rating, and the order of the plan. Of a knockout, by the rounds survived and the
    /// order of the plan.
    pub fn rows(&self) -> Vec<Row> {
        let table = self.cross_table();
        let points = table.points(self.points);
        let sonneborn_berger = table.sonneborn_berger(&points);
        let buchholz = table.buchholz(&points, Cut::None);
        let direct_encounter = table.direct_encounter(&points, self.points);
        let ranking = match &self.rounds {
            None => table.ranking(self.points, &TIE_BREAKS),
            Some(rounds) => rounds.ranking().unwrap_or_else(|| table.ranking(self.points, &SWISS_TIE_BREAKS)),
        };
        let row = |(rank, engine): (usize, usize)| {
            let total = self.total(engine);
            Row {
                rank,
                engine,
                total,
                points: points[engine],
                direct_encounter: direct_encounter[engine],
                sonneborn_berger: sonneborn_berger[engine],
                buchholz: buchholz[engine],
                summary: summary(&total),
                faults: self.faults.iter().filter(|fault| fault.engine == self.names[engine]).count() as u64,
            }
        };
        (1..).zip(ranking).map(row).collect()
    }

    /// Ratings of all engines with mean 0, their errors from pairs where there are any; and how many virtual draws
    /// against the mean they were given to be finite. `None` before the first game.
    pub fn ratings(&self) -> Option<(Ratings, f64)> {
        let clusters = self.clusters();
        let players = self.names.len();
        let connected = components(players, &clusters).iter().all(|component| *component == 0);
        let fit = Fit {
            model: DrawModel::HalfWin,
            first_advantage: Some(0.0),
            anchor: Anchor::Mean(0.0),
            prior_draws: if connected { 0.0 } else { 1.0 },
            errors: Errors::Sandwich,
        };
        let ratings = Ratings::fit(players, &clusters, &fit).ok().filter(|_| !clusters.is_empty())?;
        Some((ratings, fit.prior_draws))
    }

    /// All games as the ratings take them. Who moved first is left out: in pairs it evens out.
    fn clusters(&self) -> Vec<Cluster> {
        const RESULTS: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];
        let mut clusters = Vec::new();
        for first in 0..self.names.len() {
            for second in 0..first {
                let Encounter { singles, pairs, .. } = self.between(first, second);
                let game = |half_points: usize| Game { first, second, result: RESULTS[half_points] };
                let of_pair = |points: usize| vec![game(points.min(2)), game(points - points.min(2))];
                clusters.extend((0..).zip(singles).map(|(i, n)| Cluster { games: vec![game(i)], count: *n }));
                clusters.extend((0..).zip(pairs).map(|(i, n)| Cluster { games: of_pair(i), count: *n }));
            }
        }
        clusters.retain(|cluster| cluster.count > 0);
        clusters
    }

    fn cross_table(&self) -> CrossTable {
        let mut table = CrossTable::new(self.names.len());
        for engine in 0..self.names.len() {
            for opponent in 0..engine {
                let [lost, drawn, won] = self.between(engine, opponent).games;
                table.add(engine, opponent, GameResult::Loss, lost);
                table.add(engine, opponent, GameResult::Draw, drawn);
                table.add(engine, opponent, GameResult::Win, won);
            }
            table.add_byes(engine, self.byes[engine]);
        }
        table
    }

    fn total(&self, engine: usize) -> Encounter {
        let mut total = Encounter::default();
        (0..self.names.len()).for_each(|opponent| total.add(self.between(engine, opponent)));
        total
    }
}

/// The statistics of an encounter.
pub fn summary(encounter: &Encounter) -> Option<Summary> {
    let pairs = Counts::Pairs(encounter.pairs).summary(Z95);
    pairs.or_else(|| Counts::Games(encounter.games).summary(Z95))
}

/// Half points of the first player; `None` for a game without a result.
fn half_points(result: &str) -> Option<usize> {
    match result {
        "p1win" => Some(2),
        "draw" => Some(1),
        "p2win" => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
