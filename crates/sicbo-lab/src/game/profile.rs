//! The house's result of one round for a mix of stakes, over all outcomes and
//! their weights. Everything is exact.

use std::collections::BTreeMap;

use sicbo_rules::{Money, Outcome, Ratio};

use super::Loading;

/// The house's result by outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// All stakes together.
    pub staked: Money,
    /// House result by outcome, in minor units; negative where the house pays.
    pub by_outcome: [i64; Outcome::COUNT],
    /// How likely each outcome is.
    pub loading: Loading,
}

impl Profile {
    /// Average house result of a round, in minor units.
    #[must_use]
    pub fn mean(&self) -> Ratio {
        let sum: i128 = self
            .ways()
            .iter()
            .map(|(result, weight)| i128::from(*result) * i128::from(*weight))
            .sum();
        Ratio::new(sum, i128::from(self.loading.all()))
    }

    /// Variance of the house result of a round, in squared minor units.
    #[must_use]
    pub fn variance(&self) -> Ratio {
        let squares: i128 = self
            .ways()
            .iter()
            .map(|(result, weight)| i128::from(*result).pow(2) * i128::from(*weight))
            .sum();
        let mean = self.mean();
        Ratio::new(squares, i128::from(self.loading.all())) - mean * mean
    }

    /// Skewness and excess kurtosis of one round, as the nearest numbers.
    #[must_use]
    pub fn shape(&self) -> (f64, f64) {
        let step = self.ways().keys().fold(0, |step, result| {
            num_integer::gcd(step, result - self.by_outcome[0])
        });
        if step == 0 {
            return (0.0, 0.0);
        }
        // In steps of the lattice the numbers stay small enough to be exact.
        let scaled = Profile {
            by_outcome: self
                .by_outcome
                .map(|result| (result - self.by_outcome[0]) / step),
            ..self.clone()
        };
        let approx = sicbo_rules::maths::approx;
        let center = approx(scaled.mean());
        let moment = |power: i32| -> f64 {
            let all = self.loading.all() as f64;
            let parts = scaled.ways();
            let parts = parts.iter().map(|(result, weight)| {
                (*result as f64 - center).powi(power) * *weight as f64 / all
            });
            parts.sum()
        };
        let variance = moment(2);
        (
            moment(3) / variance.powf(1.5),
            moment(4) / (variance * variance) - 3.0,
        )
    }

    /// Covariance of two results of the same round, in squared minor units.
    #[must_use]
    pub fn covariance(&self, other: &Profile) -> Ratio {
        let products: i128 = (0..Outcome::COUNT)
            .map(|index| {
                i128::from(self.by_outcome[index])
                    * i128::from(other.by_outcome[index])
                    * i128::from(self.loading.weights()[index])
            })
            .sum();
        Ratio::new(products, i128::from(self.loading.all())) - self.mean() * other.mean()
    }

    /// Each possible house result and its weight, worst first.
    #[must_use]
    pub fn ways(&self) -> BTreeMap<i64, u64> {
        let mut ways = BTreeMap::new();
        for (result, weight) in self.by_outcome.iter().zip(self.loading.weights()) {
            if *weight > 0 {
                *ways.entry(*result).or_insert(0) += weight;
            }
        }
        ways
    }

    /// The worst result for the house.
    #[must_use]
    pub fn worst_minor(&self) -> i64 {
        self.ways().keys().next().copied().unwrap_or(0)
    }
}
