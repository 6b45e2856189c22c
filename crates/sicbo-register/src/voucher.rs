//! Vouchers: what each is worth, where it came from, and how it stands.
//!
//! A voucher is worth its amount once the table has given the credit, and is
//! paid once. Its validation number is nowhere in the register: only a keyed
//! digest of it, by which a presented number is found.

use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, StationId, VoucherId};

use super::enrolment::TableName;
use super::lockout::Lockout;

/// Vouchers a station can recall, issued and accepted (S-13).
pub const RECALLED: usize = 35;
/// Copies of one voucher, the original among them.
pub const MAX_COPIES: u8 = 3;
/// Wrong numbers at one place are forgotten after this long without another.
pub const GUESSES_FORGIVEN_MS: i64 = 900_000;

/// A station of a table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The table.
    pub table: TableName,
    /// Its station.
    pub station: StationId,
}

/// Who is paid for a voucher.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Payee {
    /// Credit at a station.
    Station(Place),
    /// Cash at the cage, by the hand of this cashier.
    Cage {
        /// Who pays.
        cashier: PersonId,
    },
}

sicbo_rules::worded! {
    /// Why a presented number is not paid. Told apart and flagged (S-14).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Unpaid: code, words {
        /// No voucher has that number.
        NotFound = "voucher_not_found" => "no voucher has this number: nothing is to be paid",
        /// It was paid before.
        AlreadyPaid = "voucher_already_paid" => "this voucher was paid before: nothing more is to be paid",
        /// It was paid at this moment, elsewhere.
        BeingPaid = "voucher_being_paid" => "this voucher is being paid elsewhere at this moment",
        /// The amount on the paper is not the voucher's.
        AmountDiffers = "voucher_amount_differs" => "the amount keyed is not the voucher's: look at the paper",
        /// It is in another currency.
        CurrencyDiffers = "voucher_currency_differs" => "the voucher is in another currency",
        /// Its time has passed.
        Expired = "voucher_expired" => "the voucher's time has passed: nothing is to be paid here",
        /// It was made worthless.
        Void = "voucher_void" => "this voucher was made void: nothing is to be paid",
        /// The printer has not said that it is out.
        NotPrinted = "voucher_not_printed" => "the printer has not finished this voucher",
        /// Too many numbers that do not exist were presented there.
        Locked = "redemption_locked" => "too many numbers that do not exist were presented here",
    }
}

sicbo_rules::worded! {
    /// How a voucher stands.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub enum State: word {
        /// A number is kept for it; no credit has left a table that the register knows of.
        Reserved = "reserved",
        /// Worth its amount; not known to be printed.
        Issued = "issued",
        /// In somebody's hand.
        Printed = "printed",
        /// Could not be printed: worthless, and the credit goes back to its station.
        Returning = "returning",
        /// Could not be printed nor given back: no paper is out, and the cage pays
        /// it to whoever two persons find it to be owed to.
        Kept = "kept",
        /// Taken, and the credit is on its way.
        Redeeming {
            /// Who is paid.
            to: Payee,
            /// The presenter's request.
            request: u64,
        } = "redeeming",
        /// Paid.
        Redeemed {
            /// Who was paid.
            to: Payee,
            /// The presenter's request.
            request: u64,
            /// When.
            at_ms: i64,
        } = "redeemed",
        /// Worthless: it could not be printed and its credit went back.
        Returned = "returned",
        /// Worthless: two persons voided it.
        Void = "void",
        /// Its time has passed.
        Expired = "expired",
    }
}

impl State {
    /// Something remains to be done without anybody asking.
    #[must_use]
    pub const fn is_unsettled(&self) -> bool {
        matches!(
            self,
            State::Reserved | State::Issued | State::Returning | State::Redeeming { .. }
        )
    }

    /// Nothing more can become of it.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        matches!(
            self,
            State::Redeemed { .. } | State::Returned | State::Void | State::Expired
        )
    }

    /// The house owes its amount.
    #[must_use]
    pub const fn is_outstanding(&self) -> bool {
        matches!(
            self,
            State::Issued
                | State::Printed
                | State::Returning
                | State::Kept
                | State::Redeeming { .. }
        )
    }

    /// Its whole number may be shown: it is worth nothing any more (S-13).
    #[must_use]
    pub const fn number_may_be_shown(&self) -> bool {
        matches!(self, State::Redeemed { .. } | State::Returned | State::Void)
    }
}

/// A voucher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Voucher {
    /// The station the credit came from.
    pub origin: Place,
    /// What people call that station.
    pub station_name: String,
    /// Its currency.
    pub currency: Currency,
    /// What it is worth; before it is issued, what was asked for.
    pub amount: Money,
    /// Counts the vouchers of its station, from 1; zero before it is issued.
    pub sequence: u32,
    /// Keyed digest of its validation number; zeroes before it is issued.
    pub digest: [u8; 32],
    /// How often a number was drawn for it.
    pub attempt: u8,
    /// When it was issued; when it was reserved before that.
    pub issued_ms: i64,
    /// Good before this.
    pub expires_ms: i64,
    /// Copies begun.
    pub copies: u8,
    /// How it stands.
    pub state: State,
    /// When it was settled; zero before.
    pub settled_ms: i64,
    /// The command that asked for it: the same one again asks for no other.
    pub asked: u64,
}

/// The last vouchers of a station, newest last (S-13).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Recent {
    /// Issued here.
    pub issued: Vec<VoucherId>,
    /// Accepted here.
    pub accepted: Vec<VoucherId>,
    /// Vouchers issued here in all.
    pub sequence: u32,
}

impl Recent {
    /// Adds one; gives back the one that gives way.
    pub(crate) fn note(list: &mut Vec<VoucherId>, voucher: VoucherId) -> Option<VoucherId> {
        let oldest = (list.len() == RECALLED).then(|| list.remove(0));
        list.push(voucher);
        oldest
    }
}

/// What vouchers of one currency came to, by what became of them. Issued is
/// always the sum of the rest.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// Issued in all.
    pub issued: Money,
    /// Owed now (P-093).
    pub outstanding: Money,
    /// Credited at stations.
    pub redeemed_at_tables: Money,
    /// Paid by the cage.
    pub redeemed_at_cage: Money,
    /// Gone back to the station because they could not be printed.
    pub returned: Money,
    /// Voided by two persons.
    pub voided: Money,
    /// Never claimed in time.
    pub expired: Money,
}

/// Wrong numbers presented at one place.
pub type Guesses = Lockout;

/// Numbers that were presented and not paid, as they are flagged (S-14); older
/// ones are in the journal.
pub const FLAGS_AT_HAND: usize = 200;

/// A number that was presented and not paid. Never holds the number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// When.
    pub at_ms: i64,
    /// Which voucher, where the number is one's.
    pub voucher: Option<VoucherId>,
    /// Where it was presented.
    pub to: Payee,
    /// Why it was not paid.
    pub why: Unpaid,
}
