//! What becomes of moves that come late in their node's order: they are searched less deep, with the logarithms of depth
//! and place, and near the end of the search the last are not searched at all.

use crate::params::Params;

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

/// The plies to take off a move of a node searched `depth` plies deep, of which `tried` were searched before; less than
/// `depth`. Nodes on the principal variation are treated more gently.
#[inline]
pub(crate) fn of<const PV: bool>(params: &Params, depth: u32, tried: usize) -> u32 {
    if depth < params.reduce_depth as u32 || tried < params.reduce_from as usize {
        return 0;
    }
    let product = LOG[(depth as usize).min(SIZE - 1)] * LOG[tried.min(SIZE - 1)];
    // 123/65,536 is the square of the natural logarithm of 2, in 1/16 each.
    let plies = (product * 123 * params.reduction as u32 / 1000 + 32_768) / 65_536;
    plies.saturating_sub(if PV { params.reduce_pv as u32 } else { 0 }).min(depth - 2)
}

/// The number of moves that a node searched `depth` plies deep tries at most, unless all of them lose. Nodes on the
/// principal variation try all.
#[inline]
pub(crate) fn most<const PV: bool>(params: &Params, depth: u32) -> usize {
    if PV { usize::MAX } else { (params.late as usize).saturating_mul(depth as usize * depth as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reduction with all constants at their defaults.
    fn by_default<const PV: bool>(depth: u32, tried: usize) -> u32 {
        of::<PV>(&Params::default(), depth, tried)
    }

    #[test]
    fn the_shallower_the_search_the_more_moves_are_left_out() {
        let params = Params::default();
        assert_eq!([1, 2, 10].map(|depth| most::<false>(&params, depth)), [8, 32, 800]);
        assert_eq!(most::<true>(&params, 1), usize::MAX);
    }

    #[test]
    fn later_and_deeper_moves_lose_more() {
        assert_eq!((LOG[2], LOG[3], LOG[4], LOG[63]), (16, 25, 32, 95));
        assert_eq!(
            [by_default::<false>(2, 50), by_default::<false>(20, 1), by_default::<true>(3, 2)],
            [0, 0, 0]
        );
        assert_eq!(
            [
                by_default::<false>(3, 12),
                by_default::<false>(8, 4),
                by_default::<false>(12, 12),
                by_default::<false>(60, 60)
            ],
            [1, 3, 6, 17]
        );
        for (depth, tried) in (0..300).flat_map(|depth| (0..300).map(move |tried| (depth, tried))) {
            let less = by_default::<false>(depth, tried);
            assert!(less == 0 || less + 2 <= depth);
            assert!(
                by_default::<true>(depth, tried) <= less && less <= by_default::<false>(depth + 1, tried + 1)
            );
        }
    }
}
