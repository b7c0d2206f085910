/// The zero, between `low` and `high`, of a function that falls from positive to negative there. `f` gives its value
/// and its derivative, or 0 for the latter to have the interval halved: Newton's method, kept within the bracket.
pub(crate) fn zero_of_falling(f: impl Fn(f64) -> (f64, f64), mut low: f64, mut high: f64) -> f64 {
    const STEPS: usize = 200;
    const PRECISION: f64 = 1e-15;
    let mut x = low + (high - low) / 2.0;
    for _ in 0..STEPS {
        let (value, slope) = f(x);
        if value > 0.0 {
            low = x;
        } else if value < 0.0 {
            high = x;
        } else {
            break;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        let change = (next - x).abs();
        x = next;
        if change <= PRECISION * x.abs() {
            break;
        }
    }
    x
}
