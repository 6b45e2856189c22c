//! The settlement card: every bet of a station in an ended round, with its
//! odds and what it returned (P-006).

use sicbo_rules::{Money, Odds, Section};

use crate::ids::StationId;
use crate::positions::Line;
use crate::record::{RoundRecord, Standing, StationRecord};
use crate::table::Table;

/// What became of a bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Won at these odds.
    Won(Odds),
    /// Lost.
    Lost,
    /// The round was void and the stake came back.
    Returned,
}

/// One bet of an ended round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettlementLine {
    /// Where it stood.
    pub section: Section,
    /// What the layout calls this kind of bet.
    pub name: String,
    /// It was made with colour chips.
    pub colour: bool,
    /// The stake.
    pub stake: Money,
    /// What became of it.
    pub outcome: Outcome,
    /// What was won beside the stake.
    pub profit: Money,
    /// What came back in all.
    pub returned: Money,
}

impl SettlementLine {
    /// Where it stands on the card: winners first, then in section order.
    #[must_use]
    pub fn place(&self) -> (bool, Section, bool) {
        (self.outcome == Outcome::Lost, self.section, self.colour)
    }
}

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
pub fn lines_of(record: &RoundRecord, part: &StationRecord) -> Vec<SettlementLine> {
    let line = |colour: bool| move |bet: &Line| line_of(record, part.layout, *bet, colour);
    let plain = part.lines.iter().filter_map(line(false));
    let colour = part.colour_lines.iter().filter_map(line(true));
    let mut lines: Vec<SettlementLine> = plain.chain(colour).collect();
    lines.sort_by_key(SettlementLine::place);
    lines
}

/// One bet on a layout of the record's book; none when there is no such layout.
#[must_use]
pub fn line_of(
    record: &RoundRecord,
    layout: usize,
    bet: Line,
    colour: bool,
) -> Option<SettlementLine> {
    let layout = record.book.layouts.get(layout)?;
    let odds = match record.standing {
        Standing::Void => None,
        Standing::Settled(dice) => layout
            .pays(bet.section)
            .and_then(|pays| pays.line(bet.section.hits(dice))),
    };
    // Twice the odds are whole, and a stake of half odds is even.
    let profit = odds.map_or(0, |odds| {
        bet.stake.minor() * i64::from(odds.is.halves()) / 2
    });
    let (outcome, returned) = match (record.standing, odds) {
        (Standing::Void, _) => (Outcome::Returned, bet.stake.minor()),
        (Standing::Settled(_), Some(odds)) => (Outcome::Won(odds.is), bet.stake.minor() + profit),
        (Standing::Settled(_), None) => (Outcome::Lost, 0),
    };
    let kind = bet.section.kind();
    Some(SettlementLine {
        section: bet.section,
        name: layout.name(kind).unwrap_or(kind.key()).to_owned(),
        colour,
        stake: bet.stake,
        outcome,
        profit: Money::from_minor(profit),
        returned: Money::from_minor(returned),
    })
}
