use std::str::FromStr;

use game::text::{clip, fields, number};
use game::{FenError, Side};

use crate::board::{Direction, Move};
use crate::{MAX_SIZE, MAX_STEPS, MIN_SIZE, default_steps};

/// Fields of a position string, as [`FenError`] counts them.
const WALLS: usize = 1;
const AGENTS: [usize; 2] = [2, 3];
const SIDE: usize = 4;
const STEPS: usize = 5;

/// Digits that are enough for any number that may occur.
const DIGITS: usize = 3;

/// A position written down: checked, but not yet laid out in bits of any width.
pub(crate) struct Diagram {
    pub(crate) size: u32,
    /// The barriers, each named by the cell above it or left of it and that cell's side.
    pub(crate) barriers: Vec<Move>,
    /// The cells of both agents as (row, column).
    pub(crate) agents: [(u32, u32); 2],
    pub(crate) side: Side,
    /// Longest walk.
    pub(crate) steps: u32,
}

impl FromStr for Diagram {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Diagram, FenError> {
        let expected = "expected four or five fields: walls, cell of A, cell of B, side, steps of a walk";
        let fields = fields(text, 4, 5, expected)?;
        let (walls, a, b, turn, steps) = (fields[0], fields[1], fields[2], fields[3], fields.get(4));
        let (size, barriers) = read_walls(walls)?;
        let agents = [read_agent(a, AGENTS[0], size)?, read_agent(b, AGENTS[1], size)?];
        if agents[0] == agents[1] {
            return Err(FenError::new(AGENTS[1], format!("expected another cell than that of A, {b}")));
        }
        let mover = match turn {
            "a" => Side::First,
            "b" => Side::Second,
            _ => return Err(FenError::new(SIDE, format!("expected a or b, found {}", clip(turn)))),
        };
        let steps = match steps {
            None => default_steps(size),
            Some(text) => number(text, DIGITS).filter(|&n| n <= MAX_STEPS).ok_or_else(|| {
                let found = clip(text);
                FenError::new(STEPS, format!("expected steps of a walk from 0 to {MAX_STEPS}, found {found}"))
            })?,
        };
        Ok(Diagram { size, barriers, agents, side: mover, steps })
    }
}

fn read_walls(text: &str) -> Result<(u32, Vec<Move>), FenError> {
    let rows: Vec<&str> = text.split('/').take(MAX_SIZE as usize + 1).collect();
    let size = rows.len() as u32;
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Err(FenError::new(WALLS, format!("expected from {MIN_SIZE} to {MAX_SIZE} rows")));
    }
    let mut barriers = Vec::new();
    for (row, line) in (0..size).zip(rows) {
        read_row(line, row, size, &mut barriers).map_err(|what| {
            let what = format!("row {} from the top: {what}", row + 1);
            FenError::new(WALLS, what)
        })?;
    }
    Ok((size, barriers))
}

fn read_row(line: &str, row: u32, size: u32, barriers: &mut Vec<Move>) -> Result<(), String> {
    let cells = |found: &str| format!("expected {size} cells, as many as there are rows, found {found}");
    let mut col = 0;
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let run = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if run > 0 {
            let (digits, tail) = rest.split_at(run);
            let length = number(digits, DIGITS).filter(|&n| n > 0).ok_or_else(|| {
                format!("expected a run of cells without leading zero, found {}", clip(digits))
            })?;
            col += length;
            rest = tail;
        } else {
            let walls: &[Direction] = match letter {
                'r' => &[Direction::Right],
                'd' => &[Direction::Down],
                'b' => &[Direction::Right, Direction::Down],
                _ => return Err(format!("expected r, d, b or a number, found {}", letter.escape_default())),
            };
            if col >= size {
                return Err(cells("more"));
            }
            for &wall in walls {
                let at_border = match wall {
                    Direction::Right => col + 1 == size,
                    _ => row + 1 == size,
                };
                if at_border {
                    return Err(format!("the border is no place for a barrier, found {letter}"));
                }
                barriers.push(Move { row: row as u8, col: col as u8, wall });
            }
            col += 1;
            rest = &rest[1..];
        }
        if col > size {
            return Err(cells("more"));
        }
    }
    if col < size { Err(cells(&col.to_string())) } else { Ok(()) }
}

fn read_agent(text: &str, field: usize, size: u32) -> Result<(u32, u32), FenError> {
    let error = |expected: String| FenError::new(field, format!("{expected}, found {}", clip(text)));
    match split_cell(text) {
        Some(((row, col), "")) if row < size && col < size => Ok((row, col)),
        Some((_, "")) => Err(error(format!("expected a cell up to {}", cell_name(size - 1, size - 1)))),
        _ => Err(error("expected a cell, such as c4".into())),
    }
}

/// Splits off the cell that a text in lower case begins with: the letters of a column of the largest board and the number
/// of a row. Gives the row and the column.
pub(crate) fn split_cell(text: &str) -> Option<((u32, u32), &str)> {
    let letters = text.find(|c: char| !c.is_ascii_lowercase())?;
    let (column, rest) = text.split_at(letters);
    let col = match *column.as_bytes() {
        [letter] => u32::from(letter - b'a'),
        [b'a', letter] => 26 + u32::from(letter - b'a'),
        _ => return None,
    };
    let (digits, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let row = number(digits, DIGITS).filter(|n| (1..=MAX_SIZE).contains(n))? - 1;
    (col < MAX_SIZE).then_some(((row, col), rest))
}

/// The name of a cell.
pub(crate) fn cell_name(row: u32, col: u32) -> String {
    format!("{}{}", column_name(col), row + 1)
}

/// The letters of a column, below 52.
pub(crate) fn column_name(col: u32) -> String {
    let letter = |n: u32| char::from(b'a' + (n % 26) as u8);
    if col < 26 { letter(col).into() } else { format!("a{}", letter(col)) }
}
