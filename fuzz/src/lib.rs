//! What must hold for any bytes. Each property is a fuzz target; with a nightly compiler and cargo-fuzz, from the root
//! of the repository:
//!
//! ```text
//! cargo +nightly fuzz run fuzz-command tests/data/protocol/corpus/command -- -max_total_time=60
//! ```
//!
//! and likewise `fuzz-reply` and `fuzz-lines`. Without them the same programs replay files, such as a crash that was
//! found: `cargo run -p ludus-fuzz --bin fuzz-command -- FILE…`. The committed corpus is replayed by `cargo test`.

use std::io::{self, BufReader};

use protocol::{Command, Line, LineReader, Refusal, Reply};

/// A command reads back as itself once printed, and a refusal's error reads as that error.
pub fn command(line: &[u8]) {
    match Command::parse(line) {
        Ok(None) => {}
        Ok(Some(command)) => {
            let printed = single_line(&command);
            assert_eq!(Command::parse(printed.as_bytes()), Ok(Some(command)), "{printed}");
        }
        Err(refusal) => reads_as_its_error(refusal),
    }
    reads_as_its_error(Refusal::too_long(line));
}

fn reads_as_its_error(refusal: Refusal) {
    let printed = single_line(&refusal);
    assert_eq!(Reply::parse(printed.as_bytes()), Reply::Error(refusal.error), "{printed}");
}

/// Every line is some reply, which reads back as itself once printed.
pub fn reply(line: &[u8]) {
    let reply = Reply::parse(line);
    let printed = single_line(&reply);
    assert_eq!(Reply::parse(printed.as_bytes()), reply, "{printed}");
}

/// The reader cuts a stream at its line feeds, however the stream is buffered, and each line can be read both ways.
/// The first byte chooses the size of the buffer.
pub fn lines(data: &[u8]) {
    let Some((&size, stream)) = data.split_first() else { return };
    let mut reader = LineReader::new(BufReader::with_capacity(usize::from(size) + 1, stream));
    let mut expected: Vec<&[u8]> = stream.split(|b| *b == b'\n').collect();
    expected.pop_if(|last| last.is_empty());
    for line in expected {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        assert_eq!(reader.next_line().expect("a slice can be read"), Line::Text(line.to_vec()));
        command(line);
        reply(line);
    }
    assert_eq!(reader.next_line().expect("a slice can be read"), Line::End);
}

fn single_line(message: &impl std::fmt::Display) -> String {
    let line = message.to_string();
    assert!(!line.contains(['\n', '\r', '\0']), "{line:?}");
    line
}

/// Checks a property on each file that the command line names.
pub fn replay(property: fn(&[u8])) -> io::Result<()> {
    std::env::args_os().skip(1).try_for_each(|file| std::fs::read(file).map(|data| property(&data)))
}
