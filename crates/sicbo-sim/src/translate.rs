//! Commands as the house's clients gave them, in the words of the auditor.

use sicbo_auditor::heard::{Betting, Chips, Minor};
use sicbo_auditor::{chips, person, stakes, who};
use sicbo_rules::Money;
use sicbo_table::ids::StationId;
use sicbo_table::{Act, Command};

use crate::promises::{Asked, BetName};

/// A command as it was handed in.
pub(crate) fn asked(command: &Command) -> Asked {
    let name = |station: &StationId, round: u64, bet: u64| BetName {
        station: station.0 as usize,
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
        second: command.second.map(person),
        betting,
    }
}

/// An amount in minor units.
pub(crate) fn minor(amount: Minor) -> Money {
    Money::from_minor(amount)
}
