//! Holds the register to its tables: what a table has written rests on records
//! of the house's own journal that were durable before it. A register that lacks
//! them is an older copy, and would pay vouchers again.
//!
//! The other way about is no fault: what the house has written a table may not
//! have answered yet, and that is finished at the start ([`crate::vouchers`]).

use std::collections::{BTreeMap, BTreeSet};

use sicbo_journal::{ReadError, Store};
use sicbo_proof::verify::{VoucherMove, Way};
use sicbo_register::Register;
use sicbo_register::enrolment::TableName;
use sicbo_register::voucher::{Payee, State};
use sicbo_table::actor::Actor;
use sicbo_table::ids::{PersonId, VoucherId};
use sicbo_table::{Event, Fact, codec};

/// What the records of a table claim of the register, each with the first record
/// that does.
#[derive(Clone, Default, Debug)]
pub struct Backing {
    /// Vouchers that credit left the table for, and did not come back.
    cashed_out: BTreeMap<VoucherId, u64>,
    /// Vouchers that became credit.
    credited: BTreeMap<VoucherId, u64>,
    /// Vouchers that the table was told to keep no longer.
    forgotten: BTreeMap<VoucherId, u64>,
    /// Cases that were paid.
    cases: BTreeMap<u64, u64>,
    /// People who acted.
    people: BTreeMap<PersonId, u64>,
}

impl Backing {
    /// Takes a record in.
    pub fn note(&mut self, sequence: u64, event: &Event) {
        let by = match event.by {
            Actor::Staff(staff) => Some(staff),
            _ => None,
        };
        for staff in by.into_iter().chain(event.second) {
            self.people.entry(staff.person).or_insert(sequence);
        }
        if let Some(moved) = VoucherMove::of(sequence, event) {
            match moved.way {
                Way::Out => drop(self.cashed_out.insert(moved.voucher, sequence)),
                Way::Back => drop(self.cashed_out.remove(&moved.voucher)),
                Way::In => drop(self.credited.insert(moved.voucher, sequence)),
            }
        }
        match &event.fact {
            Fact::VoucherForgotten { voucher } => {
                self.forgotten.insert(*voucher, sequence);
            }
            Fact::CasePaid { case, .. } | Fact::CaseOverpaid { case, .. } => {
                self.cases.entry(*case).or_insert(sequence);
            }
            _ => {}
        }
    }

    /// What the register does not know of it, in words; the first thing found.
    #[must_use]
    pub fn unknown_to(&self, register: &Register, table: &TableName) -> Option<String> {
        let told = |what: String, sequence: &u64| format!("{what} (record {sequence} of {table})");
        for (voucher, sequence) in &self.cashed_out {
            if voucher.0 > register.last_voucher {
                let what = format!(
                    "voucher {} was cashed out, and the house has reserved no such voucher",
                    voucher.0
                );
                return Some(told(what, sequence));
            }
        }
        for (voucher, sequence) in &self.credited {
            let state = register.vouchers.get(voucher).map(|known| &known.state);
            let taken = match state {
                Some(
                    State::Reserved
                    | State::Issued
                    | State::Printed
                    | State::Returning
                    | State::Kept,
                ) => false,
                // Finished before the table is told to forget it. Its cash-out may be
                // forgotten earlier, at the same table.
                Some(State::Redeeming { .. }) => {
                    let forgotten = self.forgotten.get(voucher);
                    forgotten.is_none_or(|forgotten| forgotten < sequence)
                }
                Some(_) => true,
                None => voucher.0 <= register.last_voucher,
            };
            if !taken {
                let what = format!(
                    "voucher {} was credited, and the house knows it as not paid",
                    voucher.0
                );
                return Some(told(what, sequence));
            }
        }
        for (voucher, sequence) in &self.forgotten {
            let state = register.vouchers.get(voucher).map(|known| &known.state);
            let printed = match state {
                Some(State::Reserved | State::Issued) => false,
                Some(_) => true,
                None => voucher.0 <= register.last_voucher,
            };
            if !printed {
                let what = format!(
                    "the table is done with voucher {}, which the house knows as not printed",
                    voucher.0
                );
                return Some(told(what, sequence));
            }
        }
        for (case, sequence) in &self.cases {
            if *case > register.last_case {
                let what = format!("case {case} was paid, and the house has no such case");
                return Some(told(what, sequence));
            }
        }
        for (person, sequence) in &self.people {
            if !register.people.contains_key(person) {
                let what = format!("person {} acted, whom the house does not know", person.0);
                return Some(told(what, sequence));
            }
        }
        None
    }

    /// Vouchers that were forgotten while the house knows them as on their way to
    /// this table: whether they were credited stands in earlier records.
    fn doubtful(&self, register: &Register, table: &TableName) -> BTreeSet<VoucherId> {
        let here = |voucher: &&VoucherId| {
            let state = register.vouchers.get(voucher).map(|known| &known.state);
            matches!(state, Some(State::Redeeming { to: Payee::Station(place), .. })
                if place.table == *table)
        };
        let unseen = self.forgotten.keys();
        let unseen = unseen.filter(|voucher| !self.credited.contains_key(voucher));
        unseen.filter(here).copied().collect()
    }
}

/// What a table's journal shows that the register does not know, in words.
/// Records up to the one that the register has noted are known to it.
///
/// # Errors
/// When the journal cannot be read.
pub fn ahead_of(
    register: &Register,
    table: &TableName,
    store: &dyn Store,
) -> Result<Option<String>, ReadError> {
    let noted = register.reached.get(table).map_or(0, |at| at.sequence);
    let mut backing = Backing::default();
    read(store, noted + 1, |sequence, event| {
        backing.note(sequence, event);
    })?;
    let doubtful = backing.doubtful(register, table);
    if !doubtful.is_empty() {
        read(store, 1, |sequence, event| {
            let moved = VoucherMove::of(sequence, event);
            let moved = moved.filter(|moved| moved.way == Way::In);
            if moved.is_some_and(|moved| doubtful.contains(&moved.voucher)) {
                backing.note(sequence, event);
            }
        })?;
    }
    Ok(backing.unknown_to(register, table))
}

/// Reads the records from one on. Those that cannot be understood are told by
/// whoever brings the table back.
fn read(store: &dyn Store, from: u64, mut each: impl FnMut(u64, &Event)) -> Result<(), ReadError> {
    if store.tail().sequence < from {
        return Ok(());
    }
    for raw in store.read_from(from) {
        let Ok(block) = raw?.decode() else {
            return Ok(());
        };
        for record in block.records().filter(|record| record.sequence >= from) {
            if let Ok(event) = codec::decode(record.kind, record.version, record.payload) {
                each(record.sequence, &event);
            }
        }
    }
    Ok(())
}
