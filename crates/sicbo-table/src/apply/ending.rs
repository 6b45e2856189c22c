//! The end of a round: settled or void.

use std::sync::Arc;

use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::settlement::ROW;
use sicbo_rules::{Dice, Money};

use crate::books::{Books, post};
use crate::event::VoidBasis;
use crate::ids::StationId;
use crate::must::must;
use crate::mutant;
use crate::past;
use crate::positions::Line;
use crate::record::{RoundRecord, Standing, StationRecord, VoidWhy};
use crate::round::{Round, StationRound};
use crate::station::{Station, StationKind};
use crate::table::{Committed, Table};

/// Takes the round out of hand. Decisions that held it have nothing left to
/// hold; a flagged terminal case stays until it is confirmed, and a device that
/// failed has failed for the next round too.
fn take(table: &mut Table) -> Box<Round> {
    let round = must(table.round.take(), "no round to end");
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
    round
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

/// Ends the round: pays every station that takes part (what it had staked and
/// what came back is what `pay` answers), moves its bets into the
/// round's record, so that nothing is copied, and gives its part the memory of
/// an older record for the next round. All in one pass over the stations.
fn end(
    table: &mut Table,
    standing: Standing,
    void: Option<VoidWhy>,
    mut pay: impl FnMut(&mut Books, &mut Station, &StationRound) -> (Money, Money),
) {
    let book = must(table.book().cloned(), "a round without a rule book");
    let config = must(table.config.as_deref(), "a round without a set-up");
    let dice_set = config.dice_set.clone();
    let mut round = take(table);
    table.ran_on = false;
    let mut old = old_records(table).into_iter();
    let mut stations = Vec::with_capacity(old.len());
    // Worked on apart from the table, which keeps the figures in registers.
    let mut books = table.books;
    if mutant::off(table, "books-in-balance") {
        books.tips += Money::from_minor(1);
    }
    let posted = !mutant::off(table, "stakes-posted");
    let parts = table.stations.iter_mut().zip(&mut round.stations);
    for (i, (station, part)) in parts.enumerate() {
        let (mut staked, mut returned) = (Money::ZERO, Money::ZERO);
        if part.takes_part() {
            if posted {
                (staked, returned) = pay(&mut books, station, part);
            }
            assert!(station.at_risk == Money::ZERO, "a stake is left at risk");
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
        past::ended(station, part, round.number, void, staked, returned);
        part.clear();
    }
    table.books = books;
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
    let book = must(table.book().cloned(), "a round without a rule book");
    let rows: Vec<&[u16; ROW]> = book
        .layouts
        .iter()
        .map(|layout| layout.settlement().row(dice))
        .collect();
    let standing = Standing::Settled(dice);
    end(table, standing, None, |books, station, part| {
        let row = rows[station.layout];
        let (staked, twice) = staked_and_twice(part.positions.lines(), row);
        let (colour_staked, colour_twice) = staked_and_twice(part.colour_positions.lines(), row);
        // Stakes that odds could not pay to the minor unit were never bets.
        assert!(twice % 2 == 0 && colour_twice % 2 == 0, "half a minor unit");
        let staked = Money::from_minor(staked + colour_staked);
        let returned = Money::from_minor(twice / 2);
        let colour_returned = Money::from_minor(colour_twice / 2);
        let Station {
            at_risk, credit, ..
        } = station;
        match station.kind {
            StationKind::Terminal => {
                post(at_risk, &mut books.house_bank, staked);
                post(&mut books.house_bank, credit, returned);
            }
            StationKind::Seat => {
                post(at_risk, &mut books.chip_float, staked);
                let (float, chips) = (&mut books.chip_float, &mut books.chips_outstanding);
                post(float, chips, returned);
                post(float, credit, colour_returned);
            }
        }
        let all_returned = returned + colour_returned;
        station.meters.returned += all_returned;
        station.meters.rounds += 1;
        (staked, all_returned)
    });
}

pub(super) fn voided(table: &mut Table, basis: &VoidBasis, rule: &str) {
    if matches!(
        basis,
        VoidBasis::Listed(Cause::DiceDamaged | Cause::DiceBroken)
    ) {
        table.dice_condemned = true;
    }
    let why = VoidWhy::of(basis, rule);
    end(table, Standing::Void, Some(why), |books, station, part| {
        let (plain, colour) = (part.positions.total(), part.colour_positions.total());
        let Station {
            at_risk, credit, ..
        } = station;
        match station.kind {
            StationKind::Terminal => post(at_risk, credit, plain),
            StationKind::Seat => {
                post(at_risk, &mut books.chips_outstanding, plain);
                post(at_risk, credit, colour);
            }
        }
        let all = plain + colour;
        station.meters.void_returned += all;
        station.meters.voids += 1;
        (all, all)
    });
}
