//! The controller: launches engine processes, plays games between them by the rules it knows itself, keeps a journal.

pub mod arena;
pub mod config;
pub mod openings;
pub mod plan;
pub mod process;
pub mod record;
pub mod spec;
pub mod table;
