//! Responsible play, as it was decided.

use crate::Register;
use crate::play::limits::{LimitKey, Limits, Measure, Window};
use crate::play::member::{MAX_MEMBERS, Member};
use crate::play::{Card, Counted, Play, PlayStep, Sitting, Tally};
use crate::voucher::Place;

pub(super) fn step(
    register: &mut Register,
    at_ms: i64,
    place: &Place,
    sitting: Sitting,
    step: &PlayStep,
) {
    let mut play = match register.plays.remove(place) {
        Some(play) if play.is_of(&sitting) => play,
        before => Play::after(before.as_ref(), &sitting),
    };
    if let PlayStep::Present { card } | PlayStep::Prove { card, .. } = step {
        present(register, at_ms, place, &mut play, &sitting, *card);
    }
    if let PlayStep::Prove { .. } = step {
        play.proved_ms = Some(at_ms);
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
        PlayStep::Acknowledge => play.checked_ms = play.played_ms(&sitting, at_ms),
        PlayStep::Break { minutes } => {
            let until_ms = at_ms.saturating_add(i64::from(*minutes) * 60_000);
            // A break is made longer, never shorter.
            play.break_until_ms = play.break_until_ms.max(until_ms);
            if let Some(member) = &mut member {
                member.break_until_ms = member.break_until_ms.max(until_ms);
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
            play.still_stopped = None;
            if let Some(member) = &mut member {
                member.stopped = None;
            }
        }
        PlayStep::Present { .. } | PlayStep::Prove { .. } => {}
    }
    if let Some(member) = member
        && play.answered
        && !member.answered
    {
        member.answered = true;
        member.check_min = play.check_min;
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

fn present(
    register: &mut Register,
    at_ms: i64,
    place: &Place,
    play: &mut Play,
    sitting: &Sitting,
    card: Card,
) {
    if register.members.len() >= MAX_MEMBERS && !register.members.contains_key(&card.member) {
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
        if member.answered {
            // As often as the member wants, and as the house wants at least.
            let house = sitting.seen.map(|seen| seen.check_min);
            play.check_min = match (member.check_min, house) {
                (Some(own), Some(house)) => Some(own.min(house)),
                (own, house) => own.or(house),
            };
        }
        play.answered |= member.answered;
    }
    // What held here before the card was shown holds for the card from now on,
    // and what holds for the card holds here while it is used here.
    play.break_until_ms = play.break_until_ms.max(member.break_until_ms);
    member.break_until_ms = play.break_until_ms;
    if member.stopped.is_none() {
        member.stopped.clone_from(&play.stopped);
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
