//! Playing: `match`, `tournament` and `resume` make a plan each, and this plays it.

use std::fs::{self, File};
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, exit};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow};
use arbiter::arena::{Arena, Log, Traffic};
use arbiter::config::EngineSpec;
use arbiter::interrupts::{self, Interrupts};
use arbiter::journal::{self, Journal, Reader};
use arbiter::plan::Plan;
use arbiter::process::Hub;
use arbiter::record::Record;
use arbiter::report::{self, Style};
use arbiter::rounds::Rounds;
use arbiter::runner::{Ending, Run, RunError, mark_done};
use arbiter::sheet::UNFINISHED;
use arbiter::spec;
use arbiter::sprt::Trial;
use arbiter::standings::Standings;
use arbiter::system::{self, Cores};
use arbiter::table::Table;
use arbiter::view::View;
use clap::Args;
use game::Rules;

use crate::play;
use crate::settings::{Planned, Settings, find_game};
use crate::{Failure, code, emit};

/// How a run is conducted: what doesn't belong to its plan.
#[derive(Args, Clone, Debug)]
pub(crate) struct Conduct {
    /// Games at a time [default: processor cores; 1 with a preset]
    #[arg(long, value_name = "N", help_heading = "Output", value_parser = clap::value_parser!(u16).range(1..))]
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
    let Planned { plan, notes, concurrency } = settings.plan(rules, engines, format)?;
    if settings.plan {
        return print_schedule(&plan, conduct.json);
    }
    let mut session = Session::new(&plan, conduct, concurrency)?;
    let journal = match &settings.journal {
        Some(path) if path.exists() => Err(anyhow!(
            "{} exists; give another --journal, or go on with `arbiter resume {0}`",
            path.display()
        ))?,
        Some(path) => Journal::create(path, &plan.record)?,
        None => new_journal(&plan).context("give another place with --journal FILE")?,
    };
    session.introduce(&notes, journal.path());
    let path = journal.path().to_owned();
    let played = session.play(journal, Standings::new(&plan.record), Vec::new());
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

pub(crate) fn resume(path: &Path, recover: bool, conduct: Conduct) -> Result<ExitCode, Failure> {
    let mut reader = Reader::open(path)?;
    let mut record = reader.plan().clone();
    if record.format == play::FORMAT {
        let hint = format!("go on with it by `load {}` in `arbiter play {}`", path.display(), record.game);
        return Err(anyhow!("{} is a saved game; {hint}", path.display()).into());
    }
    record.recover |= recover;
    let plan = Plan::new(record).with_context(|| path.display().to_string())?;
    let mut standings = Standings::new(&plan.record);
    let mut done = Vec::new();
    while let Some(record) = reader.next_record()? {
        standings.add(&record).map_err(|message| anyhow!("journal {}: {message}", path.display()))?;
        mark_done(&mut done, &plan, &record);
    }
    let most = if plan.is_open() { "at most " } else { "" };
    let (played, games) = (standings.games(), plan.schedule.games());
    let mut notes = vec![format!("going on after {played} of {most}{games} games")];
    if reader.torn() {
        notes.push("the journal's last line is torn and was dropped".into());
    }
    let mut session = Session::new(&plan, conduct, plan.record.one_core.then_some(1))?;
    let journal = Journal::reopen(path, reader.length())?;
    session.introduce(&notes, path);
    session.play(journal, standings, done)
}

/// One run of a plan from here to its end.
struct Session<'a> {
    plan: &'a Plan,
    conduct: Conduct,
    concurrency: usize,
    events: Option<Box<dyn Write>>,
    interrupts: Interrupts,
    arena: Arena,
    hub: Hub,
    /// Each game at a time gets one of these cores; empty: whatever the system gives.
    cores: Vec<usize>,
}

