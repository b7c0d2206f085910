//! What a position of a running game is worth: `arbiter solve`, as a child process, is asked about it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::ffi::OsString;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use protocol::MAX_LINE;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::arena::Arena;
use crate::driver::transcript::Clipped;
use crate::process::{Farewell, Hub, Place, Process};
use crate::record::SolvedRecord;
use crate::sheet::{End, Sheet};
use crate::table::Halt;

/// MiB for its table and its proofs. A constant: what it finds out depends on them.
const MEMORY: u32 = 64;

/// The longest step of a wait, of which no more is counted should the arbiter be suspended meanwhile.
const WATCH: Duration = Duration::from_secs(1);

/// What is found out about the positions of a game, one after the other.
///
/// Where no engine has a clock, each position is solved before the engine to move is asked, so that the answer doesn't
/// depend on time. Else that goes on beside the engine, until it has answered.
pub(crate) struct Solving<'a> {
    hub: &'a Hub,
    arena: &'a Arena,
    core: Option<usize>,
    /// For each position; `None`: none is solved, or no more.
    nodes: Option<NonZeroU64>,
    is_beside: bool,
    /// At work on the position from which the last move was played, or on the present one.
    solver: Option<Solver<'a>>,
}

impl<'a> Solving<'a> {
    /// Of a game that begins, on the core of its engines if they have one.
    pub(crate) fn new(hub: &'a Hub, arena: &'a Arena, core: Option<usize>, sheet: &Sheet) -> Solving<'a> {
        let is_beside = sheet.clocks.iter().any(|clock| clock.allowed().is_some());
        Solving { hub, arena, core, nodes: arena.adjudication.solved, is_beside, solver: None }
    }

    /// How a game that goes on by its rules ends by what was found out. A move played meanwhile is taken back.
    pub(crate) fn end(&mut self, sheet: &mut Sheet) -> Result<Option<End>, Halt> {
        let solved = if let Some(solved) = self.found(Duration::ZERO, sheet)? {
            sheet.take_back();
            Some(solved)
        } else {
            self.ask(sheet);
            let patience = if self.is_beside { Duration::ZERO } else { self.arena.patience.max_think };
            self.found(patience, sheet)?
        };
        Ok(solved.map(|solved| End::solved(sheet.state().side_to_move(), solved)))
    }

    /// Begins with the present position, whatever has become of the one before.
    fn ask(&mut self, sheet: &Sheet) {
        self.solver = None;
        let Some(nodes) = self.nodes else { return };
        match Solver::start(self.hub, self.arena, &sheet.state().fen(), nodes, self.core, self.is_beside) {
            Ok(solver) => self.solver = Some(solver),
            Err(error) => self.give_up(&error.to_string(), sheet),
        }
    }

    fn found(&mut self, patience: Duration, sheet: &Sheet) -> Result<Option<SolvedRecord>, Halt> {
        match self.solver.as_mut().map(|solver| solver.finding(patience)) {
            Some(Ok(Finding::Solved(solved))) => return Ok(Some(solved)),
            Some(Ok(Finding::Interrupted)) => return Err(Halt::Interrupted),
            Some(Err(error)) => self.give_up(&error, sheet),
            Some(Ok(Finding::Open)) | None => {}
        }
        Ok(None)
    }

    /// What fails once is not asked again: the game goes on without.
    fn give_up(&mut self, error: &str, sheet: &Sheet) {
        log::warn!("game {}: no more of its positions are solved: {error}", sheet.job().index);
        (self.nodes, self.solver) = (None, None);
    }
}

/// A process that finds out what one position is worth. It ends when this is dropped.
struct Solver<'a> {
    hub: &'a Hub,
    /// There until this is dropped.
    process: Option<Process>,
    output: Vec<u8>,
}

/// What there is to say of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Finding {
    /// What it is worth.
    Solved(SolvedRecord),
    /// Nothing, or nothing yet.
    Open,
    /// Nothing, since the run was interrupted.
    Interrupted,
}

impl<'a> Solver<'a> {
    /// Starts one on a position of an arena's game. With `is_idle` it only gets processor time that nobody else wants.
    fn start(
        hub: &'a Hub,
        arena: &Arena,
        fen: &str,
        nodes: NonZeroU64,
        core: Option<usize>,
        is_idle: bool,
    ) -> io::Result<Solver<'a>> {
        let limits = [format!("--nodes={nodes}"), format!("--memory={MEMORY}"), format!("--fen={fen}")];
        let words = ["solve", arena.rules.name(), "--json"].map(OsString::from);
        let command = [OsString::from(&arena.program)].into_iter().chain(words);
        let command: Vec<OsString> = command.chain(limits.map(OsString::from)).collect();
        let process = hub.spawn(&command, &Place { core, is_idle, ..Place::default() })?;
        Ok(Solver { hub, process: Some(process), output: Vec::new() })
    }

    /// What it has found out, for which it is waited so long.
    ///
    /// # Errors
    /// If it is silent for longer than that (without patience that is no error), or says what nobody asked for.
    fn finding(&mut self, patience: Duration) -> Result<Finding, String> {
        let mut waited = Duration::ZERO;
        while !self.read() {
            if waited >= patience {
                let silent = || format!("no answer within {} s", patience.as_secs_f64());
                return if patience.is_zero() { Ok(Finding::Open) } else { Err(silent()) };
            }
            let step = WATCH.min(patience.saturating_sub(waited));
            let since = Instant::now();
            if self.is_interrupted(step) {
                return Ok(Finding::Interrupted);
            }
            waited += since.elapsed().min(step);
        }
        let said = || Clipped(String::from_utf8_lossy(&self.output).trim_end()).to_string();
        match serde_json::from_slice::<SolvedRecord>(&self.output) {
            Ok(solved) if ["win", "loss", "draw"].contains(&&*solved.value) => Ok(Finding::Solved(solved)),
            Ok(solved) if solved.value == "unknown" => Ok(Finding::Open),
            _ if self.output.is_empty() => Err("it ended without an answer".into()),
            _ => Err(format!("no answer, but {:?}", said())),
        }
    }

    /// Reads what there is; says whether that is all.
    fn read(&mut self) -> bool {
        let Some(process) = &mut self.process else { return true };
        // What it tells people of its progress must not fill the pipe.
        let _ = io::copy(&mut (&mut process.stderr).take(MAX_LINE as u64), &mut io::sink());
        let rest = MAX_LINE.saturating_sub(self.output.len());
        let read = (&mut process.stdout).take(rest as u64).read_to_end(&mut self.output);
        read.map_or_else(|error| error.kind() != io::ErrorKind::WouldBlock, |_| true)
    }

    /// Waits for output. Says whether the run was interrupted.
    fn is_interrupted(&self, timeout: Duration) -> bool {
        let Some(process) = &self.process else { return false };
        let mut fds = [
            PollFd::from_borrowed_fd(self.hub.wake(), PollFlags::IN),
            PollFd::new(&process.stdout, PollFlags::IN),
        ];
        match poll(&mut fds, Timespec::try_from(timeout).ok().as_ref()) {
            Ok(_) => fds.first().is_some_and(|wake| !wake.revents().is_empty()),
            Err(Errno::INTR) => false,
            Err(error) => {
                log::error!("poll: {error}");
                false
            }
        }
    }
}

impl Drop for Solver<'_> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            self.hub.retire(process, Farewell::Kill);
        }
    }
}
