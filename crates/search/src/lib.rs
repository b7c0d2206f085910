//! Generic game-tree search: any [`game::Evaluate`] position in, a move out.
//!
//! [`Searcher`] is principal variation search with iterative deepening over a transposition table. It reads no clock:
//! [`clock`] turns limits into a time budget, and whoever implements [`game::Control`] keeps it.
//!
//! A win at once is seen without being played, and a forced reply costs no depth ([`game::Evaluate::tactics`]). Moves that
//! come late in their node's order are first searched less deep, and again in full if they turn out better than
//! expected; near the end of the search the last are left out, unless all before them lose. Where the search ends, moves
//! that force are still looked at ([`game::Evaluate::forcing`]). A side that cannot win any more, as the game sees
//! ([`game::Evaluate::can_win`]), gets no more than a draw. So a value that is no proof is an estimate, not plain
//! negamax's; with the option `FullWidth`, and where several lines are wanted, nothing of this is done and every value is
//! plain negamax's. Wins and losses are proofs in any case: every reply of the loser leads to one. Their distance is made
//! exact by a search of full width for anything nearer, as far as the limits and about as many nodes again allow.
//!
//! Moves are tried in this order: the table's, the killers, which last refuted positions as far from the root, the one
//! that last refuted the move before, then by history and the game's own guess; among forced replies killers are slightly
//! preferred. Where moves are few and keep their meaning ([`game::Evaluate::STEADY`]), all of them are kept sorted, and
//! killers count among forced replies alone. The aspiration window stands around the value of two plies before, as values
//! swing with who moves last.
//!
//! Games whose nodes take less time than a look into the memory of the table keep what they find near the horizon in a
//! second one of 128 KiB, which each thread has to itself for as long as its search lasts ([`game::Evaluate::NEAR`]).
//! Nothing is kept there of positions with a single forced reply. `Hash` and `hashfull` do not count it.
//!
//! With the option `Threads`, several threads search the same root, each with its own history and killers, and share the
//! table; the answer is that of the one that has seen deepest, or has proven a win. How far each comes depends on the
//! machine, so only the search of one thread can be repeated.
//!
//! With the option `Prover`, a thread proves beside them ([`solve`]), and what it has proven goes before what they think.
//! They never wait for it: what it hasn't handed over when they end is lost.
//!
//! Where a game has a book ([`game::Evaluate::book`]), its move is the only one that is considered, as long as the option
//! `OwnBook` is on and a move is to be played, not a position analysed.
//!
//! A *node* is a position reached by a move that the search played, each time it plays one; the root is none.

pub mod clock;
mod history;
mod level;
mod node;
mod order;
mod params;
mod proving;
mod reduction;
mod searcher;
mod table;
mod team;
mod value;

pub use searcher::{ALL_OPTIONS, OPTIONS, Searcher, fixed_depth};
pub use team::STACK;
