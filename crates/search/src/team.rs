//! The threads of one search (Lazy SMP): each searches the same root on its own, and they help one another by the table
//! alone.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Builder, ScopedJoinHandle, scope};

use crossbeam::utils::CachePadded;
use game::Control;

/// Bytes of stack for a thread that searches: room for the recursion of the longest game on the largest board; only what is
/// used costs memory.
pub const STACK: usize = 64 << 20;

/// What the threads of a search share besides the table.
pub(crate) struct Team<'a, M> {
    pub(crate) control: &'a dyn Control<M>,
    /// Whether one that decides has come to its end, so that all others shall.
    done: AtomicBool,
    /// The nodes of each so far, each in a cache line of its own.
    nodes: Box<[CachePadded<AtomicU64>]>,
    /// The nodes that none has claimed yet, of those that all may search together.
    unclaimed: CachePadded<AtomicU64>,
}

/// The most nodes claimed at once: enough to make a claim rare, few enough for the others to have work until the end.
const CLAIM: u64 = 1024;

impl<'a, M> Team<'a, M> {
    /// A team of so many threads, at least one, that searches no more nodes than `limit` together.
    pub(crate) fn new(control: &'a dyn Control<M>, threads: usize, limit: Option<u64>) -> Team<'a, M> {
        Team {
            control,
            done: AtomicBool::new(false),
            nodes: (0..threads).map(|_| CachePadded::default()).collect(),
            unclaimed: AtomicU64::new(limit.unwrap_or(u64::MAX)).into(),
        }
    }

    /// Whether every member is to end at once.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.done.load(Relaxed) || self.control.stopped()
    }

    /// A number of nodes that the caller may search, and nobody else; none if all are gone. Counting what others have
    /// searched would not do: they are ahead of what is seen of them.
    #[cold]
    pub(crate) fn claim(&self) -> u64 {
        let part =
            |unclaimed: u64| (unclaimed / (2 * self.nodes.len() as u64)).clamp(1, CLAIM).min(unclaimed);
        let take = |unclaimed| Some(unclaimed - part(unclaimed));
        let (Ok(before) | Err(before)) = self.unclaimed.fetch_update(Relaxed, Relaxed, take);
        part(before)
    }

    /// Where the member of that index counts its nodes.
    pub(crate) fn counter(&self, index: usize) -> &AtomicU64 {
        &self.nodes[index]
    }

    /// The nodes of all members.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    /// Lets every member work, the first one in this thread, until that one is done, or any if `any_decides`; gives what
    /// they have found, that of the first one first. Members that the system has no thread for are missing, and those whose start
    /// would come too late: where processors are few, members at work hold it up.
    pub(crate) fn work<T: Send>(&self, any_decides: bool, member: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let work = |index| {
            // Even a fault ends the others.
            let end = End(&self.done);
            let found = member(index);
            if index > 0 && !any_decides {
                mem::forget(end);
            }
            found
        };
        scope(|scope| {
            let start =
                |index| Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(index)).ok();
            let indices = (1..self.nodes.len()).take_while(|_| !self.stopped());
            let others: Vec<ScopedJoinHandle<'_, T>> = indices.filter_map(start).collect();
            let mut found = vec![work(0)];
            found
                .extend(others.into_iter().map(|other| other.join().expect("a fault ends the whole search")));
            found
        })
    }
}

/// Whether the thread of that index leaves the iteration so many plies before the last to the others. Threads at different
/// depths repeat less of one another's work, and one that passes the last but one over is the sooner at the last: the first
/// leaves none out, two more every other one, four more two and two of four, and so on.
pub(crate) fn skips(index: usize, before_last: u32) -> bool {
    let Some(mut phase) = index.checked_sub(1) else { return false };
    let mut run = 1;
    while phase >= 2 * run {
        phase -= 2 * run;
        run += 1;
    }
    before_last > 0 && (before_last as usize + phase) / run % 2 == 1
}

/// Raises a flag when it is dropped.
pub(crate) struct End<'a>(pub(crate) &'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use game::{Report, control};

    use super::*;

    #[test]
    fn none_starts_after_the_end() {
        let over = control(|| true, |_: &Report<'_, ()>| {});
        assert_eq!(Team::new(&over, 256, None).work(true, |index| index), [0]);
    }

    #[test]
    fn threads_are_at_different_depths() {
        let searched = |index| (1..=12).filter(|&depth| !skips(index, 12 - depth)).collect::<Vec<_>>();
        assert_eq!(searched(0), (1..=12).collect::<Vec<_>>());
        assert_eq!(searched(1), [2, 4, 6, 8, 10, 12]);
        assert_eq!(searched(2), [1, 3, 5, 7, 9, 11, 12]);
        assert_eq!(searched(3), [3, 4, 7, 8, 11, 12]);
        assert_eq!(searched(4), [1, 4, 5, 8, 9, 12]);
        assert_eq!(searched(7), [4, 5, 6, 10, 11, 12]);
    }
}
