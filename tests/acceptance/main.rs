//! Tests of the whole: real processes, real pipes.

#[path = "../common/mod.rs"]
mod common;

mod adjudication;
mod bots;
mod check;
mod cli;
mod crowd;
mod engine;
mod examples;
mod export;
mod fakes;
mod faults;
mod isolation;
mod killed;
mod league;
mod manual;
mod pages;
mod play;
mod proofs;
mod rounds;
mod shards;
mod solved;
mod sprt;
mod starts;
mod structure;
mod surroundings;
mod tables;
mod terminal;
mod transcripts;
