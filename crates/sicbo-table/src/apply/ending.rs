//! The end of a round: settled or void.

use std::sync::Arc;

use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::{Dice, Money};

use crate::event::VoidBasis;
use crate::ids::StationId;
use crate::record::{RoundRecord, Standing, StationRecord};
use crate::round::Round;
use crate::station::StationKind;
use crate::table::Table;

/// Takes the round out of hand and keeps its record.
fn end(table: &mut Table, standing: Standing) -> Option<Box<Round>> {
    let round = table.round.take()?;
    let book = table.book()?.clone();
    let dice_set = table
        .config
        .as_ref()
        .map(|config| config.dice_set.clone())
        .unwrap_or_default();
    let stations = table
        .stations
        .iter()
        .zip(&round.stations)
        .enumerate()
        .filter(|(_, (_, part))| part.takes_part())
        .map(|(i, (station, part))| StationRecord {
            station: StationId(i as u32),
            session: station.session,
            kind: station.kind,
            layout: station.layout,
            lines: part.positions.lines().to_vec(),
            colour_lines: part.colour_positions.lines().to_vec(),
        })
        .collect();
    table.last_record = Some(Arc::new(RoundRecord {
        number: round.number,
        standing,
        revision: 0,
        book,
        dice_set,
        stations,
    }));
    // Decisions that held this round have nothing left to hold; a flagged
    // terminal case stays until it is confirmed.
    table
        .pending
        .retain(|pending| !pending.question.holds_round());
    if table.last_round_announced == Some(false) {
        table.last_round_announced = Some(true);
    }
    Some(round)
}

/// Puts the memory of the stations' parts aside for the next round.
fn keep_memory(table: &mut Table, mut round: Box<Round>) {
    for part in &mut round.stations {
        part.clear();
    }
    table.spare.0 = round.stations;
}

pub(super) fn settled(table: &mut Table, dice: Dice) {
    let Some(book) = table.book().cloned() else {
        return;
    };
    let Some(round) = end(table, Standing::Settled(dice)) else {
        return;
    };
    let rows: Vec<&[u16; 128]> = book
        .layouts
        .iter()
        .map(|layout| layout.settlement().row(dice))
        .collect();
    let of = |lines: &[crate::positions::Line], row: &[u16; 128]| -> (i64, i64) {
        lines.iter().fold((0, 0), |(staked, twice), line| {
            let stake = line.stake.minor();
            (
                staked + stake,
                twice + stake * i64::from(row[line.section.index()]),
            )
        })
    };
    let (mut bank, mut float, mut chips) = (0i64, 0i64, 0i64);
    for (station, part) in table.stations.iter_mut().zip(&round.stations) {
        if !part.takes_part() {
            continue;
        }
        let row = rows[station.layout];
        let (staked, twice) = of(part.positions.lines(), row);
        let (colour_staked, colour_twice) = of(part.colour_positions.lines(), row);
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
    keep_memory(table, round);
}

pub(super) fn voided(table: &mut Table, basis: &VoidBasis) {
    if matches!(
        basis,
        VoidBasis::Listed(Cause::DiceDamaged | Cause::DiceBroken)
    ) {
        table.dice_condemned = true;
    }
    let Some(round) = end(table, Standing::Void) else {
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
    keep_memory(table, round);
}
