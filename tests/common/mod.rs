//! What the root package's tests share.

pub(crate) mod transcript;
