//! Values inside the tree: from the side to move, estimates near 0, wins and losses by their distance from the root.

use game::{Game, Outcome, Score, Side};

/// A win at the root itself; one `n` plies below it is worth `n` less. The whole scale fits 16 bits.
const WIN: i32 = 32_000;
/// Outside every value.
pub(crate) const INFINITE: i32 = WIN + 1;
/// Deepest ply a search reaches: bounds the recursion and keeps won values clear of estimates.
pub(crate) const MAX_DEPTH: u32 = 250;
/// Largest absolute value an estimate may have.
pub(crate) const MAX_ESTIMATE: i32 = WIN - 2 * MAX_DEPTH as i32;

/// The value of winning `ply` plies below the root.
pub(crate) fn win_at(ply: u32) -> i32 {
    WIN - ply as i32
}

/// The value, for `mover`, of a game that ended `ply` plies below the root.
pub(crate) fn of_outcome(outcome: Outcome, mover: Side, ply: u32) -> i32 {
    match outcome.winner {
        Some(winner) if winner == mover => win_at(ply),
        Some(_) => -win_at(ply),
        None => 0,
    }
}

/// Whether the game is decided: a proven win or loss.
pub(crate) fn is_decisive(value: i32) -> bool {
    value.abs() > MAX_ESTIMATE
}

/// Whether the game is lost: no other move can be worse.
pub(crate) fn is_loss(value: i32) -> bool {
    value < -MAX_ESTIMATE
}

/// Moves the reference point of a won or lost value from the root to a node `ply` plies below it.
pub(crate) fn to_node(value: i32, ply: u32) -> i32 {
    if is_decisive(value) { value + value.signum() * ply as i32 } else { value }
}

/// The inverse of [`to_node`].
pub(crate) fn to_root(value: i32, ply: u32) -> i32 {
    if is_decisive(value) { value - value.signum() * ply as i32 } else { value }
}

/// The value at the root as the world sees it. With `exhausted`, every line was searched to the end of the game, so
/// that 0 is a proven draw, `plies` away.
pub(crate) fn to_score(value: i32, exhausted: bool, plies: usize) -> Score {
    match value {
        v if v > MAX_ESTIMATE => Score::Win((WIN - v) as u32),
        v if v < -MAX_ESTIMATE => Score::Loss((WIN + v) as u32),
        0 if exhausted => Score::Draw(plies as u32),
        v => Score::Cp(v),
    }
}

/// The static value of an unfinished position.
pub(crate) fn estimate<G: game::Evaluate>(position: &G, memo: &G::Memo, weights: &G::Weights) -> i32 {
    const { assert!(G::LIMIT <= MAX_ESTIMATE, "estimates must not look like wins") };
    let value = position.evaluate_with(memo, weights);
    debug_assert!(value.abs() <= G::LIMIT, "evaluate() = {value} is out of its bounds");
    value
}

/// "No move" in a table.
pub(crate) const NO_MOVE: u16 = 0xFFFF;

/// Packs an optional move.
pub(crate) fn pack<G: Game>(m: Option<G::Move>) -> u16 {
    m.map_or(NO_MOVE, G::move_bits)
}
