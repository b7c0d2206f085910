//! What an engine may use for a move.

use std::time::Duration;

use game::Side;
use protocol::Go;

use crate::config::{ClockControl, TimeControl};

/// An engine's limits in a game, its clock running down.
pub(crate) struct Clock<'a> {
    control: &'a TimeControl,
    /// Time left and, where the clock is replenished, the moves until then.
    left: Option<(ClockControl, Duration, Option<u32>)>,
    /// Whether its first move is made.
    moved: bool,
}

impl<'a> Clock<'a> {
    /// A clock at the start of a game.
    pub(crate) fn new(control: &'a TimeControl) -> Clock<'a> {
        Clock { control, left: control.clock.map(|clock| (clock, clock.base, clock.moves)), moved: false }
    }

    /// The limits it keeps.
    pub(crate) fn control(&self) -> &TimeControl {
        self.control
    }

    fn movetime(&self) -> Option<Duration> {
        self.control.first_movetime.filter(|_| !self.moved).or(self.control.movetime)
    }

    /// The time for the next move; `None` where only nodes or depth limit it.
    pub(crate) fn allowed(&self) -> Option<Duration> {
        let left = self.left.map(|(_, left, _)| left);
        [self.movetime(), left].into_iter().flatten().min()
    }

    /// Takes the time of a move off. What goes into the margin costs nothing beyond the clock's last millisecond.
    pub(crate) fn charge(&mut self, used: Duration) {
        self.moved = true;
        if let Some((clock, left, moves)) = &mut self.left {
            *left = left.saturating_sub(used) + clock.increment;
            if let Some(moves) = moves {
                *moves = moves.saturating_sub(1);
                if *moves == 0 {
                    *left += clock.base;
                    *moves = clock.moves.unwrap_or_default();
                }
            }
        }
    }
}

/// The `go` for the side to move.
pub(crate) fn go(clocks: &[Clock; 2], side: Side) -> Go {
    let [first, second] = clocks;
    let mover = if side == Side::First { first } else { second };
    let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let time = |clock: &Clock| clock.left.map(|(_, left, _)| ms(left));
    let increment = |clock: &Clock| clock.left.map(|(clock, ..)| ms(clock.increment)).filter(|ms| *ms > 0);
    let timed = mover.left.is_some();
    let limits = mover.control;
    Go {
        movetime: mover.movetime().map(ms),
        nodes: limits.nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX)),
        depth: limits.depth.map(i64::from),
        movestogo: mover.left.and_then(|(_, _, moves)| moves).map(i64::from),
        p1time: time(first).filter(|_| timed),
        p2time: time(second).filter(|_| timed),
        p1inc: increment(first).filter(|_| timed),
        p2inc: increment(second).filter(|_| timed),
        ..Go::default()
    }
}

#[cfg(test)]
mod tests {
    use protocol::Command;

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn line(clocks: &[Clock; 2], side: Side) -> String {
        Command::Go(go(clocks, side)).to_string()
    }

    #[test]
    fn a_clock_runs_down_and_is_replenished() {
        let clock = ClockControl { moves: Some(2), base: ms(1000), increment: ms(10) };
        let control = TimeControl { clock: Some(clock), ..TimeControl::default() };
        let mut clocks = [Clock::new(&control), Clock::new(&control)];
        assert_eq!(line(&clocks, Side::First), "go p1time 1000 p2time 1000 p1inc 10 p2inc 10 movestogo 2");
        clocks[1].charge(ms(600));
        assert_eq!(clocks[1].allowed(), Some(ms(410)));
        clocks[1].charge(ms(450));
        assert_eq!(clocks[1].allowed(), Some(ms(1010)), "over the limit within the margin, then replenished");
        assert_eq!(line(&clocks, Side::Second), "go p1time 1000 p2time 1010 p1inc 10 p2inc 10 movestogo 2");
    }

    #[test]
    fn limits_combine_and_the_tightest_time_counts() {
        let clock = ClockControl { moves: None, base: ms(50), increment: ms(0) };
        let odds = TimeControl {
            movetime: Some(ms(100)),
            nodes: Some(7),
            clock: Some(clock),
            ..TimeControl::default()
        };
        let plain = TimeControl { depth: Some(3), ..TimeControl::default() };
        let clocks = [Clock::new(&plain), Clock::new(&odds)];
        assert_eq!(line(&clocks, Side::First), "go depth 3");
        assert_eq!(clocks[0].allowed(), None);
        assert_eq!(line(&clocks, Side::Second), "go movetime 100 nodes 7 p2time 50");
        assert_eq!(clocks[1].allowed(), Some(ms(50)));
    }

    #[test]
    fn a_first_move_may_take_longer() {
        let first = Some(ms(1000));
        let control = TimeControl { movetime: Some(ms(50)), first_movetime: first, ..TimeControl::default() };
        let mut clocks = [Clock::new(&control), Clock::new(&control)];
        clocks[0].charge(ms(900));
        assert_eq!(line(&clocks, Side::First), "go movetime 50");
        assert_eq!(clocks[0].allowed(), Some(ms(50)));
        assert_eq!(line(&clocks, Side::Second), "go movetime 1000");
        assert_eq!(clocks[1].allowed(), first);
    }
}
