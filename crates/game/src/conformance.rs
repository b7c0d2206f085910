//! A battery of checks that every game must pass, whatever its rules.
