//! Small neural networks of one hidden layer, as the evaluations of games have them.
//!
//! A network is a table of rows, one number for each hidden unit. What holds of a position adds its row to the sums of the
//! units; what a unit gives is its sum, kept within 0 and [`ONE`]; the value is the weighted sum of that. All of it is
//! integer arithmetic, the same on every machine.

/// What a unit gives at most, and by what its sum is scaled.
pub const ONE: i16 = 256;

/// What begins where a cache line does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

/// The rows of a file of weights, which has them one after another, each number with its lowest byte first.
///
/// # Panics
///
/// If the file has another size; in a constant that is an error of compilation.
#[must_use]
pub const fn rows<const UNITS: usize, const ROWS: usize>(bytes: &[u8]) -> [[i16; UNITS]; ROWS] {
    assert!(bytes.len() == 2 * ROWS * UNITS, "the file of the weights has another size");
    let mut rows = [[0; UNITS]; ROWS];
    let mut i = 0;
    while i < ROWS * UNITS {
        rows[i / UNITS][i % UNITS] = i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        i += 1;
    }
    rows
}

/// Adds a row to the sums of the units, none of which may overflow.
#[expect(clippy::inline_always, reason = "the sums of the units stay in registers")]
#[inline(always)]
pub fn add<const UNITS: usize>(sums: &mut [i16; UNITS], row: &[i16; UNITS]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

/// Adds the multiple `times`/65,536 of a row to the sums of the units; what passes the range of a sum counts as its bound.
#[expect(clippy::inline_always, reason = "the sums of the units stay in registers")]
#[inline(always)]
pub fn add_times<const UNITS: usize>(sums: &mut [i16; UNITS], row: &[i16; UNITS], times: i16) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.saturating_add(((i32::from(weight) * i32::from(times)) >> 16) as i16);
    }
}

/// Takes a row from the sums of the units that was added before.
#[expect(clippy::inline_always, reason = "the sums of the units stay in registers")]
#[inline(always)]
pub fn subtract<const UNITS: usize>(sums: &mut [i16; UNITS], row: &[i16; UNITS]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum -= weight;
    }
}

/// Adds what the units give to what they have given before; more than 255 times [`ONE`] count as so much.
#[expect(clippy::inline_always, reason = "the sums of the units stay in registers")]
#[inline(always)]
pub fn give<const UNITS: usize>(given: &mut [u16; UNITS], sums: &[i16; UNITS]) {
    for (given, &sum) in given.iter_mut().zip(sums) {
        *given = given.saturating_add(sum.clamp(0, ONE) as u16);
    }
}

/// The weighted sum of all that they have given, [`ONE`] times the value.
#[must_use]
pub fn weigh<const UNITS: usize>(given: &[u16; UNITS], weights: &[i16; UNITS]) -> i32 {
    given.iter().zip(weights).map(|(&given, &weight)| i32::from(given) * i32::from(weight)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_worked_out_by_hand() {
        let [first, second, weights]: [[i16; 2]; 3] = rows(&[1, 1, 100, 0, 255, 255, 0, 1, 3, 0, 254, 255]);
        assert_eq!((first, second, weights), ([257, 100], [-1, 256], [3, -2]));
        let mut sums = first;
        add(&mut sums, &second);
        assert_eq!(sums, [256, 356]);
        subtract(&mut sums, &second);
        assert_eq!(sums, first);
        let mut given = [0; 2];
        for sums in [first, second, [-5, 1]] {
            give(&mut given, &sums);
        }
        assert_eq!(given, [256, 256 + 100 + 1]);
        assert_eq!(weigh(&given, &weights), 3 * 256 - 2 * 357);
    }

    #[test]
    fn parts_of_rows_are_rounded_down_and_sums_stay_in_range() {
        let mut sums = [10, 10, i16::MAX, i16::MIN];
        add_times(&mut sums, &[100, -100, 4, -4], 1 << 14);
        assert_eq!(sums, [35, -15, i16::MAX, i16::MIN]);
        add_times(&mut sums, &[3, -3, 0, 0], 1 << 14);
        assert_eq!(sums[..2], [35, -16]);
    }
}
