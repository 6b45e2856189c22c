//! The table's accounts: double entry, every posting from one account to another.
//!
//! A posting takes from one and gives to another, so all accounts always sum
//! to zero; [`crate::Table::check`] verifies it from the figures themselves.
//! Stakes, payments and returned stakes are postings like all other money: a
//! stake is one for each line, the end of a round at most four for each station.

use sicbo_rules::Money;

use crate::ids::StationId;

sicbo_rules::worded! {
    /// An account.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Account: key {
        /// The house's own money at terminals, and cash received at the table.
        HouseBank = "house-bank",
        /// Free credit of a station.
        Credit(StationId) = "credit",
        /// Staked in the open round.
        AtRisk(StationId) = "at-risk",
        /// Vouchers issued and not redeemed here.
        Vouchers = "vouchers",
        /// Cash put into acceptors and the drop box; negative by what came in.
        Drop = "drop",
        /// Money that came from or went to the cage.
        Cage = "cage",
        /// The chip rack.
        ChipFloat = "chip-float",
        /// Chips in players' hands.
        ChipsOutstanding = "chips-outstanding",
        /// The tip box.
        Tips = "tips",
        /// Overpayments that may be recovered; negative by what is still owed.
        Recoverable = "recoverable",
        /// Credits owed to players who have left.
        Unclaimed = "unclaimed",
        /// Other side of manual adjustments.
        Adjustments = "adjustments",
    }
}

/// A posting: takes from one account what it gives to another. No money moves
/// otherwise.
#[inline]
pub(crate) fn post(from: &mut Money, to: &mut Money, amount: Money) {
    assert!(!amount.is_negative(), "a posting below zero");
    *from -= amount;
    *to += amount;
}

/// The accounts that belong to no station.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Books {
    /// See [`Account::HouseBank`].
    pub house_bank: Money,
    /// See [`Account::Vouchers`].
    pub vouchers: Money,
    /// See [`Account::Drop`].
    pub drop: Money,
    /// See [`Account::Cage`].
    pub cage: Money,
    /// See [`Account::ChipFloat`].
    pub chip_float: Money,
    /// See [`Account::ChipsOutstanding`].
    pub chips_outstanding: Money,
    /// See [`Account::Tips`].
    pub tips: Money,
    /// See [`Account::Recoverable`].
    pub recoverable: Money,
    /// See [`Account::Unclaimed`].
    pub unclaimed: Money,
    /// See [`Account::Adjustments`].
    pub adjustments: Money,
    /// Chips that came to the rack from the cage less those sent back; part of the cage account.
    pub fills: Money,
}

impl Books {
    /// All of them together.
    #[must_use]
    pub fn sum(&self) -> Money {
        self.house_bank
            + self.vouchers
            + self.drop
            + self.cage
            + self.chip_float
            + self.chips_outstanding
            + self.tips
            + self.recoverable
            + self.unclaimed
            + self.adjustments
    }

    /// What the house has won: its bank and rack, less the chips it was given.
    #[must_use]
    pub fn house_win(&self) -> Money {
        self.house_bank + self.chip_float - self.fills
    }
}
