use std::cmp::Ordering;
use std::time::Duration;

use game::{Agent, Control, Game, Limits, OptionSpec, Options, Record, Side};

use super::{Budget, LIMIT, Stopped, after, candidates, check, limit, number, result};
use crate::board::{Cells, Move};
use crate::position::Position;

/// Option: what the report's authors programmed, instead of what they wrote.
const AS_CODED: &str = "AsCoded";

pub(super) const OPTIONS: &[OptionSpec] = &[check(AS_CODED, false), limit(1_950)];

/// Looks ahead three plies for what ends the game, and plays the first safe move, hence one near its own cell.
///
/// As written, a move is safest if no reply wins and none forces it to lose with its next move; as coded, the latter
/// doesn't count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Greedy {
    as_coded: bool,
    time: Duration,
}

impl Greedy {
    pub(super) fn new(options: &Options) -> Greedy {
        Greedy {
            as_coded: options.flag(AS_CODED).unwrap_or(false),
            time: Duration::from_millis(number(options, OPTIONS, LIMIT)),
        }
    }

    /// The move to play in an unfinished position, of `moves` in the order of [`candidates`].
    pub(super) fn choose<B: Cells>(
        self,
        position: &Position<B>,
        moves: &[Move],
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let mut choice = Choice {
            side: position.side_to_move(),
            as_coded: self.as_coded,
            budget: Budget::new(limits, control, self.time),
            panic: moves.first().copied(),
            safe: None,
            tied: None,
            risky: None,
            lost: None,
        };
        match choice.look(position, moves) {
            Ok(best) => best,
            Err(Stopped) if self.as_coded => choice.panic,
            Err(Stopped) => choice.best(),
        }
    }
}

impl<B: Cells> Agent<Position<B>> for Greedy {
    fn name(&self) -> String {
        let reading = if self.as_coded { "-as-coded" } else { "" };
        format!("Greedy{reading}-L{}", self.time.as_millis())
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        *self = Greedy::new(options);
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        self.choose(position, &candidates(position, limits), limits, control)
    }
}

/// The first move of each class seen so far.
struct Choice<'a> {
    side: Side,
    as_coded: bool,
    budget: Budget<'a>,
    /// What to play when time is up as coded: the last safe move, or to stay and close the first free side.
    panic: Option<Move>,
    /// No reply wins.
    safe: Option<Move>,
    tied: Option<Move>,
    /// A reply wins.
    risky: Option<Move>,
    /// The move with the smallest deficit of those that lose at once.
    lost: Option<(u32, Move)>,
}

impl Choice<'_> {
    fn best(&self) -> Option<Move> {
        self.safe.or(self.tied).or(self.risky).or(self.lost.map(|(_, m)| m)).or(self.panic)
    }

    fn look<B: Cells>(&mut self, position: &Position<B>, moves: &[Move]) -> Result<Option<Move>, Stopped> {
        let mut open = Vec::new();
        for &m in moves {
            self.budget.enter()?;
            let next = after(position, m);
            match result(&next, self.side) {
                Some(Ordering::Greater) => return Ok(Some(m)),
                Some(Ordering::Equal) => _ = self.tied.get_or_insert(m),
                Some(Ordering::Less) => {
                    let deficit = next.area(self.side.other()) - next.area(self.side);
                    if self.lost.is_none_or(|(least, _)| deficit < least) {
                        self.lost = Some((deficit, m));
                    }
                }
                None => open.push((m, next)),
            }
        }
        for (m, next) in open {
            if self.has_win(&next)? {
                self.risky.get_or_insert(m);
                continue;
            }
            self.safe.get_or_insert(m);
            self.panic = Some(m);
            if !self.as_coded && !self.can_be_trapped(&next)? {
                return Ok(Some(m));
            }
        }
        Ok(self.best())
    }

    /// Whether the side to move can win at once.
    fn has_win<B: Cells>(&mut self, position: &Position<B>) -> Result<bool, Stopped> {
        for m in position.legal_moves() {
            self.budget.enter()?;
            if result(&after(position, m), position.side_to_move()) == Some(Ordering::Greater) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move has a move after which every answer loses at once.
    fn can_be_trapped<B: Cells>(&mut self, position: &Position<B>) -> Result<bool, Stopped> {
        for m in position.legal_moves() {
            self.budget.enter()?;
            let next = after(position, m);
            if next.outcome().is_none() && self.is_trapped(&next)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether all moves lose at once.
    fn is_trapped<B: Cells>(&mut self, position: &Position<B>) -> Result<bool, Stopped> {
        for m in position.legal_moves() {
            self.budget.enter()?;
            if result(&after(position, m), position.side_to_move()) != Some(Ordering::Less) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
