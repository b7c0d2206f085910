//! The journal: one record per line, only ever appended to, each in a single write, so that a run killed at any moment
//! leaves whole records and at most one torn line at the end.

use std::collections::hash_map::Entry;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ahash::{AHashMap, RandomState};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::record::{GameRecord, PlanRecord, Record, SCHEMA};
use crate::sheet::UNFINISHED;

/// Why a journal can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file can't be opened, read or written.
    #[error("journal {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A new one is to be where there is a file.
    #[error("journal {}: the file exists; choose another name", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A line that is no record.
    #[error("journal {}, line {line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Another run writes it.
    #[error("journal {}: another run is writing it; wait for its end, or interrupt it", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The journal of another version of this program.
    #[error("journal {}: its records have format {schema}, this program reads format {SCHEMA}", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// What it has.
        schema: u32,
    },
    /// No plan at the start.
    #[error("journal {}: the first line is no plan record", path.display())]
    NoPlan {
        /// The file.
        path: PathBuf,
    },
}

/// Longer lines than this are no records: it bounds the memory that reading a file without line feeds takes.
const LINE_LIMIT: u64 = 64 << 20;

/// A journal being written. One process at a time can have it open.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Whether a new journal may begin there: in no file yet, or in one without any content, which a run leaves that is
    /// killed at once.
    pub fn is_vacant(path: &Path) -> bool {
        fs::metadata(path).map_or(true, |file| file.is_file() && file.len() == 0)
    }

    /// A new journal; a file with content is never touched.
    pub fn create(path: &Path, plan: &PlanRecord) -> Result<Journal, JournalError> {
        let is_new = !(path.exists() && Journal::is_vacant(path));
        let mut journal = Journal::open(path, OpenOptions::new().append(true).create_new(is_new))?;
        match journal.write(&Record::Plan(Box::new(plan.clone()))) {
            Ok(()) => Ok(journal),
            Err(error) => {
                journal.discard();
                Err(error)
            }
        }
    }

    /// Removes the file of a run that comes to nothing: it would be of no use, and in the way of the next attempt.
    pub fn discard(self) {
        let _ = fs::remove_file(self.path);
    }

    /// An existing journal, to be continued after its first `length` bytes; a torn line behind them is cut off.
    pub fn reopen(path: &Path, length: u64) -> Result<Journal, JournalError> {
        let journal = Journal::open(path, OpenOptions::new().append(true))?;
        journal.file.set_len(length).map_err(|error| journal.error(error))?;
        Ok(journal)
    }

    fn open(path: &Path, options: &OpenOptions) -> Result<Journal, JournalError> {
        let path = path.to_owned();
        match options.open(&path) {
            // Two runs at once would play the same games twice. Where a file system has no locks there is none.
            Ok(file) if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) => {
                Err(JournalError::Busy { path })
            }
            Ok(file) => Ok(Journal { file, path }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(JournalError::Exists { path }),
            Err(error) => Err(JournalError::Io { path, error }),
        }
    }

    /// Appends a record.
    pub fn write(&mut self, record: &Record) -> Result<(), JournalError> {
        let line = to_line(record);
        self.file.write_all(line.as_bytes()).map_err(|error| self.error(error))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn error(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

/// A record as a line, with its line feed.
pub fn to_line(record: &Record) -> String {
    let mut line = serde_json::to_string(record).expect("records are plain data");
    line.push('\n');
    line
}

/// A place in a journal, in front of a record or at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    line: usize,
    length: u64,
}

/// A journal being read, record after record.
pub struct Reader {
    plan: PlanRecord,
    source: BufReader<File>,
    path: PathBuf,
    line: usize,
    length: u64,
    /// Where the last line read begins.
    place: Mark,
    torn: bool,
    games: AHashMap<u64, Seen>,
    hasher: RandomState,
}

/// The finished game of an index.
struct Seen {
    line: usize,
    /// A hash of what another record of it has to agree in.
    essence: u64,
}

impl Reader {
    /// Opens a journal and reads its plan.
    pub fn open(path: &Path) -> Result<Reader, JournalError> {
        let path = path.to_owned();
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) => return Err(JournalError::Io { path, error }),
        };
        let mut reader = Reader {
            plan: PlanRecord::default(),
            source: BufReader::new(file),
            path,
            line: 0,
            length: 0,
            place: Mark::default(),
            torn: false,
            games: AHashMap::new(),
            hasher: RandomState::new(),
        };
        match reader.next_record()? {
            Some(Record::Plan(plan)) if plan.schema == SCHEMA => reader.plan = *plan,
            Some(Record::Plan(plan)) => {
                return Err(JournalError::Schema { path: reader.path, schema: plan.schema });
            }
            _ => return Err(JournalError::NoPlan { path: reader.path }),
        }
        Ok(reader)
    }

    /// The first record.
    pub fn plan(&self) -> &PlanRecord {
        &self.plan
    }

    /// Where the whole records read so far end, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The place reached.
    pub fn mark(&self) -> Mark {
        Mark { line: self.line, length: self.length }
    }

    /// Where the record stands that was read last.
    pub fn place(&self) -> Mark {
        self.place
    }

    /// Goes to a place reached before.
    pub fn go_to(&mut self, mark: Mark) -> Result<(), JournalError> {
        let moved = self.source.seek(SeekFrom::Start(mark.length));
        moved.map_err(|error| JournalError::Io { path: self.path.clone(), error })?;
        Mark { line: self.line, length: self.length } = mark;
        Ok(())
    }

    /// The record at a place reached before.
    pub fn record_at(&mut self, mark: Mark) -> Result<Record, JournalError> {
        if mark != self.mark() {
            self.go_to(mark)?;
        }
        let gone = io::ErrorKind::UnexpectedEof.into();
        self.next_line()?.ok_or(JournalError::Io { path: self.path.clone(), error: gone })
    }

    /// Passes the games that are left in the order of the schedule, several of one index as they were recorded, until `f`
    /// breaks off. Of each it remembers only where it is.
    pub fn each_game<E: From<JournalError>>(
        &mut self,
        mut f: impl FnMut(GameRecord) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let mut games = Vec::new();
        while let Some(record) = self.next_record()? {
            if let Record::Game(game) = record {
                games.push((game.index, self.place()));
            }
        }
        games.sort_by_key(|(index, _)| *index);
        for (_, place) in games {
            if let Record::Game(game) = self.record_at(place)?
                && f(game)?.is_break()
            {
                break;
            }
        }
        Ok(())
    }

    /// Whether the journal ended in the middle of a line.
    pub fn torn(&self) -> bool {
        self.torn
    }

    /// The next record; `None` at the end, a last line without line feed being dropped. Of a game that is finished, what
    /// comes later is passed over.
    ///
    /// # Errors
    /// Also if it is finished a second time, and not alike.
    pub fn next_record(&mut self) -> Result<Option<Record>, JournalError> {
        while let Some(record) = self.next_line()? {
            match &record {
                Record::Game(game) if !self.is_news(game)? => {}
                _ => return Ok(Some(record)),
            }
        }
        Ok(None)
    }

    /// Whether the game of the line just read was not finished before.
    fn is_news(&mut self, game: &GameRecord) -> Result<bool, JournalError> {
        if game.result == UNFINISHED {
            return Ok(!self.games.contains_key(&game.index));
        }
        let seen = Seen { line: self.line, essence: self.hasher.hash_one(game.essence()) };
        match self.games.entry(game.index) {
            Entry::Vacant(entry) => {
                entry.insert(seen);
                Ok(true)
            }
            Entry::Occupied(entry) if entry.get().essence == seen.essence => Ok(false),
            Entry::Occupied(entry) => Err(JournalError::Line {
                path: self.path.clone(),
                line: self.line,
                message: format!("game {} is not the one of line {}", game.index, entry.get().line),
            }),
        }
    }

    fn next_line(&mut self) -> Result<Option<Record>, JournalError> {
        self.place = self.mark();
        let mut line = Vec::new();
        if let Err(error) = (&mut self.source).take(LINE_LIMIT).read_until(b'\n', &mut line) {
            return Err(JournalError::Io { path: self.path.clone(), error });
        }
        let error = |message| JournalError::Line { path: self.path.clone(), line: self.line + 1, message };
        if line.len() as u64 == LINE_LIMIT {
            return Err(error(format!("no record: longer than {} MiB", LINE_LIMIT >> 20)));
        }
        if line.last() != Some(&b'\n') {
            self.torn = !line.is_empty();
            return Ok(None);
        }
        let record = serde_json::from_slice(&line).map_err(|e| error(format!("no record: {e}")))?;
        if matches!(record, Record::Plan(_)) && self.line > 0 {
            return Err(error("a second plan; journals can't be joined, give each file of its own".into()));
        }
        self.line += 1;
        self.length += line.len() as u64;
        Ok(Some(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> PlanRecord {
        PlanRecord { schema: SCHEMA, ..PlanRecord::default() }
    }

    fn game(index: u64) -> Record {
        Record::Game(GameRecord { index, result: "draw".into(), ..GameRecord::default() })
    }

    fn records(path: &Path) -> (Vec<Record>, Reader) {
        let mut reader = Reader::open(path).unwrap();
        let mut records = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            records.push(record);
        }
        (records, reader)
    }

    #[test]
    fn cut_at_any_byte_the_whole_records_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        let mut journal = Journal::create(&path, &plan()).unwrap();
        for index in 0..3 {
            journal.write(&game(index)).unwrap();
        }
        let bytes = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] == b'\n').map(|i| i + 1).collect();
        drop(journal);
        for length in ends[0]..=bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let whole = ends.iter().filter(|&&end| end <= length).count();
            let (found, reader) = records(&path);
            assert_eq!(found.len(), whole - 1, "cut at {length}");
            assert_eq!(reader.length(), ends[whole - 1] as u64);
            assert_eq!(reader.torn(), length != ends[whole - 1]);

            let mut journal = Journal::reopen(&path, reader.length()).unwrap();
            journal.write(&game(9)).unwrap();
            let (found, reader) = records(&path);
            assert_eq!(found.last(), Some(&game(9)));
            assert!(!reader.torn());
        }
        for length in 0..ends[0] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(matches!(Reader::open(&path), Err(JournalError::NoPlan { .. })));
        }
    }

    #[test]
    fn records_are_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        let mut journal = Journal::create(&path, &plan()).unwrap();
        (0..4).for_each(|index| journal.write(&game(index)).unwrap());
        let mut reader = Reader::open(&path).unwrap();
        let marks = [0; 4].map(|_| {
            let mark = reader.mark();
            reader.next_record().unwrap().unwrap();
            mark
        });
        let end = reader.mark();
        for index in [2, 3, 0, 1, 2, 2] {
            assert_eq!(reader.record_at(marks[index]).unwrap(), game(index as u64));
        }
        reader.go_to(end).unwrap();
        assert_eq!((reader.next_record().unwrap(), reader.length()), (None, end.length));
        assert!(reader.record_at(end).is_err());
    }

    #[test]
    fn games_come_in_the_order_of_the_schedule() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        let mut journal = Journal::create(&path, &plan()).unwrap();
        let broken =
            Record::Game(GameRecord { index: 2, result: UNFINISHED.into(), ..GameRecord::default() });
        for record in [&game(3), &broken, &game(1), &game(3), &game(0), &game(2)] {
            journal.write(record).unwrap();
        }
        let read = |most: usize| {
            let mut games = Vec::new();
            let take = |game| {
                games.push(Record::Game(game));
                Ok(if games.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            };
            Reader::open(&path).unwrap().each_game::<JournalError>(take).unwrap();
            games
        };
        assert_eq!(read(9), [game(0), game(1), broken.clone(), game(2), game(3)]);
        assert_eq!(read(2), [game(0), game(1)]);
    }

    #[test]
    fn a_game_counts_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        let mut journal = Journal::create(&path, &plan()).unwrap();
        let played = |result: &str, ms| {
            Record::Game(GameRecord { result: result.into(), times_ms: vec![ms], ..GameRecord::default() })
        };
        let (broken, finished) = (played(UNFINISHED, 1.0), played("p1win", 2.0));
        for record in [&broken, &broken, &finished, &game(1), &played("p1win", 3.0), &broken] {
            journal.write(record).unwrap();
        }
        assert_eq!(records(&path).0, [&broken, &broken, &finished, &game(1)].map(Clone::clone));
        journal.write(&played("p2win", 2.0)).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        assert!((0..4).all(|_| reader.next_record().is_ok()));
        let error = reader.next_record().unwrap_err().to_string();
        assert!(error.ends_with("line 8: game 0 is not the one of line 4"), "{error}");
    }

    #[test]
    fn a_bad_line_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        drop(Journal::create(&path, &plan()).unwrap());
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"type\":\"game\"}\n");
        std::fs::write(&path, text).unwrap();
        let error = Reader::open(&path).unwrap().next_record().unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("missing field"), "{error}");
    }

    #[test]
    fn the_journal_of_another_version_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        drop(Journal::create(&path, &PlanRecord { schema: SCHEMA + 1, ..plan() }).unwrap());
        let error = Reader::open(&path).err().unwrap().to_string();
        assert!(
            error.ends_with("a.ndjson: its records have format 2, this program reads format 1"),
            "{error}"
        );
    }

    #[test]
    fn a_second_plan_and_endless_lines_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        drop(Journal::create(&path, &plan()).unwrap());
        let plan = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, plan.repeat(2)).unwrap();
        let error = Reader::open(&path).unwrap().next_record().unwrap_err().to_string();
        assert!(error.contains("line 2: a second plan"), "{error}");
        let error = Reader::open(Path::new("/dev/zero")).err().unwrap().to_string();
        assert!(error.contains("line 1: no record: longer than 64 MiB"), "{error}");
    }

    #[test]
    fn only_one_run_at_a_time_writes_a_journal() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        let first = Journal::create(&path, &plan()).unwrap();
        assert!(matches!(Journal::reopen(&path, 0), Err(JournalError::Busy { .. })));
        assert_eq!(records(&path).0, [], "and it is not cut");
        drop(first);
        assert!(Journal::reopen(&path, 0).is_ok());
    }

    #[test]
    fn what_is_discarded_makes_room_for_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        Journal::create(&path, &plan()).unwrap().discard();
        assert!(!path.exists());
        assert!(Journal::create(&path, &plan()).is_ok());
    }

    #[test]
    fn an_existing_file_is_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        std::fs::write(&path, "mine").unwrap();
        assert!(Journal::create(&path, &plan()).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }

    #[test]
    fn an_empty_file_is_none_to_keep() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ndjson");
        File::create(&path).unwrap();
        drop(Journal::create(&path, &plan()).unwrap());
        assert!(Reader::open(&path).is_ok());
        assert!(!Journal::is_vacant(&path) && !Journal::is_vacant(dir.path()));
    }
}
