//! What must hold of a table read from bytes before anything is computed from
//! it: no sum may overflow and nothing may name what is not there.

use sicbo_rules::Money;

use crate::codec::DecodeError;
use crate::config::LARGEST_LIMIT;
use crate::ids::{RoundNumber, StationId};
use crate::pending::Question;
use crate::positions::Line;
use crate::station::Station;
use crate::table::{Status, Table};

/// Sums of figures stay below this, so that adding a few of them cannot overflow.
const LARGEST_SUM: i128 = 1 << 60;

/// All stakes of a round stay below this: times the largest odds a rule book
/// can hold they still fit an `i64`.
const LARGEST_STAKES: i128 = (i64::MAX / u16::MAX as i64) as i128;

fn contradiction(what: &str) -> DecodeError {
    DecodeError::Contradictory {
        what: what.to_owned(),
    }
}

fn bounded(
    what: &str,
    most: i128,
    amounts: impl Iterator<Item = Money>,
) -> Result<(), DecodeError> {
    let mut sum = 0i128;
    for amount in amounts {
        sum += i128::from(amount.minor().unsigned_abs());
        if sum > most {
            return Err(contradiction(what));
        }
    }
    Ok(())
}

/// No figure is so large that a sum of figures could overflow.
pub(super) fn sizes(table: &Table) -> Result<(), DecodeError> {
    let b = &table.books;
    let books = [
        b.house_bank,
        b.vouchers,
        b.drop,
        b.cage,
        b.chip_float,
        b.chips_outstanding,
        b.tips,
        b.recoverable,
        b.unclaimed,
        b.adjustments,
        b.fills,
    ];
    bounded("accounts beyond all money", LARGEST_SUM, books.into_iter())?;
    let stations = table.stations.iter();
    let purses = stations.flat_map(|station| [station.credit, station.at_risk]);
    bounded("credits beyond all money", LARGEST_SUM, purses)?;
    let left = |station: &Station| station.visit.left.as_deref().map(|left| left.meters);
    let metered = table.stations.iter();
    for m in metered.flat_map(|station| [Some(station.meters), left(station)]) {
        let m = m.unwrap_or_default();
        let meters = [
            m.cash_in,
            m.voucher_in,
            m.transfer_in,
            m.voucher_out,
            m.hand_pay,
            m.transfer_out,
            m.staked,
            m.returned,
            m.void_returned,
            m.corrected_in,
            m.recovered,
            m.adjusted,
        ];
        bounded("meters beyond all money", LARGEST_SUM, meters.into_iter())?;
    }
    let owed = table.recoverables.values().map(|entry| entry.amount);
    bounded("recoverables beyond all money", LARGEST_SUM, owed)?;
    let owed = table.unclaimed.values().map(|entry| entry.amount);
    bounded("unclaimed credits beyond all money", LARGEST_SUM, owed)?;
    let waived = table.amended.values();
    let waived = waived.flat_map(|amended| amended.waived.values());
    let waived = waived.flat_map(|waiver| [waiver.kept, waiver.spent]);
    bounded("waivers beyond all money", LARGEST_SUM, waived)?;

    let in_hand = table.round.iter().flat_map(|round| {
        round.stations.iter().flat_map(|part| {
            let lines = part.positions.lines().iter();
            lines.chain(part.colour_positions.lines())
        })
    });
    let stake = |line: &Line| line.stake;
    bounded(
        "stakes beyond all money",
        LARGEST_STAKES,
        in_hand.map(stake),
    )?;
    let ended = table.last_record.iter().flat_map(|record| {
        let parts = record.stations.iter();
        parts.flat_map(|part| part.lines.iter().chain(&part.colour_lines))
    });
    bounded("stakes beyond all money", LARGEST_STAKES, ended.map(stake))
}

