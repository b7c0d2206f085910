//! Statistics of matches: what a result says about playing strength, and how surely. Pure functions.
//!
//! Results are seen from the tested engine's side. Elo is the logistic one: 400 points are odds of ten to one.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod elo;
mod summary;

pub use elo::{elo_of_score, expected_score, normal_cdf};
pub use summary::{
    Counts, Summary, Z95, los_of_decisive_games, los_with_uniform_prior, pairs_for_half_width,
};
