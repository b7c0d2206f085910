//! Generic game-tree search: any [`game::Evaluate`] position in, a move out.
//!
//! [`Searcher`] is principal variation search with iterative deepening over a transposition table. It searches full
//! width: nothing that could change a value is pruned, so a claimed win or loss is a proof, and its distance exact. It
//! reads no clock: [`clock`] turns limits into a time budget, and whoever implements [`game::Control`] keeps it.
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
