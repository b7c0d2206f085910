//! The agents of the course, and of a report on one of its programs, as sparring partners.

use game::{Agent, AgentSpec, Options, Playable};

use crate::board::Cells;
use crate::position::Position;

/// The agents of [`game::Family::AGENTS`].
pub(crate) const AGENTS: &[AgentSpec] = &[];

impl<B: Cells> Playable for Position<B> {
    fn agent(_name: &str, _options: &Options) -> Option<Box<dyn Agent<Self>>> {
        None
    }
}
