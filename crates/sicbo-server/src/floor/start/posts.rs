//! Where staff log in and who works where, as a start finds and makes it.

use std::path::Path;

use sicbo_house::desk::Desk;
use sicbo_plan::HousePlan;
use sicbo_register::duties::Posts;
use sicbo_register::enrolment::{EnrolmentId, Key, Role};
use sicbo_register::set_up::{HandOver, new_enrolment};
use sicbo_register::{self as register};
use sicbo_table::ids::PersonId;

use super::{StartError, enter, io, write_private};

/// Desks and windows that a house with duties has from its first start.
pub(super) fn desks(plan: &HousePlan) -> Vec<(Role, String)> {
    let Some(duties) = &plan.duties else {
        return Vec::new();
    };
    let mut desks = vec![
        (Role::PitDesk, "pit desk 1".to_owned()),
        (Role::TechnicianDesk, "technician desk 1".to_owned()),
        (Role::AuditDesk, "audit desk 1".to_owned()),
    ];
    let windows = duties.windows.iter();
    desks.extend(windows.map(|name| (Role::Cage, name.clone())));
    desks
}

/// Enrols the first desk of every kind that a house with duties lacks, so that
/// everybody can log in somewhere, and assigns the people of the plan who were never
/// assigned. Keys made here are handed over like those of a first start.
pub(super) fn enter_posts(
    plan: &HousePlan,
    desk: &Desk,
    file: &Path,
    mut hand_over: Option<HandOver>,
) -> Result<Option<HandOver>, StartError> {
    if plan.duties.is_none() {
        return Ok(hand_over);
    }
    for (role, name) in desks(plan) {
        let (there, next) = {
            let register = desk.register();
            let mut known = register.enrolments.values();
            let there = known.any(|known| known.role == role && known.revoked_ms.is_none());
            let last = register.enrolments.last_key_value();
            (there, last.map_or(1, |(id, _)| id.0 + 1))
        };
        if there {
            continue;
        }
        let (new, key): (_, Key) =
            new_enrolment(role, &name).map_err(|error| StartError::Plan(error.to_string()))?;
        let given = hand_over.get_or_insert_default();
        given.tokens.push((name, key.token(EnrolmentId(next))));
        // Before it is on record: killed in between, it is made again.
        write_private(file, given.to_text().as_bytes()).map_err(io("keeping the first keys"))?;
        enter(desk, register::Act::Enrol { new }, "enrolling a desk")?;
    }
    for (name, planned) in &plan.posts {
        let (person, windows) = {
            let register = desk.register();
            let Some((id, _)) = register.person_named(name) else {
                continue;
            };
            if register.posts.contains_key(&id) {
                continue;
            }
            let windows = register.enrolments.iter().filter(|(_, known)| {
                known.role == Role::Cage
                    && known.revoked_ms.is_none()
                    && planned.windows.contains(&known.name)
            });
            let windows: Vec<EnrolmentId> = windows.map(|(id, _)| *id).collect();
            (id, windows)
        };
        let posts = Posts {
            tables: plan.tables_of(name),
            windows,
        };
        let person: PersonId = person;
        let act = register::Act::Assign { person, posts };
        enter(desk, act, "assigning people to tables and windows")?;
    }
    Ok(hand_over)
}
