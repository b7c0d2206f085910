//! The tree below the root: principal variation search.

use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::{Evaluate, Side, Tactics};

use crate::history::{History, Kind};
use crate::level::Errors;
use crate::order::{Killers, Known, MoveStack, Picker};
use crate::params::Params;
use crate::reduction;
use crate::table::{Bound, Entry, Near, View};
use crate::team::Team;
use crate::value::{INFINITE, estimate, is_decisive, is_loss, of_outcome, pack, to_node, to_root, win_at};

/// The search was told to end; what was being computed is void.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// What one thread of a search works with.
pub(crate) struct Worker<'a, G: Evaluate> {
    pub(crate) table: View<'a>,
    /// In place of `table` near the horizon.
    pub(crate) near: Near,
    pub(crate) team: &'a Team<'a, G::Move>,
    pub(crate) params: Params,
    pub(crate) weights: G::Weights,
    /// What makes the judgement of a weak level err.
    pub(crate) errors: Option<Errors>,
    pub(crate) history: History<G>,
    /// For each ply, the kind of the move that led there; none for the root.
    pub(crate) path: Vec<Option<Kind>>,
    pub(crate) stack: MoveStack<G::Move>,
    /// Best line found from each ply on: valid for a ply right after its node returned a value inside its window.
    pub(crate) lines: Vec<Vec<G::Move>>,
    /// For each ply, the moves that refuted a position there.
    pub(crate) killers: Vec<Killers>,
    /// What is kept of each position on the current line, the root's first.
    pub(crate) memos: Vec<G::Memo>,
    /// The nodes of this thread, and where the others see them.
    pub(crate) nodes: u64,
    /// The number of nodes at which it asks whether to go on.
    pub(crate) pause: u64,
    /// The nodes that this thread may search so far.
    pub(crate) claimed: u64,
    /// The nodes beyond which it may not claim any.
    pub(crate) most: u64,
    pub(crate) counter: &'a AtomicU64,
    pub(crate) seldepth: u32,
    /// Whether moves that come late in their node's order are searched less deep at first, or not at all, and moves
    /// that force are looked at where the search ends. Without, and without `settle`, every value is that of plain negamax.
    pub(crate) reduce: bool,
    /// Whether a side that cannot win any more, as the game sees, gets no more than a draw, at whatever depth. With it only
    /// values of a whole tree are those of plain negamax.
    pub(crate) settle: bool,
}

/// The most nodes between two questions whether to stop: few enough to stop at once even where nodes take longest.
const PATIENCE: u64 = 16;

/// What sets the table's entries of a search with reductions apart: they prove less.
const REDUCED: u64 = 0x5265_6475_6365_6421;

/// The table's key of a position with this key, for a search with or without reductions.
pub(crate) fn table_key(key: u64, reduce: bool) -> u64 {
    key ^ if reduce { REDUCED } else { 0 }
}

