//! A prover beside the search: it looks for the exact value of the root, and its answer goes before any estimate.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use game::{Control, Evaluate, Report, Score};
use solve::{Goal, Limits, solve};

/// Lets `search` choose a move while a thread of its own tries to prove, in so many bytes, that the position is won, and
/// if it isn't, that it is drawn. A proven win ends the search and is reported as its last line, with as many plies as the
/// loser can hold out against the proof; a proven draw goes before a move that the search doesn't know to win.
pub(crate) fn choose<G: Evaluate>(
    position: &G,
    memory: usize,
    control: &dyn Control<G::Move>,
    search: impl FnOnce(&dyn Control<G::Move>) -> Option<G::Move>,
) -> Option<G::Move> {
    let (is_won, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    let last = Mutex::new(Last { score: None, depth: 0, nodes: 0 });
    let both = Both { control, is_won: &is_won, last: &last };
    let (chosen, proven) = thread::scope(|scope| {
        let prover = scope.spawn(|| {
            let line = prove(position, memory, &is_over)?;
            is_won.store(line.0 == Goal::Win, Relaxed);
            Some(line)
        });
        let chosen = search(&both);
        is_over.store(true, Relaxed);
        // A prover that failed has proven nothing.
        (chosen, prover.join().ok().flatten())
    });
    let Last { score, depth, nodes } = last.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Some((goal, line)) = proven.filter(|_| !matches!(score, Some(Score::Win(_)))) else { return chosen };
    let plies = line.len() as u32;
    let score = if goal == Goal::Win { Score::Win(plies) } else { Score::Draw(plies) };
    // Nothing is left to break off.
    let _ = control.report(&Report {
        depth,
        seldepth: plies,
        nodes,
        score,
        multipv: None,
        hashfull: None,
        pv: &line,
    });
    line.first().copied()
}

/// What the side to move reaches and a line by which it does; `None` if it loses, or nothing is proven before it is over.
fn prove<G: Evaluate>(position: &G, memory: usize, is_over: &AtomicBool) -> Option<(Goal, Vec<G::Move>)> {
    let limits = Limits { nodes: u64::MAX, memory };
    [Goal::Win, Goal::Draw].into_iter().find_map(|goal| {
        let mut watch = |_: &solve::Progress| {
            if is_over.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let solution = solve(position, Some(goal), limits, &mut watch).ok()?;
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
    is_won: &'a AtomicBool,
    last: &'a Mutex<Last>,
}

impl<M> Control<M> for Both<'_, M> {
    fn stopped(&self) -> bool {
        self.is_won.load(Relaxed) || self.control.stopped()
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
        let chosen = choose(&root, 8 << 20, &control(|| false, keep), |control| {
            while !control.stopped() {
                thread::yield_now();
            }
            root.parse_move("1o").ok()
        });
        assert_eq!(chosen.map(|m| root.move_text(m)).as_deref(), Some("4o"));
        let (score, line) = last.into_inner().unwrap().expect("a report");
        assert!(matches!(score, Score::Win(plies) if plies >= 8 && plies == line.len() as u32), "{score:?}");
        let end = line.iter().fold(root.clone(), |position, &m| position.play(m));
        assert_eq!(end.outcome().and_then(|outcome| outcome.winner), Some(root.side_to_move()));
    }

    #[test]
    fn a_search_that_is_over_ends_the_prover() {
        let root = position("7/7/7/7/7/7 w 10,11,10,11 4");
        let chosen = choose(&root, 8 << 20, &control(|| false, |_| {}), |_| root.parse_move("4o").ok());
        assert_eq!(chosen.map(|m| root.move_text(m)).as_deref(), Some("4o"));
    }

    #[test]
    fn draws_are_proven_and_losses_are_none_of_its_business() {
        let never = AtomicBool::new(false);
        let drawn = position("3/3/3 w 2,2,2,2 3");
        assert!(matches!(prove(&drawn, 8 << 20, &never), Some((Goal::Draw, line)) if !line.is_empty()));
        let lost = position("3/3/3 w 2,3,2,3 3");
        assert_eq!(prove(&lost, 8 << 20, &never), None);
    }
}
