use std::fmt::{self, Write};

use game::{BoardStyle, FenError, Game, MoveError, Notation, Side};

use crate::WORDS;
use crate::diagram::{self, Diagram};
use crate::geometry::{Cell, lines, row_ends};
use crate::position::Position;

/// Letters of the stones, in position strings and on boards without Unicode.
const LETTERS: [char; 2] = ['w', 'b'];
/// Stones for people.
const SYMBOLS: [char; 2] = ['○', '●'];

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x), self.y + 1)
    }
}

/// Reads the name of a cell, in any letter case, on a board of any size.
fn read_cell(text: &str) -> Option<Cell> {
    let letter = text.bytes().next()?.to_ascii_lowercase();
    let (x, number) = (letter.wrapping_sub(b'a'), text.get(1..)?);
    let plain = matches!(number.len(), 1..=2)
        && number.bytes().all(|b| b.is_ascii_digit())
        && !number.starts_with('0');
    let y = number.parse::<u8>().ok().filter(|_| plain && x < 26)? - 1;
    Some(Cell { x, y })
}

impl<const N: usize> Notation for Position<N> {
    fn from_fen(text: &str) -> Result<Self, FenError> {
        let diagram: Diagram = text.parse()?;
        if lines(diagram.radius) > N {
            return Err(FenError::new(diagram::BOARD, format!("expected at most {} rows", N - 2)));
        }
        Position::new(&diagram)
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        for y in 0..=2 * self.radius() {
            if y > 0 {
                text.push('/');
            }
            let (first, last) = row_ends(self.radius(), y);
            let mut empty = 0;
            for x in first..=last {
                if let Some(side) = self.stone(Cell { x, y }) {
                    push_run(&mut text, &mut empty);
                    text.push(LETTERS[side.index()]);
                } else {
                    empty += 1;
                }
            }
            push_run(&mut text, &mut empty);
        }
        text.push(' ');
        text.push(LETTERS[self.side_to_move().index()]);
        text
    }

    fn parse_move(&self, text: &str) -> Result<Cell, MoveError> {
        let cell = read_cell(text).ok_or_else(|| MoveError::Malformed(text.into()))?;
        if self.outcome().is_some() {
            Err(MoveError::GameOver)
        } else if self.is_legal(cell) {
            Ok(cell)
        } else if !self.geometry().contains(cell) {
            Err(MoveError::Illegal(format!("{cell} is not on a board of radius {}", self.radius())))
        } else if self.stone(cell).is_some() {
            Err(MoveError::Illegal(format!("{cell} is taken")))
        } else if self.stones() == 1 {
            Err(MoveError::Illegal(format!("{cell} is not next to the first stone")))
        } else {
            Err(MoveError::Illegal(format!("{cell} has fewer than two stones next to it")))
        }
    }

    fn move_text(&self, m: Cell) -> String {
        m.to_string()
    }

    /// The rows as they lie, legal moves as `+`. Its number stands left of each row, the letter of each slanted column
    /// above it on the right.
    fn board(&self, last: Option<Cell>, style: BoardStyle) -> Vec<String> {
        let radius = self.radius();
        let letter = |x: u8| char::from(b'a' + x);
        let mut head = " ".repeat(usize::from(radius) + 5);
        for x in 0..=radius {
            head.push(letter(x));
            head.push(' ');
        }
        let mut lines = vec![head.trim_end().to_owned()];
        for y in 0..=2 * radius {
            let (first, end) = row_ends(radius, y);
            let cells = (first..=end).map(|x| {
                let cell = Cell { x, y };
                (self.cell_text(cell, style), (last == Some(cell)).then_some(['[', ']']))
            });
            // Rows interlock only where cells are two columns apart.
            let row = BoardStyle { compact: true, ..style }.row(cells);
            let mut line = format!("{:>2} {}{row}", y + 1, " ".repeat(usize::from(radius.abs_diff(y))));
            if y < radius {
                line.push(letter(end + 1));
            }
            lines.push(line.trim_end().to_owned());
        }
        lines.push(String::new());
        lines.push(match self.outcome() {
            None => format!("{} to move", WORDS.side(self.side_to_move())),
            Some(outcome) => WORDS.verdict(outcome),
        });
        lines
    }
}

impl<const N: usize> Position<N> {
    /// A cell for people, one column wide.
    fn cell_text(&self, cell: Cell, style: BoardStyle) -> String {
        let Some(side) = self.stone(cell) else {
            let symbol = match (self.is_legal(cell), style.ascii) {
                (true, _) => "+",
                (false, true) => ".",
                (false, false) => "·",
            };
            return symbol.into();
        };
        let symbol = if style.ascii { LETTERS[side.index()] } else { SYMBOLS[side.index()] };
        let code = match side {
            Side::First => "1;37",
            Side::Second => "1;34",
        };
        style.paint(code, symbol.encode_utf8(&mut [0; 4]))
    }
}

fn push_run(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}
