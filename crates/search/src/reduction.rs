//! How much less deep a move is searched that comes late in its node's order: with the logarithms of depth and place.

/// Entries of the table of logarithms; whatever is larger counts as the last.
const SIZE: usize = 64;

/// Binary logarithms, in 1/16.
const LOG: [u32; SIZE] = {
    let mut table = [0; SIZE];
    let mut n = 2;
    while n < SIZE as u64 {
        // The logarithm of n^16 is 16 times that of n; n^16 is below 2^96.
        let (mut power, mut i) = (1_u128, 0);
        while i < 16 {
            power *= n as u128;
            i += 1;
        }
        table[n as usize] = power.ilog2();
        n += 1;
    }
    table
};

/// Moves of a node that are never reduced.
const FIRST: usize = 2;

/// Depth from which moves are reduced.
const DEPTH: u32 = 3;

/// The plies to take off a move of a node searched `depth` plies deep, of which `tried` were searched before; less than
/// `depth`. Nodes on the principal variation are treated more gently.
pub(crate) fn of<const PV: bool>(depth: u32, tried: usize) -> u32 {
    if depth < DEPTH || tried < FIRST {
        return 0;
    }
    let product = LOG[(depth as usize).min(SIZE - 1)] * LOG[tried.min(SIZE - 1)];
    // About ln(depth) * ln(place), rounded.
    let plies = (product * 123 + 32_768) / 65_536;
    plies.saturating_sub(u32::from(PV)).min(depth - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_moves_lose_more() {
        assert_eq!((LOG[2], LOG[3], LOG[4], LOG[63]), (16, 25, 32, 95));
        assert_eq!([of::<false>(2, 50), of::<false>(20, 1), of::<true>(3, 2)], [0, 0, 0]);
        assert_eq!(
            [of::<false>(3, 12), of::<false>(8, 4), of::<false>(12, 12), of::<false>(60, 60)],
            [1, 3, 6, 17]
        );
        for (depth, tried) in (0..300).flat_map(|depth| (0..300).map(move |tried| (depth, tried))) {
            let less = of::<false>(depth, tried);
            assert!(less == 0 || less + 2 <= depth);
            assert!(of::<true>(depth, tried) <= less && less <= of::<false>(depth + 1, tried + 1));
        }
    }
}