/// Everything that is named is there.
pub(super) fn links(table: &Table) -> Result<(), DecodeError> {
    let known = |id: StationId| (id.0 as usize) < table.stations.len();
    let Some(config) = table.config.as_deref() else {
        let untouched = table.status == Status::Closed
            && table.stations.is_empty()
            && table.round.is_none()
            && table.last_record.is_none();
        return if untouched {
            Ok(())
        } else {
            Err(contradiction(
                "a table that was never opened has been played",
            ))
        };
    };
    let layouts = config.book.layouts.len();
    if table
        .stations
        .iter()
        .any(|station| station.layout >= layouts)
    {
        return Err(contradiction(
            "a station shows a layout the book does not have",
        ));
    }
    let used = |at| {
        let mut stations = table.stations.iter();
        stations.any(|station| station.layout == at && !station.removed)
    };
    for (at, layout) in config.book.layouts.iter().enumerate() {
        let usable = |kind| {
            let limit = config.limits.of(kind);
            limit.step.is_positive() && limit.maximum <= LARGEST_LIMIT
        };
        let mut kinds = layout.sections().map(|section| section.kind());
        if used(at) && !kinds.all(usable) {
            return Err(contradiction("limits no table can have"));
        }
    }
    if let Some(round) = table.round.as_deref() {
        let awaited = round.stations.iter();
        let awaited = awaited.filter(|part| part.awaited && !part.acknowledged && !part.fenced);
        if round.stations.len() != table.stations.len() || round.number != table.last_round {
            return Err(contradiction("the round is of another table"));
        }
        if awaited.count() != round.awaiting as usize {
            return Err(contradiction("other terminals are awaited than counted"));
        }
    }
    if let Some(record) = table.last_record.as_deref() {
        let layouts = record.book.layouts.len();
        let mut parts = record.stations.iter();
        if !parts.all(|part| known(part.station) && part.layout < layouts) {
            return Err(contradiction("the last record names what is not there"));
        }
    }
    if table.last_started > table.last_round || table.last_tumbled > table.last_round {
        return Err(contradiction("a round that has not begun was started"));
    }
    let in_hand = table.round.as_deref().map(|round| round.number);
    let next = RoundNumber(table.last_round.0.saturating_add(1));
    let committed = table.commitment.map(|(round, _)| round);
    let tumbled = table.last_tumble.as_ref();
    if committed.is_some_and(|round| round != in_hand.unwrap_or(next))
        || tumbled.is_some_and(|last| last.round > table.last_round || Some(last.round) == in_hand)
    {
        return Err(contradiction("a tumble is committed to for another round"));
    }
    let recoverables = table.recoverables.iter();
    let recoverables = recoverables.map(|(id, entry)| (*id == entry.id, entry.station));
    if !table
        .case_debts
        .iter()
        .all(|id| table.recoverables.contains_key(id))
    {
        return Err(contradiction("a case's debt that nobody owes"));
    }
    let mut credits = table.case_credits.iter();
    if !credits.all(|id| table.unclaimed.contains_key(id)) {
        return Err(contradiction("a case's credit that nobody is owed"));
    }
    let unclaimed = table.unclaimed.iter();
    let unclaimed = unclaimed.map(|(id, entry)| (*id == entry.id, entry.station));
    let pending = table
        .pending
        .iter()
        .filter_map(|pending| match pending.question {
            Question::TerminalOpenCase { station }
            | Question::BetStatus { station }
            | Question::ChipsUnrecorded { station, .. } => Some((true, station)),
            _ => None,
        });
    let waived = table.amended.values();
    let waived = waived.flat_map(|amended| amended.waived.iter());
    let waived = waived.map(|(station, waiver)| {
        let sound = !waiver.kept.is_negative() && !waiver.spent.is_negative();
        (sound, *station)
    });
    if recoverables
        .chain(unclaimed)
        .chain(waived)
        .chain(pending)
        .all(|(same, id)| same && known(id))
    {
        Ok(())
    } else {
        Err(contradiction(
            "something is owed at a station that is not there",
        ))
    }
}
