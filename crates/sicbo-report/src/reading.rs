//! A stretch of a table's journal, played from the nearest state before it.
//!
//! Reads beside the writer and changes nothing. What was appended after the
//! reader began is not looked at, so that a report has one moment it is true
//! for.

use std::ops::RangeInclusive;

use sicbo_journal::{Store, StreamId};
use sicbo_loop::apply_read;
use sicbo_table::ids::RoundNumber;
use sicbo_table::{Event, Table, codec, snapshot};

use super::ReportError;
use super::sheet::CheckpointSeal;
use sicbo_proof::history::HistoryError;
use sicbo_proof::verify::{amended_by, amends};

/// Which records a report is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The first record, from 1.
    pub from: u64,
    /// The last; without it, the newest.
    pub to: Option<u64>,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked { from: 1, to: None }
    }
}

impl Asked {
    /// The whole rounds that ended between two moments, UTC milliseconds, the
    /// second one not included; none when there is none.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn between(
        store: &dyn Store,
        from_ms: i64,
        to_ms: i64,
    ) -> Result<Option<Asked>, HistoryError> {
        let ended_before = |at: i64| -> Result<u64, HistoryError> {
            // How many rounds ended before a moment: strides that double, then halve.
            let before = |round: u64| -> Result<bool, HistoryError> {
                let row = store.rounds(round, 1)?.into_iter().next();
                let row = row.filter(|row| row.round == round);
                Ok(row.is_some_and(|row| row.ended_ms.is_some_and(|ended| ended < at)))
            };
            let (mut low, mut stride) = (0, 1);
            while before(low + stride)? {
                low += stride;
                stride *= 2;
            }
            while stride > 1 {
                stride /= 2;
                if before(low + stride)? {
                    low += stride;
                }
            }
            Ok(low)
        };
        let (first, last) = (ended_before(from_ms)? + 1, ended_before(to_ms)?);
        if first > last {
            return Ok(None);
        }
        let row = |round: u64| -> Result<_, HistoryError> {
            let row = store.rounds(round, 1)?.into_iter().next();
            row.ok_or_else(|| HistoryError::damaged(0, format!("round {round} is not indexed")))
        };
        Ok(Some(Asked {
            from: row(first)?.first_sequence,
            to: Some(row(last)?.last_sequence),
        }))
    }
}

/// Looks at every event of the stretch.
pub(crate) trait Watch {
    /// The state before the first record.
    fn begin(&mut self, table: &Table);
    /// An event about to be applied.
    fn before(&mut self, table: &Table, sequence: u64, event: &Event);
    /// The state after it.
    ///
    /// # Errors
    /// When the journal is not what it should be.
    fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> Result<(), ReportError>;
}

/// Two who look at the same events.
pub(crate) struct Both<'a>(pub(crate) &'a mut dyn Watch, pub(crate) &'a mut dyn Watch);

impl Watch for Both<'_> {
    fn begin(&mut self, table: &Table) {
        self.0.begin(table);
        self.1.begin(table);
    }

    fn before(&mut self, table: &Table, sequence: u64, event: &Event) {
        self.0.before(table, sequence, event);
        self.1.before(table, sequence, event);
    }

    fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> Result<(), ReportError> {
        self.0.after(table, sequence, event)?;
        self.1.after(table, sequence, event)
    }
}

/// A stretch, with what there was when reading began.
pub(crate) struct Reading<'s> {
    pub(crate) store: &'s dyn Store,
    pub(crate) stream: &'s StreamId,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) as_of: u64,
    /// A round belongs to the shift in which it began (J-09).
    of_shift: bool,
}

