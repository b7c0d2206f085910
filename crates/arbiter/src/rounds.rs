//! Rounds whose pairings depend on the results of those before.

use std::collections::BTreeMap;

use stats::{Entrant, Round, knockout_round, swiss_round};

use crate::record::{ByeRecord, PlanRecord};

/// The format of Swiss tournaments in a plan.
pub const SWISS: &str = "swiss";

/// The format of knockouts in a plan.
pub const KNOCKOUT: &str = "knockout";

/// Further pairs of games after a level match of a knockout, at most.
pub const EXTRA_PAIRS: u64 = 5;

/// Encounters that are paired at the same time: those of a round, or of a knockout's matches that are level after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Number of the round, from 0.
    pub number: u64,
    /// Who meets whom.
    pub round: Round,
    /// Pairs of games that each two play.
    pub cycles: u64,
}

impl Stage {
    /// Number of pairs of games.
    pub fn pairs(&self) -> u64 {
        self.cycles.saturating_mul(self.round.pairs.len() as u64)
    }
}

/// A match of a knockout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// Number of the round, from 0.
    pub number: u64,
    /// Whether the winner has won the knockout.
    pub is_final: bool,
    /// Who plays it.
    pub players: [usize; 2],
    /// Further pairs of games so far, since it was level.
    pub extra_pairs: u64,
    /// Who goes on, once the round is over.
    pub winner: Option<usize>,
}

/// The rounds of a tournament as far as their pairings are known. A function of the plan and of which games are
/// finished with which results, not of their order.
#[derive(Clone, Debug)]
pub struct Rounds {
    names: Vec<String>,
    points: [f64; 3],
    /// The plan's number of pairs.
    planned: u64,
    games_per_pair: u64,
    system: System,
    finished: u64,
    known: Vec<Stage>,
    over: bool,
}

/// How rounds are paired, and what is to be known of the games for that.
#[derive(Clone, Debug)]
enum System {
    /// Those of like score. By engine, games lost, drawn and won.
    Swiss(Vec<[u64; 3]>),
    /// Those who have won. By players of a match, the half points by which the one of the lower number leads.
    Knockout(BTreeMap<[usize; 2], i64>),
}

impl Rounds {
    /// The first round of a plan; `None` if its format has no rounds.
    pub fn new(plan: &PlanRecord) -> Option<Rounds> {
        let players = plan.engines.len();
        let system = match plan.format.as_str() {
            SWISS => System::Swiss(vec![[0; 3]; players]),
            KNOCKOUT => System::Knockout(BTreeMap::new()),
            _ => return None,
        };
        let mut rounds = Rounds {
            names: plan.engines.iter().map(|engine| engine.name.clone()).collect(),
            points: plan.points,
            planned: plan.pairs,
            games_per_pair: if plan.swap { 2 } else { 1 },
            system,
            finished: 0,
            known: Vec::new(),
            over: false,
        };
        (players > 1).then(|| {
            rounds.pair();
            rounds
        })
    }

    /// Takes a finished game into account, `half_points` being those of its first player.
    pub(crate) fn add(&mut self, players: [usize; 2], half_points: usize) {
        match &mut self.system {
            System::Swiss(results) => {
                results[players[0]][half_points] += 1;
                results[players[1]][2 - half_points] += 1;
            }
            System::Knockout(leads) => {
                let ahead = 2 * half_points as i64 - 2;
                let [one, other] = players;
                *leads.entry([one.min(other), one.max(other)]).or_default() +=
                    if one < other { ahead } else { -ahead };
            }
        }
        self.finished += 1;
        self.pair();
    }

    /// Pairs the next stage if all games of those before are finished.
    fn pair(&mut self) {
        let pairs = self.known.iter().map(Stage::pairs).fold(0, u64::saturating_add);
        if self.over || self.finished != pairs.saturating_mul(self.games_per_pair) {
            return;
        }
        let next = match &self.system {
            System::Swiss(results) => self.next_of_swiss(results),
            System::Knockout(_) => self.next_of_knockout(),
        };
        self.over = next.is_none();
        self.known.extend(next);
    }

    fn next_of_swiss(&self, results: &[[u64; 3]]) -> Option<Stage> {
        let number = self.known.len() as u64;
        (number < self.planned).then(|| {
            let entrants = (0..).zip(results).map(|(player, results)| self.entrant(player, results));
            Stage { number, round: swiss_round(&entrants.collect::<Vec<_>>()), cycles: 1 }
        })
    }

