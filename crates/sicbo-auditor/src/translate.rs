//! Turns the engine's events and state into the plain words the auditor hears.
//! Knows both sides and decides nothing. A fact that is left out here and moves
//! money makes the balances differ at once.

use sicbo_rules::rulebook::words::{Cause, Word as _};
use sicbo_rules::{Dice, Money};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{ChipMove, ColourMove, CreditSource, LateKind, NewStation, Ruling};
use sicbo_table::event::{Effect, VoidBasis};
use sicbo_table::ids::StationId;
use sicbo_table::pending::{Pending, Question};
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;
use sicbo_table::{Event, Fact, Table};

use crate::heard::{
    Balances, Betting, Chips, ChipsHow, Claimed, ColourHow, Heard, Person, Place, Record, Says,
    Source, Stake, Who,
};

/// Somebody on record.
#[must_use]
pub fn person(staff: Staff) -> Person {
    Person {
        number: staff.person.0,
        position: staff.position.key(),
    }
}

/// Who acts.
#[must_use]
pub fn who(by: Actor) -> Who {
    match by {
        Actor::Staff(staff) => Who::Person(person(staff)),
        Actor::Station(id) => Who::Station(number(id)),
        Actor::Device(_) => Who::Device,
        Actor::House => Who::House,
    }
}

fn number(id: StationId) -> usize {
    id.0 as usize
}

/// What a stake is made of.
#[must_use]
pub fn chips(means: Means) -> Chips {
    match means {
        Means::Credit => Chips::Credit,
        Means::CashChips => Chips::Cash,
        Means::ColourChips => Chips::Colour,
    }
}

fn stake(line: &Line) -> Stake {
    Stake {
        section: line.section.to_string(),
        minor: line.stake.minor(),
    }
}

/// Stakes by section.
#[must_use]
pub fn stakes(lines: &[Line]) -> Vec<Stake> {
    lines.iter().map(stake).collect()
}

/// An event as the auditor hears it.
#[must_use]
pub fn hear(event: &Event) -> Record {
    Record {
        at_ms: event.at_ms,
        who: who(event.by),
        second: event.second.map(person),
        command: event.command,
        heard: heard(event.by, &event.fact),
    }
}

fn place(new: &NewStation) -> Place {
    Place {
        seat: new.kind == StationKind::Seat,
        layout: new.layout.clone(),
    }
}

fn faces(dice: Dice) -> [u8; 3] {
    dice.faces()
}

fn word(cause: Cause) -> &'static str {
    cause.key()
}

