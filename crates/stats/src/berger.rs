/// The `number`-th pairing of a round robin of `n` players, counted from 0 as the players are, first player first; `n`
/// at least 2, `number` below `n (n - 1) / 2`.
///
/// The circle method in the numbering of the Berger tables (FIDE Handbook C.05, annex 1): the last player (with an odd
/// number of players, nobody) stands still and meets one of the others in each round, alternately with the second and
/// with the first move; the others meet whoever stands opposite on a circle around that one.
pub fn berger(n: u64, number: u64) -> [u64; 2] {
    let even = n + n % 2;
    let per_round = n / 2;
    let (round, board) = (number / per_round, number % per_round);
    let circle = even - 1;
    let top = if round % 2 == 0 { round / 2 } else { round.div_ceil(2) + even / 2 - 1 };
    let board = board + n % 2;
    if board > 0 {
        [(top + board) % circle, (top + circle - board) % circle]
    } else if round % 2 == 0 {
        [top, even - 1]
    } else {
        [even - 1, top]
    }
}
