//! Every fact there is, each with a number of its own.

use sicbo_rules::rulebook::words::{Cause, LateAct, Word as _};
use sicbo_table::Fact;
use sicbo_table::command::{
    ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, Part, Ruling,
};
use sicbo_table::event::{Digests, RulesRevision, VoidBasis};
use sicbo_table::grant::PlayGrant;
use sicbo_table::ids::{BetId, NoticeId, PendingId, RecoverableId, UnclaimedId};
use sicbo_table::pending::Notice;

use crate::codec::samples::Source;

/// How many facts [`fact`] can make. A new fact must be given a number here:
/// [`number_of`] does not compile without it.
pub(crate) const FACTS: usize = 76;

/// The number of a fact for [`fact`].
pub(crate) fn number_of(fact: &Fact) -> usize {
    match fact {
        Fact::TableOpened { .. } => 0,
        Fact::StationAdded { .. } => 1,
        Fact::StationRemoved { .. } => 2,
        Fact::LastRoundAnnounced => 3,
        Fact::TableClosed => 4,
        Fact::TableSuspended { .. } => 5,
        Fact::TableResumed => 6,
        Fact::LimitsScheduled { .. } => 7,
        Fact::RuleBookScheduled { .. } => 8,
        Fact::DiceChanged { .. } => 9,
        Fact::ActingAssigned { .. } => 10,
        Fact::ActingEnded { .. } => 11,
        Fact::Connected { .. } => 12,
        Fact::Disconnected { .. } => 13,
        Fact::CreditBought { .. } => 14,
        Fact::CashedOut { .. } => 15,
        Fact::CashOutReversed { .. } => 16,
        Fact::TransferredOut { .. } => 17,
        Fact::HandPaid { .. } => 18,
        Fact::VoucherForgotten { .. } => 19,
        Fact::ChipsMoved { .. } => 20,
        Fact::ColourAssigned { .. } => 21,
        Fact::ColourReleased { .. } => 22,
        Fact::ColourMoved { .. } => 23,
        Fact::Adjusted { .. } => 24,
        Fact::RoundBegan { .. } => 25,
        Fact::TumblerActivated => 26,
        Fact::TumbleEnded { .. } => 27,
        Fact::BetsCalled => 28,
        Fact::BetsPlaced { .. } => 29,
        Fact::BetsRemoved { .. } => 30,
        Fact::ClosingBegan { .. } => 31,
        Fact::CloseAcknowledged { .. } => 32,
        Fact::StationFenced { .. } => 33,
        Fact::BetsClosed { .. } => 34,
        Fact::DealPressed => 35,
        Fact::PositionsRecorded { .. } => 36,
        Fact::PositionsObserved { .. } => 37,
        Fact::LateActRecorded { .. } => 38,
        Fact::Uncovered => 39,
        Fact::FlatConfirmed => 40,
        Fact::DiceKeyed { .. } => 41,
        Fact::KeysCleared => 42,
        Fact::SecondRead { .. } => 43,
        Fact::ReadingsAgreed { .. } => 44,
        Fact::ResultConfirmed { .. } => 45,
        Fact::LightsReported { .. } => 46,
        Fact::RoundSettled { .. } => 47,
        Fact::RoundVoided { .. } => 48,
        Fact::IncidentRaised { .. } => 49,
        Fact::DeviceFailed { .. } => 50,
        Fact::Interrupted { .. } => 51,
        Fact::DecisionRaised { .. } => 52,
        Fact::DecisionTaken { .. } => 53,
        Fact::ResultCorrected { .. } => 54,
        Fact::RoundVoidedLate { .. } => 55,
        Fact::OverpaymentRecovered { .. } => 56,
        Fact::OverpaymentWaived { .. } => 57,
        Fact::UnclaimedPaid { .. } => 58,
        Fact::TumbleCommitted { .. } => 59,
        Fact::TumbleRevealed { .. } => 60,
        Fact::NoticeRaised { .. } => 61,
        Fact::NoticeAcknowledged { .. } => 62,
        Fact::TumblerBound { .. } => 63,
        Fact::CountingSwitched { .. } => 64,
        Fact::CasePaid { .. } => 65,
        Fact::CaseOverpaid { .. } => 66,
        Fact::PositionsClaimed { .. } => 67,
        Fact::PositionsAttested { .. } => 68,
        Fact::PositionsReturned { .. } => 69,
        Fact::DamageReported { .. } => 70,
        Fact::DiceFoundSound { .. } => 71,
        Fact::ClockParted { .. } => 72,
        Fact::ClockSet { .. } => 73,
        Fact::CoverReported { .. } => 74,
        Fact::PlayGranted { .. } => 75,
    }
}

