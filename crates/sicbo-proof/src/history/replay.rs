//! Plays a stretch of the journal again from the nearest state at hand.

use std::sync::Arc;

use sicbo_journal::RoundRow;
use sicbo_loop::apply_read;
use sicbo_rules::Money;
use sicbo_table::ids::StationId;
use sicbo_table::record::RoundRecord;
use sicbo_table::{Fact, Table, codec, snapshot};

use super::{
    Ended, History, HistoryError, MAX_PAGES, MAX_ROUNDS, MAX_STATES, PAGE, STATE_EVERY, blocks,
};

impl History {
    /// A round as it ended.
    pub(super) fn ended(&mut self, row: &RoundRow) -> Result<Ended, HistoryError> {
        if let Some(ended) = self.rounds.get(&row.round) {
            return Ok(ended.clone());
        }
        // Whoever asks for one asks for its neighbours next.
        let first = row.round - row.round % PAGE;
        let rows = self.store.rounds(first, 1)?;
        let start = rows.first().map_or(row, |first| first);
        let from = start.first_sequence.min(row.first_sequence);
        self.play_again(from, row.last_sequence, (first, row.round))?;
        let missing = || HistoryError::damaged(row.last_sequence, "the round does not end there");
        self.rounds.get(&row.round).cloned().ok_or_else(missing)
    }

    /// The record of a round after its amendments, each applied as the table
    /// applies it.
    pub(super) fn amended(
        &mut self,
        row: &RoundRow,
        ended: &Ended,
    ) -> Result<Arc<RoundRecord>, HistoryError> {
        let events = self.amendments.of(self.store.as_ref(), row)?;
        if events.is_empty() {
            return Ok(Arc::clone(&ended.record));
        }
        let mut table = Table::default();
        table.last_record = Some(Arc::clone(&ended.record));
        for mut event in events {
            // The record alone: its stations' accounts are not here.
            if let Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. } =
                &mut event.fact
            {
                effects.clear();
            }
            apply_read(&mut table, &event)
                .map_err(|what| HistoryError::damaged(row.last_sequence, what))?;
        }
        let record = table.last_record;
        Ok(record.unwrap_or_else(|| Arc::clone(&ended.record)))
    }

    /// In which of a page's rounds a station took part, one bit each.
    pub(super) fn took_part(
        &mut self,
        page: u64,
        rows: &[RoundRow],
        station: StationId,
    ) -> Result<u64, HistoryError> {
        let asked = rows
            .iter()
            .fold(0, |bits, row| bits | 1 << (row.round % PAGE));
        let seen = self.pages.get(&page).map_or(0, |page| page.seen);
        if asked & !seen != 0
            && let (Some(first), Some(last)) = (
                rows.iter().find(|row| seen >> (row.round % PAGE) & 1 == 0),
                rows.last(),
            )
        {
            let rounds = (first.round, last.round);
            self.play_again(first.first_sequence, last.last_sequence, rounds)?;
        }
        let page = self.pages.get(&page);
        Ok(page
            .and_then(|page| page.took_part.get(&station).copied())
            .unwrap_or(0))
    }

    /// Plays records up to `to` from a state before `from`. Notes who took
    /// part in each round it passes, and keeps those of `rounds` whole.
    fn play_again(&mut self, from: u64, to: u64, rounds: (u64, u64)) -> Result<(), HistoryError> {
        let (mut at, mut table) = self.state_before(from)?;
        let mut last_state = at;
        let mut ended: Vec<(u64, Ended)> = Vec::new();
        let mut states: Vec<(u64, Box<Table>)> = Vec::new();
        let mut credits: Option<Vec<Money>> = None;
        'blocks: for block in blocks(self.store.as_ref(), at + 1) {
            let block = block?;
            for record in block.records().filter(|record| record.sequence > at) {
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                if let Fact::RoundBegan { .. } = event.fact {
                    credits = Some(table.stations.iter().map(|s| s.credit).collect());
                }
                apply_read(&mut *table, &event)
                    .map_err(|what| HistoryError::damaged(record.sequence, what))?;
                if matches!(
                    event.fact,
                    Fact::RoundSettled { .. } | Fact::RoundVoided { .. }
                ) && let Some(last) = &table.last_record
                {
                    let round = last.number.0;
                    note(&mut self.pages, last);
                    if let Some(before) = credits.take()
                        && (rounds.0..=rounds.1).contains(&round)
                    {
                        ended.push((round, whole(&table, last, &before)));
                    }
                    if record.sequence >= last_state + STATE_EVERY {
                        last_state = record.sequence;
                        states.push((record.sequence, table.clone()));
                    }
                }
                if record.sequence >= to {
                    break 'blocks;
                }
            }
            at = block.header().last_sequence;
        }
        for (sequence, state) in states {
            self.keep_state(sequence, state);
        }
        for (round, ended) in ended {
            self.keep_round(round, ended);
        }
        while self.pages.len() > MAX_PAGES {
            self.pages.pop_first();
        }
        Ok(())
    }

    /// The nearest state before a record.
    fn state_before(&mut self, from: u64) -> Result<(u64, Box<Table>), HistoryError> {
        let known = |history: &History| {
            let found = history.states.range(..from).next_back();
            found.map_or(0, |(sequence, _)| *sequence)
        };
        if from - known(self) > STATE_EVERY
            && let Some(kept) = self.store.snapshot_before(from)?
            && kept.sequence > known(self)
            && let Ok(state) = snapshot::decode(&kept.bytes)
        {
            self.keep_state(kept.sequence, Box::new(state));
        }
        let found = self.states.range(..from).next_back();
        let state = found.map(|(sequence, state)| (*sequence, state.clone()));
        Ok(state.unwrap_or_default())
    }

    fn keep_state(&mut self, sequence: u64, state: Box<Table>) {
        self.states.insert(sequence, state);
        if self.states.len() > MAX_STATES {
            // Every second one of the older half: what is new is asked for most.
            let older: Vec<u64> = self
                .states
                .keys()
                .copied()
                .take(MAX_STATES / 2)
                .skip(1)
                .step_by(2)
                .collect();
            for sequence in older {
                self.states.remove(&sequence);
            }
        }
    }

    fn keep_round(&mut self, round: u64, ended: Ended) {
        if self.rounds.insert(round, ended).is_none() {
            self.kept.push_back(round);
        }
        if self.kept.len() > MAX_ROUNDS
            && let Some(oldest) = self.kept.pop_front()
        {
            self.rounds.remove(&oldest);
        }
    }
}

fn note(pages: &mut std::collections::BTreeMap<u64, super::Page>, record: &RoundRecord) {
    let bit = 1 << (record.number.0 % PAGE);
    let page = pages.entry(record.number.0 / PAGE).or_default();
    page.seen |= bit;
    for part in &record.stations {
        *page.took_part.entry(part.station).or_default() |= bit;
    }
}

fn whole(table: &Table, record: &Arc<RoundRecord>, before: &[Money]) -> Ended {
    let credit = |part: &sicbo_table::record::StationRecord| {
        let at = part.station.0 as usize;
        let before = before.get(at).copied().unwrap_or_default();
        let after = table.stations.get(at).map_or(Money::ZERO, |s| s.credit);
        (before, after)
    };
    Ended {
        record: Arc::clone(record),
        credits: record.stations.iter().map(credit).collect(),
    }
}
