//! Responsible play, as it was decided.

use crate::register::Register;
use crate::register::play::{Play, PlayStep, Sitting};
use crate::register::voucher::Place;

pub(super) fn step(
    register: &mut Register,
    at_ms: i64,
    place: &Place,
    sitting: Sitting,
    step: &PlayStep,
) {
    let new = || Play::new(sitting.session, sitting.began_ms, sitting.base);
    let play = register.plays.entry(place.clone()).or_insert_with(new);
    // Whoever sat there before has gone, and what held for them with them.
    if play.session != sitting.session {
        *play = new();
    }
    match step {
        PlayStep::Limit { limits } => play.want(at_ms, *limits),
        PlayStep::Check { minutes } => {
            play.check_min = *minutes;
            play.checked_ms = at_ms;
        }
        PlayStep::Acknowledge => play.checked_ms = at_ms,
        PlayStep::Break { minutes } => {
            play.break_until_ms = at_ms.saturating_add(i64::from(*minutes) * 60_000);
        }
        PlayStep::Stop { reason } => play.stopped = Some(reason.clone()),
        PlayStep::Resume { .. } => play.stopped = None,
    }
}
