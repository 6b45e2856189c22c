//! Drives vouchers between the register and the tables, one step at a time.
//!
//! Money moves between two journals that know nothing of each other, so every
//! step is made of what is durable in both and is the only one that can follow:
//! [`VoucherDesk::steps`] looks at the durable register and tables and says
//! what is next. After a crash the same look finds the same step; there is no
//! other memory to lose.
//!
//! Out: the register reserves a number, the table gives the credit and
//! remembers it ([`Table::vouchers_out`]), the register issues, the ticket is
//! printed, the table forgets. A print that fails makes the voucher worthless
//! first and gives the credit back afterwards; when the player has left, the
//! cage keeps it. The table's voucher meter moves
//! with the credit and moves back with it when the print failed, which is how
//! S-13 is kept: after the last step it counts printed vouchers only.
//!
//! In: the register takes the voucher (once), the table credits it and
//! remembers it ([`Table::vouchers_in`]), the register finishes, the table
//! forgets.
//!
//! A stop in mid-print leaves it unknown whether a paper is out. It is printed
//! again, marked as a duplicate, with the same number: only one is ever paid.

use std::collections::{BTreeMap, BTreeSet};

use sicbo_rules::{Money, broken};
use sicbo_table::actor::Actor;
use sicbo_table::command::CreditSource;
use sicbo_table::ids::VoucherId;
use sicbo_table::table::Issued;
use sicbo_table::{Act as TableAct, Table};

use sicbo_register::enrolment::TableName;
use sicbo_register::settled::Mark;
use sicbo_register::validation::VoucherSecret;
use sicbo_register::voucher::{MAX_COPIES, Payee, Place, State, Voucher};
use sicbo_register::{Act, Register};

/// Durable states of the tables that run.
pub type Tables<'t> = BTreeMap<TableName, &'t Table>;

/// Something to be done for a voucher.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A command to the register, by the house.
    Register(Act),
    /// A command to a table.
    Table {
        /// Which.
        table: TableName,
        /// In whose name.
        by: Actor,
        /// What.
        act: TableAct,
    },
    /// A ticket to the printer of the voucher's station; a copy above the
    /// first is marked as a duplicate.
    Print {
        /// Which copy.
        copy: u8,
    },
}

/// What came of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Done and durable; what it changed is in the states given next.
    Done,
    /// Refused, with the stable code.
    Refused(String),
    /// Not taken; it may be tried again.
    Busy,
    /// The journal failed: nothing more is done for this voucher before the
    /// table runs again, or the house.
    Stopped,
    /// The printer could not print and says that no ticket is out.
    NotPrinted(String),
    /// The printer failed and a paper may be out: it is printed again, marked
    /// as a duplicate with the same number.
    PaperUnknown,
}

/// What is known of a voucher in this run only.
#[derive(Default)]
struct Memory {
    /// The step under way.
    doing: Option<Step>,
    /// The table refused the cash-out, its reversal or the credit, and why.
    refused: Option<String>,
    /// Numbers drawn that existed already.
    attempt: u8,
    /// The printing that was begun in this run.
    printing: bool,
    /// What came of it.
    printed: Option<Result<(), String>>,
    /// Nothing can be done before a restart, and why.
    stuck: Option<String>,
    /// The table that stopped under a step: nothing is done before it runs.
    waits_for: Option<TableName>,
}

/// Drives vouchers. One for a house.
pub struct VoucherDesk {
    secret: VoucherSecret,
    /// Reservations up to this one are left over from an earlier run.
    left_over: u64,
    memory: BTreeMap<VoucherId, Memory>,
}

impl VoucherDesk {
    /// A desk that finishes what `register` left over.
    #[must_use]
    pub fn new(secret: VoucherSecret, register: &Register) -> VoucherDesk {
        VoucherDesk {
            secret,
            left_over: register.last_voucher,
            memory: BTreeMap::new(),
        }
    }

