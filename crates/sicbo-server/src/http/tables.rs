//! A table and its rounds.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sicbo_register as register;
use sicbo_table::ids::{RoundNumber, StationId};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::camera::Camera;
use super::{Ask, At, Body, Person, Problems};
use crate::floor::{Floor, NotRestarted, StartError};
use crate::problem::Problem;
use crate::wire::console::StaffState;
use crate::wire::public::{PublicState, TableInfo};
use crate::wire::rounds::RoundShown;
use crate::wire::staff::Files as _;
use crate::wire::terminal::Card;

/// What everyone may know of a table.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct ShownTable {
    /// What it is; null before it was first opened.
    pub info: Option<TableInfo>,
    /// Sequence it rests on.
    pub version: u64,
    /// How it stands; null while it is out of service.
    pub state: Option<PublicState>,
    /// It is out of service: nothing is dealt, bet or paid at it.
    pub stopped: bool,
    /// Who deals, by name, as on their badge; null while nobody does, or the automatic dealer.
    pub dealer: Option<String>,
    /// The camera over it.
    pub camera: Option<Camera>,
}

/// Which rounds.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Rounds before this one; without it, the last ones.
    #[param(minimum = 1)]
    before: Option<u64>,
    /// How many, at most 200.
    #[param(minimum = 1, maximum = 200)]
    n: Option<u16>,
}

/// One station's part of a round, for staff.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct StationPart {
    /// Which station.
    pub station: u32,
    /// Who played there.
    pub session: u32,
    /// Its card.
    pub card: Card,
}

/// What everyone may know of a table
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = ShownTable), Problems))]
pub async fn table(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
) -> Result<Json<ShownTable>, Problem> {
    let at = floor.table_named(&name)?;
    let stopped = at.hub.stopped().is_some();
    let state = at.hub.state();
    let (info, public) = (TableInfo::of(&state.table), PublicState::of(&state.table));
    let (version, dealer) = (state.version, state.tally.dealer);
    // The register is not asked while a table is held.
    drop(state);
    Ok(Json(ShownTable {
        info,
        version,
        state: public.filter(|_| !stopped),
        stopped,
        // The automatic dealer acts in the names of people who are not there.
        dealer: dealer
            .filter(|_| !at.dealer.as_ref().is_some_and(|dealer| dealer.deals()))
            .and_then(|(person, _)| floor.desk.name_of(person)),
        camera: Camera::at(at),
    }))
}

/// Where somebody wants an attendant.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatCall {
    /// The seat's number.
    seat: u32,
}

/// Calls for staff at a seat of a table that is played with chips
#[utoipa::path(post, path = "/api/tables/{table}/calls", tag = "tables", request_body = SeatCall,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 204), Problems))]
pub async fn call(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    Body(asked): Body<SeatCall>,
) -> Result<StatusCode, Problem> {
    let at = floor.table_named(&name)?;
    floor.call_to_seat(at, StationId(asked.seat)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Why a table is started again.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Restart {
    /// What was mended, for the record.
    reason: String,
}

/// Starts a table that is out of service again, from its journal as it is on
/// the disk now; other tables play on
#[utoipa::path(post, path = "/api/tables/{table}/restart", tag = "tables",
    request_body = Restart,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 204), Problems))]
pub async fn restart(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Body(asked): Body<Restart>,
) -> Result<StatusCode, Problem> {
    let at = floor.table_named(&name)?;
    let table = at.hub.name.clone();
    if at.hub.stopped().is_none() {
        return Err(not_restarted(&NotRestarted::Runs));
    }
    // On record first: whoever did it, and why.
    let act = register::Act::RestartTable {
        table,
        reason: asked.reason.clone(),
    };
    floor.desk.enter(person.party(), None, act).await?;
    let house = Arc::clone(&floor);
    let why = format!("the table was started again by {}", person.name);
    let work = move || {
        let at = house.table_named(&name)?;
        let restarted = house.restart_table(at, &why);
        restarted.map_err(|error| not_restarted(&error))
    };
    floor.restarting.run(work).await??;
    Ok(StatusCode::NO_CONTENT)
}

fn not_restarted(why: &NotRestarted) -> Problem {
    let code = match why {
        NotRestarted::Runs => "table_in_service",
        NotRestarted::Behind(_) => "house_behind",
        NotRestarted::Stopping => "stopping",
        NotRestarted::Start(StartError::Older { .. }) => "journal_older",
        NotRestarted::Start(_) | NotRestarted::FailedAgain => "not_restarted",
    };
    Problem::conflict(code, why.to_string())
}

