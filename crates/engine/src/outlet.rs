use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// How long an output that nobody reads may hold up a session that was told to quit.
const QUIT_PATIENCE: Duration = Duration::from_millis(200);
/// A pipe that can be written to takes at least so many bytes at once: `PIPE_BUF` on Linux.
const PIECE: usize = 4096;
/// How often a blocked output looks whether the controller has left.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// What is known of a controller's leaving, beside what the session has come to read.
#[derive(Debug, Default)]
pub(crate) struct Leaving {
    /// The present value of the option `EofGrace`, in milliseconds.
    grace_ms: AtomicU64,
    ended: AtomicBool,
    quit: AtomicBool,
}

impl Leaving {
    /// Sets how long everything that is left may take after the end of input.
    pub(crate) fn set_grace(&self, grace: Duration) {
        self.grace_ms.store(grace.as_millis() as u64, Ordering::Relaxed);
    }

    /// The input has ended.
    pub(crate) fn note_end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// `quit` was read.
    pub(crate) fn note_quit(&self) {
        self.quit.store(true, Ordering::Relaxed);
    }

    /// How long the output may still be blocked; `None`: as long as the controller likes.
    fn patience(&self) -> Option<Duration> {
        if self.quit.load(Ordering::Relaxed) {
            return Some(QUIT_PATIENCE);
        }
        let gone = self.ended.load(Ordering::Relaxed) || hung_up();
        gone.then(|| Duration::from_millis(self.grace_ms.load(Ordering::Relaxed)))
    }
}

/// Whether standard input is a pipe that nobody holds any more, even if there is still something to read in it.
fn hung_up() -> bool {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::empty())];
    poll(&mut fds, Some(&Timespec::default())).is_ok_and(|n| n > 0)
}

/// Standard output. A controller that has left without reading it counts as one that has closed it.
pub(crate) struct Outlet {
    leaving: Arc<Leaving>,
}

impl Outlet {
    pub(crate) fn new(leaving: Arc<Leaving>) -> Outlet {
        Outlet { leaving }
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let stdout = io::stdout();
        let mut blocked_since = None;
        loop {
            let mut fds = [PollFd::new(&stdout, PollFlags::OUT)];
            if poll(&mut fds, Some(&TICK)).is_ok_and(|n| n > 0) {
                match rustix::io::write(&stdout, &bytes[..bytes.len().min(PIECE)]) {
                    Err(Errno::AGAIN) => {}
                    written => return Ok(written?),
                }
            }
            match self.leaving.patience() {
                Some(patience) => {
                    if blocked_since.get_or_insert_with(Instant::now).elapsed() >= patience {
                        return Err(io::ErrorKind::BrokenPipe.into());
                    }
                }
                None => blocked_since = None,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
