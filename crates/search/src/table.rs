//! The transposition table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use game::zobrist::place;
use memmap2::{Advice, MmapMut};
use prefetch_index::prefetch_index;
use zerocopy::FromBytes;

use crate::params::Params;
use crate::value::NO_MOVE;

/// What a stored value says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// At most the value.
    Upper = 1,
    /// At least the value.
    Lower = 2,
    /// The value itself.
    Exact = 3,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Best or refuting move, packed, or [`NO_MOVE`]. To be verified before use.
    pub(crate) move_bits: u16,
    /// Value relative to this position.
    pub(crate) value: i32,
    /// Depth in plies that `value` was searched to.
    pub(crate) depth: u32,
    /// How to read `value`.
    pub(crate) bound: Bound,
}

/// Number of generations before they repeat.
const GENERATIONS: u64 = 64;

impl Entry {
    /// From bit 0: move 16, value 16, depth 16, bound 2, generation 6. Never 0, which marks an empty slot.
    fn pack(self, generation: u64) -> u64 {
        u64::from(self.move_bits)
            | u64::from(self.value as u16) << 16
            | u64::from(self.depth as u16) << 32
            | (self.bound as u64) << 48
            | generation << 50
    }

    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 48 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let value = i32::from((data >> 16) as u16 as i16);
        Some(Entry { move_bits: data as u16, value, depth: u32::from((data >> 32) as u16), bound })
    }
}

fn depth_of(data: u64) -> i64 {
    (data >> 32 & 0xFFFF) as i64
}

fn generation_of(data: u64) -> u64 {
    data >> 50
}

/// Words of a bucket: four entries of two words, `key ^ data` and `data`. A torn or overwritten entry fits no key.
const BUCKET: usize = 8;

/// The memory of a hash table of fixed size. A search works on a [`View`] of it.
pub(crate) struct Table {
    /// Begins at a page, so that each bucket is one cache line.
    memory: MmapMut,
    generation: u64,
    /// Whether anything may be stored in it.
    used: bool,
}

impl Table {
    /// An empty table of `mib` MiB. Its memory is handed out at once, not while a search waits for it, and in large pages
    /// where the system has them.
    pub(crate) fn new(mib: usize) -> Result<Table, String> {
        let none = || format!("cannot allocate {mib} MiB");
        let bytes = mib.checked_mul(1 << 20).ok_or_else(none)?;
        let memory = MmapMut::map_anon(bytes).map_err(|_| none())?;
        // A system that knows neither gives the same memory, only later and in small pages.
        let _ = memory.advise(Advice::HugePage);
        let _ = memory.advise(Advice::PopulateWrite);
        Ok(Table { memory, generation: 0, used: false })
    }

    /// The size in MiB.
    pub(crate) fn mib(&self) -> usize {
        self.memory.len() >> 20
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        if self.used {
            self.memory.fill(0);
        }
        (self.generation, self.used) = (0, false);
    }

    /// Begins a search: what is stored already becomes easier to replace.
    pub(crate) fn begin(&mut self) -> View<'_> {
        self.generation = (self.generation + 1) % GENERATIONS;
        self.used = true;
        let words =
            <[AtomicU64]>::mut_from_bytes(&mut self.memory).expect("pages are aligned and of whole words");
        View { words, buckets: words.len() / BUCKET, generation: self.generation }
    }
}

/// A hash table as the threads of a search share it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    words: &'a [AtomicU64],
    buckets: usize,
    generation: u64,
}

