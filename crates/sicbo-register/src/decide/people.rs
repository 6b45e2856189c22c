//! Set-up, people, log-ins and sessions.

use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::PersonId;
use sicbo_table::refuse_if;

use super::{
    Decision, Register, by_house, check_reason, check_terms, enrolment, is_administrator, require,
};
use crate::command::{Command, Party, PinRight, Terms};
use crate::enrolment::{EnrolmentId, NewEnrolment};
use crate::event::Fact;
use crate::lockout::FAILURES_ANYWHERE;
use crate::person::{
    self, LogOutReason, NewPerson, Person, SESSIONS_PER_PERSON, SessionId, manages_people,
};
use crate::refusal::{Reason, Refusal};

/// Failed log-ins with unknown names are forgotten after this long.
pub(crate) const STRANGERS_FORGIVEN_MS: i64 = 900_000;

/// What the record of the set-up itself enrols; what is beyond follows with a
/// record for each, because a record is bounded.
const PLACES_AT_ONCE: usize = 1_000;

/// The longest PHC string that is taken.
const LONGEST_HASH: usize = 256;

pub(super) fn set_up(
    register: &Register,
    command: &Command,
    terms: &Terms,
    staff: &[NewPerson],
    places: &[NewEnrolment],
) -> Decision {
    by_house(command)?;
    refuse_if!(register.terms.is_some(), Reason::AlreadySetUp);
    check_terms(terms)?;
    // Rehearsed on a register of its own: each must be possible after those before.
    let mut rehearsal = Register {
        above_director: register.above_director.clone(),
        ..Register::default()
    };
    for new in staff {
        check_new(&rehearsal, new)?;
        let id = rehearsal.next_person();
        rehearsal.people.insert(id, Person::new(new, command.at_ms));
    }
    if !rehearsal.people.values().any(is_administrator) {
        return Err(Reason::NoAdministrator.into());
    }
    enrolment::check_all(places)?;
    let (first, further) = places.split_at(places.len().min(PLACES_AT_ONCE));
    let mut facts = vec![Fact::HouseSetUp {
        terms: terms.clone(),
        staff: staff.to_vec(),
        places: first.to_vec(),
    }];
    let numbers = (1..).map(EnrolmentId);
    let further = numbers.skip(first.len()).zip(further);
    facts.extend(further.map(|(enrolment, new)| Fact::Enrolled {
        enrolment,
        new: new.clone(),
    }));
    Ok(facts)
}

fn check_new(register: &Register, new: &NewPerson) -> Result<(), Refusal> {
    refuse_if!(!person::is_name(&new.name), Reason::NameInvalid);
    refuse_if!(person::is_generic(&new.name), Reason::GenericName);
    if register.person_named(&new.name).is_some() {
        return Err(Reason::NameTaken.into());
    }
    check_position(register, new.position)?;
    check_hash(&new.pin)
}

/// Nobody holds a position that the house has not named.
fn check_position(register: &Register, position: Position) -> Result<(), Refusal> {
    if register.has_position(position) {
        Ok(())
    } else {
        Err(Reason::PositionNotNamed.into())
    }
}

fn check_hash(pin: &str) -> Result<(), Refusal> {
    if pin.starts_with("$argon2id$") && pin.len() <= LONGEST_HASH && pin.is_ascii() {
        Ok(())
    } else {
        Err(Reason::PinHashInvalid.into())
    }
}

pub(super) fn add(register: &Register, command: &Command, new: &NewPerson) -> Decision {
    require(register, command, manages_people)?;
    check_new(register, new)?;
    Ok(vec![Fact::PersonAdded {
        person: register.next_person(),
        new: new.clone(),
    }])
}

/// Someone else, whose rights the acting person may change.
fn managed<'r>(
    register: &'r Register,
    command: &Command,
    id: PersonId,
) -> Result<&'r Person, Refusal> {
    let manager = require(register, command, manages_people)?;
    let person = register.people.get(&id).ok_or(Reason::UnknownPerson)?;
    refuse_if!(manager == id, Reason::OwnRights);
    Ok(person)
}

