//! Leagues: the bots of a folder, rated as they come, change and go.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, ensure};
use arbiter::config::{EngineSpec, Launch};
use arbiter::isolation::Isolation;
use arbiter::journal::{Journal, Reader};
use arbiter::record::{EngineRecord, EntrantRecord, LeagueRecord, PeriodRecord, PlanRecord, Record};
use arbiter::report::{self, Style};
use arbiter::runner::Ending;
use arbiter::spec;
use arbiter::standings::Standings;
use arbiter::view::View;
use engine::remark;
use game::Rules;

use crate::output::Files;
use crate::run::{Conduct, Session, begin, interrupted, no_room, resume_command};
use crate::settings::{Settings, find_game};
use crate::{Failure, code, file};

/// Between two looks at the folder while there is nothing to play.
const REST: Duration = Duration::from_secs(5);

/// The file that makes a sub-folder a bot.
const BOT_FILE: &str = "bot.toml";

pub(crate) fn start(
    rules: &dyn Rules,
    words: &[String],
    settings: &Settings,
    conduct: Conduct,
) -> Result<ExitCode, Failure> {
    let [folder] = words else {
        return Err(anyhow!("a league is of one folder of bots: GAME FOLDER").into());
    };
    let dir = fs::canonicalize(folder).with_context(|| format!("the folder {folder}"))?;
    if !dir.is_dir() {
        Err(anyhow!("{folder} is no folder of bots"))?;
    }
    let (record, notes) = settings.league_record(rules, dir)?;
    let folder = Folder::of(&record)?;
    let (journal, session) = begin(settings.journal.as_deref(), &record, |path| {
        Session::new(&record, u64::MAX, path, folder.files(&record), conduct)
    })?;
    let standings = Standings::new(&record);
    League::new(session, record, journal, standings, folder, &notes).play(settings.league.once)
}

/// Goes on with a league from its journal.
pub(crate) fn resume(
    path: &Path,
    mut reader: Reader,
    conduct: Conduct,
    once: bool,
) -> Result<ExitCode, Failure> {
    let record = reader.plan().clone();
    let mut standings = Standings::new(&record);
    while let Some(record) = reader.next_record()? {
        standings.add(&record).map_err(|message| anyhow!("journal {}: {message}", path.display()))?;
    }
    let mut notes = vec![format!("going on after {} games", standings.games())];
    if reader.torn() {
        notes.push("the journal's last line is torn and was dropped".into());
    }
    let folder = Folder::of(&record)?;
    let session = Session::new(&record, u64::MAX, path, folder.files(&record), conduct)?;
    let journal = Journal::reopen(path, reader.length())?;
    League::new(session, record, journal, standings, folder, &notes).play(once)
}

/// A league in progress.
struct League {
    session: Session,
    record: PlanRecord,
    journal: Journal,
    standings: Standings,
    folder: Folder,
}

impl League {
    fn new(
        session: Session,
        record: PlanRecord,
        journal: Journal,
        standings: Standings,
        folder: Folder,
        notes: &[String],
    ) -> League {
        let shown = format!("{} {}\nleague of {}\n", record.game, record.setup, folder.dir.display());
        let league = League { session, record, journal, standings, folder };
        let place = format!("seed {}\njournal {}\n", league.record.seed, league.journal.path().display());
        let notes: String = notes.iter().map(|note| ["note: ", note, "\n"].concat()).collect();
        league.say(&format!("{shown}{place}{notes}\n"));
        league
    }

