//! Exact figures of chance: a ratio as it is, and how it reads.
//!
//! Nothing is rounded but when it is written for people, and the square root
//! of a variance is taken only then.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{ToPrimitive, Zero};
use serde::Serialize;
use sicbo_rules::{Currency, Exposure, Money};

/// An exact figure in minor units, or their square.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ExactFigure {
    /// The ratio in lowest terms, e.g. `-1250/27`.
    pub exact: String,
    /// Rounded for people, in whole units of the currency, e.g. `-0.46`.
    pub shown: String,
}

/// A ratio of whole numbers of any size.
pub(crate) type Fraction = Ratio<BigInt>;

pub(crate) fn fraction(top: impl Into<BigInt>, bottom: impl Into<BigInt>) -> Fraction {
    Ratio::new(top.into(), bottom.into())
}

/// As a figure of money, rounded with halves away from zero.
pub(crate) fn money(figure: &Fraction, currency: Currency) -> ExactFigure {
    let nearest = figure.round().to_integer().to_i64().unwrap_or(i64::MAX);
    ExactFigure {
        exact: figure.to_string(),
        shown: currency.format(Money::from_minor(nearest)),
    }
}

/// The nearest float, for printing.
pub(crate) fn approx(figure: &Fraction) -> f64 {
    float(figure.numer()) / float(figure.denom())
}

fn float(number: &BigInt) -> f64 {
    number.to_f64().unwrap_or(f64::MAX)
}

/// Mean and variance of the house's result of one round, exact: what the 216
/// outcomes come to for the stakes as they lay (P-091).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Moments {
    /// The mean in 216ths of a minor unit.
    pub(crate) mean_216: i128,
    /// The variance in parts of 216 × 216 of a squared minor unit.
    pub(crate) variance: BigInt,
}

impl Moments {
    pub(crate) fn of(exposure: &Exposure) -> Moments {
        let (mut sum, mut squares) = (0i128, 0u128);
        for result in exposure.by_outcome() {
            let result = i128::from(result.minor());
            sum += result;
            // Below 2^120 each, as no exposure goes beyond i64::MAX / 8.
            squares += result.unsigned_abs().pow(2);
        }
        Moments {
            mean_216: sum,
            variance: BigInt::from(squares) * 216 - BigInt::from(sum) * sum,
        }
    }
}

/// What the rounds of a report should have come to, and how far off they are.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Chance {
    mean_216: BigInt,
    variance: BigInt,
}

impl Chance {
    pub(crate) fn add(&mut self, round: &Moments) {
        self.mean_216 += round.mean_216;
        self.variance += &round.variance;
    }

    pub(crate) fn theoretical(&self) -> Fraction {
        fraction(self.mean_216.clone(), 216)
    }

    pub(crate) fn variance(&self) -> Fraction {
        fraction(self.variance.clone(), 216 * 216)
    }

    pub(crate) fn difference(&self, win: Money) -> Fraction {
        let off = BigInt::from(win.minor()) * 216 - &self.mean_216;
        fraction(off, 216)
    }

    /// Standard deviations that the win lies from the mean; none without any
    /// chance in it.
    pub(crate) fn z(&self, win: Money) -> Option<f64> {
        if self.variance.is_zero() {
            return None;
        }
        let off = BigInt::from(win.minor()) * 216 - &self.mean_216;
        Some(float(&off) / float(&self.variance).sqrt())
    }

    /// One standard deviation, in minor units.
    pub(crate) fn deviation(&self) -> f64 {
        float(&self.variance).sqrt() / 216.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_written_in_lowest_terms_and_rounded_only_for_people() {
        for (top, bottom, exact, shown) in [
            (0, 216, "0", "0.00"),
            (432, 216, "2", "0.02"),
            (-300, 216, "-25/18", "-0.01"),
            (1, 2, "1/2", "0.01"),
            (-1, 2, "-1/2", "-0.01"),
            (12_345, 1, "12345", "123.45"),
        ] {
            let money = money(&fraction(top, bottom), Currency::SGD);
            assert_eq!((money.exact.as_str(), money.shown.as_str()), (exact, shown));
        }
    }
}
