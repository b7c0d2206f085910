//! The controller: launches engine processes, plays games between them by the rules it knows itself, keeps a journal.

pub mod adjudication;
pub mod arena;
mod clock;
pub mod config;
mod driver;
pub mod export;
mod fault;
pub mod interrupts;
pub mod journal;
pub mod league;
pub mod merge;
pub mod openings;
pub mod plan;
pub mod preset;
pub mod process;
pub mod record;
pub mod report;
pub mod rounds;
pub mod runner;
pub mod shard;
pub mod sheet;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod system;
pub mod table;
pub mod view;
