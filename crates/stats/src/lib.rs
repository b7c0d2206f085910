//! Statistics of engine testing: pure functions.
