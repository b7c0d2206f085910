use std::ffi::OsString;
use std::io;
use std::time::{Duration, Instant};

use game::Rules;
use protocol::{Dialect, GameDecl, OptionDecl, Reply};

use super::facts::Facts;
use super::hygiene::{self, Aside, Kind};
use super::judge::{Judge, UNASKED, legal_line};
use super::peer::{Heard, Lack, Peer};
use super::script::{self, Action, matches, words};
use super::{Checkup, Level};
use crate::config::Patience;
use crate::driver::transcript::Clipped;
use crate::driver::{launch_advice, options, read_reply};
use crate::process::{Ending, Hub, LAUNCH_FAILED};

/// For a search or a count that no time limits.
const THINK: Duration = Duration::from_secs(30);
/// The share of the time, in per cent, that an idle engine may spend on the processor.
const IDLE_SHARE: u32 = 10;
/// How long an engine may take to become idle: to start, or to put away what it worked with.
const SETTLE: Duration = Duration::from_secs(5);
/// How long a process whose output has ended may take to be seen as ended.
const GRACE: Duration = Duration::from_millis(500);

/// What the engine said of itself.
#[derive(Default)]
pub(super) struct Identity {
    /// For people.
    pub(super) name: Option<String>,
    pub(super) protocol: Option<(String, u32)>,
    pub(super) caps: Vec<String>,
    pub(super) game: Option<GameDecl>,
    pub(super) options: Vec<OptionDecl>,
}

impl Identity {
    pub(super) fn has_cap(&self, name: &str) -> bool {
        self.caps.iter().any(|cap| cap.eq_ignore_ascii_case(name))
    }

    pub(super) fn option(&self, name: &str) -> Option<&OptionDecl> {
        options::find(&self.options, name)
    }
}

/// Why a step did not pass.
pub(super) enum Fail {
    /// The engine did something else than what was expected.
    Breach {
        expected: String,
        got: String,
        /// Whether time was lost with it.
        late: bool,
    },
    /// The engine can't be started.
    Start { what: String, advice: String },
    /// It doesn't have the options that are to be set; one line.
    Options(String),
    /// The run was interrupted.
    Interrupted,
    /// The system refuses something.
    System(io::Error),
}

impl Fail {
    pub(super) fn breach(expected: impl Into<String>, got: impl Into<String>) -> Fail {
        Fail::Breach { expected: expected.into(), got: got.into(), late: false }
    }

    /// Waited for in vain.
    fn late(expected: &str, got: impl Into<String>) -> Fail {
        Fail::Breach { expected: expected.into(), got: got.into(), late: true }
    }
}

impl From<io::Error> for Fail {
    fn from(error: io::Error) -> Fail {
        Fail::System(error)
    }
}

