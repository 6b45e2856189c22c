//! The statistics the lab needs: chi-square tests, normal and gamma tails.
//!
//! Built on a pure Rust `libm`, so that a printed figure is the same on every
//! machine; the system's own functions differ in the last digit.

use serde::Serialize;

/// One chi-square test of counts against what is expected.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// Degrees of freedom.
    pub degrees: u32,
    /// Chance of a statistic at least as large when the dice are fair.
    pub p: f64,
}

impl ChiSquare {
    /// Tests counts against weights; the weights say what share of the rounds
    /// each cell should get and need not add up to one.
    ///
    /// Cells expected less than `least` times are pooled with their neighbours
    /// in the given order, for the approximation holds only from about five.
    /// `None` when fewer than two cells are left, so nothing can be tested.
    #[must_use]
    pub fn of(counts: &[u64], weights: &[u64], least: f64) -> Option<ChiSquare> {
        assert_eq!(counts.len(), weights.len(), "a weight for every count");
        let rounds: u64 = counts.iter().sum();
        let weight: u64 = weights.iter().sum();
        let share = rounds as f64 / weight as f64;
        let mut cells: Vec<(u64, u64)> = Vec::new();
        let mut open = (0, 0);
        for (count, weight) in counts.iter().zip(weights) {
            open = (open.0 + count, open.1 + weight);
            if open.1 as f64 * share >= least {
                cells.push(open);
                open = (0, 0);
            }
        }
        // What is left over joins the last full cell.
        match cells.last_mut() {
            Some(last) => *last = (last.0 + open.0, last.1 + open.1),
            None => return None,
        }
        if cells.len() < 2 {
            return None;
        }
        let statistic = cells
            .iter()
            .map(|(count, weight)| {
                let expected = *weight as f64 * share;
                let off = *count as f64 - expected;
                off * off / expected
            })
            .sum();
        let degrees = (cells.len() - 1) as u32;
        Some(ChiSquare {
            statistic,
            degrees,
            p: chi_square_tail(statistic, degrees),
        })
    }
}

/// Chance that a chi-square variable exceeds `statistic`.
#[must_use]
pub fn chi_square_tail(statistic: f64, degrees: u32) -> f64 {
    gamma_tail(f64::from(degrees) / 2.0, statistic / 2.0)
}

/// Upper regularised incomplete gamma function.
#[must_use]
pub(crate) fn gamma_tail(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = libm::exp(shape * libm::log(x) - x - libm::lgamma(shape));
    if x < shape + 1.0 {
        // Series for the lower part.
        let mut term = 1.0 / shape;
        let mut sum = term;
        let mut n = shape;
        while term > sum * 1e-17 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        (1.0 - scale * sum).clamp(0.0, 1.0)
    } else {
        // Continued fraction for the upper part, by Lentz's method.
        let tiny = 1e-300;
        let mut b = x + 1.0 - shape;
        let mut c = 1.0 / tiny;
        let mut d = 1.0 / b;
        let mut fraction = d;
        for i in 1..100_000 {
            let i = f64::from(i);
            let a = -i * (i - shape);
            b += 2.0;
            d = a * d + b;
            if d.abs() < tiny {
                d = tiny;
            }
            c = b + a / c;
            if c.abs() < tiny {
                c = tiny;
            }
            d = 1.0 / d;
            let step = d * c;
            fraction *= step;
            if (step - 1.0).abs() < 1e-16 {
                break;
            }
        }
        (scale * fraction).clamp(0.0, 1.0)
    }
}

