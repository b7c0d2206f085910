//! The agents the game ships besides its main engine.

use game::{Agent, AgentSpec, Options};

use crate::geometry::Cells;
use crate::position::Position;

pub(crate) const SPECS: &[AgentSpec] = &[];

/// A new agent by its name in [`SPECS`].
pub(crate) fn make<B: Cells>(_name: &str, _options: &Options) -> Option<Box<dyn Agent<Position<B>>>> {
    None
}
