//! The register's events to bytes and back: the only place that knows them.
//!
//! The same laws as the table's codec: a kind never changes its meaning, a
//! change of layout raises its version, decoding is total, and one event has
//! one spelling. The payload is one CBOR array whose positions are the field
//! numbers: 0 the time, 1 who, 2 the second person, 3 the command, and from 4
//! on the fields of the fact. To add a fact, add a row with a new number.

mod old;
mod parts;

use sicbo_table::codec::{DecodeError, KindInfo, Reader, Wire, Writer, counts_from};

use super::event::{Event, Fact};

/// Fields before those of the fact: time, who, second person, command.
const ENVELOPE: u64 = 4;

/// Appends the payload of an event to `out`; returns its kind and version.
pub fn encode(event: &Event, out: &mut Vec<u8>) -> (u16, u16) {
    put(event, &mut Writer::new(out))
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
    if (kind, version) == old::PLAY_CHANGED_1 {
        return old::play_changed_1(payload);
    }
    if version != newest {
        return Err(DecodeError::UnknownVersion {
            kind,
            version,
            newest,
        });
    }
    let mut reader = Reader::new(payload);
    let event = get(kind, &mut reader)?;
    reader.end()?;
    Ok(event)
}

macro_rules! facts {
    ($($kind:literal v $version:literal $fact:ident { $($number:literal $field:ident),* $(,)? })+) => {
        /// Every kind, in the order of their numbers.
        pub const KINDS: &[KindInfo] = &[
            $(KindInfo { kind: $kind, version: $version, name: stringify!($fact) },)+
        ];

        $(const _: () = assert!(counts_from(ENVELOPE, &[$($number),*]));)+

        fn put(event: &Event, to: &mut Writer<'_>) -> (u16, u16) {
            match &event.fact {
                $(Fact::$fact { $($field),* } => {
                    let numbers: &[u64] = &[$($number),*];
                    to.array(ENVELOPE + numbers.len() as u64);
                    event.at_ms.put(to);
                    event.by.put(to);
                    event.second.put(to);
                    event.command.put(to);
                    $($field.put(to);)*
                    ($kind, $version)
                })+
            }
        }

        fn get(kind: u16, from: &mut Reader<'_>) -> Result<Event, DecodeError> {
            let len = from.array()?;
            let at_ms = Wire::get(from)?;
            let by = Wire::get(from)?;
            let second = Wire::get(from)?;
            let command = Wire::get(from)?;
            let fact = match kind {
                $($kind => {
                    let numbers: &[u64] = &[$($number),*];
                    if len != ENVELOPE + numbers.len() as u64 {
                        return Err(from.expected(concat!("the fields of ", stringify!($fact))));
                    }
                    Fact::$fact { $($field: Wire::get(from)?),* }
                })+
                _ => return Err(DecodeError::UnknownKind { kind }),
            };
            Ok(Event { at_ms, by, second, command, fact })
        }
    };
}

facts! {
    // The house.
    1 v 1 HouseSetUp { 4 terms, 5 staff, 6 places }
    2 v 1 TermsChanged { 4 terms }
    3 v 1 PositionsNamed { 4 names }

    // People.
    10 v 1 PersonAdded { 4 person, 5 new }
    11 v 1 PositionChanged { 4 person, 5 from, 6 to }
    12 v 1 PinReset { 4 person, 5 pin }
    13 v 1 PinChanged { 4 person, 5 pin }
    14 v 1 PersonDisabled { 4 person, 5 reason }
    15 v 1 PersonEnabled { 4 person, 5 pin }
    16 v 1 LockLifted { 4 person }
    20 v 1 LoggedIn { 4 person, 5 session, 6 place }
    21 v 1 LogInFailed { 4 person, 5 name, 6 place }
    22 v 1 LockedOut { 4 person, 5 place, 6 until_ms }
    23 v 1 LoggedOut { 4 person, 5 session, 6 why }

    // What is enrolled.
    30 v 1 Enrolled { 4 enrolment, 5 new }
    31 v 1 Revoked { 4 enrolment, 5 reason }

    // Vouchers.
    50 v 1 VoucherReserved { 4 voucher, 5 origin, 6 station_name, 7 currency, 8 amount }
    51 v 1 ReservationReleased { 4 voucher }
    52 v 1 VoucherIssued {
        4 voucher, 5 amount, 6 sequence, 7 digest, 8 attempt, 9 expires_ms,
    }
    53 v 1 PrintBegan { 4 voucher, 5 copy }
    54 v 1 VoucherPrinted { 4 voucher }
    55 v 1 PrintFailed { 4 voucher, 5 what }
    56 v 1 VoucherReturned { 4 voucher }
    57 v 1 RedemptionBegan { 4 voucher, 5 request, 6 to }
    58 v 1 RedemptionRefused { 4 voucher, 5 request, 6 to, 7 why }
    59 v 1 RedemptionLocked { 4 to, 5 until_ms }
    60 v 1 RedemptionCancelled { 4 voucher, 5 why }
    61 v 1 VoucherRedeemed { 4 voucher, 5 request, 6 to }
    62 v 1 VoucherVoided { 4 voucher, 5 reason }
    63 v 1 VoucherExpired { 4 voucher }
    64 v 1 VoucherKept { 4 voucher, 5 why }

    // Cases.
    70 v 1 CaseOpened { 4 case, 5 new }
    71 v 1 CaseStepped { 4 case, 5 acting, 6 step }

    // Dice and shifts.
    80 v 1 DiceStepped { 4 set, 5 step }
    85 v 1 ShiftOpened { 4 shift, 5 new }
    86 v 1 ShiftClosed { 4 shift, 5 end }
    87 v 1 RefusalsCounted { 4 shift, 5 refused }

    // Responsible play.
    90 v 2 PlayChanged { 4 place, 5 sitting, 6 step }
    91 v 1 PlaysCounted { 4 offset_min, 5 lines }

    // Two-person proposals.
    95 v 1 ProposalMade { 4 proposal, 5 new }
    96 v 1 ProposalEnded { 4 proposal, 5 end }

    // Tables out of service.
    97 v 1 TableRestarted { 4 table, 5 reason }
    98 v 1 TableReached { 4 table, 5 reached }
    // The clock.
    120 v 1 ClockParted { 4 machine_ms }
    121 v 1 ClockSet { 4 was_ms, 5 is_ms }
}
