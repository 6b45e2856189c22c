//! The plan is read again, asked by a person.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Serialize;
use sicbo_house::watch::Seen;
use sicbo_register::security::SecurityKind;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Person, Problems};
use crate::edge::PeerAddress;
use crate::floor::Floor;
use crate::problem::Problem;
use crate::reload::{NotReloaded, reload};

/// What came of reading the plan again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct PlanReloaded {
    /// Taken into use.
    pub applied: Vec<String>,
    /// Changed by people in the running house, each with how.
    pub by_people: Vec<String>,
    /// Taken into use at the next start.
    pub needs_restart: Vec<String>,
}

/// Reads the plan again: certificates and the level of the log are taken into use at once
#[utoipa::path(post, path = "/api/reload", tag = "house",
    responses((status = 200, body = PlanReloaded), Problems))]
pub async fn again(
    State(floor): State<Arc<Floor>>,
    by: Person,
    address: Option<Extension<PeerAddress>>,
) -> Result<Json<PlanReloaded>, Problem> {
    let seen = Seen {
        person: Some(by.staff.person),
        place: by.place,
        address: address.map(|Extension(PeerAddress(address))| address),
        ..Seen::of(SecurityKind::Reloaded, String::new())
    };
    let reloaded = reload(&floor, seen).await.map_err(|error| {
        let code = match error {
            NotReloaded::NoPlan => "no_plan",
            NotReloaded::Faults(_) => "plan_faulty",
        };
        Problem::new(StatusCode::CONFLICT, code, error.to_string())
    })?;
    Ok(Json(PlanReloaded {
        applied: reloaded.applied,
        by_people: reloaded.by_people,
        needs_restart: reloaded.needs_restart,
    }))
}
