use bits::Bits;
use game::{Agent, Control, Game, Limits, Options, Record, Side};

use super::alpha_beta::{Heuristic, Ties, after, result};
use super::budget::{Budget, Stopped};
use super::candidates;
use super::centre::Centre;
use super::lookahead::{Manner, depth, look_ahead};
use crate::piece::{Move, Shape};
use crate::position::Position;

/// Option: whether to make the original's mistakes.
pub(super) const FAITHFUL: &str = "Faithful";

/// As meant: plain minimax whose tasks, a column each, are compared from the left.
const REPAIRED: Manner = Manner { prune: false, ties: Ties::FirstColumn };

/// Where the original puts the result of each of its tasks. Slot 1 is forgotten, and tasks 4 and 5 share one; which of
/// them came last was a matter of chance, here it is the later one.
const SLOTS: [usize; TASKS] = [0, 2, 3, 4, 5, 5, 6];
const TASKS: usize = 7;

/// What the forgotten slot holds, at a value of 0.
const PHANTOM: Move = Move { column: 0, shape: Shape::Round };

/// DIABISMAI (E. Diab, 2021), the program of a report that describes it as SimpAI: the framework's minimax, its columns
/// shared out among seven tasks. It came tenth of ten and eighth of ten in its competitions.
///
/// As published it puts the results of the tasks into wrong places, takes the largest of them for the opponent too, and
/// shares out all columns only of boards whose width is a multiple of seven. So it plays a move that it never looked at
/// when all others are below 0, and forfeits if that is not legal.
#[derive(Default)]
pub(super) struct SimpAi {
    depth: u32,
    faithful: bool,
    centre: Centre,
}

impl SimpAi {
    pub(super) fn new(options: &Options) -> SimpAi {
        let mut agent = SimpAi::default();
        agent.set(options);
        agent
    }

    fn set(&mut self, options: &Options) {
        self.depth = depth(options);
        self.faithful = options.flag(FAITHFUL).unwrap_or(false);
    }
}

impl<B: Bits> Agent<Position<B>> for SimpAi {
    fn name(&self) -> String {
        format!("DIABISMAID{}{}", self.depth, if self.faithful { "" } else { "-repaired" })
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.set(options);
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
        if !self.faithful {
            return look_ahead(position, limits, control, self.depth, REPAIRED, &mut self.centre);
        }
        Heuristic::<B>::fit(&mut self.centre, position.frame());
        let depth = limits.depth.map_or(self.depth, |most| self.depth.min(most));
        let moves = candidates(position, limits);
        let mut original = Original {
            centre: &self.centre,
            viewer: position.side_to_move(),
            budget: Budget::new(limits, control, None),
        };
        let Slot { m, value } = original.best(position, &moves, depth).ok()?;
        let m = m.filter(|m| moves.contains(m));
        let _ = original.budget.report::<B>(depth, 100.0 * value, m);
        m
    }
}

/// The search as published. Values are for the viewer, the side to move at the root.
struct Original<'a> {
    centre: &'a Centre,
    viewer: Side,
    budget: Budget<'a>,
}

/// The result of a task.
#[derive(Clone, Copy)]
struct Slot {
    m: Option<Move>,
    value: f32,
}

impl Original<'_> {
    /// The slot with the largest value, the first among equals, whoever is to move.
    fn best<B: Bits>(&mut self, position: &Position<B>, moves: &[Move], depth: u32) -> Result<Slot, Stopped> {
        self.budget.enter()?;
        let step = position.cols() as usize / TASKS;
        let mut slots = [Slot { m: Some(PHANTOM), value: 0.0 }; TASKS];
        for (task, slot) in SLOTS.into_iter().enumerate() {
            let columns = task * step..(task + 1) * step;
            let own = moves.iter().filter(|m| columns.contains(&m.column.into()));
            slots[slot] = self.task(position, own, depth)?;
        }
        Ok(slots
            .into_iter()
            .reduce(|best, slot| if slot.value > best.value { slot } else { best })
            .unwrap_or(slots[0]))
    }

    /// The framework's minimax over some of the moves. Without any, the value is the one it begins with.
    fn task<'m, B: Bits>(
        &mut self,
        position: &Position<B>,
        moves: impl Iterator<Item = &'m Move>,
        depth: u32,
    ) -> Result<Slot, Stopped> {
        let maximise = position.side_to_move() == self.viewer;
        let mut best = Slot { m: None, value: if maximise { f32::NEG_INFINITY } else { f32::INFINITY } };
        for &m in moves {
            let value = self.value(&after(position, m), depth - 1)?;
            if if maximise { value >= best.value } else { value <= best.value } {
                best = Slot { m: Some(m), value };
            }
        }
        Ok(best)
    }

    fn value<B: Bits>(&mut self, position: &Position<B>, depth: u32) -> Result<f32, Stopped> {
        if position.outcome().is_some() {
            self.budget.enter()?;
            Ok(result(position, self.viewer))
        } else if depth == 0 {
            self.budget.enter()?;
            let value = self.centre.value(position);
            Ok(if position.side_to_move() == self.viewer { value } else { -value })
        } else {
            Ok(self.best(position, &position.legal_moves(), depth)?.value)
        }
    }
}
