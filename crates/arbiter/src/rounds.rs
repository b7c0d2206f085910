//! Rounds whose pairings depend on the results of those before.

use stats::{Entrant, Round, swiss_round};

use crate::record::{ByeRecord, PlanRecord};

/// The format of Swiss tournaments in a plan.
pub const SWISS: &str = "swiss";

/// The rounds of a Swiss tournament as far as their pairings are known. A function of the plan and of which games are
/// finished with which results, not of their order.
#[derive(Clone, Debug)]
pub struct Rounds {
    names: Vec<String>,
    points: [f64; 3],
    planned: u64,
    games_per_pair: u64,
    /// By engine: games lost, drawn and won.
    results: Vec<[u64; 3]>,
    finished: u64,
    known: Vec<Round>,
}

impl Rounds {
    /// The first round of a plan; `None` if its format has no rounds.
    pub fn new(plan: &PlanRecord) -> Option<Rounds> {
        let players = plan.engines.len();
        let mut rounds = Rounds {
            names: plan.engines.iter().map(|engine| engine.name.clone()).collect(),
            points: plan.points,
            planned: plan.pairs,
            games_per_pair: if plan.swap { 2 } else { 1 },
            results: vec![[0; 3]; players],
            finished: 0,
            known: Vec::new(),
        };
        (plan.format == SWISS && players > 1).then(|| {
            rounds.pair();
            rounds
        })
    }

    /// Takes a finished game into account, `half_points` being those of its first player.
    pub(crate) fn add(&mut self, players: [usize; 2], half_points: usize) {
        self.results[players[0]][half_points] += 1;
        self.results[players[1]][2 - half_points] += 1;
        self.finished += 1;
        self.pair();
    }

    /// Pairs the next round if all games of those before are finished.
    fn pair(&mut self) {
        let encounters: usize = self.known.iter().map(|round| round.pairs.len()).sum();
        let all_in = self.finished == encounters as u64 * self.games_per_pair;
        if all_in && (self.known.len() as u64) < self.planned {
            let entrants: Vec<Entrant> = (0..self.names.len()).map(|player| self.entrant(player)).collect();
            self.known.push(swiss_round(&entrants));
        }
    }

    fn entrant(&self, player: usize) -> Entrant {
        let [lost, drawn, won] = self.results[player];
        let byes = self.known.iter().filter(|round| round.bye == Some(player)).count() as u64;
        let won = won + byes * self.games_per_pair;
        let worth = [won, drawn, lost].into_iter().zip(self.points).map(|(n, points)| n as f64 * points);
        let pairs = self.known.iter().flat_map(|round| &round.pairs);
        let opponents = pairs.filter_map(|&[a, b]| match player {
            _ if player == a => Some(b),
            _ if player == b => Some(a),
            _ => None,
        });
        Entrant { score: worth.sum(), opponents: opponents.collect(), had_bye: byes > 0 }
    }

    /// The rounds that are paired, in order: all of whose predecessors every game is finished.
    pub fn known(&self) -> &[Round] {
        &self.known
    }

    /// The byes of those rounds, in order.
    pub fn byes(&self) -> impl Iterator<Item = ByeRecord> {
        let byes = (0..).zip(&self.known).filter_map(|(round, paired)| Some((round, paired.bye?)));
        byes.map(|(round, player)| ByeRecord {
            round,
            engine: self.names[player].clone(),
            games: self.games_per_pair,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::EngineRecord;

    fn rounds(names: &[&str], planned: u64, swap: bool) -> Rounds {
        let engine = |name: &&str| EngineRecord { name: (*name).into(), ..EngineRecord::default() };
        let engines = names.iter().map(engine).collect();
        let (format, points) = (SWISS.into(), [1.0, 0.5, 0.0]);
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
        let mut rounds = rounds(&["a", "b", "c", "d"], 3, true);
        let mut other = rounds.clone();
        for number in 1..=3 {
            assert_eq!(rounds.known().len(), number);
            let games = games(&rounds.known()[number - 1]);
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
        let pairs: Vec<_> = rounds.known().iter().map(|round| round.pairs.clone()).collect();
        assert_eq!(pairs, [[[0, 2], [1, 3]], [[0, 1], [2, 3]], [[0, 3], [1, 2]]]);
        assert_eq!(rounds.byes().count(), 0);
    }

    #[test]
    fn a_bye_is_as_good_as_a_win_and_nobody_has_two() {
        for swap in [true, false] {
            let mut rounds = rounds(&["a", "b", "c"], 3, swap);
            for number in 0..3 {
                for (players, half_points) in games(&rounds.known()[number].clone()) {
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

    #[test]
    fn other_formats_have_no_rounds() {
        assert!(Rounds::new(&PlanRecord::default()).is_none());
    }
}
