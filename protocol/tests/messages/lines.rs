//! The line reader: limits, line ends, and sources that deliver in odd pieces.

use std::io::{self, BufReader, Read};

use protocol::{Line, LineReader, MAX_LINE};

/// Delivers the bytes in pieces of the given size, interrupted before each.
struct Trickle<'a> {
    bytes: &'a [u8],
    piece: usize,
    interrupted: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = self.piece.min(buffer.len()).min(self.bytes.len());
        buffer[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

fn lines(bytes: &[u8], piece: usize) -> Vec<Line> {
    let source = Trickle { bytes, piece, interrupted: false };
    let mut reader = LineReader::new(BufReader::with_capacity(4096, source));
    let mut lines = Vec::new();
    loop {
        match reader.next_line().unwrap() {
            Line::End => break,
            line => lines.push(line),
        }
    }
    assert_eq!(reader.next_line().unwrap(), Line::End, "the end is final");
    lines
}

fn text(text: &str) -> Line {
    Line::Text(text.as_bytes().to_vec())
}

#[test]
fn line_ends() {
    for piece in [1, 3, 4096] {
        assert_eq!(lines(b"", piece), []);
        assert_eq!(lines(b"\n", piece), [text("")]);
        assert_eq!(lines(b"a\nb", piece), [text("a"), text("b")]);
        assert_eq!(lines(b"a\r\n\r\nb\r", piece), [text("a"), text(""), text("b")]);
        assert_eq!(lines(b"a\r\r\n c\rd \n", piece), [text("a\r"), text(" c\rd ")]);
        assert_eq!(lines(b"\xff\0\n", piece), [Line::Text(vec![0xff, 0])]);
    }
}

#[test]
fn the_longest_line_and_one_byte_more() {
    let longest = vec![b'x'; MAX_LINE];
    for end in ["", "\n"] {
        let bytes = [&longest, end.as_bytes()].concat();
        assert_eq!(lines(&bytes, 4096), [Line::Text(longest.clone())]);
    }
    let over = [b"go ", &longest[..], b"\nstop\n"].concat();
    assert_eq!(lines(&over, 4096), [Line::TooLong(over[..256].to_vec()), text("stop")]);
    let by_one = [&longest[..], b"x\n"].concat();
    assert_eq!(lines(&by_one, 4096), [Line::TooLong(longest[..256].to_vec())]);
    let unended = vec![b'y'; 3 * MAX_LINE];
    assert_eq!(lines(&unended, 4096), [Line::TooLong(unended[..256].to_vec())]);
}

#[test]
fn memory_is_bounded() {
    // 64 GiB of one line could not be held; what is kept of it can.
    let endless = io::repeat(b'z').take(1 << 28);
    let mut reader = LineReader::new(BufReader::with_capacity(1 << 16, endless));
    let Line::TooLong(head) = reader.next_line().unwrap() else { panic!("the line is too long") };
    assert_eq!((head.len(), head.capacity()), (256, 256));
    assert_eq!(reader.next_line().unwrap(), Line::End);
}

#[test]
fn read_errors_are_passed_on() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let error = LineReader::new(BufReader::new(Broken)).next_line().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}
