use std::str::FromStr;

use game::text::{all_fields, clip};
use game::{FenError, Setup, Side};

use crate::MAX_RADIUS;
use crate::geometry::{Cell, row_ends};

/// Fields of a position string, as [`FenError`] counts them.
pub(crate) const BOARD: usize = 1;
const SIDE: usize = 2;

/// A position written down: what the rules ask of its stones is checked, but for who has won.
pub(crate) struct Diagram {
    pub(crate) radius: u8,
    pub(crate) side: Side,
    /// The stones, row by row.
    pub(crate) stones: Vec<(Cell, Side)>,
}

impl Diagram {
    pub(crate) fn start(setup: &Setup) -> Diagram {
        let &[radius] = &setup.0[..] else { panic!("a set-up of this game") };
        let radius = radius as u8;
        Diagram { radius, side: Side::First, stones: vec![(centre(radius), Side::Second)] }
    }

    /// Black has placed as many stones as White, or one more when White is to move, the first of them on the centre.
    fn check_counts(&self) -> Result<(), FenError> {
        let whites = self.stones.iter().filter(|(_, side)| *side == Side::First).count();
        let blacks = self.stones.len() - whites;
        let expected = match self.side {
            Side::First if blacks != whites + 1 => "one black stone more than white ones",
            Side::Second if blacks != whites || whites == 0 => {
                "as many black as white stones, at least one each"
            }
            _ => return Ok(()),
        };
        Err(FenError::new(SIDE, format!("expected {expected}, found {blacks} black and {whites} white")))
    }

    fn check_centre(&self) -> Result<(), FenError> {
        let centre = centre(self.radius);
        if self.stones.contains(&(centre, Side::Second)) {
            Ok(())
        } else {
            Err(FenError::new(BOARD, format!("expected a black stone on the centre, {centre}")))
        }
    }

    /// All stones hang together.
    fn check_links(&self) -> Result<(), FenError> {
        let mut apart: Vec<Cell> = self.stones.iter().map(|&(cell, _)| cell).collect();
        let mut linked = vec![centre(self.radius)];
        while let Some(cell) = linked.pop() {
            apart.retain(|&other| other != cell);
            let neighbours = Cell::STEPS.iter().filter_map(|&step| cell.step(step));
            linked.extend(neighbours.filter(|cell| apart.contains(cell)));
        }
        match apart.first() {
            None => Ok(()),
            Some(cell) => Err(FenError::new(BOARD, format!("expected linked stones, {cell} is apart"))),
        }
    }
}

fn centre(radius: u8) -> Cell {
    Cell { x: radius, y: radius }
}

impl FromStr for Diagram {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Diagram, FenError> {
        let [board, side] = all_fields(text, "expected two fields: board, side to move")?;
        let (radius, stones) = read_board(board)?;
        let side = match side {
            "w" => Side::First,
            "b" => Side::Second,
            _ => return Err(FenError::new(SIDE, format!("expected w or b, found {}", clip(side)))),
        };
        let diagram = Diagram { radius, side, stones };
        diagram.check_centre()?;
        diagram.check_counts()?;
        diagram.check_links()?;
        Ok(diagram)
    }
}

fn read_board(text: &str) -> Result<(u8, Vec<(Cell, Side)>), FenError> {
    const MOST: usize = 2 * MAX_RADIUS as usize + 1;
    let rows: Vec<&str> = text.split('/').take(MOST + 1).collect();
    if rows.len() < 3 || rows.len() > MOST || rows.len().is_multiple_of(2) {
        let found = if rows.len() > MOST { "more".into() } else { rows.len().to_string() };
        return Err(FenError::new(
            BOARD,
            format!("expected an odd number of rows from 3 to {MOST}, found {found}"),
        ));
    }
    let radius = (rows.len() / 2) as u8;
    let mut stones = Vec::new();
    for (y, row) in (0..).zip(rows) {
        let error = |what| FenError::new(BOARD, format!("row {} from the top: {what}", y + 1));
        let (first, last) = row_ends(radius, y);
        read_row(row, last - first + 1, |x, side| stones.push((Cell { x: first + x, y }, side)))
            .map_err(error)?;
    }
    Ok((radius, stones))
}

/// Reads a row of so many cells, and puts each stone by its distance from the row's first cell.
fn read_row(row: &str, cells: u8, mut put: impl FnMut(u8, Side)) -> Result<(), String> {
    let mut x = 0;
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let taken = if digits > 0 {
            let run = &rest[..digits];
            // Two digits are enough for any row; more are too many cells, or begin with a zero.
            let number = run.parse::<u8>().ok().filter(|_| digits <= 2 && !run.starts_with('0'));
            number.filter(|&n| n <= cells - x).ok_or_else(|| {
                format!(
                    "expected a run of at most {} empty cells without leading zero, found {}",
                    cells - x,
                    clip(run)
                )
            })?
        } else {
            let side = match letter {
                'w' => Side::First,
                'b' => Side::Second,
                _ => return Err(format!("expected b, w or a number, found {}", letter.escape_default())),
            };
            if x == cells {
                return Err(format!("expected {cells} cells, found more"));
            }
            put(x, side);
            1
        };
        x += taken;
        rest = &rest[digits.max(1)..];
    }
    if x == cells { Ok(()) } else { Err(format!("expected {cells} cells, found {x}")) }
}
