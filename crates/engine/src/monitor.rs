use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::{Control, Game, Notation, Report, Score};
use protocol::{Dialect, Info, InfoScore, Reply, Token};
use search::clock::{Course, Pace};

use crate::output::Output;

/// For so long every analysis line is printed.
const UNTHROTTLED: Duration = Duration::from_millis(100);
/// Afterwards each line costs so much time before the next one.
const PER_LINE: Duration = Duration::from_millis(50);

/// A thread that asks whether to stop has a look at the clock each time it has asked so often.
const PATIENCE: u32 = 16;

thread_local! {
    /// How often this thread has asked since it looked at the clock.
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// What a search is connected to.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) stop: Arc<AtomicBool>,
    /// When the clock of the search began to run.
    pub(crate) started: Instant,
    /// A fair share of the game's clock, by which it is decided whether to begin another iteration, and how.
    pub(crate) share: Option<Duration>,
    pub(crate) pace: Pace,
    /// When to stop.
    pub(crate) deadline: Option<Instant>,
    pub(crate) output: Arc<Output>,
    pub(crate) dialect: Dialect,
}

/// The outside world as a search of one position sees it.
pub(crate) struct Monitor<'a, G: Game> {
    watch: &'a Watch,
    position: &'a G,
    lines: Mutex<Lines<G::Move>>,
}

/// The analysis lines of a search.
struct Lines<M> {
    /// The newest line of each rank, as far as it has not been printed.
    held: Vec<Info>,
    /// Whether the present set of lines, one per rank, is printed as it comes.
    open: bool,
    /// When the next set may be printed.
    next: Duration,
    /// Whether any line has come.
    any: bool,
    course: Course<M>,
}

impl<M> Default for Lines<M> {
    fn default() -> Lines<M> {
        Lines { held: Vec::new(), open: false, next: Duration::ZERO, any: false, course: Course::default() }
    }
}

impl<'a, G: Notation> Monitor<'a, G> {
    pub(crate) fn new(watch: &'a Watch, position: &'a G) -> Monitor<'a, G> {
        Monitor { watch, position, lines: Mutex::default() }
    }

    /// Stops the search if its time is up, as far as this thread has looked. The session does so too, but is woken by the
    /// system, which may be some milliseconds late while all processors are busy.
    fn watch_the_clock(&self) {
        let Some(deadline) = self.watch.deadline else { return };
        let asked = ASKED.get() + 1;
        ASKED.set(asked % PATIENCE);
        if asked == PATIENCE && Instant::now() >= deadline {
            self.watch.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Prints what has been held back. An agent that reported nothing gets a line of depth 0 with the chosen move, and
    /// without a score, since it gave none.
    pub(crate) fn finish(self, best: Option<G::Move>) {
        let mut lines = self.lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !lines.any {
            let elapsed = self.watch.started.elapsed();
            lines.held = vec![Info {
                depth: Some(0),
                nodes: Some(0),
                nps: Some(0),
                time: Some(elapsed.as_millis() as i64),
                pv: line(self.position, best.as_slice()),
                ..Info::default()
            }];
        }
        lines.held.sort_by_key(|info| info.multipv);
        for info in lines.held {
            self.watch.output.send(&Reply::Info(info));
        }
    }
}

impl<G: Notation> Control<G::Move> for Monitor<'_, G> {
    fn stopped(&self) -> bool {
        self.watch_the_clock();
        self.watch.stop.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.watch.started.elapsed()
    }

    fn report(&self, report: &Report<'_, G::Move>) -> ControlFlow<()> {
        let elapsed = self.elapsed();
        let info = info(report, elapsed, self.watch.dialect, self.position);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.any = true;
        if report.multipv.is_none_or(|rank| rank == 1) {
            lines.course.follow(report, &self.watch.pace);
            lines.open = elapsed < UNTHROTTLED || elapsed >= lines.next;
            if lines.open {
                lines.next = elapsed;
            }
        }
        lines.held.retain(|held| held.multipv != info.multipv);
        if lines.open {
            lines.next += PER_LINE;
            if !self.watch.output.send(&Reply::Info(info)) {
                self.watch.stop.store(true, Ordering::Relaxed);
            }
        } else {
            lines.held.push(info);
        }
        match self.watch.share {
            Some(share) if elapsed >= lines.course.enough(share, &self.watch.pace) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A report as an analysis line.
fn info<G: Notation>(report: &Report<'_, G::Move>, elapsed: Duration, dialect: Dialect, root: &G) -> Info {
    let (score, endply) = match report.score {
        Score::Cp(value) => (InfoScore::Cp(value.into()), None),
        Score::Win(plies) => (InfoScore::Mate(moves(plies)), Some(plies.into())),
        Score::Loss(plies) => (InfoScore::Mate(-moves(plies)), Some(plies.into())),
        Score::Draw(plies) => (InfoScore::Cp(0), Some(plies.into())),
    };
    let nps = u128::from(report.nodes) * 1_000_000 / elapsed.as_micros().max(1);
    Info {
        depth: Some(report.depth.into()),
        seldepth: Some(report.seldepth.into()),
        multipv: report.multipv.map(Into::into),
        score: Some(score),
        endply: endply.filter(|_| dialect == Dialect::Ugi),
        nodes: Some(report.nodes as i64),
        nps: Some(nps as i64),
        hashfull: report.hashfull.map(Into::into),
        time: Some(elapsed.as_millis() as i64),
        pv: line(root, report.pv),
        ..Info::default()
    }
}

/// The number of moves of the side to move in so many plies, its last one counted in full.
fn moves(plies: u32) -> i64 {
    i64::from(plies.div_ceil(2))
}

/// The legal beginning of a line of moves.
fn line<G: Notation>(root: &G, moves: &[G::Move]) -> Vec<Token> {
    let mut position = root.clone();
    let mut line = Vec::with_capacity(moves.len());
    for &m in moves {
        let token = Token::new(&position.move_text(m)).filter(|_| position.is_legal(m));
        let Some(token) = token else { break };
        line.push(token);
        position.play_unchecked(m);
    }
    line
}

#[cfg(test)]
mod tests {
    use simplexity::Position;

    use super::*;

    /// How many times a search whose deadline is `deadline` asks until it is told to stop, at most a thousand.
    fn asked(deadline: Option<Instant>) -> usize {
        let position = Position::<u64>::from_fen("7/7/7/7/7/7 w 10,11,10,11 4").expect("a good position");
        let watch = Watch {
            stop: Arc::default(),
            started: Instant::now(),
            share: None,
            pace: Pace::default(),
            deadline,
            output: Arc::new(Output::new(Vec::new())),
            dialect: Dialect::Ugi,
        };
        let monitor = Monitor::new(&watch, &position);
        let asked = (1..1000).find(|_| monitor.stopped()).unwrap_or(1000);
        assert!(asked == 1000 || monitor.stopped(), "once told to stop, it is told so ever after");
        asked
    }

    #[test]
    fn a_search_sees_for_itself_that_time_is_up() {
        assert!(asked(Some(Instant::now())) <= PATIENCE as usize);
        assert_eq!(asked(Instant::now().checked_add(Duration::from_secs(1000))), 1000);
        assert_eq!(asked(None), 1000);
    }
}
