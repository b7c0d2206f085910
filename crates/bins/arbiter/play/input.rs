//! What the person at the keyboard says, or a pipe in its place.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

/// Longer lines are cut off here: no command is as long.
const LONGEST: u64 = 4096;

/// One thing that was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    Line(String),
    /// Nothing more will come.
    End,
    /// The program was asked to end.
    Interrupted,
}

/// Standard input, line by line, and interrupts.
pub(super) struct Input {
    said: Receiver<Said>,
    prompts: bool,
}

impl Input {
    /// Reads in a thread of its own, so that an interrupt ends the waiting. Interrupts come through the sender.
    pub(super) fn start() -> io::Result<(Input, SyncSender<Said>)> {
        let (sender, said) = mpsc::sync_channel(1);
        let lines = sender.clone();
        thread::Builder::new().name("input".into()).spawn(move || {
            read(io::stdin().lock(), |said| lines.send(said).is_ok());
        })?;
        let prompts = io::stdin().is_terminal() && io::stdout().is_terminal();
        Ok((Input { said, prompts }, sender))
    }

    /// What is said next; on a terminal it is asked for.
    pub(super) fn next(&self, prompt: &str) -> Said {
        if self.prompts {
            let mut stdout = io::stdout();
            let _ = write!(stdout, "{prompt}> ").and_then(|()| stdout.flush());
        }
        let said = self.said.recv().unwrap_or(Said::End);
        if self.prompts && !matches!(said, Said::Line(_)) {
            // Nobody ended the prompt's line.
            let _ = writeln!(io::stdout());
        }
        said
    }
}

/// Gives line after line without the blanks around them, for as long as they are taken, and then the end.
fn read(mut source: impl BufRead, mut take: impl FnMut(Said) -> bool) {
    loop {
        let mut line = Vec::new();
        match (&mut source).take(LONGEST).read_until(b'\n', &mut line) {
            Ok(n) if n > 0 => {}
            _ => break,
        }
        if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') && source.skip_until(b'\n').is_err() {
            break;
        }
        if !take(Said::Line(String::from_utf8_lossy(&line).trim().to_owned())) {
            return;
        }
    }
    take(Said::End);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_trimmed_and_long_ones_cut_off() {
        let long = "x".repeat(10_000);
        let text = format!("4o\r\n\n {long}\n4s");
        let mut said = Vec::new();
        read(text.as_bytes(), |one| {
            said.push(one);
            true
        });
        let line = |text: &str| Said::Line(text.into());
        let expected = [line("4o"), line(""), line(&long[..LONGEST as usize - 1]), line("4s"), Said::End];
        assert_eq!(said, expected);
        let mut count = 0;
        read(text.as_bytes(), |_| {
            count += 1;
            false
        });
        assert_eq!(count, 1, "nobody takes any more");
    }
}
