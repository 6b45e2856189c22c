//! How a round stood, from its end through every amendment, and what it paid
//! each station so: derived again from the bets and the rule book.

use std::sync::Arc;

use sicbo_rules::Money;
use sicbo_table::event::Effect;
use sicbo_table::ids::RoundNumber;
use sicbo_table::record::{RoundRecord, Standing};
use sicbo_table::{Event, Fact, Table};

use crate::paid::{PaidStation, fingerprint, paid};

/// How a round stands after a record, and what it pays each station so.
#[derive(Clone, Debug)]
pub struct Life {
    /// 0 when it ended; counts the amendments.
    pub revision: u32,
    /// The record that made it so; none when that record is not shown.
    pub sequence: Option<u64>,
    /// Settled by dice, or void.
    pub standing: Standing,
    /// Station by station, derived again.
    pub stations: Vec<PaidStation>,
    /// The payments derived are those the record claims; not known when the
    /// record is not shown.
    pub agrees: Option<bool>,
}

impl Life {
    /// All stakes.
    #[must_use]
    pub fn staked(&self) -> Money {
        self.stations.iter().map(|station| station.staked).sum()
    }

    /// All that comes back.
    #[must_use]
    pub fn returned(&self) -> Money {
        self.stations.iter().map(|station| station.returned).sum()
    }
}

/// Follows one round through the records that end and amend it.
#[derive(Clone, Debug)]
pub struct Lives {
    round: RoundNumber,
    record: Option<Arc<RoundRecord>>,
    lives: Vec<Life>,
}

impl Lives {
    /// Of a round that has not ended yet.
    #[must_use]
    pub fn new(round: RoundNumber) -> Lives {
        Lives {
            round,
            record: None,
            lives: Vec::new(),
        }
    }

    /// The round has ended.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.record.is_some()
    }

    /// What was derived.
    #[must_use]
    pub fn finish(self) -> Vec<Life> {
        self.lives
    }

    /// Sees an event that was just applied.
    pub fn after(&mut self, table: &Table, sequence: u64, event: &Event) {
        match &event.fact {
            Fact::RoundSettled { dice, digest, .. } => {
                self.end(table, sequence, Standing::Settled(*dice), digest);
            }
            Fact::RoundVoided { digest, .. } => {
                self.end(table, sequence, Standing::Void, digest);
            }
            Fact::ResultCorrected {
                round,
                revision,
                dice,
                effects,
                ..
            } if *round == self.round => {
                self.amend(sequence, *revision, Standing::Settled(*dice), effects);
            }
            Fact::RoundVoidedLate {
                round,
                revision,
                effects,
                ..
            } if *round == self.round => self.amend(sequence, *revision, Standing::Void, effects),
            _ => {}
        }
    }

    fn end(&mut self, table: &Table, sequence: u64, standing: Standing, digest: &[u8; 32]) {
        let last = table.last_record.clone();
        let Some(record) = last.filter(|last| last.number == self.round && !self.ended()) else {
            return;
        };
        let stations = paid(&record, standing);
        self.lives.push(Life {
            revision: 0,
            sequence: Some(sequence),
            standing,
            agrees: Some(fingerprint(&stations) == *digest),
            stations,
        });
        self.record = Some(record);
    }

    /// An amendment's own effects against what each station gets so.
    fn amend(&mut self, sequence: u64, revision: u32, to: Standing, effects: &[Effect]) {
        let Some(record) = &self.record else { return };
        let stations = paid(record, to);
        let claimed = |part: &PaidStation| {
            let effect = effects
                .iter()
                .find(|effect| effect.station == part.record.station);
            // A station whose return does not change is not mentioned.
            effect.is_none_or(|effect| effect.is == part.returned)
        };
        self.lives.push(Life {
            revision,
            sequence: Some(sequence),
            standing: to,
            agrees: Some(stations.iter().all(claimed)),
            stations,
        });
    }
}