/// Chance that a beta variable lies below `x`: the regularised incomplete beta function.
#[must_use]
pub(crate) fn beta_tail(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges quickly on the near side of the mean only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_tail(b, a, 1.0 - x);
    }
    let ln = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * libm::log(x)
        + b * libm::log1p(-x);
    let tiny = 1e-300;
    let bounded = |value: f64| if value.abs() < tiny { tiny } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / bounded(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..100_000 {
        let m = f64::from(m);
        for coefficient in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / bounded(1.0 + coefficient * d);
            c = bounded(1.0 + coefficient / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (libm::exp(ln) * fraction / a).clamp(0.0, 1.0)
}

/// Chance that a chi-square variable with this noncentrality exceeds `statistic`:
/// a Poisson mixture of central ones.
#[must_use]
pub fn noncentral_chi_square_tail(statistic: f64, degrees: u32, noncentrality: f64) -> f64 {
    let half = noncentrality / 2.0;
    let middle = half.floor();
    let weight = |j: f64| libm::exp(j * libm::log(half.max(1e-300)) - half - libm::lgamma(j + 1.0));
    let part = |j: f64| {
        if half == 0.0 && j > 0.0 {
            return 0.0;
        }
        let weight = if half == 0.0 { 1.0 } else { weight(j) };
        weight * gamma_tail(f64::from(degrees) / 2.0 + j, statistic / 2.0)
    };
    // Ten deviations of Poisson's law either way hold all that matters.
    let reach = 10.0 * half.sqrt() + 20.0;
    let first = (middle - reach).max(0.0) as u64;
    let last = (middle + reach) as u64;
    (first..=last)
        .map(|j| part(j as f64))
        .sum::<f64>()
        .clamp(0.0, 1.0)
}

/// The statistic that a chi-square variable exceeds with this chance.
#[must_use]
pub fn chi_square_critical(degrees: u32, chance: f64) -> f64 {
    let (mut low, mut high) = (0.0, 4000.0 + 10.0 * f64::from(degrees));
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if chi_square_tail(middle, degrees) > chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Logarithm of the number of ways to choose `k` of `n`.
fn ln_choose(n: u64, k: u64) -> f64 {
    let ln = |n: u64| libm::lgamma(n as f64 + 1.0);
    ln(n) - ln(k) - ln(n - k)
}

/// Chance of at least `times` in `tries`, each with the same chance.
#[must_use]
pub fn binomial_tail(tries: u64, times: u64, chance: f64) -> f64 {
    if times == 0 || chance >= 1.0 {
        return 1.0;
    }
    if times > tries || chance <= 0.0 {
        return 0.0;
    }
    let (yes, no) = (libm::log(chance), libm::log1p(-chance));
    let one = |k: u64| libm::exp(ln_choose(tries, k) + k as f64 * yes + (tries - k) as f64 * no);
    (times..=tries).map(one).sum::<f64>().clamp(0.0, 1.0)
}

/// Chance that at least `found` of the `marked` among `all` are in a draw of `drawn`.
#[must_use]
pub fn hypergeometric_tail(all: u64, marked: u64, drawn: u64, found: u64) -> f64 {
    if found == 0 {
        return 1.0;
    }
    let most = marked.min(drawn);
    let whole = ln_choose(all, drawn);
    let fits = |k: &u64| drawn - k <= all - marked;
    let one = |k: u64| libm::exp(ln_choose(marked, k) + ln_choose(all - marked, drawn - k) - whole);
    (found..=most)
        .filter(fits)
        .map(one)
        .sum::<f64>()
        .clamp(0.0, 1.0)
}

/// Chance that a standard normal variable lies further from zero than `z`.
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// How many standard errors either side hold the middle `confidence` of a
/// normal variable, e.g. 1.96 for 0.95.
#[must_use]
pub fn normal_width(confidence: f64) -> f64 {
    // Bisection on the tail: slow and sure, and the same everywhere.
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if two_sided(middle) > 1.0 - confidence {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_match_published_tables() {
        // Critical values of the usual tables, to the digits printed there.
        for (statistic, degrees, p) in [
            (11.070, 5, 0.05),
            (15.086, 5, 0.01),
            (24.996, 15, 0.05),
            (30.578, 15, 0.01),
            (249.445, 200, 0.01),
            (0.554, 5, 0.99),
        ] {
            let got = chi_square_tail(statistic, degrees);
            assert!((got - p).abs() < 2e-4, "{statistic} {degrees}: {got}");
        }
        // With two degrees of freedom the tail is a plain exponential.
        for x in [0.1, 1.0, 3.0, 10.0, 50.0, 400.0] {
            let exact = libm::exp(-x / 2.0);
            assert!((chi_square_tail(x, 2) / exact - 1.0).abs() < 1e-13, "{x}");
        }
        assert!((two_sided(1.959_963_984_540_054) - 0.05).abs() < 1e-14);
        assert!((normal_width(0.99) - 2.575_829_303_548_901).abs() < 1e-12);
        assert!((chi_square_critical(5, 0.01) - 15.086_272).abs() < 1e-5);
        // scipy.stats.ncx2.sf(15.0862724694, 5, 10): 0.4627.
        let power = noncentral_chi_square_tail(15.086_272, 5, 0.0);
        assert!((power - 0.01).abs() < 1e-6);
        // scipy.special.betainc(7, 14, 0.35): 0.58337 by the binomial sum it equals.
        let sum = binomial_tail(20, 7, 0.35);
        assert!((beta_tail(7.0, 14.0, 0.35) - sum).abs() < 1e-12);
    }

    #[test]
    fn tails_of_counts_match_counting() {
        // Two dice of six faces: 11 of 36 show a six at least once.
        assert!((binomial_tail(2, 1, 1.0 / 6.0) - 11.0 / 36.0).abs() < 1e-12);
        assert!((binomial_tail(10, 10, 0.5) - 1.0 / 1024.0).abs() < 1e-15);
        assert!((binomial_tail(7, 0, 0.1) - 1.0).abs() < 1e-15);
        // Both aces among the 2 of 4 cards drawn: 1 of 6; at least one: 5 of 6.
        assert!((hypergeometric_tail(4, 2, 2, 2) - 1.0 / 6.0).abs() < 1e-12);
        assert!((hypergeometric_tail(4, 2, 2, 1) - 5.0 / 6.0).abs() < 1e-12);
        assert!((hypergeometric_tail(5, 4, 4, 3) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn pooling_keeps_every_count() {
        let test = ChiSquare::of(&[1, 1, 8, 10], &[1, 1, 8, 10], 5.0).unwrap();
        assert!(test.statistic.abs() < 1e-12);
        assert_eq!(test.degrees, 1);
        assert_eq!(ChiSquare::of(&[1, 1], &[1, 1], 5.0), None);
        let skew = ChiSquare::of(&[30, 10], &[1, 1], 5.0).unwrap();
        assert!((skew.statistic - 10.0).abs() < 1e-12);
    }
}
