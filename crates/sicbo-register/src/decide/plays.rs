//! Responsible play: who may change what.

use sicbo_table::refuse_if;
use std::collections::BTreeSet;

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;

use super::{Decision, Register, by_house, check_reason, enrolment, require};
use crate::command::{Command, Party};
use crate::enrolment::Role;
use crate::event::Fact;
use crate::play::held::Held;
use crate::play::limits::{Measure, Window, Wish};
use crate::play::member::MAX_MEMBERS;
use crate::play::{
    Card, Counted, LONGEST_BREAK_MIN, LONGEST_CHECK_MIN, MAX_COUNTED, MAX_PLAYS, Play, PlayStep,
    Sitting,
};
use crate::refusal::{Reason, Refusal};
use crate::voucher::Place;

/// Largest limit in minor units: far from what a number holds.
const LARGEST_LIMIT: i64 = 1 << 50;
/// How far a clock may be from UTC, in minutes.
const OFFSETS: std::ops::RangeInclusive<i64> = -840..=840;

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
    if register.plays.len() >= MAX_PLAYS && !register.plays.contains_key(place) {
        return Err(Reason::TooManyCases.into());
    }
    let play = register.play_of(place, &sitting);
    let play = play.as_ref();
    match step {
        PlayStep::Present { card } => {
            let there = play
                .card
                .and_then(|known| register.members.get(&known.member));
            if play.card == Some(*card) && there.is_some_and(|m| m.at.as_ref() == Some(place)) {
                return Err(Reason::AlreadyDone.into());
            }
            present(register, command.at_ms, play, card)?;
        }
        // Shown again it counts anew.
        PlayStep::Prove { card, .. } => present(register, command.at_ms, play, card)?,
        PlayStep::Set { .. }
        | PlayStep::Confirm { .. }
        | PlayStep::Check { .. }
        | PlayStep::Break { .. }
            if !play.is_proved(command.at_ms) =>
        {
            return Err(Reason::ProofNeeded.into());
        }
        PlayStep::Set { .. } | PlayStep::Confirm { .. } => {
            limit(register, command.at_ms, play, step)?;
        }
        _ => {
            let held = register.held(place, play);
            check(command.at_ms, &held, &sitting, step)?;
        }
    }
    Ok(vec![Fact::PlayChanged {
        place: place.clone(),
        sitting,
        step: step.clone(),
    }])
}

/// Readings that say something new, in the order given.
pub(super) fn count(
    register: &Register,
    command: &Command,
    offset_min: i64,
    lines: &[Counted],
) -> Decision {
    by_house(command)?;
    if lines.len() > MAX_COUNTED || !OFFSETS.contains(&offset_min) {
        return Err(Reason::LimitInvalid.into());
    }
    let news = |line: &&Counted| {
        let play = register.plays.get(&line.place);
        play.filter(|play| play.session == line.session)
            .is_some_and(|play| play.counted != line.meters || play.clock != line.clock)
    };
    let mut places = BTreeSet::new();
    let once = |line: &&Counted| places.insert(line.place.clone());
    let lines: Vec<Counted> = lines.iter().filter(news).filter(once).cloned().collect();
    refuse_if!(lines.is_empty(), Reason::AlreadyDone);
    Ok(vec![Fact::PlaysCounted { offset_min, lines }])
}

fn present(register: &Register, at_ms: i64, play: &Play, card: &Card) -> Result<(), Refusal> {
    let member = register.members.get(&card.member);
    refuse_if!(
        play.card.is_some_and(|known| known != *card),
        Reason::OtherCard
    );
    let full = match member {
        Some(member) => !member.has_room_for(card.currency),
        None => {
            let mut members = register.members.values();
            register.members.len() >= MAX_MEMBERS
                && !members.any(|member| member.may_be_let_go(at_ms))
        }
    };
    refuse_if!(full, Reason::TooManyMembers);
    Ok(())
}

