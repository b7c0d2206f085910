use std::f64::consts::{PI, SQRT_2};

use crate::root::zero_of_falling;

/// The distribution function of the standard normal distribution, accurate in both tails.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / SQRT_2) / 2.0
}

/// The standard normal value that is exceeded with probability `1 - p`; the inverse of [`normal_cdf`]. `-inf` for `p`
/// of 0 and less, `inf` for 1 and more.
pub fn normal_quantile(p: f64) -> f64 {
    /// Below this the distribution function is 0 in double precision.
    const LOWEST: f64 = -40.0;
    if p <= 0.0 {
        f64::NEG_INFINITY
    } else if p >= 1.0 {
        f64::INFINITY
    } else if p > 0.5 {
        -normal_quantile(1.0 - p)
    } else {
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
        zero_of_falling(|x| (p - normal_cdf(x), -density(x)), LOWEST, 0.0)
    }
}

/// The quantile of Student's distribution with a whole number of degrees of freedom, for intervals from few samples.
/// `None` without degrees of freedom and for `p` outside (0, 1).
pub fn student_quantile(p: f64, degrees: u64) -> Option<f64> {
    if degrees == 0 || p.is_nan() || p <= 0.0 || p >= 1.0 {
        return None;
    }
    // With t = √degrees · tan θ the tails are symmetric and θ is bounded.
    let angle = |p: f64| zero_of_falling(|angle| (p - student_center(angle, degrees), 0.0), 0.0, PI / 2.0);
    let t = |p: f64| (degrees as f64).sqrt() * angle(p).tan();
    Some(if p >= 0.5 { t(2.0 * p - 1.0) } else { -t(1.0 - 2.0 * p) })
}

/// The probability that `|t| < √degrees · tan(angle)`: finite sums (Abramowitz and Stegun 26.7.3, 26.7.4).
fn student_center(angle: f64, degrees: u64) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let odd = degrees % 2;
    let (mut term, mut sum) = if odd == 1 { (cos, 0.0) } else { (1.0, 0.0) };
    for k in 0..degrees / 2 {
        sum += term;
        let k = (2 * k + odd) as f64;
        term *= (k + 1.0) / (k + 2.0) * cos * cos;
    }
    if odd == 1 { (angle + sin * sum) * 2.0 / PI } else { sin * sum }
}

/// The probability that a chi-square variable with a whole number of degrees of freedom exceeds `x`: a finite sum by
/// the recurrence of the incomplete gamma function. 1 without degrees of freedom and for `x` not above 0.
pub fn chi_square_tail(x: f64, degrees: u64) -> f64 {
    if degrees == 0 || x.is_nan() || x <= 0.0 {
        return 1.0;
    }
    let half = x / 2.0;
    let (mut shape, mut tail) =
        if degrees % 2 == 1 { (0.5, libm::erfc(half.sqrt())) } else { (1.0, (-half).exp()) };
    while 2.0 * shape < degrees as f64 {
        tail += (shape * half.ln() - half - libm::lgamma(shape + 1.0)).exp();
        shape += 1.0;
    }
    tail.min(1.0)
}