    /// The secret validation numbers are drawn with.
    #[must_use]
    pub fn secret(&self) -> &VoucherSecret {
        &self.secret
    }

    /// Vouchers that need a person, with why.
    pub fn stuck(&self) -> impl Iterator<Item = (VoucherId, &str)> {
        self.memory
            .iter()
            .filter_map(|(id, memory)| Some((*id, memory.stuck.as_deref()?)))
    }

    /// The steps that can be taken now, at most one for each voucher; none is
    /// given twice before [`VoucherDesk::finished`] is told of it. The states
    /// must be durable ones that hold everything finished so far.
    pub fn steps(&mut self, register: &Register, tables: &Tables<'_>) -> Vec<(VoucherId, Step)> {
        let mut ids: BTreeSet<VoucherId> = register.unsettled().collect();
        for table in tables.values() {
            ids.extend(&table.vouchers_in);
            ids.extend(table.vouchers_out.keys());
        }
        self.memory.retain(|id, memory| {
            ids.contains(id)
                || memory.doing.is_some()
                || memory.stuck.is_some()
                || memory.waits_for.is_some()
        });
        let mut steps = Vec::new();
        for id in ids {
            let fresh = id.0 > self.left_over;
            let memory = self.memory.entry(id).or_default();
            if memory.doing.is_some() || memory.stuck.is_some() || memory.waits_for.is_some() {
                continue;
            }
            let voucher = register.vouchers.get(&id);
            let mark = register.marks.get(&id);
            if voucher.is_none() && mark.is_none() && id.0 <= register.forgotten {
                memory.stuck = Some("its voucher was settled long ago".to_owned());
                continue;
            }
            let step = match (foreign(id, voucher, mark, tables), &memory.refused) {
                (Some(_), Some(why)) => {
                    let what = format!("credit for a number not reserved there: {why}");
                    memory.stuck = Some(what);
                    continue;
                }
                (Some(step), None) => Some(step),
                (None, _) => match voucher {
                    Some(voucher) => next(&self.secret, memory, fresh, (id, voucher), tables),
                    // A table that was away while the rest was done.
                    None => mark.and_then(|_| forget_anywhere(id, tables)),
                },
            };
            if let Some(step) = step {
                memory.doing = Some(step.clone());
                steps.push((id, step));
            }
        }
        steps
    }

