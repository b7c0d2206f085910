use protocol::MAX_LINE;

/// Cuts what a pipe gives, in pieces of any size, into lines; never holds more than [`MAX_LINE`] bytes.
#[derive(Default)]
pub(crate) struct LineBuffer {
    partial: Vec<u8>,
    /// The present line is longer than [`MAX_LINE`]: the rest of it is skipped.
    too_long: bool,
}

/// A line that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line<'a> {
    /// Its bytes without the line feed.
    Text(&'a [u8]),
    /// It was longer than [`MAX_LINE`] and is lost.
    TooLong,
}

impl LineBuffer {
    /// Takes a piece of output and gives `take` each line that it completes.
    pub(crate) fn feed(&mut self, mut piece: &[u8], mut take: impl FnMut(Line<'_>)) {
        while let Some(end) = piece.iter().position(|b| *b == b'\n') {
            let (head, tail) = piece.split_at(end);
            piece = tail.get(1..).unwrap_or_default();
            if self.partial.is_empty() && !self.too_long && head.len() <= MAX_LINE {
                take(Line::Text(head));
            } else {
                self.keep(head);
                self.finish(&mut take);
            }
        }
        self.keep(piece);
    }

    /// Takes the end of the output: what is left counts as a line.
    pub(crate) fn finish(&mut self, mut take: impl FnMut(Line<'_>)) {
        if self.too_long {
            take(Line::TooLong);
        } else if !self.partial.is_empty() {
            take(Line::Text(&self.partial));
        }
        self.too_long = false;
        self.partial.clear();
    }

    fn keep(&mut self, piece: &[u8]) {
        self.too_long |= self.partial.len() + piece.len() > MAX_LINE;
        if self.too_long {
            self.partial = Vec::new();
        } else {
            self.partial.extend_from_slice(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut buffer = LineBuffer::default();
        let mut take = |line: Line<'_>| {
            lines.push(match line {
                Line::Text(text) if text.len() < 100 => String::from_utf8_lossy(text).into_owned(),
                Line::Text(text) => format!("{} bytes", text.len()),
                Line::TooLong => "too long".to_owned(),
            });
        };
        for piece in pieces {
            buffer.feed(piece, &mut take);
        }
        buffer.finish(&mut take);
        lines
    }

    #[test]
    fn lines_come_out_whole_wherever_the_pieces_end() {
        let text = b"ugiok\n\nbestmove 4o\r\nlast";
        for j in 0..=text.len() {
            for i in 0..=j {
                let (head, tail) = text.split_at(j);
                let (first, second) = head.split_at(i);
                let lines = cut(&[first, second, tail]);
                assert_eq!(lines.iter().filter(|l| !l.is_empty()).count(), 3, "{i} {j}: {lines:?}");
                assert_eq!(lines.last().map(String::as_str), Some("last"));
            }
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_and_the_next_is_not() {
        let full = vec![b'x'; MAX_LINE];
        assert_eq!(cut(&[&full, b"\nnext\n"]), [format!("{MAX_LINE} bytes"), "next".into()]);
        assert_eq!(cut(&[&full, b"x\nnext\n"]), ["too long", "next"]);
        assert_eq!(cut(&[&full, &full, &full]), ["too long"]);
        let mut long = full.clone();
        long.extend_from_slice(b"yy\nnext\n");
        assert_eq!(cut(&[&long]), ["too long", "next"]);
    }
}
