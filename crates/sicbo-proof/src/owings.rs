//! Which later records are about a round that has ended.

use std::collections::BTreeSet;

use sicbo_table::event::Effect;
use sicbo_table::ids::{RecoverableId, RoundNumber, UnclaimedId};
use sicbo_table::{Event, Fact};

use crate::verify::amended_by;

/// Debts and credits that the amendments of an ended round made: later records
/// that name them are about that round.
#[derive(Default)]
pub(crate) struct Owings {
    recoverables: BTreeSet<RecoverableId>,
    unclaimed: BTreeSet<UnclaimedId>,
}

impl Owings {
    pub(crate) fn remember(&mut self, effects: &[Effect]) {
        for effect in effects {
            let recoverable = effect.recoverable.as_ref();
            self.recoverables.extend(recoverable.map(|entry| entry.id));
            let unclaimed = effect.unclaimed.as_ref();
            self.unclaimed.extend(unclaimed.map(|entry| entry.id));
        }
    }

    /// Whether a record is about a round though it has ended.
    pub(crate) fn concern(&self, round: RoundNumber, event: &Event) -> bool {
        match &event.fact {
            Fact::OverpaymentRecovered { recoverable, .. }
            | Fact::OverpaymentWaived { recoverable, .. } => {
                self.recoverables.contains(recoverable)
            }
            Fact::UnclaimedPaid { unclaimed, .. } => self.unclaimed.contains(unclaimed),
            _ => amended_by(event) == Some(round),
        }
    }
}
