//! The constants of the search that a tuner may set: what each means, its value, and the range worth trying. Those of the
//! clock are its [`Pace`](crate::clock::Pace), those of a prover [`solve::Params`], those of a game's evaluation and of the
//! order of its moves its [`Weights`](game::Evaluate::Weights).
//!
//! Fixed are the sizes of tables and lists, the bounds of numbers (that of a history is a power of two, as each update
//! divides by it), and how often is asked whether to go on; what games work into tables when they are compiled, add up for
//! all cells at once bit by bit, or have networks fitted to; what they tell the compiler of themselves
//! ([`NEAR`](game::Evaluate::NEAR) and [`STEADY`](game::Evaluate::STEADY)); the limits of the levels; and the small whole
//! numbers of a formula, like the square of a depth.

game::weights! {
    /// The constants of a search.
    pub(crate) struct Params {
        /// Plies by which an iteration is deeper than the one before, counted back from the last one allowed.
        step "Step" = 1 in 1..=4;
        /// The same at full width with a single line.
        full_step "FullStep" = 2 in 1..=4;
        /// Half the width of the aspiration window.
        aspiration "Aspiration" = 20 in 5..=200;
        /// Depth from which the last iteration's value is trusted enough for a window; none reaches 1000.
        aspiration_depth "AspirationDepth" = 4 in 2..=1000;
        /// Depth from which a node at full width with a null window asks first what is known of the positions after its moves; none
        /// reaches 1000.
        ahead "Ahead" = 3 in 2..=1000;
        /// What a killer's rank is raised by among forced replies, where a game has any: enough to decide between moves of
        /// little history.
        killer "Killer" = 100 in 0..=4000;
        /// What a refutation adds to its history at most; a search of depth `d` adds `d²`. With 0 there is no history, nor
        /// trust in what refuted the move before.
        history_bonus "HistoryBonus" = 400 in 0..=4000;
        /// Moves of a node that are never reduced.
        reduce_from "ReduceFrom" = 2 in 1..=8;
        /// Depth from which moves are reduced.
        reduce_depth "ReduceDepth" = 3 in 2..=8;
        /// The reduction, in thousandths of the product of the natural logarithms of depth and place.
        reduction "Reduction" = 1000 in 0..=2500;
        /// Plies by which moves are reduced less on the principal variation.
        reduce_pv "ReducePv" = 1 in 0..=8;
        /// Moves that a node of depth 1 tries at most; one of depth `d` tries `d²` times as many.
        late "Late" = 8 in 1..=1000;
        /// Nodes that it may always take to make the distance to a proven end exact.
        measure "Measure" = 100_000 in 0..=10_000_000;
        /// Whether what a game sees without playing a move counts: wins at once and forced replies. 0 shows what that is worth.
        tactics "Tactics" = 1 in 0..=1;
        /// Whether forced replies, which `Tactics` sees, cost no depth. 0 shows what that is worth.
        forced "Forced" = 1 in 0..=1;
        /// Whether moves that force are looked at where a search with reductions ends. 0 shows what that is worth.
        horizon "Horizon" = 1 in 0..=1;
        /// Whether a side that, as the game sees, cannot win any more gets no more than a draw. 0 shows what that is worth.
        can_win "CanWin" = 1 in 0..=1;
        /// Whether anything is kept of the positions searched. 0 shows what that is worth.
        table "Table" = 1 in 0..=1;
        /// The plies by more than which an entry must be deeper than a new bound on the same position to stay in its place.
        table_keep "TableKeep" = 3 in 0..=100;
        /// The plies that an entry of an earlier search counts as less deep, for each search since, where one must make room.
        table_age "TableAge" = 4 in 0..=100;
        /// Whether games may keep what is near the horizon in a table of its own. 0 shows what that is worth.
        near "Near" = 1 in 0..=1;
        /// Whether the moves that refuted positions as far from the root are preferred. 0 shows what that is worth.
        killers "Killers" = 1 in 0..=1;
        /// Whether the move that last refuted the move before is preferred. 0 shows what that is worth.
        answers "Answers" = 1 in 0..=1;
        /// Above which history it is: one that has failed elsewhere more often is better judged among all the others.
        answer_above "AnswerAbove" = 0 in -16_384..=16_384;
        /// So many moves of a node are selected one by one, as most nodes need no more; then the rest is sorted.
        select "Select" = 8 in 4..=64;
        /// Whether all moves but the first are first asked only whether they are better. 0 shows what that is worth; then
        /// every node counts as one of the principal variation, unless it is reduced, and lines may end where the table knew
        /// the rest.
        null_window "NullWindow" = 1 in 0..=1;
    }
}

impl Params {
    /// The plies that a reply costs less for being forced, if it is.
    #[inline]
    pub(crate) fn free(&self, is_forced: bool) -> u32 {
        if is_forced { self.forced as u32 } else { 0 }
    }
}
