//! Whether every cent that left the house has a counterpart by somebody else, or stands in the
//! report of exceptions: from the journals alone, with own books and none of the code that decides.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sicbo_journal::{Record, StreamId};
use sicbo_proof::{Visitor, walk};
use sicbo_register as register;
use sicbo_register::play::PlayStep;
use sicbo_register::voucher::Payee;
use sicbo_register::{Party, Register};
use sicbo_table::actor::Actor;
use sicbo_table::cash::MoneyDuties;
use sicbo_table::command::{ChipMove, CreditSource};
use sicbo_table::ids::VoucherId;
use sicbo_table::{Event, Fact, Table};

use super::super::life::stream_of;
use super::super::shelf::Shelf;
use crate::audit::stops;

/// Money that staff moved at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Moved {
    sequence: u64,
    what: &'static str,
    amount: i64,
    by: u32,
    second: Option<u32>,
    /// Somebody who had no part in it counted the same amount.
    counted: bool,
}

impl Moved {
    fn is_alone(&self) -> bool {
        self.second.is_none_or(|second| second == self.by)
    }
}

/// Entries from here on are for what two persons had found to be owed.
const FIRST_CLAIM: u64 = 1 << 32;

/// How much one person may have moved that nobody has counted, at most; what the plan says and
/// not what the table makes of it.
fn most_alone(duties: &MoneyDuties) -> i64 {
    let bounds = [duties.attendant, duties.cage, duties.transfer];
    let alone = bounds.iter().map(|bound| bound.alone.minor());
    alone.max().unwrap_or_default()
}

/// What one table's journal says.
struct TableBooks {
    duties: MoneyDuties,
    /// By the number that the entry has at the cage.
    moved: BTreeMap<u64, Moved>,
    last_moved: u64,
    /// Vouchers that a player's own terminal gave credit for.
    vouchers: BTreeMap<VoucherId, i64>,
    rounds: u64,
    fault: Option<String>,
}

/// What was found, in counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counterparts {
    /// Amounts that one person moved.
    pub alone: u64,
    /// Of those, counted by somebody else.
    pub counted: u64,
    /// Of those, in the report of exceptions.
    pub reported: u64,
    /// Amounts that two persons moved.
    pub together: u64,
    /// Claims that one person paid or waived, among those above.
    pub claims: u64,
    /// Vouchers that the cage paid, each for credit that left a terminal.
    pub paid: u64,
    /// Rights and places that two persons changed.
    pub rights: u64,
    /// Rounds that were settled.
    pub rounds: u64,
}

impl TableBooks {
    fn two(&mut self, event: &Event, sequence: u64, what: &str) {
        let one = match event.by {
            Actor::Staff(staff) => Some(staff.person),
            _ => None,
        };
        let second = event.second.map(|second| second.person);
        if one.is_none() || second.is_none() || one == second {
            self.object(sequence, &format!("{what} by {one:?} and {second:?}"));
        }
    }

    fn object(&mut self, sequence: u64, what: &str) {
        let fault = format!("record {sequence}: {what}");
        self.fault.get_or_insert(fault);
    }

    /// One more amount that somebody has to count.
    fn note(&mut self, event: &Event, sequence: u64, what: &'static str, amount: i64) {
        self.last_moved += u64::from(matches!(event.by, Actor::Staff(_)));
        let number = self.last_moved;
        self.enter(event, (sequence, number), what, amount);
    }

    /// Nobody has moved more alone than one may, with all of theirs that nobody has counted.
    fn hold_to_bound(&mut self, event: &Event, sequence: u64, what: &str) {
        let Actor::Staff(staff) = event.by else {
            return;
        };
        let by = staff.person.0;
        let waits = self.moved.values();
        let waits = waits.filter(|moved| moved.by == by && moved.is_alone() && !moved.counted);
        let waits: i64 = waits.map(|moved| moved.amount).sum();
        let most = most_alone(&self.duties);
        if waits > most {
            let what = format!("{what}: person {by} moved {waits} alone where {most} is the most");
            self.object(sequence, &what);
        }
    }

    fn enter(
        &mut self,
        event: &Event,
        (sequence, number): (u64, u64),
        what: &'static str,
        amount: i64,
    ) {
        let Actor::Staff(staff) = event.by else {
            return;
        };
        let moved = Moved {
            sequence,
            what,
            amount,
            by: staff.person.0,
            second: event.second.map(|second| second.person.0),
            counted: false,
        };
        self.moved.insert(number, moved);
        self.hold_to_bound(event, sequence, what);
    }

