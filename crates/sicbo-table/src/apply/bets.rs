//! Bets in the table's state and on its accounts.

use sicbo_rules::{Money, Section};

use crate::books::post;
use crate::command::LateKind;
use crate::decide::bets::{PLACE, RECORD, REMOVE, clear_digest, content_digest};
use crate::ids::{BetId, StationId};
use crate::must::must;
use crate::positions::{Line, Means};
use crate::seen::SeenBet;
use crate::table::Table;

fn remember(table: &mut Table, id: StationId, bet: BetId, content: u64) {
    let record = table.records;
    let round = must(table.round.as_deref_mut(), "a bet without a round");
    round.stations[id.0 as usize].seen.insert(SeenBet {
        id: bet.0,
        content,
        record,
    });
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
    let round = must(table.round.as_deref_mut(), "a stake without a round");
    let exposures = &table.exposure_tables[station.layout];
    round.exposure.add(exposures, section, amount);
    let part = &mut round.stations[id.0 as usize];
    match means {
        Means::ColourChips => part.colour_positions.add(section, amount),
        Means::Credit | Means::CashChips => part.positions.add(section, amount),
    }
    let purse = match means {
        Means::Credit | Means::ColourChips => &mut station.credit,
        Means::CashChips => &mut table.books.chips_outstanding,
    };
    if amount.is_negative() {
        post(&mut station.at_risk, purse, -amount);
        assert!(
            !station.at_risk.is_negative(),
            "more taken back than staked"
        );
    } else {
        post(purse, &mut station.at_risk, amount);
        assert!(!station.credit.is_negative(), "a stake without credit");
    }
    station.meters.staked += amount;
}

/// The chips wait to be attested; only the name of the act is remembered, so
/// that it is not said twice.
pub(super) fn claimed(table: &mut Table, id: StationId, bet: BetId, means: Means, lines: &[Line]) {
    remember(table, id, bet, content_digest(RECORD, means, lines));
}

pub(super) fn observed(table: &mut Table, id: StationId, means: Means, lines: &[Line]) {
    let round = must(table.round.as_deref_mut(), "chips without a round");
    let mut seen = lines.to_vec();
    seen.sort_by_key(|line| line.section);
    round.observed.insert((id, means), seen);
}

/// What the layout looks like with the late change. Records that named no means
/// each began from the cash chips at the close.
pub(super) fn late(
    table: &mut Table,
    id: StationId,
    late: LateKind,
    means: Option<Means>,
    line: Line,
) {
    let round = must(table.round.as_deref_mut(), "a late act without a round");
    let key = (id, means.unwrap_or(Means::CashChips));
    let mut lie = round.stations[id.0 as usize].of(key.1).clone();
    if let Some(seen) = round.observed.get(&key).filter(|_| means.is_some()) {
        lie.clear();
        for line in seen {
            lie.add(line.section, line.stake);
        }
    }
    match late {
        LateKind::Placement | LateKind::Increase => lie.add(line.section, line.stake),
        LateKind::Withdrawal => {
            let there = line.stake.min(lie.on(line.section));
            lie.add(line.section, -there);
        }
    }
    round.observed.insert(key, lie.sorted());
}

/// The dealer ruled that the chips count as they lie: no longer possible, and
/// kept for records of programs that took such rulings.
pub(super) fn as_they_lie(table: &mut Table, id: StationId) {
    let round = must(table.round.as_deref_mut(), "a ruling without a round");
    // Those programs ruled so also where nobody had looked at the chips: then
    // they lay as they were recorded.
    let Some(observed) = round.observed.get(&(id, Means::CashChips)).cloned() else {
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
