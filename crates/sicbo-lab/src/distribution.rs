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

mod power;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::Serialize;
use sicbo_rules::maths::approx;
use sicbo_rules::{Profile, Ratio};

use crate::LabError;
use crate::rounds::MAX_ROUNDS;
use crate::simulate::Run;
use crate::stats::kolmogorov_tail;

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

/// One round's results as a polynomial: offset on the lattice, and ways of 216.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lattice {
    lowest_minor: i64,
    step_minor: i64,
    /// Offsets in rising order; the first is zero.
    pub(crate) terms: Vec<(usize, u32)>,
}

impl Lattice {
    fn of(profile: &Profile) -> Lattice {
        let ways = profile.distribution();
        let lowest = ways.keys().next().map_or(0, |lowest| lowest.minor());
        let step = ways
            .keys()
            .fold(0, |step, result| {
                num_integer::gcd(step, result.minor() - lowest)
            })
            .max(1);
        Lattice {
            lowest_minor: lowest,
            step_minor: step,
            terms: ways
                .iter()
                .map(|(result, ways)| (((result.minor() - lowest) / step) as usize, *ways))
                .collect(),
        }
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
    /// The lowest result listed, in minor units; anything below it has a probability under 10^-40.
    pub lowest_minor: i128,
    /// Distance between possible results, in minor units.
    pub step_minor: i64,
    /// Probability of the lowest result and of each step above it.
    pub probability: Vec<f64>,
    /// Ways out of 216^N for each, when the method is exact.
    pub ways: Option<Vec<BigUint>>,
    /// How it was found.
    pub method: Method,
    /// What may be wrong with a probability, in words.
    pub error: String,
    /// Agreement with moments known independently.
    pub checks: Checks,
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
                let probability = power::shares(&ways, rounds);
                let error = "none: whole numbers of ways; printed probabilities are rounded to the nearest number";
                (probability, Some(ways), 0.0, error.to_owned())
            }
            Method::Direct => {
                let (probability, relative) = power::direct(&lattice, rounds);
                let error =
                    format!("every probability above 1e-290 within {relative:.1e} of itself");
                (probability, None, relative, error)
            }
            Method::Fourier => {
                let window = power::fourier(&lattice, rounds);
                start = window.start;
                let error = format!(
                    "the probability of any set of results within {:.1e}",
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
            error,
            checks: Checks {
                sum: 0.0,
                mean_minor: 0.0,
                mean_exact: String::new(),
                deviation_minor: 0.0,
                variance_exact: String::new(),
                agree: false,
            },
        };
        distribution.checks = distribution.check(profile, &lattice, bound);
        Ok(distribution)
    }

    /// The result at a position, in minor units.
    #[must_use]
    pub fn result_minor(&self, position: usize) -> i128 {
        self.lowest_minor + position as i128 * i128::from(self.step_minor)
    }

    fn check(&self, profile: &Profile, lattice: &Lattice, bound: f64) -> Checks {
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
            Some(ways) => power::moments_agree(lattice, self.rounds, ways),
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

    /// Probability of a result for which `is` holds.
    pub fn chance(&self, is: impl Fn(i128) -> bool) -> f64 {
        let parts = self.probability.iter().enumerate();
        parts
            .filter(|(k, _)| is(self.result_minor(*k)))
            .map(|(_, p)| p)
            .sum()
    }

    /// The smallest result that is not exceeded with at least this probability.
    #[must_use]
    pub fn quantile(&self, share: f64) -> i128 {
        let mut sum = 0.0;
        for (position, probability) in self.probability.iter().enumerate() {
            sum += probability;
            // A hair below, for the sum of a whole distribution may end a hair short of one.
            if sum >= share - 1e-12 {
                return self.result_minor(position);
            }
        }
        self.result_minor(self.probability.len() - 1)
    }

    /// The possible results as CSV, with a header; impossible ones are left out.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("result_minor,probability,cumulative");
        text.push_str(if self.ways.is_some() { ",ways\n" } else { "\n" });
        let mut sum = 0.0;
        for (position, probability) in self.probability.iter().enumerate() {
            let ways = self.ways.as_ref().map(|ways| &ways[position]);
            let possible = ways.map_or(*probability > 0.0, |ways| ways.bits() > 0);
            if !possible {
                continue;
            }
            sum += probability;
            text.push_str(&format!(
                "{},{probability:e},{sum:e}",
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

/// The exact distribution beside really drawn rounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Against {
    /// How many times the rounds were played.
    pub sessions: usize,
    /// Share of them that the house lost.
    pub loss: f64,
    /// Mean of the house's result, in minor units.
    pub mean_minor: f64,
    /// Largest distance between the two cumulative distributions.
    pub distance: f64,
    /// Chance of such a distance or a larger one; a little too large, for results are discrete.
    pub p: f64,
    /// The results, in rising order, in minor units.
    #[serde(skip)]
    pub results_minor: Vec<i64>,
}

impl Distribution {
    /// Plays the rounds so many times. Each session has a stream of its own.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn against(
        &self,
        profile: &Profile,
        run: &Run,
        sessions: usize,
    ) -> Result<Against, LabError> {
        use rayon::prelude::*;
        let rounds = u32::try_from(self.rounds)
            .map_err(|_| LabError::OutOfRange("too many rounds to simulate".to_owned()))?;
        let session = |index: u64| -> i64 {
            let stream = run.generator.stream(run.seed, index);
            let counted = stream.with(run.vector).play(rounds);
            let results = profile.by_outcome.iter().zip(counted.counts());
            results
                .map(|(result, count)| result.minor() * count.cast_signed())
                .sum()
        };
        let mut results: Vec<i64> =
            run.on_threads(|| (0..sessions as u64).into_par_iter().map(session).collect())?;
        results.sort_unstable();
        let share = |count: usize| count as f64 / sessions as f64;
        let mut distance: f64 = 0.0;
        let (mut sum, mut seen) = (0.0, 0);
        for (position, probability) in self.probability.iter().enumerate() {
            sum += probability;
            let result = self.result_minor(position);
            while results
                .get(seen)
                .is_some_and(|next| i128::from(*next) <= result)
            {
                seen += 1;
            }
            distance = distance.max((sum - share(seen)).abs());
        }
        let total: i128 = results.iter().map(|result| i128::from(*result)).sum();
        Ok(Against {
            sessions,
            loss: share(results.partition_point(|result| *result < 0)),
            mean_minor: total.to_f64().unwrap_or(f64::NAN) / sessions as f64,
            distance,
            p: kolmogorov_tail(distance, sessions),
            results_minor: results,
        })
    }
}
