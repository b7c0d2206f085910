//! What ends a run from outside: the signals INT, TERM and HUP, and a closed standard output.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam::channel::{self, Receiver};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::low_level::pipe;

/// From now on a file that has reached the limit of its size (`ulimit -f`) is an error of writing.
pub fn survive_full_files() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// How long a run may take to end after an interrupt.
const PATIENCE: Duration = Duration::from_millis(1900);

/// Where the first interrupt of a run comes as a message, after which the channel is closed: so it is seen by all who
/// look, though one of them has taken the message.
pub type Interrupts = Receiver<()>;

/// From now on the first interrupt comes as a message. If the process still lives 1.9 s later, or at the next signal,
/// `overdue` is called, which should end it.
pub fn interrupts(overdue: impl FnOnce() + Send + 'static) -> io::Result<Interrupts> {
    let (mut signals, writer) = UnixStream::pair()?;
    // It may be the closed output and no signal that there is to read.
    signals.set_nonblocking(true)?;
    for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&s| s != SIGHUP || !hangups_are_ignored()) {
        pipe::register(signal, writer.try_clone()?)?;
    }
    let (sender, receiver) = channel::bounded(1);
    thread::Builder::new().name("interrupts".into()).spawn(move || {
        let stdout = io::stdout();
        loop {
            // Without any event asked for, a pipe still tells that nobody reads it any more.
            let mut fds = [PollFd::new(&signals, PollFlags::IN), PollFd::new(&stdout, PollFlags::empty())];
            if poll(&mut fds, None).is_ok_and(|n| n > 0) {
                break;
            }
        }
        let _ = signals.read(&mut [0; 16]);
        let _ = sender.send(());
        drop(sender);
        let patience = Timespec::try_from(PATIENCE).ok();
        let _ = poll(&mut [PollFd::new(&signals, PollFlags::IN)], patience.as_ref());
        overdue();
    })?;
    Ok(receiver)
}

/// Whether this process was started so that it outlives its terminal, as by `nohup`.
pub fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1)
}
