//! How likely each of the 216 outcomes is: equally, or as given weights of the
//! faces have it. Weights are whole numbers, so that nothing is rounded.

use std::str::FromStr;

use serde::Serialize;
use sicbo_rules::{Outcome, Ratio};

/// The weight of each outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loading {
    weights: [u64; Outcome::COUNT],
    all: u64,
    /// Weights of the faces of the three dice, as given; `None` when fair.
    dice: Option<[FaceWeights; 3]>,
}

/// The weights of the six faces of one die.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct FaceWeights([u32; 6]);

/// Why a text gives no weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a set of weights: give six numbers, one for each face, e.g. 1,1,1,1,1,1.1")]
pub struct FacesError(String);

/// The weights of one die add up to at most this, so that those of three dice
/// stay exact in 64 bits.
const MAX_SUM: u64 = 10_000;

impl FromStr for FaceWeights {
    type Err = FacesError;

    /// Reads six decimal numbers; only their proportions matter.
    fn from_str(text: &str) -> Result<FaceWeights, FacesError> {
        let refuse = || FacesError(text.chars().take(60).collect());
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let decimals = parts
            .iter()
            .map(|part| {
                part.split_once('.')
                    .map_or(0, |(_, fraction)| fraction.len())
            })
            .max()
            .unwrap_or(0);
        if parts.len() != 6 || decimals > 9 {
            return Err(refuse());
        }
        let mut whole = [0u64; 6];
        for (slot, part) in whole.iter_mut().zip(&parts) {
            let (digits, fraction) = part.split_once('.').unwrap_or((part, ""));
            let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if digits.is_empty() || digits.len() > 9 || !plain(digits) || !plain(fraction) {
                return Err(refuse());
            }
            let text = format!("{digits}{fraction:0<decimals$}");
            *slot = text.parse().map_err(|_| refuse())?;
        }
        let divisor = whole.iter().copied().fold(0, num_integer::gcd);
        if divisor == 0 {
            return Err(refuse());
        }
        let reduced = whole.map(|weight| weight / divisor);
        if reduced.iter().sum::<u64>() > MAX_SUM {
            return Err(FacesError(format!(
                "{} (too fine: at most about four digits)",
                text.chars().take(60).collect::<String>()
            )));
        }
        Ok(FaceWeights(reduced.map(|weight| weight as u32)))
    }
}

impl Loading {
    /// Fair dice: every outcome once.
    #[must_use]
    pub const fn fair() -> Loading {
        Loading {
            weights: [1; Outcome::COUNT],
            all: Outcome::COUNT as u64,
            dice: None,
        }
    }

    /// Dice with these weights of their faces.
    #[must_use]
    pub fn of(dice: [FaceWeights; 3]) -> Loading {
        let mut weights = [0; Outcome::COUNT];
        for outcome in Outcome::all() {
            let faces = outcome.dice().faces();
            weights[outcome.index()] = faces
                .iter()
                .zip(&dice)
                .map(|(face, die)| u64::from(die.0[usize::from(*face) - 1]))
                .product();
        }
        let divisor = weights.iter().copied().fold(0, num_integer::gcd).max(1);
        let weights = weights.map(|weight| weight / divisor);
        Loading {
            weights,
            all: weights.iter().sum(),
            dice: Some(dice),
        }
    }

    /// The weight of each outcome, in the order of [`Outcome::all`].
    #[must_use]
    pub const fn weights(&self) -> &[u64; Outcome::COUNT] {
        &self.weights
    }

    /// All weights together.
    #[must_use]
    pub const fn all(&self) -> u64 {
        self.all
    }

    /// Every outcome is equally likely.
    #[must_use]
    pub fn is_fair(&self) -> bool {
        self.weights.iter().all(|weight| *weight == self.weights[0])
    }

    /// The weights of the faces of the three dice, where they were given.
    #[must_use]
    pub const fn dice(&self) -> Option<&[FaceWeights; 3]> {
        self.dice.as_ref()
    }

    /// The chance of an outcome for which `is` holds.
    #[must_use]
    pub fn chance(&self, is: impl Fn(usize) -> bool) -> Ratio {
        let sum: u128 = (0..Outcome::COUNT)
            .filter(|index| is(*index))
            .map(|index| u128::from(self.weights[index]))
            .sum();
        Ratio::new(sum.cast_signed(), i128::from(self.all))
    }

    /// In words, where the dice are not fair.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let dice = self.dice.as_ref()?;
        let one = |die: &FaceWeights| die.0.map(|weight| weight.to_string()).join(":");
        Some(if dice[0] == dice[1] && dice[1] == dice[2] {
            format!("faces weighted {} on all dice", one(&dice[0]))
        } else {
            format!(
                "faces weighted {}, {} and {} on the three dice",
                one(&dice[0]),
                one(&dice[1]),
                one(&dice[2])
            )
        })
    }
}
