//! Notes in the acceptor of a station: reported twice, credited once.
//!
//! An acceptor that has swallowed a note reports it until it is answered. The
//! number it gives the report is the command's, stands in the event, and is
//! remembered by station: the same number again is answered and credits
//! nothing. Numbers of a station only go up, so that one below all that are
//! remembered is known to be old and is never taken for another note. Zero is
//! no number: records of programs that gave none are not remembered.

use std::collections::VecDeque;

use sicbo_rules::{Money, broken};

use crate::actor::{Actor, Device};
use crate::codec::{DecodeError, Reader, Wire, Writer};
use crate::command::{Act, Command, CreditSource};
use crate::event::{Event, Fact};
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

/// Notes remembered by station. An acceptor has one on its way at a time.
pub const MAX_NOTES: usize = 16;

/// The newest notes of one station.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Notes {
    /// Numbers and values, oldest first.
    newest: VecDeque<(u64, Money)>,
    /// The highest number that was forgotten.
    forgotten: u64,
}

impl Notes {
    /// A note was credited under this number, and is remembered.
    #[must_use]
    pub fn knows(&self, request: u64) -> bool {
        self.newest.iter().any(|(known, _)| *known == request)
    }

    fn remember(&mut self, request: u64, value: Money) {
        if self.newest.len() == MAX_NOTES
            && let Some((oldest, _)) = self.newest.pop_front()
        {
            self.forgotten = self.forgotten.max(oldest);
        }
        self.newest.push_back((request, value));
    }
}

/// Whether a note was credited before.
///
/// # Errors
/// When its number was used for another note, or is older than all that are
/// remembered.
pub(crate) fn credited_before(table: &Table, command: &Command) -> Result<bool, Refusal> {
    let Act::BuyCredit {
        station,
        source: CreditSource::Cash,
        amount,
    } = &command.act
    else {
        return Ok(false);
    };
    if broken("table:note-once") {
        return Ok(false);
    }
    if command.by != Actor::Device(Device::NoteAcceptor) || command.id == 0 {
        return Ok(false);
    }
    let Some(station) = table.station(*station) else {
        return Ok(false);
    };
    let mut newest = station.notes.newest.iter().rev();
    match newest.find(|(request, _)| *request == command.id) {
        Some((_, value)) if value == amount => Ok(true),
        Some(_) => Err(Reason::RequestReused.into()),
        None if command.id <= station.notes.forgotten => Err(Reason::RequestTooOld.into()),
        None => Ok(false),
    }
}

/// Remembers a note that was credited.
pub(crate) fn note(table: &mut Table, event: &Event) {
    if let Fact::CreditBought {
        station,
        source: CreditSource::Cash,
        amount,
        ..
    } = &event.fact
        && event.by == Actor::Device(Device::NoteAcceptor)
        && event.command != 0
    {
        let station = &mut table.stations[station.0 as usize];
        station.notes.remember(event.command, *amount);
    }
}

/// As `[newest, forgotten]`.
impl Wire for Notes {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(2);
        to.array(self.newest.len() as u64);
        for note in &self.newest {
            note.put(to);
        }
        self.forgotten.put(to);
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.array_of(2)?;
        let len = from.array()?;
        if len > MAX_NOTES as u64 {
            return Err(from.expected("no more notes than are remembered"));
        }
        let mut notes = Notes::default();
        for _ in 0..len {
            notes.newest.push_back(Wire::get(from)?);
        }
        notes.forgotten = Wire::get(from)?;
        Ok(notes)
    }
}
