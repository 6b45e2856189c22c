//! Confidence intervals that hold for few wins as well as for many.
//!
//! A bet that pays one way wins a binomial number of rounds: its interval is
//! that of Clopper and Pearson, which holds whatever the chance is. A result
//! of several amounts has no such interval; where each amount was seen often
//! the normal one is used, and where one was not, a bound that always holds.

use serde::Serialize;

use crate::stats::{beta_tail, gamma_tail, normal_width};

/// How an interval was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalMethod {
    /// Clopper and Pearson: covers at least as often as stated, always.
    ClopperPearson,
    /// One such interval for each amount, each at its part of the risk: the same promise.
    Bonferroni,
    /// Maurer and Pontil's empirical Bernstein bound: the same promise, wider.
    EmpiricalBernstein,
    /// The normal interval of the sample, where every amount was seen a thousand times.
    Normal,
}

impl IntervalMethod {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            IntervalMethod::ClopperPearson => "exact (Clopper-Pearson)",
            IntervalMethod::Bonferroni => "exact (Clopper-Pearson for each line, Bonferroni)",
            IntervalMethod::EmpiricalBernstein => "guaranteed (empirical Bernstein)",
            IntervalMethod::Normal => "normal",
        }
    }
}

/// From this many times on an amount counts as seen often enough for the normal law.
pub const OFTEN: u64 = 1_000;

/// Beyond this many hits and misses the binomial law is normal to all digits
/// an interval is printed with, and its exact tail would take long to sum.
const NORMAL_FROM: u64 = 200_000;

/// Clopper and Pearson's interval for a chance, from `times` in `tries`.
#[must_use]
pub fn clopper_pearson(times: u64, tries: u64, confidence: f64) -> (f64, f64) {
    assert!(times <= tries, "no more wins than rounds");
    if tries == 0 {
        return (0.0, 1.0);
    }
    let risk = (1.0 - confidence) / 2.0;
    let misses = tries - times;
    if times >= NORMAL_FROM && misses >= NORMAL_FROM {
        return wilson(times, tries, confidence);
    }
    let low = match times {
        0 => 0.0,
        // The chance at which so many or more come up with the risk.
        _ => solve(|p| at_least(times, tries, p) < risk),
    };
    let high = match misses {
        0 => 1.0,
        _ => solve(|p| 1.0 - at_least(times + 1, tries, p) > risk),
    };
    (low, high)
}

/// Chance of at least `times` in `tries`.
fn at_least(times: u64, tries: u64, p: f64) -> f64 {
    // So many rounds and so few hits are Poisson's law, whose intervals are
    // the wider ones; the beta function would lose its digits there.
    if tries > 4_000_000_000 && times < NORMAL_FROM {
        return 1.0 - gamma_tail(times as f64, p * tries as f64);
    }
    beta_tail(times as f64, (tries - times) as f64 + 1.0, p)
}

/// The end of the chances, from zero up, for which `below` holds.
fn solve(below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Wilson's interval with continuity correction: for counts so large that the
/// binomial law is normal.
fn wilson(times: u64, tries: u64, confidence: f64) -> (f64, f64) {
    let (n, z) = (tries as f64, normal_width(confidence));
    let end = |shift: f64, sign: f64| {
        let p = ((times as f64 + shift) / n).clamp(0.0, 1.0);
        let middle = p + z * z / (2.0 * n);
        let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        ((middle + sign * half) / (1.0 + z * z / n)).clamp(0.0, 1.0)
    };
    (end(-0.5, -1.0), end(0.5, 1.0))
}

/// The share of some sessions with its 95 % interval.
#[must_use]
pub fn share(times: u64, tries: u64) -> (f64, f64) {
    clopper_pearson(times, tries, 0.95)
}

/// One amount that can come back, and how often it did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seen {
    /// The amount.
    pub value: f64,
    /// How often.
    pub times: u64,
}

