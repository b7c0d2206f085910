use std::collections::VecDeque;
use std::fmt::{self, Write};

/// How many lines are kept.
const LINES: usize = 20;

/// What stands for what is left out of a long line, and how many bytes are kept before it and after it: 200 in all.
const GAP: &str = " … ";
const HEAD: usize = 200 - GAP.len() - TAIL;
const TAIL: usize = 80;

/// How many bytes of standard error are kept.
const STDERR: usize = 4096;

/// The last lines exchanged with an engine and the end of its standard error: the evidence when something goes wrong.
#[derive(Default)]
pub(super) struct Transcript {
    lines: VecDeque<String>,
    stderr: Vec<u8>,
}

impl Transcript {
    /// Keeps a line; `direction` is `>` to the engine, `<` from it.
    pub(super) fn note(&mut self, direction: char, line: &str) {
        let mut slot =
            if self.lines.len() < LINES { None } else { self.lines.pop_front() }.unwrap_or_default();
        slot.clear();
        slot.extend([direction, ' ']);
        // Most lines are never looked at again: they are only copied.
        slot.extend(clip(line.trim_end()));
        self.lines.push_back(slot);
    }

    /// Keeps a piece of standard error.
    pub(super) fn note_stderr(&mut self, piece: &[u8]) {
        self.stderr.extend_from_slice(piece);
        if self.stderr.len() > 4 * STDERR {
            self.stderr.drain(..self.stderr.len() - STDERR);
        }
    }

    /// The last lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.iter().map(|line| Escaped(line).to_string()).collect()
    }

    /// Whether nothing has come from the engine.
    pub(super) fn is_silent(&self) -> bool {
        !self.lines.iter().any(|line| line.starts_with('<')) && self.stderr.is_empty()
    }

    /// The last 4 KiB of standard error.
    pub(super) fn stderr(&self) -> String {
        let start = self.stderr.len().saturating_sub(STDERR);
        String::from_utf8_lossy(self.stderr.get(start..).unwrap_or_default()).into_owned()
    }
}

/// A line with what would disturb a terminal escaped, and its middle left out where it is long. Clipped again it stays
/// the same.
pub(crate) struct Clipped<'a>(pub(crate) &'a str);

impl fmt::Display for Clipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The first cut only spares the work on what is left out anyway.
        let escaped = clip(self.0).map(|part| Escaped(part).to_string()).concat();
        clip(&escaped).into_iter().try_for_each(|part| f.write_str(part))
    }
}

/// A text whole, but for what is escaped, if it has no more than `most` bytes, and else [`Clipped`].
pub(crate) fn clipped_beyond(most: usize, text: &str) -> String {
    if text.len() <= most { Escaped(text).to_string() } else { Clipped(text).to_string() }
}

/// What is left of a line whose middle is left out where it is long.
fn clip(line: &str) -> [&str; 3] {
    if line.len() <= HEAD + GAP.len() + TAIL {
        return [line, "", ""];
    }
    // A character has at most four bytes, so that one of four places is a boundary.
    let head = (HEAD - 3..=HEAD).rev().find_map(|i| line.get(..i));
    let tail = (line.len() - TAIL..).find_map(|i| line.get(i..));
    [head.unwrap_or_default(), GAP, tail.unwrap_or_default()]
}

/// Characters that turn the direction of writing, so that a terminal shows what does not stand there.
const TURNS: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// A text in which what would disturb a terminal is escaped.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            c if c.is_control() && c != '\t' || TURNS.contains(&c) => write!(f, "{}", c.escape_default()),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut transcript = Transcript::default();
        (0..25).for_each(|i| transcript.note('>', &format!("line {i}\r")));
        let lines = transcript.lines();
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines.first().map(String::as_str), Some("> line 5"));
        assert_eq!(lines.last().map(String::as_str), Some("> line 24"));
    }

    #[test]
    fn long_lines_lose_their_middle_and_control_characters_are_escaped() {
        assert_eq!(Clipped("a\0b\u{1b}[2J").to_string(), "a\\u{0}b\\u{1b}[2J");
        assert_eq!(Clipped("4o\u{202e}\t").to_string(), "4o\\u{202e}\t");
        let long = format!("head {} tail", "é".repeat(500));
        let clipped = Clipped(&long).to_string();
        assert!(
            clipped.starts_with("head é") && clipped.ends_with("é tail") && clipped.len() <= 200,
            "{clipped}"
        );
    }

    #[test]
    fn what_is_clipped_is_short_and_stays_as_it_is() {
        for text in ["\u{1b}".repeat(900), "é\u{7}".repeat(66), "x".repeat(203), "y".repeat(200)] {
            let clipped = Clipped(&text).to_string();
            assert!(clipped.len() <= 200, "{clipped}");
            assert_eq!(Clipped(&clipped).to_string(), clipped);
        }
        assert_eq!(clipped_beyond(300, &"\u{7}".repeat(300)), "\\u{7}".repeat(300));
        assert!(clipped_beyond(300, &"x".repeat(301)).contains(GAP));
    }

    #[test]
    fn the_end_of_standard_error_is_kept() {
        let mut transcript = Transcript::default();
        (0..1000).for_each(|i| transcript.note_stderr(format!("{i:>99}\n").as_bytes()));
        let stderr = transcript.stderr();
        assert_eq!(stderr.len(), STDERR);
        assert!(stderr.ends_with(" 999\n"));
    }
}
