//! Which games of a schedule are finished.

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::record::Record;
use crate::sheet::UNFINISHED;

/// The finished games by index: a bit each where indices are dense. Its memory is bounded by the number of games, not
/// by the highest index, which comes from a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// By index / 64, a bit for each of so many games.
    words: BTreeMap<u64, u64>,
    count: u64,
}

impl Done {
    /// Takes the game of a record in, if it was finished and is one of the plan's.
    pub fn mark(&mut self, plan: &Plan, record: &Record) {
        if let Record::Game(game) = record
            && game.result != UNFINISHED
            && plan.schedule.owns(game.index)
        {
            self.insert(game.index);
        }
    }

    /// Takes a game in.
    pub fn insert(&mut self, index: u64) {
        let word = self.words.entry(index / 64).or_default();
        let bit = 1 << (index % 64);
        self.count += u64::from(*word & bit == 0);
        *word |= bit;
    }

    /// Whether a game is finished.
    pub fn contains(&self, index: u64) -> bool {
        self.words.get(&(index / 64)).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Number of finished games.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Extend<u64> for Done {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, indices: I) {
        indices.into_iter().for_each(|index| self.insert(index));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_once_wherever_they_are() {
        let indices = [0, 63, 64, 5, 63, u64::MAX, 1 << 40];
        let mut done = Done::default();
        done.extend(indices);
        assert_eq!(done.count(), 6);
        assert!(indices.iter().all(|&index| done.contains(index)));
        assert!([1, 62, 65, u64::MAX - 1, (1 << 40) + 1].iter().all(|&index| !done.contains(index)));
        assert_eq!(done.words.len(), 4, "memory follows the games");
    }
}
