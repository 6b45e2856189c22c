//! Layouts that are no longer written, read for ever.

use sicbo_rules::Money;
use sicbo_table::codec::{DecodeError, Reader, Wire};

use super::ENVELOPE;
use crate::event::{Event, Fact};
use crate::play::Sitting;
use crate::shift::{Boxes, Counts, Ledger, NewShift, ShiftEnd};

/// Reads a payload of one old layout.
type Read = fn(&[u8]) -> Result<Event, DecodeError>;

/// What reads a kind in an old version.
pub(super) fn reader(kind: u16, version: u16) -> Option<Read> {
    match (kind, version) {
        (85, 1) => Some(|payload| shift_opened(payload, ledger_1)),
        (85, 2) => Some(|payload| shift_opened(payload, Wire::get)),
        (86, 1) => Some(|payload| shift_closed(payload, ledger_1)),
        (86, 2) => Some(|payload| shift_closed(payload, Wire::get)),
        (90, 1) => Some(play_changed_1),
        _ => None,
    }
}

/// An event of so many fields, of which `fact` reads those of its own.
fn event_of(
    payload: &[u8],
    fields: u64,
    fact: impl FnOnce(&mut Reader<'_>) -> Result<Fact, DecodeError>,
) -> Result<Event, DecodeError> {
    let mut from = Reader::new(payload);
    from.array_of(ENVELOPE + fields)?;
    let event = Event {
        at_ms: Wire::get(&mut from)?,
        by: Wire::get(&mut from)?,
        second: Wire::get(&mut from)?,
        command: Wire::get(&mut from)?,
        fact: fact(&mut from)?,
    };
    from.end()?;
    Ok(event)
}

/// What the books of a table said before colour chips out were taken down.
fn ledger_1(from: &mut Reader<'_>) -> Result<Ledger, DecodeError> {
    from.array_of(5)?;
    Ok(Ledger {
        sequence: Wire::get(from)?,
        rack: Wire::get(from)?,
        fills: Wire::get(from)?,
        drop: Wire::get(from)?,
        tips: Wire::get(from)?,
        colour_out: Money::ZERO,
    })
}

/// How the ledger of an old layout is read.
type ReadLedger = fn(&mut Reader<'_>) -> Result<Ledger, DecodeError>;

/// A shift opened before racks were counted by denomination and boxes had numbers.
fn shift_opened(payload: &[u8], ledger: ReadLedger) -> Result<Event, DecodeError> {
    event_of(payload, 2, |from| {
        let shift = Wire::get(from)?;
        from.array_of(5)?;
        let new = NewShift {
            table: Wire::get(from)?,
            currency: Wire::get(from)?,
            opener: Wire::get(from)?,
            ledger: ledger(from)?,
            threshold: Wire::get(from)?,
            rack: Vec::new(),
            boxes: Boxes::default(),
        };
        Ok(Fact::ShiftOpened { shift, new })
    })
}

/// What was counted when those who closed counted the boxes too.
fn counts_2(from: &mut Reader<'_>) -> Result<Counts, DecodeError> {
    from.array_of(3)?;
    Ok(Counts {
        closer: Wire::get(from)?,
        drop: Some(Wire::get(from)?),
        tips: Some(Wire::get(from)?),
    })
}

fn shift_closed(payload: &[u8], ledger: ReadLedger) -> Result<Event, DecodeError> {
    event_of(payload, 2, |from| {
        let shift = Wire::get(from)?;
        from.array_of(4)?;
        let end = ShiftEnd {
            counts: counts_2(from)?,
            ledger: ledger(from)?,
            signed: Wire::get(from)?,
            comment: Wire::get(from)?,
            rack: Vec::new(),
        };
        Ok(Fact::ShiftClosed { shift, end })
    })
}

/// A change of play that knew neither the house's interval nor the clock of play.
fn play_changed_1(payload: &[u8]) -> Result<Event, DecodeError> {
    event_of(payload, 3, |from| {
        let place = Wire::get(from)?;
        from.array_of(3)?;
        let sitting = Sitting {
            session: Wire::get(from)?,
            began_ms: Wire::get(from)?,
            base: Wire::get(from)?,
            seen: None,
        };
        let step = Wire::get(from)?;
        Ok(Fact::PlayChanged {
            place,
            sitting,
            step,
        })
    })
}