fn limit(register: &Register, at_ms: i64, play: &Play, step: &PlayStep) -> Result<(), Refusal> {
    let (PlayStep::Set { key, .. } | PlayStep::Confirm { key }) = step else {
        return Ok(());
    };
    let member = play
        .card
        .and_then(|card| register.members.get(&card.member));
    if key.window != Window::Session && member.is_none() {
        return Err(Reason::CardNeeded.into());
    }
    let own = play.limits.get(*key);
    let with_card = match (member, play.card) {
        (Some(member), Some(card)) => Some(member.limit(*key, card.currency)),
        _ => None,
    };
    // Where both have one, both are changed.
    let both = match with_card {
        Some(limit) if !play.limits.0.contains_key(key) => [None, Some(limit)],
        limit => [Some(own), limit],
    };
    let mut limits = both.into_iter().flatten();
    if let PlayStep::Set { most, .. } = step {
        let longest = match key.measure {
            Measure::Time => key.window.longest_min(),
            Measure::Spend | Measure::Loss => LARGEST_LIMIT,
        };
        let least = i64::from(key.measure == Measure::Time);
        if most.is_some_and(|most| !(least..=longest).contains(&most)) {
            return Err(Reason::LimitInvalid.into());
        }
        return match limits.all(|limit| limit.wish(*most) == Wish::Nothing) {
            true => Err(Reason::AlreadyDone.into()),
            false => Ok(()),
        };
    }
    let from_ms = limits
        .filter_map(|limit| limit.later)
        .map(|later| later.from_ms);
    match from_ms.max() {
        None => Err(Reason::AlreadyDone.into()),
        Some(until_ms) if at_ms < until_ms => Err(Reason::CoolingOff { until_ms }.into()),
        Some(_) => Ok(()),
    }
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

fn check(at_ms: i64, held: &Held<'_>, sitting: &Sitting, step: &PlayStep) -> Result<(), Refusal> {
    let play = held.play;
    // Records of version 1 say less and are held to less.
    let full = sitting.seen.is_some();
    let invalid = || Err(Reason::LimitInvalid.into());
    let due_by = |played_ms: i64| {
        let due = play.next_check_ms();
        due.is_some_and(|due_ms| played_ms >= due_ms)
    };
    match step {
        PlayStep::Limit { limits } => {
            let amounts = [limits.loss, limits.spend];
            if amounts.into_iter().flatten().any(|most| most < Money::ZERO) {
                return invalid();
            }
            let longest = Window::Session.longest_min();
            if limits
                .minutes
                .is_some_and(|most| !(1..=longest).contains(&i64::from(most)))
            {
                return invalid();
            }
            Ok(())
        }
        // Which of them are offered is the house's choice.
        PlayStep::Check { minutes } => {
            let played_ms = match full {
                true => play.played_ms(sitting, at_ms),
                false => play.counted_ms,
            };
            match minutes {
                // One that is due is seen first.
                _ if due_by(played_ms) => Err(Reason::CheckDue.into()),
                // As often as the house wants at least.
                _ if sitting
                    .seen
                    .is_some_and(|seen| minutes.is_none_or(|asked| asked > seen.check_min)) =>
                {
                    invalid()
                }
                None | Some(1..=LONGEST_CHECK_MIN) => Ok(()),
                Some(_) => invalid(),
            }
        }
        // One that is not due cannot be put off.
        PlayStep::Acknowledge if full => match due_by(play.played_ms(sitting, at_ms)) {
            true => Ok(()),
            false => Err(Reason::AlreadyDone.into()),
        },
        PlayStep::Acknowledge => match play.check_min {
            Some(_) => Ok(()),
            None => Err(Reason::AlreadyDone.into()),
        },
        PlayStep::Break { minutes } => {
            if !(1..=LONGEST_BREAK_MIN).contains(minutes) {
                return invalid();
            }
            let until_ms = at_ms.saturating_add(i64::from(*minutes) * 60_000);
            let now_until_ms = match full {
                true => held.break_until_ms(),
                false => play.break_until_ms,
            };
            // A break is made longer, never shorter.
            match now_until_ms > until_ms {
                true => invalid(),
                false => Ok(()),
            }
        }
        PlayStep::Stop { .. } => match play.stopped {
            Some(_) => Err(Reason::AlreadyDone.into()),
            None => Ok(()),
        },
        PlayStep::Resume { .. } => match held.stopped() {
            Some(_) => Ok(()),
            None => Err(Reason::AlreadyDone.into()),
        },
        // Looked at apart.
        PlayStep::Set { .. }
        | PlayStep::Confirm { .. }
        | PlayStep::Present { .. }
        | PlayStep::Prove { .. } => Ok(()),
    }
}
