//! One engine's side of the conversation: what was sent, what it owes, what it answered, how it failed.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub(crate) mod lines;
pub(crate) mod options;
mod poller;
pub(crate) mod transcript;

use std::ffi::OsString;
use std::fmt::{Display, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use protocol::{Answer, Best, Command, ErrorCode, Go, Info, InfoScore, OptionDecl, OptionType, Reply, Token};
use rustix::io::Errno;

use poller::Sources;
pub(crate) use poller::{Poller, Waited};

use crate::arena::{Arena, StartError, Stream, Traffic};
use crate::config::{EngineSpec, shown};
use crate::fault::{Fault, Reason};
use crate::process::{
    CORE, DIRECTORY, Ending, Farewell, Hub, LAUNCH_FAILED, LAUNCH_FAILED_CODE, MEMORY, Place, Process,
    SANDBOX,
};
use crate::record::{EvalRecord, FaultRecord};
use lines::{Line, LineBuffer};
use transcript::{Clipped, Transcript};

/// How much an engine may print per search, and between two of its searches, in bytes and in lines.
const QUOTA_BYTES: usize = 8 << 20;
const QUOTA_LINES: usize = 200_000;

/// How long after the loss of a stream the process may take to be seen as ended.
const GRACE: Duration = Duration::from_millis(500);

/// What an engine owes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Owed {
    Nothing,
    /// `ugiok`.
    Hello,
    /// `readyok`.
    Ready,
    /// `bestmove`, with this tag where the engine knows tags.
    Move(Option<Token>),
    /// `response fen`.
    Fen,
}

/// How far its start has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Started,
    /// It answered the greeting.
    Greeted,
    /// It was ready for a game.
    Prepared,
}

/// What the engine said of itself.
#[derive(Default)]
struct Identity {
    caps: Vec<String>,
    options: Vec<OptionDecl>,
}

/// What the engine said since it was last asked for something.
#[derive(Default)]
struct Heard {
    bytes: usize,
    lines: usize,
    setup: Option<String>,
    eval: Option<EvalRecord>,
    best: Option<(Best, Instant)>,
    /// Its view of the position, for people.
    fen: Option<String>,
    /// The last move that did not count, and why, for people.
    dropped: Option<String>,
    /// The first error line, for people.
    error: Option<String>,
    /// It said that a move of the game so far is illegal.
    rejects_move: bool,
}

/// An engine process and the conversation with it.
pub(crate) struct Driver<'a> {
    hub: &'a Hub,
    arena: &'a Arena,
    spec: &'a EngineSpec,
    index: usize,
    process: Process,
    started: Instant,
    game: Option<u64>,
    stage: Stage,
    tags: u64,
    identity: Identity,
    owed: Owed,
    heard: Heard,
    transcript: Transcript,
    lines: LineBuffer,
    error_lines: LineBuffer,
    outbox: String,
    sent: usize,
    output_open: bool,
    errors_open: bool,
    /// When a stream to or from it broke.
    broken: Option<Instant>,
    ending: Option<Ending>,
    launch_failure: Option<String>,
    /// Whether a dropped move was told of.
    warned: bool,
    /// The game and its set-up, as the wire has them.
    setup: String,
    /// What of it a [`Poller`] hears of.
    watched: Sources,
}

