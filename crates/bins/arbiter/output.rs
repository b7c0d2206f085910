//! The files that a run writes besides its journal.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};
use arbiter::openings::Source;
use arbiter::record::{EngineRecord, PlanRecord};
use engine::unless_left;

use crate::{Failure, code};

/// What a run does with a file.
const READS: &str = "reads";
const WRITES: &str = "writes";

/// A new file for an option.
pub(crate) fn create_new(path: &Path, option: &str) -> Result<File> {
    let name = || format!("{option} {}", path.display());
    match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{}: the file exists; choose another name", name())
        }
        file => file.with_context(name),
    }
}

/// What tells a file from all others: its device and number.
pub(crate) fn identity(file: &fs::Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// The files of a run, and what it does with each. No output may be one of them.
#[derive(Default)]
pub(crate) struct Files {
    files: Vec<((u64, u64), &'static str)>,
    /// Folders all of whose files are read, those to come, too.
    folders: Vec<PathBuf>,
}

impl Files {
    /// Those that a plan names.
    pub(crate) fn of(plan: &PlanRecord) -> Files {
        let mut files = Files::default();
        if let Ok(Source::File(name)) = plan.openings.parse() {
            files.take(Path::new(&name));
        }
        for engine in &plan.engines {
            files.take_words(engine);
        }
        files
    }

    /// Adds those that the words of an engine's command name.
    pub(crate) fn take_words(&mut self, engine: &EngineRecord) {
        let dir = engine.dir.clone().unwrap_or_default();
        for word in engine.command.iter().flatten() {
            self.take(&dir.join(word));
        }
    }

    /// Adds a file that is read, if there is one.
    pub(crate) fn take(&mut self, path: &Path) {
        self.add(path, READS);
    }

    /// Adds a folder that is read, with all that will ever be in it.
    pub(crate) fn take_folder(&mut self, path: &Path) {
        self.folders.extend(fs::canonicalize(path));
    }

    /// Adds the journal, which is there already.
    pub(crate) fn take_journal(&mut self, path: &Path) -> Result<()> {
        self.check_place(path, &format!("--journal {}", path.display()))?;
        self.add(path, WRITES);
        Ok(())
    }

    fn add(&mut self, path: &Path, does: &'static str) {
        let file = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        self.files.extend(file.map(|file| (identity(&file), does)));
    }

    /// Checks that a file is in none of the folders.
    fn check_place(&self, path: &Path, name: &str) -> Result<()> {
        let Ok(path) = fs::canonicalize(path) else { return Ok(()) };
        match self.folders.iter().find(|folder| path.starts_with(folder)) {
            Some(folder) => bail!("{name}: the run reads all that is in {}", folder.display()),
            None => Ok(()),
        }
    }

    /// Opens an output, and adds it.
    pub(crate) fn open(&mut self, path: &Path, option: &str) -> Result<Output> {
        let name = format!("{option} {}", shell_words::quote(&path.to_string_lossy()));
        ensure!(path.as_os_str() != "-", "{name}: expected a file; only --events may be standard output");
        let is_new = !path.exists();
        let file = File::options().write(true).create(true).truncate(false).open(path);
        let file = file.with_context(|| name.clone())?;
        let new = is_new.then(|| fs::canonicalize(path).ok()).flatten();
        let output = Output { file, name, new, is_begun: false };
        let found = output.file.metadata().with_context(|| output.name.clone())?;
        if found.is_file() {
            let found = identity(&found);
            if let Some((_, does)) = self.files.iter().find(|(file, _)| *file == found) {
                bail!("{}: the run {does} something else there", output.name);
            }
            self.check_place(path, &output.name)?;
            self.files.push((found, WRITES));
        }
        Ok(output)
    }
}

/// A file being written. Whatever stands there is kept until there is something to write; a new one without does not stay.
pub(crate) struct Output {
    file: File,
    /// The words that ask for it, for people and for a shell.
    name: String,
    /// Where it is, without links, if it was not there before.
    new: Option<PathBuf>,
    is_begun: bool,
}

impl Output {
    /// Writes a whole text.
    ///
    /// # Errors
    /// Names the option, and says that it is to be given again to `resume`.
    pub(crate) fn put(&mut self, text: &str, resume: &str) -> Result<(), Failure> {
        self.write_all(text.as_bytes()).map_err(|error| {
            let again = format!("next step: write it again with: {resume} {}", self.name);
            Failure::new(code::INTERNAL, anyhow!("{}: {error}\n  {again}", self.name))
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_begun && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.is_begun = true;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// An output that gets line after line. The first one that can't be written is the last one, and that is told at once.
#[derive(Clone)]
pub(crate) struct Stream(Arc<Mutex<Lines>>);

struct Lines {
    option: &'static str,
    /// `None` once it has ended.
    out: Option<Box<dyn Write + Send>>,
    is_whole: bool,
}

impl Stream {
    pub(crate) fn new(out: impl Write + Send + 'static, option: &'static str) -> Stream {
        let out: Box<dyn Write + Send> = Box::new(out);
        Stream(Arc::new(Mutex::new(Lines { option, out: Some(out), is_whole: true })))
    }

    /// Writes a line, with its line feed.
    pub(crate) fn put(&self, line: &str) {
        let mut lines = self.lines();
        let Some(out) = &mut lines.out else { return };
        let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        if written.is_err() {
            lines.out = None;
        }
        if let Err(error) = unless_left(written) {
            log::warn!("{} ends here: {error}", lines.option);
            lines.is_whole = false;
        }
    }

    /// Whether all lines have been written, as far as anybody wanted them.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let Lines { option, is_whole, .. } = &*self.lines();
        if *is_whole {
            return Ok(());
        }
        Err(Failure::new(code::INTERNAL, anyhow!("{option} has not all there was to write")))
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(path) = &self.new
            && fs::metadata(path).is_ok_and(|file| file.len() == 0)
        {
            let _ = fs::remove_file(path);
        }
    }
}
