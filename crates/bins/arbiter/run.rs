//! Playing: `match`, `tournament` and `resume` make a plan each, and this plays it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, exit};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use arbiter::arena::{Arena, Job, Log, StartError, Traffic};
use arbiter::config::EngineSpec;
use arbiter::done::Done;
use arbiter::interrupts::{self, Interrupts};
use arbiter::journal::{self, Journal, JournalError, Reader};
use arbiter::league::LEAGUE;
use arbiter::plan::Plan;
use arbiter::process::Hub;
use arbiter::record::{PlanRecord, Record};
use arbiter::report::{self, Style};
use arbiter::rounds::Rounds;
use arbiter::runner::{Ending, Run, RunError};
use arbiter::sheet::UNFINISHED;
use arbiter::spec;
use arbiter::sprt::Trial;
use arbiter::standings::Standings;
use arbiter::system::{self, Cores};
use arbiter::table::Table;
use arbiter::view::{Console, View};
use clap::Args;
use engine::{integer, remark, unless_left};
use game::Rules;

use crate::output::{Files, Output, Stream};
use crate::settings::{Planned, Settings, find_game};
use crate::{Failure, code, emit, emit_next, league, play};

/// How a run is conducted: what doesn't belong to its plan.
#[derive(Args, Clone)]
pub(crate) struct Conduct {
    /// Games at a time [default: processor cores; 1 with a preset]
    #[arg(long, value_name = "N", help_heading = "Output", value_parser = integer(1..=u16::MAX))]
    concurrency: Option<u16>,
    /// Bind both engines of a game to one processor core: auto, or a list such as 0,2-5 to choose from
    #[arg(long, value_name = "CORES", help_heading = "Output")]
    affinity: Option<Cores>,
    /// Write each record also here as it happens; - is standard output, everything else then goes to standard error
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    events: Option<PathBuf>,
    /// Write all lines exchanged with the engines here
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
    /// Write the final tables here as Markdown
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    markdown: Option<PathBuf>,
    /// Write the final table here as comma-separated values
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Show nothing but the final table
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
    /// Exit with 10 if the test accepts H1, with 11 if it accepts H0; a fault still exits with 3
    #[arg(long, help_heading = "Output")]
    exit_on_sprt: bool,
    /// Print the final standings as JSON, everything else on standard error
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// The tournament file.
    #[arg(skip)]
    pub(crate) file: Option<PathBuf>,
    /// Where warnings go.
    #[arg(skip)]
    pub(crate) console: Console,
}

pub(crate) fn play_match(
    game: &str,
    words: &[String; 2],
    settings: &Settings,
    conduct: Conduct,
) -> Result<ExitCode, Failure> {
    let rules = find_game(game)?;
    let engines = spec::parse_all(rules, words)?;
    start(rules, &engines, settings, conduct, "match")
}

pub(crate) fn play_tournament(
    game: &str,
    words: &[String],
    listed: Vec<EngineSpec>,
    settings: &Settings,
    conduct: Conduct,
) -> Result<ExitCode, Failure> {
    let rules = find_game(game)?;
    if settings.is_league() {
        if !listed.is_empty() {
            Err(anyhow!("the bots of a league are files in its folder, not [[engine]] tables"))?;
        }
        return league::start(rules, words, settings, conduct);
    }
    let mut engines = listed;
    engines.extend(words.iter().map(|word| spec::parse(rules, word)).collect::<Result<Vec<_>, _>>()?);
    if engines.is_empty() {
        let agents = rules.agents().iter().filter(|agent| agent.default_opponent);
        let names = ["builtin"].into_iter().chain(agents.map(|agent| agent.name));
        engines = names.map(|name| spec::parse(rules, name)).collect::<Result<_, _>>()?;
    }
    spec::make_names_unique(&mut engines);
    start(rules, &engines, settings, conduct, "round-robin")
}

