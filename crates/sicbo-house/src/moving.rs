//! Money that one person moves alone at several tables.
//!
//! Each table bounds what one person moves there until somebody else has counted it; the
//! house adds up what they moved at all of them, so that many tables are no way around the
//! bound. It refuses only: the table decides, and its journal needs nothing of the others.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::cash::{Bound, Moved};
use sicbo_table::refusal::{Reason, Refusal};
use sicbo_table::{Act, Command, Table, decide};

use crate::house::{House, TableAt};

/// How much an act moves, and what bounds it; none where nobody moves money alone.
fn moved(act: &Act, table: &Table) -> Option<(Money, Bound)> {
    let duties = table.money_duties.as_deref()?;
    match act {
        Act::BuyCredit { source, amount, .. } => match Moved::of(*source)? {
            Moved::Attendant => Some((*amount, duties.attendant)),
            Moved::Cage => Some((*amount, duties.cage)),
            Moved::Transfer | Moved::HandPay | Moved::Unclaimed | Moved::Waived => None,
        },
        Act::TransferOut { amount, .. } => Some((*amount, duties.transfer)),
        Act::PayUnclaimed { unclaimed } => {
            let owed = table.unclaimed.get(unclaimed)?;
            Some((owed.amount, duties.transfer))
        }
        Act::Waive { recoverable, .. } => {
            let owed = table.recoverables.get(recoverable)?;
            Some((owed.amount, duties.transfer))
        }
        _ => None,
    }
}

impl House {
    /// Why this takes a second person although the table alone would let one do it: what
    /// they moved at other tables in the same currency waits to be counted as well.
    #[must_use]
    pub fn beyond_alone(
        &self,
        at: &TableAt,
        act: &Act,
        request: Option<u64>,
        by: Staff,
    ) -> Option<Refusal> {
        let (alone, amount, currency, here) = {
            let state = at.hub.state();
            let (amount, bound) = moved(act, &state.table)?;
            let command = Command {
                id: request.unwrap_or(0),
                at_ms: self.clock.now_ms(),
                by: Actor::Staff(by),
                second: None,
                act: act.clone(),
            };
            // A request that was done before is answered again, and what the table
            // refuses it says itself.
            if decide(&state.table, &command).map_or(true, |events| events.is_empty()) {
                return None;
            }
            let here = state.table.uncounted_of(by.person);
            let currency = state.table.config.as_ref()?.currency;
            (bound.alone, amount, currency, here)
        };
        let others = self
            .tables
            .values()
            .filter(|other| other.hub.name != at.hub.name);
        let elsewhere: Money = others
            .map(|other| other.hub.state())
            .filter(|state| {
                let config = state.table.config.as_ref();
                config.is_some_and(|config| config.currency == currency)
            })
            .map(|state| state.table.uncounted_of(by.person))
            .sum();
        let sum = here.checked_add(elsewhere);
        let sum = sum.and_then(|sum| sum.checked_add(amount));
        let needed = Position::PitSupervisor;
        let within = elsewhere == Money::ZERO || sum.is_some_and(|sum| sum <= alone);
        (!within).then(|| Reason::SecondPersonNeeded { needed }.into())
    }
}