impl<'a> Driver<'a> {
    /// Starts the engine of that index, on that core if one is given, and greets it.
    pub(crate) fn start(
        hub: &'a Hub,
        arena: &'a Arena,
        index: usize,
        core: Option<usize>,
    ) -> Result<Driver<'a>, StartError> {
        #[expect(clippy::indexing_slicing, reason = "a job's indices are its arena's")]
        let spec = &arena.engines[index];
        let command = spec.command(&arena.program);
        let process = hub.spawn(&command, &Place::of(spec, core)).map_err(|error| StartError {
            engine: spec.name.clone(),
            message: format!("can't start a process: {error}\n  command: {}", shown(&command)),
        })?;
        let mut driver = Driver {
            hub,
            arena,
            spec,
            index,
            process,
            started: Instant::now(),
            game: None,
            stage: Stage::Started,
            tags: 0,
            identity: Identity::default(),
            owed: Owed::Nothing,
            heard: Heard::default(),
            transcript: Transcript::default(),
            lines: LineBuffer::default(),
            error_lines: LineBuffer::default(),
            outbox: String::new(),
            sent: 0,
            output_open: true,
            errors_open: true,
            broken: None,
            ending: None,
            launch_failure: None,
            warned: false,
            setup: format!("{} {}", arena.rules.name(), arena.setup.text(arena.rules.params())),
            watched: Sources::default(),
        };
        driver.ask(Owed::Hello, "ugi\n");
        Ok(driver)
    }

    /// The engine's index in the arena.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The engine's name.
    pub(crate) fn name(&self) -> &'a str {
        &self.spec.name
    }

    /// When the greeting must be answered; `None` once it has been.
    pub(crate) fn greeting_deadline(&self) -> Option<Instant> {
        (self.stage == Stage::Started).then(|| self.started + self.arena.patience.startup)
    }

    /// Whether it has been made ready for a game before.
    pub(crate) fn was_prepared(&self) -> bool {
        self.stage == Stage::Prepared
    }

    /// Takes note that the greeting was answered.
    pub(crate) fn accept_greeting(&mut self) {
        self.stage = Stage::Greeted;
    }

    /// Sends all that precedes a game and gives how long the answer may take. Refuses options that it doesn't have.
    pub(crate) fn prepare(&mut self, game: u64, seed: u64) -> Result<Duration, StartError> {
        self.game = Some(game);
        let mut text = String::new();
        if !self.was_prepared() {
            text = options::lines(&self.identity.options, &self.spec.options)
                .map_err(|message| StartError { engine: self.name().to_owned(), message })?;
        }
        if let Some(value) = self.seed(seed) {
            let _ = writeln!(text, "setoption name Seed value {value}");
        }
        if self.has_cap("setup") {
            let _ = writeln!(text, "setup {}", self.setup);
        }
        text.push_str("uginewgame\nisready\n");
        self.ask(Owed::Ready, &text);
        let patience = &self.arena.patience;
        Ok(if self.was_prepared() { patience.ready } else { patience.first_ready })
    }

    /// Checks what it answered to [`Driver::prepare`] before `readyok`.
    pub(crate) fn accept_preparation(&mut self) -> Result<(), StartError> {
        let heard = self.heard.setup.as_deref();
        let confirmed = heard.and_then(|heard| heard.strip_prefix("setupok "));
        if self.has_cap("setup") && confirmed != Some(&self.setup) {
            let heard = Clipped(heard.or(self.complaint()).unwrap_or("nothing"));
            let expected = &self.setup;
            let what =
                format!("another set-up than ours\n  expected: setupok {expected}\n  it said:  {heard}");
            return Err(
                self.start_error(&what, "make the engine read all keys of `setup` and repeat them in order")
            );
        }
        if let Some(error) = self.complaint().filter(|_| !self.was_prepared()) {
            let what = format!("it refuses what precedes a game: {error}");
            return Err(self.start_error(&what, "check the values of its options"));
        }
        self.stage = Stage::Prepared;
        Ok(())
    }

    /// The value of its option `Seed`, unless it has none or the run sets it.
    fn seed(&self, seed: u64) -> Option<i64> {
        let seed_option = options::find(&self.identity.options, "Seed");
        let option = seed_option.filter(|option| option.kind == OptionType::Spin)?;
        let given = self.spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed"));
        let (min, max) = (option.min.unwrap_or(0), option.max.unwrap_or(i64::MAX));
        let span = u64::try_from(i128::from(max) - i128::from(min)).ok()?;
        let offset = span.checked_add(1).map_or(seed, |values| seed % values);
        (!given).then(|| min.wrapping_add_unsigned(offset))
    }

    /// Whether it announced a capability.
    pub(crate) fn has_cap(&self, name: &str) -> bool {
        self.identity.caps.iter().any(|cap| cap.eq_ignore_ascii_case(name))
    }

    /// Asks for a move, in one write: `position` is the line up to the last move, `legal` the list for engines without
    /// rules of their own.
    pub(crate) fn think(&mut self, position: &str, legal: Option<&[String]>, mut go: Go) {
        if self.has_cap("tag") {
            self.tags += 1;
            go.tag = Token::new(&format!("t{}", self.tags));
        }
        self.begin(Owed::Move(go.tag.clone()));
        self.push(position);
        if let Some(moves) = legal {
            self.push(format_args!("legal {}", counted(moves)));
        }
        self.push(Command::Go(go));
        self.flush();
    }

    /// Asks it to end its search.
    pub(crate) fn stop(&mut self) {
        self.push("stop");
        self.flush();
    }

    /// Asks for its view of the position. Only with `cap query`.
    pub(crate) fn ask_fen(&mut self) {
        self.ask(Owed::Fen, "query fen\n");
    }

    /// Its view of the position, for people, once it was asked for and given.
    pub(crate) fn fen(&self) -> Option<&str> {
        self.heard.fen.as_deref()
    }

    /// The move it wants to play and when that was read.
    pub(crate) fn best(&self) -> Option<&(Best, Instant)> {
        self.heard.best.as_ref()
    }

    /// What it said of its move.
    pub(crate) fn eval(&self) -> Option<EvalRecord> {
        self.heard.eval
    }

    /// The move that was dropped since it was asked for one, and why, for people.
    pub(crate) fn dropped(&self) -> Option<&str> {
        self.heard.dropped.as_deref()
    }

    /// The first error line since it was asked for something, for people.
    pub(crate) fn complaint(&self) -> Option<&str> {
        self.heard.error.as_deref()
    }

    /// Whether its output exceeded the quota.
    fn is_flooding(&self) -> bool {
        self.heard.bytes > QUOTA_BYTES || self.heard.lines > QUOTA_LINES
    }

    /// What makes it unable to answer, as of `now`.
    fn fault(&self, now: Instant) -> Option<Fault> {
        if self.heard.rejects_move {
            let error = self.complaint().unwrap_or_default();
            return Some(Fault::new(
                Reason::RejectsLegalMove,
                format!("every move so far is legal, it said: {error}"),
            ));
        }
        if self.is_flooding() {
            let Heard { bytes, lines, .. } = self.heard;
            return Some(Fault::new(
                Reason::Flood,
                format!("{bytes} bytes in {lines} lines without an answer"),
            ));
        }
        match self.ending {
            Some(ending @ Ending::Code(0)) => Some(Fault::new(Reason::Exit, ending.to_string())),
            Some(ending) => Some(Fault::new(Reason::Crash, format!("{ending}{}", self.bounds()))),
            None if self.broken.is_some_and(|at| at + GRACE <= now) => Some(Fault::new(
                Reason::Disconnect,
                format!("closed its end of a pipe, process {} is still alive", self.process.id()),
            )),
            None => None,
        }
    }

    /// For people: what may have ended it.
    fn bounds(&self) -> String {
        let memory = self.spec.isolation.memory;
        memory.map(|mebibytes| format!(", its memory limit is {mebibytes} MiB")).unwrap_or_default()
    }

    /// For people: how the silent process is.
    pub(crate) fn condition(&self) -> String {
        match self.process.state() {
            Some(state) => format!("process {} is {state}", self.process.id()),
            None => format!("process {}", self.process.id()),
        }
    }

    /// A fault of this engine, for the journal.
    pub(crate) fn fault_record(&self, game: u64, fault: &Fault) -> FaultRecord {
        FaultRecord {
            game,
            engine: self.name().to_owned(),
            reason: fault.reason.token().to_owned(),
            detail: fault.detail.clone(),
            stderr: self.transcript.stderr(),
            last_lines: self.transcript.lines(),
        }
    }

    /// Why it can't take part, for people.
    pub(crate) fn start_error(&self, what: &str, advice: &str) -> StartError {
        let command = self.spec.command(&self.arena.program);
        let mut message = format!("{what}\n  command: {}", shown(&command));
        let mut block = |title: &str, lines: &[String]| {
            if !lines.is_empty() {
                let _ = write!(message, "\n  {title}:");
                message.extend(lines.iter().flat_map(|line| ["\n    ", line]));
            }
        };
        block("last lines", &self.transcript.lines());
        let stderr = self.transcript.stderr();
        block("standard error", &stderr.lines().map(|line| Clipped(line).to_string()).collect::<Vec<_>>());
        let _ = write!(message, "\n  next step: {advice}");
        StartError { engine: self.name().to_owned(), message }
    }

    /// Why its start failed, as an error for people: `fault`, or else silence for `patience`.
    pub(crate) fn start_failure(
        &self,
        answer: &str,
        fault: Option<&Fault>,
        patience: Duration,
    ) -> StartError {
        if let Some(error) = &self.launch_failure
            && self.ending == Some(Ending::Code(LAUNCH_FAILED_CODE))
        {
            // There was no engine yet that could have said anything.
            let command = self.spec.command(&self.arena.program);
            let (advice, command) = (launch_advice(error, self.spec, &command), shown(&command));
            let message = format!("can't be started: {error}\n  command: {command}\n  next step: {advice}");
            return StartError { engine: self.name().to_owned(), message };
        }
        let seconds = patience.as_secs_f64();
        let silent = self.transcript.is_silent();
        match fault {
            Some(fault) => self.start_error(
                &format!("ended its start with {fault}, before `{answer}`"),
                if self.spec.isolation.is_sandboxed() { SANDBOXED_ADVICE } else { CRASH_ADVICE },
            ),
            None if silent => self.start_error(
                &format!("said nothing within {seconds} s"),
                "run the command by hand and type `ugi`; if it doesn't answer there either, it doesn't speak this \
                 protocol (an engine of UCI alone doesn't know `ugi`); if it does, it doesn't flush its output into \
                 a pipe: lines must not stay in a buffer (Python: print(…, flush=True))",
            ),
            None => self.start_error(
                &format!("no `{answer}` within {seconds} s: it doesn't speak the protocol, or not yet"),
                &format!(
                    "see its lines above; if it only needs longer, make it faster: it has {seconds} s for that, \
                     which no option changes"
                ),
            ),
        }
    }

    /// Parts from the engine.
    pub(crate) fn retire(self, farewell: Farewell) {
        self.hub.retire(self.process, if self.ending.is_some() { Farewell::Kill } else { farewell });
    }

    fn ask(&mut self, owed: Owed, text: &str) {
        self.begin(owed);
        text.lines().for_each(|line| self.push(line));
        self.flush();
    }

    fn begin(&mut self, owed: Owed) {
        // An engine that flooded the time between two searches has to answer for it.
        let flooded = self.is_flooding();
        let Heard { bytes, lines, .. } = self.heard;
        self.heard = Heard::default();
        if flooded {
            (self.heard.bytes, self.heard.lines) = (bytes, lines);
        }
        self.owed = owed;
    }

    /// Queues a line.
    fn push(&mut self, line: impl Display) {
        let start = self.outbox.len();
        let _ = write!(self.outbox, "{line}");
        let line = self.outbox.get(start..).unwrap_or_default();
        self.transcript.note('>', line);
        self.log(Stream::In, line, None);
        self.outbox.push('\n');
    }

    /// Writes what the pipe takes.
    fn flush(&mut self) {
        while let Some(rest) = self.outbox.as_bytes().get(self.sent..).filter(|rest| !rest.is_empty()) {
            match rustix::io::write(&self.process.stdin, rest) {
                Ok(n) => self.sent += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => {
                    self.broken.get_or_insert_with(Instant::now);
                    break;
                }
            }
        }
        self.outbox.clear();
        self.sent = 0;
    }

    /// Logs a line read at that time, or sent now.
    fn log(&self, stream: Stream, line: &str, at: Option<Instant>) {
        if let Some(log) = &self.arena.log {
            let at = at.unwrap_or_else(Instant::now).saturating_duration_since(self.hub.started());
            log(&Traffic { at, game: self.game, engine: self.name(), stream, line });
        }
    }

    /// Takes a piece of its output; an empty one is the end.
    fn hear(&mut self, piece: &[u8], at: Instant) {
        let mut lines = std::mem::take(&mut self.lines);
        self.heard.bytes += piece.len();
        lines.feed(piece, |line| self.hear_line(line, at));
        if piece.is_empty() {
            self.output_open = false;
            self.broken.get_or_insert(at);
            lines.finish(|line| self.hear_line(line, at));
        }
        self.lines = lines;
    }

    fn hear_line(&mut self, line: Line<'_>, at: Instant) {
        self.heard.lines += 1;
        let Line::Text(bytes) = line else {
            self.transcript.note('<', "(a line of more than 1 MiB, ignored)");
            return;
        };
        let text = String::from_utf8_lossy(bytes);
        self.transcript.note('<', &text);
        self.log(Stream::Out, text.trim_end_matches('\r'), Some(at));
        if let Some(failure) = text.strip_prefix(LAUNCH_FAILED).filter(|_| self.owed == Owed::Hello) {
            self.launch_failure = Some(Clipped(failure.trim()).to_string());
        }
        let (reply, line) = read_reply(&text);
        self.take(reply, line, at);
    }

    fn take(&mut self, reply: Reply, line: &str, at: Instant) {
        match (reply, &self.owed) {
            (Reply::Cap(caps), Owed::Hello) => self.identity.caps.extend(caps),
            (Reply::Option(option), Owed::Hello) => self.identity.options.push(option),
            (Reply::HelloOk(_), Owed::Hello) | (Reply::ReadyOk, Owed::Ready) => self.owed = Owed::Nothing,
            (reply @ Reply::SetupOk { .. }, Owed::Ready) => self.heard.setup = Some(reply.to_string()),
            (Reply::Info(info), Owed::Move(_)) => self.heard.eval = eval(&info).or(self.heard.eval),
            (Reply::BestMove { best, tag }, Owed::Move(expected))
                if tag == *expected || expected.is_none() =>
            {
                self.heard.best = Some((best, at));
                self.owed = Owed::Nothing;
            }
            (Reply::BestMove { .. }, owed) => {
                let expected = match owed {
                    Owed::Move(Some(tag)) => format!("expected tag {tag}"),
                    _ => "nobody waits for one".into(),
                };
                let dropped = format!("a move was dropped, {expected}: {}", Clipped(line));
                // Once is enough: an engine that does so does it at every move.
                if !std::mem::replace(&mut self.warned, true) {
                    log::warn!("{}: {dropped}", self.name());
                }
                self.heard.dropped = Some(dropped);
            }
            (Reply::Response(Answer::Named { name, tokens }), Owed::Fen) if name == "fen" => {
                let view = tokens.join(" ");
                // A position stays whole, to be compared with ours, and is no longer than the largest board makes it.
                let position = self.arena.rules.load(&view);
                self.heard.fen =
                    Some(position.map_or_else(|_| Clipped(&view).to_string(), |position| position.fen()));
                self.owed = Owed::Nothing;
            }
            (Reply::Error(error), owed) => {
                self.heard.rejects_move |=
                    error.code == ErrorCode::IllegalMove && matches!(owed, Owed::Move(_));
                self.heard.error.get_or_insert_with(|| Clipped(line.trim_end()).to_string());
            }
            _ => {}
        }
    }

    /// Takes a piece of its standard error; an empty one is the end.
    fn hear_errors(&mut self, piece: &[u8], at: Instant) {
        self.errors_open &= !piece.is_empty();
        self.transcript.note_stderr(piece);
        if self.arena.log.is_some() {
            let mut lines = std::mem::take(&mut self.error_lines);
            lines.feed(piece, |line| {
                if let Line::Text(text) = line {
                    self.log(Stream::Err, &String::from_utf8_lossy(text), Some(at));
                }
            });
            self.error_lines = lines;
        }
    }
}

