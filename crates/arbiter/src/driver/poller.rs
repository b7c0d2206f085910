use std::io;
use std::iter;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};

use super::{Driver, GRACE, Owed};
use crate::fault::Fault;
use crate::process::{Hub, Process};

/// The pieces in which output is read.
const PIECE: usize = 64 << 10;

/// So often at least a waiting arbiter looks at the clock, to notice that it was suspended.
const WATCH: Duration = Duration::from_secs(1);
/// A wait that ends so much too late means that the arbiter didn't run: stopped, or starved of processor time.
const OVERSLEPT: Duration = Duration::from_millis(250);

/// The most events that are taken at a time; more wait for the next time.
const EVENTS: usize = 16;

/// What stands for the hub's wake-up among the events, and for the alarm.
const WAKE: u64 = u64::MAX;
const ALARM: u64 = WAKE - 1;

/// Waits for engines: reads all that they print, writes what they did not take yet.
pub(crate) struct Poller<'a> {
    hub: &'a Hub,
    /// There once an engine is watched.
    bell: Option<Bell>,
    piece: Vec<u8>,
    slept: Duration,
}

/// Tells of the hub's wake-up, of all engines that are watched, and when it is time.
struct Bell {
    epoll: OwnedFd,
    timer: OwnedFd,
    /// When the timer goes off, if it is set. It may be earlier than needed: each deadline is mostly later than the one
    /// before, so that hardly any wait has to set a timer of its own.
    alarm: Option<Instant>,
}

impl Bell {
    fn new(hub: &Hub) -> io::Result<Bell> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let timer =
            timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK)?;
        epoll::add(&epoll, hub.wake(), EventData::new_u64(WAKE), EventFlags::IN)?;
        epoll::add(&epoll, &timer, EventData::new_u64(ALARM), EventFlags::IN)?;
        Ok(Bell { epoll, timer, alarm: None })
    }

    /// Waits for events, at most until that time, and says how many there are.
    fn wait(&mut self, events: &mut [Event], until: Instant) -> io::Result<usize> {
        if self.alarm.is_none_or(|alarm| alarm > until) {
            // A time of zero would unset it.
            let time = until.saturating_duration_since(Instant::now()).max(Duration::from_nanos(1));
            let it_value = Timespec::try_from(time).map_err(io::Error::other)?;
            let it_interval = Timespec { tv_sec: 0, tv_nsec: 0 };
            timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &Itimerspec { it_interval, it_value })?;
            self.alarm = Some(until);
        }
        match epoll::wait(&self.epoll, &mut *events, None) {
            Err(Errno::INTR) => Ok(0),
            count => Ok(count?),
        }
    }
}

/// Why waiting ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Waited {
    /// The engine owes nothing any more.
    Done,
    /// The deadline has passed.
    Late,
    /// The engine can't answer any more.
    Broken(Fault),
    /// The run was interrupted.
    Stopped,
}

/// What there is to hear of an engine.
#[derive(Clone, Copy)]
enum Source {
    Input,
    Output,
    Errors,
    Exit,
}

impl Source {
    const ALL: [Source; 4] = [Source::Input, Source::Output, Source::Errors, Source::Exit];

    /// What it is of a process, and what has to become of that.
    fn of(self, process: &Process) -> (BorrowedFd<'_>, EventFlags) {
        match self {
            Source::Input => (process.stdin.as_fd(), EventFlags::OUT),
            Source::Output => (process.stdout.as_fd(), EventFlags::IN),
            Source::Errors => (process.stderr.as_fd(), EventFlags::IN),
            Source::Exit => (process.exit.as_fd(), EventFlags::IN),
        }
    }

    /// Whether there is still something to wait for.
    fn is_wanted(self, engine: &Driver) -> bool {
        let is_alive = engine.ending.is_none();
        match self {
            Source::Input => is_alive && !engine.outbox.is_empty(),
            Source::Output => engine.output_open && !engine.is_flooding(),
            Source::Errors => engine.errors_open,
            Source::Exit => is_alive,
        }
    }

    /// What stands for it among the events.
    fn number(self, engine: &Driver) -> u64 {
        (engine.index() * Source::ALL.len() + self as usize) as u64
    }
}

/// A set of sources.
#[derive(Clone, Copy, Default)]
pub(super) struct Sources(u8);

impl Sources {
    fn has(self, source: Source) -> bool {
        self.0 >> source as u8 & 1 == 1
    }

    fn toggle(&mut self, source: Source) {
        self.0 ^= 1 << source as u8;
    }
}