impl View<'_> {
    /// What is known of the position with this key.
    #[inline]
    pub(crate) fn probe(self, key: u64) -> Option<Entry> {
        let (slots, _) = self.bucket(key).as_chunks::<2>();
        slots.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data == key { Entry::unpack(data) } else { None }
        })
    }

    /// Begins to bring what [`View::probe`] needs into the cache.
    #[inline]
    pub(crate) fn prefetch(self, key: u64) {
        prefetch_index(self.words, self.index(key));
    }

    /// Stores what a search found. A much deeper entry of the same search is kept; an entry without a move keeps the
    /// move known before.
    pub(crate) fn store(self, key: u64, mut entry: Entry, params: &Params) {
        let (slots, _) = self.bucket(key).as_chunks::<2>();
        let mut victim = &slots[0];
        let mut victim_worth = i64::MAX;
        for slot in slots {
            let data = slot[1].load(Relaxed);
            if data != 0 && slot[0].load(Relaxed) ^ data == key {
                let fresh = generation_of(data) == self.generation;
                if fresh
                    && entry.bound != Bound::Exact
                    && i64::from(entry.depth) + i64::from(params.table_keep) < depth_of(data)
                {
                    return;
                }
                if entry.move_bits == NO_MOVE {
                    entry.move_bits = data as u16;
                }
                victim = slot;
                break;
            }
            let worth = if data == 0 {
                i64::MIN
            } else {
                depth_of(data) - i64::from(params.table_age) * self.age(data)
            };
            if worth < victim_worth {
                (victim, victim_worth) = (slot, worth);
            }
        }
        let data = entry.pack(self.generation);
        victim[0].store(key ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }

    /// Share of the table that this search has filled, in permille, from a sample.
    pub(crate) fn hashfull(self) -> u32 {
        let sample = self.buckets.min(1000);
        let (slots, _) = self.words[..sample * BUCKET].as_chunks::<2>();
        let used = slots.iter().map(|slot| slot[1].load(Relaxed));
        let used = used.filter(|&data| data != 0 && generation_of(data) == self.generation).count();
        (used * 1000 / (sample * BUCKET / 2)) as u32
    }

    /// Searches since an entry was stored.
    fn age(self, data: u64) -> i64 {
        ((self.generation + GENERATIONS - generation_of(data)) % GENERATIONS) as i64
    }
}

impl<'a> View<'a> {
    /// The bucket of a key.
    #[inline]
    fn bucket(self, key: u64) -> &'a [AtomicU64] {
        &self.words[self.index(key)..][..BUCKET]
    }

    /// The place of its first word.
    #[inline]
    fn index(self, key: u64) -> usize {
        place(key, self.buckets) * BUCKET
    }
}

/// Slots of a [`Near`] table.
const NEAR_SLOTS: usize = 1 << 13;

/// What one thread knows of the positions near the horizon of its search ([`game::Evaluate::NEAR`]): most of all there are,
/// and those that come again do so soon. It takes 128 KiB, so that it stays in the cache, and lasts as long as the search.
pub(crate) struct Near {
    /// A key and what is known of its position; the last one stored in a slot counts.
    slots: Box<[[u64; 2]; NEAR_SLOTS]>,
}

impl Near {
    /// An empty table.
    pub(crate) fn new() -> Near {
        Near { slots: vec![[0; 2]; NEAR_SLOTS].try_into().expect("of that length") }
    }

    fn slot(key: u64) -> usize {
        (key >> 32) as usize % NEAR_SLOTS
    }

