//! The engine side of the protocol.
