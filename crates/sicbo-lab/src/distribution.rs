//! The exact distribution of the house's result over several rounds.
//!
//! One round's result takes its values on a lattice: the lowest result and
//! steps of the greatest common divisor above it. The distribution of the sum
//! of rounds is the power of that lattice's polynomial, by one of three
//! methods, the most exact that is quick enough:
//!
//! - `exact`: whole numbers of ways out of 216^N, nothing rounded;
//! - `direct`: round by round in floating point. All terms are positive, so
//!   the relative error of every probability stays below a proven bound;
//! - `fourier`: powers of the characteristic function, with a bound on the
//!   absolute error of any probability.

mod against;
mod power;
mod tail;

use num_bigint::BigUint;
use serde::Serialize;
use sicbo_rules::Ratio;
use sicbo_rules::maths::approx;

use crate::LabError;
use crate::game::Profile;
use crate::rounds::MAX_ROUNDS;

pub use against::Against;
pub use tail::Tail;

/// The most points of a lattice.
pub const MAX_POINTS: u64 = 1 << 22;

/// How the probabilities were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Whole numbers of ways.
    Exact,
    /// Floating point, round by round.
    Direct,
    /// Floating point, by the characteristic function.
    Fourier,
}

/// One round's results as a polynomial: offset on the lattice, and its weight
/// out of all: ways of 216 with fair dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lattice {
    lowest_minor: i64,
    step_minor: i64,
    /// Offsets in rising order; the first is zero.
    pub(crate) terms: Vec<(usize, u64)>,
    /// All weights together.
    pub(crate) all: u64,
}

impl Lattice {
    fn of(profile: &Profile) -> Lattice {
        let ways = profile.ways();
        let lowest = ways.keys().next().copied().unwrap_or(0);
        let step = ways
            .keys()
            .fold(0, |step, result| num_integer::gcd(step, result - lowest))
            .max(1);
        Lattice {
            lowest_minor: lowest,
            step_minor: step,
            terms: ways
                .iter()
                .map(|(result, weight)| (((result - lowest) / step) as usize, *weight))
                .collect(),
            all: profile.loading.all(),
        }
    }

    /// Offsets with their shares of one.
    pub(crate) fn shares(&self) -> Vec<(usize, f64)> {
        let all = self.all as f64;
        let terms = self.terms.iter();
        terms
            .map(|(offset, weight)| (*offset, *weight as f64 / all))
            .collect()
    }

    /// The highest offset of one round.
    pub(crate) fn degree(&self) -> usize {
        self.terms.last().map_or(0, |term| term.0)
    }
}

/// The largest number up to `most` for which `is` holds; it holds up to some number.
fn most_that(most: u64, is: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// What the distribution gives beside what is known exactly without it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Checks {
    /// Sum of all probabilities.
    pub sum: f64,
    /// Mean of the distribution, in minor units.
    pub mean_minor: f64,
    /// Rounds times the mean of one round, as a fraction.
    pub mean_exact: String,
    /// Standard deviation of the distribution, in minor units.
    pub deviation_minor: f64,
    /// The square of the exact standard deviation, as a fraction.
    pub variance_exact: String,
    /// Sum and both moments agree: to the last way when exact, otherwise within the error.
    pub agree: bool,
}

/// The distribution of the house's result over some rounds.
#[derive(Clone, derive_more::Debug)]
#[debug("Distribution({} points, {method:?})", probability.len())]
pub struct Distribution {
    /// Rounds.
    pub rounds: u64,
    /// The result of the first probability, in minor units; anything below it
    /// has a probability under 10^-40.
    pub lowest_minor: i128,
    /// Distance between possible results, in minor units.
    pub step_minor: i64,
    /// Probability of the lowest result and of each step above it.
    pub probability: Vec<f64>,
    /// Ways out of 216^N for each, when the method is exact.
    pub ways: Option<Vec<BigUint>>,
    /// How it was found.
    pub method: Method,
    /// The largest error of a probability, or of a sum of them; relative to it
    /// when the method is direct, zero when it is exact.
    pub error_bound: f64,
    /// What may be wrong with a probability, in words.
    pub error: String,
    /// Agreement with moments known independently.
    pub checks: Checks,
    lattice: Lattice,
}

impl Distribution {
    /// The distribution over so many rounds of the same stakes.
    ///
    /// # Errors
    /// When there would be too many different results; says how many rounds are possible.
    pub fn of(profile: &Profile, rounds: u64) -> Result<Distribution, LabError> {
        Distribution::by(profile, rounds, None)
    }

