//! Tells the auditor what happened, in plain words and numbers.
//!
//! The only place where the engine's types meet the auditor's. A fact that is
//! left out here and moves money makes the balances differ at once.

use std::collections::HashMap;
use std::mem::Discriminant;

use sicbo_rules::rulebook::words::Word as _;
use sicbo_rules::{Dice, Money};
use sicbo_table::Table;
use sicbo_table::actor::Actor;
use sicbo_table::command::{ChipMove, ColourMove, CreditSource, LateKind, NewStation, Ruling};
use sicbo_table::event::{Effect, Event, Fact, VoidBasis};
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;

use crate::auditor::said::{
    Balances, Bet, Chips, ChipsHow, Claimed, ColourHow, Said, Setup, Source,
};

fn setup(station: &NewStation) -> Setup {
    Setup {
        seat: station.kind == StationKind::Seat,
        layout: station.layout.clone(),
    }
}

fn bet(line: &Line) -> Bet {
    Bet {
        section: line.section.to_string(),
        stake: line.stake.minor(),
    }
}

fn bets(lines: &[Line]) -> Vec<Bet> {
    lines.iter().map(bet).collect()
}

fn chips(means: Means) -> Chips {
    match means {
        Means::Credit => Chips::Credit,
        Means::CashChips => Chips::Cash,
        Means::ColourChips => Chips::Colour,
    }
}

fn faces(dice: Dice) -> [u8; 3] {
    dice.faces()
}

fn claimed(effect: &Effect) -> Claimed {
    Claimed {
        station: effect.station.0 as usize,
        was: effect.was.minor(),
        is: effect.is.minor(),
        credited: effect.credited.minor(),
        in_chips: effect.paid_in_chips.minor(),
        netted: effect.netted.iter().map(|(_, part)| part.minor()).sum(),
        waiver_netted: effect.waiver_netted.minor(),
        waiver_restored: effect.waiver_restored.minor(),
        unclaimed_netted: effect
            .unclaimed_netted
            .iter()
            .map(|(_, part)| part.minor())
            .sum(),
        unclaimed: effect
            .unclaimed
            .as_ref()
            .map_or(0, |entry| entry.amount.minor()),
        recoverable: effect
            .recoverable
            .as_ref()
            .map_or(0, |entry| entry.amount.minor()),
        recoverable_id: effect.recoverable.as_ref().map(|entry| entry.id.0),
        unclaimed_id: effect.unclaimed.as_ref().map(|entry| entry.id.0),
    }
}

/// Who acted; none of the people has the number of the house.
fn person(event: &Event) -> u32 {
    match event.by {
        Actor::Staff(staff) => staff.person.0,
        _ => u32::MAX,
    }
}

