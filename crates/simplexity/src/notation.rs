use std::fmt::Write;

use bits::Bits;
use game::{BoardStyle, FenError, Game, MoveError, Notation, Side, column_heads};

use crate::WORDS;
use crate::diagram::Diagram;
use crate::piece::{Move, Piece, Shape};
use crate::position::Position;

/// Pieces for people, by side and shape: outlined is white, filled is red.
const SYMBOLS: [[char; 2]; 2] = [['○', '□'], ['●', '■']];

impl<B: Bits> Notation for Position<B> {
    fn from_fen(text: &str) -> Result<Self, FenError> {
        let diagram: Diagram = text.parse()?;
        if diagram.width() > B::WIDTH {
            return Err(FenError::new(1, format!("expected a board that fits {} bits", B::WIDTH)));
        }
        Ok(Position::new(&diagram))
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        for row in (0..self.rows()).rev() {
            let mut empty = 0;
            for column in 0..self.cols() {
                if let Some((side, shape)) = self.piece(row, column) {
                    push_run(&mut text, &mut empty);
                    text.push(Piece { side, shape }.letter());
                } else {
                    empty += 1;
                }
            }
            push_run(&mut text, &mut empty);
            text.push(if row == 0 { ' ' } else { '/' });
        }
        let side = WORDS.side(self.side_to_move()).chars().next().unwrap_or_default();
        let [wo, ws, ro, rs] = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(side, shape)| self.stock(Side::BOTH[side], Shape::BOTH[shape]));
        let _ = write!(text, "{side} {wo},{ws},{ro},{rs} {}", self.win());
        text
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let (column, shape) = read_move(text).ok_or_else(|| MoveError::Malformed(text.into()))?;
        if self.outcome().is_some() {
            return Err(MoveError::GameOver);
        }
        let column = match column.parse::<u32>() {
            Ok(n) if n <= self.cols() => n - 1,
            _ => return Err(MoveError::Illegal(format!("there are only {} columns", self.cols()))),
        };
        let m = Move { column: column as u8, shape };
        if self.is_legal(m) {
            Ok(m)
        } else if self.height(column) == self.rows() {
            Err(MoveError::Illegal(format!("column {} is full", column + 1)))
        } else {
            let colour = WORDS.side(self.side_to_move());
            Err(MoveError::Illegal(format!("{colour} has no {} pieces left", shape.name())))
        }
    }

    fn move_text(&self, m: Move) -> String {
        let shape = match m.shape {
            Shape::Round => 'o',
            Shape::Square => 's',
        };
        format!("{}{shape}", u32::from(m.column) + 1)
    }

    fn board(&self, last: Option<Move>, style: BoardStyle) -> Vec<String> {
        let last = last.map(|m| u32::from(m.column)).filter(|&column| column < self.cols());
        let marked = last.map(|column| (self.height(column).wrapping_sub(1), column));
        let mut lines: Vec<String> =
            (0..self.rows()).rev().map(|row| self.board_row(row, marked, style)).collect();
        let numbers: Vec<String> = (1..=self.cols()).map(|column| column.to_string()).collect();
        lines.extend(column_heads(&numbers, 3, if style.compact { 2 } else { 3 }));
        lines.push(String::new());
        for side in Side::BOTH {
            let [rounds, squares] = Shape::BOTH
                .map(|shape| format!("{} {}", symbol(side, shape, style), self.stock(side, shape)));
            let turn = if side == self.side_to_move() && self.outcome().is_none() { "  to move" } else { "" };
            lines.push(format!("{:<5}  {rounds}  {squares}{turn}", WORDS.side(side)));
        }
        lines.push(match self.outcome() {
            None => format!("{} in a row win", self.win()),
            Some(outcome) => WORDS.verdict(outcome),
        });
        lines
    }
}

impl<B: Bits> Position<B> {
    fn board_row(&self, row: u32, marked: Option<(u32, u32)>, style: BoardStyle) -> String {
        let cells = (0..self.cols()).map(|column| {
            let cell = match self.piece(row, column) {
                Some((side, shape)) => symbol(side, shape, style),
                None if style.ascii => ".".into(),
                None => "·".into(),
            };
            (cell, (marked == Some((row, column))).then_some(['[', ']']))
        });
        format!("{:>2} {}", row + 1, style.row(cells)).trim_end().to_owned()
    }
}

fn push_run(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}

/// One piece for people, one column wide.
fn symbol(side: Side, shape: Shape, style: BoardStyle) -> String {
    let symbol =
        if style.ascii { Piece { side, shape }.letter() } else { SYMBOLS[side.index()][shape.index()] };
    let code = ["1;37", "1;31"][side.index()];
    style.paint(code, symbol.encode_utf8(&mut [0; 4]))
}

/// Splits a move of the grammar `[1-9][0-9]*[os]`, in any letter case, into the digits of its column and its shape.
fn read_move(text: &str) -> Option<(&str, Shape)> {
    let (column, shape) = if let Some(column) = text.strip_suffix(['o', 'O']) {
        (column, Shape::Round)
    } else {
        (text.strip_suffix(['s', 'S'])?, Shape::Square)
    };
    let number = column.bytes().all(|b| b.is_ascii_digit()) && !column.is_empty() && !column.starts_with('0');
    number.then_some((column, shape))
}