/// The fact of that number.
pub(crate) fn fact(number: usize, s: &mut Source) -> Fact {
    match number {
        0 => Fact::TableOpened {
            config: Box::new(s.config()),
            stations: s.list(4, Source::new_station),
            rules: RulesRevision(s.small() as u16),
        },
        1 => Fact::StationAdded {
            station: s.new_station(),
        },
        2 => Fact::StationRemoved {
            station: s.station(),
        },
        3 => Fact::LastRoundAnnounced,
        4 => Fact::TableClosed,
        5 => Fact::TableSuspended { reason: s.text() },
        6 => Fact::TableResumed,
        7 => Fact::LimitsScheduled {
            limits: Box::new(s.limits()),
        },
        8 => Fact::RuleBookScheduled { book: s.book() },
        9 => Fact::DiceChanged { dice_set: s.text() },
        10 => Fact::ActingAssigned {
            person: s.person(),
            position: s.position(),
        },
        11 => Fact::ActingEnded {
            person: s.person(),
            position: s.position(),
        },
        12 => Fact::Connected {
            station: s.station(),
        },
        13 => Fact::Disconnected {
            station: s.station(),
        },
        14..=24 => money_fact(number, s),
        25..=48 => round_fact(number, s),
        _ => late_fact(number, s),
    }
}

fn money_fact(number: usize, s: &mut Source) -> Fact {
    match number {
        14 => {
            let voucher = CreditSource::Voucher(s.voucher());
            Fact::CreditBought {
                station: s.station(),
                source: s.pick(&[
                    CreditSource::Cash,
                    voucher,
                    CreditSource::Cage,
                    CreditSource::Attendant,
                ]),
                amount: s.money(),
                session: s.session(),
            }
        }
        15 => Fact::CashedOut {
            station: s.station(),
            amount: s.money(),
            voucher: s.voucher(),
        },
        16 => Fact::CashOutReversed {
            station: s.station(),
            amount: s.money(),
            voucher: s.voucher(),
        },
        17 => Fact::TransferredOut {
            station: s.station(),
            amount: s.money(),
        },
        18 => Fact::HandPaid {
            station: s.station(),
            amount: s.money(),
        },
        19 => Fact::VoucherForgotten {
            voucher: s.voucher(),
        },
        20 => Fact::ChipsMoved {
            how: s.pick(&[
                ChipMove::Bought,
                ChipMove::Brought,
                ChipMove::TakenAway,
                ChipMove::Fill,
                ChipMove::CreditSlip,
                ChipMove::Tip,
            ]),
            amount: s.money(),
            slip: s.text(),
        },
        21 => Fact::ColourAssigned {
            station: s.station(),
            colour: s.text(),
            value: s.money(),
            session: s.session(),
        },
        22 => Fact::ColourReleased {
            station: s.station(),
        },
        23 => Fact::ColourMoved {
            station: s.station(),
            how: s.pick(&[
                ColourMove::BoughtWithCash,
                ColourMove::ExchangedFromChips,
                ColourMove::ExchangedForChips,
            ]),
            amount: s.money(),
        },
        _ => Fact::Adjusted {
            station: s.station(),
            amount: s.money(),
            reason: s.text(),
        },
    }
}

fn round_fact(number: usize, s: &mut Source) -> Fact {
    match number {
        25 => Fact::RoundBegan {
            round: s.round(),
            digests: Digests {
                program: s.hash(),
                book: s.hash(),
                config: s.hash(),
            },
            rules: RulesRevision(s.small() as u16),
        },
        26 => Fact::TumblerActivated,
        27 => Fact::TumbleEnded {
            count: s.small() as u8,
            valid: s.flag(),
        },
        28 => Fact::BetsCalled,
        29 => Fact::BetsPlaced {
            station: s.station(),
            bet: s.bet(),
            means: s.means(),
            lines: s.lines(),
            called: s.flag(),
        },
        30 => Fact::BetsRemoved {
            station: s.station(),
            bet: s.bet(),
            means: s.means(),
            lines: s.lines(),
            all: s.flag(),
        },
        31 => Fact::ClosingBegan {
            awaiting: s.small(),
        },
        32 => Fact::CloseAcknowledged {
            station: s.station(),
        },
        33 => Fact::StationFenced {
            station: s.station(),
        },
        34 => Fact::BetsClosed { staked: s.money() },
        35 => Fact::DealPressed,
        36 => Fact::PositionsRecorded {
            station: s.station(),
            means: s.means(),
            lines: s.lines(),
            dice_visible: s.flag(),
            bet: s.maybe(|s| BetId(s.number())),
        },
        37 => Fact::PositionsObserved {
            station: s.station(),
            means: s.means(),
            lines: s.lines(),
        },
        38 => Fact::LateActRecorded {
            station: s.station(),
            late: s.pick(&[
                LateKind::Placement,
                LateKind::Increase,
                LateKind::Withdrawal,
            ]),
            means: s.maybe(Source::means),
            line: s.line(),
            consequence: s.pick(LateAct::all()),
            rule: s.text(),
        },
        39 => Fact::Uncovered,
        40 => Fact::FlatConfirmed,
        41 => Fact::DiceKeyed { dice: s.dice() },
        42 => Fact::KeysCleared,
        43 => Fact::SecondRead { dice: s.dice() },
        44 => Fact::ReadingsAgreed { dice: s.dice() },
        45 => Fact::ResultConfirmed { dice: s.dice() },
        46 => Fact::LightsReported { lit: s.flag() },
        47 => Fact::RoundSettled {
            dice: s.dice(),
            staked: s.money(),
            returned: s.money(),
            digest: s.hash(),
        },
        _ => {
            let bases = [
                VoidBasis::Listed(s.pick(Cause::all())),
                VoidBasis::Ruling(s.text()),
            ];
            Fact::RoundVoided {
                basis: s.pick(&bases),
                rule: s.text(),
                staked: s.money(),
                digest: s.hash(),
            }
        }
    }
}

