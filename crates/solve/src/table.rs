//! The table of what is known so far, of bounded size.

use std::ops::ControlFlow;

use bytemuck::allocation::try_zeroed_slice_box;
use game::zobrist::place;

use crate::effort::Effort;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) effort: Effort,
    /// Nodes spent below the position, rounded down to a quarter of a power of two.
    pub(crate) spent: u64,
}

impl Entry {
    /// From bit 0: own 28, opponent's 28, spent 8. Never 0, which marks an empty slot.
    fn pack(self) -> u64 {
        u64::from(self.effort.own)
            | u64::from(self.effort.other) << Effort::BITS
            | quarters(self.spent) << (2 * Effort::BITS)
    }

    fn unpack(data: u64) -> Entry {
        let number = |shift| (data >> shift) as u32 & Effort::NEVER;
        Entry {
            effort: Effort { own: number(0), other: number(Effort::BITS) },
            spent: from_quarters(data >> (2 * Effort::BITS)),
        }
    }
}

/// A number of at least 4 on a scale of quarters of powers of two.
pub(crate) fn quarters(n: u64) -> u64 {
    let n = n.max(4);
    let log = u64::from(n.ilog2());
    4 * log + (n >> (log - 2) & 3)
}

/// The number at a place of that scale; 4 for all before that of 4.
pub(crate) fn from_quarters(scaled: u64) -> u64 {
    let scaled = scaled.max(8);
    (4 + scaled % 4) << (scaled / 4 - 2)
}

/// A key and its data; all zero if empty.
type Slot = [u64; 2];
/// Slots of a bucket, which is one cache line.
const BUCKET: usize = 4;
/// Buckets that a table begins with: about what the nearest caches hold.
const FEWEST: usize = 1 << 13;
/// Slots that are moved to a larger table between two questions whether to go on.
const MOVED: usize = 1 << 12;

/// What is known by key. It doubles as it fills, up to its limit: as long as little is known, a small table is the
/// faster one. Then what was least work makes room.
pub(crate) struct Table {
    /// Four slots per bucket, and what it takes to begin the first one with a cache line.
    slots: Box<[Slot]>,
    skip: usize,
    buckets: usize,
    most_buckets: usize,
    used: usize,
}

impl Table {
    /// An empty table that will take at most so many bytes, but has at least one bucket. While it grows, half as much
    /// again is in use.
    pub(crate) fn new(bytes: usize) -> Option<Table> {
        let most_buckets = (bytes / size_of::<[Slot; BUCKET]>()).saturating_sub(1).max(1);
        let mut buckets = most_buckets;
        while buckets > FEWEST {
            buckets = buckets.div_ceil(2);
        }
        Table::with(buckets, most_buckets)
    }

    fn with(buckets: usize, most_buckets: usize) -> Option<Table> {
        let slots: Box<[Slot]> = try_zeroed_slice_box(buckets * BUCKET + BUCKET - 1).ok()?;
        let line = size_of::<[Slot; BUCKET]>();
        let skip = slots.as_ptr().align_offset(line).min(BUCKET - 1);
        Some(Table { slots, skip, buckets, most_buckets, used: 0 })
    }

    /// Share of the memory in use, from 0 to 1.
    pub(crate) fn load(&self) -> f64 {
        self.used as f64 / (self.most_buckets * BUCKET) as f64
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let start = self.start(key);
        let slot = self.slots[start..start + BUCKET].iter().find(|slot| slot[0] == key)?;
        (slot[1] != 0).then(|| Entry::unpack(slot[1]))
    }

    #[inline]
    pub(crate) fn store(&mut self, key: u64, entry: Entry) {
        self.insert([key, entry.pack()]);
    }

