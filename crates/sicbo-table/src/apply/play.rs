//! The steps of a round, from the tumble to the result.

use sicbo_rules::rulebook::words::{Cause, Closing};

use super::OF_LATE;
use crate::event::Fact;
use crate::ids::PersonId;
use crate::must::must;
use crate::round::{CoverState, Phase, Reading, Tumble};
use crate::station::{Link, StationKind};
use crate::table::Table;

/// Applies a step of the current round.
pub(super) fn play(table: &mut Table, fact: &Fact, at_ms: i64, person: Option<PersonId>) {
    let formal_start = table.book().map(|book| book.play.formal_start.is);
    let early_is_void = table
        .book()
        .is_some_and(|book| book.void_cause(Cause::TumblerActivatedEarly).is_some());
    let by_display = table
        .book()
        .is_some_and(|book| book.play.closes.is == Closing::TerminalDisplay);
    let round = must(table.round.as_deref_mut(), "a step without a round");
    match fact {
        Fact::TumblerActivated => {
            round.tumble = Tumble::Activated;
            round.activated_ms = Some(at_ms);
            table.last_tumbled = round.number;
            if early_is_void && round.phase != Phase::Closed {
                round.must_void = Some(Cause::TumblerActivatedEarly);
            }
        }
        Fact::TumbleEnded { count, valid: true } => round.tumble = Tumble::Valid { count: *count },
        Fact::TumbleEnded {
            count,
            valid: false,
        } => {
            round.tumble = Tumble::Invalid { count: *count };
            // What was seen first stays the cause.
            round.must_void = round.must_void.or(Some(Cause::TooFewTumbles));
            let failed = &mut table.failed_tumbles;
            failed.retain(|earlier| round.number.0.saturating_sub(earlier.0) < OF_LATE);
            failed.push(round.number);
        }
        Fact::BetsCalled => {
            round.phase = Phase::Betting;
            round.opened_ms = Some(at_ms);
        }
        Fact::ClosingBegan { awaiting } => {
            round.phase = Phase::Closing;
            round.closing_ms = Some(at_ms);
            round.awaiting = *awaiting;
            for (station, part) in table.stations.iter().zip(&mut round.stations) {
                if by_display && station.kind == StationKind::Terminal && !station.removed {
                    part.awaited = station.link == Link::Online;
                    // It cannot be told, so it cannot answer: cut off until the next round.
                    part.fenced = station.link == Link::Offline;
                }
            }
        }
        Fact::CloseAcknowledged { station } => {
            round.stations[station.0 as usize].acknowledged = true;
            round.awaiting -= 1;
        }
        Fact::StationFenced { station } => {
            round.stations[station.0 as usize].fenced = true;
            round.awaiting -= 1;
        }
        Fact::BetsClosed { .. } => round.phase = Phase::Closed,
        Fact::DealPressed => round.deal_pressed = true,
        Fact::Uncovered => round.cover = CoverState::Uncovered,
        Fact::FlatConfirmed => round.flat = true,
        Fact::DiceKeyed { dice } => {
            round.keyed = Some(Reading {
                dice: *dice,
                by: person,
            })
        }
        Fact::KeysCleared => round.keyed = None,
        Fact::SecondRead { dice } => {
            round.second = Some(Reading {
                dice: *dice,
                by: person,
            })
        }
        Fact::ReadingsAgreed { dice } => {
            round.keyed = Some(Reading {
                dice: *dice,
                by: person,
            });
            round.second = None;
        }
        Fact::ResultConfirmed { dice } => {
            round.confirmed = Some(*dice);
            round.lights = None;
        }
        Fact::LightsReported { lit } => round.lights = Some(*lit),
        _ => {}
    }
    if formal_start.is_some_and(|start| round.has_started(start)) {
        table.last_started = round.number;
    }
    if *fact == Fact::TumblerActivated {
        expose(table);
    }
}

/// Dice of this round lie under a cover that the line reports open: they can be
/// seen, and before the close that leaves nothing but the void of the books
/// that know it.
pub(super) fn expose(table: &mut Table) {
    let listed = table
        .book()
        .is_some_and(|book| book.void_cause(Cause::DiceExposedEarly).is_some());
    let Some(round) = table
        .round
        .as_deref_mut()
        .filter(|_| !table.open_covers.is_empty())
    else {
        return;
    };
    if round.tumble == Tumble::None || round.cover == CoverState::Open {
        return;
    }
    round.exposed = true;
    if listed && round.phase != Phase::Closed {
        round.must_void = round.must_void.or(Some(Cause::DiceExposedEarly));
    }
}
