//! How long to think about a move.

use std::mem;
use std::time::Duration;

use game::{Limits, Report, Score};

game::weights! {
    /// The constants of the clock. Percents are those of a fair share of it, where nothing else is said.
    pub struct Pace {
        /// Moves that a clock without `moves_to_go` is expected to last for.
        moves "ClockMoves" = 24 in 8..=100;
        /// More moves than this are not planned for.
        longest "ClockLongest" = 100 in 20..=1000;
        /// After so many percent, begin no further iteration where the best move is the same as ever.
        soft "ClockSoft" = 50 in 10..=300;
        /// Percents more where the best move has just changed; less an iteration later, and so on.
        unsettled "ClockUnsettled" = 40 in 0..=200;
        /// What a change counts an iteration later, in percent.
        fade "ClockFade" = 50 in 0..=100;
        /// Percents more where the value has fallen by a hundred hundredths in two plies; in proportion where by less or more.
        fall "ClockFall" = 40 in 0..=200;
        /// Hundredths beyond which a fall counts no more.
        deepest "ClockDeepest" = 100 in 1..=1000;
        /// After so many percent, stop.
        hard "ClockHard" = 300 in 100..=1000;
        /// Percents of an increment that count for the move that earns it.
        increment "ClockIncrement" = 75 in 0..=100;
        /// Percents of what is left of a clock that one of several moves may take.
        most "ClockMost" = 75 in 1..=100;
        /// Percents of any time that may be used, however much the overhead is.
        least "ClockLeast" = 75 in 0..=100;
    }
}

/// Time for one move, counted from when the search was asked for. `None`: as long as it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// A fair share of the clock; [`Course::enough`] says how much of it to begin iterations in.
    pub share: Option<Duration>,
    /// After this, stop.
    pub hard: Option<Duration>,
}

/// The budget that `limits` give the side to move.
///
/// `plies_left` bounds the plies to the end of the game, and `overhead` is the time that passes between the search's
/// end and the clock's. The usable part of a time `t` is `t - overhead`, but at least [`Pace::least`] of it, so that a
/// limit as small as the overhead still leaves time to think.
///
/// * A time for this move: stop when its usable part is gone. All of it is used.
/// * A clock with `r` remaining, `i` increment and `n` own moves to last for (`moves_to_go`, without it
///   [`Pace::moves`]; at most [`Pace::longest`] and at most half of `plies_left`): a fair share is `usable(r) / n` and
///   [`Pace::increment`] of `i`. Stop after [`Pace::hard`] of it, or when [`Pace::most`] of `usable(r)` is gone, or with a
///   single move to last for, all of it.
///
/// Where both are given, both hold.
pub fn budget<M>(limits: &Limits<M>, plies_left: u32, overhead: Duration, pace: &Pace) -> Budget {
    let usable = |time: Duration| time.saturating_sub(overhead).max(percent(time, pace.least));
    let mut budget = Budget { share: None, hard: limits.movetime.map(usable) };
    if let Some(clock) = limits.clock {
        let moves = clock.moves_to_go.unwrap_or(pace.moves as u32);
        let moves = moves.min(plies_left.div_ceil(2)).clamp(1, pace.longest as u32);
        let usable = usable(clock.remaining);
        let share = (usable / moves).saturating_add(percent(clock.increment, pace.increment));
        let most = if moves == 1 { usable } else { percent(usable, pace.most) };
        let hard = percent(share, pace.hard).min(most);
        let hard = budget.hard.map_or(hard, |movetime| movetime.min(hard));
        budget = Budget { share: Some(share), hard: Some(hard) };
    }
    budget
}

fn percent(time: Duration, percent: i32) -> Duration {
    (time / 100).saturating_mul(percent.unsigned_abs())
}

/// How steadily a search has gone so far: the less, the more of its share it may take.
pub struct Course<M> {
    /// What it would have played after its last iteration.
    best: Option<M>,
    /// How often it has changed its mind, each time counting [less](Pace::fade) an iteration later; in hundredths.
    changes: i32,
    /// The last estimates of even and of odd depth, which swing with who moves last.
    values: [Option<i32>; 2],
    /// By how much the last estimate was worse than that of two plies before, in hundredths of the game's unit.
    fall: i32,
}

impl<M> Default for Course<M> {
    fn default() -> Course<M> {
        Course { best: None, changes: 0, values: [None; 2], fall: 0 }
    }
}

impl<M: Copy + PartialEq> Course<M> {
    /// Takes in what an iteration has found.
    pub fn follow(&mut self, report: &Report<'_, M>, pace: &Pace) {
        let best = report.pv.first().copied();
        let is_new = self.best.is_some() && self.best != best;
        self.best = best;
        self.changes = self.changes * pace.fade / 100 + if is_new { 100 } else { 0 };
        let value = if let Score::Cp(value) = report.score { Some(value) } else { None };
        let before = mem::replace(&mut self.values[report.depth as usize % 2], value);
        self.fall =
            before.zip(value).map_or(0, |(before, now)| before.saturating_sub(now).clamp(0, pace.deepest));
    }

    /// The time after which no further iteration should begin, as one takes longer than all before it together.
    pub fn enough(&self, share: Duration, pace: &Pace) -> Duration {
        percent(share, pace.soft + (pace.unsettled * self.changes + pace.fall * self.fall) / 100)
    }
}

