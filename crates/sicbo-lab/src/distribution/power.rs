//! Powers of a lattice's polynomial, by three methods.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use rustfft::FftPlannerScalar;
use rustfft::num_complex::Complex64;

use super::{Lattice, Method};

/// Half the distance from one to the next float.
const ROUNDING: f64 = f64::EPSILON / 2.0;

/// Points of the power.
fn points(lattice: &Lattice, rounds: u64) -> usize {
    lattice.degree() * rounds as usize + 1
}

/// The most exact method that takes no more than a few seconds.
pub(super) fn best(lattice: &Lattice, rounds: u64) -> Method {
    let terms = lattice.terms.len() as f64;
    let points = points(lattice, rounds) as f64;
    let words = rounds as f64 * libm::log2(lattice.all as f64) / 64.0 + 1.0;
    if points * terms * (words + 40.0) <= 4e8 && points * words * 8.0 <= 2e8 {
        Method::Exact
    } else if points * terms * rounds as f64 / 2.0 <= 4e9 {
        Method::Direct
    } else {
        Method::Fourier
    }
}

/// Ways of every result, out of 216^N; with weighted dice, out of all weights to the N.
///
/// The coefficients of q = p^N follow from p q' = N p' q one by one: each is a
/// sum over p's few terms, divided without remainder.
pub(super) fn exact(lattice: &Lattice, rounds: u64) -> Vec<BigUint> {
    let (first, rest) = match lattice.terms.split_first() {
        Some((first, rest)) => (first.1, rest),
        None => return Vec::new(),
    };
    let exponent = u32::try_from(rounds).unwrap_or(u32::MAX);
    let mut ways = vec![BigUint::from(first).pow(exponent)];
    for k in 1..points(lattice, rounds) {
        let (mut plus, mut minus) = (BigUint::zero(), BigUint::zero());
        for (offset, weight) in rest.iter().take_while(|(offset, _)| *offset <= k) {
            let ahead = *offset as u64 * (rounds + 1);
            let factor = u128::from(ahead.abs_diff(k as u64)) * u128::from(*weight);
            let part = &ways[k - offset] * factor;
            if ahead >= k as u64 {
                plus += part;
            } else {
                minus += part;
            }
        }
        ways.push((plus - minus) / (k as u128 * u128::from(first)));
    }
    ways
}

/// The same as shares of one, each the nearest float or next to it.
pub(super) fn shares(lattice: &Lattice, ways: &[BigUint], rounds: u64) -> Vec<f64> {
    let all = BigUint::from(lattice.all).pow(u32::try_from(rounds).unwrap_or(u32::MAX));
    let (all, all_shift) = leading(&all);
    ways.iter()
        .map(|ways| {
            let (share, shift) = leading(ways);
            libm::scalbn(share / all, shift - all_shift)
        })
        .collect()
}

/// A number as its leading 64 bits and how far they stand.
fn leading(number: &BigUint) -> (f64, i32) {
    let shift = number.bits().saturating_sub(64);
    let top = (number >> shift).to_u64().unwrap_or(u64::MAX);
    (top as f64, i32::try_from(shift).unwrap_or(i32::MAX))
}

/// Whether ways add up to 216^N and give both moments exactly.
pub(super) fn moments_agree(lattice: &Lattice, rounds: u64, ways: &[BigUint]) -> bool {
    let one = BigUint::from(lattice.all);
    let all = one.pow(u32::try_from(rounds).unwrap_or(u32::MAX));
    let moment = |power: u32| -> BigUint {
        let parts = ways.iter().enumerate();
        parts.map(|(k, ways)| ways * (k as u128).pow(power)).sum()
    };
    let one_round = |power: u32| -> BigUint {
        let parts = lattice.terms.iter();
        parts
            .map(|(k, weight)| BigUint::from((*k as u128).pow(power)) * *weight)
            .sum()
    };
    let (first, second) = (one_round(1), one_round(2));
    let n = BigUint::from(rounds);
    let square = &first * &first;
    moment(0) == all
        && moment(1) * &one == &all * (&n * &first)
        // N times the variance plus the square of the mean, both times the square of all weights.
        && moment(2) * (&one * &one)
            == &all * (&n * (&one * &second - &square) + &n * &n * &square)
}

