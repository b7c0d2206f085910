//! The controller: launches engine processes, plays games between them by the rules it knows itself, keeps a journal.

pub mod config;
pub mod record;
