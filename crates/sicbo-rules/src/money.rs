//! Money: integer minor units of one currency, with checked arithmetic.

/// An amount in minor units (cents, or whole đồng). May be negative, as a difference.
// Overflow in a sum of money is a bug: limits keep every figure far below
// what an i64 holds, and overflow checks are on in every profile.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    derive_more::Debug,
    derive_more::Add,
    derive_more::Sub,
    derive_more::Neg,
    derive_more::AddAssign,
    derive_more::SubAssign,
    derive_more::Sum,
)]
#[debug("{_0} minor")]
pub struct Money(i64);

impl Money {
    /// Nothing.
    pub const ZERO: Money = Money(0);

    /// The largest amount any single figure may have. Exactly representable in
    /// every client's numbers (2^53 - 1).
    pub const MAX: Money = Money(9_007_199_254_740_991);

    /// An amount of that many minor units.
    #[must_use]
    pub const fn from_minor(minor: i64) -> Money {
        Money(minor)
    }

    /// The number of minor units.
    #[must_use]
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// Below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Above zero.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Sum, or `None` beyond what an amount can hold.
    #[must_use]
    pub const fn checked_add(self, other: Money) -> Option<Money> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Money(sum)),
            None => None,
        }
    }

    /// Difference, or `None` beyond what an amount can hold.
    #[must_use]
    pub const fn checked_sub(self, other: Money) -> Option<Money> {
        match self.0.checked_sub(other.0) {
            Some(difference) => Some(Money(difference)),
            None => None,
        }
    }
}

/// A currency: its code and how many decimals its minor unit has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, derive_more::Display, derive_more::Debug)]
#[display("{}", self.code())]
#[debug("{}", self.code())]
pub struct Currency {
    code: [u8; 3],
    decimals: u8,
}

/// Why a text is not an amount.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// Not digits with an optional decimal part.
    #[error("{0:?} is not an amount: write digits with an optional decimal part, e.g. 2.50")]
    NotANumber(String),
    /// More decimals than the currency has.
    #[error("{text:?} has too many decimals: {code} has {decimals}")]
    TooManyDecimals {
        /// What was given.
        text: String,
        /// Code of the currency.
        code: String,
        /// Decimals it allows.
        decimals: u8,
    },
    /// Beyond the largest amount.
    #[error("{text:?} is too large: the largest amount is {max}")]
    TooLarge {
        /// What was given.
        text: String,
        /// The largest amount, in the same currency.
        max: String,
    },
}

impl Currency {
    /// Singapore dollar, two decimals.
    pub const SGD: Currency = Currency {
        code: *b"SGD",
        decimals: 2,
    };
    /// Vietnamese đồng, no decimals (P-052).
    pub const VND: Currency = Currency {
        code: *b"VND",
        decimals: 0,
    };
    /// United States dollar, two decimals.
    pub const USD: Currency = Currency {
        code: *b"USD",
        decimals: 2,
    };
    /// Hong Kong dollar, two decimals.
    pub const HKD: Currency = Currency {
        code: *b"HKD",
        decimals: 2,
    };
    /// Macau pataca, two decimals.
    pub const MOP: Currency = Currency {
        code: *b"MOP",
        decimals: 2,
    };

    /// The currencies that can be named by code alone.
    pub const KNOWN: [Currency; 5] = [
        Currency::SGD,
        Currency::VND,
        Currency::USD,
        Currency::HKD,
        Currency::MOP,
    ];

    /// A currency of three capital letters with up to four decimals.
    #[must_use]
    pub fn new(code: &str, decimals: u8) -> Option<Currency> {
        let code: [u8; 3] = code.as_bytes().try_into().ok()?;
        let valid = code.iter().all(u8::is_ascii_uppercase) && decimals <= 4;
        valid.then_some(Currency { code, decimals })
    }

    /// One of the [`Currency::KNOWN`].
    #[must_use]
    pub fn from_code(code: &str) -> Option<Currency> {
        Currency::KNOWN
            .into_iter()
            .find(|currency| currency.code() == code)
    }

    /// The three letters.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or("???")
    }

    /// How many decimals the minor unit has.
    #[must_use]
    pub const fn decimals(&self) -> u8 {
        self.decimals
    }

    fn scale(self) -> i64 {
        10_i64.pow(u32::from(self.decimals))
    }

    /// `2.50`, always with all decimals of the currency.
    #[must_use]
    pub fn format(self, amount: Money) -> String {
        let sign = if amount.is_negative() { "-" } else { "" };
        let minor = amount.minor().unsigned_abs();
        let scale = self.scale().unsigned_abs();
        match self.decimals {
            0 => format!("{sign}{minor}"),
            decimals => format!(
                "{sign}{}.{:0width$}",
                minor / scale,
                minor % scale,
                width = usize::from(decimals)
            ),
        }
    }

    /// Reads `2.50`, `2.5` or `2`; never rounds, never negative.
    ///
    /// # Errors
    /// When the text is no plain decimal number, is finer than the currency, or too large.
    pub fn parse(self, text: &str) -> Result<Money, AmountError> {
        let short = || text.chars().take(40).collect::<String>();
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let written = !whole.is_empty() && digits(whole) && digits(fraction);
        if !written || (text.contains('.') && fraction.is_empty()) {
            return Err(AmountError::NotANumber(short()));
        }
        if fraction.len() > usize::from(self.decimals) {
            return Err(AmountError::TooManyDecimals {
                text: short(),
                code: self.code().to_owned(),
                decimals: self.decimals,
            });
        }
        let too_large = || AmountError::TooLarge {
            text: short(),
            max: self.format(Money::MAX),
        };
        let padded = format!(
            "{whole}{fraction:0<width$}",
            width = usize::from(self.decimals)
        );
        let significant = padded.trim_start_matches('0');
        let minor: i64 = match significant {
            "" => 0,
            digits => digits.parse().map_err(|_| too_large())?,
        };
        if minor > Money::MAX.minor() {
            Err(too_large())
        } else {
            Ok(Money(minor))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_round_trip_and_never_round() {
        for (text, minor, printed) in [
            ("0", 0, "0.00"),
            ("2.5", 250, "2.50"),
            ("2.50", 250, "2.50"),
            ("0.01", 1, "0.01"),
            ("007", 700, "7.00"),
            (
                "90071992547409.91",
                9_007_199_254_740_991,
                "90071992547409.91",
            ),
        ] {
            let money = Currency::SGD.parse(text).unwrap();
            assert_eq!(money.minor(), minor);
            assert_eq!(Currency::SGD.format(money), printed);
        }
        assert_eq!(Currency::VND.parse("50000").unwrap().minor(), 50_000);
        assert_eq!(Currency::SGD.format(Money::from_minor(-5)), "-0.05");
    }

    #[test]
    fn bad_amounts_are_refused_with_the_reason() {
        for (text, hint) in [
            ("", "digits"),
            ("-1", "digits"),
            ("+1", "digits"),
            ("1e30", "digits"),
            ("1.", "digits"),
            (".5", "digits"),
            ("1,5", "digits"),
            ("NaN", "digits"),
            ("1.234", "too many decimals"),
            ("99999999999999999999", "too large"),
            ("90071992547409.92", "too large"),
        ] {
            let error = Currency::SGD.parse(text).unwrap_err().to_string();
            assert!(error.contains(hint), "{text}: {error}");
        }
        assert!(Currency::VND.parse("1.5").is_err());
    }
}
