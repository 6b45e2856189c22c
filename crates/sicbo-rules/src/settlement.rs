//! Settlement: what comes back for a stake on a section when the dice lie.
//!
//! Compiled once per layout into a flat table, so that settling a round reads
//! one row: the dice choose the row, the section the cell. A cell holds what
//! comes back in all, stake included, in halves of the stake; 0 is a lost bet.

use crate::dice::{Dice, Outcome};
use crate::money::Money;
use crate::odds::Odds;
use crate::pay_table::Pays;
use crate::section::Section;

/// Sections in a row, padded to a power of two so that a section's number is
/// always inside the row.
pub const ROW: usize = 128;

/// What comes back, by outcome and section.
#[derive(Clone, PartialEq, Eq)]
pub struct Settlement {
    rows: Vec<[u16; ROW]>,
}

impl std::fmt::Debug for Settlement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Settlement({} rows)", self.rows.len())
    }
}

/// A stake that cannot be settled exactly. A table never accepts such a stake;
/// the error is for callers that settle stakes no table has checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stake of {stake_minor} minor units cannot be paid exactly")]
pub struct Inexact {
    /// The stake.
    pub stake_minor: i64,
}

/// Bets of one round, column by column: the bet at a position is the account,
/// the section and the stake at that position.
#[derive(Clone, Copy, Debug)]
pub struct BetColumns<'a> {
    /// Position of the bettor's account among the balances.
    pub accounts: &'a [u32],
    /// What was bet on.
    pub sections: &'a [Section],
    /// How much.
    pub stakes: &'a [Money],
}

/// The largest stake that any odds can multiply without leaving an `i64`.
const LARGEST_STAKE: i64 = i64::MAX / (Odds::MAX_HALVES as i64 + 2);

impl Settlement {
    pub(crate) fn compile(pays: &[Option<Pays>]) -> Settlement {
        let rows = Outcome::all()
            .map(|outcome| {
                let mut row = [0u16; ROW];
                for section in Section::ALL {
                    let paid = pays[section.index()]
                        .as_ref()
                        .and_then(|pays| pays.line(section.hits(outcome.dice())));
                    if let Some(line) = paid {
                        row[section.index()] = line.is.gross_halves();
                    }
                }
                row
            })
            .collect();
        Settlement { rows }
    }

    /// The row of an outcome: halves of the stake returned, by section number.
    #[must_use]
    pub fn row(&self, dice: Dice) -> &[u16; ROW] {
        &self.rows[dice.outcome().index()]
    }

    /// What comes back in all for `stake` on `section`.
    ///
    /// # Errors
    /// When the amount is no whole number of minor units, or beyond what money can hold.
    pub fn returned(&self, dice: Dice, section: Section, stake: Money) -> Result<Money, Inexact> {
        let inexact = Inexact {
            stake_minor: stake.minor(),
        };
        let halves = i64::from(self.row(dice)[section.index()]);
        let doubled = stake.minor().checked_mul(halves).ok_or(inexact)?;
        if doubled % 2 == 0 {
            Ok(Money::from_minor(doubled / 2))
        } else {
            Err(inexact)
        }
    }

