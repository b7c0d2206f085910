use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::mem;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::Signal;

use crate::config::EngineSpec;
use crate::driver::lines::{Line, LineBuffer};
use crate::driver::transcript::Clipped;
use crate::process::{Ending, Farewell, Hub, Place, Process, Usage};

/// The pieces in which output is read.
const PIECE: usize = 64 << 10;
/// How many of the last lines exchanged are kept.
const KEPT: usize = 40;

/// The engine under test: a process, the lines that go to it and the lines that come from it, with their times.
pub(super) struct Peer<'a> {
    hub: &'a Hub,
    process: Process,
    piece: Vec<u8>,
    outbox: Vec<u8>,
    output: LineBuffer,
    errors: LineBuffer,
    /// Lines that came and were not taken yet.
    inbox: VecDeque<Heard>,
    output_open: bool,
    errors_open: bool,
    ending: Option<Ending>,
    /// Since when the times of the exchange are counted.
    since: Instant,
    exchange: VecDeque<String>,
}

/// A line of the engine and when it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heard {
    /// Its bytes without the line feed; `None`: more than 1 MiB.
    pub(super) line: Option<Vec<u8>>,
    pub(super) at: Instant,
}

/// Why there is no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Lack {
    /// The deadline has passed.
    Late,
    /// Its output has ended.
    Closed,
    /// The run was interrupted.
    Interrupted,
}

