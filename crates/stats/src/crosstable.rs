use std::cmp::Ordering;

use crate::GameResult;
use crate::linear::{inverse, times};

/// Who had which results against whom: points, tie-breaks (FIDE Handbook C.07) and their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossTable {
    /// By player and opponent: lost, drawn and won games.
    games: Vec<Vec<[u64; 3]>>,
    /// Games won by having no opponent.
    byes: Vec<u64>,
}

/// What decides between players of equal points. The higher is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// Points of the games among those with equal points.
    DirectEncounter,
    /// See [`CrossTable::sonneborn_berger`].
    SonnebornBerger,
    /// Games won.
    Wins,
    /// See [`CrossTable::buchholz`]; for Swiss tournaments only, elsewhere it is the same for all or unfair.
    Buchholz,
    /// See [`CrossTable::colley`].
    Colley,
}

/// Which opponents a Buchholz score leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// None.
    None,
    /// The one with the lowest points.
    Lowest,
    /// That one and the one with the highest points.
    Median,
}

impl CrossTable {
    /// A table without games.
    pub fn new(players: usize) -> CrossTable {
        CrossTable { games: vec![vec![[0; 3]; players]; players], byes: vec![0; players] }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.byes.len()
    }

    /// Adds `count` games between two of the players, counted from 0, with a result for the first.
    pub fn add(&mut self, player: usize, opponent: usize, result: GameResult, count: u64) {
        self.games[player][opponent][result as usize] += count;
        self.games[opponent][player][2 - result as usize] += count;
    }

    /// Adds games that a player won by having no opponent.
    pub fn add_byes(&mut self, player: usize, count: u64) {
        self.byes[player] += count;
    }

    /// Each player's points under a rule of `[win, draw, loss]`.
    pub fn points(&self, rule: [f64; 3]) -> Vec<f64> {
        let points = |(row, byes): (&Vec<[u64; 3]>, &u64)| {
            row.iter().map(|games| worth(*games, rule)).sum::<f64>() + *byes as f64 * rule[0]
        };
        self.games.iter().zip(&self.byes).map(points).collect()
    }

    /// Each player's points of the games among those whose `points` equal its own.
    pub fn direct_encounter(&self, points: &[f64], rule: [f64; 3]) -> Vec<f64> {
        let own = |player: usize| {
            let tied = (0..self.players()).filter(|&other| points[other].total_cmp(&points[player]).is_eq());
            tied.map(|other| worth(self.games[player][other], rule)).sum()
        };
        (0..self.players()).map(own).collect()
    }

    /// Each player's Sonneborn-Berger score: over its games, the result (1, ½, 0 under every rule of points) times the
    /// opponent's `points`. For a bye the opponent is a dummy with the player's own points.
    pub fn sonneborn_berger(&self, points: &[f64]) -> Vec<f64> {
        let score = |player: usize| {
            let games = self.games[player].iter().zip(points);
            let played: f64 = games.map(|(games, points)| worth(*games, [1.0, 0.5, 0.0]) * points).sum();
            played + self.byes[player] as f64 * points[player]
        };
        (0..self.players()).map(score).collect()
    }

    /// Each player's Buchholz score: the sum of the opponents' `points`, an opponent counted for each game. For a bye
    /// the opponent is a dummy with the player's own points.
    pub fn buchholz(&self, points: &[f64], cut: Cut) -> Vec<f64> {
        let score = |player: usize| {
            let games = self.games[player].iter().map(|games| games.iter().sum::<u64>()).zip(points);
            let met = games.chain([(self.byes[player], &points[player])]).filter(|(count, _)| *count > 0);
            let sum: f64 = met.clone().map(|(count, points)| count as f64 * points).sum();
            let number: u64 = met.clone().map(|(count, _)| count).sum();
            let by_points = |a: &(u64, &f64), b: &(u64, &f64)| a.1.total_cmp(b.1);
            let lowest = met.clone().min_by(by_points).map_or(0.0, |(_, points)| *points);
            let highest = met.max_by(by_points).map_or(0.0, |(_, points)| *points);
            match (cut, number) {
                (Cut::None, _) => sum,
                (Cut::Lowest, _) | (Cut::Median, 1) => sum - lowest,
                (Cut::Median, _) => sum - lowest - highest,
            }
        };
        (0..self.players()).map(score).collect()
    }

    /// Each player's games won.
    pub fn wins(&self) -> Vec<u64> {
        self.games.iter().map(|row| row.iter().map(|games| games[2]).sum()).collect()
    }

    /// Each player's rating in (0, 1), mean ½, by wins and losses and the opponents' ratings (Colley, "Colley's bias
    /// free college football ranking method").
    pub fn colley(&self) -> Vec<f64> {
        let n = self.players();
        let mut matrix = vec![vec![0.0; n]; n];
        let mut right = vec![1.0; n];
        for (player, row) in self.games.iter().enumerate() {
            matrix[player][player] = 2.0;
            for (opponent, games) in row.iter().enumerate() {
                let played = games.iter().sum::<u64>() as f64;
                matrix[player][player] += played;
                matrix[player][opponent] -= played;
                right[player] += (games[2] as f64 - games[0] as f64) / 2.0;
            }
        }
        inverse(matrix).map_or_else(|| vec![0.5; n], |inverse| times(&inverse, &right))
    }

    /// The players, best first: by points under the rule, then by the tie-breaks in their order, then by number.
    pub fn ranking(&self, rule: [f64; 3], tie_breaks: &[TieBreak]) -> Vec<usize> {
        let points = self.points(rule);
        let column = |tie_break: &TieBreak| match tie_break {
            TieBreak::DirectEncounter => self.direct_encounter(&points, rule),
            TieBreak::SonnebornBerger => self.sonneborn_berger(&points),
            TieBreak::Wins => self.wins().into_iter().map(|n| n as f64).collect(),
            TieBreak::Buchholz => self.buchholz(&points, Cut::None),
            // Solved with rounding errors, which must not decide.
            TieBreak::Colley => self.colley().into_iter().map(|r| (r * 1e9).round()).collect(),
        };
        let columns: Vec<Vec<f64>> = tie_breaks.iter().map(column).collect();
        let mut order: Vec<usize> = (0..self.players()).collect();
        order.sort_by(|&a, &b| {
            let mut orders = [&points].into_iter().chain(&columns).map(|c| c[b].total_cmp(&c[a]));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        order
    }
}

/// What lost, drawn and won games are worth under a rule of `[win, draw, loss]`.
fn worth([lost, drawn, won]: [u64; 3], rule: [f64; 3]) -> f64 {
    won as f64 * rule[0] + drawn as f64 * rule[1] + lost as f64 * rule[2]
}