fn heard(by: Actor, fact: &Fact) -> Heard {
    match fact {
        Fact::TableOpened {
            config,
            stations,
            rules,
        } => Heard::Opened {
            book: config.book.id().to_owned(),
            dice: config.dice_set.clone(),
            stations: stations.iter().map(place).collect(),
            revision: rules.0,
        },
        Fact::TableClosed => Heard::Closed,
        Fact::TableSuspended { .. } => Heard::Suspended,
        Fact::TableResumed => Heard::Resumed,
        Fact::RuleBookScheduled { book } => Heard::BookScheduled(book.id().to_owned()),
        Fact::StationAdded { station } => Heard::StationAdded {
            place: place(station),
        },
        Fact::StationRemoved { station } => Heard::StationRemoved(number(*station)),
        Fact::ActingAssigned { person, position } => Heard::Acting(person.0, position.key()),
        Fact::ActingEnded { person, position } => Heard::ActingEnded(person.0, position.key()),
        Fact::DiceChanged { dice_set } => Heard::DiceChanged(dice_set.clone()),
        Fact::DamageReported { dice_set, .. } => Heard::Damaged(dice_set.clone()),
        Fact::DiceFoundSound { dice_set, .. } => Heard::Sound(dice_set.clone()),
        Fact::CountingSwitched { by_hand } => Heard::CountingSwitched { by_hand: *by_hand },
        Fact::CoverReported { open } => Heard::CoverReported {
            open: *open,
            says: match by {
                Actor::Device(Device::Tumbler) => Says::Tumbler,
                Actor::Device(Device::DiceReader) => Says::Reader,
                Actor::House => Says::House,
                _ => Says::Other,
            },
        },
        Fact::TumblerBound { line: false, .. } => Heard::LineLeft,
        Fact::ClockParted { .. } => Heard::ClockParted,
        Fact::ClockSet { was_ms, is_ms } => Heard::ClockSet {
            was_ms: *was_ms,
            is_ms: *is_ms,
        },
        Fact::PlayGranted { station, grant } => Heard::PlayGranted {
            station: number(*station),
            staked_to: grant.staked_to.map(|to| to.minor()),
            lost_to: grant.lost_to.map(|to| to.minor()),
            held_from: grant.hold.map(|hold| hold.from_ms),
        },
        Fact::Connected { station } => Heard::Connected {
            station: number(*station),
        },
        Fact::Disconnected { station } => Heard::Disconnected {
            station: number(*station),
        },
        Fact::Interrupted { .. } => Heard::Interrupted,
        Fact::DecisionRaised { pending } => raised(pending),
        Fact::DecisionTaken {
            pending, ruling, ..
        } => Heard::DecisionTaken {
            id: pending.0,
            ruling: match ruling {
                Ruling::Void => "void",
                Ruling::Conclude => "conclude",
                Ruling::Accept => "accept",
                Ruling::AtClose => "at-close",
                Ruling::AsTheyLie => "as-they-lie",
                Ruling::Affected => "affected",
                Ruling::NotAffected => "not-affected",
                Ruling::Release => "release",
            },
        },

        Fact::RoundBegan { round, rules, .. } => Heard::RoundBegan {
            round: round.0,
            revision: rules.0,
        },
        Fact::TumblerActivated => Heard::TumblerActivated,
        Fact::TumbleEnded { valid, .. } => Heard::TumbleEnded { valid: *valid },
        Fact::BetsCalled => Heard::BetsCalled,
        Fact::BetsPlaced {
            station,
            bet,
            means,
            lines,
            ..
        } => Heard::Betted {
            station: number(*station),
            bet: bet.0,
            betting: Betting::Place {
                chips: chips(*means),
                stakes: stakes(lines),
            },
            cleared: Vec::new(),
            chips: chips(*means),
        },
        Fact::BetsRemoved {
            station,
            bet,
            means,
            lines,
            all,
        } => Heard::Betted {
            station: number(*station),
            bet: bet.0,
            betting: if *all {
                Betting::Clear
            } else {
                Betting::Remove {
                    chips: chips(*means),
                    stakes: stakes(lines),
                }
            },
            cleared: stakes(lines),
            chips: chips(*means),
        },
        Fact::PositionsRecorded {
            station,
            means,
            lines,
            ..
        } => Heard::Recorded {
            station: number(*station),
            chips: chips(*means),
            stakes: stakes(lines),
        },
        Fact::PositionsClaimed {
            station,
            means,
            lines,
            ..
        } => Heard::ClaimedChips {
            station: number(*station),
            chips: chips(*means),
            stakes: stakes(lines),
        },
        Fact::PositionsAttested {
            station,
            means,
            lines,
            ..
        } => Heard::AttestedChips {
            station: number(*station),
            chips: chips(*means),
            stakes: stakes(lines),
        },
        Fact::PositionsReturned { station, .. } => Heard::ReturnedChips {
            station: number(*station),
        },
        Fact::PositionsObserved {
            station,
            means,
            lines,
        } => Heard::Observed {
            station: number(*station),
            chips: chips(*means),
            stakes: stakes(lines),
        },
        Fact::LateActRecorded {
            station,
            late,
            means,
            line,
            ..
        } => Heard::Late {
            station: number(*station),
            chips: chips(means.unwrap_or(Means::CashChips)),
            stake: stake(line),
            withdrawn: *late == LateKind::Withdrawal,
        },
        Fact::ClosingBegan { awaiting } => Heard::ClosingBegan {
            awaiting: *awaiting,
        },
        Fact::CloseAcknowledged { station } => Heard::Acknowledged {
            station: number(*station),
        },
        Fact::StationFenced { station } => Heard::Fenced {
            station: number(*station),
        },
        Fact::BetsClosed { staked } => Heard::BetsClosed {
            staked: staked.minor(),
        },
        Fact::DealPressed => Heard::DealPressed,
        Fact::Uncovered => Heard::Uncovered,
        Fact::FlatConfirmed => Heard::Flat,
        Fact::DiceKeyed { dice } => Heard::Keyed { dice: faces(*dice) },
        Fact::KeysCleared => Heard::KeysCleared,
        Fact::SecondRead { .. } => Heard::SecondRead,
        Fact::ReadingsAgreed { dice } => Heard::Agreed { dice: faces(*dice) },
        Fact::ResultConfirmed { dice } => Heard::Confirmed { dice: faces(*dice) },
        Fact::LightsReported { .. } => Heard::Lit,
        Fact::RoundSettled {
            dice,
            staked,
            returned,
            digest,
        } => Heard::Settled {
            dice: faces(*dice),
            staked: staked.minor(),
            returned: returned.minor(),
            digest: *digest,
        },
        Fact::RoundVoided {
            basis,
            staked,
            digest,
            ..
        } => Heard::Voided {
            cause: match basis {
                VoidBasis::Listed(cause) => Some(word(*cause)),
                VoidBasis::Ruling(_) => None,
            },
            staked: staked.minor(),
            digest: *digest,
        },
        Fact::ResultCorrected {
            round,
            dice,
            effects,
            ..
        } => Heard::Corrected {
            round: round.0,
            dice: faces(*dice),
            effects: effects.iter().map(claimed).collect(),
        },
        Fact::RoundVoidedLate {
            round,
            effects,
            cause,
            ..
        } => Heard::VoidedLate {
            round: round.0,
            cause: cause.map(word),
            effects: effects.iter().map(claimed).collect(),
        },

        Fact::CreditBought {
            station,
            source,
            amount,
            session,
        } => Heard::CreditBought {
            station: number(*station),
            source: match source {
                CreditSource::Cash => Source::Cash,
                CreditSource::Voucher(voucher) => Source::Voucher(voucher.0),
                CreditSource::Cage | CreditSource::Attendant => Source::Cage,
            },
            amount: amount.minor(),
            session: session.0,
        },
        Fact::CashedOut {
            station,
            amount,
            voucher,
        } => Heard::CashedOut {
            station: number(*station),
            voucher: voucher.0,
            amount: amount.minor(),
        },
        Fact::CashOutReversed {
            station,
            amount,
            voucher,
        } => Heard::CashOutReversed {
            station: number(*station),
            voucher: voucher.0,
            amount: amount.minor(),
        },
        Fact::VoucherForgotten { voucher } => Heard::VoucherForgotten(voucher.0),
        Fact::TransferredOut { station, amount } => Heard::TransferredOut {
            station: number(*station),
            amount: amount.minor(),
        },
        Fact::HandPaid { station, amount } => Heard::HandPaid {
            station: number(*station),
            amount: amount.minor(),
        },
        Fact::ChipsMoved { how, amount, .. } => Heard::ChipsMoved {
            how: match how {
                ChipMove::Bought => ChipsHow::Bought,
                ChipMove::Brought => ChipsHow::Brought,
                ChipMove::TakenAway => ChipsHow::TakenAway,
                ChipMove::Fill => ChipsHow::Fill,
                ChipMove::CreditSlip => ChipsHow::CreditSlip,
                ChipMove::Tip => ChipsHow::Tip,
            },
            amount: amount.minor(),
        },
        Fact::ColourAssigned {
            station, session, ..
        } => Heard::ColourAssigned {
            station: number(*station),
            session: session.0,
        },
        Fact::ColourMoved {
            station,
            how,
            amount,
        } => Heard::ColourMoved {
            station: number(*station),
            how: match how {
                ColourMove::BoughtWithCash => ColourHow::ForCash,
                ColourMove::ExchangedFromChips => ColourHow::FromChips,
                ColourMove::ExchangedForChips => ColourHow::ToChips,
            },
            amount: amount.minor(),
        },
        Fact::Adjusted {
            station, amount, ..
        } => Heard::Adjusted {
            station: number(*station),
            amount: amount.minor(),
        },
        Fact::CasePaid {
            station,
            case,
            decision,
            round,
            amount,
            unclaimed,
            ..
        } => Heard::CasePaid {
            station: number(*station),
            case: *case,
            decision: *decision,
            round: unclaimed.as_ref().map_or_else(
                || round.map_or(0, |round| round.0),
                |unclaimed| unclaimed.round.0,
            ),
            amount: amount.minor(),
            unclaimed: unclaimed.as_ref().map(|kept| (kept.id.0, kept.session.0)),
        },
        Fact::CaseOverpaid {
            case,
            decision,
            recoverable,
            ..
        } => Heard::CaseOverpaid {
            case: *case,
            decision: *decision,
            id: recoverable.id.0,
            round: recoverable.round.0,
            station: number(recoverable.station),
            session: recoverable.session.0,
            amount: recoverable.amount.minor(),
        },
        Fact::OverpaymentRecovered {
            recoverable,
            amount,
        } => Heard::Recovered {
            id: recoverable.0,
            amount: amount.minor(),
        },
        Fact::OverpaymentWaived {
            recoverable,
            amount,
            ..
        } => Heard::Waived {
            id: recoverable.0,
            amount: amount.minor(),
        },
        Fact::UnclaimedPaid { unclaimed, amount } => Heard::UnclaimedPaid {
            id: unclaimed.0,
            amount: amount.minor(),
        },
        // The auditor's rules ask nothing about these.
        Fact::LastRoundAnnounced
        | Fact::LastRoundTakenBack
        | Fact::LimitsScheduled { .. }
        | Fact::MoneyDutiesSet { .. }
        | Fact::MoneyCounted { .. }
        | Fact::TumblerBound { line: true, .. }
        | Fact::ColourReleased { .. }
        | Fact::TumbleCommitted { .. }
        | Fact::TumbleRevealed { .. }
        | Fact::IncidentRaised { .. }
        | Fact::DeviceFailed { .. }
        | Fact::NoticeRaised { .. }
        | Fact::NoticeAcknowledged { .. } => Heard::Other,
    }
}

