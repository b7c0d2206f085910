//! What an engine can be guilty of.

use std::fmt;

/// Why an engine loses a game other than by its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// Its move came late.
    Time,
    /// Its move, or another answer, did not come at all.
    Stall,
    /// It died of a signal or with an exit code other than 0.
    Crash,
    /// It exited with code 0 while owing an answer.
    Exit,
    /// Its move is not legal.
    Illegal,
    /// Its answer is not of the game's move grammar.
    Malformed,
    /// It had no move to give.
    NoMove,
    /// Its output exceeded the quota.
    Flood,
    /// It refused a legal move of the game so far.
    RejectsLegalMove,
    /// It closed a stream and lives on.
    Disconnect,
    /// It could not be started, in a league, which goes on with the others.
    NoStart,
}

impl Reason {
    /// The reason token of records.
    pub(crate) const fn token(self) -> &'static str {
        match self {
            Reason::Time => "time",
            Reason::Stall => "stall",
            Reason::Crash => "crash",
            Reason::Exit => "exit",
            Reason::Illegal => "illegal",
            Reason::Malformed => "malformed",
            Reason::NoMove => "no-move",
            Reason::Flood => "flood",
            Reason::RejectsLegalMove => "rejects-legal-move",
            Reason::Disconnect => "disconnect",
            Reason::NoStart => "no-start",
        }
    }

    /// Whether the process can play on: it has answered and owes nothing.
    pub(crate) const fn leaves_engine_usable(self) -> bool {
        matches!(self, Reason::Time | Reason::Illegal | Reason::Malformed | Reason::NoMove)
    }
}

/// A fault: why, and what exactly happened, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    pub(crate) detail: String,
}

impl Fault {
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Fault {
        Fault { reason, detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.token(), self.detail)
    }
}
