//! `export`: the games of a journal in the forms other tools read.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use arbiter::export::{Exporter, Form};
use arbiter::journal::Reader;
use clap::{Args, ValueEnum};

use crate::output::create_new;
use crate::view_journal::each_game;
use crate::{Failure, code};

#[derive(Args, Clone, Debug)]
pub(crate) struct ExportArgs {
    /// The journal
    journal: PathBuf,
    /// The form: text in the manner of PGN, a row per game, or one array of records
    #[arg(long, value_enum)]
    to: FormArg,
    /// Write a new file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FormArg {
    Pgn,
    Csv,
    Json,
}

impl From<FormArg> for Form {
    fn from(form: FormArg) -> Form {
        match form {
            FormArg::Pgn => Form::Pgn,
            FormArg::Csv => Form::Csv,
            FormArg::Json => Form::Json,
        }
    }
}

pub(crate) fn export(args: &ExportArgs) -> Result<(), Failure> {
    let reader = Reader::open(&args.journal)?;
    let out: Box<dyn Write> = match &args.output {
        // Never an existing file: it might be the journal.
        Some(path) => Box::new(create_new(path, "--output")?),
        None => Box::new(io::stdout().lock()),
    };
    match write(&args.journal, reader, args.to.into(), BufWriter::new(out)) {
        Err(error) if is_write_error(&error, |kind| kind == ErrorKind::BrokenPipe) => Ok(()),
        Err(error) if is_write_error(&error, |_| true) => {
            Err(Failure::new(code::INTERNAL, anyhow!("the games can't be written: {error}")))
        }
        done => Ok(done?),
    }
}

fn write(path: &Path, mut reader: Reader, form: Form, out: impl Write) -> Result<()> {
    let mut exporter = Exporter::new(form, reader.plan(), out)?;
    each_game(path, &mut reader, |game| -> Result<_> {
        exporter.game(&game)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(exporter.finish()?)
}

/// Whether it is of writing; a reader's errors have types of their own.
fn is_write_error(error: &anyhow::Error, is: impl Fn(ErrorKind) -> bool) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| is(error.kind()))
}
