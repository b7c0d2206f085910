use game::Notation;
use xrudder::Position;

pub(crate) fn load(fen: &str) -> Position<u128> {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The position of these cells, `x`, `o` or `.` each, in rows of that length from the top; `rest` is what follows the board
/// in a position string.
pub(crate) fn lay(cells: &[&str], cols: usize, rest: &str) -> Position<u128> {
    let mut board = cells.chunks(cols).map(<[&str]>::concat).collect::<Vec<_>>().join("/");
    for run in (1..=cols).rev() {
        board = board.replace(&".".repeat(run), &run.to_string());
    }
    load(&format!("{board} {rest}"))
}
