//! Ended rounds as a start may show them. Nobody signs the index of rounds, so
//! each row is held to the records it names, in blocks that the house signed;
//! one that is not so is left out and named.

use sicbo_journal::{KeyRing, ReadError, RoundRow, SealedBlock, Seals, Store};
use sicbo_table::ids::RoundNumber;
use sicbo_table::record::Standing;
use sicbo_table::{Event, Fact, Table, codec};

/// Rows of ended rounds, and what is wrong with the others.
#[derive(Debug, Default)]
pub struct Confirmed {
    /// What the records say of the rounds, the oldest first.
    pub rows: Vec<RoundRow>,
    /// Ended rounds whose rows are missing or name other records.
    pub refused: Vec<u64>,
}

/// The last `count` ended rounds of a table that was brought back.
///
/// # Errors
/// When the journal cannot be read.
pub fn confirmed(
    store: &dyn Store,
    ring: &KeyRing,
    table: &Table,
    count: usize,
) -> Result<Confirmed, ReadError> {
    let last = table.last_round.0;
    let from = last.saturating_sub(count as u64 - 1).max(1);
    let rows = store.rounds(from, count)?;
    let open = table.round.as_deref().map(|round| round.number.0);
    let mut look = Look {
        store,
        ring,
        seals: Seals::new(ring).every_one(),
        block: None,
    };
    let mut found = Confirmed::default();
    for number in (from..=last).filter(|number| Some(*number) != open) {
        let row = |number| rows.iter().find(|row| row.round == number);
        // Rounds follow each other, so what ends this one stands before the next.
        let ends_before = match number == last {
            true => Some(u64::MAX),
            false => row(number + 1).map(|next| next.first_sequence),
        };
        let standing = match (row(number), ends_before) {
            (Some(row), Some(before)) if row.last_sequence < before => look.standing(row)?,
            _ => None,
        };
        match (row(number), standing) {
            (Some(row), Some(ended)) => found.rows.push(as_it_stands(table, row, ended)),
            _ => found.refused.push(number),
        }
    }
    Ok(found)
}

/// The row with what the records say of its end, and what was amended since.
fn as_it_stands(table: &Table, row: &RoundRow, ended: Standing) -> RoundRow {
    let amended = table.amended.get(&RoundNumber(row.round));
    let standing = amended.map_or(ended, |amended| amended.standing);
    let (state, dice) = match (standing, amended.is_some()) {
        (Standing::Settled(dice), false) => ("settled", Some(dice)),
        (Standing::Settled(dice), true) => ("corrected", Some(dice)),
        (Standing::Void, false) => ("void", None),
        (Standing::Void, true) => ("voided after settlement", None),
    };
    RoundRow {
        state: state.to_owned(),
        dice: dice.map(|dice| dice.to_string()),
        ..row.clone()
    }
}

struct Look<'s> {
    store: &'s dyn Store,
    ring: &'s KeyRing,
    seals: Seals<'s>,
    /// The block that was looked at last, if the house signed it.
    block: Option<SealedBlock>,
}

impl Look<'_> {
    /// How the round of a row ended, if its records begin and end that round.
    fn standing(&mut self, row: &RoundRow) -> Result<Option<Standing>, ReadError> {
        let begins = match self.event(row.first_sequence)? {
            Some(Event {
                fact: Fact::RoundBegan { round, .. },
                ..
            }) => round.0 == row.round && row.first_sequence < row.last_sequence,
            _ => false,
        };
        if !begins {
            return Ok(None);
        }
        let ends = self.event(row.last_sequence)?;
        Ok(match ends.map(|event| event.fact) {
            Some(Fact::RoundSettled { dice, .. }) => Some(Standing::Settled(dice)),
            Some(Fact::RoundVoided { .. }) => Some(Standing::Void),
            _ => None,
        })
    }

    /// The event of a record, if the house signed its block.
    fn event(&mut self, sequence: u64) -> Result<Option<Event>, ReadError> {
        let holds = |block: &SealedBlock| {
            let header = block.header();
            (header.first_sequence..=header.last_sequence).contains(&sequence)
        };
        if !self.block.as_ref().is_some_and(holds) {
            let raw = self.store.read_from(sequence.max(1)).next().transpose()?;
            let block = raw.and_then(|raw| raw.decode().ok()).filter(holds);
            self.block = match block {
                Some(block) if self.is_signed(&block)? => Some(block),
                _ => None,
            };
        }
        let record = self.block.as_ref().and_then(|block| {
            let mut records = block.records();
            records.find(|record| record.sequence == sequence)
        });
        Ok(record
            .and_then(|record| codec::decode(record.kind, record.version, record.payload).ok()))
    }

    /// A block of a program that signed none is believed where a checkpoint is
    /// over it, as there is over each that ends a round; one without a checkpoint
    /// says only which round begins.
    fn is_signed(&mut self, block: &SealedBlock) -> Result<bool, ReadError> {
        if self.seals.accept(block).is_err() {
            return Ok(false);
        }
        let header = block.header();
        if header.seal.is_some() {
            return Ok(true);
        }
        let signed = self.store.checkpoint_from(header.last_sequence)?;
        let over = signed.filter(|signed| signed.checkpoint().sequence == header.last_sequence);
        Ok(over.is_none_or(|signed| {
            signed.checkpoint().header_hash == block.header_hash()
                && signed.verify(self.ring).is_ok()
        }))
    }
}
