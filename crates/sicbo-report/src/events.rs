//! Everything that happened at a table, in order, for those who watch (P-033).
//!
//! Read only, in bounded pages. Names are those of the state that is handed
//! in: stations are added and never renamed, so the newest state knows them all.

use std::ops::Range;

use serde::Serialize;
use sicbo_journal::{RoundRow, Store};
use sicbo_table::actor::Actor;
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::{Event, Fact, Table, codec};

use sicbo_proof::bundle::station_of;
use sicbo_proof::describe::{Describer, Value};
use sicbo_proof::history::HistoryError;
use sicbo_proof::verify::{amended_by, amends};

/// Most events of a page.
pub const MAX_EVENTS: usize = 500;
/// Most records looked through for one.
pub const MAX_LOOKED_AT: u64 = 50_000;
/// Records looked through together where the newest come first.
const WINDOW: u64 = 2_000;

/// Which events.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EventQuery {
    /// Those after this record.
    pub after: u64,
    /// At most so many.
    pub limit: usize,
    /// Of these names, e.g. `bets-placed`; of any when there is none.
    pub kinds: Vec<String>,
    /// By this person, or with them as the second.
    pub person: Option<PersonId>,
    /// By this station, or concerning it.
    pub station: Option<StationId>,
    /// Of this round, its amendments included.
    pub round: Option<u64>,
    /// The newest first, those before this record; 0 for all there are.
    pub newest_before: Option<u64>,
}

/// A page of events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct EventPage {
    /// In the order they happened, or the newest first where that was asked.
    pub events: Vec<EventLine>,
    /// Ask again with this as `after`, or as `before` where the newest come
    /// first; null when everything there is was looked at.
    pub next: Option<u64>,
    /// The last record there was.
    pub last: u64,
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct EventLine {
    /// The record.
    pub sequence: u64,
    /// When: to find it on a camera.
    pub at_ms: i64,
    /// The current round, or the one it amends.
    pub round: Option<u64>,
    /// Its stable name, e.g. `bets-placed`.
    pub event: String,
    /// Who.
    pub by: String,
    /// The person, where it was one.
    pub person: Option<u32>,
    /// The second person.
    pub second: Option<String>,
    /// The station it is of.
    pub station: Option<String>,
    /// Its fields.
    pub fields: Vec<EventField>,
}

/// A field of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct EventField {
    /// Its stable name.
    pub name: String,
    /// Its value in words.
    pub text: String,
}

impl EventField {
    /// A field as a describer names it.
    pub(crate) fn of((name, value): (&str, Value)) -> EventField {
        EventField {
            name: name.to_owned(),
            text: value.to_string(),
        }
    }
}

/// A page of what happened.
///
/// # Errors
/// When the journal cannot be read.
pub fn events(
    store: &dyn Store,
    names: &Table,
    query: &EventQuery,
) -> Result<EventPage, HistoryError> {
    let last = store.tail().sequence;
    let limit = query.limit.clamp(1, MAX_EVENTS);
    let mut after = query.after;
    let mut end = last;
    if let Some(round) = query.round {
        let row = store.rounds(round, 1)?.into_iter().next();
        let Some(row) = row.filter(|row| row.round == round) else {
            return Ok(nothing(last));
        };
        after = after.max(row.first_sequence - 1);
        if row.ended_ms.is_some() && matches!(row.state.as_str(), "settled" | "void") {
            end = end.min(row.last_sequence);
        }
    }
    if let Some(before) = query.newest_before {
        if before > 0 {
            end = end.min(before - 1);
        }
        return newest(store, names, query, after..end, last);
    }
    forward(store, names, query, (after..end, limit), last)
}

/// The newest first: window by window back to the beginning.
fn newest(
    store: &dyn Store,
    names: &Table,
    query: &EventQuery,
    within: Range<u64>,
    last: u64,
) -> Result<EventPage, HistoryError> {
    let limit = query.limit.clamp(1, MAX_EVENTS);
    let mut page = nothing(last);
    let mut end = within.end;
    let mut looked = 0;
    while end > within.start {
        let after = end.saturating_sub(WINDOW).max(within.start);
        let some = forward(store, names, query, (after..end, usize::MAX), last)?;
        for line in some.events.into_iter().rev() {
            if page.events.len() == limit {
                page.next = page.events.last().map(|oldest| oldest.sequence);
                return Ok(page);
            }
            page.events.push(line);
        }
        looked += end - after;
        end = after;
        if looked >= MAX_LOOKED_AT && end > within.start {
            page.next = Some(end + 1);
            return Ok(page);
        }
    }
    Ok(page)
}