/// A fact in plain words.
pub(crate) fn said(event: &Event) -> Said {
    let fact = &event.fact;
    let at = |station: &sicbo_table::ids::StationId| station.0 as usize;
    match fact {
        Fact::TableOpened {
            config, stations, ..
        } => Said::Opened {
            book: config.book.id().to_owned(),
            stations: stations.iter().map(setup).collect(),
        },
        Fact::StationAdded { station } => Said::StationAdded(setup(station)),
        Fact::StationRemoved { station } => Said::StationRemoved(at(station)),
        Fact::RuleBookScheduled { book } => Said::BookScheduled(book.id().to_owned()),
        Fact::RoundBegan { round, .. } => Said::RoundBegan(round.0),
        Fact::CreditBought {
            station,
            source,
            amount,
            session,
        } => Said::CreditBought {
            station: at(station),
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
        } => Said::CashedOut {
            station: at(station),
            voucher: voucher.0,
            amount: amount.minor(),
        },
        Fact::CashOutReversed {
            station,
            amount,
            voucher,
        } => Said::CashOutReversed {
            station: at(station),
            voucher: voucher.0,
            amount: amount.minor(),
        },
        Fact::VoucherForgotten { voucher } => Said::VoucherForgotten(voucher.0),
        Fact::TransferredOut { station, amount } | Fact::HandPaid { station, amount } => {
            Said::PaidToCage {
                station: at(station),
                amount: amount.minor(),
            }
        }
        Fact::ChipsMoved { how, amount, .. } => Said::ChipsMoved {
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
        } => Said::ColourAssigned {
            station: at(station),
            session: session.0,
        },
        Fact::ColourMoved {
            station,
            how,
            amount,
        } => Said::ColourMoved {
            station: at(station),
            how: match how {
                ColourMove::BoughtWithCash => ColourHow::ForCash,
                ColourMove::ExchangedFromChips => ColourHow::FromChips,
                ColourMove::ExchangedForChips => ColourHow::ToChips,
            },
            amount: amount.minor(),
        },
        Fact::Adjusted {
            station, amount, ..
        } => Said::Adjusted {
            station: at(station),
            amount: amount.minor(),
        },
        Fact::BetsPlaced {
            station,
            means,
            lines,
            ..
        }
        | Fact::PositionsRecorded {
            station,
            means,
            lines,
            ..
        } => Said::Placed {
            station: at(station),
            chips: chips(*means),
            bets: bets(lines),
        },
        Fact::BetsRemoved {
            station,
            means,
            lines,
            ..
        } => Said::Removed {
            station: at(station),
            chips: chips(*means),
            bets: bets(lines),
        },
        Fact::PositionsClaimed {
            station,
            means,
            lines,
            ..
        } => Said::Claimed {
            station: at(station),
            chips: chips(*means),
            bets: bets(lines),
            by: person(event),
        },
        Fact::PositionsAttested {
            station,
            means,
            lines,
            ..
        } => Said::Attested {
            station: at(station),
            chips: chips(*means),
            bets: bets(lines),
            by: person(event),
        },
        Fact::PositionsReturned { station, .. } => Said::Returned {
            station: at(station),
        },
        Fact::LateActRecorded {
            station,
            late,
            means,
            line,
            ..
        } => Said::Late {
            station: at(station),
            chips: chips(means.unwrap_or(Means::CashChips)),
            bet: bet(line),
            withdrawn: *late == LateKind::Withdrawal,
        },
        Fact::DecisionTaken {
            ruling: Ruling::AsTheyLie,
            ..
        } => Said::RuledAsTheyLie,
        Fact::Uncovered => Said::DiceSeen,
        Fact::CasePaid { amount, .. } => Said::CasePaid {
            amount: amount.minor(),
        },
        Fact::CaseOverpaid { recoverable, .. } => Said::CaseOverpaid {
            id: recoverable.id.0,
            round: recoverable.round.0,
            station: at(&recoverable.station),
            session: recoverable.session.0,
            amount: recoverable.amount.minor(),
        },
        Fact::RoundSettled {
            dice,
            staked,
            returned,
            digest,
        } => Said::Settled {
            dice: faces(*dice),
            staked: staked.minor(),
            returned: returned.minor(),
            digest: *digest,
        },
        Fact::RoundVoided { staked, digest, .. } => Said::Voided {
            staked: staked.minor(),
            digest: *digest,
        },
        Fact::ResultCorrected {
            round,
            dice,
            effects,
            ..
        } => Said::Corrected {
            round: round.0,
            dice: faces(*dice),
            effects: effects.iter().map(claimed).collect(),
        },
        Fact::RoundVoidedLate { round, effects, .. } => Said::VoidedLate {
            round: round.0,
            effects: effects.iter().map(claimed).collect(),
        },
        Fact::OverpaymentRecovered {
            recoverable,
            amount,
        } => Said::Recovered {
            id: recoverable.0,
            amount: amount.minor(),
        },
        Fact::OverpaymentWaived {
            recoverable,
            amount,
            ..
        } => Said::Waived {
            id: recoverable.0,
            amount: amount.minor(),
        },
        Fact::UnclaimedPaid { unclaimed, amount } => Said::UnclaimedPaid {
            id: unclaimed.0,
            amount: amount.minor(),
        },
        _ => Said::Nothing,
    }
}

/// Every balance of the engine's, as the auditor writes them.
pub(crate) fn balances(table: &Table) -> Balances {
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
            .map(|e| (e.id.0, e.station.0 as usize, e.round.0, minor(e.amount)))
            .collect(),
        unclaimed_entries: table
            .unclaimed
            .values()
            .map(|e| (e.id.0, e.station.0 as usize, e.round.0, minor(e.amount)))
            .collect(),
    }
}

/// A short name of what happened, with its case where the case matters: for
/// counting what was reached. `names` remembers the plain names.
pub(crate) fn kind(fact: &Fact, names: &mut HashMap<Discriminant<Fact>, String>) -> String {
    let name = names
        .entry(std::mem::discriminant(fact))
        .or_insert_with(|| {
            let text = format!("{fact:?}");
            let end = text.find([' ', '{', '(']).unwrap_or(text.len());
            text[..end].to_owned()
        })
        .clone();
    match fact {
        Fact::RoundVoided {
            basis: VoidBasis::Listed(cause),
            ..
        } => format!("{name} {}", cause.key()),
        Fact::RoundVoided {
            basis: VoidBasis::Ruling(_),
            ..
        } => format!("{name} ruling"),
        Fact::DecisionRaised { pending } => format!("{name} {}", pending.question.key()),
        Fact::DecisionTaken { ruling, .. } => format!("{name} {ruling:?}"),
        _ => name,
    }
}

type Holds = fn(&Effect) -> bool;

/// What an amendment did to stations, by case.
pub(crate) fn cases(fact: &Fact) -> Vec<&'static str> {
    let (Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. }) = fact
    else {
        return Vec::new();
    };
    let cases: [(&str, Holds); 8] = [
        ("effect credited", |e| e.credited.is_positive()),
        ("effect paid in chips", |e| e.paid_in_chips.is_positive()),
        ("effect netted", |e| !e.netted.is_empty()),
        ("effect waiver netted", |e| e.waiver_netted.is_positive()),
        ("effect waiver restored", |e| {
            e.waiver_restored.is_positive()
        }),
        ("effect unclaimed netted", |e| {
            !e.unclaimed_netted.is_empty()
        }),
        ("effect unclaimed", |e| e.unclaimed.is_some()),
        ("effect recoverable", |e| e.recoverable.is_some()),
    ];
    cases
        .into_iter()
        .filter(|(_, holds)| effects.iter().any(holds))
        .map(|(case, _)| case)
        .collect()
}
