//! Boards on standard output.

use std::io::stdout;

use arbiter::system;
use game::{BoardStyle, State};

/// How boards are drawn on standard output: coloured on a terminal, and narrower where it has no room.
#[derive(Clone, Copy)]
pub(crate) struct Canvas {
    style: BoardStyle,
}

impl Canvas {
    pub(crate) fn new(ascii: bool) -> Canvas {
        let colour = system::shows_colours(&stdout());
        Canvas { style: BoardStyle { ascii, colour, compact: false } }
    }

    /// The board, each line with its line feed.
    pub(crate) fn draw(self, state: &dyn State) -> String {
        fitting(state, self.style, system::terminal_size(stdout()).map(|(columns, _)| columns))
    }
}

/// The board in the widest form that so many columns have room for. What not even the narrowest form finds room for is
/// cut off, and said; but no captions, whose lines the terminal wraps.
fn fitting(state: &dyn State, style: BoardStyle, columns: Option<usize>) -> String {
    let columns = columns.unwrap_or(usize::MAX);
    let plain = |style| state.board(BoardStyle { colour: false, ..style });
    let width = |style| {
        let lines = plain(style);
        let board = lines.iter().take_while(|line| !line.is_empty());
        board.map(|line| line.chars().count()).max().unwrap_or_default()
    };
    let style = if width(style) <= columns { style } else { BoardStyle { compact: true, ..style } };
    let mut lines = state.board(style);
    let width = width(style);
    if width > columns {
        for (line, plain) in lines.iter_mut().zip(plain(style)).take_while(|(line, _)| !line.is_empty()) {
            *line = plain.chars().take(columns).collect();
        }
        lines.push(format!("(cut off: the board takes {width} columns, the terminal has {columns})"));
    }
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{find_game, read_setup};

    #[test]
    fn boards_fit_the_terminal_or_are_cut_off_and_say_so() {
        let style = BoardStyle { ascii: true, colour: true, compact: false };
        let rules = find_game("simplexity").expect("a game");
        let mut state = rules.start(&read_setup(rules, "cols=30").expect("a set-up"));
        state.play("30o").expect("a move");
        let row = |text: &str| text.lines().nth(5).expect("the lowest row").to_owned();
        let draw = |columns| fitting(&*state, style, columns);
        assert_eq!(draw(None), draw(Some(93)));
        assert!(row(&draw(Some(93))).ends_with(" . [\x1b[1;37mw\x1b[0m]"), "{}", draw(Some(93)));
        assert!(row(&draw(Some(64))).ends_with(" .[\x1b[1;37mw\x1b[0m]"), "{}", draw(Some(64)));
        let cut = draw(Some(63));
        assert!(cut.lines().rev().skip(1).all(|line| line.chars().count() <= 63), "{cut}");
        assert!(row(&cut).ends_with(" .[w"), "{cut}");
        assert!(cut.ends_with("(cut off: the board takes 64 columns, the terminal has 63)\n"), "{cut}");
    }

    #[test]
    fn captions_are_never_cut_off() {
        let style = BoardStyle { ascii: true, colour: true, compact: false };
        let captions = |text: &str| text.split_once("\n\n").expect("captions").1.to_owned();
        for rules in registry::GAMES {
            let state = rules.start(&read_setup(*rules, "").expect("a set-up"));
            let whole = captions(&fitting(&*state, style, None));
            let cut = captions(&fitting(&*state, style, Some(5)));
            assert!(cut.starts_with(&whole) && cut[whole.len()..].starts_with("(cut off: "), "{cut}");
        }
        // A board of eight columns has room where its captions have not.
        let rules = find_game("simplexity").expect("a game");
        let state = rules.start(&read_setup(rules, "rows=2,cols=2,win=2").expect("a set-up"));
        assert_eq!(fitting(&*state, style, Some(8)), fitting(&*state, style, None));
    }
}
