//! Tails far below the error of the Fourier method, by tilting: the weights of
//! one round are shifted by an exponential until the wanted result is the
//! mean, found there with full precision, and shifted back.

use serde::Serialize;

use super::power::fourier_of;
use super::{Distribution, Method};

/// A probability with what may be wrong with it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Tail {
    /// The probability.
    pub probability: f64,
    /// Bound on its error.
    pub error_bound: f64,
}

/// Which results a probability is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    AtMost,
    Point,
    AtLeast,
}

const NOTHING: Tail = Tail {
    probability: 0.0,
    error_bound: 0.0,
};

/// Half the distance from one to the next float.
const ROUNDING: f64 = f64::EPSILON / 2.0;

impl Distribution {
    /// Probability of a result of at most `result_minor`.
    #[must_use]
    pub fn at_most(&self, result_minor: i128) -> Tail {
        self.side(result_minor, true)
    }

    /// Probability of a result of at least `result_minor`.
    #[must_use]
    pub fn at_least(&self, result_minor: i128) -> Tail {
        self.side(result_minor, false)
    }

    /// Probability of exactly this result.
    #[must_use]
    pub fn exactly(&self, result_minor: i128) -> Tail {
        let probability = self.chance(|result| result == result_minor);
        if self.method != Method::Fourier || probability > self.error_bound * 1e6 {
            return self.plain(probability);
        }
        let off = result_minor - i128::from(self.lattice.lowest_minor) * i128::from(self.rounds);
        if off % i128::from(self.lattice.step_minor) != 0 {
            return NOTHING;
        }
        self.tilted(result_minor, Part::Point)
            .unwrap_or(self.plain(probability))
    }

    fn plain(&self, probability: f64) -> Tail {
        Tail {
            probability,
            error_bound: match self.method {
                Method::Exact => probability * 2.0 * f64::EPSILON * self.probability.len() as f64,
                Method::Direct => {
                    probability * (self.error_bound + f64::EPSILON * self.probability.len() as f64)
                }
                Method::Fourier => self.error_bound,
            },
        }
    }

    fn side(&self, result_minor: i128, below: bool) -> Tail {
        let is = |result: i128| {
            if below {
                result <= result_minor
            } else {
                result >= result_minor
            }
        };
        let listed = self.chance(is);
        if self.method != Method::Fourier || listed > 1e-3 {
            return self.plain(listed);
        }
        let part = if below { Part::AtMost } else { Part::AtLeast };
        self.tilted(result_minor, part)
            .unwrap_or(self.plain(listed))
    }

    /// The tail by tilting; `None` where nothing can be there to find.
    fn tilted(&self, result_minor: i128, part: Part) -> Option<Tail> {
        let lattice = &self.lattice;
        let base = i128::from(lattice.lowest_minor) * i128::from(self.rounds);
        let step = i128::from(lattice.step_minor);
        let last = lattice.degree() as i128 * i128::from(self.rounds);
        // The lattice point at or inside the wanted result.
        let at = if part != Part::AtLeast {
            num_integer::Integer::div_floor(&(result_minor - base), &step)
        } else {
            num_integer::Integer::div_ceil(&(result_minor - base), &step)
        };
        if at < 0 && part != Part::AtLeast || at > last && part != Part::AtMost {
            return Some(NOTHING);
        }
        let shares = lattice.shares();
        let n = self.rounds as f64;
        let aim = (at as f64 / n).clamp(1e-9, lattice.degree() as f64 - 1e-9);
        let (theta, tilted, log_mass, size) = tilt(&shares, aim)?;
        let window = fourier_of(&tilted, lattice.degree(), self.rounds);
        // Σ q_k exp(-θ (k - at)) over the tail: every factor is at most one.
        let sum: f64 = window
            .shares
            .iter()
            .enumerate()
            .map(|(k, q)| (k as i128 + i128::from(window.start) - at, q))
            .filter(|(off, _)| match part {
                Part::AtMost => *off <= 0,
                Part::Point => *off == 0,
                Part::AtLeast => *off >= 0,
            })
            .map(|(off, q)| q * libm::exp(-theta * off as f64))
            .sum();
        let exponent = n * log_mass - theta * at as f64;
        let probability = libm::exp(exponent) * sum;
        // The window's own error, and what the exponent may be off by.
        let relative = window.error / sum.max(1e-300)
            + (n * size * (shares.len() as f64 + 8.0) + (theta * at as f64).abs()) * 4.0 * ROUNDING
            + 1e-13;
        Some(Tail {
            probability,
            error_bound: probability * relative,
        })
    }

    /// The smallest result not exceeded with a probability too small for the
    /// listed ones, by halving.
    pub(super) fn deep_quantile(&self, share: f64) -> Option<i128> {
        let lattice = &self.lattice;
        let base = i128::from(lattice.lowest_minor) * i128::from(self.rounds);
        let step = i128::from(lattice.step_minor);
        let enough = |k: i128| self.at_most(base + k * step).probability >= share;
        let mut high = (self.lowest_minor - base) / step + self.probability.len() as i128;
        let mut low = -1;
        if !enough(high) {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if enough(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(base + high * step)
    }
}

/// The exponent that brings the mean of a round to `aim`, the shares it gives,
/// the logarithm of their sum before they were made shares, and how large the
/// terms of that logarithm were.
#[expect(
    clippy::type_complexity,
    reason = "four figures of one step, used once"
)]
fn tilt(shares: &[(usize, f64)], aim: f64) -> Option<(f64, Vec<(usize, f64)>, f64, f64)> {
    let degree = shares.last()?.0 as f64;
    // Relative to the aim, so that no power overflows.
    let weights = |theta: f64| -> Vec<f64> {
        let largest = shares
            .iter()
            .map(|(k, _)| theta * (*k as f64 - aim))
            .fold(f64::MIN, f64::max);
        shares
            .iter()
            .map(|(k, share)| share * libm::exp(theta * (*k as f64 - aim) - largest))
            .collect()
    };
    let mean_off = |theta: f64| -> f64 {
        let weights = weights(theta);
        let pairs = shares.iter().zip(&weights);
        pairs.map(|((k, _), w)| w * (*k as f64 - aim)).sum()
    };
    // The mean rises with the exponent.
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..2000 {
        if mean_off(low) > 0.0 {
            low *= 2.0;
        } else if mean_off(high) < 0.0 {
            high *= 2.0;
        } else {
            break;
        }
        if high > 700.0 || low < -700.0 {
            break;
        }
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if mean_off(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = (low + high) / 2.0;
    // log Σ p exp(θ k), as a distance from one where that keeps digits.
    let parts = |f: &dyn Fn(f64) -> f64| -> f64 {
        shares
            .iter()
            .map(|(k, share)| share * f(theta * *k as f64))
            .sum()
    };
    let (log_mass, size) = if theta.abs() * degree < 0.5 {
        (
            libm::log1p(parts(&libm::expm1)),
            parts(&|x: f64| libm::expm1(x).abs()),
        )
    } else {
        let largest = (theta * degree).max(0.0);
        let sum: f64 = shares
            .iter()
            .map(|(k, share)| share * libm::exp(theta * *k as f64 - largest))
            .sum();
        (largest + libm::log(sum), largest.abs() + 1.0)
    };
    let plain = weights(theta);
    let sum: f64 = plain.iter().sum();
    let tilted = shares
        .iter()
        .zip(&plain)
        .map(|((k, _), w)| (*k, w / sum))
        .collect();
    Some((theta, tilted, log_mass, size))
}
