//! What a house is, in its own journal: what it plays for, and check values of
//! its secrets. Written once and never changed, so that a file that was deleted,
//! damaged or taken from another house is noticed at the next start.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What a house is for, for as long as it exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum HouseKind {
    /// Its vouchers are worth money.
    RealMoney,
    /// A trial.
    PlayMoney,
    /// Lessons; nothing in it was ever played.
    Practice,
}

impl HouseKind {
    /// In words: `real money`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            HouseKind::RealMoney => "real money",
            HouseKind::PlayMoney => "play money",
            HouseKind::Practice => "practice",
        }
    }
}

/// The check value of a secret. It tells whether a secret is the same one and
/// nothing else about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SecretCheck(pub [u8; 32]);

impl SecretCheck {
    /// Of a secret that is kept in the file of this name.
    #[must_use]
    pub fn of(name: &str, secret: &[u8; 32]) -> SecretCheck {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
            unreachable!("HMAC takes keys of every length")
        };
        mac.update(b"sicbo secret check 1\0");
        mac.update(name.as_bytes());
        SecretCheck(mac.finalize().into_bytes().into())
    }
}

/// What a house is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// What it plays for.
    pub kind: HouseKind,
    /// Of the secret that keys the hashes of PINs.
    pub pins: SecretCheck,
    /// Of the secret that draws the numbers of vouchers.
    pub vouchers: SecretCheck,
    /// Of the secret that draws the seeds of simulated tumblers.
    pub tumblers: SecretCheck,
}
