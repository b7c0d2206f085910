//! The language of steps: that of the golden sessions (appendix of `protocol/SPEC.md`), with some marks more.

use std::time::Duration;

use rustix::process::Signal;

/// One line of a script, or several that are sent together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// `> LINE` and those right after it: sent in one write.
    Send(Vec<u8>),
    /// `< PATTERN`: the next line.
    Expect(String),
    /// `<* PATTERN`: lines of this kind are passed over, as many as there are.
    Pass(String),
    /// `! close`: the engine's input ends.
    Close,
    /// `! deaf`: nobody reads the engine's output any more.
    Deaf,
    /// `! silence MS`: no answer for so long.
    Silence(Duration),
    /// `! idle MS`: no answer, and soon next to no processor time for so long.
    Idle(Duration),
    /// `! signal term` or `int`.
    Signal(Signal),
    /// `! exit`: the engine leaves with code 0, without another answer.
    Exit,
}

/// Reads a script. `>| LINE` is a line without its line feed; `\xNN` is that byte and `{TEXT*COUNT}` so many copies.
pub(super) fn parse(text: &str) -> Result<Vec<Action>, String> {
    let mut script = Vec::new();
    for line in text.lines() {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let action = match mark {
            "" => continue,
            ">" | ">|" => {
                let mut bytes = unescape(rest).ok_or_else(|| format!("bad escape: {line}"))?;
                if mark == ">" {
                    bytes.push(b'\n');
                }
                if let Some(Action::Send(sent)) = script.last_mut() {
                    sent.append(&mut bytes);
                    continue;
                }
                Action::Send(bytes)
            }
            "<" => Action::Expect(rest.to_owned()),
            "<*" => Action::Pass(rest.to_owned()),
            "!" => order(rest).ok_or_else(|| format!("no such order: {line}"))?,
            _ => return Err(format!("expected >, >|, <, <* or !: {line}")),
        };
        script.push(action);
    }
    Ok(script)
}

fn order(text: &str) -> Option<Action> {
    let (word, argument) = text.split_once(' ').unwrap_or((text, ""));
    let time = || argument.parse().ok().map(Duration::from_millis);
    Some(match (word, argument) {
        ("close", "") => Action::Close,
        ("deaf", "") => Action::Deaf,
        ("exit", "") => Action::Exit,
        ("silence", _) => Action::Silence(time()?),
        ("idle", _) => Action::Idle(time()?),
        ("signal", "term") => Action::Signal(Signal::TERM),
        ("signal", "int") => Action::Signal(Signal::INT),
        _ => return None,
    })
}

/// Replaces `\xNN` by that byte and `{TEXT*COUNT}` by so many copies of the text; `None`: it is neither.
pub fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if let Some(escape) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(escape.get(..2)?, 16).ok()?);
            rest = escape.get(2..)?;
        } else if let Some((repeat, after)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            let (part, count) = repeat.rsplit_once('*')?;
            bytes.extend(unescape(part)?.repeat(count.parse().ok()?));
            rest = after;
        } else {
            let (plain, after) = rest.split_at(next.len_utf8());
            bytes.extend(plain.as_bytes());
            rest = after;
        }
    }
    Some(bytes)
}

/// Whether a line matches a pattern, word by word. `{int}` stands for an integer, `{word}` for any word, `{move}` for
/// one that is not `0000`, `{a|b}` for one of the words named, and `{rest}` for whatever follows.
pub fn matches(pattern: &str, line: &str) -> bool {
    let mut words = words(line);
    for expected in pattern.split(' ').filter(|word| !word.is_empty()) {
        if expected == "{rest}" {
            return true;
        }
        let Some(word) = words.next() else { return false };
        let fits = match expected.strip_prefix('{').and_then(|hole| hole.strip_suffix('}')) {
            Some("int") => word.parse::<i64>().is_ok(),
            Some("word") => true,
            Some("move") => word != "0000",
            Some(choice) => choice.split('|').any(|one| one == word),
            None => expected == word,
        };
        if !fits {
            return false;
        }
    }
    words.next().is_none()
}

/// The words of a line, as the protocol separates them.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> + Clone {
    line.split([' ', '\t']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(matches("bestmove {4o|4s} tag {word}", "bestmove\t4s  tag x"));
        assert!(matches("info {rest}", "info"));
        assert!(matches("response perft {int}", "response perft 14"));
        assert!(matches("bestmove {move}", "bestmove 4o"));
        assert!(!matches("bestmove {move}", "bestmove 0000"));
        assert!(!matches("response perft {int}", "response perft x"));
        assert!(!matches("readyok", "readyok now"));
        assert!(!matches("readyok now", "readyok"));
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\xff{bc*2}").as_deref(), Some(&b"a\xffbcbc"[..]));
        assert_eq!(unescape("{d\\x0a*3}").as_deref(), Some(&b"d\nd\nd\n"[..]));
        assert_eq!(unescape("\\xg0"), None);
        assert_eq!(unescape("{a}"), None);
    }

    #[test]
    fn scripts() {
        let script = parse("> a\n>\n>| {b*3}\\xff\n< c {rest}\n<* d\n! silence 5\n! signal int\n! exit\n");
        let expected = [
            Action::Send(b"a\n\nbbb\xff".to_vec()),
            Action::Expect("c {rest}".into()),
            Action::Pass("d".into()),
            Action::Silence(Duration::from_millis(5)),
            Action::Signal(Signal::INT),
            Action::Exit,
        ];
        assert_eq!(script.as_deref(), Ok(&expected[..]));
        for text in ["a", "> \\xg0", "> {a}", "! open", "! silence soon", "! signal kill"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
