//! A controller of an engine that runs in this process.

use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, Sender};
use engine::{Config, Error};
use game::Family;

/// How long a test waits for anything before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Client {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    session: JoinHandle<Result<(), Error>>,
    quit: Option<Sender<()>>,
}

impl Client {
    /// An engine whose main engine plays.
    pub(crate) fn builtin<F: Family>() -> Client {
        Client::start::<F>("builtin")
    }

    /// An engine with that agent.
    pub(crate) fn start<F: Family>(agent: &str) -> Client {
        Client::with::<F>(Config { agent: agent.to_owned(), ..Config::default() })
    }

    /// An engine with that configuration, but for what makes it quit.
    pub(crate) fn with<F: Family>(config: Config) -> Client {
        let (input, writer) = io::pipe().unwrap();
        let (reader, output) = io::pipe().unwrap();
        let (quit, signal) = channel::bounded(1);
        let config = Config { quit: signal, ..config };
        let session = thread::spawn(move || engine::run::<F>(input, output, config));
        let (sender, lines) = channel::unbounded();
        thread::spawn(move || {
            for line in BufReader::new(reader).lines() {
                // The test may be over before the engine has said everything.
                let _ = sender.send(line.expect("the engine writes UTF-8"));
            }
        });
        Client { input: Some(writer), lines, session, quit: Some(quit) }
    }

    /// Sends text as it is.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("the input is open").write_all(bytes).expect("the engine reads");
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, lines: &str) {
        self.write(format!("{lines}\n").as_bytes());
    }

    /// The next line of the engine.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine says something")
    }

    /// The next line that is no analysis.
    pub(crate) fn answer(&self) -> String {
        loop {
            let line = self.line();
            if !line.starts_with("info ") || line.starts_with("info string") {
                return line;
            }
        }
    }

    /// Sends lines; gives the next line that is no analysis.
    pub(crate) fn ask(&mut self, lines: &str) -> String {
        self.send(lines);
        self.answer()
    }

    /// Asserts that nothing is said for so long.
    pub(crate) fn assert_silent(&self, milliseconds: u64) {
        if let Ok(line) = self.lines.recv_timeout(Duration::from_millis(milliseconds)) {
            panic!("unexpected line: {line}");
        }
    }

    /// Asserts that all commands so far have been dealt with and nothing was said that wasn't read.
    pub(crate) fn assert_nothing_said(&mut self) {
        assert_eq!(self.ask("isready"), "readyok");
    }

    /// What a signal does.
    pub(crate) fn signal(&mut self) {
        self.quit = None;
    }

    /// What is said up to the end of the session, which must come, without a fault.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let mut rest = Vec::new();
        self.input = None;
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(channel::RecvTimeoutError::Disconnected) => break,
                Err(channel::RecvTimeoutError::Timeout) => panic!("the engine doesn't end; it said {rest:?}"),
            }
        }
        self.session.join().expect("the session doesn't panic").expect("the session ends without a fault");
        rest
    }
}

/// All that an engine says to a script, analysis left out.
pub(crate) fn play<F: Family>(agent: &str, script: &str) -> Vec<String> {
    let mut client = Client::start::<F>(agent);
    client.send(script);
    let said = client.finish().into_iter();
    said.filter(|line| !line.starts_with("info ") || line.starts_with("info string")).collect()
}
