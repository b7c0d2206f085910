//! The hidden units of [`game::net`] in floating point, with a row of weights for each input and one for the output.

/// A row of the weights of so many units.
pub(crate) fn row<const UNITS: usize>(weights: &[f32], row: usize) -> &[f32] {
    &weights[row * UNITS..(row + 1) * UNITS]
}

/// The sums of the units for these rows, each with its input.
pub(crate) fn sums<const UNITS: usize>(
    weights: &[f32],
    inputs: impl Iterator<Item = (usize, f32)>,
) -> [f32; UNITS] {
    let mut sums = [0.0; UNITS];
    for (line, input) in inputs {
        let row = row::<UNITS>(weights, line);
        sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
    }
    sums
}

/// What units with these sums add to the value.
pub(crate) fn value<const UNITS: usize>(weights: &[f32], output: usize, sums: &[f32; UNITS]) -> f32 {
    let row = row::<UNITS>(weights, output);
    sums.iter().zip(row).map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum()
}

/// Adds to the gradient what the weights did to the value by way of these sums of the inputs, times `error`.
pub(crate) fn add_gradient<const UNITS: usize>(
    weights: &[f32],
    inputs: impl Iterator<Item = (usize, f32)>,
    output: usize,
    sums: &[f32; UNITS],
    error: f32,
    gradient: &mut [f32],
) {
    let mut at_units = [0.0; UNITS];
    for (i, &sum) in sums.iter().enumerate() {
        gradient[output * UNITS + i] += error * sum.clamp(0.0, 1.0);
        if 0.0 < sum && sum < 1.0 {
            at_units[i] = error * weights[output * UNITS + i];
        }
    }
    for (line, input) in inputs {
        let row = &mut gradient[line * UNITS..(line + 1) * UNITS];
        row.iter_mut().zip(at_units).for_each(|(sum, more)| *sum += input * more);
    }
}
