//! Layouts that are no longer written, read for ever.

use sicbo_table::codec::{DecodeError, Reader, Wire};

use super::ENVELOPE;
use crate::event::{Event, Fact};
use crate::play::Sitting;

/// Kind and version of a change of play that knew neither the house's interval
/// nor the clock of play.
pub(super) const PLAY_CHANGED_1: (u16, u16) = (90, 1);

pub(super) fn play_changed_1(payload: &[u8]) -> Result<Event, DecodeError> {
    let mut from = Reader::new(payload);
    from.array_of(ENVELOPE + 3)?;
    let at_ms = Wire::get(&mut from)?;
    let by = Wire::get(&mut from)?;
    let second = Wire::get(&mut from)?;
    let command = Wire::get(&mut from)?;
    let place = Wire::get(&mut from)?;
    from.array_of(3)?;
    let sitting = Sitting {
        session: Wire::get(&mut from)?,
        began_ms: Wire::get(&mut from)?,
        base: Wire::get(&mut from)?,
        seen: None,
    };
    let step = Wire::get(&mut from)?;
    from.end()?;
    let fact = Fact::PlayChanged {
        place,
        sitting,
        step,
    };
    Ok(Event {
        at_ms,
        by,
        second,
        command,
        fact,
    })
}