impl<'a> Poller<'a> {
    pub(crate) fn new(hub: &'a Hub) -> Poller<'a> {
        Poller { hub, bell: None, piece: vec![0; PIECE], slept: Duration::ZERO }
    }

    /// Waits from now on for what there is still to hear of an engine. Whoever parts from it has to [`Poller::forget`] it.
    pub(crate) fn watch(&mut self, engine: &mut Driver<'a>) -> io::Result<()> {
        let bell = match &self.bell {
            Some(bell) => bell,
            None => self.bell.insert(Bell::new(self.hub)?),
        };
        for source in Source::ALL {
            let is_wanted = source.is_wanted(engine);
            if is_wanted != engine.watched.has(source) {
                let (fd, flags) = source.of(&engine.process);
                if is_wanted {
                    epoll::add(&bell.epoll, fd, EventData::new_u64(source.number(engine)), flags)?;
                } else {
                    epoll::delete(&bell.epoll, fd)?;
                }
                engine.watched.toggle(source);
            }
        }
        Ok(())
    }

    /// Waits for nothing of an engine any more.
    pub(crate) fn forget(&self, engine: &Driver<'a>) {
        let Some(bell) = &self.bell else { return };
        for source in Source::ALL.into_iter().filter(|source| engine.watched.has(*source)) {
            let _ = epoll::delete(&bell.epoll, source.of(&engine.process).0);
        }
    }

    /// For how long in all the arbiter didn't run while it waited. No engine has to answer for that.
    pub(crate) fn slept(&self) -> Duration {
        self.slept
    }

    /// Waits until `engine` has answered, at most until `deadline`, which no output moves, only the time for which
    /// the arbiter itself was suspended. The others are listened to meanwhile, so that none ever blocks on a full pipe.
    pub(crate) fn wait(
        &mut self,
        engine: &mut Driver<'a>,
        others: &mut [Driver<'a>],
        mut deadline: Instant,
    ) -> Waited {
        loop {
            if engine.owed == Owed::Nothing {
                return Waited::Done;
            }
            let now = Instant::now();
            if let Some(fault) = engine.fault(now) {
                return Waited::Broken(fault);
            }
            if now >= deadline {
                return Waited::Late;
            }
            let until = engine.broken.map_or(deadline, |at| deadline.min(at + GRACE)).min(now + WATCH);
            if self.poll(engine, others, until) {
                return Waited::Stopped;
            }
            let late = until.elapsed();
            if late > OVERSLEPT {
                deadline += late;
                self.slept += late;
            }
        }
    }

    /// Attends once to all that is ready. Says whether the run was interrupted.
    fn poll(&mut self, engine: &mut Driver<'a>, others: &mut [Driver<'a>], until: Instant) -> bool {
        let mut events = [Event { flags: EventFlags::empty(), data: EventData::new_u64(WAKE) }; EVENTS];
        let count = self.next_events(engine, others, &mut events, until).unwrap_or_else(|error| {
            log::error!("epoll: {error}");
            0
        });
        let mut stopped = false;
        for number in events.iter().take(count).map(|event| event.data.u64()) {
            match (number, &mut self.bell) {
                (WAKE, _) => stopped = true,
                (ALARM, Some(bell)) => bell.alarm = None,
                _ => {}
            }
            for engine in iter::once(&mut *engine).chain(&mut *others) {
                let source = Source::ALL.into_iter().find(|source| source.number(engine) == number);
                if let Some(source) = source {
                    self.attend(engine, source);
                }
            }
        }
        stopped
    }

    /// Waits for events, and says how many there are.
    fn next_events(
        &mut self,
        engine: &mut Driver<'a>,
        others: &mut [Driver<'a>],
        events: &mut [Event],
        until: Instant,
    ) -> io::Result<usize> {
        iter::once(engine).chain(others).try_for_each(|engine| self.watch(engine))?;
        self.bell.as_mut().map_or(Ok(0), |bell| bell.wait(events, until))
    }

    fn attend(&mut self, engine: &mut Driver, source: Source) {
        match source {
            Source::Input => engine.flush(),
            Source::Output => drop(self.read_output(engine)),
            Source::Errors => drop(self.read_errors(engine)),
            Source::Exit => {
                // What a dead process printed is all in the pipes; a child it left may still hold their other ends.
                while engine.output_open && !engine.is_flooding() && self.read_output(engine) {}
                while engine.errors_open && self.read_errors(engine) {}
                if engine.output_open {
                    engine.hear(&[], Instant::now());
                }
                engine.ending = Some(engine.process.ending());
            }
        }
    }

    /// Reads once; says whether there may be more.
    fn read_output(&mut self, engine: &mut Driver) -> bool {
        let piece = read(&engine.process.stdout, &mut self.piece);
        piece.inspect(|piece| engine.hear(piece, Instant::now())).is_some_and(|piece| !piece.is_empty())
    }

    fn read_errors(&mut self, engine: &mut Driver) -> bool {
        let piece = read(&engine.process.stderr, &mut self.piece);
        piece
            .inspect(|piece| engine.hear_errors(piece, Instant::now()))
            .is_some_and(|piece| !piece.is_empty())
    }
}

/// Reads what is there; `None` if nothing is there now, nothing at the end.
fn read(pipe: impl AsFd, buffer: &mut [u8]) -> Option<&[u8]> {
    match rustix::io::read(pipe, &mut *buffer) {
        Err(Errno::AGAIN | Errno::INTR) => None,
        Ok(n) => buffer.get(..n),
        Err(_) => Some(&[]),
    }
}
