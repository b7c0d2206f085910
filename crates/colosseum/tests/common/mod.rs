#![allow(dead_code, reason = "each test binary uses its part")]

use colosseum::{Direction, Move, Position};
use game::{Game, Notation, Side};

/// The rows of a file of `tests/data/colosseum`, split at ` | `.
pub(crate) fn rows(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../tests/data/colosseum/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the file is readable");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" | ").map(str::to_owned).collect()).collect()
}

/// One of the 16 symmetries of the rules: the eight of the square, each with and without an exchange of the agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry(u32);

impl Symmetry {
    const TRANSPOSE: u32 = 1;
    const FLIP: u32 = 2;
    const MIRROR: u32 = 4;
    const EXCHANGE: u32 = 8;

    /// All symmetries, those that leave the agents as they are first.
    pub(crate) fn all() -> impl Iterator<Item = Symmetry> {
        (0..16).map(Symmetry)
    }

    fn has(self, part: u32) -> bool {
        self.0 & part != 0
    }

    pub(crate) fn of_move(self, size: u32, m: Move) -> Move {
        let last = size as u8 - 1;
        let (mut row, mut col) = (m.row, m.col);
        let (mut down, mut right) = m.wall.delta();
        if self.has(Symmetry::TRANSPOSE) {
            (row, col) = (col, row);
            (down, right) = (right, down);
        }
        if self.has(Symmetry::FLIP) {
            (row, down) = (last - row, -down);
        }
        if self.has(Symmetry::MIRROR) {
            (col, right) = (last - col, -right);
        }
        let wall = Direction::ALL.into_iter().find(|d| d.delta() == (down, right));
        Move { row, col, wall: wall.expect("one of four") }
    }

    pub(crate) fn of_side(self, side: Side) -> Side {
        if self.has(Symmetry::EXCHANGE) { side.other() } else { side }
    }

    /// The image of a position, by way of its string.
    pub(crate) fn of_position(self, position: &Position<u64>) -> Position<u64> {
        let size = position.size();
        let mut walls = vec![vec![0; size as usize]; size as usize];
        for (row, col) in (0..size).flat_map(|row| (0..size).map(move |col| (row, col))) {
            for (wall, inside) in [(Direction::Right, col + 1 < size), (Direction::Down, row + 1 < size)] {
                if inside && !position.is_free(row, col, wall) {
                    let Move { row, col, wall } =
                        self.of_move(size, Move { row: row as u8, col: col as u8, wall });
                    let (row, col, bit) = match wall {
                        Direction::Up => (row - 1, col, 2),
                        Direction::Right => (row, col, 1),
                        Direction::Down => (row, col, 2),
                        Direction::Left => (row, col - 1, 1),
                    };
                    walls[usize::from(row)][usize::from(col)] |= bit;
                }
            }
        }
        let rows: Vec<String> = walls.iter().map(|row| row_text(row)).collect();
        let [a, b] = Side::BOTH.map(|side| {
            let (row, col) = position.cell_of(self.of_side(side));
            let m = self.of_move(size, Move { row: row as u8, col: col as u8, wall: Direction::Up });
            let mut name = position.move_text(m);
            name.pop();
            name
        });
        let mover = ["a", "b"][self.of_side(position.side_to_move()).index()];
        let fen = format!("{} {a} {b} {mover} {}", rows.join("/"), position.steps());
        Position::from_fen(&fen).expect("as good as the original")
    }
}

/// A row of walls as in a position string: 1 for a right one, 2 for a lower one.
fn row_text(row: &[usize]) -> String {
    let runs = row.chunk_by(|&left, &right| left == 0 && right == 0);
    runs.map(|run| match run[0] {
        0 => run.len().to_string(),
        walls => ["r", "d", "b"][walls - 1].to_owned(),
    })
    .collect()
}