pub(super) fn change_position(
    register: &Register,
    command: &Command,
    id: PersonId,
    position: Position,
) -> Decision {
    let person = managed(register, command, id)?;
    refuse_if!(person.position == position, Reason::AlreadyDone);
    if !manages_people(position) {
        register.another_administrator(id)?;
    }
    check_position(register, position)?;
    let from = person.position;
    let mut facts = vec![Fact::PositionChanged {
        person: id,
        from,
        to: position,
    }];
    facts.extend(ended(register, id, LogOutReason::RightsChanged));
    Ok(facts)
}

pub(super) fn reset_pin(
    register: &Register,
    command: &Command,
    id: PersonId,
    pin: &str,
) -> Decision {
    let person = managed(register, command, id)?;
    refuse_if!(person.disabled, Reason::PersonDisabled);
    check_hash(pin)?;
    let mut facts = vec![Fact::PinReset {
        person: id,
        pin: pin.to_owned(),
    }];
    facts.extend(ended(register, id, LogOutReason::RightsChanged));
    Ok(facts)
}

pub(super) fn change_pin(
    register: &Register,
    command: &Command,
    old: PinRight,
    pin: &str,
) -> Decision {
    if command.by != Party::Person(old.person) {
        return Err(Reason::NotAuthorised.into());
    }
    let person = register
        .people
        .get(&old.person)
        .ok_or(Reason::UnknownPerson)?;
    refuse_if!(person.disabled, Reason::PersonDisabled);
    refuse_if!(person.pin_version != old.pin_version, Reason::PinOutdated);
    check_hash(pin)?;
    Ok(vec![Fact::PinChanged {
        person: old.person,
        pin: pin.to_owned(),
    }])
}

pub(super) fn disable(
    register: &Register,
    command: &Command,
    id: PersonId,
    reason: &str,
) -> Decision {
    let person = managed(register, command, id)?;
    check_reason(reason)?;
    refuse_if!(person.disabled, Reason::AlreadyDone);
    register.another_administrator(id)?;
    // Sessions end first: nobody has one who may not act.
    let mut facts: Vec<Fact> = ended(register, id, LogOutReason::RightsChanged).collect();
    facts.push(Fact::PersonDisabled {
        person: id,
        reason: reason.to_owned(),
    });
    Ok(facts)
}

impl Register {
    /// Someone besides `id` can manage people.
    ///
    /// # Errors
    /// The refusal of an act that would leave nobody.
    pub fn another_administrator(&self, id: PersonId) -> Result<(), Refusal> {
        let mut people = self.people.iter();
        if people.any(|(other, person)| *other != id && is_administrator(person)) {
            Ok(())
        } else {
            Err(Reason::LastAdministrator.into())
        }
    }
}

pub(super) fn enable(register: &Register, command: &Command, id: PersonId, pin: &str) -> Decision {
    let person = managed(register, command, id)?;
    refuse_if!(!person.disabled, Reason::AlreadyDone);
    check_hash(pin)?;
    Ok(vec![Fact::PersonEnabled {
        person: id,
        pin: pin.to_owned(),
    }])
}

pub(super) fn lift_lock(register: &Register, command: &Command, id: PersonId) -> Decision {
    let lifts = |position: Position| {
        manages_people(position) || position.is_at_least(Position::ShiftManager)
    };
    let by = require(register, command, lifts)?;
    let person = register.people.get(&id).ok_or(Reason::UnknownPerson)?;
    refuse_if!(by == id, Reason::OwnRights);
    if person.lockout.failures == 0 && !register.tried.keys().any(|(tried, _)| *tried == id) {
        return Err(Reason::AlreadyDone.into());
    }
    Ok(vec![Fact::LockLifted { person: id }])
}