fn start(
    rules: &dyn Rules,
    engines: &[EngineSpec],
    settings: &Settings,
    conduct: Conduct,
    format: &str,
) -> Result<ExitCode, Failure> {
    let Planned { plan, notes } = settings.plan(rules, engines, format)?;
    if settings.plan {
        return print_schedule(&plan, conduct.json);
    }
    let (journal, (mut session, venue)) = begin(settings.journal.as_deref(), &plan.record, |path| {
        let files = Files::of(&plan.record);
        let session = Session::new(&plan.record, plan.schedule.games(), path, files, conduct)?;
        let venue = session.venue(&plan)?;
        Ok((session, venue))
    })?;
    let path = journal.path().to_owned();
    session.introduce(&plan, &notes, &path);
    let played = session.play(&plan, &venue, journal, Standings::new(&plan.record), Done::default());
    if played.as_ref().is_err_and(|failure| failure.code == code::START) {
        discard_if_empty(&path)?;
    }
    played
}

/// Removes a journal without a finished game: there is nothing to resume, and the next try may want its name.
fn discard_if_empty(path: &Path) -> Result<()> {
    let mut reader = Reader::open(path)?;
    while let Some(record) = reader.next_record()? {
        if matches!(&record, Record::Game(game) if game.result != UNFINISHED) {
            return Ok(());
        }
    }
    fs::remove_file(path).with_context(|| path.display().to_string())
}

pub(crate) fn resume(path: &Path, recover: bool, once: bool, conduct: Conduct) -> Result<ExitCode, Failure> {
    let mut reader = Reader::open(path)?;
    let mut record = reader.plan().clone();
    if record.format == play::FORMAT {
        let hint = format!("go on with it by `load {}` in `arbiter play {}`", path.display(), record.game);
        return Err(anyhow!("{} is a saved game; {hint}", path.display()).into());
    }
    if record.format == LEAGUE {
        return league::resume(path, reader, conduct, once);
    }
    if once {
        Err(anyhow!("--once is for a league; {} is none", path.display()))?;
    }
    record.recover |= recover;
    let plan = Plan::new(record).with_context(|| path.display().to_string())?;
    let mut standings = Standings::new(&plan.record);
    let mut done = Done::default();
    while let Some(record) = reader.next_record()? {
        standings.add(&record).map_err(|message| anyhow!("journal {}: {message}", path.display()))?;
        done.mark(&plan, &record);
    }
    let most = if plan.is_open() { "at most " } else { "" };
    let (played, games) = (standings.games(), plan.schedule.games());
    let mut notes = vec![format!("going on after {played} of {most}{games} games")];
    if reader.torn() {
        notes.push("the journal's last line is torn and was dropped".into());
    }
    let files = Files::of(&plan.record);
    let mut session = Session::new(&plan.record, plan.schedule.games(), path, files, conduct)?;
    let venue = session.venue(&plan)?;
    let journal = Journal::reopen(path, reader.length())?;
    session.introduce(&plan, &notes, path);
    session.play(&plan, &venue, journal, standings, done)
}

/// What a run goes through from here to its end, whatever it plays.
pub(crate) struct Session {
    conduct: Conduct,
    concurrency: usize,
    events: Option<Stream>,
    log: Option<Stream>,
    markdown: Option<Output>,
    csv: Option<Output>,
    interrupts: Interrupts,
    /// Each game at a time gets one of these cores; empty: whatever the system gives.
    cores: Vec<usize>,
}

/// Where the games of a plan are played.
pub(crate) struct Venue {
    arena: Arena,
    hub: Hub,
}