fn raised(pending: &Pending) -> Heard {
    Heard::DecisionRaised {
        id: pending.id.0,
        question: pending.question.key(),
        by: match &pending.question {
            Question::DamagedRound { reporter } => Some(reporter.0),
            Question::ChipsUnrecorded { by, .. } | Question::CorrectionProposed { by, .. } => {
                Some(by.0)
            }
            _ => None,
        },
        bet_status: match pending.question {
            Question::BetStatus { station } => Some(number(station)),
            _ => None,
        },
    }
}

fn claimed(effect: &Effect) -> Claimed {
    let minor = |amount: Money| amount.minor();
    Claimed {
        station: number(effect.station),
        was: minor(effect.was),
        is: minor(effect.is),
        credited: minor(effect.credited),
        in_chips: minor(effect.paid_in_chips),
        netted: effect.netted.iter().map(|(_, part)| minor(*part)).sum(),
        waiver_netted: minor(effect.waiver_netted),
        waiver_restored: minor(effect.waiver_restored),
        unclaimed_netted: {
            let parts = effect.unclaimed_netted.iter();
            parts.map(|(_, part)| minor(*part)).sum()
        },
        unclaimed: effect.unclaimed.as_ref().map_or(0, |e| minor(e.amount)),
        recoverable: effect.recoverable.as_ref().map_or(0, |e| minor(e.amount)),
        recoverable_id: effect.recoverable.as_ref().map(|entry| entry.id.0),
        unclaimed_id: effect.unclaimed.as_ref().map(|entry| entry.id.0),
    }
}

/// Every balance of the house's, as the auditor writes them.
#[must_use]
pub fn balances(table: &Table) -> Balances {
    let books = &table.books;
    let minor = |amount: Money| amount.minor();
    Balances {
        credit: table.stations.iter().map(|s| minor(s.credit)).collect(),
        at_risk: table.stations.iter().map(|s| minor(s.at_risk)).collect(),
        house_bank: minor(books.house_bank),
        vouchers: minor(books.vouchers),
        drop: minor(books.drop),
        cage: minor(books.cage),
        chip_float: minor(books.chip_float),
        chips_outstanding: minor(books.chips_outstanding),
        tips: minor(books.tips),
        recoverable: minor(books.recoverable),
        unclaimed: minor(books.unclaimed),
        adjustments: minor(books.adjustments),
        house_win: minor(books.house_win()),
        recoverables: table
            .recoverables
            .values()
            .map(|e| (e.id.0, number(e.station), e.round.0, minor(e.amount)))
            .collect(),
        unclaimed_entries: table
            .unclaimed
            .values()
            .map(|e| (e.id.0, number(e.station), e.round.0, minor(e.amount)))
            .collect(),
    }
}
