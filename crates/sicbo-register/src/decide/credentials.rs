//! Failed tries, second factors, and PINs and accounts that have expired.

use sicbo_table::ids::PersonId;
use sicbo_table::refuse_if;

use super::people::{ended, readable};
use super::{Decision, by_house, enrolment};
use crate::Register;
use crate::command::{Command, Party};
use crate::credential::{MAX_FROM, MAX_SEALED};
use crate::enrolment::EnrolmentId;
use crate::event::Fact;
use crate::person::LogOutReason;
use crate::refusal::Reason;

/// A wrong PIN was given. How long the next try has to wait is the edge's to say, which knows
/// where tries come from: nobody is locked out at one place by what happens at another.
pub(super) fn note_failed_try(
    register: &Register,
    command: &Command,
    person: Option<PersonId>,
    name: &str,
    place: Option<EnrolmentId>,
    (from, wait_until_ms): (&str, Option<i64>),
) -> Decision {
    by_house(command)?;
    if let Some(place) = place {
        enrolment::live(register, place)?;
    }
    if let Some(person) = person {
        refuse_if!(
            !register.people.contains_key(&person),
            Reason::UnknownPerson
        );
    }
    let plain = from.len() <= MAX_FROM && from.bytes().all(|byte| byte.is_ascii_graphic());
    refuse_if!(!plain, Reason::TextTooLong { allowed: MAX_FROM });
    Ok(vec![Fact::TryFailed {
        person,
        name: readable(name),
        place,
        from: from.to_owned(),
        wait_until_ms,
    }])
}

/// A person's own second factor, after they have shown a code of it.
pub(super) fn set_second_factor(register: &Register, command: &Command, sealed: &str) -> Decision {
    let Party::Person(person) = command.by else {
        return Err(Reason::NotAuthorised.into());
    };
    refuse_if!(register.person(person).is_none(), Reason::NotAuthorised);
    let plain = !sealed.is_empty() && sealed.bytes().all(|byte| byte.is_ascii_graphic());
    let allowed = MAX_SEALED;
    refuse_if!(
        !plain || sealed.len() > allowed,
        Reason::TextTooLong { allowed }
    );
    Ok(vec![Fact::SecondFactorSet {
        person,
        sealed: sealed.to_owned(),
    }])
}

/// A PIN is too old: it is changed before anything else is done with it.
pub(super) fn expire_pin(register: &Register, command: &Command, id: PersonId) -> Decision {
    by_house(command)?;
    let person = register.person(id).ok_or(Reason::UnknownPerson)?;
    refuse_if!(person.one_time, Reason::AlreadyDone);
    Ok(vec![Fact::PinExpired { person: id }])
}

/// Nobody has logged in as this person for too long. Whoever manages people lets them in again;
/// the last who may do that stays.
pub(super) fn expire_account(register: &Register, command: &Command, id: PersonId) -> Decision {
    by_house(command)?;
    refuse_if!(register.person(id).is_none(), Reason::UnknownPerson);
    register.another_administrator(id)?;
    let mut facts: Vec<Fact> = ended(register, id, LogOutReason::RightsChanged).collect();
    facts.push(Fact::AccountExpired { person: id });
    Ok(facts)
}