impl Session {
    /// Checks, opens and starts everything but the venue; what fails here leaves the files as they were. The journal is there
    /// already, so that no output can take its place; `files` are those that the games need.
    pub(crate) fn new(
        record: &PlanRecord,
        games: u64,
        journal: &Path,
        mut files: Files,
        conduct: Conduct,
    ) -> Result<Session, Failure> {
        if conduct.exit_on_sprt && record.sprt.is_none() {
            Err(anyhow!("--exit-on-sprt: expected a run with a test (--sprt)"))?;
        }
        let cores = conduct.affinity.as_ref().map_or_else(|| Ok(Vec::new()), Cores::allowed);
        let cores = cores.context("--affinity")?;
        // The system may allow less time than that of all cores: then more games would only wait for each other.
        let processors = || {
            let processors = thread::available_parallelism().map_or(1, usize::from);
            if cores.is_empty() { processors } else { processors.min(cores.len()) }
        };
        let asked = conduct.concurrency.or(record.concurrency).map(usize::from);
        let wanted = asked.unwrap_or_else(processors).min(usize::try_from(games).unwrap_or(usize::MAX));
        let concurrency = match system::make_room(wanted) {
            Ok(()) => wanted,
            // Nobody has asked for so many.
            Err(room) if room > 0 && asked.is_none() => room as usize,
            Err(room) => Err(anyhow!(
                "the limit of open files (ulimit -n) leaves room for {room} games at a time, not {wanted}"
            ))?,
        };
        if record.one_core {
            system::share_one_core().context("can't bind the run to one processor core")?;
        }
        files.take_journal(journal)?;
        if let Some(path) = &conduct.file {
            files.take(path);
        }
        let mut open =
            |path: &Option<PathBuf>, option| path.as_deref().map(|path| files.open(path, option)).transpose();
        let (markdown, csv) = (open(&conduct.markdown, "--markdown")?, open(&conduct.csv, "--csv")?);
        let log = open(&conduct.log, "--log")?.map(|output| Stream::new(output, "--log"));
        let events = match &conduct.events {
            Some(path) if path.as_os_str() == "-" => Some(Stream::new(io::stdout(), "--events")),
            path => open(path, "--events")?.map(|output| Stream::new(output, "--events")),
        };
        let interrupts = interrupts::interrupts(|| exit(code::INTERRUPTED.into()));
        let interrupts = interrupts.map_err(|error| Failure::new(code::INTERNAL, error))?;
        Ok(Session { conduct, concurrency, events, log, markdown, csv, interrupts, cores })
    }

    /// Starts what the games of a plan need.
    pub(crate) fn venue(&self, plan: &Plan) -> Result<Venue, Failure> {
        let started = || {
            let arena = arena(plan, self.log.clone().map(traffic_log))?;
            let hub = Hub::start(&arena)?;
            Ok(Venue { arena, hub })
        };
        started().map_err(|error: io::Error| Failure::new(code::INTERNAL, error))
    }

    /// Whatever comes here ends the run.
    pub(crate) fn interrupts(&self) -> &Interrupts {
        &self.interrupts
    }

    /// Whether people are to be told nothing but the end.
    pub(crate) fn is_quiet(&self) -> bool {
        self.conduct.quiet
    }

    /// Where texts for people go.
    fn people(&self) -> Box<dyn Write + Send> {
        let events = self.conduct.events.as_deref() == Some(Path::new("-"));
        if events || self.conduct.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
    }

    /// Tells people; that nobody reads it any more ends the run elsewhere.
    pub(crate) fn tell(&self, text: &str) {
        let mut people = self.people();
        let _ = people.write_all(text.as_bytes()).and_then(|()| people.flush());
    }

    fn introduce(&self, plan: &Plan, notes: &[String], journal: &Path) {
        if self.conduct.quiet {
            return;
        }
        let record = &plan.record;
        let names: Vec<&str> = record.engines.iter().map(|engine| engine.name.as_str()).collect();
        let mut text = format!(
            "{} {}\n{}: {}{} games, {} at a time, {}, openings {}, seed {}\njournal {}\n",
            record.game,
            record.setup,
            names.join(" - "),
            if plan.is_open() { "at most " } else { "" },
            plan.schedule.games(),
            self.concurrency,
            plan.limits,
            record.openings,
            record.seed,
            journal.display()
        );
        if let Some(test) = &record.sprt {
            let where_decided = if record.shard.is_some() { ", decided by `arbiter merge`" } else { "" };
            text.extend(["test ", &test.to_string(), where_decided, "\n"]);
        }
        if let Some(shard) = record.shard {
            text.extend(["shard ", &shard.to_string(), "; when all are played: arbiter merge JOURNAL ...\n"]);
        }
        for note in notes {
            text.extend(["note: ", note, "\n"]);
        }
        self.tell(&format!("{text}\n"));
    }

