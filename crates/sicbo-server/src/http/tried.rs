//! A name and a PIN that somebody gives: slowed down, verified in bounded memory, and on record
//! when they were wrong. Names nobody has are treated like any other, also in time.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use sicbo_clock::now_ms;
use sicbo_house::slow_down::Origin;
use sicbo_register::command::PinRight;
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::{Act, Party, Register};
use sicbo_table::ids::PersonId;
use tokio::time::{Instant, sleep_until};

use super::Person;
use crate::floor::Floor;
use crate::log_ins::now_s;
use crate::problem::Problem;
use crate::wire::Secret;

/// Failures are told at multiples of this, so that the time says nothing about the name.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// Whether a second factor is asked for.
pub(super) enum Factor {
    /// Not here.
    NotAsked,
    /// Where the person has one; the code that was given.
    Code(Option<Secret>),
}

/// Who tries, and where from.
pub(super) struct Tried<'n> {
    pub(super) origin: Origin,
    pub(super) place: Option<EnrolmentId>,
    /// The address, for the record.
    pub(super) from: String,
    pub(super) name: &'n str,
}

impl<'n> Tried<'n> {
    /// Somebody who is logged in and gives their own PIN.
    pub(super) fn by(person: &'n Person) -> Tried<'n> {
        Tried::at(person, &person.name)
    }

    /// Somebody gives a PIN where this person is logged in.
    pub(super) fn at(person: &Person, name: &'n str) -> Tried<'n> {
        let session = Origin::Browser(person.token.short());
        Tried {
            origin: person.place.map_or(session, Origin::Place),
            place: person.place,
            from: String::new(),
            name,
        }
    }

    /// Whose PIN it is; none when it is wrong.
    ///
    /// # Errors
    /// When tries have to wait, or a code is missing.
    pub(super) async fn pin(
        self,
        floor: &Floor,
        pin: Secret,
        factor: Factor,
    ) -> Result<Option<PinRight>, Problem> {
        let began = Instant::now();
        let slow_down = &floor.log_ins.slow_down;
        let begun = slow_down.begin(self.origin, self.name, now_ms());
        let begun = begun.map_err(wait)?;
        let (kept, right, sealed) = {
            let register = floor.desk.register();
            match register.person_named(self.name) {
                None => (None, None, None),
                Some((id, person)) => {
                    let right = PinRight {
                        person: id,
                        pin_version: person.pin_version,
                    };
                    let sealed = register.credentials.get(&id);
                    let sealed = sealed.and_then(|known| known.second_factor.clone());
                    let kept = (person.name.clone(), person.pin.clone());
                    (Some(kept), Some((right, person.disabled)), sealed)
                }
            }
        };
        // Hashing takes memory and time: a few at once, and not on the threads
        // that serve everyone.
        let hasher = Arc::clone(&floor.hasher);
        let verify = move || {
            let kept = kept.as_ref().map(|(name, phc)| (&**name, &**phc));
            hasher.verify(kept, pin.text())
        };
        let verified = match floor.hashing.run(verify).await {
            Ok(verified) => verified,
            Err(busy) => {
                slow_down.not_tried(&begun);
                return Err(busy);
            }
        };
        // Who may not act is told no more than who was wrong.
        let person = right.filter(|(_, disabled)| verified && !disabled);
        let mut opens = person.map(|(right, _)| right);
        if let (Some(right), Factor::Code(code), Some(sealed)) = (opens, factor, sealed) {
            let Some(code) = code else {
                // Not a wrong try: the PIN was right, and the code is asked for now.
                slow_down.not_tried(&begun);
                return Err(Problem::new(
                    StatusCode::UNAUTHORIZED,
                    "code_needed",
                    "the code of your authenticator is needed as well",
                ));
            };
            let log_ins = &floor.log_ins;
            if !log_ins.is_right(right.person, self.name, &sealed, code.text(), now_s()) {
                opens = None;
            }
        }
        if let Some(right) = opens {
            slow_down.succeeded(&begun);
            return Ok(Some(right));
        }
        let act = Act::NoteFailedTry {
            person: right.map(|(right, _)| right.person),
            name: self.name.to_owned(),
            place: self.place,
            from: self.from,
            wait_until_ms: begun.wait_until_ms,
        };
        floor.desk.enter(Party::House, None, act).await?;
        sleep_until(began + told_after(began.elapsed())).await;
        match begun.wait_until_ms {
            Some(until_ms) => Err(wait(until_ms)),
            None => Ok(None),
        }
    }
}

/// The next moment at which failures are told.
fn told_after(passed: Duration) -> Duration {
    let every = TOLD_EVERY.as_millis();
    let told = (passed.as_millis() / every + 1) * every;
    Duration::from_millis(u64::try_from(told).unwrap_or(u64::MAX))
}

/// Tries from there have to wait.
fn wait(until_ms: i64) -> Problem {
    let seconds = ((until_ms - now_ms()).max(0) / 1_000 + 1).min(86_400);
    Problem {
        retry_after_s: u32::try_from(seconds).ok(),
        ..Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "locked_out",
            format!("too many failures: try again in {seconds} seconds"),
        )
    }
}

/// Whether a person's position asks for a second factor that they do not have.
pub(super) fn factor_needed(floor: &Floor, register: &Register, id: PersonId) -> bool {
    let demanded = register.person(id).is_some_and(|person| {
        let positions = &floor.plan.log_in.second_factor;
        positions.contains(&person.position)
    });
    let known = register.credentials.get(&id);
    demanded && known.is_none_or(|known| known.second_factor.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_18_failures_are_told_at_the_same_moments_however_long_they_took() {
        let told = |ms| told_after(Duration::from_millis(ms)).as_millis();
        assert_eq!([0, 1, 40, 249].map(told), [250; 4]);
        assert_eq!([250, 300, 499].map(told), [500; 3]);
    }
}
