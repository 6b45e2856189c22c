//! The table of kinds: one row for each fact, with its stable number, the
//! version written today, and its fields with their numbers.
//!
//! To add a fact, add a row with a new number. To change the fields of one,
//! raise its version and add an upcaster in `codec.rs`. Never reuse a number.

use super::wire::counts_from;
use super::{DecodeError, KindInfo, Reader, Wire, Writer, bets};
use crate::event::{Event, Fact};

/// Fields before those of the fact: time, who, second person, command.
const ENVELOPE: u64 = 4;

fn envelope(to: &mut Writer<'_>, event: &Event, fields: u64) {
    to.array(ENVELOPE + fields);
    event.at_ms.put(to);
    event.by.put(to);
    event.second.put(to);
    event.command.put(to);
}

/// The bet, which has a layout of its own.
pub(super) const BETS_PLACED: KindInfo = KindInfo {
    kind: 54,
    version: 1,
    name: "BetsPlaced",
};

macro_rules! facts {
    ($($kind:literal v $version:literal $fact:ident { $($number:literal $field:ident),* $(,)? })+) => {
        pub(super) const KINDS: &[KindInfo] = &{
            const ROWS: &[KindInfo] = &[
                $(KindInfo { kind: $kind, version: $version, name: stringify!($fact) },)+
            ];
            // The bet takes its place by number.
            let mut rows = [BETS_PLACED; ROWS.len() + 1];
            let (mut from, mut to) = (0, 0);
            while from < ROWS.len() {
                if ROWS[from].kind > BETS_PLACED.kind && to == from {
                    to += 1;
                }
                rows[to] = ROWS[from];
                from += 1;
                to += 1;
            }
            rows
        };

        $(const _: () = assert!(counts_from(ENVELOPE, &[$($number),*]));)+

        pub(super) fn put(event: &Event, to: &mut Writer<'_>) -> (u16, u16) {
            match &event.fact {
                Fact::BetsPlaced { station, bet, means, lines, called } => {
                    bets::put(to, event, *station, *bet, (*means, *called), lines);
                    (BETS_PLACED.kind, BETS_PLACED.version)
                }
                $(Fact::$fact { $($field),* } => {
                    let numbers: &[u64] = &[$($number),*];
                    envelope(to, event, numbers.len() as u64);
                    $($field.put(to);)*
                    ($kind, $version)
                })+
            }
        }

        pub(super) fn get(kind: u16, from: &mut Reader<'_>) -> Result<Event, DecodeError> {
            if kind == BETS_PLACED.kind {
                return bets::placed(from);
            }
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
    // The table and its desk.
    1 v 2 TableOpened { 4 config, 5 stations, 6 rules }
    2 v 1 StationAdded { 4 station }
    3 v 1 StationRemoved { 4 station }
    4 v 1 LastRoundAnnounced {}
    5 v 1 TableClosed {}
    6 v 1 TableSuspended { 4 reason }
    7 v 1 TableResumed {}
    8 v 1 LimitsScheduled { 4 limits }
    9 v 1 RuleBookScheduled { 4 book }
    10 v 1 DiceChanged { 4 dice_set }
    11 v 1 ActingAssigned { 4 person, 5 position }
    12 v 1 ActingEnded { 4 person, 5 position }
    13 v 1 Connected { 4 station }
    14 v 1 Disconnected { 4 station }
    15 v 1 TumblerBound { 4 line, 5 shortest_ms }
    16 v 1 CountingSwitched { 4 by_hand }
    20 v 1 ClockParted { 4 machine_ms }
    21 v 1 ClockSet { 4 was_ms, 5 is_ms }

    // Money outside the round.
    30 v 1 CreditBought { 4 station, 5 source, 6 amount, 7 session }
    31 v 1 CashedOut { 4 station, 5 amount, 6 voucher }
    32 v 1 CashOutReversed { 4 station, 5 amount, 6 voucher }
    33 v 1 TransferredOut { 4 station, 5 amount }
    34 v 1 HandPaid { 4 station, 5 amount }
    35 v 1 VoucherForgotten { 4 voucher }
    36 v 1 ChipsMoved { 4 how, 5 amount, 6 slip }
    37 v 1 ColourAssigned { 4 station, 5 colour, 6 value, 7 session }
    38 v 1 ColourReleased { 4 station }
    39 v 1 ColourMoved { 4 station, 5 how, 6 amount }
    40 v 1 Adjusted { 4 station, 5 amount, 6 reason }
    41 v 2 CasePaid {
        4 station, 5 case, 6 round, 7 amount, 8 reason, 9 decision, 10 unclaimed,
    }
    42 v 2 CaseOverpaid { 4 case, 5 recoverable, 6 reason, 7 decision }

    // The round of play; 54 is BetsPlaced.
    50 v 2 RoundBegan { 4 round, 5 digests, 6 rules }
    51 v 1 TumblerActivated {}
    52 v 1 TumbleEnded { 4 count, 5 valid }
    53 v 1 BetsCalled {}
    55 v 1 BetsRemoved { 4 station, 5 bet, 6 means, 7 lines, 8 all }
    56 v 1 ClosingBegan { 4 awaiting }
    57 v 1 CloseAcknowledged { 4 station }
    58 v 1 StationFenced { 4 station }
    59 v 1 BetsClosed { 4 staked }
    60 v 1 DealPressed {}
    61 v 2 PositionsRecorded { 4 station, 5 means, 6 lines, 7 dice_visible, 8 bet }
    62 v 2 PositionsObserved { 4 station, 5 lines, 6 means }
    63 v 2 LateActRecorded { 4 station, 5 late, 6 line, 7 consequence, 8 rule, 9 means }
    64 v 1 Uncovered {}
    65 v 1 FlatConfirmed {}
    66 v 1 DiceKeyed { 4 dice }
    67 v 1 KeysCleared {}
    68 v 1 SecondRead { 4 dice }
    69 v 1 ReadingsAgreed { 4 dice }
    70 v 1 ResultConfirmed { 4 dice }
    71 v 1 LightsReported { 4 lit }
    72 v 1 RoundSettled { 4 dice, 5 staked, 6 returned, 7 digest }
    73 v 1 RoundVoided { 4 basis, 5 rule, 6 staked, 7 digest }
    74 v 1 TumbleCommitted { 4 round, 5 commitment }
    75 v 1 TumbleRevealed { 4 round, 5 seed }
    76 v 1 PositionsClaimed { 4 station, 5 bet, 6 means, 7 lines }
    77 v 1 PositionsAttested { 4 pending, 5 station, 6 means, 7 lines, 8 bookmark }
    78 v 1 PositionsReturned { 4 pending, 5 station, 6 means, 7 lines, 8 bookmark }
    79 v 1 CoverReported { 4 open }

    // What goes wrong, and who decides.
    90 v 1 IncidentRaised { 4 kind, 5 note }
    91 v 2 DeviceFailed { 4 what, 5 inform, 6 part, 7 by_dice }
    92 v 1 Interrupted { 4 what }
    93 v 1 DecisionRaised { 4 pending }
    94 v 1 DecisionTaken { 4 pending, 5 ruling, 6 reason }
    95 v 1 NoticeRaised { 4 notice }
    96 v 1 NoticeAcknowledged { 4 notice }

    // Dice said to be damaged.
    100 v 1 DamageReported { 4 dice_set, 5 round, 6 note }
    101 v 1 DiceFoundSound { 4 dice_set, 5 text }

    // Rounds amended after they ended.
    110 v 3 ResultCorrected {
        4 round, 5 revision, 6 from, 7 dice, 8 evidence, 9 rule, 10 effects, 11 conducted,
    }
    111 v 3 RoundVoidedLate {
        4 round, 5 revision, 6 from, 7 reason, 8 rule, 9 effects, 10 cause, 11 ground,
    }
    112 v 1 OverpaymentRecovered { 4 recoverable, 5 amount }
    113 v 1 OverpaymentWaived { 4 recoverable, 5 amount, 6 reason }
    114 v 1 UnclaimedPaid { 4 unclaimed, 5 amount }
}
