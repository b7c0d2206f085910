use crate::{Outcome, Side};

/// What people call things in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// The two players.
    pub sides: [&'static str; 2],
    /// How moves are written, with an example.
    pub moves: &'static str,
    /// What each reason token of [`Outcome::reason`] means.
    pub reasons: &'static [(&'static str, &'static str)],
}

impl Words {
    /// What people call a player.
    pub fn side(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// The meaning of a reason token; one the game doesn't know stands for itself.
    pub fn reason<'a>(&self, token: &'a str) -> &'a str {
        self.reasons.iter().find(|(known, _)| *known == token).map_or(token, |(_, meaning)| meaning)
    }

    /// How a game ended, in words.
    pub fn verdict(&self, outcome: Outcome) -> String {
        let reason = self.reason(outcome.reason);
        match outcome.winner {
            Some(side) => format!("{} has won: {reason}", self.side(side)),
            None => format!("drawn: {reason}"),
        }
    }
}
