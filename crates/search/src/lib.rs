//! Generic game-tree search: any [`game::Evaluate`] position in, a move out.
//!
//! [`Searcher`] is principal variation search with iterative deepening over a transposition table. It searches full
//! width: nothing that could change a value is pruned, so a claimed win or loss is a proof, and its distance exact. It
//! reads no clock: [`clock`] turns limits into a time budget, and whoever implements [`game::Control`] keeps it.
//!
//! Moves are tried in this order: the table's, then by history and the game's own guess, killers slightly preferred. The
//! aspiration window stands around the value of two plies before, as values swing with who moves last. Together they
//! save 4 % of the nodes of Simplexity's bench at depths 8 and 9; killers ahead of everything else cost nodes.
//!
//! A *node* is a position reached by a move that the search played, each time it plays one; the root is none.

pub mod clock;
mod history;
mod node;
mod order;
mod searcher;
mod table;
mod value;

pub use searcher::{OPTIONS, Searcher, fixed_depth};