    /// Plays period after period, and between them follows the folder; `once`, until everybody is rated.
    fn play(mut self, once: bool) -> Result<ExitCode, Failure> {
        let resume = resume_command(&self.journal);
        self.session.publish(&Record::Plan(Box::new(self.record.clone())));
        loop {
            self.follow()?;
            if let Some(period) = self.next_period() {
                self.write(&Record::Period(period))?;
            }
            let league = self.standings.league().context("the plan is of no league")?;
            let ending = match league.plan(&self.record)? {
                Some((plan, done)) => {
                    let venue = self.session.venue(&plan)?;
                    let League { session, journal, standings, .. } = &mut self;
                    let ending = session.play_games(&plan, &venue, journal, standings, done, View::Quiet)?;
                    self.say(&format!("{}\n", report::league(&self.standings, Style::Text)));
                    ending
                }
                None if once => break,
                None => match self.session.interrupts().recv_timeout(REST) {
                    Err(error) if error.is_timeout() => Ending::Complete,
                    _ => {
                        self.write(&Record::Interrupted { resume: resume.clone() })?;
                        Ending::Interrupted
                    }
                },
            };
            if ending == Ending::Interrupted {
                let concluded = self.session.conclude(&self.standings, &resume);
                let code = interrupted(&resume);
                return concluded.map(|()| code.into());
            }
        }
        self.session.conclude(&self.standings, &resume)?;
        let has_faults = !self.standings.faults().is_empty();
        Ok(ExitCode::from(if has_faults { code::FAULT } else { 0 }))
    }

    /// What comes next, unless the period before is not over.
    fn next_period(&self) -> Option<PeriodRecord> {
        let league = self.standings.league()?;
        if league.is_open() { None } else { league.next_period() }
    }

    /// Records what has changed in the folder.
    fn follow(&mut self) -> Result<(), Failure> {
        let gone = |error| {
            let resume = resume_command(&self.journal);
            anyhow!("{error:#}\n  next step: put the folder back and go on with: {resume}")
        };
        let (bots, notes) = self.folder.bots().map_err(gone)?;
        for note in notes {
            remark(&format!("note: {note}"));
        }
        let known = self.standings.league().map_or(&[][..], |league| league.bots());
        let is_there = |bot: &EntrantRecord| {
            known.iter().any(|known| {
                known.is_present && known.engine.name == bot.engine.name && known.content == bot.content
            })
        };
        let has_left = |name: &str| !bots.iter().any(|bot| bot.engine.name == name);
        let left = known.iter().filter(|bot| bot.is_present && has_left(&bot.engine.name));
        let left = left.map(|bot| Record::Left { engine: bot.engine.name.clone() });
        let came = bots.iter().filter(|bot| !is_there(bot)).cloned().map(Record::Entrant);
        let changes: Vec<Record> = left.chain(came).collect();
        changes.iter().try_for_each(|change| self.write(change))
    }

    fn write(&mut self, record: &Record) -> Result<(), Failure> {
        let resume = resume_command(&self.journal);
        self.journal.write(record).map_err(|error| no_room(&error, &resume))?;
        self.session.publish(record);
        self.standings.add(record).map_err(|message| anyhow!(message))?;
        Ok(())
    }

    fn say(&self, text: &str) {
        if !self.session.is_quiet() {
            self.session.tell(text);
        }
    }
}

/// Where the bots of a league are: each an executable file, a file NAME.toml, or a folder with a bot.toml.
struct Folder {
    rules: &'static dyn Rules,
    dir: PathBuf,
    /// What its bots are kept from that say nothing of it themselves.
    isolation: Isolation,
    /// What was already said of it.
    said: BTreeSet<String>,
    /// What there was at a path, as long as nothing of it changes.
    seen: BTreeMap<PathBuf, Seen>,
}

/// A bot, or that there is none.
struct Seen {
    bot: Option<EntrantRecord>,
    /// All that was looked at to know.
    files: Vec<(PathBuf, Stamp)>,
}

/// When a file or folder last changed, in seconds and nanoseconds, and its bytes; `None` where there is none. Nobody can
/// set back that time.
type Stamp = Option<(i64, i64, u64)>;

fn stamp(path: &Path) -> Stamp {
    fs::metadata(path).ok().map(|file| (file.ctime(), file.ctime_nsec(), file.size()))
}

impl Seen {
    fn is_current(&self) -> bool {
        self.files.iter().all(|(path, known)| stamp(path) == *known)
    }

