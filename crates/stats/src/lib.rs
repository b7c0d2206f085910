//! Statistics of matches and tournaments: what results say about playing strength, and how surely; who meets whom.
//! Pure functions.
//!
//! Results are seen from the tested engine's side. Elo is the logistic one: 400 points are odds of ten to one.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod bayeselo;
mod berger;
mod crosstable;
mod distributions;
mod draws;
mod elo;
mod estimate;
mod frequencies;
mod glicko;
mod homogeneity;
mod knockout;
mod likelihood;
mod linear;
mod ratings;
mod root;
mod sprt;
mod summary;
mod swiss;

pub use bayeselo::BayesElo;
pub use berger::berger;
pub use crosstable::{CrossTable, Cut, TieBreak};
pub use distributions::{chi_square_tail, normal_cdf, normal_quantile, student_quantile};
pub use draws::{DrawModel, GameResult};
pub use elo::{elo_of_score, expected_score, updated_elo};
pub use estimate::Estimate;
pub use glicko::{Glicko, Glicko2, Opponent};
pub use homogeneity::{Homogeneity, homogeneity};
pub use knockout::knockout_round;
pub use likelihood::Model;
pub use ratings::{Anchor, Cluster, Errors, Fit, Game, Ratings, RatingsError, components};
pub use sprt::{Characteristic, Hypothesis, Sprt, SprtError};
pub use summary::{
    Counts, Summary, Z95, los_of_decisive_games, los_with_uniform_prior, pairs_for_half_width,
};
pub use swiss::{Entrant, Round, swiss_round};
