use std::fmt::Write;

use game::{BoardStyle, FenError, Game, MoveError, Notation, Side};

use crate::board::{Cells, Direction, Move, cell};
use crate::default_steps;
use crate::diagram::{Diagram, cell_name, split_cell};
use crate::position::Position;

/// The letters of the sides of a cell, in the order of [`Direction::ALL`].
const SIDES: [char; 4] = ['u', 'r', 'd', 'l'];

impl<B: Cells> Notation for Position<B> {
    fn from_fen(text: &str) -> Result<Self, FenError> {
        let diagram: Diagram = text.parse()?;
        if diagram.size > B::MAX_SIZE {
            return Err(FenError::new(1, format!("expected at most {} rows", B::MAX_SIZE)));
        }
        Ok(Position::new(&diagram))
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        for row in 0..self.size() {
            let mut plain = 0;
            for col in 0..self.size() {
                let walled = |side, last: u32| last + 1 < self.size() && !self.is_free(row, col, side);
                let letter = match (walled(Direction::Right, col), walled(Direction::Down, row)) {
                    (false, false) => {
                        plain += 1;
                        continue;
                    }
                    (true, false) => 'r',
                    (false, true) => 'd',
                    (true, true) => 'b',
                };
                push_run(&mut text, &mut plain);
                text.push(letter);
            }
            push_run(&mut text, &mut plain);
            text.push(if row + 1 == self.size() { ' ' } else { '/' });
        }
        let [a, b] = Side::BOTH.map(|side| self.cell_of(side)).map(|(row, col)| cell_name(row, col));
        let _ = write!(text, "{a} {b} {}", ["a", "b"][self.side_to_move().index()]);
        if self.steps() != default_steps(self.size()) {
            let _ = write!(text, " {}", self.steps());
        }
        text
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let (row, col, wall) = read_move(text).ok_or_else(|| MoveError::Malformed(text.into()))?;
        if self.outcome().is_some() {
            return Err(MoveError::GameOver);
        }
        let here = cell_name(row, col);
        let illegal = |why: String| Err(MoveError::Illegal(why));
        if row.max(col) >= self.size() {
            let corner = cell_name(self.size() - 1, self.size() - 1);
            return illegal(format!("the board ends at {corner}"));
        }
        if !self.reach(self.side_to_move()).test(cell::<B>(row, col)) {
            return illegal(format!("{here} can't be reached in {} steps", self.steps()));
        }
        if !self.is_free(row, col, wall) {
            return illegal(format!("side {} of {here} is not free", SIDES[wall.index()]));
        }
        Ok(Move { row: row as u8, col: col as u8, wall })
    }

    fn move_text(&self, m: Move) -> String {
        cell_name(m.row.into(), m.col.into()) + SIDES[m.wall.index()].encode_utf8(&mut [0; 4])
    }

    fn board(&self, last: Option<Move>, style: BoardStyle) -> Vec<String> {
        self.draw(last, style)
    }
}

fn push_run(text: &mut String, plain: &mut u32) {
    if *plain > 0 {
        let _ = write!(text, "{plain}");
        *plain = 0;
    }
}

/// Reads a move of the grammar, in any letter case: the row and the column of the cell, and the side.
fn read_move(text: &str) -> Option<(u32, u32, Direction)> {
    let text = text.to_ascii_lowercase();
    let ((row, col), side) = split_cell(&text)?;
    let mut letters = side.chars();
    let wall = letters.next().and_then(|letter| SIDES.iter().position(|&s| s == letter))?;
    letters.next().is_none().then_some((row, col, Direction::ALL[wall]))
}
