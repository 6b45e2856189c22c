//! The layout of `BetsPlaced`, written by hand: nearly every record is one.
//!
//! `[time, command, station, bet, how, section, stake, section, stake …]`.
//! `how` is the means (0 credit, 1 cash chips, 2 colour chips), plus 4 for a
//! spoken bet, plus 8 when it was not the station itself that acted: then who
//! and the second person stand before the lines. A bet of one line at a
//! terminal takes some 25 bytes.

use super::{DecodeError, Reader, Wire, Writer};
use crate::actor::Actor;
use crate::event::{Event, Fact};
use crate::ids::{BetId, StationId};
use crate::positions::{Line, Means};

const CALLED: u64 = 4;
const BY_ANOTHER: u64 = 8;

/// Kind and version.
pub(super) const PLACED: (u16, u16) = (54, 1);

/// Appends the event if it is a bet; its kind and version then.
pub(super) fn put(event: &Event, to: &mut Writer<'_>) -> Option<(u16, u16)> {
    let Fact::BetsPlaced {
        station,
        bet,
        means,
        lines,
        called,
    } = &event.fact
    else {
        return None;
    };
    let (station, bet, called) = (*station, *bet, *called);
    let by_another = event.by != Actor::Station(station) || event.second.is_some();
    let before = if by_another { 7 } else { 5 };
    to.array(before + 2 * lines.len() as u64);
    to.signed(event.at_ms);
    to.unsigned(event.command);
    to.unsigned(u64::from(station.0));
    to.unsigned(bet.0);
    let means = match means {
        Means::Credit => 0,
        Means::CashChips => 1,
        Means::ColourChips => 2,
    };
    let flag = |set: bool, bit: u64| if set { bit } else { 0 };
    to.unsigned(means | flag(called, CALLED) | flag(by_another, BY_ANOTHER));
    if by_another {
        event.by.put(to);
        event.second.put(to);
    }
    for line in lines {
        line.section.put(to);
        line.stake.put(to);
    }
    Some(PLACED)
}

pub(super) fn placed(from: &mut Reader<'_>) -> Result<Event, DecodeError> {
    let len = from.array()?;
    let at_ms = from.signed()?;
    let command = from.unsigned()?;
    let station = StationId::get(from)?;
    let bet = BetId(from.unsigned()?);
    let how = from.unsigned()?;
    let means = match how & 3 {
        0 => Means::Credit,
        1 => Means::CashChips,
        2 => Means::ColourChips,
        _ => return Err(from.expected("how a bet was placed")),
    };
    if how >= 16 {
        return Err(from.expected("how a bet was placed"));
    }
    let (by, second, before) = if how & BY_ANOTHER != 0 {
        (Wire::get(from)?, Wire::get(from)?, 7)
    } else {
        (Actor::Station(station), None, 5)
    };
    let left = len
        .checked_sub(before)
        .filter(|left| left % 2 == 0)
        .ok_or_else(|| from.expected("a section and a stake for each line"))?;
    let mut lines = Vec::with_capacity(from.room_for(left) / 2);
    for _ in 0..left / 2 {
        lines.push(Line {
            section: Wire::get(from)?,
            stake: Wire::get(from)?,
        });
    }
    from.end()?;
    Ok(Event {
        at_ms,
        by,
        second,
        command,
        fact: Fact::BetsPlaced {
            station,
            bet,
            means,
            lines,
            called: how & CALLED != 0,
        },
    })
}
