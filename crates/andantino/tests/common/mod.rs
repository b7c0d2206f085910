#![allow(dead_code, reason = "not every test uses all of it")]

/// The rows of a file of `tests/data/andantino`, split at ` | `.
pub(crate) fn rows(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../tests/data/andantino/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the file is readable");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" | ").map(str::to_owned).collect()).collect()
}

/// The position string of a board of `radius` with these stones, by the names of their cells; who is to move follows
/// from their numbers.
pub(crate) fn fen(radius: usize, black: &str, white: &str) -> String {
    let mut cells = vec![vec!['.'; 2 * radius + 1]; 2 * radius + 1];
    for (names, letter) in [(black, 'b'), (white, 'w')] {
        for name in names.split_whitespace() {
            let (x, y) = name.split_at(1);
            let x = usize::from(x.as_bytes()[0] - b'a');
            cells[y.parse::<usize>().expect("a number") - 1][x] = letter;
        }
    }
    let side = if black.split_whitespace().count() > white.split_whitespace().count() { 'w' } else { 'b' };
    format!("{} {side}", rows_of(radius, &cells))
}

/// The first field of a position string, from the cells by row and column, `.` for an empty one.
pub(crate) fn rows_of(radius: usize, cells: &[Vec<char>]) -> String {
    let row = |(y, row): (usize, &Vec<char>)| {
        let (mut text, mut run) = (String::new(), 0);
        for &c in &row[y.saturating_sub(radius)..=(y + radius).min(2 * radius)] {
            if c == '.' {
                run += 1;
                continue;
            }
            if run > 0 {
                text += &run.to_string();
            }
            text.push(c);
            run = 0;
        }
        if run > 0 {
            text += &run.to_string();
        }
        text
    };
    cells.iter().enumerate().map(row).collect::<Vec<_>>().join("/")
}