    /// Whether a further change would show: not where one has only just been, since clocks have ticks.
    fn would_show_changes(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let is_old = |changed: i64| u64::try_from(changed).is_ok_and(|changed| changed + 1 < now);
        self.files.iter().all(|(_, stamp)| stamp.is_none_or(|(changed, ..)| is_old(changed)))
    }
}

impl Folder {
    /// The folder of a plan.
    fn of(record: &PlanRecord) -> Result<Folder> {
        let rules = find_game(&record.game)?;
        let LeagueRecord { dir, isolation, .. } =
            record.league.clone().context("the plan is of no league")?;
        Ok(Folder { rules, dir, isolation, said: BTreeSet::new(), seen: BTreeMap::new() })
    }

    /// All paths in it, in order.
    fn paths(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.dir).with_context(|| self.dir.display().to_string())?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        Ok(paths)
    }

    /// The files of a run of the bots that are there, and of those that something is wrong with.
    fn files(&self, record: &PlanRecord) -> Files {
        let mut files = Files::of(record);
        for path in self.paths().unwrap_or_default() {
            let mut content = Content::default();
            if matches!(self.bot(&path, &mut content), Ok(None)) {
                continue;
            }
            if path.is_dir() {
                files.take_folder(&path);
            }
            for (path, _) in &content.files {
                files.take(path);
            }
        }
        files
    }

    /// The bots by name, and what there is to say of those that are none or if there are none, each thing once.
    fn bots(&mut self) -> Result<(Vec<EntrantRecord>, Vec<String>)> {
        let (mut bots, mut notes): (Vec<EntrantRecord>, _) = (Vec::new(), Vec::new());
        for path in self.paths()? {
            let bot = self.look(&path).and_then(|bot| {
                let name = bot.as_ref().map(|bot| &bot.engine.name);
                let is_taken = bots.iter().any(|other| Some(&other.engine.name) == name);
                ensure!(!is_taken, "there is another bot of that name");
                Ok(bot)
            });
            match bot {
                Ok(bot) => bots.extend(bot),
                // A name may have characters that would disturb a terminal.
                Err(error) => notes.push(format!("{:?} is left out: {error:#}", path.to_string_lossy())),
            }
        }
        if bots.is_empty() {
            notes.push(format!(
                "no bots in {}: expected NAME.toml, NAME/{BOT_FILE} or programs",
                self.dir.display()
            ));
        }
        notes.retain(|note| self.said.insert(note.clone()));
        Ok((bots, notes))
    }

    /// The same as [`Folder::bot`], read again only if something has changed.
    fn look(&mut self, path: &Path) -> Result<Option<EntrantRecord>> {
        if let Some(seen) = self.seen.get(path).filter(|seen| seen.is_current()) {
            return Ok(seen.bot.clone());
        }
        let mut content = Content::default();
        let bot = self.bot(path, &mut content)?;
        let seen = Seen { bot: bot.clone(), files: content.files };
        if seen.would_show_changes() {
            self.seen.insert(path.to_owned(), seen);
        }
        Ok(bot)
    }

    /// The bot at a path, whose content is added; `None` if there is none.
    fn bot(&self, path: &Path, content: &mut Content) -> Result<Option<EntrantRecord>> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let whole = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if whole.starts_with('.') {
            return Ok(None);
        }
        content.watch(path);
        let kind = fs::metadata(path)?;
        let spec = if kind.is_dir() {
            let file = path.join(BOT_FILE);
            if !file.is_file() {
                return Ok(None);
            }
            content.add_folder(path)?;
            file::read_bot(&file::text_of(&file)?, path, &whole, self.rules).context(BOT_FILE)?
        } else if !kind.is_file() {
            return Ok(None);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            let text = file::text_of(path)?;
            let spec = file::read_bot(&text, &self.dir, &name, self.rules)?;
            content.add(text.as_bytes());
            content.add_files_of(&spec)?;
            spec
        } else if kind.permissions().mode() & 0o111 != 0 {
            content.add(&fs::read(path)?);
            let launch = Launch::Command(vec![path.to_string_lossy().into_owned()]);
            let (options, env, limits) = (Vec::new(), Vec::new(), None);
            let (dir, isolation) = (Some(self.dir.clone()), Isolation::default());
            EngineSpec { name, launch, options, dir, env, limits, isolation }
        } else {
            return Ok(None);
        };
        ensure!(spec::is_name(&spec.name), "a name consists of letters, digits, and _ . -");
        let isolation = spec.isolation.or(self.isolation);
        let engine = EngineRecord { isolation, ..EngineRecord::from(&spec) };
        Ok(Some(EntrantRecord { engine, content: content.to_string() }))
    }
}

