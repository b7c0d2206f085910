use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use protocol::Reply;

use crate::streams::unless_left;

/// Where replies go: one line, one write, flushed, under one lock.
pub(crate) struct Output {
    sink: Mutex<Sink>,
}

struct Sink {
    writer: Box<dyn Write + Send>,
    /// The first failure; nothing is written after it.
    failure: Option<io::Error>,
}

impl Output {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Output {
        Output { sink: Mutex::new(Sink { writer: Box::new(writer), failure: None }) }
    }

    /// Writes one reply. `false`: nobody reads any more.
    pub(crate) fn send(&self, reply: &Reply) -> bool {
        let line = format!("{reply}\n");
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.failure.is_none() {
            let written = sink.writer.write_all(line.as_bytes());
            sink.failure = written.and_then(|()| sink.writer.flush()).err();
        }
        sink.failure.is_none()
    }

    /// The failure that ended the output, if one did. A closed pipe is no failure: whoever read has left.
    pub(crate) fn ended(&self) -> Option<io::Result<()>> {
        let sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let failure = sink.failure.as_ref()?;
        Some(unless_left(Err(io::Error::new(failure.kind(), failure.to_string()))))
    }
}
