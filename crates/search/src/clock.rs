//! How long to think about a move.

use std::time::Duration;

use game::Limits;

/// Time for one move, counted from when the search was asked for. `None`: as long as it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// After this, begin no further iteration.
    pub soft: Option<Duration>,
    /// After this, stop. Never less than `soft`.
    pub hard: Option<Duration>,
}

/// Moves that a clock without `moves_to_go` is expected to last for.
const HORIZON: u32 = 24;
/// More moves than this are not planned for.
const MOST: u32 = 100;

/// The budget that `limits` give the side to move.
///
/// `plies_left` bounds the plies to the end of the game, and `overhead` is the time that passes between the search's
/// end and the clock's. The usable part of a time `t` is `t - overhead`, but at least `3/4 t`, so that a limit as
/// small as the overhead still leaves time to think.
///
/// * A time for this move: stop when its usable part is gone. All of it is used.
/// * A clock with `r` remaining, `i` increment and `n` own moves to last for (`moves_to_go`, without it 24; at most 100
///   and at most half of `plies_left`): a fair share is `usable(r) / n + 3/4 i`. Begin no iteration after 60 % of
///   it, as one takes longer than all before it together; stop after three shares. Neither exceeds 3/4 of
///   `usable(r)`, or with a single move to last for, all of it.
///
/// Where both are given, both hold.
pub fn budget<M>(limits: &Limits<M>, plies_left: u32, overhead: Duration) -> Budget {
    let usable = |time: Duration| time.saturating_sub(overhead).max(time / 4 * 3);
    let mut budget = Budget { soft: None, hard: limits.movetime.map(usable) };
    if let Some(clock) = limits.clock {
        let moves = clock.moves_to_go.unwrap_or(HORIZON).min(plies_left.div_ceil(2)).clamp(1, MOST);
        let usable = usable(clock.remaining);
        let share = (usable / moves).saturating_add(clock.increment / 4 * 3);
        let most = if moves == 1 { usable } else { usable / 4 * 3 };
        let hard = share.saturating_mul(3).min(most);
        let hard = budget.hard.map_or(hard, |movetime| movetime.min(hard));
        budget = Budget { soft: Some((share / 5).saturating_mul(3).min(hard)), hard: Some(hard) };
    }
    budget
}

#[cfg(test)]
mod tests {
    use game::Clock;

    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn movetime(time: u64) -> Budget {
        budget(&Limits::<()> { movetime: Some(ms(time)), ..Limits::default() }, 40, ms(10))
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>, plies_left: u32) -> Budget {
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        budget(&Limits::<()> { clock: Some(clock), ..Limits::default() }, plies_left, ms(10))
    }

    #[test]
    fn without_time_limits_there_is_no_budget() {
        assert_eq!(budget(&Limits::<()>::default(), 40, ms(10)), Budget::default());
    }

    #[test]
    fn a_move_time_is_used_up_but_for_the_overhead() {
        assert_eq!(movetime(200), Budget { soft: None, hard: Some(ms(190)) });
        assert_eq!(movetime(20).hard, Some(ms(15)));
        assert_eq!(movetime(0).hard, Some(ms(0)));
    }

    #[test]
    fn a_clock_is_shared_out() {
        assert_eq!(clock(24_010, 0, None, 1_000), Budget { soft: Some(ms(600)), hard: Some(ms(3_000)) });
        assert_eq!(clock(24_010, 400, None, 1_000), Budget { soft: Some(ms(780)), hard: Some(ms(3_900)) });
        assert_eq!(clock(1_010, 0, Some(1), 40), Budget { soft: Some(ms(600)), hard: Some(ms(1_000)) });
        assert_eq!(clock(1_010, 0, Some(2), 40), Budget { soft: Some(ms(300)), hard: Some(ms(750)) });
        assert_eq!(clock(1_010, 0, None, 1).hard, Some(ms(1_000)), "the last move of the game may take all");
    }

    #[test]
    fn the_tighter_of_both_limits_holds() {
        let limits = Limits::<()> {
            movetime: Some(ms(100)),
            clock: Some(Clock { remaining: ms(60_000), increment: ms(0), moves_to_go: None }),
            ..Limits::default()
        };
        assert_eq!(budget(&limits, 100, ms(10)), Budget { soft: Some(ms(90)), hard: Some(ms(90)) });
    }

    #[test]
    fn no_budget_exceeds_what_remains() {
        let values = [0, 1, 9, 10, 11, 20, 21, 100, 5_000, u64::MAX / 2_000_000];
        for remaining in values {
            for increment in values {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for plies_left in [0, 1, 2, 3, 500, u32::MAX] {
                        let Budget { soft, hard } = clock(remaining, increment, moves_to_go, plies_left);
                        assert!(soft <= hard && hard <= Some(ms(remaining)));
                        assert!(remaining < 40 || hard <= Some(ms(remaining - 10)));
                        assert!(remaining == 0 || hard > Some(Duration::ZERO));
                    }
                }
            }
        }
    }
}
