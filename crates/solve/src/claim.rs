use game::{Game, Outcome, Side, zobrist};

/// What a player is said to reach, whatever the opponent does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Goal {
    /// To win.
    Win,
    /// To win or draw.
    Draw,
}

impl Goal {
    /// `win` or `draw`.
    pub const fn token(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Draw => "draw",
        }
    }
}

/// That a side reaches a goal by force. Either a claim or its [opposite](Claim::opposite) is true of any position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Claim {
    /// Who reaches the goal.
    pub side: Side,
    /// The goal.
    pub goal: Goal,
}

impl Claim {
    /// That the other side keeps this one from its goal.
    #[must_use]
    pub const fn opposite(self) -> Claim {
        let goal = match self.goal {
            Goal::Win => Goal::Draw,
            Goal::Draw => Goal::Win,
        };
        Claim { side: self.side.other(), goal }
    }

    /// Whether a game that ended so bears the claim out.
    pub fn is_met(self, outcome: Outcome) -> bool {
        match outcome.winner {
            Some(winner) => winner == self.side,
            None => self.goal == Goal::Draw,
        }
    }

    /// What sets the table's entries for different claims apart; a claim and its opposite are one question.
    fn salt(self) -> u64 {
        zobrist::number(
            0x0053_6f6c_7665,
            u64::from(self.side == Side::First) ^ u64::from(self.goal == Goal::Win),
        )
    }

    /// The table's key for this claim about a position, to be decided within so many plies.
    pub(crate) fn key<G: Game>(self, position: &G, plies: u32) -> u64 {
        let key = position.folded().map_or_else(|| position.key(), |folded| folded.key());
        key ^ self.salt() ^ zobrist::number(0x0050_6c69_6573, u64::from(plies))
    }
}
