//! `merge`: one run from its shards.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use arbiter::journal::Journal;
use arbiter::merge::Merge;
use arbiter::record::Record;
use arbiter::standings::Standings;
use clap::Args;

use crate::view_journal::{Format, note_torn};
use crate::{Failure, code};

#[derive(Args, Clone, Debug)]
pub(crate) struct MergeArgs {
    /// The journals of all shards of a run
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// Write the journal of the whole run, a new file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn merge(args: &MergeArgs) -> Result<(), Failure> {
    let mut shards = Merge::new(&args.journals)?;
    shards.torn().for_each(note_torn);
    let mut standings = Standings::new(shards.plan());
    let mut journal = args.output.as_ref().map(|path| Journal::create(path, shards.plan())).transpose()?;
    let written = write(&mut shards, &mut standings, journal.as_mut());
    // Half a run would look like one that was interrupted.
    if let (Err(_), Some(journal)) = (&written, journal) {
        journal.discard();
    }
    written.map_err(|error| Failure::new(code::INTERNAL, error))?;
    args.format.print(&standings)
}

/// Reads the games in the order of the schedule, as a single machine would have played them one by one.
fn write(shards: &mut Merge, standings: &mut Standings, mut journal: Option<&mut Journal>) -> Result<()> {
    let mut add = |record: &Record| -> Result<()> {
        let mut next = Some(record.clone());
        while let Some(record) = next.take() {
            if let Some(journal) = &mut journal {
                journal.write(&record)?;
            }
            standings.add(&record).map_err(|message| anyhow!(message))?;
            next = standings.due();
        }
        Ok(())
    };
    shards.each_record(&mut add)
}