/// What a bot consists of.
struct Content {
    /// As a number: FNV-1a of 64 bits, since nobody gains by two bots alike.
    hash: u64,
    /// The files and folders it is in, as they were before they were read.
    files: Vec<(PathBuf, Stamp)>,
}

impl Default for Content {
    fn default() -> Content {
        Content { hash: 0xcbf2_9ce4_8422_2325, files: Vec::new() }
    }
}

impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.hash)
    }
}

impl Content {
    /// Adds bytes, and their number, so that no two lists of files are alike.
    fn add(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Notes a file or folder, or that there is none.
    fn watch(&mut self, path: &Path) {
        self.files.push((path.to_owned(), stamp(path)));
    }

    fn add_file(&mut self, path: &Path) -> Result<()> {
        self.watch(path);
        self.add(&fs::read(path)?);
        Ok(())
    }

    /// Adds all files of a folder with their names, but not what is hidden or what Python writes there when it runs.
    fn add_folder(&mut self, dir: &Path) -> Result<()> {
        self.watch(dir);
        let entries = fs::read_dir(dir).with_context(|| dir.display().to_string())?;
        let mut entries: Vec<_> = entries.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || name == "__pycache__" {
                continue;
            }
            self.add(name.as_bytes());
            // A link to a folder is not followed: it might lead in a circle.
            if entry.file_type()?.is_dir() {
                self.add_folder(&entry.path())?;
            } else if entry.path().is_file() {
                self.add_file(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Adds the files that a command names.
    fn add_files_of(&mut self, spec: &EngineSpec) -> Result<()> {
        let (Launch::Command(words), Some(dir)) = (&spec.launch, &spec.dir) else { return Ok(()) };
        for path in words.iter().map(|word| dir.join(word)) {
            self.watch(&path);
            if path.is_file() {
                self.add(&fs::read(path)?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[test]
    fn bots_are_read_again_when_something_of_them_has_changed() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        fs::create_dir(dir.path().join("deep")).unwrap();
        put("one.toml", "command = \"python3 one.py later.txt\"");
        put("one.py", "print(1)");
        put("deep/bot.toml", "command = \"./run\"");
        put("deep/run", "1");
        let rules = find_game("simplexity").unwrap();
        let (isolation, said, seen) = (Isolation::default(), BTreeSet::new(), BTreeMap::new());
        let mut folder = Folder { rules, dir: dir.path().to_owned(), isolation, said, seen };
        let mut contents = || {
            let (bots, notes) = folder.bots().unwrap();
            assert_eq!(notes, [] as [String; 0]);
            (
                bots.into_iter().map(|bot| (bot.engine.name, bot.content)).collect::<Vec<_>>(),
                folder.seen.len(),
            )
        };
        // What has just been written may change unseen.
        sleep(Duration::from_millis(2100));
        let (before, seen) = contents();
        assert_eq!((before.len(), seen), (2, 3));
        assert_eq!(contents(), (before.clone(), 3));
        let mut known = before;
        for (file, text, of) in
            [("one.py", "print(2)", 1), ("deep/run", "2", 0), ("later.txt", "", 1), ("deep/new", "", 0)]
        {
            put(file, text);
            let (now, _) = contents();
            assert_ne!(now[of], known[of], "{file}");
            assert_eq!(now[1 - of], known[1 - of], "{file}");
            known = now;
        }
    }
}
