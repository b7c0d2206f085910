//! Tests of the protocol's messages through its public interface.

mod commands;
mod lines;
mod replies;
mod round_trip;
mod specification;
