//! Events to bytes and back: the only place that knows an event's journal bytes.
//!
//! A record is a kind, a version and a payload. The kind says which [`Fact`] it
//! is and never changes its meaning; the version says how the payload is laid
//! out. The payload is one CBOR array (RFC 8949) whose positions are the field
//! numbers: 0 the time, 1 who, 2 the second person, 3 the command, and from 4
//! on the fields of the fact, by their numbers in the table of facts (`event.rs`).
//! Bets, which are nearly all records, have a shorter layout of their own
//! (`codec/bets.rs`).
//!
//! Laws of this file:
//! - A number (kind, field, word) is never reused and never changes its meaning.
//! - A change of layout raises the version of its kind and adds an upcaster;
//!   bytes that were ever written decode for ever.
//! - Decoding is total: any bytes give an event or an error, never a panic, and
//!   never ask for more memory than a small multiple of their length.
//! - One event has one spelling: equal events give equal bytes.

mod bets;
mod facts;
mod forms;
mod old;
mod parts;
mod values;
pub mod wire;
mod words;

use std::borrow::Cow;

use sicbo_rules::rulebook::RuleBookError;

use crate::event::{Event, Fact};
#[doc(hidden)]
pub use facts::{ENVELOPE, are_positions, key, key_len};
pub use forms::{FieldLayout, Forms, KindLayout};
#[doc(hidden)]
pub use forms::{form_in, form_of};
#[doc(hidden)]
pub use wire::counts_from;
pub use wire::{Reader, Wire, Writer};
pub(crate) use wire::{choices, records};

/// A kind of record: its stable number, its newest version and the name of its fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindInfo {
    /// The stable number.
    pub kind: u16,
    /// The version that is written today.
    pub version: u16,
    /// The fact's name.
    pub name: &'static str,
    /// Its name in exports: `dice-found-sound`.
    pub key: &'static str,
    /// A sentence for people, with the names of described fields in braces.
    pub told: Option<&'static str>,
}

/// Every kind, in the order of their numbers.
pub const KINDS: &[KindInfo] = Fact::KINDS;

/// Why bytes are not an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// No fact has this number.
    #[error("there is no kind of record {kind}: it may come from a newer program")]
    UnknownKind {
        /// The number.
        kind: u16,
    },
    /// The kind is known, this layout of it is not.
    #[error("kind {kind} has no version {version}: this program knows versions up to {newest}")]
    UnknownVersion {
        /// The kind.
        kind: u16,
        /// The version asked for.
        version: u16,
        /// The newest known one.
        newest: u16,
    },
    /// The bytes end in the middle.
    #[error("the bytes end in the middle")]
    Truncated,
    /// Something else stands where a value should.
    #[error("at byte {at}: expected {expected}")]
    Malformed {
        /// Where.
        at: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// More bytes than the value has.
    #[error("at byte {at}: bytes that belong to nothing")]
    Trailing {
        /// Where the value ended.
        at: usize,
    },
    /// The rule book inside has faults.
    #[error("the rule book in the record cannot be read: {0}")]
    RuleBook(#[from] RuleBookError),
    /// The parts are readable but contradict each other.
    #[error("the parts contradict each other: {what}")]
    Contradictory {
        /// What does not agree.
        what: String,
    },
}

/// Appends the payload of an event to `out`; returns its kind and version.
pub fn encode(event: &Event, out: &mut Vec<u8>) -> (u16, u16) {
    let to = &mut Writer::new(out);
    match bets::put(event, to) {
        Some(kind) => kind,
        None => event.put(to),
    }
}

/// The event that a record holds.
///
/// # Errors
/// When the kind or version is unknown or the bytes are not such a payload.
pub fn decode(kind: u16, version: u16, payload: &[u8]) -> Result<Event, DecodeError> {
    if (kind, version) == bets::PLACED {
        return bets::placed(&mut Reader::new(payload));
    }
    let newest = KINDS
        .binary_search_by_key(&kind, |info| info.kind)
        .ok()
        .and_then(|at| KINDS.get(at))
        .ok_or(DecodeError::UnknownKind { kind })?
        .version;
    let payload = upcast(UPCASTERS, kind, version, newest, payload)?;
    let mut reader = Reader::new(&payload);
    let event = Event::get(kind, &mut reader)?;
    reader.end()?;
    Ok(event)
}

/// Rewrites the payload of one version of a kind as the next version's.
struct Upcaster {
    kind: u16,
    from: u16,
    rewrite: fn(&[u8]) -> Result<Vec<u8>, DecodeError>,
}

/// One row for each layout that was ever replaced.
const UPCASTERS: &[Upcaster] = old::UPCASTERS;

/// The payload in the layout of the newest version, step by step.
fn upcast<'p>(
    upcasters: &[Upcaster],
    kind: u16,
    version: u16,
    newest: u16,
    payload: &'p [u8],
) -> Result<Cow<'p, [u8]>, DecodeError> {
    let mut payload = Cow::Borrowed(payload);
    let mut at = version;
    while at != newest {
        let step = upcasters
            .iter()
            .find(|step| step.kind == kind && step.from == at && at < newest)
            .ok_or(DecodeError::UnknownVersion {
                kind,
                version,
                newest,
            })?;
        payload = Cow::Owned((step.rewrite)(&payload)?);
        at += 1;
    }
    Ok(payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_in_order_and_none_is_zero() {
        assert!(KINDS.windows(2).all(|pair| pair[0].kind < pair[1].kind));
        assert!(KINDS.iter().all(|info| info.kind > 0 && info.version > 0));
    }

    #[test]
    fn an_old_version_goes_through_every_upcaster_in_order() {
        const STEPS: &[Upcaster] = &[
            Upcaster {
                kind: 7,
                from: 2,
                rewrite: |old| Ok([old, b"3"].concat()),
            },
            Upcaster {
                kind: 7,
                from: 1,
                rewrite: |old| Ok([old, b"2"].concat()),
            },
        ];
        let to = |version| upcast(STEPS, 7, version, 3, b"p").map(Cow::into_owned);
        assert_eq!(to(3).unwrap(), b"p");
        assert_eq!(to(2).unwrap(), b"p3");
        assert_eq!(to(1).unwrap(), b"p23");
        for unknown in [0, 4, u16::MAX] {
            assert_eq!(
                to(unknown),
                Err(DecodeError::UnknownVersion {
                    kind: 7,
                    version: unknown,
                    newest: 3
                })
            );
        }
    }
}
