//! Settlement: what comes back for a stake on a section when the dice lie.
//!
//! Compiled once per layout into a flat table, so that settling a round reads
//! one row: the dice choose the row, the section the cell. A cell holds what
//! comes back in all, stake included, in halves of the stake; 0 is a lost bet.

use crate::dice::{Dice, Outcome};
use crate::money::Money;
use crate::pay_table::Pays;
use crate::section::Section;

/// Sections in a row, padded to a power of two so that a section's number is
/// always inside the row.
pub const ROW: usize = 128;

/// What comes back, by outcome and section.
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("Settlement({} rows)", rows.len())]
pub struct Settlement {
    rows: Vec<[u16; ROW]>,
}

/// A stake that cannot be settled exactly. A table never accepts such a stake;
/// the error is for callers that settle stakes no table has checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stake of {stake_minor} minor units cannot be paid exactly")]
pub struct Inexact {
    /// The stake.
    pub stake_minor: i64,
}

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

    #[test]
    fn a_stake_that_cannot_be_paid_exactly_is_not_settled() {
        let (_, layout) = find_layout("rws-etg/a").unwrap();
        let dice: Dice = "4,3,4".parse().unwrap();
        let section: Section = "total:11".parse().unwrap();
        let returned = |minor| {
            let stake = Money::from_minor(minor);
            layout.settlement().returned(dice, section, stake)
        };
        assert_eq!(returned(2), Ok(Money::from_minor(15)));
        for bad in [1, i64::MIN, i64::MAX] {
            assert_eq!(returned(bad), Err(Inexact { stake_minor: bad }));
        }
    }
}
