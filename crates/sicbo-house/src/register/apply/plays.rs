//! Responsible play, as it was decided.

use crate::register::Register;
use crate::register::play::limits::{LimitKey, Limits, Measure, Window};
use crate::register::play::member::{MOST_MEMBERS, Member};
use crate::register::play::{Card, Counted, Play, PlayStep, Sitting, Tally};
use crate::register::voucher::Place;

pub(super) fn step(
    register: &mut Register,
    at_ms: i64,
    place: &Place,
    sitting: Sitting,
    step: &PlayStep,
) {
    let new = || Play::new(&sitting);
    let mut play = register.plays.remove(place).unwrap_or_else(new);
    // Whoever sat there before has gone, and what held for them with them.
    if play.session != sitting.session {
        play = new();
    }
    if let PlayStep::Present { card } = step {
        present(register, at_ms, place, &mut play, *card);
    }
    let card = play.card;
    let mut member = card.and_then(|card| register.members.get_mut(&card.member));
    match step {
        PlayStep::Limit { limits } => {
            for (key, most) in limits.each() {
                play.limits.want(at_ms, key, most);
            }
            play.answered = true;
        }
        PlayStep::Set { key, most } => {
            let change = |limits: &mut Limits| limits.want(at_ms, *key, *most);
            change_limit(&mut play, &mut member, *key, change);
            play.answered = true;
        }
        PlayStep::Confirm { key } => {
            let change = |limits: &mut Limits| limits.confirm(at_ms, *key);
            change_limit(&mut play, &mut member, *key, change);
        }
        PlayStep::Check { minutes } => {
            // When the player last saw how they stand stays what it was: another
            // interval puts nothing off.
            play.check_min = *minutes;
            play.answered = true;
            if let Some(member) = &mut member {
                member.check_min = *minutes;
            }
        }
        PlayStep::Acknowledge => play.checked_ms = play.counted_ms,
        PlayStep::Break { minutes } => {
            play.break_until_ms = at_ms.saturating_add(i64::from(*minutes) * 60_000);
            if let Some(member) = &mut member {
                member.break_until_ms = play.break_until_ms;
            }
        }
        PlayStep::Stop { reason } => {
            play.stopped = Some(reason.clone());
            if let Some(member) = &mut member {
                member.stopped.clone_from(&play.stopped);
            }
        }
        PlayStep::Resume { .. } => {
            play.stopped = None;
            if let Some(member) = &mut member {
                member.stopped = None;
            }
        }
        PlayStep::Present { .. } => {}
    }
    if let Some(member) = member {
        member.answered |= play.answered;
    }
    register.plays.insert(place.clone(), play);
}

/// Changes a limit where it is kept: with the card where there is one, and in
/// the session where there is none or where it has one of its own.
fn change_limit(
    play: &mut Play,
    member: &mut Option<&mut Member>,
    key: LimitKey,
    change: impl Fn(&mut Limits),
) {
    let own = key.window == Window::Session && play.limits.0.contains_key(&key);
    if own || member.is_none() {
        change(&mut play.limits);
    }
    if let (Some(member), Some(card)) = (member, play.card)
        && let Some(limits) = member.limits_mut(key.measure, card.currency)
    {
        change(limits);
    }
}

fn present(register: &mut Register, at_ms: i64, place: &Place, play: &mut Play, card: Card) {
    if register.members.len() >= MOST_MEMBERS && !register.members.contains_key(&card.member) {
        register
            .members
            .retain(|_, member| !member.may_be_let_go(at_ms));
    }
    let member = register
        .members
        .entry(card.member)
        .or_insert_with(|| Member::new(at_ms));
    member.at = Some(place.clone());
    member.seen_ms = member.seen_ms.max(at_ms);
    // Room for the currency's counts.
    let _ = member.limits_mut(Measure::Spend, card.currency);
    if play.card.is_none() {
        play.card = Some(card);
        // The whole session is the card's: it is counted at the next reading.
        play.counted = play.base;
        play.counted_ms = 0;
        match member.answered {
            true => play.check_min = member.check_min,
            false if play.answered => member.check_min = play.check_min,
            false => {}
        }
        play.answered |= member.answered;
    }
    // What held for the card elsewhere holds here, and the other way round.
    play.break_until_ms = play.break_until_ms.max(member.break_until_ms);
    member.break_until_ms = play.break_until_ms;
    match (&play.stopped, &member.stopped) {
        (Some(reason), None) => member.stopped = Some(reason.clone()),
        (_, Some(reason)) => play.stopped = Some(reason.clone()),
        (None, None) => {}
    }
}

/// Meters and clocks of play were read.
pub(super) fn count(register: &mut Register, at_ms: i64, offset_min: i64, lines: &[Counted]) {
    for line in lines {
        let Some(play) = register.plays.get_mut(&line.place) else {
            continue;
        };
        if play.session != line.session {
            continue;
        }
        let more = line.meters.since(&play.counted);
        let played_ms = line.clock.at(at_ms).max(play.counted_ms);
        let more_ms = played_ms - play.counted_ms;
        let (until_ms, ran_ms) = play.ran_on(at_ms);
        let ran_ms = ran_ms.min(more_ms);
        play.counted = line.meters;
        play.clock = line.clock;
        play.counted_ms = played_ms;
        if let Some(card) = play.card
            && let Some(member) = register.members.get_mut(&card.member)
        {
            let before = (until_ms, Tally::default(), ran_ms);
            for (at_ms, more, more_ms) in [before, (at_ms, more, more_ms - ran_ms)] {
                member.count(at_ms, offset_min, card.currency, more, more_ms);
            }
        }
    }
}
