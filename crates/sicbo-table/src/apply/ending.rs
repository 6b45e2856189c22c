//! The end of a round: settled or void.

use std::sync::Arc;

use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::settlement::ROW;
use sicbo_rules::{Dice, Money};

use crate::event::VoidBasis;
use crate::ids::StationId;
use crate::past;
use crate::positions::Line;
use crate::record::{RoundRecord, Standing, StationRecord, VoidWhy};
use crate::round::{Round, StationRound};
use crate::station::{Station, StationKind};
use crate::table::{Committed, Table};

/// Takes the round out of hand. Decisions that held it have nothing left to
/// hold; a flagged terminal case stays until it is confirmed, and a device that
/// failed has failed for the next round too.
fn take(table: &mut Table) -> Option<Box<Round>> {
    let round = table.round.take()?;
    table
        .pending
        .retain(|pending| pending.question.outlasts_round());
    let holding = table.pending.iter().filter(|p| p.question.holds_round());
    table.holds = holding.count() as u32;
    table.last_tumble =
        table
            .commitment
            .take_if(|(of, _)| *of == round.number)
            .map(|(round, commitment)| Committed {
                round,
                commitment,
                seed: None,
            });
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

/// Ends the round: pays every station that takes part, moves its bets into the
/// round's record, so that nothing is copied, and gives its part the memory of
/// an older record for the next round. All in one pass over the stations.
fn end(
    table: &mut Table,
    standing: Standing,
    void: Option<VoidWhy>,
    mut pay: impl FnMut(&mut Station, &StationRound),
) {
    let (Some(book), Some(config)) = (table.book().cloned(), table.config.as_deref()) else {
        return;
    };
    let dice_set = config.dice_set.clone();
    let Some(mut round) = take(table) else {
        return;
    };
    table.ran_on = false;
    let mut old = old_records(table).into_iter();
    let mut stations = Vec::with_capacity(old.len());
    let parts = table.stations.iter_mut().zip(&mut round.stations);
    for (i, (station, part)) in parts.enumerate() {
        let (staked, paid_before) = (part.staked(), past::paid(station));
        if part.takes_part() {
            pay(station, part);
            station.at_risk = Money::ZERO;
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
        let void = standing == Standing::Void;
        past::ended(station, round.number, void, staked, paid_before);
        part.clear();
    }
    table.last_record = Some(Arc::new(RoundRecord {
        number: round.number,
        standing,
        revision: 0,
        book,
        dice_set,
        stations,
        void,
        corrected: None,
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
    let rows: Vec<&[u16; ROW]> = book
        .layouts
        .iter()
        .map(|layout| layout.settlement().row(dice))
        .collect();
    let (mut bank, mut float, mut chips) = (0i64, 0i64, 0i64);
    end(table, Standing::Settled(dice), None, |station, part| {
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
        station.meters.returned += Money::from_minor(returned + colour_returned);
        station.meters.rounds += 1;
    });
    table.books.house_bank += Money::from_minor(bank);
    table.books.chip_float += Money::from_minor(float);
    table.books.chips_outstanding += Money::from_minor(chips);
}

pub(super) fn voided(table: &mut Table, basis: &VoidBasis, rule: &str) {
    if matches!(
        basis,
        VoidBasis::Listed(Cause::DiceDamaged | Cause::DiceBroken)
    ) {
        table.dice_condemned = true;
    }
    let mut chips = Money::ZERO;
    let why = VoidWhy::of(basis, rule);
    end(table, Standing::Void, Some(why), |station, part| {
        let (plain, colour) = (part.positions.total(), part.colour_positions.total());
        match station.kind {
            StationKind::Terminal => station.credit += plain,
            StationKind::Seat => {
                chips += plain;
                station.credit += colour;
            }
        }
        station.meters.void_returned += plain + colour;
        station.meters.voids += 1;
    });
    table.books.chips_outstanding += chips;
}
