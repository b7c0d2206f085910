game::weights! {
    /// The constants of a prover that a tuner may set: they say what to look at first, never what is so.
    pub struct Params {
        /// By how much the best move may take more effort than the second best before that is searched, in percent: with
        /// none, two equal ones would take turns, each forgotten meanwhile.
        margin "ProverMargin" = 25 in 0..=400;
        /// What all replies but the hardest count of their effort, in percent.
        others "ProverOthers" = 50 in 0..=100;
        /// More replies than this count as so many, where nothing but their number is looked at.
        replies "ProverReplies" = 1000 in 1..=100_000;
        /// What the effort at an even position with four replies is taken for, where static values tell of it
        /// ([`game::Evaluate::effort_doubles`]): the more, the finer it is told.
        even "ProverEven" = 40 in 4..=10_000;
        /// The power of the number of replies with which such an effort grows, in percent: 50 is the root.
        power "ProverPower" = 50 in 0..=200;
        /// The most such an effort is taken for, in quarters of a power of two.
        most "ProverMost" = 76 in 8..=104;
    }
}

/// All by which a prover decides what to look at first.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Constants<W> {
    /// Its own.
    pub params: Params,
    /// Those of the game.
    pub weights: W,
}