fn late_fact(number: usize, s: &mut Source) -> Fact {
    match number {
        49 => Fact::IncidentRaised {
            kind: s.pick(&[
                IncidentKind::CallSupervisor,
                IncidentKind::CallAttendant,
                IncidentKind::Counterfeit,
                IncidentKind::Dispute,
                IncidentKind::Other,
            ]),
            note: s.text(),
        },
        50 => Fact::DeviceFailed {
            what: s.text(),
            inform: s.maybe(Source::position),
            part: s.pick(&Part::ALL),
            by_dice: s.flag(),
        },
        51 => Fact::Interrupted { what: s.text() },
        52 => Fact::DecisionRaised {
            pending: s.pending(),
        },
        53 => Fact::DecisionTaken {
            pending: PendingId(s.number()),
            ruling: s.pick(&[
                Ruling::Void,
                Ruling::Conclude,
                Ruling::Accept,
                Ruling::AtClose,
                Ruling::AsTheyLie,
                Ruling::Affected,
                Ruling::NotAffected,
                Ruling::Release,
            ]),
            reason: s.text(),
        },
        54 => Fact::ResultCorrected {
            round: s.round(),
            revision: s.small(),
            from: s.standing(),
            dice: s.dice(),
            evidence: s.text(),
            rule: s.text(),
            effects: s.list(3, Source::effect),
            conducted: s.maybe(Source::flag),
        },
        55 => Fact::RoundVoidedLate {
            round: s.round(),
            revision: s.small(),
            from: s.standing(),
            reason: s.text(),
            rule: s.text(),
            effects: s.list(3, Source::effect),
            cause: s.maybe(|s| s.pick(Cause::all())),
            ground: s.maybe(Source::text),
        },
        70 => Fact::DamageReported {
            dice_set: s.text(),
            round: s.maybe(Source::round),
            note: s.text(),
        },
        71 => Fact::DiceFoundSound {
            dice_set: s.text(),
            text: s.text(),
        },
        56 => Fact::OverpaymentRecovered {
            recoverable: RecoverableId(s.number()),
            amount: s.money(),
        },
        57 => Fact::OverpaymentWaived {
            recoverable: RecoverableId(s.number()),
            amount: s.money(),
            reason: s.text(),
        },
        58 => Fact::UnclaimedPaid {
            unclaimed: UnclaimedId(s.number()),
            amount: s.money(),
        },
        59 => Fact::TumbleCommitted {
            round: s.round(),
            commitment: s.hash(),
        },
        72 => Fact::ClockParted {
            machine_ms: s.number() as i64,
        },
        73 => Fact::ClockSet {
            was_ms: s.number() as i64,
            is_ms: s.number() as i64,
        },
        75 => Fact::PlayGranted {
            station: s.station(),
            grant: PlayGrant {
                visit: s.session(),
                staked_to: s.maybe(Source::money),
                lost_to: s.maybe(Source::money),
            },
        },
        74 => Fact::CoverReported { open: s.flag() },
        60 => Fact::TumbleRevealed {
            round: s.round(),
            seed: s.hash(),
        },
        61 => Fact::NoticeRaised {
            notice: Notice {
                id: NoticeId(s.number()),
                at_ms: s.number() as i64,
                what: s.text(),
                inform: s.position(),
                rule: s.text(),
                round: s.maybe(Source::round),
                read: s.maybe(|s| (s.person(), s.number() as i64)),
            },
        },
        62 => Fact::NoticeAcknowledged {
            notice: NoticeId(s.number()),
        },
        63 => Fact::TumblerBound {
            line: s.flag(),
            shortest_ms: s.small(),
        },
        64 => Fact::CountingSwitched { by_hand: s.flag() },
        65 => Fact::CasePaid {
            station: s.station(),
            case: s.number(),
            round: s.maybe(Source::round),
            amount: s.money(),
            reason: s.text(),
            decision: s.small(),
            unclaimed: s.maybe(Source::unclaimed),
        },
        66 => Fact::CaseOverpaid {
            case: s.number(),
            recoverable: s.recoverable(),
            reason: s.text(),
            decision: s.small(),
        },
        67 => Fact::PositionsClaimed {
            station: s.station(),
            bet: BetId(s.number()),
            means: s.means(),
            lines: s.lines(),
        },
        68 => Fact::PositionsAttested {
            pending: PendingId(s.number()),
            station: s.station(),
            means: s.means(),
            lines: s.lines(),
            bookmark: s.text(),
        },
        _ => Fact::PositionsReturned {
            pending: PendingId(s.number()),
            station: s.station(),
            means: s.means(),
            lines: s.lines(),
            bookmark: s.text(),
        },
    }
}