    fn hear(&mut self, event: &Event, sequence: u64) {
        match &event.fact {
            Fact::CreditBought { source, amount, .. } => match source {
                CreditSource::Voucher(_) => {
                    if event.by != Actor::House {
                        self.object(sequence, "a voucher was credited by a person");
                    }
                }
                _ => self.note(event, sequence, "credit", amount.minor()),
            },
            Fact::TransferredOut { amount, .. } => {
                self.note(event, sequence, "transfer", amount.minor());
            }
            Fact::HandPaid { amount, .. } => {
                self.two(event, sequence, "a hand pay");
                self.note(event, sequence, "hand pay", amount.minor());
            }
            // What is owed was found by two persons; that it was paid, or is asked for no
            // longer, is one person's word.
            Fact::UnclaimedPaid { unclaimed, amount } => {
                let number = FIRST_CLAIM + unclaimed.0;
                self.enter(event, (sequence, number), "unclaimed", amount.minor());
            }
            Fact::OverpaymentWaived {
                recoverable,
                amount,
                ..
            } => {
                let number = 2 * FIRST_CLAIM + recoverable.0;
                self.enter(event, (sequence, number), "waived", amount.minor());
            }
            Fact::MoneyCounted { entry, amount } => {
                self.count(event, sequence, *entry, amount.minor())
            }
            Fact::CashedOut {
                voucher, amount, ..
            } => {
                if !matches!(event.by, Actor::Station(_)) {
                    self.object(
                        sequence,
                        "a voucher for credit that its player did not ask for",
                    );
                }
                self.vouchers.insert(*voucher, amount.minor());
            }
            Fact::Adjusted { .. } => self.two(event, sequence, "an adjustment"),
            Fact::CasePaid { .. } => self.two(event, sequence, "a case paid"),
            Fact::ChipsMoved {
                how: ChipMove::Fill | ChipMove::CreditSlip,
                ..
            } => self.two(event, sequence, "chips between rack and cage"),
            Fact::ResultCorrected { .. } => self.two(event, sequence, "a correction"),
            Fact::RoundVoidedLate { .. } => self.two(event, sequence, "rounds voided later"),
            Fact::LimitsScheduled { limits } => {
                let exposure = limits.exposure_maximum;
                if exposure > self.duties.limits.alone {
                    self.two(event, sequence, "limits beyond what one person may set");
                }
            }
            Fact::RoundSettled { .. } => self.rounds += 1,
            _ => {}
        }
    }

    fn count(&mut self, event: &Event, sequence: u64, entry: u64, amount: i64) {
        let counter = match event.by {
            Actor::Staff(staff) => staff.person.0,
            _ => 0,
        };
        let Some(moved) = self.moved.get_mut(&entry) else {
            return self.object(sequence, "a count of nothing");
        };
        if moved.by == counter || moved.second == Some(counter) {
            return self.object(sequence, "somebody counted what they had moved");
        }
        moved.counted |= moved.amount == amount;
    }
}

