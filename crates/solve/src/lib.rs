//! Exact values of positions, with proofs: any [`game::Evaluate`] position in, a value out.
//!
//! [`solve`] decides by depth-first proof-number search what the side to move can reach. It takes the word of a game for
//! what [`game::Evaluate::tactics`] says of the next two plies. Where a game's static value tells something of the effort
//! ([`game::Evaluate::effort_doubles`]), that says what to search first, and never what is so. A draw is the answer to
//! two questions, whether the side to move wins and whether it at least draws.
//!
//! A [`Proof`] can be checked by somebody who knows nothing but the rules, and ought to be: the table tells positions apart
//! by keys of 64 bits.

mod claim;
mod effort;
mod params;
mod proof;
mod prover;
mod solution;
mod table;

pub use claim::{Claim, Goal};
pub use params::{Constants, Params};
pub use proof::{Gap, Proof};
pub use prover::{Progress, Watch};
pub use solution::{Limits, NoMemory, Solution, Value, solve};
