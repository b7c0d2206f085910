use crate::chi_square_tail;

/// Whether rows of counts can come from the same distribution.
#[derive(Clone, PartialEq, Debug)]
pub struct Homogeneity {
    /// Pearson's statistic of the table.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees: u64,
    /// The probability of a statistic as large if all rows are alike.
    pub p: f64,
    /// Each row's share in the statistic: the row that is not like the others has the largest.
    pub residuals: Vec<f64>,
}

/// Pearson's test of a table with a row for each machine and a column for each result. Rows and columns without counts
/// are left out, as are cells that shorter rows lack. `None` if fewer than two of either remain.
pub fn homogeneity(rows: &[Vec<u64>]) -> Option<Homogeneity> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &[u64], column: usize| row.get(column).map_or(0.0, |&n| n as f64);
    let row_sums: Vec<f64> = rows.iter().map(|row| row.iter().map(|&n| n as f64).sum()).collect();
    let column_sums: Vec<f64> =
        (0..width).map(|column| rows.iter().map(|row| cell(row, column)).sum()).collect();
    let total: f64 = row_sums.iter().sum();
    let used = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as u64;
    let degrees = used(&row_sums).saturating_sub(1) * used(&column_sums).saturating_sub(1);
    let residual = |(row, row_sum): (&Vec<u64>, &f64)| {
        let columns = column_sums.iter().enumerate().filter(|(_, sum)| **sum > 0.0 && *row_sum > 0.0);
        columns
            .map(|(column, column_sum)| {
                let expected = row_sum * column_sum / total;
                (cell(row, column) - expected).powi(2) / expected
            })
            .sum()
    };
    let residuals: Vec<f64> = rows.iter().zip(&row_sums).map(residual).collect();
    let chi_square = residuals.iter().sum();
    let p = chi_square_tail(chi_square, degrees);
    (degrees > 0).then_some(Homogeneity { chi_square, degrees, p, residuals })
}
