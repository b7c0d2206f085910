//! Golden sessions: reads the format that the appendix of `protocol/SPEC.md` describes, and plays it with a process.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use arbiter::check::script::{matches, unescape};

/// How long an answer may take. Generous: this is a guard against hanging, not a measurement.
const PATIENCE: Duration = Duration::from_secs(20);

/// A session that an engine must be able to have.
#[derive(Debug)]
pub(crate) struct Transcript {
    /// Each step with the number of its line.
    steps: Vec<(usize, Step)>,
}

#[derive(Debug)]
enum Step {
    /// `> LINE`, and the ones that follow it: sent in one write.
    Send(Vec<u8>),
    /// `< PATTERN`: the next line.
    Expect(String),
    /// `<* PATTERN`: lines of this kind, as many as there are before the line that is expected next.
    Skip(String),
    /// `! close`: the end of the engine's input.
    Close,
    /// `! silence MS`: no line for that long.
    Silence(Duration),
}

impl Transcript {
    /// Reads a transcript; an error names the line.
    pub(crate) fn parse(text: &str) -> Result<Transcript, String> {
        let mut steps: Vec<(usize, Step)> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
            let step = match mark {
                "" if rest.is_empty() => continue,
                _ if mark.starts_with('#') => continue,
                ">" => {
                    let mut bytes = unescape(rest).ok_or_else(|| format!("line {number}: bad escape"))?;
                    bytes.push(b'\n');
                    if let Some((_, Step::Send(sent))) = steps.last_mut() {
                        sent.append(&mut bytes);
                        continue;
                    }
                    Step::Send(bytes)
                }
                "<" => Step::Expect(rest.to_owned()),
                "<*" => Step::Skip(rest.to_owned()),
                "!" => match rest.split_once(' ').map_or((rest, None), |(word, n)| (word, n.parse().ok())) {
                    ("close", None) => Step::Close,
                    ("silence", Some(ms)) => Step::Silence(Duration::from_millis(ms)),
                    _ => return Err(format!("line {number}: expected `! close` or `! silence MS`")),
                },
                _ => return Err(format!("line {number}: expected >, <, <*, ! or #")),
            };
            if matches!(steps.last(), Some((_, Step::Skip(_))))
                && !matches!(step, Step::Expect(_) | Step::Skip(_))
            {
                return Err(format!("line {number}: only a line that is expected can end those of <*"));
            }
            steps.push((number, step));
        }
        match steps.last() {
            Some((number, Step::Skip(_))) => Err(format!("line {number}: nothing can end <*")),
            _ => Ok(Transcript { steps }),
        }
    }

    /// Plays it with a new process. At its end the process's input is closed, and the process must leave with code 0
    /// without another line.
    pub(crate) fn play(&self, program: &mut Command) -> Result<(), String> {
        let mut engine = Engine::start(program)?;
        for (number, step) in &self.steps {
            engine.take(step).map_err(|error| {
                format!("line {number}: {error}\nthe last lines were:\n{}", engine.tail())
            })?;
        }
        engine.end().map_err(|error| format!("at the end: {error}\nthe last lines were:\n{}", engine.tail()))
    }
}

/// A running process, its input and output handled by threads so that nothing here waits without a bound.
struct Engine {
    child: Child,
    /// `None` after its input was closed.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    /// A line that was looked at and not taken.
    pending: Option<String>,
    last: VecDeque<String>,
}

impl Engine {
    fn start(program: &mut Command) -> Result<Engine, String> {
        let started = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| format!("{program:?} doesn't start: {error}"))?;
        let (mut stdin, stdout) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let (input, to_send) = mpsc::channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in to_send {
                // A process that has left is noticed by what it doesn't answer.
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (lines, output) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        Ok(Engine { child, input: Some(input), output, pending: None, last: VecDeque::new() })
    }

    fn take(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Send(bytes) => {
                let start = &bytes[..bytes.len().min(200)];
                String::from_utf8_lossy(start).lines().for_each(|line| self.note(format!("> {line}")));
                let input = self.input.as_ref().ok_or("the input is closed already")?;
                input.send(bytes.clone()).map_err(|_| "the process takes no input".to_owned())
            }
            Step::Expect(pattern) => match self.next_line(PATIENCE) {
                Ok(line) if matches(pattern, &line) => Ok(()),
                Ok(line) => Err(format!("expected {pattern:?}, got {line:?}")),
                Err(why) => Err(format!("expected {pattern:?}, got {why}")),
            },
            Step::Skip(pattern) => {
                while let Ok(line) = self.next_line(PATIENCE) {
                    if !matches(pattern, &line) {
                        self.last.pop_back();
                        self.pending = Some(line);
                        break;
                    }
                }
                Ok(())
            }
            Step::Close => {
                self.input = None;
                Ok(())
            }
            Step::Silence(time) => match self.next_line(*time) {
                Ok(line) => Err(format!("expected no line, got {line:?}")),
                Err(End::Nothing) => Ok(()),
                Err(why) => Err(format!("expected no line, got {why}")),
            },
        }
    }

    fn next_line(&mut self, patience: Duration) -> Result<String, End> {
        let line = match self.pending.take() {
            Some(line) => line,
            None => self.output.recv_timeout(patience).map_err(|error| match error {
                RecvTimeoutError::Timeout => End::Nothing,
                RecvTimeoutError::Disconnected => End::Output,
            })?,
        };
        self.note(format!("< {line}"));
        Ok(line)
    }

    fn end(&mut self) -> Result<(), String> {
        self.input = None;
        match self.next_line(PATIENCE) {
            Err(End::Output) => {}
            Ok(line) => return Err(format!("expected no more lines, got {line:?}")),
            Err(End::Nothing) => return Err("the process doesn't end".to_owned()),
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("expected exit code 0, got {status}")),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(None) => return Err("the process has closed its output and doesn't end".to_owned()),
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    fn note(&mut self, line: String) {
        if self.last.len() == 12 {
            self.last.pop_front();
        }
        self.last.push_back(line);
    }

    fn tail(&self) -> String {
        self.last.iter().flat_map(|line| ["  ", line, "\n"]).collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why there is no line.
enum End {
    Nothing,
    Output,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            End::Nothing => "nothing in time",
            End::Output => "the end of the output",
        })
    }
}

#[test]
fn a_transcript_that_is_none() {
    for (text, error) in [
        ("> a\nb", "line 2: "),
        ("! open", "line 1: "),
        ("! silence soon", "line 1: "),
        ("> {a}", "line 1: "),
        ("<* a\n> b", "line 2: "),
        ("\n<* a", "line 2: "),
    ] {
        assert!(Transcript::parse(text).unwrap_err().starts_with(error), "{text}");
    }
}
