//! Fixed-width bit sets for boards.
