//! Exact figures of chance: a ratio as it is, and how it reads.
//!
//! Nothing is rounded but when it is written for people, and the square root
//! of a variance is taken only then.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fraction {
    top: BigInt,
    bottom: BigInt,
}

impl Fraction {
    pub(crate) fn new(top: impl Into<BigInt>, bottom: impl Into<BigInt>) -> Fraction {
        Fraction {
            top: top.into(),
            bottom: bottom.into(),
        }
    }

    /// In lowest terms; whole numbers without a stroke.
    pub(crate) fn written(&self) -> String {
        let divisor = gcd(self.top.abs(), self.bottom.abs());
        if divisor.is_zero() {
            return "0".to_owned();
        }
        let (top, bottom) = (&self.top / &divisor, &self.bottom / &divisor);
        if bottom == BigInt::from(1) {
            top.to_string()
        } else {
            format!("{top}/{bottom}")
        }
    }

    /// The nearest whole number, halves away from zero.
    fn nearest(&self) -> BigInt {
        let twice = self.top.abs() * 2 + &self.bottom;
        let whole: BigInt = twice / (&self.bottom * 2);
        if self.top.is_negative() {
            -whole
        } else {
            whole
        }
    }

    /// As a figure of money.
    pub(crate) fn money(&self, currency: Currency) -> ExactFigure {
        let nearest = self.nearest().to_i64().unwrap_or(i64::MAX);
        ExactFigure {
            exact: self.written(),
            shown: currency.format(Money::from_minor(nearest)),
        }
    }

    /// Whether both are the same number, however they are written.
    pub(crate) fn equals(&self, other: &Fraction) -> bool {
        &self.top * &other.bottom == &other.top * &self.bottom
    }

    /// The nearest float, for printing.
    pub(crate) fn approx(&self) -> f64 {
        float(&self.top) / float(&self.bottom)
    }
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
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
        Fraction::new(self.mean_216.clone(), 216)
    }

    pub(crate) fn variance(&self) -> Fraction {
        Fraction::new(self.variance.clone(), 216 * 216)
    }

    pub(crate) fn difference(&self, win: Money) -> Fraction {
        let off = BigInt::from(win.minor()) * 216 - &self.mean_216;
        Fraction::new(off, 216)
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
            let money = Fraction::new(top, bottom).money(Currency::SGD);
            assert_eq!((money.exact.as_str(), money.shown.as_str()), (exact, shown));
        }
    }
}