/// Everything staff may see of a table
#[utoipa::path(get, path = "/api/tables/{table}/staff", tag = "tables",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = StaffState), Problems))]
pub async fn staff(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
) -> Result<Json<StaffState>, Problem> {
    let at = floor.table_named(&name)?;
    let mut state =
        StaffState::of(&at.hub.state().table).ok_or_else(|| Problem::not_found("table"))?;
    state.name_readers(|person| floor.desk.name_of(person));
    Ok(Json(state))
}

/// Ended rounds, the newest first
#[utoipa::path(get, path = "/api/tables/{table}/rounds", tag = "tables",
    params(("table" = String, Path, description = "The table's name"), Which),
    responses((status = 200, body = [RoundShown]), Problems))]
pub async fn rounds(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    Ask(which): Ask<Which>,
) -> Result<Json<Vec<RoundShown>>, Problem> {
    floor.table_named(&name)?;
    let n = usize::from(which.n.unwrap_or(20));
    if !(1..=200).contains(&n) || which.before == Some(0) {
        return Err(Problem::new(
            axum::http::StatusCode::BAD_REQUEST,
            "not_understood",
            "n is 1 to 200, before is a round's number",
        ));
    }
    let house = Arc::clone(&floor);
    let read = move || {
        house
            .table_named(&name)
            .map(|at| at.rounds(which.before, n))
    };
    let rounds = floor.public_reading.run(read).await??;
    rounds.map(Json).map_err(|error| Problem::ours(&error))
}

/// Every station's part of a round
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}", tag = "tables",
    params(("table" = String, Path, description = "The table's name"),
           ("round" = u64, Path, description = "The round's number")),
    responses((status = 200, body = [StationPart]), Problems))]
pub async fn round(
    State(floor): State<Arc<Floor>>,
    At((name, round)): At<(String, u64)>,
) -> Result<Json<Vec<StationPart>>, Problem> {
    let at_table = floor.table_named(&name)?;
    let read = floor.read_at(&name, move |at| at.record(RoundNumber(round)));
    let record = read.await?.map_err(|_| Problem::not_found("round"))?;
    let state = at_table.hub.state();
    let parts = record.stations.iter().map(|part| StationPart {
        station: part.station.0,
        session: part.session.0,
        card: Card::of(&state.table, &record, part, None, None),
    });
    Ok(Json(parts.collect()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    use axum::extract::State;
    use parking_lot::Mutex;
    use sicbo_plan::HousePlan;

    use super::{Ask, At, Which, round, rounds};
    use crate::floor::start;

    /// More than may be read for the public at once and wait beside it.
    const FILLS: usize = 100;

    #[test]
    fn public_history_that_is_full_keeps_no_staff_from_a_round() {
        let folder = tempfile::TempDir::new().unwrap();
        let mut plan = HousePlan::trial();
        plan.pin_cost = sicbo_register::pin::PinCost::LOW;
        let started = start(plan, folder.path(), false, &Default::default()).unwrap();
        let floor = Arc::clone(&started.floor);
        let table = || "mbs-etg".to_owned();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let (open, opened) = channel::<()>();
            let opened = Arc::new(Mutex::new(opened));
            let mut reading = Vec::new();
            for _ in 0..FILLS {
                let (house, opened) = (Arc::clone(&floor), Arc::clone(&opened));
                let read = async move {
                    let wait = move || opened.lock().recv().is_ok();
                    house.public_reading.run(wait).await.is_ok()
                };
                reading.push(tokio::spawn(read));
            }
            // Those who found no room were told so at once: the others fill it.
            let refused = || reading.iter().filter(|one| one.is_finished()).count();
            while refused() == 0 {
                tokio::task::yield_now().await;
            }
            let which = Which {
                before: None,
                n: None,
            };
            let public = rounds(State(Arc::clone(&floor)), At(table()), Ask(which)).await;
            assert_eq!(
                public.err().map(|problem| problem.code),
                Some("busy".into())
            );
            // Staff look a round up, and are told that there is none yet.
            let asked = At((table(), 1_000_000));
            let staff = round(State(Arc::clone(&floor)), asked).await;
            assert_eq!(
                staff.err().map(|problem| problem.code),
                Some("not_found".into())
            );
            drop(open);
            for one in reading {
                one.await.unwrap();
            }
        });
        started.engine.stop();
    }
}
