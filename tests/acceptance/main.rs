//! Tests of the whole: real processes, real pipes.

mod fakes;
mod faults;
mod starts;
mod tables;