    /// Whether it is time to [grow](Table::grow).
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.used > self.buckets * BUCKET / 2 && self.buckets < self.most_buckets
    }

    #[inline]
    fn insert(&mut self, slot: Slot) {
        let start = self.start(slot[0]);
        let bucket = &mut self.slots[start..start + BUCKET];
        let known = bucket.iter().position(|old| old[0] == slot[0] && old[1] != 0);
        let least = || (0..BUCKET).min_by_key(|&i| bucket[i][1] >> (2 * Effort::BITS));
        let Some(i) = known.or_else(least) else { return };
        self.used += usize::from(bucket[i][1] == 0);
        bucket[i] = slot;
    }

    /// Doubles the table, or without memory for that, never grows again. Stays as it is if `go_on` breaks.
    pub(crate) fn grow(&mut self, mut go_on: impl FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        let buckets = (2 * self.buckets).min(self.most_buckets);
        let Some(mut larger) = Table::with(buckets, self.most_buckets) else {
            self.most_buckets = self.buckets;
            return ControlFlow::Continue(());
        };
        for slots in self.slots.chunks(MOVED) {
            go_on()?;
            slots.iter().filter(|slot| slot[1] != 0).for_each(|&slot| larger.insert(slot));
        }
        *self = larger;
        ControlFlow::Continue(())
    }

    /// The first slot of a key's bucket.
    #[inline]
    fn start(&self, key: u64) -> usize {
        self.skip + place(key, self.buckets) * BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(own: u32, other: u32, spent: u64) -> Entry {
        Entry { effort: Effort { own, other }, spent }
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = Table::new(1 << 16).unwrap();
        assert_eq!(table.probe(0), None);
        let wide = [(0, Effort::NEVER, 4), (Effort::NEVER, 0, 1 << 63), (1, 2, 5 << 20), (77, 88, 7)];
        for (key, (own, other, spent)) in (0..).zip(wide) {
            table.store(key << 60, entry(own, other, spent));
        }
        for (key, (own, other, spent)) in (0..).zip(wide) {
            assert_eq!(table.probe(key << 60), Some(entry(own, other, spent)));
            assert_eq!(table.probe(key << 60 | 1), None);
        }
        assert_eq!(table.used, 4);
    }

    #[test]
    fn work_is_rounded_down_by_less_than_a_quarter() {
        for n in (0..2_000).chain([u64::MAX, u64::MAX / 3, 1 << 40]) {
            let rounded = from_quarters(quarters(n));
            assert!(rounded <= n.max(4) && n / 5 * 4 <= rounded, "{n}: {rounded}");
        }
    }

    #[test]
    fn what_was_least_work_makes_room() {
        let mut table = Table::new(0).unwrap();
        for (key, spent) in [(1, 50), (2, 5), (3, 500), (4, 5_000), (5, 8)] {
            table.store(key, entry(1, 1, spent));
        }
        let kept: Vec<_> = (1..=5).filter(|&key| table.probe(key).is_some()).collect();
        assert_eq!(kept, [1, 3, 4, 5]);
        table.store(1, entry(3, 4, 9));
        assert_eq!(table.probe(1), Some(entry(3, 4, 8)), "the same position has one entry");
        assert!((table.load() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_table_grows_to_its_limit_and_forgets_nothing_on_the_way() {
        for bytes in [1_000, 4_096, 3 << 20, (3 << 20) + 77_777] {
            let mut table = Table::new(bytes).unwrap();
            let most = table.most_buckets;
            for n in 0..most as u64 {
                table.store(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1, 1, n));
                if table.is_crowded() {
                    assert_eq!(table.grow(|| ControlFlow::Continue(())), ControlFlow::Continue(()));
                }
                assert!(size_of_val(&*table.slots) <= bytes);
            }
            let kept =
                (0..most as u64).filter(|n| table.probe(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).is_some());
            assert_eq!(kept.count(), table.used);
            assert!(table.used as f64 > 0.98 * most as f64, "{} of {most}", table.used);
            assert!(most <= FEWEST || table.buckets * 3 > most);
        }
    }

    #[test]
    fn growth_that_is_broken_off_changes_nothing() {
        let mut table = Table::new(3 << 20).unwrap();
        let mut keys = (0..).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut stored = Vec::new();
        while !table.is_crowded() {
            stored.extend(keys.next());
            table.store(stored[stored.len() - 1], entry(1, 1, 9));
        }
        let (used, buckets) = (table.used, table.buckets);
        let questions = table.slots.len().div_ceil(MOVED);
        assert!(questions > 5);
        for last in 1..=questions {
            let mut asked = 0;
            let grown = table.grow(|| {
                asked += 1;
                if asked == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!((grown, asked), (ControlFlow::Break(()), last));
            assert_eq!((table.used, table.buckets), (used, buckets));
            assert_eq!(stored.iter().filter(|&&key| table.probe(key).is_some()).count(), used);
        }
        assert_eq!(table.grow(|| ControlFlow::Continue(())), ControlFlow::Continue(()));
        assert_eq!((table.used, table.is_crowded()), (used, false));
    }
}
