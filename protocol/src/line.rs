use std::io::{self, BufRead, Read};

/// The longest line either side may send, in bytes, without its line feed.
pub const MAX_LINE: usize = 1 << 20;

/// How much of a line that is too long is kept.
const HEAD: usize = 256;

/// What [`LineReader::next_line`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line without its line feed and one carriage return before it. Not checked for encoding.
    Text(Vec<u8>),
    /// A line over [`MAX_LINE`]; the rest of it has been skipped. Holds its first bytes (at most 256), so that its
    /// first words can be seen: [`crate::Refusal::too_long`].
    TooLong(Vec<u8>),
    /// End of input.
    End,
}

/// Reads lines of bounded length from any source.
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
}

impl<R: BufRead> LineReader<R> {
    /// A reader of `source`.
    pub fn new(source: R) -> LineReader<R> {
        LineReader { source }
    }

    /// The next line. A last line without line feed counts. Interrupted reads are repeated; memory stays bounded
    /// whatever the source sends.
    pub fn next_line(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        (&mut self.source).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(Line::End);
        }
        if line.pop_if(|last| *last == b'\n').is_none() && line.len() > MAX_LINE {
            self.source.skip_until(b'\n')?;
            line.truncate(HEAD);
            line.shrink_to_fit();
            return Ok(Line::TooLong(line));
        }
        line.pop_if(|last| *last == b'\r');
        Ok(Line::Text(line))
    }
}
