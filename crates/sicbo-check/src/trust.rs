//! Whose word is believed: the house's first public key, known from elsewhere.
//!
//! A journal brings its own public keys. They prove that one house wrote it,
//! not which: whoever verifies for others says which house it must be.

use sicbo_journal::{KeyRing, PublicKey};

/// Fewest digits of a fingerprint that are worth comparing: 64 bits.
pub const FINGERPRINT_DIGITS: usize = 16;

/// Whose journal it must be.
#[derive(Clone, Debug, Default)]
pub enum Trust {
    /// Nobody in particular: whatever house the journal names.
    #[default]
    Anyone,
    /// The house with this first key.
    Key(PublicKey),
    /// The house whose fingerprint begins so, in lower-case hexadecimal.
    Fingerprint(String),
}

/// Why a fingerprint or a house is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrustError {
    /// The fingerprint given is none.
    #[error(
        "a fingerprint has 64 hexadecimal digits, of which at least the first {FINGERPRINT_DIGITS} \
         must be given"
    )]
    NotAFingerprint,
    /// Another house wrote it.
    #[error("it is of house {found}, not of {expected}")]
    AnotherHouse {
        /// The house that was asked for.
        expected: String,
        /// The house it is of.
        found: String,
    },
}

impl Trust {
    /// Reads a fingerprint; spaces and colons between digits are passed over.
    ///
    /// # Errors
    /// When it is too short, too long or not hexadecimal.
    pub fn fingerprint(text: &str) -> Result<Trust, TrustError> {
        let digits: String = text
            .chars()
            .filter(|c| !matches!(c, ' ' | ':'))
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let fits = (FINGERPRINT_DIGITS..=64).contains(&digits.len());
        if fits && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            Ok(Trust::Fingerprint(digits))
        } else {
            Err(TrustError::NotAFingerprint)
        }
    }

    /// Somebody in particular is asked for.
    #[must_use]
    pub fn is_given(&self) -> bool {
        !matches!(self, Trust::Anyone)
    }

    /// Whether these are the keys of the house asked for.
    ///
    /// # Errors
    /// The house asked for and the house found.
    pub fn check(&self, ring: &KeyRing) -> Result<(), TrustError> {
        let found = ring.house().to_string();
        let expected = match self {
            Trust::Anyone => return Ok(()),
            Trust::Key(key) => key.id().to_string(),
            Trust::Fingerprint(digits) => digits.clone(),
        };
        if found.starts_with(&expected) {
            Ok(())
        } else {
            Err(TrustError::AnotherHouse { expected, found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sicbo_journal::HouseKey;

    #[test]
    fn a_fingerprint_is_compared_from_its_start() {
        let key = HouseKey::from_entropy(&[7; 32]);
        let ring = KeyRing::new(key.public());
        let whole = ring.house().to_string();
        let spaced = format!("{} {}", &whole[..8].to_uppercase(), &whole[8..20]);
        for good in [&whole[..], &whole[..16], &spaced] {
            let trust = Trust::fingerprint(good);
            assert_eq!(trust.map(|trust| trust.check(&ring)), Ok(Ok(())), "{good}");
        }
        assert!(Trust::Key(key.public()).check(&ring).is_ok());
        let other = HouseKey::from_entropy(&[8; 32]).public();
        assert!(Trust::Key(other).check(&ring).is_err());
        for bad in [
            "",
            "abc",
            &whole[..15],
            &format!("{whole}0"),
            "zzzzzzzzzzzzzzzzzz",
        ] {
            assert!(Trust::fingerprint(bad).is_err(), "{bad}");
        }
    }
}
