//! What every line of an engine must be, whatever it says.

use protocol::Reply;

use super::script::words;
use crate::driver::transcript::Clipped;

/// The longest line but for lists of moves, in bytes.
const LONG: usize = 64 << 10;
/// How many of the breaches found in passing are kept.
pub(super) const KEPT: usize = 100;

/// A breach found in passing: it ends no step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Aside {
    pub(super) kind: Kind,
    pub(super) expected: String,
    pub(super) got: String,
}

/// What was found in passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A line that is none of the protocol's.
    Line,
    /// An illegal move in the line of an `info`.
    Pv,
}

/// What is wrong with a line without its line feed: what was expected, and what it is.
pub(super) fn inspect(line: &[u8]) -> Option<(String, String)> {
    let text = String::from_utf8_lossy(line);
    let shown = Clipped(&text).to_string();
    let is_list = ["response legal ", "response moves "].iter().any(|list| text.starts_with(list));
    let expected = if std::str::from_utf8(line).is_err() || line.contains(&0) {
        "UTF-8 without NUL"
    } else if line.contains(&b'\r') {
        "a line feed alone at the end of a line"
    } else if line.len() > LONG && !is_list {
        "lines of at most 64 KiB"
    } else {
        match Reply::parse(line) {
            Reply::Unknown(text) if text.starts_with("x-") => return None,
            Reply::Unknown(_) => "a reply of the protocol, or a private word that begins with x-",
            Reply::Info(_) if !is_info(&text) => "a number after each word of an info line that has one",
            _ => return None,
        }
    };
    Some((expected.to_owned(), shown))
}

/// What is wrong with a line that was too long to be kept.
pub(super) fn too_long() -> (String, String) {
    ("lines of at most 64 KiB".into(), "a line of more than 1 MiB".into())
}

/// Whether the known words of an `info` line have their numbers. Unknown words may follow each other.
fn is_info(line: &str) -> bool {
    let mut words = words(line).skip(1);
    while let Some(word) = words.next() {
        let numbers = match word {
            "string" | "pv" => return true,
            "depth" | "seldepth" | "multipv" | "endply" | "nodes" | "nps" | "hashfull" | "time" | "cp"
            | "mate" => 1,
            "wdl" => 3,
            "score" => {
                if !words.clone().next().is_some_and(|word| matches!(word, "cp" | "mate")) {
                    return false;
                }
                0
            }
            _ => 0,
        };
        if !(0..numbers).all(|_| words.next().is_some_and(|word| word.parse::<i64>().is_ok())) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_protocol_pass() {
        for line in [
            "info depth 4 seldepth 6 score cp -12 lowerbound wdl 1 2 3 nodes 5 pv 3s 4o",
            "info string what you like: score depth",
            "info currmove 4o depth 3",
            "x-mine 1 2",
            "error bad-value Hash : expected",
            "boardline   7",
        ] {
            assert_eq!(inspect(line.as_bytes()), None, "{line}");
        }
        assert_eq!(inspect(format!("response legal {}", "4o ".repeat(50_000)).as_bytes()), None);
    }

    #[test]
    fn others_do_not() {
        let long = format!("info string {}", "x".repeat(LONG));
        for (line, expected) in [
            (&b""[..], "a reply"),
            (b"hello there", "a reply"),
            (b"readyok now", "a reply"),
            (b"readyok\r", "a line feed alone"),
            (b"info string \xff", "UTF-8"),
            (b"info string \0", "UTF-8 without NUL"),
            (b"info depth x", "a number"),
            (b"info score 12", "a number"),
            (b"info wdl 1 2 pv 4o", "a number"),
            (long.as_bytes(), "lines of at most"),
        ] {
            let (expectation, _) = inspect(line).unwrap_or_else(|| panic!("{line:?} passes"));
            assert!(expectation.starts_with(expected), "{line:?}: {expectation}");
        }
    }
}
