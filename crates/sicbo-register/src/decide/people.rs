//! Set-up, people, log-ins and sessions.

use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::PersonId;
use sicbo_table::refuse_if;

use super::{
    Decision, Register, by_house, check_reason, check_terms, enrolment, is_administrator, require,
    require_rights, seen, supervises,
};
use crate::command::{Command, Party, PinRight, Terms};
use crate::duties::{self, Posts, Standing};
use crate::enrolment::{EnrolmentId, NewEnrolment, Role};
use crate::event::Fact;
use crate::lockout::FAILURES_ANYWHERE;
use crate::person::{
    self, LogOutReason, NewPerson, Person, SESSIONS_PER_PERSON, SessionId, manages_people,
};
use crate::pin::is_bound_to;
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
        identity: register.identity,
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
    check_hash(register, &new.name, &new.pin)
}

/// Nobody holds a position that the house has not named.
fn check_position(register: &Register, position: Position) -> Result<(), Refusal> {
    if register.has_position(position) {
        Ok(())
    } else {
        Err(Reason::PositionNotNamed.into())
    }
}

/// A hash is bound to its person in every house that knows what it is: one
/// copied from somebody else cannot even be written down. Journals from before
/// that have hashes of both forms.
fn check_hash(register: &Register, name: &str, pin: &str) -> Result<(), Refusal> {
    let is_hash = pin.starts_with("$argon2id$") && pin.len() <= LONGEST_HASH && pin.is_ascii();
    let bound = register.identity.is_none() || is_bound_to(pin, name);
    refuse_if!(!is_hash || !bound, Reason::PinHashInvalid);
    Ok(())
}

pub(super) fn add(register: &Register, command: &Command, new: &NewPerson) -> Decision {
    require_rights(register, command, None)?;
    check_new(register, new)?;
    if register.duties.is_some()
        && let Some(known) = register.resembled(&new.name)
    {
        let name = known.name.clone();
        return Err(Reason::NameResembles { name }.into());
    }
    Ok(vec![Fact::PersonAdded {
        person: register.next_person(),
        new: new.clone(),
    }])
}

/// Someone else, whose rights those who act may change.
fn changed<'r>(
    register: &'r Register,
    command: &Command,
    id: PersonId,
) -> Result<&'r Person, Refusal> {
    require_rights(register, command, Some(id))?;
    register.people.get(&id).ok_or(Reason::UnknownPerson.into())
}

/// Someone else, whom the acting person may send away.
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
    let person = changed(register, command, id)?;
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
    let person = changed(register, command, id)?;
    refuse_if!(person.disabled, Reason::PersonDisabled);
    check_hash(register, &person.name, pin)?;
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
    check_hash(register, &person.name, pin)?;
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
    let person = changed(register, command, id)?;
    refuse_if!(!person.disabled, Reason::AlreadyDone);
    check_hash(register, &person.name, pin)?;
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
    (name, logs_in): (&str, bool),
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
    // A one-time PIN lets its owner in once; in that session they change it.
    let over = logs_in && person.is_one_time_over(command.at_ms);
    if !good || person.disabled || over {
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
    match tried(register, command, (name, false), right, place)? {
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
    let id = match tried(register, command, (name, true), right, place)? {
        Ok(id) => id,
        Err(failed) => return Ok(failed),
    };
    if register.duties.is_some() {
        at_their_post(register, id, place)?;
    }
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

/// With duties in force, staff work at an enrolled place that is for their position,
/// and those who have a post at theirs.
fn at_their_post(
    register: &Register,
    id: PersonId,
    place: Option<EnrolmentId>,
) -> Result<(), Refusal> {
    let at = place.ok_or(Reason::PlaceNeeded)?;
    let role = &enrolment::live(register, at)?.role;
    let person = register.people.get(&id).ok_or(Reason::UnknownPerson)?;
    let position = person.position;
    refuse_if!(!duties::fits(position, role), Reason::PlaceDoesNotFit);
    let posted = register.is_posted(id, position, at, role);
    refuse_if!(!posted, Reason::NotPosted);
    Ok(())
}

/// Somebody has seen a person log in who was given a PIN.
pub(super) fn witness(register: &Register, command: &Command, id: PersonId) -> Decision {
    let by = require(register, command, duties::witnesses)?;
    let person = register.people.get(&id).ok_or(Reason::UnknownPerson)?;
    let Standing::Unseen { by: first, second } = person.standing else {
        return Err(Reason::AlreadyDone.into());
    };
    seen(register, [by, by])?;
    refuse_if!(by == id, Reason::OwnRights);
    let took_part = by == first || Some(by) == second;
    let besides: Vec<PersonId> = [Some(id), Some(first), second]
        .into_iter()
        .flatten()
        .collect();
    if took_part && register.another_witness(&besides, command.at_ms) {
        return Err(Reason::WitnessTookPart.into());
    }
    let there = sessions(register, id).next().is_some() && !person.one_time;
    refuse_if!(!there, Reason::NotLoggedIn);
    Ok(vec![Fact::LogInWitnessed { person: id }])
}

/// Most tables and windows somebody works at.
const MAX_POSTS: usize = 64;

/// Tables are given by whoever supervises them, windows by whoever leads the house.
pub(super) fn assign(
    register: &Register,
    command: &Command,
    id: PersonId,
    posts: &Posts,
) -> Decision {
    let known = register.posts.get(&id);
    let windows = known.map_or(&[][..], |known| &known.windows);
    let of_windows = windows != posts.windows;
    if command.by != Party::House {
        let assigns = |held: Position| duties::leads(held) || !of_windows && supervises(held);
        let by = require(register, command, assigns)?;
        refuse_if!(by == id, Reason::OwnRights);
    }
    refuse_if!(!register.people.contains_key(&id), Reason::UnknownPerson);
    if posts.tables.len() + posts.windows.len() > MAX_POSTS {
        let what = "at most 64 tables and windows for one person";
        return Err(Reason::TermsFaulty { what }.into());
    }
    for window in &posts.windows {
        let role = &enrolment::live(register, *window)?.role;
        refuse_if!(*role != Role::Cage, Reason::PlaceDoesNotFit);
    }
    refuse_if!(known == Some(posts), Reason::AlreadyDone);
    let mut facts = vec![Fact::Assigned {
        person: id,
        posts: posts.clone(),
    }];
    if register.duties.is_some() {
        // Sessions where they no longer work end.
        let left = |place: Option<EnrolmentId>| {
            place.is_some_and(|at| match register.enrolled(at).map(|known| &known.role) {
                Some(Role::Console { table }) => !posts.tables.contains(table),
                Some(Role::Cage) => !posts.windows.contains(&at),
                _ => false,
            })
        };
        let works = register.people[&id].position;
        let bound = matches!(works, Position::Dealer | Position::Cashier);
        let gone = register.sessions.iter();
        let gone = gone.filter(|(_, session)| bound && session.person == id && left(session.place));
        facts.extend(gone.map(|(session, _)| Fact::LoggedOut {
            person: id,
            session: *session,
            why: LogOutReason::RightsChanged,
        }));
    }
    Ok(facts)
}

/// The name as given, when it reads like one.
pub(super) fn readable(name: &str) -> String {
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

pub(super) fn ended(
    register: &Register,
    id: PersonId,
    why: LogOutReason,
) -> impl Iterator<Item = Fact> + '_ {
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