impl<'s> Reading<'s> {
    pub(crate) fn new(
        store: &'s dyn Store,
        stream: &'s StreamId,
        asked: Asked,
        of_shift: bool,
    ) -> Result<Reading<'s>, ReportError> {
        let as_of = store.tail().sequence;
        let to = asked.to.unwrap_or(as_of);
        // A shift in which nothing was recorded yet ends where it begins.
        let earliest_end = asked.from.saturating_sub(u64::from(of_shift));
        if asked.from < 1 || earliest_end > to || to > as_of {
            return Err(ReportError::Range {
                from: asked.from,
                to,
                last: as_of,
            });
        }
        Ok(Reading {
            store,
            stream,
            from: asked.from,
            to,
            as_of,
            of_shift,
        })
    }

    /// Plays the stretch; the state after its last record. That of a shift has whole rounds:
    /// it begins after the round that it found being played, and ends with the one that was
    /// being played when it was signed, or with what there is of it.
    pub(crate) fn play(&mut self, watch: &mut dyn Watch) -> Result<Box<Table>, ReportError> {
        let (at, mut table) = self.state_before()?;
        let mut began = false;
        let in_hand = |table: &Table| self.of_shift && table.round.is_some();
        let (mut from, mut to) = (self.from, self.to);
        for raw in self.store.read_from(at + 1) {
            let block = raw
                .map_err(HistoryError::Read)?
                .decode()
                .map_err(|error| HistoryError::damaged(at + 1, error))?;
            for record in block.records().filter(|record| record.sequence > at) {
                let past = record.sequence > self.as_of;
                if past || (record.sequence > self.to && !in_hand(&table)) {
                    if !began {
                        watch.begin(&table);
                    }
                    (self.from, self.to) = (from, to.max(from.saturating_sub(1)));
                    return Ok(table);
                }
                to = to.max(record.sequence);
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                if record.sequence < self.from || (!began && in_hand(&table)) {
                    from = from.max(record.sequence + 1);
                    apply_to(&mut table, record.sequence, &event)?;
                    continue;
                }
                if !began {
                    watch.begin(&table);
                    began = true;
                }
                watch.before(&table, record.sequence, &event);
                apply_to(&mut table, record.sequence, &event)?;
                watch.after(&table, record.sequence, &event)?;
            }
        }
        if !began {
            watch.begin(&table);
        }
        (self.from, self.to) = (from, to.max(from.saturating_sub(1)));
        Ok(table)
    }

    /// The nearest state before the stretch, and the record it rests on.
    fn state_before(&self) -> Result<(u64, Box<Table>), ReportError> {
        let kept = self.store.snapshot_before(self.from);
        let kept = kept.map_err(HistoryError::Read)?;
        let state = kept.and_then(|kept| {
            let state = snapshot::decode(kept.state()).ok()?;
            Some((kept.sequence, Box::new(state)))
        });
        Ok(state.unwrap_or_default())
    }

    /// What amended any of these rounds after the stretch, in order.
    pub(crate) fn later(
        &self,
        rounds: &RangeInclusive<u64>,
        mut put: impl FnMut(u64, &Event),
    ) -> Result<(), ReportError> {
        for raw in self.store.read_from(self.to + 1) {
            let block = raw
                .map_err(HistoryError::Read)?
                .decode()
                .map_err(|error| HistoryError::damaged(self.to + 1, error))?;
            for record in block.records() {
                if record.sequence > self.as_of {
                    return Ok(());
                }
                if record.sequence <= self.to || !amends(record.kind) {
                    continue;
                }
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                if amended_by(&event).is_some_and(|round| rounds.contains(&round.0)) {
                    put(record.sequence, &event);
                }
            }
        }
        Ok(())
    }

    /// The first signed checkpoint over the last record; where there is none
    /// yet, the one over the end of the last round.
    pub(crate) fn seal(
        &self,
        last_round: Option<u64>,
    ) -> Result<Option<CheckpointSeal>, ReportError> {
        let mut signed = None;
        for sequence in [Some(self.to), last_round].into_iter().flatten() {
            if signed.is_none() {
                let found = self.store.checkpoint_from(sequence);
                signed = found.map_err(HistoryError::Read)?;
            }
        }
        Ok(signed.map(|signed| {
            let checkpoint = signed.checkpoint();
            let mut fingerprint = checkpoint.header_hash.to_string();
            fingerprint.truncate(sicbo_proof::FINGERPRINT_DIGITS);
            CheckpointSeal {
                sequence: checkpoint.sequence,
                fingerprint,
                time_ms: checkpoint.time_ms,
            }
        }))
    }
}

