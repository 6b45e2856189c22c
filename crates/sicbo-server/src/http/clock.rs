//! The clocks: how they stand, and that a supervisor has looked at them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Body, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use sicbo_table::table::ClocksParted;

/// How the clocks stand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ClockState {
    /// The house's, by which it plays.
    pub house_ms: i64,
    /// The machine's, which can be set.
    pub machine_ms: i64,
    /// What they showed when they were found to have parted; null when they
    /// agree, or a supervisor has looked since.
    pub parted: Option<ClocksParted>,
}

/// A supervisor has looked at the machine's clock and says that it is right.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockLooked {
    /// What it showed.
    pub machine_ms: i64,
}

/// How the clocks stand
#[utoipa::path(get, path = "/api/clock", tag = "pit",
    responses((status = 200, body = ClockState), Problems))]
pub async fn clock(State(floor): State<Arc<Floor>>) -> Result<Json<ClockState>, Problem> {
    let both = floor.clock.both();
    let (house_ms, machine_ms) = both.ok_or_else(Problem::busy)?;
    let parted = floor.desk.register().clock_parted;
    Ok(Json(ClockState {
        house_ms,
        machine_ms,
        parted,
    }))
}

/// Says that the machine's clock is right: the house's follows it, and rounds
/// may begin again
#[utoipa::path(post, path = "/api/clock", tag = "pit", request_body = ClockLooked,
    responses((status = 204), Problems))]
pub async fn looked(
    State(floor): State<Arc<Floor>>,
    by: Person,
    Body(seen): Body<ClockLooked>,
) -> Result<StatusCode, Problem> {
    sicbo_house::clock::looked(&floor, by.staff.person, seen.machine_ms).await?;
    Ok(StatusCode::NO_CONTENT)
}
