//! A prover beside the search: it looks for the exact value of the root, and its answer goes before any estimate.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread::{self, Builder};
use std::time::Duration;

use game::{Control, Evaluate, Report, Score};
use solve::{Constants, Goal, Limits, solve};

use crate::team::End;

/// What a search and the prover beside it tell one another.
struct Shared<M> {
    /// Set by the search when it ends.
    is_over: AtomicBool,
    /// Set by the prover.
    proven: OnceLock<Proven<M>>,
}

/// What the side to move reaches, and a line by which it does.
type Proven<M> = (Goal, Vec<M>);

/// Lets `search` choose a move while a thread of its own tries to prove, in so many bytes, that the position is won, and
/// if it isn't, that it is drawn. A proven win ends the search and is reported as its last line, with as many plies as the
/// loser can hold out against the proof; a proven draw goes before a move that the search doesn't know to win.
///
/// The search's end doesn't wait for the prover, which may take some milliseconds to see it and to give its memory back.
/// The next one waits for its `turn` instead, so that memory never has to do for two, while its search begins without it. Who
/// has the turn after the search's end knows that its prover has no memory, nor will have any.
pub(crate) fn choose<G: Evaluate>(
    position: &G,
    memory: usize,
    constants: Constants<G::Weights>,
    turn: Arc<Mutex<()>>,
    control: &dyn Control<G::Move>,
    search: impl FnOnce(&dyn Control<G::Move>) -> Option<G::Move>,
) -> Option<G::Move> {
    let shared = Arc::new(Shared { is_over: AtomicBool::new(false), proven: OnceLock::new() });
    let last = Mutex::new(Last { score: None, depth: 0, nodes: 0 });
    let work = {
        let (position, shared) = (position.clone(), Arc::clone(&shared));
        move || {
            let Some(_turn) = wait(&turn, &shared.is_over) else { return };
            if let Some(proven) = prove(&position, memory, &constants, &shared.is_over) {
                let _ = shared.proven.set(proven);
            }
        }
    };
    // Without a thread for it, nothing is proven.
    let _ = Builder::new().name("prover".into()).spawn(work);
    let chosen = {
        let _end = End(&shared.is_over);
        search(&Both { control, shared: &shared, last: &last })
    };
    let Last { score, depth, nodes } = last.into_inner().unwrap_or_else(PoisonError::into_inner);
    let proven = shared.proven.get().filter(|_| !matches!(score, Some(Score::Win(_))));
    let Some((goal, line)) = proven else { return chosen };
    let plies = line.len() as u32;
    let score = if *goal == Goal::Win { Score::Win(plies) } else { Score::Draw(plies) };
    // Nothing is left to break off.
    let _ = control.report(&Report {
        depth,
        seldepth: plies,
        nodes,
        score,
        multipv: None,
        hashfull: None,
        pv: line,
    });
    line.first().copied()
}

