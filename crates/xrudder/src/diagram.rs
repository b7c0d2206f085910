use std::str::FromStr;

use game::text::{all_fields, clip, number};
use game::{FenError, Setup, Side};

use crate::{MAX_MOVES, MAX_SIDE, MAX_TOKENS};

/// Fields of a position string, as [`FenError`] counts them.
const BOARD: usize = 1;
const SIDE: usize = 2;
const HANDS: [usize; 2] = [3, 4];
const MOVES: usize = 5;

/// Digits that are enough for any number that may occur.
const DIGITS: usize = 4;

/// A position written down: checked, but not yet laid out in bits of any width.
pub(crate) struct Diagram {
    pub(crate) rows: u32,
    pub(crate) cols: u32,
    pub(crate) side: Side,
    /// Tokens not yet placed, by side.
    pub(crate) hands: [u16; 2],
    pub(crate) moves_left: u16,
    /// The tokens on the board as (row from the bottom, column, owner).
    pub(crate) tokens: Vec<(u32, u32, Side)>,
}

impl Diagram {
    pub(crate) fn start(setup: &Setup) -> Diagram {
        let &[rows, cols, tokens, moves] = &setup.0[..] else { panic!("a set-up of this game") };
        Diagram {
            rows: rows as u32,
            cols: cols as u32,
            side: Side::First,
            hands: [tokens as u16; 2],
            moves_left: moves as u16,
            tokens: Vec::new(),
        }
    }
}

impl FromStr for Diagram {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Diagram, FenError> {
        let [board, side, hand_x, hand_o, moves] =
            all_fields(text, "expected five fields: board, side, hand of x, hand of o, moves left")?;
        let (rows, cols, tokens) = read_board(board)?;
        let side = match side {
            "x" => Side::First,
            "o" => Side::Second,
            _ => return Err(FenError::new(SIDE, format!("expected x or o, found {}", clip(side)))),
        };
        let counter = |field, text, max, what| {
            number(text, DIGITS).filter(|&n| n <= max).map(|n| n as u16).ok_or_else(|| {
                FenError::new(field, format!("expected {what} from 0 to {max}, found {}", clip(text)))
            })
        };
        let hands = [
            counter(HANDS[0], hand_x, MAX_TOKENS, "the number of tokens that x has in hand")?,
            counter(HANDS[1], hand_o, MAX_TOKENS, "the number of tokens that o has in hand")?,
        ];
        let moves_left = counter(MOVES, moves, MAX_MOVES, "the number of token moves left")?;
        Ok(Diagram { rows, cols, side, hands, moves_left, tokens })
    }
}

type Board = (u32, u32, Vec<(u32, u32, Side)>);

fn read_board(text: &str) -> Result<Board, FenError> {
    let rows: Vec<&str> = text.split('/').take(MAX_SIDE as usize + 1).collect();
    if rows.len() > MAX_SIDE as usize {
        return Err(FenError::new(BOARD, format!("expected at most {MAX_SIDE} rows")));
    }
    let mut tokens = Vec::new();
    let mut width = None;
    for (row, line) in (0..).zip(rows.iter().rev()) {
        let error = |what: String| FenError::new(BOARD, format!("row {} from the bottom: {what}", row + 1));
        let cols = read_row(line, |col, owner| tokens.push((row, col, owner))).map_err(error)?;
        let first = *width.get_or_insert(cols);
        if cols != first {
            return Err(error(format!("expected {first} cells, found {cols}")));
        }
    }
    Ok((rows.len() as u32, width.unwrap_or(0), tokens))
}

/// Reads one row; gives its number of cells.
fn read_row(line: &str, mut put: impl FnMut(u32, Side)) -> Result<u32, String> {
    let mut cols = 0;
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
            let owner = match letter {
                'x' => Side::First,
                'o' => Side::Second,
                _ => return Err(format!("expected x, o or a number, found {}", letter.escape_default())),
            };
            put(cols, owner);
            cols += 1;
            rest = &rest[1..];
        }
        if cols > MAX_SIDE {
            return Err(format!("expected at most {MAX_SIDE} cells"));
        }
    }
    if cols == 0 { Err("expected at least one cell".into()) } else { Ok(cols) }
}
