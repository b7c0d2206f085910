use std::str::FromStr;

use game::text::{all_fields, clip, number};
use game::{FenError, Setup, Side};

use crate::piece::{Piece, Shape};
use crate::{MAX_SIDE, MAX_STOCK};

/// Fields of a position string, as [`FenError`] counts them.
const BOARD: usize = 1;
const SIDE: usize = 2;
const STOCKS: usize = 3;
const WIN: usize = 4;

/// Digits that are enough for any number that may occur.
const DIGITS: usize = 5;

/// A position written down: checked, but not yet laid out in bits of any width.
pub(crate) struct Diagram {
    pub(crate) rows: u8,
    pub(crate) cols: u8,
    pub(crate) win: u8,
    pub(crate) side: Side,
    /// Pieces left, by side and shape.
    pub(crate) stocks: [[u16; 2]; 2],
    /// The pieces on the board as (row from the bottom, column, piece).
    pub(crate) pieces: Vec<(u8, u8, Piece)>,
}

impl Diagram {
    pub(crate) fn start(setup: &Setup) -> Diagram {
        let &[rows, cols, win, round, square] = &setup.0[..] else { panic!("a set-up of this game") };
        let stock = [round as u16, square as u16];
        Diagram {
            rows: rows as u8,
            cols: cols as u8,
            win: win as u8,
            side: Side::First,
            stocks: [stock, stock],
            pieces: Vec::new(),
        }
    }

    /// Number of bits that its board takes up, the margin row included.
    pub(crate) fn width(&self) -> u32 {
        (u32::from(self.rows) + 1) * u32::from(self.cols)
    }
}

impl FromStr for Diagram {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Diagram, FenError> {
        let [board, side, stocks, win] =
            all_fields(text, "expected four fields: board, side, stocks, line length")?;
        let (rows, cols, pieces) = read_board(board)?;
        let side = match side {
            "w" => Side::First,
            "r" => Side::Second,
            _ => return Err(FenError::new(SIDE, format!("expected w or r, found {}", clip(side)))),
        };
        let stocks = read_stocks(stocks)?;
        let longer = u32::from(rows.max(cols));
        let win = number(win, DIGITS).filter(|n| (1..=longer).contains(n)).ok_or_else(|| {
            FenError::new(WIN, format!("expected a line length from 1 to {longer}, found {}", clip(win)))
        })?;
        let diagram = Diagram { rows, cols, win: win as u8, side, stocks, pieces };
        diagram.check_counts()?;
        Ok(diagram)
    }
}

impl Diagram {
    /// White has placed as many pieces as Red, or one more when Red is to move; and both began with the same stocks.
    fn check_counts(&self) -> Result<(), FenError> {
        let mut placed = [[0; 2]; 2];
        for (_, _, piece) in &self.pieces {
            placed[piece.side.index()][piece.shape.index()] += 1;
        }
        let [white, red] = placed.map(|[round, square]| round + square);
        if white != red + self.side.index() as u32 {
            let expected = ["as many white as red pieces", "one white piece more than red ones"];
            return Err(FenError::new(
                SIDE,
                format!("expected {} on the board, found {white} and {red}", expected[self.side.index()]),
            ));
        }
        for shape in Shape::BOTH {
            let total = |side: Side| {
                let (side, shape) = (side.index(), shape.index());
                placed[side][shape] + u32::from(self.stocks[side][shape])
            };
            let [white, red] = Side::BOTH.map(total);
            if white != red {
                return Err(FenError::new(
                    STOCKS,
                    format!(
                        "expected equal stocks at the start, found {white} and {red} {} pieces",
                        shape.name()
                    ),
                ));
            }
            if white > MAX_STOCK {
                return Err(FenError::new(
                    STOCKS,
                    format!(
                        "expected at most {MAX_STOCK} {} pieces for each player, found {white}",
                        shape.name()
                    ),
                ));
            }
        }
        if white + red == 0 && self.stocks == [[0; 2]; 2] {
            return Err(FenError::new(STOCKS, "expected at least one piece in all"));
        }
        Ok(())
    }
}

type Board = (u8, u8, Vec<(u8, u8, Piece)>);

fn read_board(text: &str) -> Result<Board, FenError> {
    let rows: Vec<&str> = text.split('/').take(MAX_SIDE as usize + 1).collect();
    if rows.len() > MAX_SIDE as usize {
        return Err(FenError::new(BOARD, format!("expected at most {MAX_SIDE} rows")));
    }
    let mut pieces = Vec::new();
    let (mut width, mut below) = (None, u64::MAX);
    for (row, line) in (0..).zip(rows.iter().rev()) {
        let error = |what: String| FenError::new(BOARD, format!("row {} from the bottom: {what}", row + 1));
        let (cols, filled) =
            read_row(line, |column, piece| pieces.push((row, column, piece))).map_err(error)?;
        match *width.get_or_insert(cols) {
            first if first != cols => return Err(error(format!("expected {first} cells, found {cols}"))),
            _ if filled & !below != 0 => return Err(error("a piece above an empty cell".into())),
            _ => below = filled,
        }
    }
    Ok((rows.len() as u8, width.unwrap_or(0), pieces))
}

/// Reads one row; gives its number of cells and a bit per filled one.
fn read_row(line: &str, mut put: impl FnMut(u8, Piece)) -> Result<(u8, u64), String> {
    let (mut cols, mut filled) = (0, 0);
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let run = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if run > 0 {
            let (digits, tail) = rest.split_at(run);
            cols += number(digits, DIGITS).filter(|&n| n > 0).ok_or_else(|| {
                format!(
                    "expected a run of 1 to {MAX_SIDE} cells without leading zero, found {}",
                    clip(digits)
                )
            })?;
            rest = tail;
        } else {
            let piece = Piece::from_letter(letter).ok_or_else(|| {
                format!("expected w, W, r, R or a number, found {}", letter.escape_default())
            })?;
            if cols < MAX_SIDE {
                filled |= 1 << cols;
                put(cols as u8, piece);
            }
            cols += 1;
            rest = &rest[1..];
        }
        if cols > MAX_SIDE {
            return Err(format!("expected at most {MAX_SIDE} cells"));
        }
    }
    if cols == 0 { Err("expected at least one cell".into()) } else { Ok((cols as u8, filled)) }
}

fn read_stocks(text: &str) -> Result<[[u16; 2]; 2], FenError> {
    let numbers: Option<Vec<u16>> =
        text.split(',').take(5).map(|n| number(n, DIGITS).and_then(|n| n.try_into().ok())).collect();
    match numbers.as_deref() {
        Some(&[a, b, c, d]) => Ok([[a, b], [c, d]]),
        _ => Err(FenError::new(
            STOCKS,
            format!(
                "expected four numbers from 0 to {MAX_STOCK} joined by commas (white round, white square, red round, \
                 red square), found {}",
                clip(text)
            ),
        )),
    }
}
