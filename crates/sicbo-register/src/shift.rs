//! Shifts of a table: what was counted when one began and ended, who signed,
//! and which records of the table's journal it covers (J-09).

use sicbo_rules::{Currency, Money};
use sicbo_table::ids::PersonId;

use super::enrolment::TableName;

/// Closed shifts of one table at hand; older ones are in the journal.
pub const AT_HAND: usize = 1_000;

/// Number of a shift, from 1 for as long as the house exists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShiftId(pub u64);

/// What a table's own books say of what can be counted, at one record.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ledger {
    /// The last record of the table it rests on.
    pub sequence: u64,
    /// The account of the chip rack, colour chips included.
    pub rack: Money,
    /// Chips from the cage less those sent back, since the table exists.
    pub fills: Money,
    /// Cash in the drop box and acceptors, since the table exists.
    pub drop: Money,
    /// The tip box, since the table exists.
    pub tips: Money,
    /// Colour chips that players hold: the rack has their worth in cash chips, which the
    /// account of the rack does not know.
    pub colour_out: Money,
}

impl Ledger {
    /// Cash chips in the rack, but for what lay in it before the first record.
    #[must_use]
    pub fn cash_chips(&self) -> Money {
        self.rack + self.colour_out
    }
}

/// What was counted at the end of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Chips in the rack.
    pub closer: Money,
    /// Cash in the drop box.
    pub drop: Money,
    /// The tip box.
    pub tips: Money,
}

/// The newest signed checkpoint of the table at the end of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignedTo {
    /// The last record it covers.
    pub sequence: u64,
    /// The hash of the header it signs: the fingerprint that is printed.
    pub header_hash: [u8; 32],
}

/// A shift to be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewShift {
    /// The table.
    pub table: TableName,
    /// Its currency.
    pub currency: Currency,
    /// Chips counted in the rack.
    pub opener: Money,
    /// What the table's books said.
    pub ledger: Ledger,
    /// A difference above this needs a comment.
    pub threshold: Money,
}

/// The end of a shift.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShiftEnd {
    /// What was counted.
    pub counts: Counts,
    /// What the table's books said.
    pub ledger: Ledger,
    /// The table's newest checkpoint.
    pub signed: Option<SignedTo>,
    /// About differences.
    pub comment: String,
}

/// Kinds of refusal counted at once.
pub const MAX_REFUSED: usize = 100;

/// Bets refused for one reason. A refusal changes nothing and is in no
/// table's journal: only their number is kept, with the shift (P-092).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The stable code of the refusal.
    pub code: String,
    /// How many.
    pub count: u64,
}

/// A shift of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shift {
    /// The table.
    pub table: TableName,
    /// The table's currency.
    pub currency: Currency,
    /// The first record of the table's journal it covers.
    pub from_sequence: u64,
    /// The last; none while it goes on.
    pub to_sequence: Option<u64>,
    /// When it began, UTC milliseconds.
    pub opened_at: i64,
    /// When it ended.
    pub closed_at: Option<i64>,
    /// Chips in the rack at its beginning.
    pub opener: Money,
    /// At its end.
    pub closer: Option<Money>,
    /// Cash counted in the drop box.
    pub drop: Option<Money>,
    /// Counted in the tip box.
    pub tips: Option<Money>,
    /// About differences.
    pub comment: String,
    /// The two who signed its beginning.
    pub opened_by: Vec<PersonId>,
    /// The two who signed its end: outgoing and incoming.
    pub signed_by: Vec<PersonId>,
    /// The table's newest checkpoint at its end.
    pub signed: Option<SignedTo>,
    /// A difference above this needs a comment.
    pub threshold: Money,
    /// What the table's books said at its beginning.
    pub ledger_from: Ledger,
    /// And at its end.
    pub ledger_to: Option<Ledger>,
    /// Bets that were refused, by reason.
    pub refused: Vec<Refused>,
}

/// Counted less what the books say.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Variances {
    /// Of the rack.
    pub closer: Money,
    /// Of the drop box.
    pub drop: Money,
    /// Of the tip box.
    pub tips: Money,
}

impl Variances {
    /// The largest difference, either way.
    #[must_use]
    pub fn largest(&self) -> Money {
        let sizes = [self.closer, self.drop, self.tips].map(|difference| {
            if difference < Money::ZERO {
                Money::ZERO - difference
            } else {
                difference
            }
        });
        sizes.into_iter().max().unwrap_or(Money::ZERO)
    }
}

impl Shift {
    /// How counts differ from the table's books at the end.
    #[must_use]
    pub fn variances(&self, counts: &Counts, to: &Ledger) -> Variances {
        let from = &self.ledger_from;
        Variances {
            closer: counts.closer - (self.opener + to.cash_chips() - from.cash_chips()),
            drop: counts.drop - (to.drop - from.drop),
            tips: counts.tips - (to.tips - from.tips),
        }
    }

    /// Adds bets that were refused.
    pub fn count(&mut self, more: &[Refused]) {
        for one in more {
            match self.refused.iter_mut().find(|known| known.code == one.code) {
                Some(known) => known.count = known.count.saturating_add(one.count),
                None => self.refused.push(one.clone()),
            }
        }
        self.refused.sort_by(|a, b| a.code.cmp(&b.code));
    }

    /// A difference is too large to go without a word.
    #[must_use]
    pub fn needs_comment(&self, counts: &Counts, to: &Ledger) -> bool {
        self.variances(counts, to).largest() > self.threshold
    }

    /// It goes on.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.to_sequence.is_none()
    }
}