/// The interval of the mean of a result with these amounts; zero may be left out.
#[must_use]
pub fn mean(seen: &[Seen], tries: u64, confidence: f64) -> (f64, f64, IntervalMethod) {
    let paying: Vec<Seen> = seen
        .iter()
        .copied()
        .filter(|one| one.value != 0.0)
        .collect();
    if let [one] = paying.as_slice() {
        let (low, high) = clopper_pearson(one.times, tries, confidence);
        let (a, b) = (low * one.value, high * one.value);
        return (a.min(b), a.max(b), IntervalMethod::ClopperPearson);
    }
    let n = tries as f64;
    let average = paying
        .iter()
        .map(|one| one.value * one.times as f64)
        .sum::<f64>()
        / n;
    if paying.iter().all(|one| one.times >= OFTEN) {
        let half = normal_width(confidence) * (variance(&paying, tries, average) / n).sqrt();
        return (average - half, average + half, IntervalMethod::Normal);
    }
    let each = 1.0 - (1.0 - confidence) / paying.len().max(1) as f64;
    let (mut low, mut high) = (0.0, 0.0);
    for one in &paying {
        let (a, b) = clopper_pearson(one.times, tries, each);
        low += (a * one.value).min(b * one.value);
        high += (a * one.value).max(b * one.value);
    }
    let values = paying.iter().map(|one| one.value);
    let least = values.clone().fold(0.0, f64::min);
    let most = values.fold(0.0, f64::max);
    let (low, high) = (low.max(least), high.min(most));
    let bernstein = bernstein(&paying, tries, average, (least, most), confidence);
    if bernstein.1 - bernstein.0 < high - low {
        (bernstein.0, bernstein.1, IntervalMethod::EmpiricalBernstein)
    } else {
        (low, high, IntervalMethod::Bonferroni)
    }
}

/// Variance of the sample, the rounds that brought nothing included.
fn variance(paying: &[Seen], tries: u64, average: f64) -> f64 {
    let hits: u64 = paying.iter().map(|one| one.times).sum();
    let rest = tries.saturating_sub(hits) as f64 * average * average;
    let squares: f64 = paying
        .iter()
        .map(|one| (one.value - average).powi(2) * one.times as f64)
        .sum();
    (squares + rest) / tries as f64
}

/// Maurer and Pontil, Empirical Bernstein Bounds, theorem 4, on both sides.
fn bernstein(
    paying: &[Seen],
    tries: u64,
    average: f64,
    (least, most): (f64, f64),
    confidence: f64,
) -> (f64, f64) {
    if tries < 2 {
        return (least, most);
    }
    let n = tries as f64;
    let log = libm::log(4.0 / (1.0 - confidence));
    let sampled = variance(paying, tries, average) * n / (n - 1.0);
    let half = (2.0 * sampled * log / n).sqrt() + 7.0 * (most - least) * log / (3.0 * (n - 1.0));
    ((average - half).max(least), (average + half).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::binomial_tail;

    /// Published by Clopper and Pearson's own law: no win in n tries has the
    /// upper end 1 - (risk)^(1/n).
    #[test]
    fn ends_are_those_worked_out_by_hand() {
        let (low, high) = clopper_pearson(0, 100, 0.95);
        assert!(low.abs() < 1e-300);
        assert!(
            (high - (1.0 - 0.025_f64.powf(0.01))).abs() < 1e-12,
            "{high}"
        );
        let (low, high) = clopper_pearson(100, 100, 0.95);
        assert!((low - 0.025_f64.powf(0.01)).abs() < 1e-12 && (high - 1.0).abs() < 1e-15);
        // scipy.stats.binomtest(7, 20).proportion_ci(): 0.15390919, 0.59218850.
        let (low, high) = clopper_pearson(7, 20, 0.95);
        assert!((low - 0.153_909_19).abs() < 5e-8, "{low}");
        assert!((high - 0.592_188_50).abs() < 5e-8, "{high}");
    }

    #[test]
    fn coverage_is_never_below_what_is_stated() {
        // Summed over every possible count: no simulation, no chance.
        for tries in [1, 5, 30, 100, 400] {
            for p in [1.0 / 216.0, 1.0 / 36.0, 0.125, 105.0 / 216.0, 0.9] {
                let one = |k: u64| binomial_tail(tries, k, p) - binomial_tail(tries, k + 1, p);
                let covered: f64 = (0..=tries)
                    .filter(|k| {
                        let (low, high) = clopper_pearson(*k, tries, 0.95);
                        (low..=high).contains(&p)
                    })
                    .map(one)
                    .sum();
                assert!(covered >= 0.95 - 1e-9, "{tries} {p}: {covered}");
            }
        }
    }

    #[test]
    fn the_forms_meet_where_one_takes_over_from_the_other() {
        let width = |(low, high): (f64, f64)| high - low;
        let exact = clopper_pearson(199_999, 500_000, 0.95);
        let normal = clopper_pearson(200_001, 500_002, 0.95);
        assert!((width(exact) / width(normal) - 1.0).abs() < 1e-4);
        let beta = clopper_pearson(5, 4_000_000_000, 0.95);
        let poisson = clopper_pearson(5, 4_000_000_001, 0.95);
        assert!(
            (width(beta) / width(poisson) - 1.0).abs() < 1e-5,
            "{beta:?} {poisson:?}"
        );
    }
}
