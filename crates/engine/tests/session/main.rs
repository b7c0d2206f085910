//! Sessions in this process, over pipes.

mod client;
mod commands;
mod ends;
mod handshake;
mod lines;
mod random;
mod searches;
mod toy;