const LAUNCH_ADVICE: &str = "check the path, that the file is executable, and that a script begins with `#!`; \
                             `arbiter engines` lists what is built in";
/// What helps where it is not the program that the launcher fails at.
const PLACE_ADVICE: [(&str, &str); 4] = [
    (SANDBOX, "use a newer system, or play without the sandbox whom you trust"),
    (DIRECTORY, "make that directory, or correct the engine's `dir`"),
    (MEMORY, "choose a limit that this system allows: see `ulimit -H -v`"),
    (CORE, "see which processor cores the arbiter may use: `taskset -p`"),
];
const CRASH_ADVICE: &str = "run the command by hand, type `ugi` and see what it says";
const SANDBOXED_ADVICE: &str = "see whether it starts without the sandbox, in which no process can be started: name the \
                                program itself, not a script around it";

/// What helps an engine of that command that can't be started, by what its launcher says.
pub(crate) fn launch_advice(error: &str, spec: &EngineSpec, command: &[OsString]) -> String {
    let says = |what: &str| error.strip_prefix(what).is_some_and(|rest| rest.starts_with([':', ' ']));
    if let Some((_, advice)) = PLACE_ADVICE.into_iter().find(|(what, _)| says(what)) {
        return advice.to_owned();
    }
    let program = command.first().map_or(Path::new(""), Path::new);
    let dir = spec.dir.as_deref().unwrap_or(Path::new("."));
    if program.components().count() == 1 && dir.join(program).is_file() {
        let program = program.display();
        return format!(
            "a program without any `/` is looked for on PATH; for the file in its working directory write ./{program}"
        );
    }
    LAUNCH_ADVICE.to_owned()
}

