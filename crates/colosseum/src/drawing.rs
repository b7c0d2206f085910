use game::{BoardStyle, Game, Side, column_heads};

use crate::WORDS;
use crate::board::{Cells, Direction, Move};
use crate::diagram::column_name;
use crate::position::Position;

/// Where walls meet, by which of the four ends in: up 1, right 2, down 4, left 8.
const CORNERS: [char; 16] = ['·', '╹', '╺', '┗', '╻', '┃', '┏', '┣', '╸', '┛', '━', '┻', '┓', '┫', '┳', '╋'];
/// Colours of the agents, and of the last barrier.
const AGENT_COLOURS: [&str; 2] = ["1;36", "1;33"];
const LAST_COLOUR: &str = "1;35";

impl<B: Cells> Position<B> {
    /// The board for people: the cells with the walls between them, the last barrier doubled; unless it is compact, the
    /// agent that moved last in brackets.
    pub(crate) fn draw(&self, last: Option<Move>, style: BoardStyle) -> Vec<String> {
        let drawing = Drawing { position: self, size: self.size() as i32, last, style };
        let mut lines = vec![drawing.walls_below(-1)];
        for row in 0..drawing.size {
            lines.push(drawing.cells(row));
            lines.push(drawing.walls_below(row));
        }
        let letters: Vec<String> = (0..self.size()).map(column_name).collect();
        lines.extend(column_heads(&letters, 3, if style.compact { 2 } else { 4 }));
        lines.push(String::new());
        for side in Side::BOTH {
            let turn = if side == self.side_to_move() && self.outcome().is_none() { "  to move" } else { "" };
            lines.push(format!("{}{turn}", drawing.agent(side)));
        }
        let [a, b] = Side::BOTH.map(|side| self.area(side));
        lines.push(match self.outcome() {
            None => format!("walks of up to {} steps", self.steps()),
            Some(outcome) => match outcome.winner {
                Some(side) => {
                    let name = WORDS.side(side);
                    format!("{name} has won: {} cells to {}", a.max(b), a.min(b))
                }
                None => format!("drawn: {a} cells each"),
            },
        });
        lines
    }
}

/// Rows and columns count from 0; -1 stands for the border before the first.
struct Drawing<'a, B: Cells> {
    position: &'a Position<B>,
    size: i32,
    last: Option<Move>,
    style: BoardStyle,
}

impl<B: Cells> Drawing<'_, B> {
    fn cells(&self, row: i32) -> String {
        let mut line = format!("{:>2} {}", row + 1, self.upright(row, -1));
        for col in 0..self.size {
            let here = Some((row as u32, col as u32));
            let agent = Side::BOTH.into_iter().find(|&side| Some(self.position.cell_of(side)) == here);
            let symbol = agent.map_or(" ".into(), |side| self.agent(side));
            let moved = self.last.is_some_and(|m| Some((m.row.into(), m.col.into())) == here);
            let [left, right] = match (self.style.compact, moved) {
                (true, _) => ["", ""],
                (false, true) => ["[", "]"],
                (false, false) => [" ", " "],
            };
            line.extend([left, &symbol, right, &self.upright(row, col)]);
        }
        line
    }

    fn walls_below(&self, row: i32) -> String {
        let mut line = "   ".to_owned();
        for col in -1..self.size {
            let ends = [
                self.is_wall(row, col, Direction::Right),
                self.is_wall(row, col + 1, Direction::Down),
                self.is_wall(row + 1, col, Direction::Right),
                self.is_wall(row, col, Direction::Down),
            ];
            let corner = ends.into_iter().rev().fold(0, |sum, end| 2 * sum + usize::from(end));
            line.push(if self.style.ascii { '+' } else { CORNERS[corner] });
            if col + 1 < self.size {
                let width = if self.style.compact { 1 } else { 3 };
                line += &self.wall(row, col + 1, Direction::Down, ["-", "━"], ["=", "═"], width);
            }
        }
        line
    }

    fn upright(&self, row: i32, col: i32) -> String {
        self.wall(row, col, Direction::Right, ["|", "┃"], ["#", "║"], 1)
    }

    /// What to draw on a side of a cell, so many columns wide: each kind of wall in ASCII or in Unicode, or no wall.
    fn wall(
        &self,
        row: i32,
        col: i32,
        side: Direction,
        old: [&str; 2],
        new: [&str; 2],
        width: usize,
    ) -> String {
        let unicode = usize::from(!self.style.ascii);
        if !self.is_wall(row, col, side) {
            " ".repeat(width)
        } else if self.is_last(row, col, side) {
            self.style.paint(LAST_COLOUR, &new[unicode].repeat(width))
        } else {
            old[unicode].repeat(width)
        }
    }

    /// Whether there is a barrier or the border on the right or the lower side of a cell.
    fn is_wall(&self, row: i32, col: i32, side: Direction) -> bool {
        let (along, across) = if side == Direction::Right { (row, col) } else { (col, row) };
        let exists = (0..self.size).contains(&along) && (-1..self.size).contains(&across);
        let at_border = across == -1 || across == self.size - 1;
        exists && (at_border || !self.position.is_free(row as u32, col as u32, side))
    }

    /// Whether the last move's barrier is on the right or the lower side of a cell.
    fn is_last(&self, row: i32, col: i32, side: Direction) -> bool {
        self.last.is_some_and(|m| {
            let (down, right) = side.delta();
            let here = (i32::from(m.row), i32::from(m.col));
            (here, m.wall) == ((row, col), side)
                || (here, m.wall.reversed()) == ((row + down, col + right), side)
        })
    }

    fn agent(&self, side: Side) -> String {
        self.style.paint(AGENT_COLOURS[side.index()], WORDS.side(side))
    }
}
