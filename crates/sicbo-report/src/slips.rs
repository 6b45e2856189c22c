//! What the slips of a stretch add up to, to be matched with those on paper
//! before a shift can end (J-09, P-098).

use sicbo_journal::Store;
use sicbo_rules::Money;
use sicbo_table::command::ChipMove;
use sicbo_table::{Fact, codec};

use sicbo_proof::history::HistoryError;

/// Chips between cage and rack.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Slips {
    /// From the cage.
    pub fills: Money,
    /// To the cage.
    pub credits: Money,
}

impl Slips {
    /// Adds up the slips of a table's records from one to another.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn read(store: &dyn Store, from: u64, to: u64) -> Result<Slips, HistoryError> {
        let mut slips = Slips::default();
        let moved = codec::KINDS.iter().find(|info| info.name == "ChipsMoved");
        let moved = moved.map(|info| info.kind);
        for raw in store.read_from(from) {
            let block = raw?
                .decode()
                .map_err(|error| HistoryError::damaged(from, error))?;
            let records = block.records().filter(|record| record.sequence >= from);
            for record in records {
                if record.sequence > to {
                    return Ok(slips);
                }
                if Some(record.kind) != moved {
                    continue;
                }
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                if let Fact::ChipsMoved { how, amount, .. } = event.fact {
                    match how {
                        ChipMove::Fill => slips.fills += amount,
                        ChipMove::CreditSlip => slips.credits += amount,
                        _ => {}
                    }
                }
            }
        }
        Ok(slips)
    }
}
