use game::{Agent, Control, Draws, Game, Limits, Options, Record};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::candidates;
use crate::board::{Cells, Direction, Move, neighbour, row_col};
use crate::position::Position;

/// How to draw a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Policy {
    /// By a walk, as the course's simulator does.
    Walk,
    /// Each legal move as likely as the others.
    Uniform,
}

/// Draws its moves.
pub(super) struct Random {
    policy: Policy,
    draws: Draws,
}

impl Random {
    pub(super) fn new(policy: Policy, options: &Options) -> Random {
        Random { policy, draws: Draws::new(options) }
    }
}

impl<B: Cells> Agent<Position<B>> for Random {
    fn name(&self) -> String {
        match self.policy {
            Policy::Walk => "RandomWalk".into(),
            Policy::Uniform => "Random".into(),
        }
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.draws.configure(options);
        Ok(())
    }

    fn new_game(&mut self) {
        self.draws.restart();
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        _control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        match self.policy {
            Policy::Walk => wanted_walk(position, limits, &mut self.draws.rng),
            Policy::Uniform => self.draws.pick(&candidates(position, limits)),
        }
    }
}

/// A move by [`walk`] that `limits` leaves to choose from.
pub(super) fn wanted_walk<B: Cells>(
    position: &Position<B>,
    limits: &Limits<Move>,
    rng: &mut Pcg64,
) -> Option<Move> {
    const TRIES: u32 = 1_000;
    (0..TRIES)
        .map(|_| walk(position, rng))
        .find(|m| limits.allows(m))
        .or_else(|| candidates(position, limits).first().copied())
}

/// The random move of the course's simulator, for an unfinished position: a number of steps from 0 to the longest walk,
/// each to any neighbour that can be entered, back and forth too; then any free side.
pub(super) fn walk<B: Cells>(position: &Position<B>, rng: &mut Pcg64) -> Move {
    let side = position.side_to_move();
    let (mut cell, foe) = (position.agent_cell(side), position.agent_cell(side.other()));
    for _ in 0..rng.random_range(0..=position.steps()) {
        let ways = Choice::of(|d| position.board().is_open(cell, d) && neighbour::<B>(cell, d) != foe);
        // Only at the first step is there none: later one can always step back.
        let Some(direction) = ways.draw(rng) else { break };
        cell = neighbour::<B>(cell, direction);
    }
    let (row, col) = row_col::<B>(cell);
    let free = Choice::of(|side| position.board().is_open(cell, side));
    let wall = free.draw(rng).expect("a cell that was entered, or can be left, has a free side");
    Move { row: row as u8, col: col as u8, wall }
}

/// Some of the four directions.
struct Choice {
    list: [Direction; 4],
    count: u32,
}

impl Choice {
    fn of(mut allows: impl FnMut(Direction) -> bool) -> Choice {
        let mut choice = Choice { list: Direction::ALL, count: 0 };
        for direction in Direction::ALL {
            if allows(direction) {
                choice.list[choice.count as usize] = direction;
                choice.count += 1;
            }
        }
        choice
    }

    fn draw(&self, rng: &mut Pcg64) -> Option<Direction> {
        if self.count == 0 { None } else { Some(self.list[rng.random_range(0..self.count) as usize]) }
    }
}
