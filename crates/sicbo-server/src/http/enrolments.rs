//! Stations, consoles, displays, devices and windows, each with a key of its own.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sicbo_register::enrolment::{EnrolmentId, Role, TableName};
use sicbo_register::set_up::new_enrolment;
use sicbo_register::{Act, Fact};
use sicbo_table::ids::StationId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{At, Body, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use sicbo_house::hub::ToHub;
pub use sicbo_wire::people::{NewEnrolment, Revocation};
pub use sicbo_wire::places::EnrolmentRole;

/// Something enrolled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownEnrolment {
    /// Its number.
    pub enrolment: u32,
    /// What it is.
    pub role: EnrolmentRole,
    /// What people call it.
    pub name: String,
    /// Since when.
    pub since_ms: i64,
    /// When it was revoked.
    pub revoked_ms: Option<i64>,
}

/// What the enrolled one presents, shown once.
#[derive(Serialize, TS, ToSchema)]
pub struct Enrolled {
    /// Its number.
    pub enrolment: u32,
    /// Its token.
    pub token: String,
}

pub(super) fn role(floor: &Floor, role: &EnrolmentRole) -> Result<Role, Problem> {
    let table = |name: &str| -> Result<TableName, Problem> {
        Ok(floor.table_named(name)?.hub.name.clone())
    };
    Ok(match role {
        EnrolmentRole::Station {
            table: name,
            station,
        } => {
            let table = table(name)?;
            let station = StationId(*station);
            let known = floor
                .table(&table)
                .is_some_and(|hub| hub.state().table.station(station).is_some());
            if !known {
                return Err(Problem::not_found("station"));
            }
            Role::Station { table, station }
        }
        EnrolmentRole::Console { table: name } => Role::Console {
            table: table(name)?,
        },
        EnrolmentRole::Display { table: name } => Role::Display {
            table: match name {
                Some(name) => Some(table(name)?),
                None => None,
            },
        },
        EnrolmentRole::Device {
            table: name,
            device,
        } => Role::Device {
            table: table(name)?,
            device: *device,
        },
        EnrolmentRole::PitDesk {} => Role::PitDesk,
        EnrolmentRole::Cage {} => Role::Cage,
        EnrolmentRole::TechnicianDesk {} => Role::TechnicianDesk,
        EnrolmentRole::AuditDesk {} => Role::AuditDesk,
    })
}

/// What is or was enrolled
#[utoipa::path(get, path = "/api/enrolments", tag = "enrolment",
    responses((status = 200, body = [ShownEnrolment]), Problems))]
pub async fn list(State(floor): State<Arc<Floor>>) -> Json<Vec<ShownEnrolment>> {
    let register = floor.desk.register();
    let all = register
        .enrolments
        .iter()
        .map(|(id, known)| ShownEnrolment {
            enrolment: id.0,
            role: EnrolmentRole::of(&known.role),
            name: known.name.clone(),
            since_ms: known.since_ms,
            revoked_ms: known.revoked_ms,
        });
    Json(all.collect())
}

/// Enrols; the token is shown once
#[utoipa::path(post, path = "/api/enrolments", tag = "enrolment", request_body = NewEnrolment,
    responses((status = 201, body = Enrolled), Problems))]
pub async fn enrol(
    State(floor): State<Arc<Floor>>,
    by: Person,
    Body(new): Body<NewEnrolment>,
) -> Result<Response, Problem> {
    let role = role(&floor, &new.role)?;
    let (new, key) = new_enrolment(role, &new.name).map_err(|error| Problem::ours(&error))?;
    let facts = floor
        .desk
        .enter(by.party(), None, Act::Enrol { new })
        .await?;
    let id = facts.iter().find_map(|fact| match fact {
        Fact::Enrolled { enrolment, .. } => Some(*enrolment),
        _ => None,
    });
    let id = id.ok_or_else(|| Problem::ours(&"nothing was enrolled"))?;
    let enrolled = Enrolled {
        enrolment: id.0,
        token: key.token(id),
    };
    Ok((StatusCode::CREATED, Json(enrolled)).into_response())
}

/// Revokes: the key opens nothing any more
#[utoipa::path(delete, path = "/api/enrolments/{enrolment}", tag = "enrolment",
    request_body = Revocation,
    params(("enrolment" = u32, Path, description = "Its number")),
    responses((status = 204), Problems))]
pub async fn revoke(
    State(floor): State<Arc<Floor>>,
    by: Person,
    At(enrolment): At<u32>,
    Body(why): Body<Revocation>,
) -> Result<StatusCode, Problem> {
    let id = EnrolmentId(enrolment);
    let role = {
        let register = floor.desk.register();
        register.enrolments.get(&id).map(|known| known.role.clone())
    };
    let act = Act::Revoke {
        enrolment: id,
        reason: why.reason,
    };
    floor.desk.enter(by.party(), None, act).await?;
    cut_off(&floor, role).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Whoever is connected with something that was revoked is cut off at once.
pub(super) async fn cut_off(floor: &Floor, role: Option<Role>) {
    match role {
        Some(Role::Station { table, station }) => {
            if let Some(hub) = floor.table(&table) {
                let expel = ToHub::Expel(station);
                hub.tell(expel, || floor.house.host.pause()).await;
            }
        }
        Some(Role::Device { table, device }) => {
            let at = floor.table_at(table.as_str());
            if let Some(line) = at.and_then(|at| at.line.get()) {
                line.disconnect(device);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use sicbo_plan::HousePlan;
    use sicbo_register::Party;
    use sicbo_register::command::PinRight;
    use sicbo_register::person::SessionId;
    use sicbo_rules::rulebook::words::Position;
    use sicbo_table::actor::Staff;

    use super::*;
    use crate::floor::start;
    use sicbo_house::sessions::Token;

    #[test]
    fn s_17_a_token_is_told_also_when_nothing_can_be_read_now() {
        let folder = tempfile::tempdir().unwrap();
        let started = start(
            HousePlan::trial(),
            &folder.path().join("data"),
            false,
            &Default::default(),
        )
        .unwrap();
        let floor = Arc::clone(&started.floor);
        let (id, known) = {
            let register = floor.desk.register();
            let mut people = register.people.iter();
            let found = people.find(|(_, known)| known.position == Position::Technician);
            let (id, known) = found.expect("a technician");
            (*id, known.clone())
        };
        // Nobody acts with the PIN they were given.
        let act = Act::ChangePin {
            old: PinRight {
                person: id,
                pin_version: known.pin_version,
            },
            pin: known.pin,
        };
        let changed = futures_executor::block_on(floor.desk.ask(Party::Person(id), None, act));
        Problem::unless_entered(changed.answer).expect("changed");
        let by = Person {
            staff: Staff {
                person: id,
                position: Position::Technician,
            },
            name: known.name,
            one_time: false,
            factor_needed: false,
            proved_ms: 0,
            session: SessionId(1),
            place: None,
            token: Token::of(""),
        };
        let new = NewEnrolment {
            name: "T1 again".to_owned(),
            role: EnrolmentRole::PitDesk {},
        };
        // As much is read and waits as may.
        floor.reading().close();
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        let said = runtime.block_on(enrol(State(floor), by, Body(new)));
        assert_eq!(said.expect("enrolled").status(), StatusCode::CREATED);
        started.engine.stop();
    }
}