    /// A table is out of service. Whoever asked for a voucher there, or
    /// presented one, has been told that it was not done: what the table has
    /// not done by then it is not asked again.
    pub fn table_stopped(&mut self, register: &Register, table: &TableName) {
        // A loop that broke off has answered nothing of what it held.
        let unanswered = |memory: &Memory| matches!(&memory.doing, Some(Step::Table { table: at, .. }) if at == table);
        let held = self.memory.iter().filter(|(_, memory)| unanswered(memory));
        for id in held.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.finished(id, Outcome::Stopped);
        }
        for id in register.unsettled() {
            let state = register.vouchers.get(&id);
            let here = state.is_some_and(|voucher| match &voucher.state {
                State::Reserved => voucher.origin.table == *table,
                State::Redeeming {
                    to: Payee::Station(place),
                    ..
                } => place.table == *table,
                _ => false,
            });
            if here {
                let memory = self.memory.entry(id).or_default();
                memory.refused = Some("table_stopped".to_owned());
            }
        }
    }

    /// A table runs, perhaps again.
    pub fn table_runs(&mut self, table: &TableName) {
        for memory in self.memory.values_mut() {
            if memory.waits_for.as_ref() == Some(table) {
                memory.waits_for = None;
            }
        }
    }

    /// What came of the step under way for a voucher.
    pub fn finished(&mut self, id: VoucherId, outcome: Outcome) {
        let Some(memory) = self.memory.get_mut(&id) else {
            return;
        };
        let Some(step) = memory.doing.take() else {
            return;
        };
        match (step, outcome) {
            (_, Outcome::Busy) => {}
            // Nothing rests on it: a table that is back still holds what it has
            // not forgotten, and the voucher goes on elsewhere meanwhile.
            (
                Step::Table {
                    act: TableAct::ForgetVoucher { .. },
                    ..
                },
                Outcome::Stopped,
            ) => {}
            (Step::Table { table, .. }, Outcome::Stopped) => memory.waits_for = Some(table),
            (_, Outcome::Stopped) => memory.stuck = Some("a journal has stopped".to_owned()),
            (Step::Print { .. }, Outcome::Done) => memory.printed = Some(Ok(())),
            (Step::Print { .. }, Outcome::NotPrinted(what) | Outcome::Refused(what)) => {
                memory.printed = Some(Err(what));
            }
            (Step::Print { .. }, Outcome::PaperUnknown) => memory.printing = false,
            (Step::Register(Act::BeginPrint { .. }), Outcome::Done) => memory.printing = true,
            // Cancelled: the next redemption begins anew.
            (Step::Register(Act::CancelRedeem { .. }), Outcome::Done) => memory.refused = None,
            (Step::Register(Act::IssueVoucher { .. }), Outcome::Refused(code))
                if code == "number_taken" =>
            {
                memory.attempt = memory.attempt.saturating_add(1);
            }
            (
                Step::Table {
                    act:
                        TableAct::CashOut { .. }
                        | TableAct::BuyCredit { .. }
                        | TableAct::ReverseCashOut { .. },
                    ..
                },
                Outcome::Refused(why),
            ) => memory.refused = Some(why),
            (_, Outcome::Done) => {}
            (_, Outcome::PaperUnknown) => {}
            (step, Outcome::Refused(why) | Outcome::NotPrinted(why)) => {
                memory.stuck = Some(format!("{step:?} was refused: {why}"));
            }
        }
    }
}

/// The only step that can follow, if any can be taken now.
fn next(
    secret: &VoucherSecret,
    memory: &Memory,
    fresh: bool,
    (id, voucher): (VoucherId, &Voucher),
    tables: &Tables<'_>,
) -> Option<Step> {
    let origin = tables.get(&voucher.origin.table);
    let out = origin.and_then(|table| table.vouchers_out.get(&id).copied());
    let forget_out = || out.map(|_| forget(&voucher.origin.table, id));
    match &voucher.state {
        State::Reserved => {
            // Whether credit was given cannot be known before its table runs.
            origin?;
            Some(match out {
                Some(issued) => issue(secret, memory, id, issued.amount),
                None if fresh && memory.refused.is_none() => cash_out(id, voucher),
                None => Step::Register(Act::ReleaseReservation { voucher: id }),
            })
        }
        State::Issued if broken("vouchers:printed") => {
            Some(Step::Register(Act::ReportPrinted { voucher: id }))
        }
        State::Issued => Some(print(memory, id, voucher)),
        State::Returning => {
            origin?;
            Some(match (out, &memory.refused) {
                (Some(_), Some(why)) => Step::Register(Act::KeepForCage {
                    voucher: id,
                    why: why.clone(),
                }),
                (Some(_), None) if broken("vouchers:credit-goes-back") => {
                    Step::Register(Act::FinishReturn { voucher: id })
                }
                (Some(issued), None) => reverse(&voucher.origin.table, id, issued),
                (None, _) => Step::Register(Act::FinishReturn { voucher: id }),
            })
        }
        State::Redeeming {
            to: Payee::Station(place),
            ..
        } => {
            let there = tables.get(&place.table)?;
            // Credited already: finishing comes before any forgetting.
            if there.vouchers_in.contains(&id) || broken("vouchers:credited-first") {
                return Some(Step::Register(Act::FinishRedeem { voucher: id }));
            }
            let why = memory.refused.clone();
            forget_out().or_else(|| {
                Some(match why {
                    Some(why) => Step::Register(Act::CancelRedeem { voucher: id, why }),
                    None => credit(place, id, voucher.amount),
                })
            })
        }
        State::Redeemed {
            to: Payee::Station(place),
            ..
        } => {
            let there = tables.get(&place.table);
            let credited = there.is_some_and(|table| table.vouchers_in.contains(&id));
            if credited {
                Some(forget(&place.table, id))
            } else {
                forget_out()
            }
        }
        State::Printed
        | State::Kept
        | State::Redeeming { .. }
        | State::Redeemed { .. }
        | State::Returned
        | State::Void
        | State::Expired => forget_out(),
    }
}

