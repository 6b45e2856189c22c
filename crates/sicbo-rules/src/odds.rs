//! Odds: profit to one, exact, in halves.

use std::fmt;
use std::str::FromStr;

use crate::Ratio;

/// Profit paid for a stake of one, e.g. `64` or `8.5`. The stake comes back in addition.
///
/// No document pays anything finer than a half, so odds are counted in halves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Debug)]
#[debug("{self}")]
pub struct Odds {
    halves: u16,
}

/// Why a text is not odds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not odds: give the profit to 1 as a whole number or a half from 0.5 to 10000, e.g. 64 or 8.5"
)]
pub struct OddsError(String);

impl Odds {
    /// The most that odds may be; keeps every product of stake and odds within an `i64`.
    pub const MAX_HALVES: u16 = 20_000;

    /// Odds of that many halves to 1, from one half to 10,000.
    #[must_use]
    pub const fn from_halves(halves: u16) -> Option<Odds> {
        if halves >= 1 && halves <= Self::MAX_HALVES {
            Some(Odds { halves })
        } else {
            None
        }
    }

    /// Twice the odds, always a whole number.
    #[must_use]
    pub const fn halves(self) -> u16 {
        self.halves
    }

    /// What comes back in all for a stake of one half unit: profit and stake, in halves.
    #[must_use]
    pub const fn gross_halves(self) -> u16 {
        self.halves + 2
    }

    /// The odds as an exact ratio.
    #[must_use]
    pub fn ratio(self) -> Ratio {
        Ratio::new(i128::from(self.halves), 2)
    }

    /// As layouts print it: `8 1/2`.
    #[must_use]
    pub fn printed(self) -> String {
        match (self.halves / 2, self.halves % 2) {
            (0, _) => "1/2".to_owned(),
            (whole, 0) => whole.to_string(),
            (whole, _) => format!("{whole} 1/2"),
        }
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.halves / 2)?;
        if self.halves % 2 == 1 {
            f.write_str(".5")
        } else {
            Ok(())
        }
    }
}

impl FromStr for Odds {
    type Err = OddsError;

    /// Reads `64` and `8.5`, nothing else: a pay table cell has one spelling.
    fn from_str(text: &str) -> Result<Odds, OddsError> {
        let refuse = || OddsError(text.chars().take(40).collect());
        let (whole, half) = match text.strip_suffix(".5") {
            Some(whole) => (whole, 1),
            None => (text, 0),
        };
        let plain = !whole.is_empty()
            && whole.bytes().all(|byte| byte.is_ascii_digit())
            && (whole == "0" || !whole.starts_with('0'));
        if !plain {
            return Err(refuse());
        }
        let whole: u16 = whole.parse().map_err(|_| refuse())?;
        whole
            .checked_mul(2)
            .and_then(|halves| Odds::from_halves(halves + half))
            .ok_or_else(refuse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_odds_has_one_spelling() {
        for halves in 1..=Odds::MAX_HALVES {
            let odds = Odds::from_halves(halves).unwrap();
            assert_eq!(odds.to_string().parse::<Odds>().unwrap(), odds);
        }
        for bad in [
            "", "0", "8.50", "8.25", "-1", "+1", "1e3", "8 1/2", "08", "10001", "99999", ".5",
        ] {
            assert!(bad.parse::<Odds>().is_err(), "{bad}");
        }
    }

    #[test]
    fn r_114_half_odds_print_as_on_the_layouts() {
        let printed = |text: &str| text.parse::<Odds>().unwrap().printed();
        assert_eq!(printed("11.5"), "11 1/2");
        assert_eq!(printed("64"), "64");
        assert_eq!(printed("0.5"), "1/2");
    }
}