/// Who looks at nothing.
struct Nobody;

impl Watch for Nobody {
    fn begin(&mut self, _: &Table) {}
    fn before(&mut self, _: &Table, _: u64, _: &Event) {}
    fn after(&mut self, _: &Table, _: u64, _: &Event) -> Result<(), ReportError> {
        Ok(())
    }
}

/// A table that is followed through its journal for the board of the pit.
pub struct Followed {
    /// The last record that was noted.
    at: u64,
    table: Box<Table>,
    /// A round of the shift before goes on.
    before: Option<RoundNumber>,
}

impl Followed {
    /// What a shift's rounds are, from its first record to one that is durable: each event with
    /// the table as it was before it. A round belongs to the shift in which it began (J-09).
    ///
    /// # Errors
    /// When there are no such records, or the journal cannot be read.
    pub fn shift(
        store: &dyn Store,
        stream: &StreamId,
        (from, to): (u64, u64),
        note: &mut dyn FnMut(&Table, &Event),
    ) -> Result<Followed, ReportError> {
        let asked = Asked { from, to: Some(to) };
        let mut reading = Reading::new(store, stream, asked, true)?;
        // What came after it is noted later.
        reading.as_of = to;
        let mut noted = Noted { note, any: false };
        let table = reading.play(&mut noted)?;
        let round = table.round.as_deref().map(|round| round.number);
        let before = round.filter(|_| !noted.any);
        Ok(Followed {
            at: to,
            table,
            before,
        })
    }

    /// The round that goes on and is the shift's before, where there is one.
    #[must_use]
    pub fn round_before(&self) -> Option<RoundNumber> {
        self.before
    }

    /// And what came since, up to another record.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn up_to(
        &mut self,
        store: &dyn Store,
        to: u64,
        note: &mut dyn FnMut(&Table, &Event),
    ) -> Result<(), ReportError> {
        if self.at >= to {
            return Ok(());
        }
        for raw in store.read_from(self.at + 1) {
            let block = raw
                .map_err(HistoryError::Read)?
                .decode()
                .map_err(|error| HistoryError::damaged(self.at + 1, error))?;
            let first = self.at;
            for record in block.records().filter(|record| record.sequence > first) {
                if record.sequence > to {
                    return Ok(());
                }
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                note(&self.table, &event);
                apply_to(&mut self.table, record.sequence, &event)?;
                self.at = record.sequence;
            }
        }
        Ok(())
    }
}

/// Whoever notes what happens, with the table as it was before.
struct Noted<'n> {
    note: &'n mut dyn FnMut(&Table, &Event),
    /// Something happened in the shift.
    any: bool,
}

impl Watch for Noted<'_> {
    fn begin(&mut self, _: &Table) {}
    fn before(&mut self, table: &Table, _: u64, event: &Event) {
        self.any = true;
        (self.note)(table, event);
    }
    fn after(&mut self, _: &Table, _: u64, _: &Event) -> Result<(), ReportError> {
        Ok(())
    }
}

/// A table as it stood after a record.
///
/// # Errors
/// When there is no such record, or the journal cannot be read.
pub fn state_at(
    store: &dyn Store,
    stream: &StreamId,
    sequence: u64,
) -> Result<Box<Table>, ReportError> {
    let asked = Asked {
        from: sequence + 1,
        to: Some(sequence),
    };
    let mut reading = Reading::new(store, stream, asked, true)?;
    reading.of_shift = false;
    reading.play(&mut Nobody)
}

/// Applies an event that was read.
fn apply_to(table: &mut Table, sequence: u64, event: &Event) -> Result<(), HistoryError> {
    apply_read(table, event).map_err(|what| HistoryError::damaged(sequence, what))
}