#[cfg(test)]
mod tests {
    use game::Clock;

    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn movetime(time: u64) -> Budget {
        let limits = Limits::<()> { movetime: Some(ms(time)), ..Limits::default() };
        budget(&limits, 40, ms(10), &Pace::default())
    }

    #[test]
    fn shares_are_those_of_the_pace() {
        let pace = Pace { increment: 50, most: 10, least: 0, ..Pace::default() };
        let clock = Clock { remaining: ms(24_010), increment: ms(400), moves_to_go: None };
        let limits = Limits::<()> { clock: Some(clock), ..Limits::default() };
        let expected = Budget { share: Some(ms(1_200)), hard: Some(ms(2_400)) };
        assert_eq!(budget(&limits, 1_000, ms(10), &pace), expected);
        let limits = Limits::<()> { movetime: Some(ms(5)), ..Limits::default() };
        assert_eq!(budget(&limits, 1_000, ms(10), &pace).hard, Some(ms(0)));
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>, plies_left: u32) -> Budget {
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        let limits = Limits::<()> { clock: Some(clock), ..Limits::default() };
        budget(&limits, plies_left, ms(10), &Pace::default())
    }

    #[test]
    fn without_time_limits_there_is_no_budget() {
        assert_eq!(budget(&Limits::<()>::default(), 40, ms(10), &Pace::default()), Budget::default());
    }

    #[test]
    fn a_move_time_is_used_up_but_for_the_overhead() {
        assert_eq!(movetime(200), Budget { share: None, hard: Some(ms(190)) });
        assert_eq!(movetime(20).hard, Some(ms(15)));
        assert_eq!(movetime(0).hard, Some(ms(0)));
    }

    #[test]
    fn a_clock_is_shared_out() {
        assert_eq!(clock(24_010, 0, None, 1_000), Budget { share: Some(ms(1_000)), hard: Some(ms(3_000)) });
        assert_eq!(clock(24_010, 400, None, 1_000), Budget { share: Some(ms(1_300)), hard: Some(ms(3_900)) });
        assert_eq!(clock(1_010, 0, Some(1), 40), Budget { share: Some(ms(1_000)), hard: Some(ms(1_000)) });
        assert_eq!(clock(1_010, 0, Some(2), 40), Budget { share: Some(ms(500)), hard: Some(ms(750)) });
        assert_eq!(clock(1_010, 0, None, 1).hard, Some(ms(1_000)), "the last move of the game may take all");
    }

    #[test]
    fn the_tighter_of_both_limits_holds() {
        let limits = Limits::<()> {
            movetime: Some(ms(100)),
            clock: Some(Clock { remaining: ms(60_010), increment: ms(0), moves_to_go: None }),
            ..Limits::default()
        };
        assert_eq!(budget(&limits, 100, ms(10), &Pace::default()).hard, Some(ms(90)));
        let limits = Limits { movetime: Some(ms(10_000)), ..limits };
        assert_eq!(budget(&limits, 100, ms(10), &Pace::default()).hard, Some(ms(7_500)));
    }

    #[test]
    fn no_budget_exceeds_what_remains() {
        let values = [0, 1, 9, 10, 11, 20, 21, 100, 5_000, u64::MAX / 2_000_000];
        for remaining in values {
            for increment in values {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for plies_left in [0, 1, 2, 3, 500, u32::MAX] {
                        let Budget { hard, .. } = clock(remaining, increment, moves_to_go, plies_left);
                        assert!(hard <= Some(ms(remaining)));
                        assert!(remaining < 40 || hard <= Some(ms(remaining - 10)));
                        assert!(remaining == 0 || hard > Some(Duration::ZERO));
                    }
                }
            }
        }
    }

    /// Percent of its share in which a search begins iterations after these, each with its best move and estimate.
    fn enough(iterations: &[(u8, i32)]) -> u128 {
        let pace = Pace { soft: 50, unsettled: 40, fall: 30, ..Pace::default() };
        let mut course = Course::default();
        for (depth, &(best, value)) in (1..).zip(iterations) {
            let (score, pv) = (Score::Cp(value), &[best][..]);
            let report =
                Report { depth, seldepth: depth, nodes: 0, score, multipv: None, hashfull: None, pv };
            course.follow(&report, &pace);
        }
        course.enough(ms(100), &pace).as_millis()
    }

    #[test]
    fn a_search_that_is_not_settled_takes_longer() {
        assert_eq!(enough(&[]), 50);
        assert_eq!(enough(&[(1, 0), (1, 0), (1, 0)]), 50);
        assert_eq!(enough(&[(1, 0), (2, 0)]), 90);
        assert_eq!(enough(&[(1, 0), (2, 0), (2, 0)]), 70);
        assert_eq!(enough(&[(1, 0), (2, 0), (3, 0)]), 110);
    }

    #[test]
    fn a_value_that_falls_takes_longer() {
        assert_eq!(enough(&[(1, 30), (1, -70)]), 50, "depths of other parity are not compared");
        assert_eq!(enough(&[(1, 30), (1, 0), (1, -20)]), 65);
        assert_eq!(enough(&[(1, 30), (1, 0), (1, -2000)]), 80);
        assert_eq!(enough(&[(1, 30), (1, 0), (1, 60)]), 50);
        assert_eq!(enough(&[(1, 30), (1, 0), (1, -20), (1, 0)]), 50);
    }
}
