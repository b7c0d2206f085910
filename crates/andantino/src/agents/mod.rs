//! The sparring partners.
use game::{Agent, AgentSpec, Options, Playable};

use crate::position::Position;

pub(crate) const SPECS: &[AgentSpec] = &[];

impl<const N: usize> Playable for Position<N> {
    fn agent(_name: &str, _options: &Options) -> Option<Box<dyn Agent<Self>>> {
        None
    }
}
