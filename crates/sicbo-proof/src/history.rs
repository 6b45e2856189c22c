//! Ended rounds for clients, read from a table's journal beside its writer.
//!
//! A reader of its own on the same file, which SQLite's write-ahead log
//! allows: it takes no lock the writer waits for and sees what is durable. A
//! round's record is made by playing the journal again from the nearest state
//! at hand, never by hand, so it is what the table itself had.
//!
//! Memory is bounded: so many states, so many records, and for each page of
//! 64 rounds who took part in which.

mod amendments;
mod blocks;
mod bounded;
mod replay;
mod summary;
mod timeline;

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;

use sicbo_journal::{OpenError, ReadError, RoundRow, Store, StreamId, Tail};
use sicbo_rules::Money;
use sicbo_table::Table;
use sicbo_table::ids::StationId;
use sicbo_table::record::RoundRecord;

use crate::paid::{PaidStation, paid};
use crate::source;
pub(crate) use amendments::{Amendments, stored_at};
use bounded::Bounded;

pub use blocks::blocks;
pub use summary::{RoundSummary, VoidWhy};
pub use timeline::{Adjustment, Moment};

/// Most rounds given at once.
pub const MAX_AT_ONCE: usize = 256;
/// A station's rounds are looked for among this many rounds before the newest.
pub const LOOK_BACK: u64 = 10_000;

/// States kept to play on from.
const MAX_STATES: usize = 128;
/// Records between two of them, while there is room.
const STATE_EVERY: u64 = 8_192;
/// Rounds kept whole.
const MAX_ROUNDS: usize = 512;
/// Rounds of a page: one bit each.
const PAGE: u64 = 64;
/// Pages of which it is kept who took part.
const MAX_PAGES: usize = 4_096;

/// Why history could not be read.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The journal could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not what was written; `sicbo verify` says more.
    #[error("record {sequence}: {what}")]
    Damaged {
        /// Which.
        sequence: u64,
        /// What is wrong.
        what: String,
    },
}

impl HistoryError {
    /// A record that cannot be read.
    pub fn damaged(sequence: u64, what: impl std::fmt::Display) -> HistoryError {
        HistoryError::Damaged {
            sequence,
            what: what.to_string(),
        }
    }
}

/// A station's own part of an ended round (S-01, P-007).
#[derive(Clone, Debug)]
pub struct StationPlay {
    /// The round.
    pub summary: RoundSummary,
    /// Its bets and what came of each, as the round stands now.
    pub paid: PaidStation,
    /// Its credit when the round began.
    pub credit_before: Money,
    /// Its credit when the round had ended; a later correction is not in it.
    pub credit_after: Money,
}

/// An ended round as it ended.
#[derive(Clone)]
struct Ended {
    record: Arc<RoundRecord>,
    /// Credit of each of the record's stations, before and after.
    credits: Arc<[(Money, Money)]>,
}

/// Who took part in the rounds of a page.
#[derive(Default)]
struct Page {
    /// Rounds of which it is known.
    seen: u64,
    took_part: BTreeMap<StationId, u64>,
}

/// A table's ended rounds. One for each thread that reads.
pub struct History {
    store: Box<dyn Store>,
    stream: StreamId,
    /// States by the sequence of their last record.
    states: BTreeMap<u64, Box<Table>>,
    rounds: BTreeMap<u64, Ended>,
    /// Rounds kept, the oldest first.
    kept: VecDeque<u64>,
    pages: BTreeMap<u64, Page>,
    amendments: Amendments,
    /// A round that is known to have begun.
    newest: u64,
}

impl History {
    /// Opens a table's journal file for reading, also while its table runs.
    ///
    /// # Errors
    /// When it is missing, damaged or no journal.
    pub fn open(stream: &StreamId, path: &Path) -> Result<History, HistoryError> {
        let store = source::open(stream, path)?;
        Ok(History::over(stream, Box::new(store)))
    }

    /// History over a store that is at hand.
    #[must_use]
    pub fn over(stream: &StreamId, store: Box<dyn Store>) -> History {
        History {
            store,
            stream: stream.clone(),
            states: BTreeMap::new(),
            rounds: BTreeMap::new(),
            kept: VecDeque::new(),
            pages: BTreeMap::new(),
            amendments: Amendments::default(),
            newest: 0,
        }
    }

