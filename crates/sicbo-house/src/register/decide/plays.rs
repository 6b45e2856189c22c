//! Responsible play: who may change what.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;

use super::{Decision, Register, check_reason, enrolment, require};
use crate::register::command::{Command, Party};
use crate::register::enrolment::Role;
use crate::register::event::Fact;
use crate::register::play::{
    LONGEST_BREAK_MIN, LONGEST_TIME_MIN, MOST_PLAYS, Play, PlayStep, Sitting,
};
use crate::register::refusal::{Reason, Refusal};
use crate::register::voucher::Place;

pub(super) fn step(
    register: &Register,
    command: &Command,
    place: &Place,
    sitting: Sitting,
    step: &PlayStep,
) -> Decision {
    match step {
        PlayStep::Stop { reason } => {
            // The house stops who is on the exclusion list; staff anyone.
            if command.by != Party::House {
                let stops = |position: Position| {
                    position.is_at_least(Position::PitSupervisor)
                        || position == Position::HeadOfOperations
                };
                require(register, command, stops)?;
            }
            check_reason(reason)?;
        }
        PlayStep::Resume { reason } => {
            require(register, command, |position| {
                position.is_at_least(Position::ShiftManager)
            })?;
            check_reason(reason)?;
        }
        _ => own(register, command, place)?,
    }
    let known = register.plays.get(place);
    let known = known.filter(|play| play.session == sitting.session);
    if known.is_none() && register.plays.len() >= MOST_PLAYS && !register.plays.contains_key(place)
    {
        return Err(Reason::TooManyCases.into());
    }
    check(command.at_ms, known, step)?;
    Ok(vec![Fact::PlayChanged {
        place: place.clone(),
        sitting,
        step: step.clone(),
    }])
}

/// The player's own station.
fn own(register: &Register, command: &Command, at: &Place) -> Result<(), Refusal> {
    let Party::Place(id) = command.by else {
        return Err(Reason::NotAuthorised.into());
    };
    match &enrolment::live(register, id)?.role {
        Role::Station { table, station } if *table == at.table && *station == at.station => Ok(()),
        _ => Err(Reason::NotYourStation.into()),
    }
}

fn check(at_ms: i64, known: Option<&Play>, step: &PlayStep) -> Result<(), Refusal> {
    let invalid = || Err(Reason::LimitInvalid.into());
    match step {
        PlayStep::Limit { limits } => {
            let amounts = [limits.loss, limits.spend];
            if amounts.into_iter().flatten().any(|most| most < Money::ZERO) {
                return invalid();
            }
            if limits
                .minutes
                .is_some_and(|most| !(1..=LONGEST_TIME_MIN).contains(&most))
            {
                return invalid();
            }
            Ok(())
        }
        PlayStep::Check { minutes } => match minutes {
            None | Some(30 | 60) => Ok(()),
            Some(_) => invalid(),
        },
        PlayStep::Acknowledge => match known {
            Some(play) if play.check_min.is_some() => Ok(()),
            _ => Err(Reason::AlreadyDone.into()),
        },
        PlayStep::Break { minutes } => {
            if !(1..=LONGEST_BREAK_MIN).contains(minutes) {
                return invalid();
            }
            let until_ms = at_ms.saturating_add(i64::from(*minutes) * 60_000);
            // A break is made longer, never shorter.
            match known {
                Some(play) if play.break_until_ms > until_ms => invalid(),
                _ => Ok(()),
            }
        }
        PlayStep::Stop { .. } => match known {
            Some(play) if play.stopped.is_some() => Err(Reason::AlreadyDone.into()),
            _ => Ok(()),
        },
        PlayStep::Resume { .. } => match known {
            Some(play) if play.stopped.is_some() => Ok(()),
            _ => Err(Reason::AlreadyDone.into()),
        },
    }
}
