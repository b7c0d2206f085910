//! The threads of one search (Lazy SMP): each searches the same root on its own, and they help one another by the table
//! alone.

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
    /// Whether one of them has come to its end, so that all others shall.
    done: AtomicBool,
    /// The nodes of each so far, each in a cache line of its own.
    nodes: Box<[CachePadded<AtomicU64>]>,
    /// The most nodes that all may search together.
    limit: u64,
    /// What no thread has to fear the limit below.
    share: u64,
}

impl<'a, M> Team<'a, M> {
    /// A team of so many threads, at least one.
    pub(crate) fn new(control: &'a dyn Control<M>, threads: usize, limit: Option<u64>) -> Team<'a, M> {
        let limit = limit.unwrap_or(u64::MAX);
        Team {
            control,
            done: AtomicBool::new(false),
            nodes: (0..threads).map(|_| CachePadded::default()).collect(),
            limit,
            share: limit / threads as u64,
        }
    }

    /// Whether the member that has searched `own` nodes is to end at once.
    #[inline]
    pub(crate) fn stopped(&self, own: u64) -> bool {
        own >= self.share && self.nodes() >= self.limit || self.done.load(Relaxed) || self.control.stopped()
    }

    /// Where the member of that index counts its nodes.
    pub(crate) fn counter(&self, index: usize) -> &AtomicU64 {
        &self.nodes[index]
    }

    /// The nodes of all members.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    /// Lets every member work, the first one in this thread, until one of them is done; gives what they have found, that
    /// of the first one first. Members that the system has no thread for are missing.
    pub(crate) fn work<T: Send>(&self, member: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let work = |index| {
            // Even a fault ends the others.
            let _end = End(&self.done);
            member(index)
        };
        scope(|scope| {
            let start =
                |index| Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(index)).ok();
            let others: Vec<ScopedJoinHandle<'_, T>> = (1..self.nodes.len()).filter_map(start).collect();
            let mut found = vec![work(0)];
            found
                .extend(others.into_iter().map(|other| other.join().expect("a fault ends the whole search")));
            found
        })
    }
}

/// Ends the work of a team when it is dropped.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
