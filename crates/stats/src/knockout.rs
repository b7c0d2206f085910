use crate::swiss::Round;

/// The next round of a knockout among those who are still in, `places` naming who holds which place of the bracket, the
/// best first: at the start the players in the order of seeding, afterwards those with a bye and then the winners of the
/// pairs, in the order of the round before. Of a bracket for a power of two, the first place meets the last, the second
/// the last but one and so on; whoever would meet an empty place has a bye. A winner takes the better place of the two,
/// so the first two seeds can meet in the final only.
pub fn knockout_round(places: &[usize]) -> Round {
    let byes = places.len().next_power_of_two() - places.len();
    let (byes, paired) = places.split_at(byes.min(places.len()));
    let (upper, lower) = paired.split_at(paired.len() / 2);
    let pairs = upper.iter().zip(lower.iter().rev()).map(|(&one, &other)| [one, other]);
    Round { pairs: pairs.collect(), byes: byes.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_round_is_the_one_of_the_usual_brackets() {
        for (players, byes, pairs) in [
            (2, 0, &[[0, 1]][..]),
            (3, 1, &[[1, 2]]),
            (4, 0, &[[0, 3], [1, 2]]),
            (5, 3, &[[3, 4]]),
            (6, 2, &[[2, 5], [3, 4]]),
            (7, 1, &[[1, 6], [2, 5], [3, 4]]),
            (8, 0, &[[0, 7], [1, 6], [2, 5], [3, 4]]),
            (9, 7, &[[7, 8]]),
        ] {
            let round = knockout_round(&(0..players).collect::<Vec<_>>());
            assert_eq!(round, Round { pairs: pairs.to_vec(), byes: (0..byes).collect() }, "{players}");
        }
    }

    #[test]
    fn the_better_seeds_meet_as_late_as_can_be() {
        for players in 2..=64_usize {
            let mut places: Vec<usize> = (0..players).collect();
            while places.len() > 1 {
                let round = knockout_round(&places);
                assert_eq!(2 * round.pairs.len() + round.byes.len(), places.len());
                let left = places.len().next_power_of_two() / 2;
                // Where the better one always wins, exactly the better half is left.
                places = round.byes.into_iter().chain(round.pairs.iter().map(|pair| pair[0])).collect();
                assert_eq!(places, (0..left).collect::<Vec<_>>(), "{players}");
            }
        }
    }

    #[test]
    fn winners_take_the_better_place() {
        // Of eight, the last beats the first and the third the sixth: 7 meets 3, and 1 meets 2.
        assert_eq!(knockout_round(&[7, 1, 2, 3]).pairs, [[7, 3], [1, 2]]);
        assert_eq!(knockout_round(&[3, 1]).pairs, [[3, 1]]);
        assert_eq!(knockout_round(&[5]), Round { pairs: vec![], byes: vec![] });
    }
}
