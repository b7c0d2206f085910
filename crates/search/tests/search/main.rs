//! The search against brute force, on toy games and on Simplexity.

mod boards;
mod book;
mod exactness;
mod levels;
mod limits;
mod oracle;
mod threads;
mod toys;
