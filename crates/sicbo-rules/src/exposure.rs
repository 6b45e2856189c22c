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
use crate::odds::Odds;
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
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("ExposureTable({} sections)", columns.len())]
pub struct ExposureTable {
    columns: Vec<[u16; WIDTH]>,
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
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("Exposure(staked {staked:?}, worst {:?})", self.worst_loss())]
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

impl Exposure {
    /// The most that may be staked in all. No bet returns more than
    /// [`Odds::MAX_HALVES`] halves of its stake and the stake itself, so below
    /// this no sum here, nor any that is compared with one, can overflow. That
    /// lets the loops over the sums do without a check for each.
    pub const MAX_STAKED: Money = Money::from_minor(i64::MAX / (4 * (Odds::MAX_HALVES as i64 + 2)));

    /// Adds a stake; a negative one takes it away again.
    ///
    /// # Panics
    /// When the stakes go beyond [`Exposure::MAX_STAKED`]: a table never lets them.
    pub fn add(&mut self, table: &ExposureTable, section: Section, stake: Money) {
        let staked = self.staked + stake;
        assert!(
            !staked.is_negative() && staked <= Self::MAX_STAKED,
            "stakes beyond what a round may hold"
        );
        self.staked = staked;
        let (column, stake) = (&table.columns[section.index()], stake.minor());
        for (sum, halves) in self.returned_twice.iter_mut().zip(column) {
            *sum = sum.wrapping_add(stake.wrapping_mul(i64::from(*halves)));
        }
    }

    /// Whether the house could lose more than `maximum` if one more stake, which
    /// keeps within [`Exposure::MAX_STAKED`], were added.
    #[must_use]
    pub fn would_exceed(
        &self,
        table: &ExposureTable,
        section: Section,
        stake: Money,
        maximum: Money,
    ) -> bool {
        let staked = self.staked + stake;
        assert!(staked <= Self::MAX_STAKED, "stakes beyond a round");
        let (column, stake) = (&table.columns[section.index()], stake.minor());
        let allowed = maximum.min(Money::MAX).minor() * 2 + staked.minor() * 2;
        // One sign bit is enough to know, and signs are cheap to gather.
        let mut below = 0;
        for (sum, halves) in self.returned_twice[..COMBINATIONS].iter().zip(column) {
            let returned = sum.wrapping_add(stake.wrapping_mul(i64::from(*halves)));
            below |= allowed.wrapping_sub(returned);
        }
        below < 0
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
                    let exceeds = |maximum| exposure.would_exceed(&table, section, stake, maximum);
                    assert!(!exceeds(foreseen));
                    assert!(exceeds(foreseen - Money::from_minor(1)));
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
