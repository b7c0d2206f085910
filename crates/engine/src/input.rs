use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam::channel::{self, Receiver, Sender};
use protocol::{Command, Line, LineReader, Refusal};

use crate::outlet::Leaving;

/// How many lines may lie between the reader and the session. While the session is at work the reader waits, and so
/// in the end does whoever writes; while it searches it takes every line at once.
const IN_FLIGHT: usize = 16;

/// A line of the controller.
pub(crate) struct Input {
    /// When it had been read.
    pub(crate) at: Instant,
    /// Its length in bytes.
    pub(crate) size: usize,
    /// What it says.
    pub(crate) line: Result<Command, Refusal>,
}

/// The session's end of the reader thread.
pub(crate) struct Reader {
    /// The lines in order; disconnected at the end of input.
    pub(crate) lines: Receiver<Input>,
    resume: Sender<()>,
}

impl Reader {
    /// Starts a thread that reads `input` to its end, to `quit`, or until the session is gone.
    pub(crate) fn spawn(input: impl Read + Send + 'static, leaving: Arc<Leaving>) -> io::Result<Reader> {
        let (sender, lines) = channel::bounded(IN_FLIGHT);
        let (resume, resumed) = channel::bounded(1);
        thread::Builder::new()
            .name("input".into())
            .spawn(move || read(input, &sender, &resumed, &leaving))?;
        Ok(Reader { lines, resume })
    }

    /// Lets the reader go on after a `wait`.
    pub(crate) fn resume(&self) {
        // A full or closed channel means that there is nobody to wake.
        let _ = self.resume.try_send(());
    }
}

fn read(input: impl Read, lines: &Sender<Input>, resumed: &Receiver<()>, leaving: &Leaving) {
    let mut reader = LineReader::new(BufReader::with_capacity(1 << 16, input));
    loop {
        // A source that can't be read is at its end: there won't be any more commands.
        let (parsed, size) = match reader.next_line() {
            Ok(Line::Text(line)) => (Command::parse(&line).transpose(), line.len()),
            Ok(Line::TooLong(head)) => (Some(Err(Refusal::too_long(&head))), head.len()),
            Ok(Line::End) | Err(_) => return leaving.note_end(),
        };
        let Some(line) = parsed else { continue };
        let waits = matches!(line, Ok(Command::Wait));
        let quits = matches!(line, Ok(Command::Quit));
        if quits {
            leaving.note_quit();
        }
        if lines.send(Input { at: Instant::now(), size, line }).is_err() || quits {
            return;
        }
        if waits && resumed.recv().is_err() {
            return;
        }
    }
}