/// A table gave credit for a number that was not reserved for that station,
/// or no longer is: it goes back.
fn foreign(
    id: VoucherId,
    voucher: Option<&Voucher>,
    mark: Option<&Mark>,
    tables: &Tables<'_>,
) -> Option<Step> {
    tables.iter().find_map(|(name, table)| {
        let issued = *table.vouchers_out.get(&id)?;
        let there = Place {
            table: name.clone(),
            station: issued.station,
        };
        let own = voucher.is_some_and(|voucher| voucher.origin == there)
            || mark.is_some_and(|mark| mark.is_from(&there));
        (!own).then(|| reverse(name, id, issued))
    })
}

/// A table that still remembers a voucher which is settled and done with.
fn forget_anywhere(id: VoucherId, tables: &Tables<'_>) -> Option<Step> {
    tables.iter().find_map(|(name, table)| {
        let remembers = table.vouchers_in.contains(&id) || table.vouchers_out.contains_key(&id);
        remembers.then(|| forget(name, id))
    })
}

fn by_house(table: &TableName, act: TableAct) -> Step {
    Step::Table {
        table: table.clone(),
        by: Actor::House,
        act,
    }
}

fn forget(table: &TableName, voucher: VoucherId) -> Step {
    by_house(table, TableAct::ForgetVoucher { voucher })
}

fn reverse(table: &TableName, voucher: VoucherId, issued: Issued) -> Step {
    by_house(
        table,
        TableAct::ReverseCashOut {
            station: issued.station,
            voucher,
            amount: issued.amount,
        },
    )
}

fn cash_out(id: VoucherId, voucher: &Voucher) -> Step {
    let Place { table, station } = &voucher.origin;
    Step::Table {
        table: table.clone(),
        // Whoever asked was heard by the register; the credit is the station's.
        by: Actor::Station(*station),
        act: TableAct::CashOut {
            station: *station,
            amount: voucher.amount,
            voucher: id,
        },
    }
}

fn credit(place: &Place, id: VoucherId, amount: Money) -> Step {
    let amount = match broken("vouchers:worth") {
        true => amount + amount,
        false => amount,
    };
    by_house(
        &place.table,
        TableAct::BuyCredit {
            station: place.station,
            source: CreditSource::Voucher(id),
            amount,
        },
    )
}

fn issue(secret: &VoucherSecret, memory: &Memory, id: VoucherId, amount: Money) -> Step {
    let attempt = memory.attempt;
    Step::Register(Act::IssueVoucher {
        voucher: id,
        amount,
        digest: secret.digest(secret.number(id, attempt)),
        attempt,
    })
}

fn print(memory: &Memory, id: VoucherId, voucher: &Voucher) -> Step {
    match &memory.printed {
        Some(Ok(())) => Step::Register(Act::ReportPrinted { voucher: id }),
        // A copy before this one may be in somebody's hand: it stays good, and
        // the house goes on owing it.
        Some(Err(_)) if voucher.copies > 1 => Step::Register(Act::ReportPrinted { voucher: id }),
        Some(Err(what)) => Step::Register(Act::ReportPrintFailed {
            voucher: id,
            what: what.clone(),
        }),
        None if memory.printing => Step::Print {
            copy: voucher.copies,
        },
        // Nobody knows of any of them whether it is out.
        None if voucher.copies >= MAX_COPIES => Step::Register(Act::ReportPrinted { voucher: id }),
        None => Step::Register(Act::BeginPrint { voucher: id }),
    }
}

#[cfg(test)]
mod tests;