    /// The same by a given method, or the best when `None`.
    ///
    /// # Errors
    /// As [`Distribution::of`].
    pub fn by(
        profile: &Profile,
        rounds: u64,
        method: Option<Method>,
    ) -> Result<Distribution, LabError> {
        let lattice = Lattice::of(profile);
        let possible = |rounds: u64| power::window(&lattice, rounds) <= MAX_POINTS as f64;
        let most = most_that(MAX_ROUNDS, possible);
        if rounds == 0 || rounds > most {
            return Err(LabError::OutOfRange(match most {
                0 => "these stakes have too many different results even in one round: use stakes \
                      with a larger common divisor, or simulate"
                    .to_owned(),
                _ => format!(
                    "the distribution over {rounds} rounds has too many different results: with \
                     these stakes 1 to {most} rounds are possible; simulate beyond that"
                ),
            }));
        }
        let method = method.unwrap_or_else(|| power::best(&lattice, rounds));
        let mut start = 0;
        let (probability, ways, bound, error) = match method {
            Method::Exact => {
                let ways = power::exact(&lattice, rounds);
                let probability = power::shares(&lattice, &ways, rounds);
                let error = "none (integer arithmetic); displayed values are rounded";
                (probability, Some(ways), 0.0, error.to_owned())
            }
            Method::Direct => {
                let (probability, relative) = power::direct(&lattice, rounds);
                let error =
                    format!("any probability above 1e-290 is accurate to {relative:.1e} of itself");
                (probability, None, relative, error)
            }
            Method::Fourier => {
                let window = power::fourier(&lattice, rounds);
                start = window.start;
                let error = format!(
                    "any probability is accurate to ±{:.1e}; results less likely than that are left out, and tails are found by tilting",
                    window.error
                );
                (window.shares, None, window.error, error)
            }
        };
        let mut distribution = Distribution {
            rounds,
            lowest_minor: i128::from(lattice.lowest_minor) * i128::from(rounds)
                + i128::from(start) * i128::from(lattice.step_minor),
            step_minor: lattice.step_minor,
            probability,
            ways,
            method,
            error_bound: bound,
            error,
            checks: Checks {
                sum: 0.0,
                mean_minor: 0.0,
                mean_exact: String::new(),
                deviation_minor: 0.0,
                variance_exact: String::new(),
                agree: false,
            },
            lattice,
        };
        distribution.checks = distribution.check(profile, bound);
        Ok(distribution)
    }

    /// The result at a position, in minor units.
    #[must_use]
    pub fn result_minor(&self, position: usize) -> i128 {
        self.lowest_minor + position as i128 * i128::from(self.step_minor)
    }

    fn check(&self, profile: &Profile, bound: f64) -> Checks {
        let rounds = Ratio::from_integer(i128::from(self.rounds));
        let mean = profile.mean() * rounds;
        let variance = profile.variance() * rounds;
        // Around the middle of the lattice, so that little cancels.
        let middle = (approx(mean) - self.lowest_minor as f64) / self.step_minor as f64;
        let moment = |power: i32| {
            let parts = self.probability.iter().enumerate();
            parts
                .map(|(k, p)| p * (k as f64 - middle).powi(power))
                .sum::<f64>()
        };
        let (sum, first, second) = (moment(0), moment(1), moment(2));
        let scale = self.step_minor as f64;
        let deviation = (second - first * first).max(0.0).sqrt() * scale;
        let known = approx(variance).sqrt();
        let agree = match &self.ways {
            Some(ways) => power::moments_agree(&self.lattice, self.rounds, ways),
            None => {
                // An error of the probabilities weighs more in the moments, most
                // of it within some ten deviations of the mean.
                let loose = bound.max(1e-12);
                (sum - 1.0).abs() <= loose
                    && (first * scale).abs() <= 20.0 * loose * known.max(1.0)
                    && (deviation - known).abs() <= 400.0 * loose * known.max(1.0)
            }
        };
        Checks {
            sum,
            mean_minor: approx(mean) + first * scale,
            mean_exact: mean.to_string(),
            deviation_minor: deviation,
            variance_exact: variance.to_string(),
            agree,
        }
    }

    /// Whether a probability is large enough to be a figure: one below the
    /// error of the Fourier method cannot be told from nothing. Sums still use
    /// all of them, for their errors are bounded together.
    #[must_use]
    pub fn is_listed(&self, position: usize) -> bool {
        let probability = self.probability[position];
        match (&self.ways, self.method) {
            (Some(ways), _) => ways[position].bits() > 0,
            (None, Method::Fourier) => probability >= self.error_bound,
            (None, _) => probability > 0.0,
        }
    }

    /// Positions of the results that are listed.
    pub fn listed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.probability.len()).filter(|position| self.is_listed(*position))
    }

    /// Probability of a result for which `is` holds.
    pub fn chance(&self, is: impl Fn(i128) -> bool) -> f64 {
        let parts = self.probability.iter().enumerate();
        parts
            .filter(|(k, _)| is(self.result_minor(*k)))
            // An empty sum of floats is minus zero.
            .fold(0.0, |sum, (_, p)| sum + p)
    }

    /// The smallest result that is not exceeded with at least this probability.
    #[must_use]
    pub fn quantile(&self, share: f64) -> i128 {
        // Deep in a tail the sum of what is listed is worth nothing: count from there.
        if self.method == Method::Fourier
            && share < self.error_bound * 1e6
            && let Some(result) = self.deep_quantile(share)
        {
            return result;
        }
        let mut sum = 0.0;
        for (position, probability) in self.probability.iter().enumerate() {
            sum += probability;
            // A hair below, for the sum of a whole distribution may end a hair short of one.
            if sum >= share * (1.0 - 1e-12) {
                return self.result_minor(position);
            }
        }
        self.result_minor(self.probability.len() - 1)
    }

    /// The possible results as CSV, with a header; impossible ones, and those
    /// less likely than the error of the method, are left out.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("result_minor,probability,cumulative,error_bound");
        text.push_str(if self.ways.is_some() { ",ways\n" } else { "\n" });
        let mut sum = 0.0;
        for (position, probability) in self.probability.iter().enumerate() {
            sum += probability;
            if !self.is_listed(position) {
                continue;
            }
            let ways = self.ways.as_ref().map(|ways| &ways[position]);
            let error = match self.method {
                Method::Direct => self.error_bound * probability,
                Method::Exact | Method::Fourier => self.error_bound,
            };
            text.push_str(&format!(
                "{},{probability:e},{sum:e},{error:e}",
                self.result_minor(position)
            ));
            match ways {
                Some(ways) => text.push_str(&format!(",{ways}\n")),
                None => text.push('\n'),
            }
        }
        text
    }
}