impl<'a> Session<'a> {
    /// Checks, opens and starts everything but the journal, so that whatever fails here leaves none.
    fn new(plan: &'a Plan, conduct: Conduct, concurrency: Option<usize>) -> Result<Session<'a>, Failure> {
        let internal = |error: io::Error| Failure::new(code::INTERNAL, error);
        let cores = conduct.affinity.as_ref().map_or_else(|| Ok(Vec::new()), Cores::allowed);
        let cores = cores.context("--affinity")?;
        let processors = || match cores.len() {
            0 => thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let concurrency = conduct.concurrency.map(usize::from).or(concurrency).unwrap_or_else(processors);
        let games = usize::try_from(plan.schedule.games()).unwrap_or(usize::MAX);
        let concurrency = concurrency.min(games);
        system::make_room(concurrency).map_err(|room| {
            anyhow!("the limit of open files (ulimit -n) leaves room for {room} games at a time, not {concurrency}")
        })?;
        if plan.record.one_core {
            system::share_one_core().context("can't bind the run to one processor core")?;
        }
        let events: Option<Box<dyn Write>> = match &conduct.events {
            Some(path) if path.as_os_str() == "-" => Some(Box::new(io::stdout())),
            Some(path) => Some(Box::new(create(path, "--events")?)),
            None => None,
        };
        let log = conduct.log.as_deref().map(|path| create(path, "--log").map(traffic_log)).transpose()?;
        let interrupts = interrupts::interrupts(|| exit(code::INTERRUPTED.into())).map_err(internal)?;
        let arena = arena(plan, log).map_err(internal)?;
        let hub = Hub::start(&arena).map_err(internal)?;
        Ok(Session { plan, conduct, concurrency, events, interrupts, arena, hub, cores })
    }

    /// Where texts for people go.
    fn people(&self) -> Box<dyn Write> {
        let events = self.conduct.events.as_deref() == Some(Path::new("-"));
        if events || self.conduct.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
    }

    /// Tells people; that nobody reads it any more ends the run elsewhere.
    fn tell(&self, text: &str) {
        let mut people = self.people();
        let _ = people.write_all(text.as_bytes()).and_then(|()| people.flush());
    }

    fn introduce(&self, notes: &[String], journal: &Path) {
        if self.conduct.quiet {
            return;
        }
        let record = &self.plan.record;
        let names: Vec<&str> = record.engines.iter().map(|engine| engine.name.as_str()).collect();
        let mut text = format!(
            "{} {}\n{}: {}{} games, {} at a time, {}, openings {}, seed {}\njournal {}\n",
            record.game,
            record.setup,
            names.join(" - "),
            if self.plan.is_open() { "at most " } else { "" },
            self.plan.schedule.games(),
            self.concurrency,
            self.plan.limits,
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
        mut journal: Journal,
        mut standings: Standings,
        done: Vec<bool>,
    ) -> Result<ExitCode, Failure> {
        let stopper = self.hub.stopper();
        let resume = format!("arbiter resume {}", shell_words::quote(&journal.path().to_string_lossy()));
        let run = Run {
            plan: self.plan,
            openings: self.plan.openings()?,
            done,
            concurrency: self.concurrency,
            resume: resume.clone(),
        };
        let mut view = if self.conduct.quiet {
            View::Quiet
        } else {
            View::new(self.plan, standings.games(), self.people())
        };
        let mut events = self.events.take();
        let mut publish = move |record: &Record| {
            if let Some(sink) = &mut events
                && let Err(error) =
                    sink.write_all(journal::to_line(record).as_bytes()).and_then(|()| sink.flush())
            {
                // A reader that left ends the run by its closed standard output.
                if error.kind() != io::ErrorKind::BrokenPipe {
                    log::warn!("--events ends here, the journal has all records: {error}");
                }
                events = None;
            }
        };
        publish(&Record::Plan(self.plan.record.clone()));
        let tables = AtomicUsize::new(0);
        let ending = run.play(
            || {
                let number = tables.fetch_add(1, Ordering::Relaxed);
                let core = self.cores.get(number % self.cores.len().max(1)).copied();
                let mut table = Table::new(&self.hub, &self.arena).on_core(core);
                move |job: &_| table.play(job)
            },
            || stopper.stop(),
            &self.interrupts,
            &mut journal,
            &mut standings,
            &mut |record, standings| {
                publish(record);
                view.update(standings);
            },
        );
        view.finish();
        let ending = ending.map_err(|error| match error {
            RunError::Start(_) => Failure::new(code::START, error),
            RunError::Journal(_) => Failure::new(
                code::INTERNAL,
                anyhow!("{error}\n  next step: make room and go on with: {resume}"),
            ),
        })?;
        self.conclude(&standings, &resume)?;
        Ok(ExitCode::from(match ending {
            Ending::Interrupted => {
                let _ = writeln!(io::stderr(), "interrupted; go on with: {resume}");
                code::INTERRUPTED
            }
            Ending::Fault => {
                let _ = writeln!(io::stderr(), "ended by a fault; go on with: {resume} --recover");
                code::FAULT
            }
            Ending::Complete if !standings.faults().is_empty() => code::FAULT,
            Ending::Complete if self.conduct.exit_on_sprt => verdict_code(&standings),
            Ending::Complete => 0,
        }))
    }

    /// The final tables.
    fn conclude(&self, standings: &Standings, resume: &str) -> Result<(), Failure> {
        for (path, text) in [
            (&self.conduct.markdown, report::full(standings, Style::Markdown)),
            (&self.conduct.csv, report::csv(standings)),
        ] {
            if let Some(path) = path {
                let written = fs::write(path, text).with_context(|| path.display().to_string());
                written.map_err(|error| Failure::new(code::INTERNAL, error))?;
            }
        }
        let mut people = self.people();
        let table = report::full(standings, Style::Text);
        match people.write_all(table.as_bytes()).and_then(|()| people.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let error =
                    anyhow!("the table can't be written: {error}\n  next step: see it again with: {resume}");
                return Err(Failure::new(code::INTERNAL, error));
            }
            _ => {}
        }
        if self.conduct.json { emit(&format!("{}\n", report::json(standings))) } else { Ok(()) }
    }
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

pub(crate) fn create(path: &Path, option: &str) -> Result<File> {
    File::create(path).with_context(|| format!("{option} {}", path.display()))
}

/// Writes each line exchanged: milliseconds, game, engine, direction, text.
pub(crate) fn traffic_log(file: File) -> Log {
    let file = Mutex::new(Some(LineWriter::new(file)));
    Box::new(move |traffic: &Traffic<'_>| {
        let game = traffic.game.map_or_else(|| "-".into(), |game| game.to_string());
        let ms = traffic.at.as_secs_f64() * 1000.0;
        if let Ok(mut file) = file.lock() {
            let Traffic { engine, stream, line, .. } = traffic;
            if let Some(out) = &mut *file
                && let Err(error) = writeln!(out, "{ms:.3} {game} {engine} {stream} {line}")
            {
                log::warn!("--log ends here: {error}");
                *file = None;
            }
        }
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

/// A journal of a new name in the current directory.
fn new_journal(plan: &Plan) -> Result<Journal> {
    let time = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let stem = format!("ludus-{}-{time}", plan.record.game);
    let mut names =
        [format!("{stem}.ndjson")].into_iter().chain((2..100).map(|n| format!("{stem}-{n}.ndjson")));
    let name = names.find(|name| !Path::new(name).exists()).context("no free name for a journal")?;
    Ok(Journal::create(Path::new(&name), &plan.record)?)
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
        emit(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}
