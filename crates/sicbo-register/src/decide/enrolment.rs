//! Enrolling and revoking.

use sicbo_table::refuse_if;
use std::collections::BTreeSet;

use sicbo_rules::rulebook::words::Position;

use super::{Decision, LONGEST_NAME, Register, check_reason, require, require_two, short};
use crate::command::{Command, Party};
use crate::duties::leads;
use crate::enrolment::{Enrolment, EnrolmentId, NewEnrolment, Role};
use crate::event::Fact;
use crate::person::{LogOutReason, manages_people};
use crate::refusal::{Reason, Refusal};

pub(super) fn enrol(register: &Register, command: &Command, new: &NewEnrolment) -> Decision {
    let enrols = |position: Position| position == Position::Technician;
    match command.by {
        // A house without such a desk could not be worked in: its program enrols the
        // first, and its key is handed over like those of the first start.
        Party::House if register.duties.is_some() && new.role.is_desk() => {
            let mut known = register.enrolments.values();
            let there = known.any(|known| known.role == new.role && known.revoked_ms.is_none());
            refuse_if!(there, Reason::AlreadyEnrolled);
        }
        // A device that nobody else has looked at opens nothing.
        _ if register.duties.is_some() => require_two(register, command, enrols, leads)?,
        _ => require(register, command, enrols).map(drop)?,
    }
    check_new(register, new)?;
    Ok(vec![Fact::Enrolled {
        enrolment: register.next_enrolment(),
        new: new.clone(),
    }])
}

/// Most places enrolled at the set-up: one command is one block.
const MAX_AT_SET_UP: usize = 50_000;

/// Checks what a house is set up with: each by itself, and none twice.
pub(super) fn check_all(places: &[NewEnrolment]) -> Result<(), Refusal> {
    if places.len() > MAX_AT_SET_UP {
        let what = "a house is set up with at most 50,000 terminals and consoles";
        return Err(Reason::TermsFaulty { what }.into());
    }
    let (mut keys, mut roles) = (BTreeSet::new(), BTreeSet::new());
    let nobody = Register::default();
    for new in places {
        check_new(&nobody, new)?;
        refuse_if!(!keys.insert(new.key), Reason::KeyTaken);
        if new.role.is_single() && !roles.insert(&new.role) {
            return Err(Reason::AlreadyEnrolled.into());
        }
    }
    Ok(())
}

fn check_new(register: &Register, new: &NewEnrolment) -> Result<(), Refusal> {
    refuse_if!(new.name.trim().is_empty(), Reason::NameInvalid);
    short(&new.name, LONGEST_NAME)?;
    for known in register.enrolments.values() {
        refuse_if!(known.key == new.key, Reason::KeyTaken);
        if new.role.is_single() && known.role == new.role && known.revoked_ms.is_none() {
            return Err(Reason::AlreadyEnrolled.into());
        }
    }
    Ok(())
}

/// An enrolment that is not revoked.
pub(super) fn live(register: &Register, id: EnrolmentId) -> Result<&Enrolment, Refusal> {
    let enrolment = register
        .enrolments
        .get(&id)
        .ok_or(Reason::UnknownEnrolment)?;
    refuse_if!(enrolment.revoked_ms.is_some(), Reason::EnrolmentRevoked);
    Ok(enrolment)
}

pub(super) fn revoke(
    register: &Register,
    command: &Command,
    id: EnrolmentId,
    reason: &str,
) -> Decision {
    // Whoever sees a stolen key must be able to stop it.
    let revokes = |position: Position| {
        position == Position::Technician
            || manages_people(position)
            || position.is_at_least(Position::ShiftManager)
    };
    let known = register.enrolments.get(&id);
    let holds_credit = known.is_some_and(|known| matches!(known.role, Role::Station { .. }));
    match register.duties.is_some() && holds_credit {
        true => require_two(register, command, revokes, leads)?,
        false => require(register, command, revokes).map(drop)?,
    }
    check_reason(reason)?;
    live(register, id)?;
    let there = register.sessions.iter();
    let mut facts: Vec<Fact> = there
        .filter(|(_, session)| session.place == Some(id))
        .map(|(number, session)| Fact::LoggedOut {
            person: session.person,
            session: *number,
            why: LogOutReason::PlaceRevoked,
        })
        .collect();
    facts.push(Fact::Revoked {
        enrolment: id,
        reason: reason.to_owned(),
    });
    Ok(facts)
}
