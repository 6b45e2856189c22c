//! What staff do at a table: one door for all of it, and two-person acts.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sicbo_house::acts;
use sicbo_wire::acts::{Confirmation, Done, Proposed};

use super::{At, Body, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::console::{ProposalOutcome, ShownProposal};
use crate::wire::staff::StaffAct;

/// Something staff do at a table. What takes two persons is refused here and
/// must be proposed
#[utoipa::path(post, path = "/api/tables/{table}/acts", tag = "tables", request_body = StaffAct,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = Done), Problems))]
pub async fn act(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Body(act): Body<StaffAct>,
) -> Result<Json<Done>, Problem> {
    needs_proof(&floor, &person, &act)?;
    let person = person.present();
    let done = acts::act(&floor.house, &person, &name, &act);
    done.await.map(Json)
}

/// What moves money or changes what may be staked takes a PIN given lately.
fn needs_proof(floor: &Floor, person: &Person, act: &StaffAct) -> Result<(), Problem> {
    match act.request().is_some() || matches!(act, StaffAct::ChangeLimits { .. }) {
        true => person.proved_lately(floor),
        false => Ok(()),
    }
}

/// Two-person acts that wait for their second person
#[utoipa::path(get, path = "/api/tables/{table}/proposals", tag = "tables",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = [ShownProposal]), Problems))]
pub async fn proposals(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
) -> Result<Json<Vec<ShownProposal>>, Problem> {
    acts::proposals(&floor.house, &name).map(Json)
}

/// What came of a proposal, for whoever made it and does not see the table; null while it waits
#[utoipa::path(get, path = "/api/tables/{table}/proposals/{proposal}/outcome", tag = "tables",
    params(("table" = String, Path, description = "The table's name"),
           ("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 200, body = Option<ProposalOutcome>), Problems))]
pub async fn outcome(
    State(floor): State<Arc<Floor>>,
    At((name, number)): At<(String, u64)>,
) -> Result<Json<Option<ProposalOutcome>>, Problem> {
    acts::outcome(&floor.house, &name, number).map(Json)
}

/// Proposes an act that takes two persons
#[utoipa::path(post, path = "/api/tables/{table}/proposals", tag = "tables",
    request_body = StaffAct,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 201, body = Proposed), Problems))]
pub async fn propose(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Body(act): Body<StaffAct>,
) -> Result<(StatusCode, Json<Proposed>), Problem> {
    needs_proof(&floor, &person, &act)?;
    let proposed = acts::propose(&floor.house, person.present(), &name, act).await?;
    Ok((StatusCode::CREATED, Json(proposed)))
}

/// Withdraws a proposal of one's own
#[utoipa::path(delete, path = "/api/tables/{table}/proposals/{proposal}", tag = "tables",
    params(("table" = String, Path, description = "The table's name"),
           ("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 204), Problems))]
pub async fn withdraw(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At((name, number)): At<(String, u64)>,
) -> Result<StatusCode, Problem> {
    acts::withdraw(&floor.house, person.staff.person, &name, number).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Confirms a proposal as the second person, on a session of one's own
#[utoipa::path(post, path = "/api/tables/{table}/proposals/{proposal}/confirm", tag = "tables",
    request_body = Confirmation,
    params(("table" = String, Path, description = "The table's name"),
           ("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 200, body = Done), Problems))]
pub async fn confirm(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At((name, number)): At<(String, u64)>,
    Body(stated): Body<Confirmation>,
) -> Result<Json<Done>, Problem> {
    person.proved_lately(&floor)?;
    let done = acts::confirm(&floor.house, person.present(), &name, number, stated);
    done.await.map(Json)
}