/// The turn of a prover, or `None` if its search is over before.
fn wait<'a>(turn: &'a Mutex<()>, is_over: &AtomicBool) -> Option<MutexGuard<'a, ()>> {
    loop {
        let taken = match turn.try_lock() {
            Ok(turn) => Some(turn),
            // A prover that failed has left nothing behind.
            Err(TryLockError::Poisoned(turn)) => Some(turn.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        if is_over.load(Relaxed) {
            return None;
        }
        if taken.is_some() {
            return taken;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// What is proven of a position; `None` if the side to move loses, or nothing is proven before it is over.
fn prove<G: Evaluate>(
    position: &G,
    memory: usize,
    constants: &Constants<G::Weights>,
    is_over: &AtomicBool,
) -> Option<Proven<G::Move>> {
    let limits = Limits { nodes: u64::MAX, memory };
    [Goal::Win, Goal::Draw].into_iter().find_map(|goal| {
        let mut watch = |_: &solve::Progress| {
            if is_over.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let solution = solve(position, Some(goal), limits, constants, &mut watch).ok()?;
        (solution.goals == [(goal, true)] && !solution.line.is_empty()).then_some((goal, solution.line))
    })
}

/// What the search has reported last.
struct Last {
    score: Option<Score>,
    depth: u32,
    nodes: u64,
}

/// What the search sees of the outside, and of the prover.
struct Both<'a, M> {
    control: &'a dyn Control<M>,
    shared: &'a Shared<M>,
    last: &'a Mutex<Last>,
}

impl<M: Send + Sync> Control<M> for Both<'_, M> {
    fn stopped(&self) -> bool {
        let is_won = self.shared.proven.get().is_some_and(|&(goal, _)| goal == Goal::Win);
        is_won || self.control.stopped()
    }

    fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }

    fn report(&self, report: &Report<'_, M>) -> ControlFlow<()> {
        let Report { score, depth, nodes, .. } = *report;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Last { score: Some(score), depth, nodes };
        self.control.report(report)
    }
}

#[cfg(test)]
mod tests {
    use game::{Game, Notation, control};
    use simplexity::Position;

    use super::*;

    fn position(fen: &str) -> Position<u64> {
        Position::from_fen(fen).expect("a position")
    }

    #[test]
    fn a_proven_win_ends_the_search_and_is_played() {
        // One move of fifteen wins, and it takes long.
        let root = position("7/5R1/RW1wwR1/wr1Rww1/WRwRRrW/RwRwwwR r 0,8,8,1 4");
        let last = Mutex::new(None);
        let keep = |report: &Report<'_, _>| *last.lock().unwrap() = Some((report.score, report.pv.to_vec()));
        let chosen = choose(
            &root,
            8 << 20,
            Constants::default(),
            Arc::default(),
            &control(|| false, keep),
            |control| {
                while !control.stopped() {
                    thread::yield_now();
                }
                root.parse_move("1o").ok()
            },
        );
        assert_eq!(chosen.map(|m| root.move_text(m)).as_deref(), Some("4o"));
        let (score, line) = last.into_inner().unwrap().expect("a report");
        assert!(matches!(score, Score::Win(plies) if plies >= 8 && plies == line.len() as u32), "{score:?}");
        let end = line.iter().fold(root.clone(), |position, &m| position.play(m));
        assert_eq!(end.outcome().and_then(|outcome| outcome.winner), Some(root.side_to_move()));
    }

    #[test]
    fn neither_the_start_nor_the_end_of_a_search_waits_for_a_prover() {
        let root = position("7/7/7/7/7/7 w 10,11,10,11 4");
        let turn = Arc::new(Mutex::new(()));
        let earlier = turn.lock().expect("no fault");
        for _ in 0..2 {
            let never = control(|| false, |_| {});
            let chosen = choose(&root, 8 << 20, Constants::default(), Arc::clone(&turn), &never, |_| {
                root.parse_move("4o").ok()
            });
            assert_eq!(chosen.map(|m| root.move_text(m)).as_deref(), Some("4o"));
        }
        // Theirs leave without having had a turn.
        while Arc::strong_count(&turn) > 1 {
            thread::yield_now();
        }
        drop(earlier);
    }

    #[test]
    fn a_prover_whose_search_is_over_does_not_begin() {
        let (over, drawn) = (AtomicBool::new(true), position("3/3/3 w 2,2,2,2 3"));
        assert_eq!(prove(&drawn, 8 << 20, &Constants::default(), &over), None);
    }

    #[test]
    fn draws_are_proven_and_losses_are_none_of_its_business() {
        let never = AtomicBool::new(false);
        let drawn = position("3/3/3 w 2,2,2,2 3");
        assert!(
            matches!(prove(&drawn, 8 << 20, &Constants::default(), &never), Some((Goal::Draw, line)) if !line.is_empty())
        );
        let lost = position("3/3/3 w 2,3,2,3 3");
        assert_eq!(prove(&lost, 8 << 20, &Constants::default(), &never), None);
    }
}
