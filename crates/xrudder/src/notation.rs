use std::fmt::Write;

use game::{BoardStyle, FenError, Game, MoveError, Notation, Side, column_heads};

use crate::WORDS;
use crate::diagram::Diagram;
use crate::geometry::{Cells, Direction};
use crate::position::{Move, Position};

/// The letters of the sides.
const LETTERS: [char; 2] = ['x', 'o'];
/// Tokens for people, by side.
const SYMBOLS: [char; 2] = ['✕', '○'];

impl<B: Cells> Notation for Position<B> {
    fn from_fen(text: &str) -> Result<Self, FenError> {
        let diagram: Diagram = text.parse()?;
        if diagram.rows * diagram.cols > B::WIDTH {
            return Err(FenError::new(1, format!("expected a board of at most {} cells", B::WIDTH)));
        }
        Ok(Position::new(&diagram))
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        for row in (0..self.rows()).rev() {
            let mut empty = 0;
            for col in 0..self.cols() {
                if let Some(side) = self.token(row, col) {
                    push_run(&mut text, &mut empty);
                    text.push(LETTERS[side.index()]);
                } else {
                    empty += 1;
                }
            }
            push_run(&mut text, &mut empty);
            text.push(if row == 0 { ' ' } else { '/' });
        }
        let side = LETTERS[self.side_to_move().index()];
        let [x, o] = Side::BOTH.map(|side| self.hand(side));
        let _ = write!(text, "{side} {x} {o} {}", self.moves_left());
        text
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let words = read_move(text).ok_or_else(|| MoveError::Malformed(text.into()))?;
        if self.outcome().is_some() {
            return Err(MoveError::GameOver);
        }
        self.understand(&words).and_then(|m| self.check(m)).map_err(MoveError::Illegal)
    }

    fn move_text(&self, m: Move) -> String {
        match m {
            Move::Place(cell) => self.cell_name(cell),
            Move::Step { from, .. } => {
                let to = self.destination(m).map(|to| self.cell_name(to));
                self.cell_name(from) + &to.unwrap_or_default()
            }
            Move::Pass => "pass".into(),
        }
    }

    fn board(&self, last: Option<Move>, style: BoardStyle) -> Vec<String> {
        let left = last.and_then(|m| if let Move::Step { from, .. } = m { Some(from) } else { None });
        let marks = (last.and_then(|m| self.destination(m)), left);
        let mut lines: Vec<String> =
            (0..self.rows()).rev().map(|row| self.board_row(row, marks, style)).collect();
        let letters: Vec<String> = (0..self.cols()).map(|col| column_letter(col).into()).collect();
        lines.extend(column_heads(&letters, 3, if style.compact { 2 } else { 3 }));
        lines.push(String::new());
        for side in Side::BOTH {
            let turn = if side == self.side_to_move() && self.outcome().is_none() { "  to move" } else { "" };
            lines.push(format!("{}  {} in hand{turn}", symbol(side, style), self.hand(side)));
        }
        lines.push(match self.outcome() {
            None if self.moves_left() == 1 => "1 token move left".into(),
            None => format!("{} token moves left", self.moves_left()),
            Some(outcome) => WORDS.verdict(outcome),
        });
        lines
    }
}

impl<B: Cells> Position<B> {
    /// One row of the drawing; `marks` are the cells the last move led to and came from.
    fn board_row(&self, row: u32, marks: (Option<u16>, Option<u16>), style: BoardStyle) -> String {
        let cells = (0..self.cols()).map(|col| {
            let cell = match self.token(row, col) {
                Some(side) => symbol(side, style),
                None if style.ascii => ".".into(),
                None => "·".into(),
            };
            let here = Some((row * self.cols() + col) as u16);
            let marks = match marks {
                (to, _) if to == here => Some(['[', ']']),
                (_, from) if from == here => Some(['(', ')']),
                _ => None,
            };
            (cell, marks)
        });
        format!("{:>2} {}", row + 1, style.row(cells)).trim_end().to_owned()
    }

    fn cell_name(&self, cell: u16) -> String {
        let (row, col) = (u32::from(cell) / self.cols(), u32::from(cell) % self.cols());
        format!("{}{}", column_letter(col), row + 1)
    }

    /// The move that a text of the grammar means on this board.
    fn understand(&self, words: &Words) -> Result<Move, String> {
        let cell = |&(letter, digits): &(char, &str)| {
            let col = u32::from(letter) - u32::from('a');
            match digits.parse::<u32>() {
                Ok(number) if number <= self.rows() && col < self.cols() => Ok((number - 1, col)),
                _ => {
                    let (right, top) = (column_letter(self.cols() - 1), self.rows());
                    Err(format!("the board ends at column {right} and row {top}"))
                }
            }
        };
        let index = |(row, col): (u32, u32)| (row * self.cols() + col) as u16;
        match words {
            Words::Pass => Ok(Move::Pass),
            Words::Place(at) => Ok(Move::Place(index(cell(at)?))),
            Words::Step(from, to) => {
                let (from, to) = (cell(from)?, cell(to)?);
                let delta = (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32);
                let direction = Direction::ALL.into_iter().find(|direction| direction.delta() == delta);
                let direction = direction.ok_or("a token moves to a neighbouring cell")?;
                Ok(Move::Step { from: index(from), direction })
            }
        }
    }

    /// A move as it is, if it is legal here; else why not.
    fn check(&self, m: Move) -> Result<Move, String> {
        let mover = LETTERS[self.side_to_move().index()];
        if self.is_legal(m) {
            return Ok(m);
        }
        Err(match m {
            Move::Pass => format!("{mover} has an action, so may not pass"),
            Move::Place(_) if self.hand(self.side_to_move()) == 0 => format!("{mover} has no token in hand"),
            Move::Step { .. } if self.moves_left() == 0 => "no token moves are left".into(),
            Move::Step { from, .. } if !self.tokens(self.side_to_move()).test(from.into()) => {
                format!("{mover} has no token on {}", self.cell_name(from))
            }
            _ => match self.destination(m) {
                Some(to) => format!("{} is occupied", self.cell_name(to)),
                None => "off the board".into(),
            },
        })
    }
}

/// The letter of a column, below 26.
fn column_letter(col: u32) -> char {
    char::from(b'a' + col as u8)
}

fn push_run(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}

/// One token for people, one column wide.
fn symbol(side: Side, style: BoardStyle) -> String {
    let symbol = if style.ascii { LETTERS } else { SYMBOLS }[side.index()];
    let code = ["1;36", "1;33"][side.index()];
    style.paint(code, symbol.encode_utf8(&mut [0; 4]))
}

/// A move as written: each cell its column's letter in lower case and the digits of its row.
enum Words<'a> {
    Pass,
    Place((char, &'a str)),
    Step((char, &'a str), (char, &'a str)),
}

/// Splits a move of the grammar `([a-z][1-9][0-9]*){1,2}|pass`, in any letter case.
fn read_move(text: &str) -> Option<Words<'_>> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Words::Pass);
    }
    let (first, rest) = read_cell(text)?;
    if rest.is_empty() {
        return Some(Words::Place(first));
    }
    let (second, rest) = read_cell(rest)?;
    rest.is_empty().then_some(Words::Step(first, second))
}

/// Splits off the cell that a text begins with.
fn read_cell(text: &str) -> Option<((char, &str), &str)> {
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let rest = &text[1..];
    let (digits, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let number = !digits.is_empty() && !digits.starts_with('0');
    number.then_some(((letter.to_ascii_lowercase(), digits), rest))
}
