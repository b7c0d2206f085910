use std::fmt;

/// One token of a message: a move, game name, key, tag or capability. 1 to 64 characters of `[A-Za-z0-9_.@+=*/:,!?'-]`,
/// and never one of the words `moves fen startpos current tag 0000`.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Token(String);

impl Token {
    /// A token, or `None` if the text is not one.
    pub fn new(text: &str) -> Option<Token> {
        let fine = |b: u8| b.is_ascii_alphanumeric() || b"_.@+=*/:,!?'-".contains(&b);
        let reserved = matches!(text, "moves" | "fen" | "startpos" | "current" | "tag" | "0000");
        (matches!(text.len(), 1..=64) && text.bytes().all(fine) && !reserved).then(|| Token(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