/// A try with a PIN, and whose it was when it was right; otherwise the facts
/// of a failure. It is decided here and not where the PIN was verified, so that
/// many tries at once count like many tries in a row.
fn tried(
    register: &Register,
    command: &Command,
    name: &str,
    right: Option<PinRight>,
    place: Option<EnrolmentId>,
) -> Result<Result<PersonId, Vec<Fact>>, Refusal> {
    by_house(command)?;
    if let Some(place) = place {
        enrolment::live(register, place)?;
    }
    let failed = |person: Option<PersonId>| Fact::LogInFailed {
        person,
        name: readable(name),
        place,
    };
    let locked = |person: Option<PersonId>, until_ms: i64| Fact::LockedOut {
        person,
        place,
        until_ms,
    };
    let Some((id, person)) = register.person_named(name) else {
        let lockout = register.strangers.get(&place).copied().unwrap_or_default();
        if let Some(until_ms) = lockout.locked(command.at_ms) {
            return Err(Reason::LockedOut { until_ms }.into());
        }
        let after = lockout.after_failure(command.at_ms, Some(STRANGERS_FORGIVEN_MS));
        let mut facts = vec![failed(None)];
        facts.extend(after.locked(command.at_ms).map(|until| locked(None, until)));
        return Ok(Err(facts));
    };
    let here = register.tried.get(&(id, place)).copied();
    let here = here.unwrap_or_default();
    let locked_now = here.locked(command.at_ms);
    if let Some(until_ms) = locked_now.max(person.lockout.locked(command.at_ms)) {
        return Err(Reason::LockedOut { until_ms }.into());
    }
    let version = person.pin_version;
    let good = right.is_some_and(|right| right.person == id && right.pin_version == version);
    // Who may not act is told no more than who was wrong.
    if !good || person.disabled {
        let after = here.after_failure(command.at_ms, None);
        let everywhere = person.lockout;
        let everywhere = everywhere.after_failure_beyond(FAILURES_ANYWHERE, command.at_ms, None);
        let until = after.locked(command.at_ms);
        let until = until.max(everywhere.locked(command.at_ms));
        let mut facts = vec![failed(Some(id))];
        facts.extend(until.map(|until| locked(Some(id), until)));
        return Ok(Err(facts));
    }
    Ok(Ok(id))
}

/// Somebody who shows with their PIN that it is they.
pub(super) fn prove_pin(
    register: &Register,
    command: &Command,
    name: &str,
    right: Option<PinRight>,
    place: Option<EnrolmentId>,
) -> Decision {
    match tried(register, command, name, right, place)? {
        Ok(_) => Ok(Vec::new()),
        Err(failed) => Ok(failed),
    }
}

pub(super) fn log_in(
    register: &Register,
    command: &Command,
    name: &str,
    right: Option<PinRight>,
    place: Option<EnrolmentId>,
) -> Decision {
    let id = match tried(register, command, name, right, place)? {
        Ok(id) => id,
        Err(failed) => return Ok(failed),
    };
    let mut facts = Vec::new();
    let own: Vec<SessionId> = sessions(register, id).collect();
    if own.len() >= SESSIONS_PER_PERSON {
        facts.push(Fact::LoggedOut {
            person: id,
            session: own[0],
            why: LogOutReason::TooMany,
        });
    }
    facts.push(Fact::LoggedIn {
        person: id,
        session: SessionId(register.last_session.0 + 1),
        place,
    });
    Ok(facts)
}

/// The name as given, when it reads like one.
fn readable(name: &str) -> String {
    if person::is_name(name) {
        name.to_owned()
    } else {
        String::new()
    }
}

fn sessions(register: &Register, id: PersonId) -> impl Iterator<Item = SessionId> + '_ {
    register
        .sessions
        .iter()
        .filter(move |(_, session)| session.person == id)
        .map(|(number, _)| *number)
}

fn ended(register: &Register, id: PersonId, why: LogOutReason) -> impl Iterator<Item = Fact> + '_ {
    sessions(register, id).map(move |session| Fact::LoggedOut {
        person: id,
        session,
        why,
    })
}

pub(super) fn log_out(
    register: &Register,
    command: &Command,
    number: SessionId,
    why: LogOutReason,
) -> Decision {
    let session = register
        .sessions
        .get(&number)
        .ok_or(Reason::UnknownSession)?;
    let own = command.by == Party::Person(session.person) && why == LogOutReason::Asked;
    if !own {
        by_house(command)?;
    }
    Ok(vec![Fact::LoggedOut {
        person: session.person,
        session: number,
        why,
    }])
}

pub(super) fn end_sessions(register: &Register, command: &Command) -> Decision {
    by_house(command)?;
    let all = register.sessions.iter();
    Ok(all
        .map(|(number, session)| Fact::LoggedOut {
            person: session.person,
            session: *number,
            why: LogOutReason::Restart,
        })
        .collect())
}
