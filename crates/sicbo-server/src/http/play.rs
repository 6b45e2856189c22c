//! Responsible play: a player's own limits, breaks and reality checks, the
//! membership card, and play stopped by the house.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sicbo_house::membership::{LONGEST_CARD, Standing};
use sicbo_house::now_ms;
use sicbo_house::register::enrolment::TableName;
use sicbo_house::register::play::{Play, PlayStep, Sitting, Tally};
use sicbo_house::register::voucher::Place;
use sicbo_house::register::{Act, Party};
use sicbo_table::ids::StationId;

use super::{At, Body, Caller, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::play::{CardStanding, PlayChange, PresentedCard, ShownPlay, StopPlay};

/// Who sits at a station and how its meters stand.
fn sitting(
    floor: &Floor,
    table: &TableName,
    station: StationId,
) -> Result<(Sitting, Tally), Problem> {
    let at = floor
        .table_at(table.as_str())
        .ok_or_else(|| Problem::not_found("table"))?;
    at.hub
        .sitting(station, now_ms())
        .ok_or_else(|| Problem::not_found("station"))
}

fn shown(floor: &Floor, table: TableName, station: StationId) -> Result<ShownPlay, Problem> {
    let (sitting, meters) = sitting(floor, &table, station)?;
    let register = floor.desk.register();
    let known = register.plays.get(&Place { table, station });
    let known = known.filter(|play| play.session == sitting.session);
    let now = now_ms();
    Ok(match known {
        Some(play) => ShownPlay::of(play, &meters, now),
        None => {
            let play = Play::new(sitting.session, sitting.began_ms, sitting.base);
            ShownPlay::of(&play, &meters, now)
        }
    })
}

async fn change(
    floor: &Floor,
    by: Party,
    table: TableName,
    station: StationId,
    step: PlayStep,
) -> Result<(), Problem> {
    let (sitting, _) = sitting(floor, &table, station)?;
    let act = Act::StepPlay {
        place: Place { table, station },
        sitting,
        step,
    };
    let entered = floor.desk.ask(by, None, act).await;
    Problem::unless_entered(entered.answer).map(|_| ())
}

/// How whoever plays at the station stands, and what holds for them
#[utoipa::path(get, path = "/api/station/play", tag = "station", operation_id = "play",
    responses((status = 200, body = ShownPlay), Problems))]
pub async fn show(
    State(floor): State<Arc<Floor>>,
    caller: Caller,
) -> Result<Json<ShownPlay>, Problem> {
    let Caller::Terminal { table, station, .. } = caller else {
        return Err(Problem::log_in_first());
    };
    shown(&floor, table, station).map(Json)
}

/// The player changes what holds for them
#[utoipa::path(post, path = "/api/station/play", tag = "station", operation_id = "change_play",
    request_body = PlayChange, responses((status = 200, body = ShownPlay), Problems))]
pub async fn set(
    State(floor): State<Arc<Floor>>,
    caller: Caller,
    Body(asked): Body<PlayChange>,
) -> Result<Json<ShownPlay>, Problem> {
    let Caller::Terminal {
        enrolment,
        table,
        station,
    } = caller
    else {
        return Err(Problem::log_in_first());
    };
    let by = Party::Place(enrolment);
    change(&floor, by, table.clone(), station, asked.step()).await?;
    shown(&floor, table, station).map(Json)
}

/// A membership card: who is excluded does not play
#[utoipa::path(post, path = "/api/station/card", tag = "station", request_body = PresentedCard,
    responses((status = 200, body = CardStanding), Problems))]
pub async fn card(
    State(floor): State<Arc<Floor>>,
    caller: Caller,
    Body(asked): Body<PresentedCard>,
) -> Result<Json<CardStanding>, Problem> {
    let Caller::Terminal { table, station, .. } = caller else {
        return Err(Problem::log_in_first());
    };
    if !(1..=LONGEST_CARD).contains(&asked.card.chars().count()) {
        return Err(Problem::input("a card has a number of 1 to 40 characters"));
    }
    let house = Arc::clone(&floor);
    let read = floor
        .reading
        .run(move || house.membership.look_up(&asked.card));
    let standing = read.await?.map_err(|error| {
        tracing::error!(%error, "a card could not be looked up");
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "no_membership",
            "cards cannot be looked up now",
        )
    })?;
    if standing == Standing::Excluded {
        let reason = "on the exclusion list".to_owned();
        let stop = PlayStep::Stop { reason };
        let stopped = change(&floor, Party::House, table, station, stop).await;
        // Stopped once is stopped.
        if let Err(problem) = stopped
            && problem.code != "already_done"
        {
            return Err(problem);
        }
    }
    let standing = standing.word().to_owned();
    Ok(Json(CardStanding { standing }))
}

/// Stops the play of whoever sits at a station, or lets it go on. Bets that
/// are registered stand
#[utoipa::path(post, path = "/api/tables/{table}/stations/{station}/play", tag = "tables",
    operation_id = "stop_play", request_body = StopPlay,
    params(("table" = String, Path, description = "The table's name"),
           ("station" = u32, Path, description = "The station")),
    responses((status = 204), Problems))]
pub async fn stop(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At((name, station)): At<(String, u32)>,
    Body(asked): Body<StopPlay>,
) -> Result<StatusCode, Problem> {
    let table = floor
        .table_at(&name)
        .ok_or_else(|| Problem::not_found("table"))?
        .hub
        .name
        .clone();
    let step = match asked.stop {
        true => PlayStep::Stop {
            reason: asked.reason,
        },
        false => PlayStep::Resume {
            reason: asked.reason,
        },
    };
    let by = Party::Person(person.staff.person);
    change(&floor, by, table, StationId(station), step).await?;
    Ok(StatusCode::NO_CONTENT)
}