impl<G: Evaluate> Worker<'_, G> {
    /// The static value of an unfinished position, the one `ply` plies below the root on the current line.
    pub(crate) fn judge(&self, position: &G, ply: u32) -> i32 {
        judge(position, &self.memos[ply as usize], &self.weights, self.errors.as_ref())
    }

    /// Whether no search goes further than `ply` plies below the root.
    fn is_last(&self, ply: u32) -> bool {
        ply as usize + 1 == self.lines.len()
    }

    /// A bound of the value after a search of `depth` plies that is enough for the window, if the position's outlook gives one.
    #[inline]
    fn expect(&self, position: &G, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        // Only a search proves that a position is won or lost.
        if !self.reduce || self.errors.is_some() || depth > 0 && is_decisive(beta) {
            return None;
        }
        let [low, high] = position.outlook(depth, &self.weights)?;
        if low >= beta {
            Some(low)
        } else if high <= alpha {
            Some(high)
        } else {
            None
        }
    }

    /// Whether a side is known to get no more than a draw from an unfinished position.
    #[inline]
    fn cannot_win(&self, position: &G, side: Side) -> bool {
        self.settle && !position.can_win(side)
    }

    /// The value of an unfinished position `ply` plies below the root, searched `depth` plies deep, not counting forced
    /// replies; exact if it lies between `alpha` and `beta`, otherwise a bound on that side (fail-soft). With `PV`, the
    /// window is open and a line that proves a value inside it is left in `lines[ply]`, which must be empty before;
    /// without, it is empty (`beta == alpha + 1`).
    ///
    /// The mover cannot win at once. `replies` is where on the stack the replies begin that the position forces, if so.
    fn search<const PV: bool>(
        &mut self,
        position: &G,
        replies: Option<usize>,
        ply: u32,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let forced = replies.is_some();
        if !PV
            && !forced
            && let Some(bound) = self.expect(position, depth, alpha, beta)
        {
            return Ok(bound);
        }
        // The principal variation goes on to the end.
        let mover = position.side_to_move();
        if !PV
            && (alpha >= 0 && self.cannot_win(position, mover)
                || beta <= 0 && self.cannot_win(position, mover.other()))
        {
            return Ok(0);
        }
        let depth = depth + self.params.free(forced);

        // Nothing beats winning with the next move, and the game is not lost yet.
        let alpha = alpha.max(-win_at(ply));
        let beta = beta.min(win_at(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }

        let is_near = self.is_near(depth);
        // Where there is no choice, what is kept of the next position is enough.
        if !PV
            && is_near
            && let Some(start) = replies
            && let [only] = self.stack[start..]
        {
            return self.visit::<false>(position, only.m, ply, depth, alpha, beta, true, 0);
        }
        let key = table_key(position.key(), self.reduce);
        let entry = if self.params.table == 0 { None } else { self.probe(key, depth) };
        // Nodes on the principal variation are always searched, so that the line is complete.
        let may_end = !PV || self.params.null_window == 0;
        let mut proven =
            entry.filter(|_| may_end).and_then(|e| cutoff(e, ply, depth, !self.reduce, alpha, beta));
        if !PV && !self.reduce && proven.is_none() {
            proven = self.look_ahead(position, ply, depth, alpha, beta);
        }
        if let Some(value) = proven {
            return Ok(value);
        }
        let table_move =
            entry.and_then(|e| position.move_from_bits(e.move_bits)).filter(|&m| position.is_legal(m));

        let answer = self.path[ply as usize].and_then(|kind| self.history.answer(kind));
        let known = Known { table: table_move, answer, killers: self.killers[ply as usize] };
        let may_reduce = self.reduce && !forced;
        let usual = reduction::most::<PV>(&self.params, depth);
        let most = if may_reduce { usual } else { usize::MAX };
        let mut picker = Picker::<G>::new(known, usual, &self.stack);
        if let Some(start) = replies {
            picker.restrict(start, self.params.killer, position, &self.history, &mut self.stack);
        }
        let mut tried = 0;
        let mut floor = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        while (tried < most || is_loss(best))
            && let Some(m) = picker.next(&self.params, position, &mut self.history, &mut self.stack)
        {
            let less = if may_reduce { reduction::of::<PV>(&self.params, depth, tried) } else { 0 };
            let value = self.visit::<PV>(position, m, ply, depth, floor, beta, tried == 0, less)?;
            tried += 1;
            if value > best {
                best = value;
                if value > floor {
                    floor = value;
                    best_move = Some(m);
                    if PV {
                        self.extend_line(ply, m);
                    }
                    if value >= beta {
                        let bonus = (depth * depth).min(self.params.history_bonus as u32) as i32;
                        picker.learn(position, &mut self.history, &self.stack, bonus);
                        self.remember_refutation(ply, m);
                        break;
                    }
                }
            }
        }

        if self.params.table == 0 {
            return Ok(best);
        }
        let bound = match best {
            v if v >= beta => Bound::Lower,
            v if v > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let move_bits = pack::<G>(best_move);
        let entry = Entry { move_bits, value: to_node(best, ply), depth, bound };
        if is_near {
            self.near.store(key, entry);
        } else {
            self.table.store(key, entry, &self.params);
        }
        Ok(best)
    }

    /// What the tables alone prove that some move is worth, if that is enough for the window. Where moves are reduced it saved
    /// nothing.
    fn look_ahead(&self, position: &G, ply: u32, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if self.params.table == 0 || depth < self.params.ahead as u32 {
            return None;
        }
        let refutation = |m: G::Move, key: u64| {
            let key = table_key(key, self.reduce);
            let entry = self.probe(key, depth - 1)?;
            let enough = |depth| {
                let value = cutoff(entry, ply + 1, depth, !self.reduce, -beta, -alpha)?;
                (-value >= beta).then_some(-value)
            };
            // Only where either will do is the move played, to tell the depth to which what it makes would be searched.
            enough(depth - 1).or_else(|| enough(depth))?;
            let mut child = position.clone();
            child.play_unchecked(m);
            let forced = self.params.tactics != 0 && matches!(child.tactics(|_| {}), Tactics::Forced);
            enough(depth - 1 + self.params.free(forced))
        };
        let mut found = None;
        let _ = position.moves(|m| {
            // Nothing is gained where a key takes a move to be played.
            let Some(key) = position.key_after(m) else { return ControlFlow::Break(()) };
            found = refutation(m, key);
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// What the table of searches so deep holds of the position with that key of the table.
    #[inline]
    fn probe(&self, key: u64, depth: u32) -> Option<Entry> {
        if self.is_near(depth) { self.near.probe(key) } else { self.table.probe(key) }
    }

    /// Begins to bring into the cache what a search so deep will ask a table for, given the key of the position.
    #[inline]
    fn prefetch(&self, key: u64, depth: u32) {
        let key = table_key(key, self.reduce);
        if depth > 0 && self.is_near(depth) {
            self.near.prefetch(key);
        } else if depth > 0 {
            self.table.prefetch(key);
        }
    }

    /// Whether what a search so deep finds is kept in the table of what is near the horizon.
    #[inline]
    fn is_near(&self, depth: u32) -> bool {
        depth <= G::NEAR && self.params.near != 0
    }

    /// Sees to it that this thread may search another node, and how many more before it is to ask again.
    #[cold]
    fn go_on(&mut self) -> Result<(), Stopped> {
        if self.nodes == self.claimed {
            self.claimed += self.team.claim().min(self.most.saturating_sub(self.nodes));
        }
        if self.nodes == self.claimed || self.team.stopped() {
            return Err(Stopped);
        }
        self.pause = self.claimed.min(self.nodes + PATIENCE);
        Ok(())
    }

    /// Keeps in mind that a move refuted the position `ply` plies below the root, and so the move that led there.
    fn remember_refutation(&mut self, ply: u32, m: G::Move) {
        // Where nothing is reduced, the order that they give isn't worth their time.
        if self.reduce
            && self.params.answers != 0
            && let Some(kind) = self.path[ply as usize]
        {
            self.history.set_answer(kind, m);
        }
        if self.params.killers == 0 {
            return;
        }
        let first = G::move_bits(m);
        let mut next = first;
        for killer in &mut self.killers[ply as usize] {
            mem::swap(killer, &mut next);
            if next == first {
                break;
            }
        }
    }

    /// [`Worker::search`] of what the move `m` has made of `before`, or what there is in its place where the search ends.
    #[expect(
        clippy::inline_always,
        reason = "half of all nodes end here, and need not save what a search needs"
    )]
    #[expect(clippy::too_many_arguments, reason = "those of a search, and where it comes from")]
    #[inline(always)]
    fn descend<const PV: bool>(
        &mut self,
        before: &G,
        m: G::Move,
        position: &G,
        replies: Option<usize>,
        ply: u32,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        if self.is_last(ply) || depth + self.params.free(replies.is_some()) == 0 {
            self.quiesce::<PV>(before, position, ply, alpha, beta)
        } else {
            self.path[ply as usize] = Some(Kind::of(before, m));
            keep(&mut self.memos, before, position, ply);
            self.search::<PV>(position, replies, ply, depth, alpha, beta)
        }
    }

    /// The value of an unfinished position that a move has made of `before`, where the search ends, `ply` plies below the
    /// root: what it looks like, or what moves that force make of it. Bounds and lines as in [`Worker::search`].
    fn quiesce<const PV: bool>(
        &mut self,
        before: &G,
        position: &G,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let is_last = self.is_last(ply);
        let expected = if is_last { None } else { self.expect(position, 0, alpha, beta) };
        let memo = keep(&mut self.memos, before, position, ply);
        let judge = || judge(position, memo, &self.weights, self.errors.as_ref());
        let mut best = expected.unwrap_or_else(judge);
        let winner = if best > 0 { position.side_to_move() } else { position.side_to_move().other() };
        if best != 0 && self.cannot_win(position, winner) {
            best = 0;
        }
        if !self.reduce || self.params.horizon == 0 || best >= beta || is_last {
            return Ok(best);
        }
        // So deep that the reply to what forces is searched, if it is seen to be forced.
        let costs = self.params.tactics != 0 && self.params.forced == 0;
        let depth = 1 + u32::from(costs);
        let start = self.stack.len();
        position.forcing(|m| self.stack.push(m.into()));
        let end = self.stack.len();
        for i in start..end {
            let m = self.stack[i].m;
            let value = self.visit::<PV>(position, m, ply, depth, alpha.max(best), beta, true, 0)?;
            if value > best {
                best = value;
                if PV && value > alpha {
                    self.extend_line(ply, m);
                }
                if value >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Plays a move of an unfinished position and gives the value of what results, for the side that moved: with an
    /// open window for the `first` move, otherwise first asking only whether it beats `alpha`, and that `less` plies less
    /// deep.
    #[expect(
        clippy::too_many_arguments,
        reason = "the window, the place in the tree and the move; all of them used once"
    )]
    #[expect(clippy::inline_always, reason = "what it works with is in registers already")]
    #[inline(always)]
    pub(crate) fn visit<const PV: bool>(
        &mut self,
        position: &G,
        m: G::Move,
        ply: u32,
        depth: u32,
        alpha: i32,
        beta: i32,
        first: bool,
        less: u32,
    ) -> Result<i32, Stopped> {
        if self.nodes == self.pause {
            self.go_on()?;
        }
        self.nodes += 1;
        self.counter.store(self.nodes, Relaxed);
        self.seldepth = self.seldepth.max(ply + 1);
        if PV {
            self.lines[ply as usize + 1].clear();
        }

        // The sooner the better: memory takes longer to answer than a move to be played.
        let key = position.key_after(m);
        if let Some(key) = key {
            self.prefetch(key, depth - 1);
        }
        let mut child = position.clone();
        child.play_unchecked(m);
        if let Some(outcome) = child.outcome() {
            return Ok(of_outcome(outcome, position.side_to_move(), ply + 1));
        }
        debug_assert_ne!(child.side_to_move(), position.side_to_move(), "the sides alternate");
        if self.errors.is_some_and(|errors| errors.misses(child.key())) {
            keep(&mut self.memos, position, &child, ply + 1);
            return Ok(-self.judge(&child, ply + 1));
        }
        if key.is_none() {
            self.prefetch(child.key(), depth - 1);
        }
        let start = self.stack.len();
        let seen = if self.params.tactics == 0 {
            Tactics::Open
        } else {
            child.tactics(|m| self.stack.push(m.into()))
        };
        let replies = match seen {
            Tactics::Win(m) => {
                if PV {
                    self.lines[ply as usize + 1].push(m);
                }
                self.seldepth = self.seldepth.max(ply + 2);
                return Ok(-win_at(ply + 2));
            }
            Tactics::Forced => Some(start),
            Tactics::Open => None,
        };
        let value = if PV && (first || self.params.null_window == 0 && less == 0) {
            -self.descend::<PV>(position, m, &child, replies, ply + 1, depth - 1, -beta, -alpha)?
        } else {
            let mut value = -self.descend::<false>(
                position,
                m,
                &child,
                replies,
                ply + 1,
                depth - 1 - less,
                -alpha - 1,
                -alpha,
            )?;
            if less > 0 && value > alpha {
                value = -self.search::<false>(&child, replies, ply + 1, depth - 1, -alpha - 1, -alpha)?;
            }
            if PV && value > alpha && value < beta {
                value =
                    -self.descend::<PV>(position, m, &child, replies, ply + 1, depth - 1, -beta, -alpha)?;
            }
            value
        };
        self.stack.truncate(start);
        Ok(value)
    }

    /// Makes the line of `ply` the move `m` and then the line of the next ply.
    fn extend_line(&mut self, ply: u32, m: G::Move) {
        if let [line, rest, ..] = &mut self.lines[ply as usize..] {
            line.clear();
            line.push(m);
            line.extend_from_slice(rest);
        }
    }
}

/// Keeps what there is to keep of a position `ply` plies below the root, which a move has made of `before`, and gives it.
#[inline]
fn keep<'a, G: Evaluate>(memos: &'a mut [G::Memo], before: &G, position: &G, ply: u32) -> &'a G::Memo {
    let [before_memo, memo, ..] = &mut memos[ply as usize - 1..] else {
        unreachable!("a place for each ply")
    };
    position.keep_memo(memo, before, before_memo);
    memo
}

/// The static value of an unfinished position of which that memo is kept.
#[inline]
fn judge<G: Evaluate>(position: &G, memo: &G::Memo, weights: &G::Weights, errors: Option<&Errors>) -> i32 {
    let value = estimate(position, memo, weights);
    errors.map_or(value, |errors| errors.apply(value, position.key()))
}

/// The value that a table entry alone proves good enough for the window. A win holds at any depth as a lower bound, a
/// loss as an upper one; everything else must have been searched deep enough. To be `exact`, as if there were no table,
/// nothing may have been seen that a search of this depth would not see: forced replies are free, so the same position
/// is searched to different depths.
fn cutoff(entry: Entry, ply: u32, depth: u32, exact: bool, alpha: i32, beta: i32) -> Option<i32> {
    let value = to_root(entry.value, ply);
    if exact && entry.depth > depth {
        return None;
    }
    let deep = entry.depth >= depth;
    let holds = deep || is_decisive(value);
    let at_least = entry.bound != Bound::Upper && holds && (deep || value > 0);
    let at_most = entry.bound != Bound::Lower && holds && (deep || value < 0);
    (at_least && value >= beta || at_most && value <= alpha || at_least && at_most).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::NO_MOVE;

    #[test]
    fn entries_cut_only_where_they_prove_something() {
        let entry = |value, depth, bound| Entry { move_bits: NO_MOVE, value, depth, bound };
        let cut = |e: Entry, depth| cutoff(e, 2, depth, false, 10, 11);
        assert_eq!(cut(entry(50, 3, Bound::Lower), 3), Some(50));
        assert_eq!(cut(entry(50, 3, Bound::Lower), 4), None);
        assert_eq!(cut(entry(50, 3, Bound::Upper), 3), None);
        assert_eq!(cut(entry(5, 3, Bound::Upper), 3), Some(5));
        assert_eq!(cut(entry(5, 3, Bound::Lower), 3), None);
        assert_eq!(cut(entry(50, 3, Bound::Exact), 2), Some(50));
        let won = win_at(4);
        assert_eq!(cut(entry(won, 3, Bound::Lower), 9), Some(win_at(6)), "a win is a win at any depth");
        assert_eq!(cut(entry(won, 3, Bound::Exact), 9), Some(win_at(6)));
        assert_eq!(cut(entry(won, 3, Bound::Upper), 9), None);
        assert_eq!(cut(entry(-won, 3, Bound::Exact), 9), Some(-win_at(6)));
        assert_eq!(cut(entry(-won, 3, Bound::Lower), 9), None);
        let exact = |e: Entry, depth| cutoff(e, 2, depth, true, 10, 11);
        assert_eq!(exact(entry(won, 3, Bound::Exact), 9), Some(win_at(6)));
        assert_eq!(exact(entry(won, 3, Bound::Exact), 2), None, "a shallower search might not see it");
        assert_eq!(exact(entry(50, 3, Bound::Exact), 3), Some(50));
        assert_eq!(exact(entry(50, 3, Bound::Exact), 2), None);
    }
}