    fn play(
        &mut self,
        plan: &Plan,
        venue: &Venue,
        mut journal: Journal,
        mut standings: Standings,
        done: Done,
    ) -> Result<ExitCode, Failure> {
        let resume = resume_command(&journal);
        let view = if self.conduct.quiet {
            View::Quiet
        } else {
            View::new(plan, standings.games(), &self.conduct.console)
        };
        self.publish(&Record::Plan(Box::new(plan.record.clone())));
        let ending = match self.play_games(plan, venue, &mut journal, &mut standings, done, view) {
            Err(Failure { code: code::START, error }) if standings.games() > 0 => {
                // What it is without that engine; that it doesn't start is the graver fault.
                let _ = self.conclude(&standings, &resume);
                return Err(Failure::new(code::START, anyhow!("{error}\n  then go on with: {resume}")));
            }
            ending => ending?,
        };
        let concluded = self.conclude(&standings, &resume);
        let code = match ending {
            Ending::Interrupted => interrupted(&resume),
            Ending::Fault => {
                remark(&format!("ended by a fault; go on with: {resume} --recover"));
                code::FAULT
            }
            Ending::Complete if !standings.faults().is_empty() => code::FAULT,
            Ending::Complete if self.conduct.exit_on_sprt => verdict_code(&standings),
            Ending::Complete => 0,
        };
        concluded.map(|()| ExitCode::from(code))
    }

    /// Plays the games of a plan that are not done.
    pub(crate) fn play_games(
        &mut self,
        plan: &Plan,
        venue: &Venue,
        journal: &mut Journal,
        standings: &mut Standings,
        done: Done,
        mut view: View,
    ) -> Result<Ending, Failure> {
        let stopper = venue.hub.stopper();
        let resume = resume_command(journal);
        let (openings, concurrency) = (plan.openings()?, self.concurrency);
        let run = Run { plan, openings, done, concurrency, resume: resume.clone() };
        let tables = AtomicUsize::new(0);
        let (cores, interrupts) = (self.cores.clone(), self.interrupts.clone());
        // A league goes on whoever doesn't start, and a run that recovers if it has started before.
        let (is_league, recover) = (plan.record.format == LEAGUE, plan.record.recover);
        let may_forfeit: Vec<AtomicBool> = plan.engines.iter().map(|_| AtomicBool::new(is_league)).collect();
        let forfeits = |error: &StartError| {
            let index = plan.engines.iter().position(|engine| engine.name == error.engine);
            index.is_some_and(|index| may_forfeit[index].load(Ordering::Relaxed))
        };
        let ending = run.play(
            || {
                let number = tables.fetch_add(1, Ordering::Relaxed);
                let core = cores.get(number % cores.len().max(1)).copied();
                let mut table = Table::new(&venue.hub, &venue.arena).on_core(core);
                let (may_forfeit, forfeits) = (&may_forfeit, &forfeits);
                move |job: &Job| match table.play(job) {
                    Err(error) if forfeits(&error) => table.forfeit(job, &error),
                    played => {
                        if recover && played.is_ok() {
                            job.players
                                .iter()
                                .for_each(|&player| may_forfeit[player].store(true, Ordering::Relaxed));
                        }
                        played
                    }
                }
            },
            || stopper.stop(),
            &interrupts,
            journal,
            standings,
            &mut |record, standings| {
                self.publish(record);
                view.update(standings);
            },
        );
        view.finish();
        ending.map_err(|error| match error {
            RunError::Start(_) => Failure::new(code::START, error),
            RunError::Journal(error) => no_room(&error, &resume),
        })
    }

    /// Passes a record to who listens to events.
    pub(crate) fn publish(&self, record: &Record) {
        if let Some(events) = &self.events {
            events.put(&journal::to_line(record));
        }
    }

    /// The final tables, each whatever becomes of the others.
    ///
    /// # Errors
    /// Says of the first of the run's outputs that could not be written.
    pub(crate) fn conclude(&mut self, standings: &Standings, resume: &str) -> Result<(), Failure> {
        let put = |output: &mut Option<Output>, text: String| {
            output.as_mut().map_or(Ok(()), |output| output.put(&text, resume))
        };
        let markdown = put(&mut self.markdown, report::full(standings, Style::Markdown));
        let csv = put(&mut self.csv, report::csv(standings));
        let mut people = self.people();
        let table = report::full(standings, Style::Text);
        let told = unless_left(people.write_all(table.as_bytes()).and_then(|()| people.flush()));
        let told = told.map_err(|error| {
            let again = format!("next step: see it again with: {resume}");
            Failure::new(code::INTERNAL, anyhow!("the table can't be written: {error}\n  {again}"))
        });
        let json = if self.conduct.json { emit(&format!("{}\n", report::json(standings))) } else { Ok(()) };
        let streams = [&self.log, &self.events].into_iter().flatten().map(Stream::check);
        [told, json, markdown, csv].into_iter().chain(streams).collect()
    }
}

