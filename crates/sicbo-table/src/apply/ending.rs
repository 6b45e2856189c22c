//! The end of a round: settled or void.

use std::sync::Arc;

use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::settlement::ROW;
use sicbo_rules::{Dice, Money};

use crate::event::VoidBasis;
use crate::ids::StationId;
use crate::positions::Line;
use crate::record::{RoundRecord, Standing, StationRecord};
use crate::round::Round;
use crate::station::StationKind;
use crate::table::Table;

/// Takes the round out of hand. Decisions that held it have nothing left to
/// hold; a flagged terminal case stays until it is confirmed.
fn take(table: &mut Table) -> Option<Box<Round>> {
    let round = table.round.take()?;
    table
        .pending
        .retain(|pending| !pending.question.holds_round());
    table.holds = 0;
    // S-07: players are told before the last round begins, so one that was in
    // hand at the announcement is not yet the last.
    if table.closing_round.is_some_and(|last| round.number >= last) {
        table.last_round_announced = Some(true);
    }
    Some(round)
}

/// Memory of the round before the last, for the record of this one: nobody
/// else may hold it any more.
fn old_records(table: &mut Table) -> Vec<StationRecord> {
    table
        .last_record
        .take()
        .and_then(Arc::into_inner)
        .map(|old| old.stations)
        .unwrap_or_default()
}

/// Moves the bets from the round into its record, so that nothing is copied,
/// and gives the round's parts the memory of an older record for the next one.
fn keep(table: &mut Table, mut round: Box<Round>, standing: Standing) {
    let (Some(book), Some(config)) = (table.book().cloned(), table.config.as_deref()) else {
        return;
    };
    let dice_set = config.dice_set.clone();
    let mut old = old_records(table).into_iter();
    let mut stations = Vec::with_capacity(old.len());
    for (i, (station, part)) in table.stations.iter().zip(&mut round.stations).enumerate() {
        if part.takes_part() {
            let spare = old.next();
            let (lines, colour_lines) = spare
                .map(|record| (record.lines, record.colour_lines))
                .unwrap_or_default();
            stations.push(StationRecord {
                station: StationId(i as u32),
                session: station.session,
                kind: station.kind,
                layout: station.layout,
                lines: part.positions.replace(lines),
                colour_lines: part.colour_positions.replace(colour_lines),
            });
        }
        part.clear();
    }
    table.last_record = Some(Arc::new(RoundRecord {
        number: round.number,
        standing,
        revision: 0,
        book,
        dice_set,
        stations,
    }));
    table.spare.0 = round.stations;
}

/// What was staked, and twice what comes back.
fn staked_and_twice(lines: &[Line], row: &[u16; ROW]) -> (i64, i64) {
    lines.iter().fold((0, 0), |(staked, twice), line| {
        let stake = line.stake.minor();
        (
            staked + stake,
            twice + stake * i64::from(row[line.section.index()]),
        )
    })
}

pub(super) fn settled(table: &mut Table, dice: Dice) {
    let Some(book) = table.book().cloned() else {
        return;
    };
    let Some(round) = take(table) else {
        return;
    };
    let rows: Vec<&[u16; ROW]> = book
        .layouts
        .iter()
        .map(|layout| layout.settlement().row(dice))
        .collect();
    let (mut bank, mut float, mut chips) = (0i64, 0i64, 0i64);
    for (station, part) in table.stations.iter_mut().zip(&round.stations) {
        if !part.takes_part() {
            continue;
        }
        let row = rows[station.layout];
        let (staked, twice) = staked_and_twice(part.positions.lines(), row);
        let (colour_staked, colour_twice) = staked_and_twice(part.colour_positions.lines(), row);
        let (returned, colour_returned) = (twice / 2, colour_twice / 2);
        match station.kind {
            StationKind::Terminal => {
                bank += staked - returned;
                station.credit += Money::from_minor(returned);
            }
            StationKind::Seat => {
                float += staked - returned + colour_staked - colour_returned;
                chips += returned;
                station.credit += Money::from_minor(colour_returned);
            }
        }
        station.at_risk = Money::ZERO;
        station.meters.returned += Money::from_minor(returned + colour_returned);
        station.meters.rounds += 1;
    }
    table.books.house_bank += Money::from_minor(bank);
    table.books.chip_float += Money::from_minor(float);
    table.books.chips_outstanding += Money::from_minor(chips);
    keep(table, round, Standing::Settled(dice));
}

pub(super) fn voided(table: &mut Table, basis: &VoidBasis) {
    if matches!(
        basis,
        VoidBasis::Listed(Cause::DiceDamaged | Cause::DiceBroken)
    ) {
        table.dice_condemned = true;
    }
    let Some(round) = take(table) else {
        return;
    };
    for (station, part) in table.stations.iter_mut().zip(&round.stations) {
        if !part.takes_part() {
            continue;
        }
        let (plain, colour) = (part.positions.total(), part.colour_positions.total());
        match station.kind {
            StationKind::Terminal => station.credit += plain,
            StationKind::Seat => {
                table.books.chips_outstanding += plain;
                station.credit += colour;
            }
        }
        station.at_risk = Money::ZERO;
        station.meters.void_returned += plain + colour;
        station.meters.voids += 1;
    }
    keep(table, round, Standing::Void);
}
