//! How lines are cut into words and how text is kept on one line.

use std::borrow::Cow;
use std::fmt;

/// What separates words.
pub(crate) const BLANKS: [char; 2] = [' ', '\t'];

const fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t')
}

/// What may not stand inside a line.
const BREAKS: [char; 3] = ['\n', '\r', '\0'];

/// The text of a line, in any encoding and with or without its carriage return. What could break a line when it is
/// printed again is replaced as in [`OneLine`].
pub(crate) fn decode(line: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
    if text.contains(BREAKS) { Cow::Owned(OneLine(&text).to_string()) } else { text }
}

/// The words of a line, and at any time the text that has not been read yet.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of a line.
    pub(crate) fn new(line: &'a str) -> Words<'a> {
        Words { rest: line.trim_end_matches(BLANKS) }
    }

    /// The next word, left unread.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// All that is left, without the blanks before it.
    pub(crate) fn text(&self) -> &'a str {
        self.rest.trim_start_matches(BLANKS)
    }

    /// All that is left but the one blank that ends the word before: text whose indentation matters.
    pub(crate) fn indented(&self) -> &'a str {
        self.rest.strip_prefix(BLANKS).unwrap_or(self.rest)
    }

    /// Reads the words up to one that `ends` accepts, which is left unread, and joins them by single blanks.
    pub(crate) fn phrase(&mut self, ends: impl Fn(&str) -> bool) -> String {
        let mut phrase = String::new();
        while let Some(word) = self.peek().filter(|word| !ends(word)) {
            if !phrase.is_empty() {
                phrase.push(' ');
            }
            phrase.push_str(word);
            self.next();
        }
        phrase
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.rest.bytes();
        let start = bytes.clone().position(|b| !is_blank(b))?;
        let length = bytes.skip(start).position(is_blank).unwrap_or(self.rest.len() - start);
        let (word, rest) = self.rest.get(start..)?.split_at_checked(length)?;
        self.rest = rest;
        Some(word)
    }
}

/// Prints text with its line feeds and carriage returns as blanks and NUL as U+FFFD.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.split_inclusive(BREAKS).try_for_each(|part| match part.strip_suffix(BREAKS) {
            None => f.write_str(part),
            Some(text) => write!(f, "{text}{}", if part.ends_with('\0') { '\u{fffd}' } else { ' ' }),
        })
    }
}

/// Prints each item with a blank before it.
pub(crate) fn write_all<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    items.into_iter().try_for_each(|item| write!(f, " {item}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_at_runs_of_blanks_and_tabs() {
        let words: Vec<_> = Words::new(" \ta\t\tbc  d ").collect();
        assert_eq!(words, ["a", "bc", "d"]);
        assert_eq!(Words::new(" \t ").next(), None);
        assert_eq!(Words::new("é\u{a0}x y").collect::<Vec<_>>(), ["é\u{a0}x", "y"]);
    }

    #[test]
    fn the_rest_is_text() {
        let mut words = Words::new("key   two  blanks  ");
        assert_eq!(words.next(), Some("key"));
        assert_eq!(words.indented(), "  two  blanks");
        assert_eq!(words.text(), "two  blanks");
        assert_eq!(words.phrase(|w| w == "blanks"), "two");
        assert_eq!(words.next(), Some("blanks"));
        assert_eq!(words.next(), None);
        assert_eq!(words.text(), "");
    }

    #[test]
    fn text_never_breaks_a_line() {
        assert_eq!(OneLine("a\r\nb\0c").to_string(), "a  b\u{fffd}c");
        assert_eq!(decode(b"a\rb\xff\0\r"), "a b\u{fffd}\u{fffd}");
        assert_eq!(decode(b"\r"), "");
    }
}