    fn entrant(&self, player: usize, &[lost, drawn, won]: &[u64; 3]) -> Entrant {
        let byes = self.known.iter().filter(|stage| stage.round.byes.contains(&player)).count() as u64;
        let won = won + byes * self.games_per_pair;
        let worth = [won, drawn, lost].into_iter().zip(self.points).map(|(n, points)| n as f64 * points);
        let pairs = self.known.iter().flat_map(|stage| &stage.round.pairs);
        let opponents = pairs.filter_map(|&[a, b]| match player {
            _ if player == a => Some(b),
            _ if player == b => Some(a),
            _ => None,
        });
        Entrant { score: worth.sum(), opponents: opponents.collect(), had_bye: byes > 0 }
    }

    fn next_of_knockout(&self) -> Option<Stage> {
        let Some(last) = self.known.last() else {
            let places: Vec<usize> = (0..self.names.len()).collect();
            return Some(Stage { number: 0, round: knockout_round(&places), cycles: self.planned });
        };
        let is_level = |pair: &&[usize; 2]| self.lead(**pair) == 0;
        let level: Vec<[usize; 2]> = last.round.pairs.iter().filter(is_level).copied().collect();
        let number = last.number;
        let (main, extra) = self.round(number)?;
        if !level.is_empty() && (extra.len() as u64) < EXTRA_PAIRS {
            return Some(Stage { number, round: Round { pairs: level, byes: Vec::new() }, cycles: 1 });
        }
        let winners = main.round.pairs.iter().map(|&pair| self.winner(pair));
        let places: Vec<usize> = main.round.byes.iter().copied().chain(winners).collect();
        let next = || Stage { number: number + 1, round: knockout_round(&places), cycles: self.planned };
        (places.len() > 1).then(next)
    }

    /// The stages of a round: itself, and what was played further after level matches.
    fn round(&self, number: u64) -> Option<(&Stage, &[Stage])> {
        let of = |stage: &&Stage| stage.number < number;
        let begin = self.known.iter().take_while(of).count();
        let stages = self.known[begin..].split(|stage| stage.number > number).next()?;
        stages.split_first()
    }

    /// The half points by which the first of two leads in their match of a knockout.
    fn lead(&self, [one, other]: [usize; 2]) -> i64 {
        let System::Knockout(leads) = &self.system else { return 0 };
        let lead = leads.get(&[one.min(other), one.max(other)]).copied().unwrap_or_default();
        if one < other { lead } else { -lead }
    }

    /// Who is ahead in a match of a knockout, and of two who are level the better seed.
    fn winner(&self, [one, other]: [usize; 2]) -> usize {
        match self.lead([one, other]) {
            0 => one.min(other),
            lead if lead > 0 => one,
            _ => other,
        }
    }

    /// What is paired, in order: all of whose predecessors every game is finished.
    pub fn known(&self) -> &[Stage] {
        &self.known
    }

    /// Whether all games are finished and no more will come.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The byes of the rounds that are paired, in order. In a Swiss tournament they count as won games.
    pub fn byes(&self) -> impl Iterator<Item = ByeRecord> {
        let games = match self.system {
            System::Swiss(_) => self.games_per_pair,
            System::Knockout(_) => 0,
        };
        let byes =
            self.known.iter().flat_map(|stage| stage.round.byes.iter().map(|bye| (stage.number, *bye)));
        byes.map(move |(round, player)| ByeRecord { round, engine: self.names[player].clone(), games })
    }

    /// The matches of a knockout, in order; `None` for another format.
    pub fn matches(&self) -> Option<Vec<Match>> {
        if matches!(self.system, System::Swiss(_)) {
            return None;
        }
        let current = self.known.last().map(|stage| stage.number);
        let rounds = (0..).map_while(|number| self.round(number));
        let matches = rounds.flat_map(|(main, extra)| {
            let is_over = self.over || Some(main.number) != current;
            main.round.pairs.iter().map(move |&players| Match {
                number: main.number,
                is_final: main.round.pairs.len() == 1 && main.round.byes.is_empty(),
                players,
                extra_pairs: extra.iter().filter(|stage| stage.round.pairs.contains(&players)).count() as u64,
                winner: is_over.then(|| self.winner(players)),
            })
        });
        Some(matches.collect())
    }

