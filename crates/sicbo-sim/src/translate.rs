//! Turns the engine's commands, events and state into the plain words the
//! auditor hears. Knows both sides and decides nothing.

use sicbo_rules::{Dice, Money};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::books::Account;
use sicbo_table::command::{ChipMove, ColourMove, CreditSource, LateKind, NewStation, Ruling};
use sicbo_table::event::Effect;
use sicbo_table::ids::StationId;
use sicbo_table::pending::Question;
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Event, Fact, Table};

use crate::auditor::books::Balances;
use crate::auditor::heard::{
    Asked, BetName, Betting, Chips, ChipsHow, Claimed, ColourHow, Heard, Minor, Place, Record,
    Source, Stake, Who,
};

fn who(by: Actor) -> Who {
    match by {
        Actor::Staff(staff) => Who::Person(staff.person.0),
        Actor::Station(id) => Who::Station(number(id)),
        Actor::Device(_) => Who::Device,
        Actor::House => Who::House,
    }
}

fn number(id: StationId) -> usize {
    id.0 as usize
}

fn second(staff: Option<Staff>) -> Option<u32> {
    staff.map(|staff| staff.person.0)
}

fn chips(means: Means) -> Chips {
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

fn stakes(lines: &[Line]) -> Vec<Stake> {
    lines.iter().map(stake).collect()
}

/// A command as the auditor hears it.
pub(crate) fn asked(command: &Command) -> Asked {
    let name = |station: &StationId, round: u64, bet: u64| BetName {
        station: number(*station),
        round,
        bet,
    };
    let betting = match &command.act {
        Act::PlaceBets {
            station,
            round,
            bet,
            means,
            lines,
        } => Some((
            name(station, round.0, bet.0),
            Betting::Place {
                chips: chips(*means),
                stakes: stakes(lines),
            },
        )),
        Act::CallBet {
            station,
            round,
            bet,
            lines,
            ..
        } => Some((
            name(station, round.0, bet.0),
            Betting::Place {
                chips: Chips::Cash,
                stakes: stakes(lines),
            },
        )),
        Act::RemoveBets {
            station,
            round,
            bet,
            means,
            lines,
        } => Some((
            name(station, round.0, bet.0),
            Betting::Remove {
                chips: chips(*means),
                stakes: stakes(lines),
            },
        )),
        Act::ClearBets {
            station,
            round,
            bet,
        } => Some((name(station, round.0, bet.0), Betting::Clear)),
        _ => None,
    };
    Asked {
        at_ms: command.at_ms,
        who: who(command.by),
        second: second(command.second),
        betting,
    }
}

/// An event as the auditor hears it.
pub(crate) fn record(event: &Event) -> Record {
    Record {
        at_ms: event.at_ms,
        who: who(event.by),
        second: second(event.second),
        command: event.command,
        heard: play(&event.fact)
            .or_else(|| money(&event.fact))
            .unwrap_or(Heard::Other),
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

fn play(fact: &Fact) -> Option<Heard> {
    Some(match fact {
        Fact::TableOpened {
            config, stations, ..
        } => Heard::Opened {
            book: config.book.id().to_owned(),
            stations: stations.iter().map(place).collect(),
        },
        Fact::StationAdded { station } => Heard::StationAdded {
            place: place(station),
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
        Fact::Uncovered => Heard::Uncovered,
        Fact::FlatConfirmed => Heard::Flat,
        Fact::DiceKeyed { dice } => Heard::Keyed { dice: faces(*dice) },
        Fact::KeysCleared => Heard::KeysCleared,
        Fact::ReadingsAgreed { dice } => Heard::Agreed { dice: faces(*dice) },
        Fact::ResultConfirmed { dice } => Heard::Confirmed { dice: faces(*dice) },
        Fact::RoundSettled {
            dice,
            staked,
            returned,
            ..
        } => Heard::Settled {
            dice: faces(*dice),
            staked: staked.minor(),
            returned: returned.minor(),
        },
        Fact::RoundVoided { staked, .. } => Heard::Voided {
            staked: staked.minor(),
        },
        Fact::Connected { station } => Heard::Connected {
            station: number(*station),
        },
        Fact::Disconnected { station } => Heard::Disconnected {
            station: number(*station),
        },
        Fact::Interrupted { .. } => Heard::Interrupted,
        Fact::DecisionRaised { pending } => Heard::DecisionRaised {
            id: pending.id.0,
            bet_status: match pending.question {
                Question::BetStatus { station } => Some(number(station)),
                _ => None,
            },
        },
        Fact::DecisionTaken {
            pending, ruling, ..
        } => Heard::DecisionTaken {
            id: pending.0,
            as_they_lie: *ruling == Ruling::AsTheyLie,
        },
        _ => return None,
    })
}

fn money(fact: &Fact) -> Option<Heard> {
    Some(match fact {
        Fact::CreditBought {
            station,
            source,
            amount,
            ..
        } => Heard::CreditBought {
            station: number(*station),
            source: match source {
                CreditSource::Cash => Source::Cash,
                CreditSource::Voucher(voucher) => Source::Voucher(voucher.0),
                CreditSource::Cage | CreditSource::Attendant => Source::Cage,
            },
            amount: amount.minor(),
        },
        Fact::CashedOut {
            station, amount, ..
        } => Heard::CashedOut {
            station: number(*station),
            amount: amount.minor(),
        },
        Fact::CashOutReversed {
            station, amount, ..
        } => Heard::CashOutReversed {
            station: number(*station),
            amount: amount.minor(),
        },
        Fact::TransferredOut { station, amount } | Fact::HandPaid { station, amount } => {
            Heard::PaidToCage {
                station: number(*station),
                amount: amount.minor(),
            }
        }
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
        Fact::CasePaid { amount, .. } => Heard::CasePaid {
            amount: amount.minor(),
        },
        Fact::CaseOverpaid { recoverable, .. } => Heard::CaseOverpaid {
            id: recoverable.id.0,
            station: number(recoverable.station),
            amount: recoverable.amount.minor(),
        },
        Fact::Adjusted {
            station, amount, ..
        } => Heard::Adjusted {
            station: number(*station),
            amount: amount.minor(),
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
        Fact::RoundVoidedLate { round, effects, .. } => Heard::VoidedLate {
            round: round.0,
            effects: effects.iter().map(claimed).collect(),
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
        _ => return None,
    })
}

fn claimed(effect: &Effect) -> Claimed {
    Claimed {
        station: number(effect.station),
        was: effect.was.minor(),
        is: effect.is.minor(),
        credited: effect.credited.minor(),
        in_chips: effect.paid_in_chips.minor(),
        netted: effect
            .netted
            .iter()
            .map(|(id, m)| (id.0, m.minor()))
            .collect(),
        waiver_netted: effect.waiver_netted.minor(),
        waiver_restored: effect.waiver_restored.minor(),
        unclaimed_netted: effect
            .unclaimed_netted
            .iter()
            .map(|(id, m)| (id.0, m.minor()))
            .collect(),
        unclaimed: effect
            .unclaimed
            .as_ref()
            .map(|entry| (entry.id.0, entry.amount.minor())),
        recoverable: effect
            .recoverable
            .as_ref()
            .map(|entry| (entry.id.0, entry.amount.minor())),
    }
}

/// Every balance the house shows.
pub(crate) fn balances(table: &Table) -> Balances {
    let minor = |account: Account| -> Minor { table.balance(account).minor() };
    let all = |of: fn(StationId) -> Account| -> Vec<Minor> {
        (0..table.stations.len() as u32)
            .map(|i| minor(of(StationId(i))))
            .collect()
    };
    Balances {
        credit: all(Account::Credit),
        at_risk: all(Account::AtRisk),
        bank: minor(Account::HouseBank),
        vouchers: minor(Account::Vouchers),
        drop: minor(Account::Drop),
        cage: minor(Account::Cage),
        chip_float: minor(Account::ChipFloat),
        chips: minor(Account::ChipsOutstanding),
        tips: minor(Account::Tips),
        recoverable: minor(Account::Recoverable),
        unclaimed: minor(Account::Unclaimed),
        adjustments: minor(Account::Adjustments),
    }
}

/// An amount in minor units.
pub(crate) fn minor(amount: Minor) -> Money {
    Money::from_minor(amount)
}