/// The conversation with the engine under test, over as many processes as it takes.
pub(super) struct Session<'a> {
    hub: &'a Hub,
    pub(super) checkup: &'a Checkup<'a>,
    pub(super) facts: Facts,
    command: Vec<OsString>,
    peer: Option<Peer<'a>>,
    judge: Judge,
    pub(super) identity: Identity,
    /// What was found in passing.
    pub(super) asides: Vec<Aside>,
    /// From when the time of the next answer counts.
    since: Instant,
    /// A line that was looked at and not taken.
    held: Option<String>,
    /// The `info` lines since the step began.
    pub(super) infos: Vec<String>,
    launch_failure: Option<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        hub: &'a Hub,
        checkup: &'a Checkup<'a>,
        facts: Facts,
        command: Vec<OsString>,
    ) -> Session<'a> {
        Session {
            hub,
            checkup,
            facts,
            command,
            peer: None,
            judge: Judge::new(checkup.rules),
            identity: Identity::default(),
            asides: Vec::new(),
            since: Instant::now(),
            held: None,
            infos: Vec::new(),
            launch_failure: None,
        }
    }

    pub(super) fn rules(&self) -> &'static dyn Rules {
        self.checkup.rules
    }

    /// The lines exchanged since the step began, the last ones of many.
    pub(super) fn exchange(&self) -> Vec<String> {
        self.peer.as_ref().map(Peer::exchange).unwrap_or_default()
    }

    /// Begins the record of a step.
    pub(super) fn begin(&mut self) {
        self.infos.clear();
        if let Some(peer) = &mut self.peer {
            peer.begin();
        }
    }

    /// Starts a process that was sent nothing yet. The one before it, if there is one, goes.
    pub(super) fn fresh(&mut self) -> Result<(), Fail> {
        self.part();
        self.peer = Some(Peer::start(self.hub, self.checkup.engine, &self.command)?);
        self.judge = Judge::new(self.checkup.rules);
        self.since = Instant::now();
        Ok(())
    }

    /// Parts from the process.
    pub(super) fn part(&mut self) {
        self.held = None;
        if let Some(peer) = self.peer.take() {
            peer.retire();
        }
    }

    /// Has the identity told, and sets the options asked for.
    pub(super) fn greet(&mut self) -> Result<(), Fail> {
        self.identity = Identity::default();
        self.send(b"ugi\n")?;
        loop {
            let line = self.next("ugiok")?;
            match Reply::parse(line.as_bytes()) {
                Reply::Id { field, text } if field == "name" => {
                    self.identity.name = Some(Clipped(&text).to_string());
                }
                Reply::Id { .. } => {}
                Reply::Protocol { name, major, .. } => self.identity.protocol = Some((name, major)),
                Reply::Cap(caps) => self.identity.caps.extend(caps),
                Reply::Game(game) => self.identity.game = Some(game),
                Reply::Option(option) => self.identity.options.push(option),
                Reply::HelloOk(Dialect::Ugi) => return self.set_options(),
                _ => return Err(Fail::breach("a line of the identity, or ugiok", line)),
            }
        }
    }

    fn set_options(&mut self) -> Result<(), Fail> {
        let lines = options::lines(&self.identity.options, &self.checkup.engine.options);
        let lines = lines.map_err(Fail::Options)?;
        if lines.is_empty() { Ok(()) } else { self.send(lines.as_bytes()) }
    }

    /// Has a greeted engine at the beginning of a game: the present process, or else a new one.
    pub(super) fn ready(&mut self) -> Result<(), Fail> {
        if self.peer.is_none() {
            self.fresh()?;
            self.greet()?;
        }
        self.new_game()
    }

    fn new_game(&mut self) -> Result<(), Fail> {
        self.play(if self.identity.has_cap("setup") {
            "> setup $setup\n> uginewgame\n> isready\n< setupok $setup\n< readyok\n"
        } else {
            "> uginewgame\n> isready\n< readyok\n"
        })
    }

    /// Sees to it that nothing is left of a step: no answer that nobody asked for, no search without one.
    pub(super) fn settle(&mut self) -> Result<(), Fail> {
        if self.peer.is_none() {
            return Ok(());
        }
        self.play("> isready\n< readyok\n")?;
        match self.judge.open_searches() {
            0 => Ok(()),
            open => Err(Fail::breach("one bestmove for each go", format!("{open} of them without"))),
        }
    }

    /// Plays a script.
    pub(super) fn play(&mut self, text: &str) -> Result<(), Fail> {
        let script = script::parse(&self.facts.fill(text)).map_err(io::Error::other)?;
        script.into_iter().try_for_each(|action| self.take(action))
    }

    fn take(&mut self, action: Action) -> Result<(), Fail> {
        match action {
            Action::Send(bytes) => self.send(&bytes),
            Action::Expect(pattern) => self.expect(&pattern).map(drop),
            Action::Pass(pattern) => self.pass(&pattern),
            Action::Silence(time) => self.silence(time),
            Action::Idle(time) => self.idle(time),
            Action::Exit => self.exit(),
            Action::Close => self.restart_time()?.close_input().map_err(Fail::from),
            Action::Deaf => self.restart_time()?.close_output().map_err(Fail::from),
            Action::Signal(signal) => self.restart_time()?.signal(signal).map_err(Fail::from),
        }
    }

    fn peer(&mut self) -> Result<&mut Peer<'a>, Fail> {
        self.peer.as_mut().ok_or_else(|| io::Error::other("a step has no engine").into())
    }

    fn restart_time(&mut self) -> Result<&mut Peer<'a>, Fail> {
        self.since = Instant::now();
        self.peer()
    }

    /// Sends lines, and after each position what is legal there to an engine that wants to be told.
    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), Fail> {
        let mut all = Vec::with_capacity(bytes.len());
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            all.extend_from_slice(line);
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            self.judge.sent(line);
            if self.identity.has_cap("wants-legal")
                && words(&String::from_utf8_lossy(line)).next() == Some("position")
                && let Some(state) = self.judge.position()
            {
                all.extend_from_slice(legal_line(state).as_bytes());
            }
        }
        self.restart_time()?.send(&all);
        Ok(())
    }

    /// How long an answer may take.
    fn patience(&self, pattern: &str) -> Duration {
        let ms = Duration::from_millis;
        let word = words(pattern).next().unwrap_or_default();
        let time = match word {
            "bestmove" => self.judge.time().map_or(THINK, |time| time + ms(10)),
            "readyok" => ms(1000),
            "response" | "error" if pattern.contains("perft") => THINK,
            _ => ms(200),
        };
        // What only has to play may take as long to start as the arbiter waits.
        let start = match (self.checkup.level, word) {
            (Level::Minimal, "ugiok") => Patience::default().startup,
            (Level::Minimal, "readyok") => Patience::default().ready,
            _ => Duration::ZERO,
        };
        time.max(start) + self.checkup.margin
    }

    /// The next answer; `info` lines only if they match.
    fn next(&mut self, pattern: &str) -> Result<String, Fail> {
        let deadline = self.since + self.patience(pattern);
        match self.answer(Some(pattern), deadline)? {
            Ok(line) => Ok(line),
            Err(Lack::Late) => {
                let (waited, condition) = (self.since.elapsed(), self.peer()?.condition());
                let got = format!("nothing within {} ms; {condition}", waited.as_millis());
                Err(Fail::late(pattern, got))
            }
            Err(_) => {
                let peer = self.peer()?;
                let _ = peer.ending(Instant::now() + GRACE);
                let got = format!("the end of its output; {}", peer.condition());
                Err(match self.launch_failure.take() {
                    Some(error) => Fail::Start {
                        advice: launch_advice(&error, self.checkup.engine, &self.command),
                        what: format!("can't be started: {error}"),
                    },
                    None => Fail::breach(pattern, got),
                })
            }
        }
    }

    /// The next answer that comes before the deadline, if one does. A move that nobody asked for is a breach, whatever is
    /// waited for.
    fn answer(&mut self, pattern: Option<&str>, deadline: Instant) -> Result<Result<String, Lack>, Fail> {
        if let Some(line) = self.held.take() {
            return Ok(Ok(line));
        }
        loop {
            match self.peer()?.next(deadline) {
                Ok(heard) => {
                    if let Some(line) = self.hear(&heard, pattern) {
                        let is_move = words(&line).next() == Some("bestmove");
                        if is_move && self.judge.open_searches() == 0 {
                            return Err(Fail::breach(UNASKED, line));
                        }
                        return Ok(Ok(line));
                    }
                    // What is passed over doesn't move the deadline.
                    if heard.at > deadline {
                        return Ok(Err(Lack::Late));
                    }
                }
                Err(Lack::Interrupted) => return Err(Fail::Interrupted),
                Err(lack) => return Ok(Err(lack)),
            }
        }
    }

    /// Takes note of a line; gives it if it is an answer, or what is waited for.
    fn hear(&mut self, heard: &Heard, pattern: Option<&str>) -> Option<String> {
        let Some(bytes) = &heard.line else {
            self.note(Kind::Line, hygiene::too_long());
            return None;
        };
        if let Some(found) = hygiene::inspect(bytes) {
            self.note(Kind::Line, found);
        }
        let text = String::from_utf8_lossy(bytes);
        let (reply, line) = read_reply(text.trim_end_matches('\r'));
        match reply {
            Reply::Unknown(_) => {
                if let Some(failure) = text.strip_prefix(LAUNCH_FAILED) {
                    self.launch_failure = Some(Clipped(failure.trim()).to_string());
                }
                return None;
            }
            Reply::Info(info) => {
                if let Some(found) = self.judge.pv(&info.pv) {
                    self.note(Kind::Pv, ("legal moves in each pv".into(), found));
                }
            }
            Reply::InfoString(_) => {}
            _ => return Some(line.to_owned()),
        }
        self.infos.push(line.to_owned());
        pattern.is_some_and(|pattern| matches(pattern, line)).then(|| line.to_owned())
    }

    fn note(&mut self, kind: Kind, (expected, got): (String, String)) {
        self.asides.push(Aside { kind, expected, got });
        // One is enough to fail, some more help to see why.
        self.asides.truncate(hygiene::KEPT);
    }

    /// Takes the next answer, which must match, and judges it if it is a move.
    pub(super) fn expect(&mut self, pattern: &str) -> Result<String, Fail> {
        let line = self.next(pattern)?;
        if !matches(pattern, &line) {
            return Err(Fail::breach(pattern, line));
        }
        if words(&line).next() == Some("bestmove") {
            let (tags, strict) = (self.identity.has_cap("tag"), self.checkup.level == Level::Full);
            self.judge.best_move(&line, tags, strict).map_err(|expected| Fail::breach(expected, &line))?;
        }
        self.since = Instant::now();
        Ok(line)
    }

    fn pass(&mut self, pattern: &str) -> Result<(), Fail> {
        let mut deadline = self.since + self.patience(pattern);
        while let Ok(line) = self.answer(Some(pattern), deadline)? {
            if !matches(pattern, &line) {
                self.held = Some(line);
                break;
            }
            self.since = Instant::now();
            deadline = self.since + self.patience(pattern);
        }
        Ok(())
    }

    fn silence(&mut self, time: Duration) -> Result<(), Fail> {
        let expected = || format!("no answer for {} ms", time.as_millis());
        match self.answer(None, Instant::now() + time)? {
            Ok(line) => Err(Fail::breach(expected(), line)),
            Err(Lack::Closed) => Err(Fail::breach(expected(), "the end of its output")),
            Err(_) => Ok(()),
        }
    }

    /// An engine that still starts or puts away its work is not idle yet, so there is more than one look at it.
    fn idle(&mut self, time: Duration) -> Result<(), Fail> {
        let deadline = Instant::now() + SETTLE;
        loop {
            let before = self.peer()?.usage().demand();
            let since = Instant::now();
            self.silence(time)?;
            let used = self.peer()?.usage().demand().saturating_sub(before);
            let allowed = since.elapsed() * IDLE_SHARE / 100;
            if used <= allowed {
                return Ok(());
            }
            if Instant::now() >= deadline {
                let [used, allowed] = [used, allowed].map(|time| time.as_millis());
                return Err(Fail::breach(
                    format!("at most {allowed} ms of processor time while idle"),
                    format!("{used} ms"),
                ));
            }
        }
    }

    fn exit(&mut self) -> Result<(), Fail> {
        let expected = "exit with code 0";
        let deadline = self.since + self.patience("");
        let late = |peer: &Peer| Fail::late(expected, format!("not in time; {}", peer.condition()));
        match self.answer(None, deadline)? {
            Ok(line) => return Err(Fail::breach("exit without another answer", line)),
            Err(Lack::Closed) => {}
            Err(_) => return Err(late(self.peer()?)),
        }
        match self.peer()?.ending(deadline) {
            Ok(Ending::Code(0) | Ending::Untold) => {
                self.part();
                Ok(())
            }
            Ok(ending) => Err(Fail::breach(expected, ending.to_string())),
            Err(Lack::Interrupted) => Err(Fail::Interrupted),
            Err(_) => Err(late(self.peer()?)),
        }
    }

    /// The memory it has now, in bytes.
    pub(super) fn memory(&mut self) -> Result<u64, Fail> {
        Ok(self.peer()?.usage().resident)
    }
}