    /// Settles a round's bets and credits what comes back to the accounts they
    /// belong to. Gives the sum of all that came back.
    ///
    /// # Errors
    /// When a stake cannot be paid exactly, is negative, or is beyond what can
    /// be settled. All stakes are looked at before the first account is
    /// credited, so a batch is credited whole or not at all.
    ///
    /// # Panics
    /// When the columns are not of one length, a bet names an account that is
    /// not there, or a balance would be beyond what money can hold: bugs of the
    /// caller, which must not be paid out.
    pub fn credit(
        &self,
        dice: Dice,
        bets: &BetColumns<'_>,
        balances: &mut [Money],
    ) -> Result<Money, Inexact> {
        let BetColumns {
            accounts,
            sections,
            stakes,
        } = *bets;
        assert!(
            accounts.len() == sections.len() && sections.len() == stakes.len(),
            "bet columns of different lengths"
        );
        let row = self.row(dice);
        // The mask changes nothing (a section is below 104) and saves a bounds check.
        let halves = |section: Section| i64::from(row[section.index() & (ROW - 1)]);
        let bad = |section: Section, stake: Money| {
            let odd = stake.minor() & halves(section) & 1 != 0;
            let out_of_range = stake.minor().cast_unsigned() > LARGEST_STAKE.cast_unsigned();
            odd | out_of_range
        };
        let mut any_bad = false;
        for (section, stake) in sections.iter().zip(stakes) {
            any_bad |= bad(*section, *stake);
        }
        if any_bad {
            let first = sections.iter().zip(stakes).find(|(a, b)| bad(**a, **b));
            return Err(Inexact {
                stake_minor: first.map_or(0, |(_, stake)| stake.minor()),
            });
        }
        let mut sum = Money::ZERO;
        for ((account, section), stake) in accounts.iter().zip(sections).zip(stakes) {
            // Cannot overflow below LARGEST_STAKE, and is even: both seen above.
            let returned = Money::from_minor(stake.minor().wrapping_mul(halves(*section)) >> 1);
            balances[*account as usize] += returned;
            sum += returned;
        }
        Ok(sum)
    }

    /// The sections that win on these dice, in stable order: those that light up.
    pub fn lit(&self, dice: Dice) -> impl Iterator<Item = Section> + '_ {
        let row = self.row(dice);
        Section::ALL
            .into_iter()
            .filter(|section| row[section.index()] > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::find_layout;

    /// A batch is what its bets are one by one, for every outcome and section.
    #[test]
    fn a_batch_credits_what_single_bets_return() {
        for name in ["rws-etg/a", "rws-etg/b", "mbs-table/a", "quang-nam-table/a"] {
            let (_, layout) = find_layout(name).unwrap();
            let sections: Vec<Section> = layout.sections().collect();
            let accounts: Vec<u32> = (0..sections.len() as u32).map(|i| i % 7).collect();
            let stakes: Vec<Money> = (0..sections.len() as i64)
                .map(|i| Money::from_minor(2 * i + 2))
                .collect();
            let bets = BetColumns {
                accounts: &accounts,
                sections: &sections,
                stakes: &stakes,
            };
            for outcome in Outcome::all() {
                let dice = outcome.dice();
                let mut expected = [Money::from_minor(5); 7];
                let mut sum = Money::ZERO;
                for i in 0..sections.len() {
                    let back = layout.settlement().returned(dice, sections[i], stakes[i]);
                    expected[accounts[i] as usize] += back.unwrap();
                    sum += back.unwrap();
                }
                let mut balances = [Money::from_minor(5); 7];
                let credited = layout.settlement().credit(dice, &bets, &mut balances);
                assert_eq!(credited, Ok(sum));
                assert_eq!(balances, expected);
            }
        }
    }

    #[test]
    fn a_batch_with_one_bad_stake_credits_nobody() {
        let (_, layout) = find_layout("rws-etg/a").unwrap();
        let dice: Dice = "4,3,4".parse().unwrap();
        let sections: [Section; 2] = ["big".parse().unwrap(), "total:11".parse().unwrap()];
        for bad in [1, -2, i64::MIN, i64::MAX, LARGEST_STAKE + 1] {
            let mut balances = [Money::ZERO; 1];
            let bets = BetColumns {
                accounts: &[0, 0],
                sections: &sections,
                stakes: &[Money::from_minor(10), Money::from_minor(bad)],
            };
            let settled = layout.settlement().credit(dice, &bets, &mut balances);
            assert_eq!(settled, Err(Inexact { stake_minor: bad }));
            assert_eq!(balances, [Money::ZERO]);
        }
    }
}
