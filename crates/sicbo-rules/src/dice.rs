//! A die, three dice as read, and the 216 equally likely outcomes.
//!
//! A `Die` cannot show anything but one to six; `Dice` always hold three.

use std::str::FromStr;

/// One die, showing one to six.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display, derive_more::Debug,
)]
#[display("{_0}")]
#[debug("{_0}")]
pub struct Die(u8);

impl Die {
    /// All faces, one to six.
    pub const ALL: [Die; 6] = [Die(1), Die(2), Die(3), Die(4), Die(5), Die(6)];

    /// A die showing `face`, or `None` when `face` is not 1 to 6.
    #[must_use]
    pub const fn new(face: u8) -> Option<Die> {
        if face >= 1 && face <= 6 {
            Some(Die(face))
        } else {
            None
        }
    }

    /// The face shown, 1 to 6.
    #[must_use]
    pub const fn face(self) -> u8 {
        self.0
    }

    /// The face against the table: opposite faces add to seven.
    #[must_use]
    pub const fn opposite(self) -> Die {
        Die(7 - self.0)
    }
}

/// Three dice in the order they were read.
///
/// The order decides no bet but is kept, because what was keyed is
/// evidence. Use [`Dice::sorted`] to show or call a result.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display, derive_more::Debug,
)]
#[display("{}-{}-{}", _0[0], _0[1], _0[2])]
#[debug("{self}")]
pub struct Dice([Die; 3]);

/// Why a text or a list of numbers is not three dice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{got} is not a reading of the dice: give three faces, each 1 to 6, e.g. 4,3,4")]
pub struct DiceError {
    got: String,
}

impl Dice {
    /// Three dice.
    #[must_use]
    pub const fn new(first: Die, second: Die, third: Die) -> Dice {
        Dice([first, second, third])
    }

    /// Three faces as numbers, or `None` when one of them is not 1 to 6.
    #[must_use]
    pub fn from_faces(faces: [u8; 3]) -> Option<Dice> {
        Some(Dice([
            Die::new(faces[0])?,
            Die::new(faces[1])?,
            Die::new(faces[2])?,
        ]))
    }

    /// The dice in the order they were read.
    #[must_use]
    pub const fn as_read(self) -> [Die; 3] {
        self.0
    }

    /// The faces in the order they were read.
    #[must_use]
    pub const fn faces(self) -> [u8; 3] {
        [self.0[0].0, self.0[1].0, self.0[2].0]
    }

    /// The same dice from lowest to highest, as a dealer calls them.
    #[must_use]
    pub fn sorted(self) -> Dice {
        let mut dice = self.0;
        dice.sort_unstable();
        Dice(dice)
    }

    /// Sum of the uppermost faces, 3 to 18.
    #[must_use]
    pub const fn total(self) -> u8 {
        self.0[0].0 + self.0[1].0 + self.0[2].0
    }

    /// All three dice show the same face.
    #[must_use]
    pub const fn is_triple(self) -> bool {
        self.0[0].0 == self.0[1].0 && self.0[1].0 == self.0[2].0
    }

    /// How many of the dice show `face`.
    #[must_use]
    pub const fn count(self, face: Die) -> u8 {
        (self.0[0].0 == face.0) as u8
            + (self.0[1].0 == face.0) as u8
            + (self.0[2].0 == face.0) as u8
    }

    /// Which of the 216 equally likely outcomes this is.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        Outcome((self.0[0].0 - 1) * 36 + (self.0[1].0 - 1) * 6 + (self.0[2].0 - 1))
    }
}

impl FromStr for Dice {
    type Err = DiceError;

    /// Reads `4,3,4` or `4-3-4` or `4 3 4`.
    fn from_str(text: &str) -> Result<Dice, DiceError> {
        let refuse = || DiceError {
            got: format!("{text:?}"),
        };
        let mut faces = [0u8; 3];
        let mut seen = 0;
        for part in text.split([',', '-', ' ']).filter(|part| !part.is_empty()) {
            let slot = faces.get_mut(seen).ok_or_else(refuse)?;
            // One digit only: "+4" or "04" is not what a dice key sends.
            *slot = match part.as_bytes() {
                [digit @ b'1'..=b'6'] => digit - b'0',
                _ => return Err(refuse()),
            };
            seen += 1;
        }
        if seen == 3 {
            Dice::from_faces(faces).ok_or_else(refuse)
        } else {
            Err(refuse())
        }
    }
}

/// One of the 216 equally likely ordered outcomes of three dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outcome(u8);

impl Outcome {
    /// How many there are.
    pub const COUNT: usize = 216;

    /// All 216, from 1-1-1 to 6-6-6.
    pub fn all() -> impl ExactSizeIterator<Item = Outcome> + Clone {
        (0..216u8).map(Outcome)
    }

    /// Position in [`Outcome::all`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The outcome at `index`, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Outcome> {
        if index < Self::COUNT {
            Some(Outcome(index as u8))
        } else {
            None
        }
    }

    /// The dice that make it.
    #[must_use]
    pub const fn dice(self) -> Dice {
        Dice([
            Die(self.0 / 36 + 1),
            Die(self.0 / 6 % 6 + 1),
            Die(self.0 % 6 + 1),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_and_dice_are_the_same_thing_said_twice() {
        for outcome in Outcome::all() {
            assert_eq!(outcome.dice().outcome(), outcome);
            assert_eq!(
                outcome.dice().to_string().parse::<Dice>().unwrap(),
                outcome.dice()
            );
        }
        assert_eq!(Outcome::all().len(), Outcome::COUNT);
    }

    #[test]
    fn bad_readings_say_what_is_allowed() {
        for text in [
            "", "1,2", "1,2,3,4", "0,1,2", "7,1,2", "1,2,x", "+1,2,3", "04,1,1", "1;2;3",
        ] {
            let error = text.parse::<Dice>().unwrap_err().to_string();
            assert!(error.contains("1 to 6"), "{text}: {error}");
        }
    }

    #[test]
    fn r_032_opposite_faces_add_to_seven() {
        for die in Die::ALL {
            assert_eq!(die.face() + die.opposite().face(), 7);
        }
    }
}
