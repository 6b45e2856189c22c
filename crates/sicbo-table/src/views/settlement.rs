//! The settlement card: every bet of a station in an ended round, with its
//! odds and what it returned (P-006).

use serde::Serialize;
use sicbo_rules::Section;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::ids::StationId;
use crate::positions::Line;
use crate::record::{RoundRecord, Standing, StationRecord};
use crate::table::Table;

/// What became of one bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineOutcome {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// The round was void and the stake came back.
    Returned,
}

/// One line of a settlement card (P-006).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CardLine {
    /// Where it stood.
    pub section: String,
    /// What the layout calls this kind of bet.
    pub name: String,
    /// Made with colour chips.
    pub colour: bool,
    /// The stake.
    pub stake: i64,
    /// What became of it.
    pub outcome: LineOutcome,
    /// Odds it won at, as printed: `6 1/2`.
    pub odds: Option<String>,
    /// What was won beside the stake.
    pub profit: i64,
    /// What came back in all.
    pub returned: i64,
}

/// Where a line stands on the card: winners first, then in section order.
pub type Place = (bool, Section, bool);

/// A station's part of the last round, while whoever had it still plays there.
#[must_use]
pub fn own_last(table: &Table, id: StationId) -> Option<(&RoundRecord, &StationRecord)> {
    let record = table.last_record.as_deref()?;
    let part = record.station(id)?;
    (part.session == table.station(id)?.session).then_some((record, part))
}

/// A station's lines of an ended round, winners first, then in section order.
/// Only how the round stands now counts.
#[must_use]
pub fn lines_of(record: &RoundRecord, part: &StationRecord) -> Vec<CardLine> {
    let line = |colour: bool| move |bet: &Line| line_of(record, part.layout, *bet, colour);
    let plain = part.lines.iter().filter_map(line(false));
    let colour = part.colour_lines.iter().filter_map(line(true));
    let mut lines: Vec<(Place, CardLine)> = plain.chain(colour).collect();
    lines.sort_by_key(|(place, _)| *place);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// One bet on a layout of the record's book; none when there is no such layout.
#[must_use]
pub fn line_of(
    record: &RoundRecord,
    layout: usize,
    bet: Line,
    colour: bool,
) -> Option<(Place, CardLine)> {
    let layout = record.book.layouts.get(layout)?;
    let odds = match record.standing {
        Standing::Void => None,
        Standing::Settled(dice) => layout
            .pays(bet.section)
            .and_then(|pays| pays.line(bet.section.hits(dice))),
    };
    let stake = bet.stake.minor();
    // Twice the odds are whole, and a stake of half odds is even.
    let profit = odds.map_or(0, |odds| stake * i64::from(odds.is.halves()) / 2);
    let (outcome, returned) = match (record.standing, odds) {
        (Standing::Void, _) => (LineOutcome::Returned, stake),
        (Standing::Settled(_), Some(_)) => (LineOutcome::Won, stake + profit),
        (Standing::Settled(_), None) => (LineOutcome::Lost, 0),
    };
    let kind = bet.section.kind();
    let line = CardLine {
        section: bet.section.to_string(),
        name: layout.name(kind).unwrap_or(kind.key()).to_owned(),
        colour,
        stake,
        outcome,
        odds: odds.map(|odds| odds.is.printed()),
        profit,
        returned,
    };
    Some(((outcome == LineOutcome::Lost, bet.section, colour), line))
}
