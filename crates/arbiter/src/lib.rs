//! The controller: launches engine processes, plays games between them by the rules it knows itself, keeps a journal.

pub mod arena;
pub mod config;
pub mod process;
pub mod record;
pub mod table;