/// What a complete analysis line says; `None` for one that has no exact score or isn't of the best line.
fn eval(info: &Info) -> Option<EvalRecord> {
    if info.bound.is_some() || info.multipv.is_some_and(|rank| rank > 1) {
        return None;
    }
    let (cp, mate) = match info.score? {
        InfoScore::Cp(cp) => (Some(cp), None),
        InfoScore::Mate(moves) => (None, Some(moves)),
    };
    Some(EvalRecord { depth: info.depth, cp, mate })
}

/// A list of moves as the wire has it: their number first.
pub(crate) fn counted(moves: &[String]) -> String {
    let mut list = moves.len().to_string();
    list.extend(moves.iter().flat_map(|m| [" ", m]));
    list
}

/// Reads a line, and says what of it is left without the prompts before it.
pub(crate) fn read_reply(mut line: &str) -> (Reply, &str) {
    let mut reply = Reply::parse(line.as_bytes());
    while let Reply::Unknown(_) = reply
        && let Some(rest) = without_prompt(line)
    {
        line = rest;
        reply = Reply::parse(line.as_bytes());
    }
    (reply, line)
}

/// What follows a prompt that a program printed without ending the line: `> `, `>>> `, `bot> `, `Move: `.
fn without_prompt(line: &str) -> Option<&str> {
    let (prompt, rest) = line.split_once(['>', ':', '$'])?;
    (!prompt.trim_start().contains([' ', '\t'])).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_word_is_a_prompt() {
        assert_eq!(without_prompt(">>> readyok"), Some(">> readyok"));
        assert_eq!(without_prompt("bot> readyok"), Some(" readyok"));
        assert_eq!(without_prompt(" Move: bestmove 4o"), Some(" bestmove 4o"));
        assert_eq!(without_prompt("for example: bestmove 4o"), None);
        assert_eq!(without_prompt("readyok-ish"), None);
    }
}
