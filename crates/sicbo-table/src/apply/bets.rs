//! Bets in the table's state and on its accounts.

use sicbo_rules::{Money, Section};

use crate::command::LateKind;
use crate::decide::bets::{PLACE, RECORD, REMOVE, clear_digest, content_digest};
use crate::ids::{BetId, StationId};
use crate::positions::{Line, Means};
use crate::table::Table;

fn remember(table: &mut Table, id: StationId, bet: BetId, content: u64) {
    if let Some(round) = table.round.as_deref_mut() {
        round.stations[id.0 as usize].seen.insert(bet.0, content);
    }
}

pub(super) fn placed(table: &mut Table, id: StationId, bet: BetId, means: Means, lines: &[Line]) {
    remember(table, id, bet, content_digest(PLACE, means, lines));
    add(table, id, means, lines);
}

pub(super) fn removed(
    table: &mut Table,
    id: StationId,
    bet: BetId,
    means: Means,
    lines: &[Line],
    all: bool,
) {
    let content = if all {
        clear_digest()
    } else {
        content_digest(REMOVE, means, lines)
    };
    remember(table, id, bet, content);
    for line in lines {
        change(table, id, means, line.section, -line.stake);
    }
}

pub(super) fn recorded(
    table: &mut Table,
    id: StationId,
    bet: Option<BetId>,
    means: Means,
    lines: &[Line],
) {
    if let Some(bet) = bet {
        remember(table, id, bet, content_digest(RECORD, means, lines));
    }
    add(table, id, means, lines);
}

fn add(table: &mut Table, id: StationId, means: Means, lines: &[Line]) {
    for line in lines {
        change(table, id, means, line.section, line.stake);
    }
}

/// More or less on one section, with its money: from the purse to at-risk, or back.
fn change(table: &mut Table, id: StationId, means: Means, section: Section, amount: Money) {
    let station = &mut table.stations[id.0 as usize];
    if let Some(round) = table.round.as_deref_mut() {
        let exposures = &table.exposure_tables[station.layout];
        round.exposure.add(exposures, section, amount);
        let part = &mut round.stations[id.0 as usize];
        match means {
            Means::ColourChips => part.colour_positions.add(section, amount),
            Means::Credit | Means::CashChips => part.positions.add(section, amount),
        }
    }
    let purse = match means {
        Means::Credit | Means::ColourChips => &mut station.credit,
        Means::CashChips => &mut table.books.chips_outstanding,
    };
    *purse -= amount;
    station.at_risk += amount;
    station.meters.staked += amount;
}

pub(super) fn observed(table: &mut Table, id: StationId, lines: &[Line]) {
    if let Some(round) = table.round.as_deref_mut() {
        let mut seen = lines.to_vec();
        seen.sort_by_key(|line| line.section);
        round.observed.insert(id, seen);
    }
}

/// What the layout would look like if the late change counted.
pub(super) fn late(table: &mut Table, id: StationId, late: LateKind, line: Line) {
    if let Some(round) = table.round.as_deref_mut() {
        let mut lie = round.stations[id.0 as usize].positions.clone();
        match late {
            LateKind::Placement | LateKind::Increase => lie.add(line.section, line.stake),
            LateKind::Withdrawal => {
                let cash = line.stake.min(lie.on(line.section));
                lie.add(line.section, -cash);
            }
        }
        round.observed.insert(id, lie.sorted());
    }
}

/// The dealer ruled that the chips count as they lie.
pub(super) fn as_they_lie(table: &mut Table, id: StationId) {
    let Some(round) = table.round.as_deref_mut() else {
        return;
    };
    let Some(observed) = round.observed.get(&id).cloned() else {
        return;
    };
    let before = round.stations[id.0 as usize].positions.lines().to_vec();
    for line in before {
        change(table, id, Means::CashChips, line.section, -line.stake);
    }
    for line in observed {
        change(table, id, Means::CashChips, line.section, line.stake);
    }
}