impl Visitor for TableBooks {
    fn before(&mut self, _: &Table, _: &Record<'_>, _: &Event) {}

    fn after(&mut self, _: &Table, sequence: u64, event: &Event) -> ControlFlow<()> {
        self.hear(event, sequence);
        match self.fault {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

/// What the register's journal says.
#[derive(Default)]
struct RegisterBooks {
    /// What the cage paid, by voucher.
    paid: Vec<VoucherId>,
    /// Vouchers that never came out of a printer.
    kept: Vec<VoucherId>,
    rights: u64,
    fault: Option<String>,
}

impl RegisterBooks {
    fn hear(&mut self, event: &register::Event) -> Result<(), String> {
        use register::Fact as F;
        let second = event.second;
        let alone = match event.by {
            Party::Person(one) => second.is_none_or(|second| second == one),
            // The program sets the house up and enters what others did.
            Party::House | Party::Place(_) => false,
        };
        let by_person = matches!(event.by, Party::Person(_));
        match &event.fact {
            F::PersonAdded { .. }
            | F::PositionChanged { .. }
            | F::PinReset { .. }
            | F::PersonEnabled { .. }
            | F::Enrolled { .. }
            | F::TermsChanged { .. }
            | F::WentOnAfterRollback { .. }
            | F::DiceStepped { .. }
            | F::ShiftOpened { .. }
            | F::ShiftClosed { .. } => {
                if alone {
                    return Err(format!("{:?} by one person", event.fact));
                }
                if let F::PositionChanged { person, .. }
                | F::PinReset { person, .. }
                | F::PersonEnabled { person, .. } = &event.fact
                    && [Some(event.by), second.map(Party::Person)]
                        .contains(&Some(Party::Person(*person)))
                {
                    return Err(format!("{:?} by the person themselves", event.fact));
                }
                self.rights += u64::from(by_person);
            }
            F::SecondFactorSet { person, .. } if event.by != Party::Person(*person) => {
                return Err(format!("the factor of {person} was set by {:?}", event.by));
            }
            // Staff stop somebody's play and let it go on; what binds a player is the player's.
            F::PlayChanged { step, .. }
                if by_person
                    && !matches!(step, PlayStep::Stop { .. } | PlayStep::Resume { .. }) =>
            {
                return Err(format!("{step:?} of a player by {:?}", event.by));
            }
            F::PinChanged { person, .. } if by_person && event.by != Party::Person(*person) => {
                return Err(format!("the PIN of {person} was changed by {:?}", event.by));
            }
            F::LogInWitnessed { person } if event.by == Party::Person(*person) => {
                return Err("somebody saw themselves log in".to_owned());
            }
            F::Assigned { person, .. } if event.by == Party::Person(*person) => {
                return Err("somebody gave themselves a post".to_owned());
            }
            F::VoucherVoided { .. } if alone => return Err("a voucher voided by one".to_owned()),
            F::VoucherKept { voucher, .. } => self.kept.push(*voucher),
            F::VoucherIssued { .. } | F::DutiesSet { .. } if by_person => {
                return Err(format!("{:?} by a person", event.fact));
            }
            F::VoucherRedeemed {
                voucher,
                to: Payee::Cage { cashier },
                ..
            } => {
                if event.by != Party::Person(*cashier) {
                    return Err("the cage paid in another's name".to_owned());
                }
                if self.kept.contains(voucher) && alone {
                    return Err("a voucher without a paper was paid by one".to_owned());
                }
                self.paid.push(*voucher);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Visitor<Register> for RegisterBooks {
    fn before(&mut self, _: &Register, _: &Record<'_>, _: &register::Event) {}

    fn after(&mut self, _: &Register, sequence: u64, event: &register::Event) -> ControlFlow<()> {
        let found = self.hear(event);
        stops(found, sequence, &mut self.fault)
    }
}

/// Judges the journals of a house by the bounds of its plan.
pub(super) fn judge(
    (shelf, streams): (&Shelf, &[StreamId]),
    duties: impl Fn(&StreamId) -> Option<MoneyDuties>,
) -> Result<Counterparts, String> {
    let house = stream_of(register::STREAM)?;
    let mut found = Counterparts::default();
    let mut left = BTreeMap::new();
    for stream in streams.iter().filter(|stream| **stream != house) {
        let wrong = |what: String| format!("{stream}: {what}");
        let store = shelf.read(stream)?;
        let mut books = TableBooks {
            duties: duties(stream).ok_or_else(|| wrong("no bounds".to_owned()))?,
            moved: BTreeMap::new(),
            last_moved: 0,
            vouchers: BTreeMap::new(),
            rounds: 0,
            fault: None,
        };
        let table =
            walk(store.as_ref(), stream, &mut books).map_err(|error| wrong(error.to_string()))?;
        if let Some(fault) = books.fault {
            return Err(wrong(fault));
        }
        let report = sicbo_report::exceptions(&table);
        for (entry, moved) in &books.moved {
            let by = format!("person {}", moved.by);
            let stands = report
                .iter()
                .any(|line| line.entry == *entry && line.amount == moved.amount && line.by == by);
            if !moved.counted && !stands {
                return Err(wrong(format!(
                    "record {}: {} of {} by {by} has no counterpart and is in no report",
                    moved.sequence, moved.what, moved.amount
                )));
            }
            found.claims += u64::from(*entry >= FIRST_CLAIM);
            match moved.is_alone() {
                true => {
                    found.alone += 1;
                    found.counted += u64::from(moved.counted);
                    found.reported += u64::from(!moved.counted);
                }
                false => found.together += 1,
            }
        }
        found.rounds += books.rounds;
        left.extend(books.vouchers);
    }
    let store = shelf.read(&house)?;
    let mut books = RegisterBooks::default();
    walk(store.as_ref(), &house, &mut books).map_err(|error| format!("{house}: {error}"))?;
    if let Some(fault) = books.fault {
        return Err(format!("{house}: {fault}"));
    }
    for voucher in &books.paid {
        // Taken out: the same paper is paid once.
        if left.remove(voucher).is_none() {
            return Err(format!(
                "the cage paid {voucher:?}, for which no credit left a table"
            ));
        }
    }
    found.paid = books.paid.len() as u64;
    found.rights = books.rights;
    Ok(found)
}
