//! What became of each voucher, counted anew from the journals alone: credit leaves one table for
//! what the voucher is worth, and comes back, goes to another table or is paid at the cage at most
//! once, for the same amount.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sicbo_journal::Record;
use sicbo_proof::Visitor;
use sicbo_register::voucher::Payee;
use sicbo_register::{Event, Fact, Party, Register};
use sicbo_table::ids::VoucherId;

use super::super::story::words;
use crate::audit::stops;

/// Credit that moved at a table: by whom, and how much.
pub(in super::super) type Moved<S> = BTreeMap<VoucherId, Vec<(S, i64)>>;

/// How a voucher ended in the register.
#[derive(Clone, PartialEq, Eq)]
enum End {
    /// Paid by a cashier.
    Paid,
    /// Credited at a table.
    Credited(String),
    /// The credit went back to where it came from.
    Returned,
    Void,
    Expired,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Paid => f.write_str("paid at the cage"),
            End::Credited(table) => write!(f, "credited at {table}"),
            End::Returned => f.write_str("given back"),
            End::Void => f.write_str("void"),
            End::Expired => f.write_str("expired"),
        }
    }
}

fn amounts(moved: &[(String, i64)]) -> Vec<i64> {
    moved.iter().map(|(_, amount)| *amount).collect()
}

/// The register's vouchers.
#[derive(Default)]
pub(in super::super) struct Cage {
    /// What each is worth.
    worth: BTreeMap<VoucherId, i64>,
    ends: BTreeMap<VoucherId, End>,
    pub(in super::super) fault: Option<String>,
}

impl Cage {
    fn hear(&mut self, event: &Event) -> Result<(), String> {
        match &event.fact {
            Fact::VoucherIssued {
                voucher, amount, ..
            } => match self.worth.insert(*voucher, amount.minor()) {
                Some(_) => Err(format!("voucher {} was issued twice", voucher.0)),
                None => Ok(()),
            },
            Fact::VoucherRedeemed { voucher, to, .. } => match to {
                Payee::Station(place) => self.end(*voucher, End::Credited(place.table.to_string())),
                Payee::Cage { cashier } if event.by == Party::Person(*cashier) => {
                    self.end(*voucher, End::Paid)
                }
                Payee::Cage { .. } => Err("the cage paid in another's name".to_owned()),
            },
            Fact::VoucherReturned { voucher } => self.end(*voucher, End::Returned),
            Fact::VoucherVoided { voucher, .. } => self.end(*voucher, End::Void),
            Fact::VoucherExpired { voucher } => self.end(*voucher, End::Expired),
            _ => Ok(()),
        }
    }

    fn end(&mut self, voucher: VoucherId, end: End) -> Result<(), String> {
        let number = voucher.0;
        if !self.worth.contains_key(&voucher) {
            return Err(format!(
                "voucher {number} was never issued and is {end} (S-13)"
            ));
        }
        match self.ends.get(&voucher) {
            Some(before) => Err(format!(
                "voucher {number} was {before} and then {end} (S-13)"
            )),
            None => {
                self.ends.insert(voucher, end);
                Ok(())
            }
        }
    }

    /// How many the cage has paid.
    pub(in super::super) fn paid(&self) -> u64 {
        let paid = self.ends.values().filter(|end| **end == End::Paid);
        paid.count() as u64
    }

    /// Holds it to what left the tables, went back and was taken in there.
    pub(in super::super) fn compare<S>(
        &self,
        (out, back): (&Moved<S>, &Moved<S>),
        taken: &BTreeMap<VoucherId, Vec<(String, i64)>>,
    ) -> Result<(), String> {
        for (voucher, end) in &self.ends {
            let (number, worth) = (voucher.0, self.worth[voucher]);
            let amount = |moved: &Moved<S>| -> i64 {
                let moved = moved.get(voucher).map_or(&[][..], Vec::as_slice);
                moved.iter().map(|(_, amount)| *amount).sum()
            };
            let left = amount(out) - amount(back);
            let wanted = match end {
                End::Returned => 0,
                _ => worth,
            };
            if left != wanted {
                return Err(format!(
                    "voucher {number} is {end} and worth {}, and {} left a table for it (S-13)",
                    words::amount(worth),
                    words::amount(left)
                ));
            }
            let taken = taken.get(voucher).map_or(&[][..], Vec::as_slice);
            let fair = match (end, taken) {
                (End::Credited(table), [(at, amount)]) => at == table && *amount == worth,
                (End::Credited(_), _) => false,
                (_, taken) => taken.is_empty(),
            };
            if !fair {
                return Err(format!(
                    "voucher {number} is {end} and worth {}, and tables took in {} (S-13)",
                    words::amount(worth),
                    words::amounts(&amounts(taken))
                ));
            }
        }
        for (voucher, taken) in taken {
            if !self.ends.contains_key(voucher) {
                let number = voucher.0;
                return Err(format!(
                    "tables took {} in for voucher {number}, which nobody redeemed (S-13)",
                    words::amounts(&amounts(taken))
                ));
            }
        }
        Ok(())
    }
}

impl Visitor<Register> for Cage {
    fn before(&mut self, _: &Register, _: &Record<'_>, _: &Event) {}

    fn after(&mut self, _: &Register, sequence: u64, event: &Event) -> ControlFlow<()> {
        let found = self.hear(event);
        stops(found, sequence, &mut self.fault)
    }
}