impl<'a> Peer<'a> {
    /// Starts the process. Whether it is one shows later, as with [`Hub::spawn`].
    pub(super) fn start(hub: &'a Hub, spec: &EngineSpec, command: &[OsString]) -> io::Result<Peer<'a>> {
        Ok(Peer {
            hub,
            process: hub.spawn(command, &Place::of(spec, None))?,
            piece: vec![0; PIECE],
            outbox: Vec::new(),
            output: LineBuffer::default(),
            errors: LineBuffer::default(),
            inbox: VecDeque::new(),
            output_open: true,
            errors_open: true,
            ending: None,
            since: Instant::now(),
            exchange: VecDeque::new(),
        })
    }

    /// Begins a new record of the exchange.
    pub(super) fn begin(&mut self) {
        self.since = Instant::now();
        self.exchange.clear();
    }

    /// The last lines exchanged, each with its time, `>` to the engine, `<` from it, `!` its standard error.
    pub(super) fn exchange(&self) -> Vec<String> {
        self.exchange.iter().cloned().collect()
    }

    fn note(&mut self, mark: char, line: &str, at: Instant) {
        if self.exchange.len() == KEPT {
            self.exchange.pop_front();
        }
        let ms = at.saturating_duration_since(self.since).as_secs_f64() * 1000.0;
        self.exchange.push_back(format!("{ms:9.1} ms {mark} {}", Clipped(line)));
    }

    /// Sends whole lines, as far as the engine takes them now.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        for line in bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|b| *b == b'\n') {
            self.note('>', &String::from_utf8_lossy(line), now);
        }
        self.outbox.extend_from_slice(bytes);
        self.flush();
    }

    fn flush(&mut self) {
        while !self.outbox.is_empty() {
            match rustix::io::write(&self.process.stdin, &self.outbox) {
                Ok(n) => drop(self.outbox.drain(..n)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // Who has left is noticed by what it doesn't answer.
                Err(_) => self.outbox.clear(),
            }
        }
    }

    /// The next line, if it comes before `deadline`.
    pub(super) fn next(&mut self, deadline: Instant) -> Result<Heard, Lack> {
        loop {
            if let Some(heard) = self.inbox.pop_front() {
                return Ok(heard);
            }
            if !self.output_open {
                return Err(Lack::Closed);
            }
            self.wait(deadline)?;
        }
    }

    /// How the process ended, if it does before `deadline`. Lines that come meanwhile stay in the inbox.
    pub(super) fn ending(&mut self, deadline: Instant) -> Result<Ending, Lack> {
        loop {
            if let Some(ending) = self.ending {
                return Ok(ending);
            }
            self.wait(deadline)?;
        }
    }

    /// For people: whether the process lives, and what it does.
    pub(super) fn condition(&self) -> String {
        match self.ending {
            Some(ending) => ending.to_string(),
            None => match self.process.state() {
                Some(state) => format!("the process is {state}"),
                None => "the process lives".into(),
            },
        }
    }

    /// Waits once for anything to happen, and attends to it.
    fn wait(&mut self, deadline: Instant) -> Result<(), Lack> {
        let Some(rest) = deadline.checked_duration_since(Instant::now()) else { return Err(Lack::Late) };
        let Process { stdin, stdout, stderr, exit, .. } = &self.process;
        let alive = self.ending.is_none();
        let wanted = [
            (true, self.hub.wake(), PollFlags::IN),
            (self.output_open, stdout.as_fd(), PollFlags::IN),
            (self.errors_open, stderr.as_fd(), PollFlags::IN),
            (alive && !self.outbox.is_empty(), stdin.as_fd(), PollFlags::OUT),
            (alive, exit.as_fd(), PollFlags::IN),
        ];
        let mut fds: Vec<PollFd> = wanted
            .iter()
            .filter(|(wanted, ..)| *wanted)
            .map(|(_, fd, flags)| PollFd::from_borrowed_fd(*fd, *flags))
            .collect();
        // A millisecond more, or the last fraction of one would be spent in a busy loop.
        let timeout = Timespec::try_from(rest + Duration::from_millis(1)).ok();
        if let Err(error) = poll(&mut fds, timeout.as_ref())
            && error != Errno::INTR
        {
            log::error!("poll: {error}");
            return Err(Lack::Interrupted);
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let [wake, output, errors, input, exit] =
            wanted.map(|(wanted, ..)| wanted && ready.next().unwrap_or(false));
        if wake {
            return Err(Lack::Interrupted);
        }
        if input {
            self.flush();
        }
        if output {
            self.read_output();
        }
        if errors {
            self.read_errors();
        }
        if exit {
            // What a dead process printed is all in the pipe; a child it left may still hold the other end.
            while self.output_open && self.read_output() {}
            while self.errors_open && self.read_errors() {}
            self.end_output();
            self.ending = Some(self.process.ending());
        }
        Ok(())
    }

    /// Reads once; says whether there may be more.
    fn read_output(&mut self) -> bool {
        let mut buffer = mem::take(&mut self.piece);
        let read = rustix::io::read(&self.process.stdout, &mut buffer);
        let more = match read {
            Err(Errno::AGAIN | Errno::INTR) => false,
            Ok(n) if n > 0 => {
                let mut output = mem::take(&mut self.output);
                output.feed(buffer.get(..n).unwrap_or_default(), |line| self.take(line));
                self.output = output;
                true
            }
            _ => {
                self.end_output();
                false
            }
        };
        self.piece = buffer;
        more
    }

    fn end_output(&mut self) {
        if mem::replace(&mut self.output_open, false) {
            let mut output = mem::take(&mut self.output);
            output.finish(|line| self.take(line));
        }
    }

    fn take(&mut self, line: Line<'_>) {
        let at = Instant::now();
        let line = match line {
            Line::Text(text) => Some(text.to_vec()),
            Line::TooLong => None,
        };
        let shown = line.as_deref().map(String::from_utf8_lossy);
        self.note('<', shown.as_deref().unwrap_or("(a line of more than 1 MiB)"), at);
        self.inbox.push_back(Heard { line, at });
    }

    fn read_errors(&mut self) -> bool {
        let mut buffer = mem::take(&mut self.piece);
        let n = match rustix::io::read(&self.process.stderr, &mut buffer) {
            Err(Errno::AGAIN | Errno::INTR) => None,
            Ok(n) => Some(n),
            Err(_) => Some(0),
        };
        let mut errors = mem::take(&mut self.errors);
        let now = Instant::now();
        errors.feed(buffer.get(..n.unwrap_or(0)).unwrap_or_default(), |line| {
            if let Line::Text(text) = line {
                self.note('!', &String::from_utf8_lossy(text), now);
            }
        });
        self.errors = errors;
        self.piece = buffer;
        self.errors_open &= n != Some(0);
        n.is_some_and(|n| n > 0)
    }

    /// Ends its input.
    pub(super) fn close_input(&mut self) -> io::Result<()> {
        self.note('>', "(end of input)", Instant::now());
        self.process.close_input()
    }

    /// Reads its output no more.
    pub(super) fn close_output(&mut self) -> io::Result<()> {
        self.note('>', "(nobody reads any more)", Instant::now());
        self.output_open = false;
        self.inbox.clear();
        self.process.close_output()
    }

    /// Sends a signal.
    pub(super) fn signal(&mut self, signal: Signal) -> io::Result<()> {
        self.note('>', if signal == Signal::INT { "(SIGINT)" } else { "(SIGTERM)" }, Instant::now());
        self.process.signal(signal)
    }

    /// What it has used so far.
    pub(super) fn usage(&self) -> Usage {
        self.process.usage()
    }

    /// Parts from it: its group ends whatever it does.
    pub(super) fn retire(self) {
        self.hub.retire(self.process, if self.ending.is_some() { Farewell::Kill } else { Farewell::Quit });
    }
}