    /// History that ends with a block. For a journal that may hold records which
    /// were written and never synced: what was acknowledged ends with that block.
    #[must_use]
    pub fn up_to(stream: &StreamId, store: Box<dyn Store>, tail: Tail) -> History {
        History::over(stream, Box::new(Bounded { store, tail }))
    }

    /// The record of an ended round as it stands now, as a correction or a
    /// late void of it needs; nothing when it has not ended.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn record(&mut self, round: u64) -> Result<Option<Arc<RoundRecord>>, HistoryError> {
        let Some(row) = self.ended_row(round)? else {
            return Ok(None);
        };
        let ended = self.ended(&row)?;
        self.amended(&row, &ended).map(Some)
    }

    /// Up to `n` ended rounds before `before`, or the newest, newest first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn recent(
        &mut self,
        before: Option<u64>,
        n: usize,
    ) -> Result<Vec<RoundSummary>, HistoryError> {
        let n = n.min(MAX_AT_ONCE);
        let newest = self.newest_round()?;
        let end = before.map_or(newest + 1, |before| before.min(newest + 1));
        // The newest may be open: one more is read for it.
        let from = end.saturating_sub(n as u64 + 1);
        let mut rows = self.store.rounds(from, n + 1)?;
        rows.retain(|row| row.round < end && row.ended_ms.is_some());
        let rows = rows.iter().rev().take(n);
        rows.map(|row| summary::of(self.store.as_ref(), &self.stream, row, &mut self.amendments))
            .collect()
    }

    /// The last `n` ended rounds in which a station took part, newest first.
    /// The current round is not history: the table's own view shows it (S-02).
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn station_rounds(
        &mut self,
        station: StationId,
        n: usize,
    ) -> Result<Vec<StationPlay>, HistoryError> {
        let n = n.min(MAX_AT_ONCE);
        let mut plays = Vec::new();
        let newest = self.newest_round()?;
        let oldest = newest.saturating_sub(LOOK_BACK);
        for page in (oldest / PAGE..=newest / PAGE).rev() {
            let rows = self.store.rounds(page * PAGE, PAGE as usize)?;
            let rows: Vec<RoundRow> = rows
                .into_iter()
                .filter(|row| row.round / PAGE == page && row.ended_ms.is_some())
                .collect();
            let took_part = self.took_part(page, &rows, station)?;
            for row in rows.iter().rev() {
                if plays.len() == n {
                    return Ok(plays);
                }
                if took_part >> (row.round % PAGE) & 1 == 1 {
                    plays.extend(self.play(row, station)?);
                }
            }
        }
        Ok(plays)
    }

    fn play(
        &mut self,
        row: &RoundRow,
        station: StationId,
    ) -> Result<Option<StationPlay>, HistoryError> {
        let ended = self.ended(row)?;
        let record = self.amended(row, &ended)?;
        let summary = summary::of(self.store.as_ref(), &self.stream, row, &mut self.amendments)?;
        let Some(at) = record
            .stations
            .iter()
            .position(|part| part.station == station)
        else {
            return Ok(None);
        };
        let own = RoundRecord {
            stations: vec![record.stations[at].clone()],
            ..RoundRecord::clone(&record)
        };
        let paid = paid(&own, record.standing).into_iter().next();
        let (credit_before, credit_after) = ended.credits.get(at).copied().unwrap_or_default();
        Ok(paid.map(|paid| StationPlay {
            summary,
            paid,
            credit_before,
            credit_after,
        }))
    }

    /// The row of a round that has ended.
    fn ended_row(&self, round: u64) -> Result<Option<RoundRow>, HistoryError> {
        let rows = self.store.rounds(round, 1)?;
        let found = rows
            .into_iter()
            .find(|row| row.round == round && row.ended_ms.is_some());
        Ok(found)
    }

    /// The newest round that began; zero before the first.
    fn newest_round(&mut self) -> Result<u64, HistoryError> {
        let there = |round: u64| -> Result<bool, HistoryError> {
            Ok(round == 0 || !self.store.rounds(round, 1)?.is_empty())
        };
        // Strides that double until one is too far, then halve.
        let (mut low, mut stride) = (self.newest, 1);
        while there(low + stride)? {
            low += stride;
            stride *= 2;
        }
        while stride > 1 {
            stride /= 2;
            if there(low + stride)? {
                low += stride;
            }
        }
        self.newest = low;
        Ok(low)
    }
}