/// The command that goes on with a run.
pub(crate) fn resume_command(journal: &Journal) -> String {
    format!("arbiter resume {}", shell_words::quote(&journal.path().to_string_lossy()))
}

/// Says how to go on after an interruption.
pub(crate) fn interrupted(resume: &str) -> u8 {
    remark(&format!("interrupted; go on with: {resume}"));
    code::INTERRUPTED
}

/// The journal can't be written.
pub(crate) fn no_room(error: &JournalError, resume: &str) -> Failure {
    Failure::new(code::INTERNAL, anyhow!("{error}\n  next step: make room and go on with: {resume}"))
}

fn arena(plan: &Plan, log: Option<Log>) -> io::Result<Arena> {
    Ok(Arena {
        rules: plan.rules,
        setup: plan.setup.clone(),
        engines: plan.engines.clone(),
        limits: plan.limits.clone(),
        patience: plan.patience.clone(),
        adjudication: plan.record.adjudication,
        max_plies: plan.record.max_plies,
        program: std::env::current_exe()?,
        log,
    })
}

/// Writes each line exchanged: milliseconds, game, engine, direction, text.
pub(crate) fn traffic_log(lines: Stream) -> Log {
    Box::new(move |traffic: &Traffic<'_>| {
        let game = traffic.game.map_or_else(|| "-".into(), |game| game.to_string());
        let ms = traffic.at.as_secs_f64() * 1000.0;
        let Traffic { engine, stream, line, .. } = traffic;
        lines.put(&format!("{ms:.3} {game} {engine} {stream} {line}\n"));
    })
}

/// What a decided test exits with.
fn verdict_code(standings: &Standings) -> u8 {
    let verdict = standings.trial().and_then(Trial::verdict);
    match verdict.map(|verdict| verdict.accepted.as_str()) {
        Some("H1") => code::H1,
        Some("H0") => code::H0,
        _ => 0,
    }
}

/// A new journal, and what `prepare` makes of its place; if nothing, there is no journal either.
pub(crate) fn begin<T>(
    path: Option<&Path>,
    record: &PlanRecord,
    prepare: impl FnOnce(&Path) -> Result<T, Failure>,
) -> Result<(Journal, T), Failure> {
    let journal = new_journal(path, record)?;
    match prepare(journal.path()) {
        Ok(prepared) => Ok((journal, prepared)),
        Err(failure) => {
            journal.discard();
            Err(failure)
        }
    }
}

/// A new journal, in the current directory unless a place is given.
fn new_journal(path: Option<&Path>, record: &PlanRecord) -> Result<Journal> {
    if let Some(path) = path {
        ensure!(
            Journal::is_vacant(path),
            "{} exists; give another --journal, or go on with `arbiter resume {0}`",
            path.display()
        );
        return Ok(Journal::create(path, record)?);
    }
    let time = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let stem = format!("ludus-{}-{time}", record.game);
    let mut names =
        [format!("{stem}.ndjson")].into_iter().chain((2..100).map(|n| format!("{stem}-{n}.ndjson")));
    let name = names.find(|name| !Path::new(name).exists()).context("no free name for a journal")?;
    Journal::create(Path::new(&name), record).context("give another place with --journal FILE")
}

/// The schedule, game by game, as `--plan` shows it: of a tournament with rounds only the one that is paired already.
fn print_schedule(plan: &Plan, json: bool) -> Result<ExitCode, Failure> {
    let mut openings = plan.openings()?;
    let rounds = Rounds::new(&plan.record);
    let rounds = rounds.as_ref().map_or(&[][..], Rounds::known);
    let indices = (0..plan.schedule.games()).map(|n| plan.schedule.index(n));
    let slots = indices.map_while(|index| plan.schedule.slot(index, rounds));
    for slot in slots {
        let (index, job) = (slot.index, plan.job(&slot, &mut openings));
        let [p1, p2] = job.players.map(|player| plan.engines[player].name.as_str());
        let line = if json {
            let value = serde_json::json!({
                "index": index, "pair": job.pair, "p1": p1, "p2": p2, "fen": job.fen,
            });
            format!("{value}\n")
        } else {
            format!("{index}  pair {}  {p1} - {p2}  {}\n", job.pair, job.fen)
        };
        if emit_next(&line)?.is_break() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}
