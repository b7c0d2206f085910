use std::fmt;

use smol_str::SmolStr;

/// One token of a message: a move, game name, key or tag. 1 to 64 characters of `[A-Za-z0-9_.@+=*/:,!?'-]`,
/// and never one of the words `moves fen startpos current tag 0000`, unless it is a key.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Token(SmolStr);

impl Token {
    /// A token, or `None` if the text is not one.
    pub fn new(text: &str) -> Option<Token> {
        let reserved = matches!(text, "moves" | "fen" | "startpos" | "current" | "tag" | "0000");
        Token::key(text).filter(|_| !reserved)
    }

    /// The key of a set-up, or `None` if the text is not one. It may be a reserved word, as it only stands where a key
    /// is due.
    pub fn key(text: &str) -> Option<Token> {
        (matches!(text.len(), 1..=64) && text.bytes().all(is_token_byte)).then(|| Token(SmolStr::new(text)))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a byte may stand in a token.
pub(crate) fn is_token_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_.@+=*/:,!?'-".contains(&b)
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