    /// The engines of a knockout by the rounds they survived, then in the order of seeding; `None` for another format.
    pub fn ranking(&self) -> Option<Vec<usize>> {
        let matches = self.matches()?;
        let mut survived = vec![0; self.names.len()];
        for stage in &self.known {
            stage
                .round
                .pairs
                .iter()
                .flatten()
                .chain(&stage.round.byes)
                .for_each(|&player| survived[player] = stage.number);
        }
        for champion in matches.iter().filter(|m| m.is_final).filter_map(|m| m.winner) {
            survived[champion] += 1;
        }
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|&player| std::cmp::Reverse(survived[player]));
        Some(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::EngineRecord;

    fn rounds(format: &str, names: &[&str], planned: u64, swap: bool) -> Rounds {
        let engine = |name: &&str| EngineRecord { name: (*name).into(), ..EngineRecord::default() };
        let engines = names.iter().map(engine).collect();
        let (format, points) = (format.into(), [1.0, 0.5, 0.0]);
        Rounds::new(&PlanRecord { engines, pairs: planned, swap, format, points, ..PlanRecord::default() })
            .unwrap()
    }

    /// The results of a round in which the engine of the lower number wins.
    fn games(round: &Round) -> Vec<([usize; 2], usize)> {
        let results = |&[a, b]: &[usize; 2]| {
            let won = if a < b { 2 } else { 0 };
            [([a, b], won), ([b, a], 2 - won)]
        };
        round.pairs.iter().flat_map(results).collect()
    }

    #[test]
    fn a_round_is_paired_when_all_games_before_are_in_whatever_their_order() {
        let mut rounds = rounds(SWISS, &["a", "b", "c", "d"], 3, true);
        let mut other = rounds.clone();
        for number in 1..=3 {
            assert_eq!(rounds.known().len(), number);
            let games = games(&rounds.known()[number - 1].round);
            for (i, (players, half_points)) in games.iter().enumerate() {
                rounds.add(*players, *half_points);
                let (players, half_points) = games[games.len() - 1 - i];
                other.add(players, half_points);
                let more = usize::from(i + 1 == games.len() && number < 3);
                assert_eq!(rounds.known().len(), number + more);
            }
            assert_eq!(rounds.known(), other.known());
        }
        // By hand: 0-2 and 1-3; the winners and the losers; who is left.
        let pairs: Vec<_> = rounds.known().iter().map(|stage| stage.round.pairs.clone()).collect();
        assert_eq!(pairs, [[[0, 2], [1, 3]], [[0, 1], [2, 3]], [[0, 3], [1, 2]]]);
        assert_eq!(rounds.byes().count(), 0);
    }

    #[test]
    fn a_bye_is_as_good_as_a_win_and_nobody_has_two() {
        for swap in [true, false] {
            let mut rounds = rounds(SWISS, &["a", "b", "c"], 3, swap);
            for number in 0..3 {
                for (players, half_points) in games(&rounds.known()[number].round) {
                    if swap || players[0] < players[1] {
                        rounds.add(players, half_points);
                    }
                }
            }
            let byes: Vec<_> = rounds.byes().map(|bye| (bye.round, bye.engine, bye.games)).collect();
            let games = if swap { 2 } else { 1 };
            // c has none but its bye, b has lost to a; then b has its bye before a, who leads.
            assert_eq!(byes, [(0, "c".into(), games), (1, "b".into(), games), (2, "a".into(), games)]);
        }
    }

    const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

    /// Plays the last stage that is paired: in each encounter the first game of each pair of games is won by who
    /// `winner` says, the second one drawn; without a winner all are drawn.
    fn play(rounds: &mut Rounds, winner: impl Fn([usize; 2]) -> Option<usize>) {
        let Stage { round, cycles, .. } = rounds.known().last().unwrap().clone();
        for _ in 0..cycles {
            for &[a, b] in &round.pairs {
                let half_points = winner([a, b]).map_or(1, |w| if w == a { 2 } else { 0 });
                rounds.add([a, b], half_points);
                rounds.add([b, a], 1);
            }
        }
    }

    #[test]
    fn the_better_seeds_reach_the_final_where_they_always_win() {
        for players in 2..=9_usize {
            let mut rounds = rounds(KNOCKOUT, &NAMES[..players], 2, true);
            let mut last = None;
            while !rounds.is_over() {
                last = rounds.known().last().cloned();
                play(&mut rounds, |[a, b]| Some(a.min(b)));
            }
            assert_eq!(last.unwrap().round.pairs, [[0, 1]], "{players}");
            assert_eq!(rounds.known().len() as u32, players.next_power_of_two().ilog2());
            let byes: Vec<_> = rounds.byes().map(|bye| (bye.round, bye.engine, bye.games)).collect();
            let expected =
                NAMES[..players.next_power_of_two() - players].iter().map(|name| (0, (*name).into(), 0));
            assert_eq!(byes, expected.collect::<Vec<(u64, String, u64)>>());
            assert_eq!(rounds.matches().unwrap().len(), players - 1, "all but one are knocked out");
            assert_eq!(rounds.ranking().unwrap(), (0..players).collect::<Vec<_>>());
        }
    }

    #[test]
    fn winners_go_on_whoever_they_are() {
        let mut rounds = rounds(KNOCKOUT, &NAMES[..6], 1, true);
        // By hand: byes for 0 and 1; 2-5 and 3-4; then 0-4 and 1-5; the weaker seed wins every match but the last.
        play(&mut rounds, |[a, b]| Some(a.max(b)));
        assert_eq!(rounds.known()[1].round.pairs, [[0, 4], [1, 5]]);
        assert_eq!(rounds.ranking().unwrap(), [0, 1, 4, 5, 2, 3]);
        play(&mut rounds, |[a, b]| Some(a.max(b)));
        assert_eq!(rounds.known()[2].round.pairs, [[4, 5]]);
        assert!(!rounds.is_over() && rounds.matches().unwrap()[4].winner.is_none());
        play(&mut rounds, |_| Some(4));
        assert!(rounds.is_over());
        assert_eq!(rounds.ranking().unwrap(), [4, 5, 0, 1, 2, 3]);
        let matches = rounds.matches().unwrap();
        let expected = [([2, 5], 5), ([3, 4], 4), ([0, 4], 4), ([1, 5], 5), ([4, 5], 4)];
        assert_eq!(matches.iter().map(|m| (m.players, m.winner.unwrap())).collect::<Vec<_>>(), expected);
        assert_eq!(
            matches.iter().map(|m| m.is_final).collect::<Vec<_>>(),
            [false, false, false, false, true]
        );
    }

    #[test]
    fn level_matches_play_further_pairs_and_then_the_better_seed_goes_on() {
        let mut rounds = rounds(KNOCKOUT, &NAMES[..4], 3, true);
        // 0-3 is level, 1-2 is not; of the further pairs the second is decided.
        play(&mut rounds, |pair| (pair == [1, 2]).then_some(2));
        let extra = Stage { number: 0, round: Round { pairs: vec![[0, 3]], byes: vec![] }, cycles: 1 };
        assert_eq!((rounds.known().len(), &rounds.known()[1]), (2, &extra));
        play(&mut rounds, |_| None);
        assert_eq!(rounds.known()[1..], [extra.clone(), extra]);
        play(&mut rounds, |_| Some(3));
        let matches = rounds.matches().unwrap();
        assert_eq!((matches[0].extra_pairs, matches[0].winner), (2, Some(3)));
        assert_eq!((matches[1].extra_pairs, matches[1].winner), (0, Some(2)));
        assert_eq!((matches[2].players, matches[2].is_final), ([3, 2], true));
        for extra in 0..=EXTRA_PAIRS {
            assert!(!rounds.is_over());
            assert_eq!(rounds.matches().unwrap()[2].extra_pairs, extra);
            play(&mut rounds, |_| None);
        }
        assert!(rounds.is_over());
        assert_eq!(rounds.matches().unwrap()[2].winner, Some(2), "the better seed");
        assert_eq!(rounds.ranking().unwrap(), [2, 3, 0, 1]);
    }

    #[test]
    fn a_plan_too_big_to_be_played_can_be_looked_at() {
        let mut rounds = rounds(KNOCKOUT, &NAMES[..8], u64::MAX, true);
        rounds.add([0, 7], 2);
        assert_eq!((rounds.known().len(), rounds.ranking().unwrap()[0]), (1, 0));
    }

    #[test]
    fn other_formats_have_no_rounds() {
        assert!(Rounds::new(&PlanRecord::default()).is_none());
    }
}
