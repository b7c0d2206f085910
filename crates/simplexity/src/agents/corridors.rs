use crate::position::Frame;

/// A row and a column, both counted from 0.
pub(super) type Cell = (u32, u32);

/// The whole lines of a board that are long enough to win on, as the framework walks them: rows from the left, columns
/// from the bottom, rising diagonals from their lower left end, falling ones from their lower right end.
#[derive(Default)]
pub(super) struct Corridors {
    frame: Option<Frame>,
    lines: Vec<Vec<Cell>>,
}

impl Corridors {
    /// Lists the lines of a board of these measures, unless they are listed already.
    pub(super) fn fit(&mut self, frame: Frame) {
        if self.frame != Some(frame) {
            self.frame = Some(frame);
            self.lines = lines(frame);
        }
    }

    /// Cells in a row that win.
    pub(super) fn win(&self) -> i32 {
        self.frame.map_or(0, |frame| frame.win as i32)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Cell]> {
        self.lines.iter().map(Vec::as_slice)
    }
}

fn lines(Frame { rows, cols, win }: Frame) -> Vec<Vec<Cell>> {
    let level = (0..rows).map(|row| (0..cols).map(|column| (row, column)).collect());
    let upright = (0..cols).map(|column| (0..rows).map(|row| (row, column)).collect());
    // Diagonals start down the left edge and then along the bottom. The falling ones are their mirror images.
    let starts = (0..rows).rev().map(|row| (row, 0)).chain((1..cols).map(|column| (0, column)));
    let rising: Vec<Vec<Cell>> =
        starts.map(|(row, column)| (row..rows).zip(column..cols).collect()).collect();
    let mirrored = |line: &Vec<Cell>| line.iter().map(|&(row, column)| (row, cols - 1 - column)).collect();
    let falling: Vec<Vec<Cell>> = rising.iter().map(mirrored).collect();
    let all = level.chain(upright).chain(rising).chain(falling);
    all.filter(|line: &Vec<Cell>| line.len() >= win as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corridors(rows: u32, cols: u32, win: u32) -> Corridors {
        let mut corridors = Corridors::default();
        corridors.fit(Frame { rows, cols, win });
        corridors
    }

    #[test]
    fn lines_too_short_to_win_on_are_left_out() {
        // 6 rows, 7 columns, 6 diagonals each way, with 3 + 4 windows of four in a line of 6 and 7, and 1, 2, 3, 3, 2, 1 in
        // the diagonals of 4, 5, 6, 6, 5 and 4 cells.
        let standard = corridors(6, 7, 4);
        assert_eq!(standard.iter().count(), 6 + 7 + 6 + 6);
        assert_eq!(standard.iter().map(|line| line.len() - 3).sum::<usize>(), 69);
        assert_eq!(corridors(2, 7, 4).iter().count(), 2);
        assert_eq!(corridors(7, 2, 4).iter().count(), 2);
        // Every cell is four lines of one or more.
        assert_eq!(corridors(1, 1, 1).iter().count(), 4);
        assert_eq!(corridors(3, 3, 1).iter().count(), 3 + 3 + 5 + 5);
    }

    #[test]
    fn lines_run_the_way_the_framework_walks_them() {
        let square = corridors(3, 3, 3);
        let lines: Vec<&[Cell]> = square.iter().collect();
        assert_eq!(lines[0], [(0, 0), (0, 1), (0, 2)]);
        assert_eq!(lines[3], [(0, 0), (1, 0), (2, 0)]);
        assert_eq!(lines[6..], [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]);
    }

    #[test]
    fn they_are_listed_anew_for_another_board() {
        let mut corridors = corridors(3, 3, 3);
        corridors.fit(Frame { rows: 3, cols: 3, win: 2 });
        assert_eq!((corridors.win(), corridors.iter().count()), (2, 3 + 3 + 3 + 3));
    }
}
