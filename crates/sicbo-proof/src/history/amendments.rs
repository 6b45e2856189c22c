//! Where ended rounds were amended later. The round index says that one was;
//! the records that did it are found by their kind and remembered by place.

use std::collections::BTreeMap;

use sicbo_journal::{RoundRow, Store};
use sicbo_table::{Event, codec};

use super::{HistoryError, blocks};
use crate::verify::{amended_by, amends};

/// Places of amending records, by round.
#[derive(Default)]
pub(crate) struct Amendments {
    places: BTreeMap<u64, Vec<u64>>,
    /// Records looked through: from, to before.
    looked: Option<(u64, u64)>,
}

impl Amendments {
    /// The events that amended a round, in order.
    pub(super) fn of(
        &mut self,
        store: &dyn Store,
        row: &RoundRow,
    ) -> Result<Vec<Event>, HistoryError> {
        let numbered = self.numbered(store, row)?;
        Ok(numbered.into_iter().map(|(_, event)| event).collect())
    }

    /// The same, each with its record's place.
    pub(crate) fn numbered(
        &mut self,
        store: &dyn Store,
        row: &RoundRow,
    ) -> Result<Vec<(u64, Event)>, HistoryError> {
        if matches!(row.state.as_str(), "open" | "settled" | "void") {
            return Ok(Vec::new());
        }
        self.look(store, row.last_sequence + 1)?;
        let places = self.places.get(&row.round).map_or(&[][..], Vec::as_slice);
        let event = |place: &u64| Ok((*place, event_at(store, *place)?));
        places.iter().map(event).collect()
    }

    /// Looks through what was not looked through from a record on.
    fn look(&mut self, store: &dyn Store, from: u64) -> Result<(), HistoryError> {
        let (first, end) = self.looked.unwrap_or((from, from));
        let mut reached = end;
        if from < first {
            self.scan(store, from, first)?;
        }
        self.scan(store, end, u64::MAX)
            .map(|last| reached = reached.max(last))?;
        self.looked = Some((first.min(from), reached));
        Ok(())
    }

    /// Looks through records of a stretch; the first not looked at.
    fn scan(&mut self, store: &dyn Store, from: u64, to: u64) -> Result<u64, HistoryError> {
        let mut next = from;
        for block in blocks(store, from) {
            let block = block?;
            for record in block.records() {
                if record.sequence < from || !amends(record.kind) {
                    continue;
                }
                if record.sequence >= to {
                    return Ok(to);
                }
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                if let Some(round) = amended_by(&event) {
                    let places = self.places.entry(round.0).or_default();
                    if let Err(at) = places.binary_search(&record.sequence) {
                        places.insert(at, record.sequence);
                    }
                }
            }
            next = block.header().last_sequence + 1;
            if next >= to {
                break;
            }
        }
        Ok(next)
    }
}

/// The event of a record, with its stored bytes.
pub(crate) fn stored_at(
    store: &dyn Store,
    sequence: u64,
) -> Result<(Event, Vec<u8>), HistoryError> {
    let missing = || HistoryError::damaged(sequence, "it is not there");
    let block = blocks(store, sequence).next().ok_or_else(missing)??;
    let mut records = block.records();
    let record = records
        .find(|record| record.sequence == sequence)
        .ok_or_else(missing)?;
    let event = codec::decode(record.kind, record.version, record.payload)
        .map_err(|error| HistoryError::damaged(sequence, error))?;
    Ok((event, record.payload.to_vec()))
}

fn event_at(store: &dyn Store, sequence: u64) -> Result<Event, HistoryError> {
    stored_at(store, sequence).map(|(event, _)| event)
}
