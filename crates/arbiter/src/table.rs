//! A table where one game after the other is played.

use crate::arena::{Arena, Job, Played, StartError};
use crate::process::Hub;

/// A worker's seat: plays one game after the other and keeps the two engine processes while the pairing stays.
pub struct Table<'a> {
    _hub: &'a Hub,
    arena: &'a Arena,
}

impl<'a> Table<'a> {
    /// A table without engines yet.
    pub fn new(hub: &'a Hub, arena: &'a Arena) -> Table<'a> {
        Table { _hub: hub, arena }
    }

    /// Plays a game. Interrupted by the hub's stopper, it is `unfinished`.
    pub fn play(&mut self, job: &Job) -> Result<Played, StartError> {
        let engine = self.arena.engines[job.players[0]].name.clone();
        Err(StartError { engine, message: "not built yet".into() })
    }
}
