/// How far a question about a position is from its answer, seen from the side to move: a lower bound on the number of
/// positions that have yet to be decided (φ and δ of df-pn, the proof and the disproof number).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    /// To show that the side to move gets what it wants.
    pub(crate) own: u32,
    /// To show that it doesn't.
    pub(crate) other: u32,
}

impl Effort {
    /// Bits of each number.
    pub(crate) const BITS: u32 = 28;
    /// It can't be shown, as the opposite has been.
    pub(crate) const NEVER: u32 = (1 << Effort::BITS) - 1;
    /// The side to move gets what it wants.
    pub(crate) const SHOWN: Effort = Effort { own: 0, other: Effort::NEVER };
    /// It doesn't.
    pub(crate) const REFUTED: Effort = Effort { own: Effort::NEVER, other: 0 };

    pub(crate) const fn settled(is_shown: bool) -> Effort {
        if is_shown { Effort::SHOWN } else { Effort::REFUTED }
    }

    /// Whether the side to move gets what it wants, if that is known.
    pub(crate) const fn answer(self) -> Option<bool> {
        match (self.own, self.other) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}
