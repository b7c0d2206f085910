//! Zobrist keys: the random numbers they are made of, fixed at compile time, and their places in a table.

/// The `index`-th number of the stream `seed`: splitmix64 (Steele, Lea and Flood, 2014).
pub const fn number(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A table of numbers of the stream `seed`.
pub const fn table<const N: usize>(seed: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = number(seed, i as u64);
        i += 1;
    }
    numbers
}

/// The place of a key in a table of so many: its high bits scaled to their number, so that any number works.
#[inline]
pub const fn place(key: u64, places: usize) -> usize {
    ((key as u128 * places as u128) >> 64) as usize
}