    /// Begins to bring what [`Near::probe`] needs into the nearest cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch_index(self.slots.as_slice(), Near::slot(key));
    }

    /// What is known of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let [check, data] = self.slots[Near::slot(key)];
        if check == key { Entry::unpack(data) } else { None }
    }

    /// Stores what a search found.
    #[inline]
    pub(crate) fn store(&mut self, key: u64, entry: Entry) {
        self.slots[Near::slot(key)] = [key, entry.pack(0)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32, value: i32, bound: Bound) -> Entry {
        Entry { move_bits: 7, value, depth, bound }
    }

    #[test]
    fn buckets_are_cache_lines_inside_the_memory() {
        let mut table = Table::new(1).unwrap();
        assert_eq!(table.mib(), 1);
        let view = table.begin();
        assert_eq!(view.buckets, 16_384);
        for key in [0, 1, u64::MAX / 2, u64::MAX] {
            assert_eq!(view.bucket(key).as_ptr() as usize % (8 * BUCKET), 0);
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = Table::new(1).unwrap();
        let view = table.begin();
        assert_eq!(view.probe(0), None);
        let wide = [(0, -32_000, Bound::Upper), (1, 32_000, Bound::Lower), (65_535, 0, Bound::Exact)];
        for (key, (depth, value, bound)) in (0..).zip(wide) {
            view.store(key << 40, entry(depth, value, bound), &Params::default());
        }
        for (key, (depth, value, bound)) in (0..).zip(wide) {
            assert_eq!(view.probe(key << 40), Some(entry(depth, value, bound)));
            assert_eq!(view.probe(key << 40 | 1), None);
        }
    }

    #[test]
    fn torn_entries_fit_no_key() {
        let mut table = Table::new(1).unwrap();
        let view = table.begin();
        view.store(99, entry(5, 10, Bound::Exact), &Params::default());
        let (slots, _) = view.bucket(99).as_chunks::<2>();
        let slot = slots.iter().find(|slot| slot[1].load(Relaxed) != 0).unwrap();
        slot[1].fetch_xor(1 << 20, Relaxed);
        assert_eq!(view.probe(99), None);
    }

    #[test]
    fn shallow_and_old_entries_make_room() {
        let mut table = Table::new(1).unwrap();
        let view = table.begin();
        for key in 0..5 {
            view.store(key, entry(10 - key as u32, 0, Bound::Exact), &Params::default());
        }
        assert_eq!(view.probe(3), None, "the shallowest of the four made room");
        assert!([0, 1, 2, 4].iter().all(|&key| view.probe(key).is_some()));
        for _ in 0..2 {
            table.begin();
        }
        let view = table.begin();
        view.store(5, entry(1, 0, Bound::Exact), &Params::default());
        view.store(6, entry(1, 0, Bound::Exact), &Params::default());
        assert!(view.probe(5).is_some() && view.probe(6).is_some(), "new ones outlive old ones");
    }

    #[test]
    fn a_refresh_keeps_depth_and_move() {
        let mut table = Table::new(1).unwrap();
        let view = table.begin();
        view.store(1, entry(9, 3, Bound::Lower), &Params::default());
        view.store(1, entry(2, 4, Bound::Lower), &Params::default());
        assert_eq!(view.probe(1), Some(entry(9, 3, Bound::Lower)));
        view.store(1, Entry { move_bits: NO_MOVE, ..entry(8, 5, Bound::Upper) }, &Params::default());
        assert_eq!(view.probe(1), Some(entry(8, 5, Bound::Upper)));
    }

    #[test]
    fn the_last_one_near_the_horizon_counts() {
        let mut near = Near::new();
        assert_eq!(near.probe(0), None);
        let (key, other) = (99 << 32, (NEAR_SLOTS as u64 + 99) << 32);
        near.store(key, entry(1, -7, Bound::Upper));
        assert_eq!((near.probe(key), near.probe(other)), (Some(entry(1, -7, Bound::Upper)), None));
        near.store(other, entry(0, 3, Bound::Lower));
        assert_eq!((near.probe(key), near.probe(other)), (None, Some(entry(0, 3, Bound::Lower))));
    }

    #[test]
    fn clearing_forgets_and_refusing_does_not_abort() {
        let mut table = Table::new(1).unwrap();
        let view = table.begin();
        (0..1_000_u64).for_each(|n| view.store(n << 50, entry(1, 1, Bound::Exact), &Params::default()));
        assert!(view.hashfull() > 0);
        table.clear();
        let view = table.begin();
        assert!((0..1_000_u64).all(|n| view.probe(n << 50).is_none()));
        assert_eq!(view.hashfull(), 0);
        assert!(Table::new(1 << 40).is_err() && Table::new(usize::MAX).is_err());
    }
}
