use crate::geometry::Cell;

/// What a value in the table says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Within ±100.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// Plies that it was searched to, at least 1.
    pub(super) depth: u8,
    pub(super) best: Cell,
}

/// Positions by the low bits of their keys; the newest always stays.
pub(super) struct Table {
    bits: u32,
    /// Keys, and entries packed; a packed entry is never 0.
    slots: Vec<[u64; 2]>,
}

impl Table {
    /// An empty table of `2^bits` slots.
    pub(super) fn new(bits: u32) -> Table {
        Table { bits, slots: vec![[0; 2]; 1 << bits] }
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let [stored, packed] = self.slots[self.slot(key)];
        if packed == 0 || stored != key {
            return None;
        }
        let [value, bound, depth, x, y, ..] = packed.to_le_bytes();
        let bound = match bound {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Some(Entry { value: i32::from(value.cast_signed()), bound, depth, best: Cell { x, y } })
    }

    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let Entry { value, bound, depth, best } = entry;
        let packed =
            u64::from_le_bytes([(value as i8).cast_unsigned(), bound as u8, depth, best.x, best.y, 0, 0, 0]);
        let slot = self.slot(key);
        self.slots[slot] = [key, packed];
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_until_another_takes_its_slot() {
        let mut table = Table::new(4);
        let entry = Entry { value: -100, bound: Bound::Upper, depth: 3, best: Cell { x: 24, y: 12 } };
        table.put(0x15, entry);
        assert_eq!(table.get(0x15), Some(entry));
        assert_eq!(table.get(0x25), None);
        let newer = Entry { value: 7, bound: Bound::Lower, depth: 1, best: Cell { x: 0, y: 0 } };
        table.put(0x25, newer);
        assert_eq!(table.get(0x25), Some(newer));
        assert_eq!(table.get(0x15), None);
        assert_eq!(table.get(0), None);
    }
}
