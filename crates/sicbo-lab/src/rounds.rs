//! A number of rounds, as written by a person: `1000`, `1_000_000` or `1e9`.

use std::str::FromStr;

/// A number of rounds that can be played: at least one, at most 10^15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, derive_more::Display)]
#[display("{_0}")]
pub struct Rounds(u64);

/// The most rounds of one run. At three billion a second on one core this is
/// four days; every sum stays exact far beyond it.
pub const MAX_ROUNDS: u64 = 1_000_000_000_000_000;

/// Why a text is no number of rounds.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RoundsError {
    /// Not a number at all.
    #[error("{0:?} is not a number of rounds: write a whole number such as 1000000 or 1e6")]
    NotANumber(String),
    /// Below one.
    #[error("{0:?} rounds cannot be played: give a whole number from 1 to 1e15")]
    TooFew(String),
    /// A fraction of a round.
    #[error("{0:?} is not a whole number of rounds: give a whole number from 1 to 1e15")]
    Fraction(String),
    /// More than can be played.
    #[error(
        "{0:?} rounds are too many: up to 1e15 are possible, about four days on one core at 3e9 per second"
    )]
    TooMany(String),
}

impl Rounds {
    /// That many rounds, if it can be played.
    #[must_use]
    pub const fn new(rounds: u64) -> Option<Rounds> {
        if rounds >= 1 && rounds <= MAX_ROUNDS {
            Some(Rounds(rounds))
        } else {
            None
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl FromStr for Rounds {
    type Err = RoundsError;

    fn from_str(text: &str) -> Result<Rounds, RoundsError> {
        let short = || text.chars().take(40).collect::<String>();
        let not_a_number = || RoundsError::NotANumber(short());
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let plain = unsigned.replace('_', "");
        let (mantissa, exponent) = match plain.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
                (
                    mantissa,
                    exponent.parse::<i32>().map_err(|_| not_a_number())?,
                )
            }
            None => (plain.as_str(), 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if whole.is_empty() || digits.len() > 60 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(not_a_number());
        }
        // The value is `digits` times ten to the power of `shift`.
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() || negative {
            return Err(RoundsError::TooFew(short()));
        }
        let significant = digits.trim_end_matches('0');
        let dropped = (digits.len() - significant.len()) as i64;
        let shift = i64::from(exponent) - fraction.len() as i64 + dropped;
        if shift < 0 {
            return Err(RoundsError::Fraction(short()));
        }
        if significant.len() as i64 + shift > 16 {
            return Err(RoundsError::TooMany(short()));
        }
        let base: u64 = significant.parse().map_err(|_| not_a_number())?;
        Rounds::new(base * 10u64.pow(shift as u32)).ok_or_else(|| RoundsError::TooMany(short()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_read() {
        for (text, rounds) in [
            ("1", 1),
            ("1000", 1000),
            ("1_000_000", 1_000_000),
            ("1e9", 1_000_000_000),
            ("2.5e6", 2_500_000),
            ("1E+3", 1000),
            ("5000e-3", 5),
            ("1e15", MAX_ROUNDS),
            ("1000000000000000", MAX_ROUNDS),
        ] {
            assert_eq!(text.parse::<Rounds>().unwrap().get(), rounds, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_what_can() {
        for (text, hint) in [
            ("", "whole number such as"),
            ("many", "whole number such as"),
            ("1e", "whole number such as"),
            ("1e99999999999", "whole number such as"),
            ("0x10", "whole number such as"),
            ("0", "from 1 to 1e15"),
            ("0e5", "from 1 to 1e15"),
            ("-5", "from 1 to 1e15"),
            ("-1e9", "from 1 to 1e15"),
            ("1.5", "not a whole number"),
            ("1e-3", "not a whole number"),
            ("2.55e1", "not a whole number"),
            ("1e20", "up to 1e15"),
            ("1000000000000001", "up to 1e15"),
            ("99999999999999999999", "up to 1e15"),
            ("1e2000000000", "up to 1e15"),
        ] {
            let error = text.parse::<Rounds>().unwrap_err().to_string();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
