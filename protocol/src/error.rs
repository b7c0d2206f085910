use std::fmt;

use crate::token::is_token_byte;
use crate::words::{OneLine, Words, write_all};

/// An `error CODE detail … [: text]` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorReply {
    /// What kind of error.
    pub code: ErrorCode,
    /// The fixed details of the code, one word each. [`ErrorReply::detail`] makes any text fit.
    pub details: Vec<String>,
    /// For people, may change at any time; empty: none.
    pub text: String,
}

/// The error codes of version 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ErrorCode {
    /// `unknown-command WORD`: the line's first word is no command.
    UnknownCommand,
    /// `bad-syntax WORD`: a word that can't stand there, or one whose argument is missing.
    BadSyntax,
    /// `bad-number WORD`: not a decimal number of the range its place has.
    BadNumber,
    /// `bad-encoding`: the line holds NUL or isn't UTF-8.
    BadEncoding,
    /// `line-too-long`: the line has more than [`crate::MAX_LINE`] bytes.
    LineTooLong,
    /// `unknown-game GAME`: the engine doesn't play it.
    UnknownGame,
    /// `bad-param KEY VALUE`: a set-up key that is unknown, repeated or has a bad value.
    BadParam,
    /// `unknown-option NAME`: no option is called that.
    UnknownOption,
    /// `bad-value NAME`: the option has a value, but not this one.
    BadValue,
    /// `bad-fen FIELD`: the number of the position string's first bad field, from 1.
    BadFen,
    /// `illegal-move INDEX MOVE`: the first bad move of a list, counted from 1.
    IllegalMove,
    /// `no-position`: the position is unset.
    NoPosition,
    /// `game-over`: the position has no move to search for.
    GameOver,
    /// `busy`: too much is queued, the line was dropped.
    Busy,
    /// `unsupported WORD`: part of the protocol, but not of this engine or not now.
    Unsupported,
    /// `aborted [WORD]`: given up before its end.
    Aborted,
    /// `internal`: a fault of the engine.
    Internal,
}

impl ErrorCode {
    /// Every code, in the order of the specification.
    pub const ALL: [ErrorCode; 17] = [
        ErrorCode::UnknownCommand,
        ErrorCode::BadSyntax,
        ErrorCode::BadNumber,
        ErrorCode::BadEncoding,
        ErrorCode::LineTooLong,
        ErrorCode::UnknownGame,
        ErrorCode::BadParam,
        ErrorCode::UnknownOption,
        ErrorCode::BadValue,
        ErrorCode::BadFen,
        ErrorCode::IllegalMove,
        ErrorCode::NoPosition,
        ErrorCode::GameOver,
        ErrorCode::Busy,
        ErrorCode::Unsupported,
        ErrorCode::Aborted,
        ErrorCode::Internal,
    ];

    /// The code's word on the wire.
    pub const fn token(self) -> &'static str {
        match self {
            ErrorCode::UnknownCommand => "unknown-command",
            ErrorCode::BadSyntax => "bad-syntax",
            ErrorCode::BadNumber => "bad-number",
            ErrorCode::BadEncoding => "bad-encoding",
            ErrorCode::LineTooLong => "line-too-long",
            ErrorCode::UnknownGame => "unknown-game",
            ErrorCode::BadParam => "bad-param",
            ErrorCode::UnknownOption => "unknown-option",
            ErrorCode::BadValue => "bad-value",
            ErrorCode::BadFen => "bad-fen",
            ErrorCode::IllegalMove => "illegal-move",
            ErrorCode::NoPosition => "no-position",
            ErrorCode::GameOver => "game-over",
            ErrorCode::Busy => "busy",
            ErrorCode::Unsupported => "unsupported",
            ErrorCode::Aborted => "aborted",
            ErrorCode::Internal => "internal",
        }
    }
}

impl ErrorReply {
    /// An error without details or text.
    pub const fn new(code: ErrorCode) -> ErrorReply {
        ErrorReply { code, details: Vec::new(), text: String::new() }
    }

    /// Adds a detail. Whatever the text is, it becomes one word of a token's letters and length: others turn into `?`.
    #[must_use]
    pub fn detail(mut self, word: impl fmt::Display) -> ErrorReply {
        let fit = |c: char| if u8::try_from(c).is_ok_and(is_token_byte) { c } else { '?' };
        let word: String = word.to_string().chars().take(64).map(fit).collect();
        // A lone colon would begin the text, and an empty word would be none.
        self.details.push(if matches!(word.as_str(), ":" | "") { "?".to_owned() } else { word });
        self
    }

    /// Sets the text for people.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> ErrorReply {
        self.text = text.into();
        self
    }

    /// `error unknown-command WORD`.
    pub fn unknown_command(word: &str) -> ErrorReply {
        ErrorReply::new(ErrorCode::UnknownCommand).detail(word)
    }

    /// `error bad-syntax WORD`: the word that can't stand there or whose argument is missing.
    pub fn bad_syntax(word: &str) -> ErrorReply {
        ErrorReply::new(ErrorCode::BadSyntax).detail(word)
    }

    /// `error bad-number WORD`: the word that is no number, or none of the range.
    pub fn bad_number(word: &str) -> ErrorReply {
        ErrorReply::new(ErrorCode::BadNumber).detail(word)
    }

    /// `error unknown-game GAME`.
    pub fn unknown_game(game: &str) -> ErrorReply {
        ErrorReply::new(ErrorCode::UnknownGame).detail(game)
    }

    /// `error bad-param KEY VALUE`.
    pub fn bad_param(key: &str, value: &str) -> ErrorReply {
        ErrorReply::new(ErrorCode::BadParam).detail(key).detail(value)
    }

    /// `error unknown-option NAME`; a name of several words gives several details.
    pub fn unknown_option(name: &str) -> ErrorReply {
        Words::new(name).fold(ErrorReply::new(ErrorCode::UnknownOption), ErrorReply::detail)
    }

    /// `error bad-value NAME`; a name of several words gives several details.
    pub fn bad_value(name: &str) -> ErrorReply {
        Words::new(name).fold(ErrorReply::new(ErrorCode::BadValue), ErrorReply::detail)
    }

    /// `error bad-fen FIELD`, fields counted from 1.
    pub fn bad_fen(field: usize) -> ErrorReply {
        ErrorReply::new(ErrorCode::BadFen).detail(field)
    }

    /// `error illegal-move INDEX MOVE`, moves counted from 1 within their list.
    pub fn illegal_move(index: usize, text: &str) -> ErrorReply {
        ErrorReply::new(ErrorCode::IllegalMove).detail(index).detail(text)
    }

    /// `error unsupported WORD`: such as `version`, `wait` or the name of a query.
    pub fn unsupported(what: &str) -> ErrorReply {
        ErrorReply::new(ErrorCode::Unsupported).detail(what)
    }

    /// Reads what follows the word `error`; `None` if the code is not one of this version.
    pub(crate) fn parse(words: &mut Words) -> Option<ErrorReply> {
        let code = words.next()?;
        let code = ErrorCode::ALL.into_iter().find(|c| c.token() == code)?;
        let mut error = ErrorReply::new(code);
        while let Some(word) = words.next() {
            if word == ":" {
                words.text().clone_into(&mut error.text);
                break;
            }
            error.details.push(word.to_owned());
        }
        Some(error)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.token())
    }
}

impl fmt::Display for ErrorReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {}", self.code)?;
        write_all(f, self.details.iter().map(|d| OneLine(d)))?;
        if !self.text.is_empty() {
            write!(f, " : {}", OneLine(&self.text))?;
        }
        Ok(())
    }
}
