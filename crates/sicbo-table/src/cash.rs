//! Money that staff move: how much one person may alone, how much two may, and what
//! the cage has yet to enter against it.
//!
//! In force from the record that says so. Whatever one person moved alone counts
//! until somebody else has counted it at the cage: many small amounts are no way
//! around a bound. What nobody has counted, or was counted otherwise, stands in the
//! report of exceptions.

use sicbo_rules::Money;

use crate::actor::Actor;
use crate::command::CreditSource;
use crate::event::{Event, Fact};
use crate::ids::{PersonId, StationId};
use crate::must::must;
use crate::table::Table;

/// Entries that may wait for the cage at one table.
pub const MAX_UNCOUNTED: usize = 4_000;
/// Entries of one person alone that may: beyond them they act with a second person, so that
/// nobody fills a table's entries with cents.
pub const MAX_UNCOUNTED_ALONE: usize = 1_000;

/// Up to how much one person may, and up to how much two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// One person, with all that is not counted yet.
    pub alone: Money,
    /// Two persons, at once.
    pub together: Money,
}

/// The bounds of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoneyDuties {
    /// Credit handed in by an attendant, or notes taken by one.
    pub attendant: Bound,
    /// Credit from the cage.
    pub cage: Bound,
    /// Credit that goes back to the cage.
    pub transfer: Bound,
    /// Paid by hand, which always takes two.
    pub hand_pay: Money,
    /// Limits, by the exposure they allow.
    pub limits: Bound,
}

sicbo_rules::worded! {
    /// How money moved.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Moved: word {
        /// An attendant took cash and gave credit.
        Attendant = "attendant",
        /// The cage gave credit.
        Cage = "cage",
        /// Credit went back to the cage.
        Transfer = "transfer",
        /// Credit was paid by hand.
        HandPay = "hand_pay",
        /// Credit that was kept for a player who had left was paid.
        Unclaimed = "unclaimed",
        /// An overpayment is no longer asked for.
        Waived = "waived",
    }
}

/// Entries for credit that was kept have these numbers, by the number of the credit.
const UNCLAIMED_ENTRIES: u64 = 1 << 32;
/// And those for overpayments that were waived.
const WAIVED_ENTRIES: u64 = 2 << 32;

impl Moved {
    /// Two persons have found that it is owed, or was overpaid: it fills no place among the entries
    /// that may wait at a table. What one person settles alone counts for them like the rest.
    #[must_use]
    pub fn is_of_a_claim(self) -> bool {
        matches!(self, Moved::Unclaimed | Moved::Waived)
    }

    /// How credit of such a source comes; none where no person brings it.
    #[must_use]
    pub fn of(source: CreditSource) -> Option<Moved> {
        match source {
            CreditSource::Cash | CreditSource::Attendant => Some(Moved::Attendant),
            CreditSource::Cage => Some(Moved::Cage),
            CreditSource::Voucher(_) => None,
        }
    }
}

/// Money that moved and that nobody else has counted yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uncounted {
    /// How.
    pub how: Moved,
    /// Who moved it.
    pub by: PersonId,
    /// With whom.
    pub second: Option<PersonId>,
    /// At which station.
    pub station: StationId,
    /// How much.
    pub amount: Money,
    /// When.
    pub at_ms: i64,
    /// What the cage counted, where it counted something else.
    pub counted: Option<Money>,
}

impl Table {
    /// What one person moved alone and nobody has counted.
    #[must_use]
    pub fn uncounted_of(&self, person: PersonId) -> Money {
        self.entries_of(person).map(|entry| entry.amount).sum()
    }

    /// Entries of one person alone that nobody has counted.
    pub(crate) fn entries_of(&self, person: PersonId) -> impl Iterator<Item = &Uncounted> {
        let all = self.uncounted.values();
        all.filter(move |entry| entry.by == person && entry.second.is_none())
    }

    /// Entries that count against what may wait at one table.
    #[must_use]
    pub fn uncounted_moves(&self) -> usize {
        let all = self.uncounted.values();
        all.filter(|entry| !entry.how.is_of_a_claim()).count()
    }
}

/// Notes what waits to be counted, and what no longer does.
pub(crate) fn note(table: &mut Table, event: &Event) {
    if let Fact::MoneyCounted { entry, amount } = &event.fact {
        let same = table.uncounted.get(entry).map(|known| known.amount) == Some(*amount);
        match same {
            true => drop(table.uncounted.remove(entry)),
            false => {
                let known = table.uncounted.get_mut(entry);
                must(known, "an entry that does not wait").counted = Some(*amount);
            }
        }
        return;
    }
    let (Some(_), Actor::Staff(staff)) = (&table.money_duties, event.by) else {
        return;
    };
    let (number, how, station, amount) = match &event.fact {
        Fact::CreditBought {
            station,
            source,
            amount,
            ..
        } => (None, Moved::of(*source), *station, *amount),
        Fact::TransferredOut { station, amount } => {
            (None, Some(Moved::Transfer), *station, *amount)
        }
        Fact::HandPaid { station, amount } => (None, Some(Moved::HandPay), *station, *amount),
        // Numbers of their own: an entry that the cage has counted keeps its number, whatever a
        // later program writes down beside it.
        Fact::UnclaimedPaid { unclaimed, amount } => {
            let owed = must(table.unclaimed.get(unclaimed), "nothing is unclaimed");
            let number = UNCLAIMED_ENTRIES + unclaimed.0;
            (Some(number), Some(Moved::Unclaimed), owed.station, *amount)
        }
        Fact::OverpaymentWaived {
            recoverable,
            amount,
            ..
        } => {
            let owed = must(table.recoverables.get(recoverable), "nothing is overpaid");
            let number = WAIVED_ENTRIES + recoverable.0;
            (Some(number), Some(Moved::Waived), owed.station, *amount)
        }
        _ => return,
    };
    let Some(how) = how else {
        return;
    };
    table.last_uncounted += u64::from(number.is_none());
    let number = number.unwrap_or(table.last_uncounted);
    let entry = Uncounted {
        how,
        by: staff.person,
        second: event.second.map(|second| second.person),
        station,
        amount,
        at_ms: event.at_ms,
        counted: None,
    };
    table.uncounted.insert(number, entry);
}
