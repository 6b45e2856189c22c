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

/// So many chips, notes or coins of one worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// What one is worth.
    pub value: Money,
    /// How many.
    pub count: u32,
}

/// Denominations in one count.
pub const MAX_DENOMINATIONS: usize = 40;

impl Pieces {
    /// What they come to; none where that is beyond what money can be, or a line is of nothing.
    #[must_use]
    pub fn sum(lines: &[Pieces]) -> Option<Money> {
        if lines.len() > MAX_DENOMINATIONS {
            return None;
        }
        let line = |line: &Pieces| {
            let worth = line.value > Money::ZERO && line.count > 0;
            worth.then(|| line.value.minor().checked_mul(i64::from(line.count)))?
        };
        let sum = lines
            .iter()
            .try_fold(0_i64, |sum, one| sum.checked_add(line(one)?))?;
        let sum = Money::from_minor(sum);
        (sum <= Money::MAX).then_some(sum)
    }

    /// In words: `20 x 5000, 3 x 100`, values in minor units.
    #[must_use]
    pub fn words(lines: &[Pieces]) -> String {
        let words = lines
            .iter()
            .map(|one| format!("{} x {}", one.count, one.value.minor()));
        words.collect::<Vec<String>>().join(", ")
    }
}

/// The boxes that are locked to a table for a shift, by the numbers on them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Boxes {
    /// The drop box; empty where there is none.
    pub drop: String,
    /// The tip box; empty where there is none.
    pub tips: String,
}

/// What was counted at the end of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Chips in the rack.
    pub closer: Money,
    /// Cash in the drop box; none while others have yet to count it.
    pub drop: Option<Money>,
    /// The tip box.
    pub tips: Option<Money>,
}

/// The soft count: what was in the boxes of a shift, by two who did not sign for it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BoxCount {
    /// The numbers, as they stand on the boxes that were opened.
    pub boxes: Boxes,
    /// Cash in the drop box.
    pub drop: Money,
    /// By denomination.
    pub drop_pieces: Vec<Pieces>,
    /// What was in the tip box.
    pub tips: Money,
    /// By denomination.
    pub tip_pieces: Vec<Pieces>,
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
    /// The rack by denomination; empty where it was counted as a sum.
    pub rack: Vec<Pieces>,
    /// The boxes that were locked to the table.
    pub boxes: Boxes,
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
    /// The rack by denomination; empty where it was counted as a sum.
    pub rack: Vec<Pieces>,
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
    /// The rack at its beginning and at its end, by denomination.
    pub racks: (Vec<Pieces>, Vec<Pieces>),
    /// The boxes that were locked to the table.
    pub boxes: Boxes,
    /// The soft count of them.
    pub soft_count: Option<SoftCount>,
}

/// A soft count with who made it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SoftCount {
    /// When.
    pub at_ms: i64,
    /// The two who counted.
    pub by: Vec<PersonId>,
    /// What they counted.
    pub counted: BoxCount,
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
            drop: counts
                .drop
                .map_or(Money::ZERO, |drop| drop - (to.drop - from.drop)),
            tips: counts
                .tips
                .map_or(Money::ZERO, |tips| tips - (to.tips - from.tips)),
        }
    }

    /// Somebody signed for its beginning or its end.
    #[must_use]
    pub fn signed(&self, person: PersonId) -> bool {
        self.opened_by.contains(&person) || self.signed_by.contains(&person)
    }

    /// It has ended, and nobody has counted its boxes yet.
    #[must_use]
    pub const fn boxes_wait(&self) -> bool {
        !self.is_open() && (self.drop.is_none() || self.tips.is_none())
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
