//! The register's events to bytes and back: the only place that knows them.
//!
//! The same laws as the table's codec: a kind never changes its meaning, a
//! change of layout raises its version, decoding is total, and one event has
//! one spelling. The payload is one CBOR array whose positions are the field
//! numbers: 0 the time, 1 who, 2 the second person, 3 the command, and from 4
//! on the fields of the fact, by their numbers in the table of facts (`event.rs`).

mod old;
mod parts;

use sicbo_table::codec::{DecodeError, ENVELOPE, KindInfo, Reader, Writer};

use super::event::{Event, Fact};

/// Every kind, in the order of their numbers.
pub const KINDS: &[KindInfo] = Fact::KINDS;

/// Appends the payload of an event to `out`; returns its kind and version.
pub fn encode(event: &Event, out: &mut Vec<u8>) -> (u16, u16) {
    event.put(&mut Writer::new(out))
}

/// The event that a record holds.
///
/// # Errors
/// When the kind or version is unknown or the bytes are not such a payload.
pub fn decode(kind: u16, version: u16, payload: &[u8]) -> Result<Event, DecodeError> {
    let newest = KINDS
        .iter()
        .find(|info| info.kind == kind)
        .ok_or(DecodeError::UnknownKind { kind })?
        .version;
    if let Some(read) = old::reader(kind, version) {
        return read(payload);
    }
    if version != newest {
        return Err(DecodeError::UnknownVersion {
            kind,
            version,
            newest,
        });
    }
    let mut reader = Reader::new(payload);
    let event = Event::get(kind, &mut reader)?;
    reader.end()?;
    Ok(event)
}
