//! Ended rounds of a table, for its screens.

use std::sync::Arc;

use sicbo_proof::history::{Adjustment, Moment};
use sicbo_rules::RuleBook;
use sicbo_table::ids::StationId;

use crate::house::TableAt;
use sicbo_wire::rounds::{OwnRound, RoundShown};

impl TableAt {
    fn book(&self) -> Option<Arc<RuleBook>> {
        self.hub.state().table.book().cloned()
    }

    /// Ended rounds, the newest first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn rounds(&self, before: Option<u64>, n: usize) -> Result<Vec<RoundShown>, String> {
        let book = self.book();
        self.with_history(|history| {
            let recent = history.recent(before, n).map_err(|e| e.to_string())?;
            let shown = recent
                .iter()
                .map(|one| RoundShown::of(one, book.as_deref()));
            Ok(shown.collect())
        })
    }

    /// What happened in a round as far as it concerns one station.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn timeline(&self, round: u64, station: StationId) -> Result<Option<Vec<Moment>>, String> {
        self.with_history(|history| {
            let timeline = history.timeline(round, station);
            timeline.map_err(|error| error.to_string())
        })
    }

    /// The adjustment that a record of the table holds.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn adjustment(&self, record: u64) -> Result<Option<Adjustment>, String> {
        self.with_history(|history| {
            let found = history.adjustment(record);
            found.map_err(|error| error.to_string())
        })
    }

    /// Ended rounds played with a set of dice that began at a time or later,
    /// the newest first; whether there are more.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn rounds_with(
        &self,
        dice_set: &str,
        since_ms: i64,
        most: usize,
    ) -> Result<(Vec<RoundShown>, bool), String> {
        const LOOK_BACK: usize = 4_096;
        let book = self.book();
        self.with_history(|history| {
            let mut found = Vec::new();
            let mut before = None;
            for _ in 0..LOOK_BACK / 64 {
                let page = history.recent(before, 64).map_err(|e| e.to_string())?;
                let Some(last) = page.last() else {
                    return Ok((found, false));
                };
                before = Some(last.number);
                for summary in &page {
                    if summary.began_ms < since_ms {
                        return Ok((found, false));
                    }
                    let record = history.record(summary.number).map_err(|e| e.to_string())?;
                    if record.is_some_and(|record| record.dice_set == dice_set) {
                        if found.len() == most {
                            return Ok((found, true));
                        }
                        found.push(RoundShown::of(summary, book.as_deref()));
                    }
                }
            }
            Ok((found, true))
        })
    }

    /// A station's last rounds, of whoever plays there now.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn own_rounds(&self, station: StationId, n: usize) -> Result<Vec<OwnRound>, String> {
        let session = self.hub.own_session(station);
        let name = {
            let state = self.hub.state();
            let known = state.table.station(station);
            known.map_or_else(String::new, |known| known.name.clone())
        };
        let key = |round| self.hub.state().road.receipt(round, &name);
        let book = self.book();
        self.with_history(|history| {
            let rounds = history
                .station_rounds(station, n)
                .map_err(|e| e.to_string())?;
            let own = rounds
                .iter()
                .filter(|play| Some(play.paid.record.session) == session)
                .map(|play| OwnRound::of(play, book.as_deref(), key(play.summary.number)));
            Ok(own.collect())
        })
    }
}
