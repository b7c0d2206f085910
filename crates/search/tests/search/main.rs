//! The search against brute force, on toy games, Simplexity and X-Rudder.

mod boards;
mod book;
mod endings;
mod exactness;
mod levels;
mod limits;
mod oracle;
mod threads;
mod toys;