/// Round by round. The second value bounds the relative error of each share:
/// each round multiplies and adds positive terms, one rounding for each.
pub(super) fn direct(lattice: &Lattice, rounds: u64) -> (Vec<f64>, f64) {
    let degree = lattice.degree();
    let shares = lattice.shares();
    let mut now = vec![0.0; points(lattice, rounds)];
    let mut next = now.clone();
    now[0] = 1.0;
    for round in 0..rounds as usize {
        let length = degree * round + 1;
        next[..length + degree].fill(0.0);
        for (offset, share) in &shares {
            for (sum, part) in next[*offset..offset + length]
                .iter_mut()
                .zip(&now[..length])
            {
                *sum += part * share;
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    // One rounding for the share itself, one for the product, one for each sum.
    let steps = rounds as f64 * (lattice.terms.len() as f64 + 2.0) * ROUNDING;
    (now, steps / (1.0 - steps))
}

/// Results further from the mean than this many lattice points have together
/// a probability below 10^-40, by Hoeffding's inequality.
fn reach(degree: usize, rounds: u64) -> f64 {
    // 2 exp(-2 t^2 / (N d^2)) = 10^-40.
    degree as f64 * (rounds as f64 * 46.4).sqrt() + 2.0
}

/// Points that the Fourier method needs: never more than there are results.
pub(super) fn window(lattice: &Lattice, rounds: u64) -> f64 {
    window_of(lattice.degree(), rounds)
}

fn window_of(degree: usize, rounds: u64) -> f64 {
    (2.0 * reach(degree, rounds) + 1.0).min(degree as f64 * rounds as f64 + 1.0)
}

/// Part of a distribution: probabilities from a position on.
pub(super) struct Window {
    pub(super) start: u64,
    pub(super) shares: Vec<f64>,
    /// Bound on the sum of all absolute errors.
    pub(super) error: f64,
}

/// By the characteristic function, on as many points as the window has; what
/// wraps around from outside is negligible.
///
/// The function is kept as its distance from one and raised to the power
/// through its logarithm: the frequencies that matter lie close to one, and
/// their distance is known to full precision there.
pub(super) fn fourier(lattice: &Lattice, rounds: u64) -> Window {
    fourier_of(&lattice.shares(), lattice.degree(), rounds)
}

/// The same for any shares of the offsets.
pub(super) fn fourier_of(terms: &[(usize, f64)], degree: usize, rounds: u64) -> Window {
    let needed = window_of(degree, rounds) as usize;
    let size = needed.next_power_of_two().max(2);
    let n = rounds as f64;
    let average: f64 = terms.iter().map(|(k, share)| *k as f64 * share).sum();
    // Offsets are counted from the one nearest the mean, so that angles stay small.
    let middle = average.round() as u64;
    let mean = (average * n) as u128;
    let last = degree as u128 * u128::from(rounds);
    let start = mean
        .saturating_sub(needed as u128 / 2)
        .min(last + 1 - needed as u128);
    let turn = |m: usize| {
        // The angle of the m-th root of unity, from minus to plus half a turn.
        let m = if m > size / 2 {
            m as f64 - size as f64
        } else {
            m as f64
        };
        std::f64::consts::TAU * (m / size as f64)
    };
    let roots: Vec<(f64, f64)> = (0..size)
        .map(|m| {
            let half = libm::sin(turn(m) / 2.0);
            (2.0 * half * half, libm::sin(turn(m)))
        })
        .collect();
    let wrap = |number: i128| number.rem_euclid(size as i128) as usize;
    let back = start as i128 - i128::from(middle) * i128::from(rounds);
    let mut spectrum = vec![Complex64::ZERO; size];
    let mut squared_error = 0.0;
    for k in 0..=size / 2 {
        let (mut short, mut side, mut weight) = (0.0, 0.0, 0.0);
        for (offset, share) in terms {
            let (down, across) = roots[wrap((*offset as i128 - i128::from(middle)) * k as i128)];
            short += share * down;
            side += share * across;
            weight += share * (down + across.abs());
        }
        // The function is 1 - short + i side.
        let log_size = 0.5 * libm::log1p(short * (short - 2.0) + side * side);
        let angle = libm::atan2(side, 1.0 - short);
        let size_n = libm::exp(n * log_size);
        let shift = turn(wrap(-back * k as i128));
        let total = n * angle + shift;
        spectrum[k] = Complex64::new(size_n * libm::cos(total), -size_n * libm::sin(total));
        spectrum[(size - k) % size] = spectrum[k].conj();
        let roundings = terms.len() as f64 + 12.0;
        let near = libm::exp((n - 1.0).max(0.0) * log_size);
        let off = (n * weight * roundings + 8.0) * ROUNDING * near;
        squared_error += 2.0 * off * off;
    }
    FftPlannerScalar::new()
        .plan_fft_inverse(size)
        .process(&mut spectrum);
    spectrum.iter_mut().for_each(|value| *value /= size as f64);
    let shares: Vec<f64> = spectrum[..needed]
        .iter()
        .map(|value| value.re.max(0.0))
        .collect();
    let length = shares.iter().map(|share| share * share).sum::<f64>().sqrt();
    let transform = (size as f64).sqrt() * length * 8.0 * ROUNDING * libm::log2(size as f64);
    Window {
        start: start as u64,
        shares,
        error: squared_error.sqrt() + transform + 1e-40,
    }
}
