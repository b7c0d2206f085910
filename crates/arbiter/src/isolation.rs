//! What engines that nobody has looked into are kept from.

use serde::{Deserialize, Serialize};

/// What an engine is kept from; what isn't said is as the run has it, and otherwise off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Isolation {
    /// MiB of memory, as address space, that each of its processes may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Whether each of its processes gets a new directory of its own for what it writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scratch: Option<bool>,
    /// Whether it is kept from the network, from files elsewhere, and from other processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<bool>,
}

impl Isolation {
    /// The same, with what isn't said taken from the run.
    #[must_use]
    pub fn or(self, run: Isolation) -> Isolation {
        Isolation {
            memory: self.memory.or(run.memory),
            scratch: self.scratch.or(run.scratch),
            sandbox: self.sandbox.or(run.sandbox),
        }
    }

    /// Whether nothing is said.
    pub fn is_unsaid(&self) -> bool {
        *self == Isolation::default()
    }

    /// Whether it is in the sandbox.
    pub(crate) fn is_sandboxed(self) -> bool {
        self.sandbox == Some(true)
    }

    /// Whether it gets a directory: without one, nothing in a sandbox could be written.
    pub(crate) fn has_scratch(self) -> bool {
        self.scratch == Some(true) || self.is_sandboxed()
    }
}
