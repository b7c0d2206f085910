use std::fmt::Write;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardStyle {
    /// ASCII only, instead of Unicode.
    pub ascii: bool,
    /// ANSI colours.
    pub colour: bool,
    /// Two columns for each cell, for terminals that are too narrow for the usual drawing.
    pub compact: bool,
}

impl BoardStyle {
    /// A text in a colour, given as the parameters of ANSI's "select graphic rendition", where there are colours.
    pub fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }

    /// Cells side by side, each one column wide and with a blank or a mark such as `[` and `]` on either side; where it is
    /// compact, neighbours share what is between them.
    pub fn row(self, cells: impl IntoIterator<Item = (String, Option<[char; 2]>)>) -> String {
        let mut line = String::new();
        let mut closing = None;
        for (cell, marks) in cells {
            let opening = marks.map(|[left, _]| left);
            if !self.compact && !line.is_empty() {
                line.push(closing.unwrap_or(' '));
                closing = None;
            }
            line.push(opening.or(closing).unwrap_or(' '));
            line.push_str(&cell);
            closing = marks.map(|[_, right]| right);
        }
        line.push(closing.unwrap_or(' '));
        line
    }
}

/// The names of the columns of a board whose cells are `pitch` columns apart, beginning `margin` columns from the left; in
/// several lines, to be read downwards, where the names don't fit side by side.
pub fn column_heads(names: &[String], margin: usize, pitch: usize) -> Vec<String> {
    let longest = names.iter().map(String::len).max().unwrap_or_default();
    let width = pitch / 2 + 1;
    let line = |part: &dyn Fn(&str) -> String| {
        let mut line = " ".repeat(margin);
        for name in names {
            let _ = write!(line, "{:>width$}{:gap$}", part(name), "", gap = pitch - width);
        }
        line.trim_end().to_owned()
    };
    if longest < pitch {
        return vec![line(&str::to_owned)];
    }
    let from_right = |name: &str, n: usize| name.chars().rev().nth(n).unwrap_or(' ').to_string();
    (0..longest).rev().map(|n| line(&|name| from_right(name, n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_marks_around_cells() {
        let row = |compact, marked: &[(usize, [char; 2])]| {
            let style = BoardStyle { compact, ..BoardStyle::default() };
            let mark = |i| marked.iter().find(|(at, _)| *at == i).map(|(_, marks)| *marks);
            style.row("abcd".chars().enumerate().map(|(i, c)| (c.to_string(), mark(i))))
        };
        let (to, from) = (['[', ']'], ['(', ')']);
        assert_eq!(row(false, &[(1, to)]), " a [b] c  d ");
        assert_eq!(row(false, &[(1, to), (2, from)]), " a [b](c) d ");
        assert_eq!(row(true, &[]), " a b c d ");
        assert_eq!(row(true, &[(0, to)]), "[a]b c d ");
        assert_eq!(row(true, &[(3, to)]), " a b c[d]");
        assert_eq!(row(true, &[(1, from), (2, to)]), " a(b[c]d ");
    }

    #[test]
    fn column_names_stand_below_the_cells_or_upright() {
        let names: Vec<String> = ["8", "9", "10", "11"].map(str::to_owned).into();
        assert_eq!(column_heads(&names, 3, 3), ["    8  9 10 11"]);
        assert_eq!(column_heads(&names, 3, 4), ["     8   9  10  11"]);
        assert_eq!(column_heads(&names, 3, 2), ["        1 1", "    8 9 0 1"]);
        assert_eq!(column_heads(&names[..2], 1, 2), ["  8 9"]);
    }
}
