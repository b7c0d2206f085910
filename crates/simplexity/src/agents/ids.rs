use std::time::Duration;

use bits::Bits;
use game::{Agent, Control, Game, Limits, Options, Record};

use super::alpha_beta::{Best, Heuristic, Search, Ties};
use super::budget::Budget;
use super::centre::Centre;
use super::lookahead::depth;
use super::table::{Keys, Table};
use super::windows::Windows;
use super::{candidates, deepest};
use crate::piece::{Move, Shape};
use crate::position::Position;

/// Option: what it looks at, by the program's numbers.
pub(super) const HEURISTIC: &str = "Heuristic";
/// Every window that can become a line.
pub(super) const WINDOWS: &str = "1";
/// The framework's liking for the centre.
pub(super) const CENTRE: &str = "3";

/// The column of its first move.
const FIRST_COLUMN: u8 = 3;

/// How long before the end of its time it stops.
const RESERVE: Duration = Duration::from_millis(20);

/// IDS (D. Battaglia; its source is public): alpha-beta with iterative deepening over a table that it keeps for the game.
/// Its first move goes into the fourth column if that is empty.
///
/// A new iteration begins without a best move, so one that is cut short can replace a good move by the first it looked
/// at. If all moves lose from the first iteration on, or none was searched, it plays the last one.
pub(super) struct Ids<B: Bits> {
    depth: u32,
    /// The option's value.
    name: &'static str,
    heuristic: Box<dyn Heuristic<B>>,
    table: Table,
    /// Whether it has moved in this game.
    moved: bool,
}

impl<B: Bits> Ids<B> {
    pub(super) fn new(options: &Options) -> Ids<B> {
        let (name, heuristic): (_, Box<dyn Heuristic<B>>) = match options.text(HEURISTIC) {
            Some(CENTRE) => (CENTRE, Box::new(Centre::default())),
            _ => (WINDOWS, Box::new(Windows::default())),
        };
        Ids { depth: depth(options), name, heuristic, table: Table::new(Keys::Zobrist), moved: false }
    }
}

impl<B: Bits> Agent<Position<B>> for Ids<B> {
    fn name(&self) -> String {
        format!("IDSD{}H{}", self.depth, self.name)
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        if options.text(HEURISTIC) == Some(self.name) {
            self.depth = depth(options);
        } else {
            *self = Ids { moved: self.moved, ..Ids::new(options) };
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.moved = false;
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let moves = candidates(position, limits);
        let opening = Move { column: FIRST_COLUMN, shape: Shape::of(position.side_to_move()) };
        let first = !std::mem::replace(&mut self.moved, true);
        if first && moves.contains(&opening) && position.height(FIRST_COLUMN.into()) == 0 {
            return Some(opening);
        }
        self.heuristic.fit(position.frame());
        let end = limits.movetime.map(|time| time.saturating_sub(RESERVE));
        let mut search = Search {
            heuristic: &*self.heuristic,
            budget: Budget::new(limits, control, end),
            prune: true,
            table: Some(&mut self.table),
        };
        let mut chosen = None;
        for depth in 1..=deepest(position, limits, self.depth) {
            let mut best = Best::new(Ties::First);
            let window = (f32::NEG_INFINITY, f32::INFINITY);
            let finished = search.root(position, &moves, depth, window, &mut best);
            chosen = best.m.or(chosen);
            if finished.is_err() {
                break;
            }
            let value = best.value * search.heuristic.scale();
            if search.budget.report::<B>(depth, value, chosen).is_break() {
                break;
            }
        }
        chosen.or(moves.last().copied())
    }
}