/// The events after the start of a range up to its end, in order.
fn forward(
    store: &dyn Store,
    names: &Table,
    query: &EventQuery,
    (within, limit): (Range<u64>, usize),
    last: u64,
) -> Result<EventPage, HistoryError> {
    let (after, end) = (within.start, within.end);
    let mut round = round_at(store, after + 1)?;
    let mut page = nothing(last);
    let mut looked = 0;
    if after >= end {
        return Ok(page);
    }
    for raw in store.read_from(after + 1) {
        let block = raw?
            .decode()
            .map_err(|error| HistoryError::damaged(after + 1, error))?;
        for record in block.records().filter(|record| record.sequence > after) {
            if record.sequence > end {
                return Ok(page);
            }
            if page.events.len() == limit || looked == MAX_LOOKED_AT {
                page.next = Some(record.sequence - 1);
                return Ok(page);
            }
            looked += 1;
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| HistoryError::damaged(record.sequence, error))?;
            if let Fact::RoundBegan { round: began, .. } = event.fact {
                round = Some(began.0);
            }
            let own = if amends(record.kind) {
                amended_by(&event).map(|round| round.0)
            } else {
                round
            };
            if matches!(
                event.fact,
                Fact::RoundSettled { .. } | Fact::RoundVoided { .. }
            ) {
                round = None;
            }
            if query.round.is_none_or(|wanted| own == Some(wanted)) && query.wants(&event) {
                let line = line(names, record.sequence, own, &event);
                if query.kinds.is_empty() || query.kinds.contains(&line.event) {
                    page.events.push(line);
                }
            }
        }
    }
    Ok(page)
}

fn nothing(last: u64) -> EventPage {
    EventPage {
        events: Vec::new(),
        next: None,
        last,
    }
}

impl EventQuery {
    fn wants(&self, event: &Event) -> bool {
        let by = |person: PersonId| {
            matches!(event.by, Actor::Staff(staff) if staff.person == person)
                || event.second.is_some_and(|second| second.person == person)
        };
        self.person.is_none_or(by) && self.station.is_none_or(|station| concerns(event, station))
    }
}

fn concerns(event: &Event, station: StationId) -> bool {
    let effects = match &event.fact {
        Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. } => {
            effects.as_slice()
        }
        _ => &[],
    };
    event.by == Actor::Station(station)
        || station_of(&event.fact) == Some(station)
        || effects.iter().any(|effect| effect.station == station)
}

fn line(names: &Table, sequence: u64, round: Option<u64>, event: &Event) -> EventLine {
    let tell = Describer::new(names);
    let (name, fields) = tell.fact(&event.fact);
    EventLine {
        sequence,
        at_ms: event.at_ms,
        round,
        event: name.to_owned(),
        by: tell.actor(event.by),
        person: match event.by {
            Actor::Staff(staff) => Some(staff.person.0),
            _ => None,
        },
        second: event.second.map(|second| tell.staff(second)),
        station: station_of(&event.fact).map(|station| tell.station(station)),
        fields: fields.into_iter().map(EventField::of).collect(),
    }
}

/// The current round before a record.
fn round_at(store: &dyn Store, sequence: u64) -> Result<Option<u64>, HistoryError> {
    let row = |round: u64| -> Result<Option<RoundRow>, HistoryError> {
        Ok(store.rounds(round, 1)?.into_iter().next())
    };
    let began = |round: u64| -> Result<bool, HistoryError> {
        Ok(row(round)?.is_some_and(|row| row.round == round && row.first_sequence < sequence))
    };
    let (mut low, mut stride) = (0, 1);
    while began(low + stride)? {
        low += stride;
        stride *= 2;
    }
    while stride > 1 {
        stride /= 2;
        if began(low + stride)? {
            low += stride;
        }
    }
    if low == 0 {
        return Ok(None);
    }
    let in_hand = |row: &RoundRow| row.ended_ms.is_none() || row.last_sequence >= sequence;
    Ok(row(low)?.filter(in_hand).map(|row| row.round))
}
