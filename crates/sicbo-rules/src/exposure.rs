//! Live exposure: what the house would have to pay on each possible result,
//! kept up to date bet by bet.
//!
//! The order of the dice decides no bet, so the 216 outcomes fall into
//! 56 combinations that pay alike. Keeping 56 sums instead of 216 makes adding
//! a bet and finding the worst result cost a few dozen nanoseconds.

use std::sync::LazyLock;

use crate::dice::{Dice, Outcome};
use crate::layout::Layout;
use crate::money::Money;
use crate::section::Section;

/// The different results of three dice when order is ignored.
pub const COMBINATIONS: usize = 56;

/// Padded so that the loops over it divide into vectors evenly.
const WIDTH: usize = 64;

/// Number of each outcome's combination, and one outcome of each combination.
static COMBINATION: LazyLock<([u8; Outcome::COUNT], [Dice; COMBINATIONS])> = LazyLock::new(|| {
    let mut of = [0u8; Outcome::COUNT];
    let mut dice = Vec::with_capacity(COMBINATIONS);
    for outcome in Outcome::all() {
        let sorted = outcome.dice().sorted();
        if sorted == outcome.dice() {
            dice.push(sorted);
        }
    }
    for outcome in Outcome::all() {
        let sorted = outcome.dice().sorted();
        let at = dice
            .iter()
            .position(|known| *known == sorted)
            .unwrap_or_default();
        of[outcome.index()] = at as u8;
    }
    let dice: [Dice; COMBINATIONS] = dice.try_into().unwrap_or(
        [Outcome::all()
            .next()
            .map_or_else(|| unreachable!("there are 216 outcomes"), Outcome::dice);
            COMBINATIONS],
    );
    (of, dice)
});

/// The combinations, each as its dice from lowest to highest.
#[must_use]
pub fn combinations() -> &'static [Dice; COMBINATIONS] {
    &COMBINATION.1
}

/// What each section of one layout returns on each combination, in halves of the stake.
#[derive(Clone, PartialEq, Eq)]
pub struct ExposureTable {
    columns: Vec<[u16; WIDTH]>,
}

impl std::fmt::Debug for ExposureTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ExposureTable({} sections)", self.columns.len())
    }
}

impl ExposureTable {
    /// Compiles the table of a layout.
    #[must_use]
    pub fn of(layout: &Layout) -> ExposureTable {
        let columns = Section::ALL
            .iter()
            .map(|section| {
                let mut column = [0; WIDTH];
                for (cell, dice) in column.iter_mut().zip(combinations()) {
                    *cell = layout.settlement().row(*dice)[section.index()];
                }
                column
            })
            .collect();
        ExposureTable { columns }
    }
}

/// What would be paid on each combination for all stakes so far.
#[derive(Clone, PartialEq, Eq)]
pub struct Exposure {
    /// Gross returns, doubled so that half odds stay whole.
    returned_twice: [i64; WIDTH],
    staked: Money,
}

impl Default for Exposure {
    fn default() -> Self {
        Exposure {
            returned_twice: [0; WIDTH],
            staked: Money::ZERO,
        }
    }
}

impl std::fmt::Debug for Exposure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Exposure(staked {:?}, worst {:?})",
            self.staked,
            self.worst_loss()
        )
    }
}

impl Exposure {
    /// Adds a stake; a negative one takes it away again.
    pub fn add(&mut self, table: &ExposureTable, section: Section, stake: Money) {
        let column = &table.columns[section.index()];
        for (sum, halves) in self.returned_twice.iter_mut().zip(column) {
            *sum += stake.minor() * i64::from(*halves);
        }
        self.staked += stake;
    }

    /// All stakes together.
    #[must_use]
    pub const fn staked(&self) -> Money {
        self.staked
    }

    /// The most the house can lose on the round; negative when it wins whatever falls.
    #[must_use]
    pub fn worst_loss(&self) -> Money {
        let most = self.returned_twice[..COMBINATIONS]
            .iter()
            .copied()
            .max()
            .unwrap_or(0);
        // Rounded up, against the house: an odd half can only stand here for a
        // stake that no table accepts.
        Money::from_minor((most + 1) / 2) - self.staked
    }

    /// The most the house could lose if one more stake were added.
    #[must_use]
    pub fn worst_loss_with(&self, table: &ExposureTable, section: Section, stake: Money) -> Money {
        let column = &table.columns[section.index()];
        let mut most = i64::MIN;
        for (sum, halves) in self.returned_twice[..COMBINATIONS].iter().zip(column) {
            most = most.max(sum + stake.minor() * i64::from(*halves));
        }
        Money::from_minor((most + 1) / 2) - self.staked - stake
    }

    /// House result by outcome, in the order of [`Outcome::all`].
    #[must_use]
    pub fn by_outcome(&self) -> Vec<Money> {
        Outcome::all()
            .map(|outcome| {
                let combination = usize::from(COMBINATION.0[outcome.index()]);
                self.staked - Money::from_minor(self.returned_twice[combination] / 2)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::{Profile, Stakes};
    use crate::rulebook::RuleBook;

    #[test]
    fn live_exposure_equals_the_profile_of_all_outcomes() {
        for book in RuleBook::all() {
            for layout in &book.layouts {
                let table = ExposureTable::of(layout);
                let mut exposure = Exposure::default();
                let mut stakes = Stakes::default();
                for (i, section) in layout.sections().enumerate() {
                    let stake = Money::from_minor(100 * (i as i64 % 7 + 1));
                    let foreseen = exposure.worst_loss_with(&table, section, stake);
                    exposure.add(&table, section, stake);
                    assert_eq!(foreseen, exposure.worst_loss());
                    stakes.add(section, stake).unwrap();
                }
                let profile = Profile::of(layout, &stakes).unwrap();
                assert_eq!(exposure.by_outcome(), profile.by_outcome);
                assert_eq!(exposure.worst_loss(), -profile.worst().0);
            }
        }
    }
}
