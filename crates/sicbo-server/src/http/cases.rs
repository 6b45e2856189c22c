//! Cases: disputes and incidents, from the terminal and from the pit.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sicbo_house::now_ms;
use sicbo_house::register::case::{Case, CaseId, Claimed, Grievance, Kind, Ladder, NewCase, Step};
use sicbo_house::register::{Act, Fact, Party};
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::Command;
use sicbo_table::actor::Actor;
use sicbo_table::command::IncidentKind;
use sicbo_table::ids::{BetId, RoundNumber, StationId};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::{Ask, At, Body, Person, Problems, Terminal};
use crate::floor::{Floor, TableAt};
use crate::hub::Reply;
use crate::problem::Problem;
use crate::wire::cases::{
    AnswerName, CaseFile, CaseStep, NewDispute, OpenCase, PlayerAnswer, ShownCase, ShownMoment,
    StationCase,
};

/// Cases shown at once.
const MOST_SHOWN: usize = 500;

/// Which cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhichState {
    /// Those that are not closed.
    Open,
    /// Those that are.
    Closed,
    /// All.
    All,
}

/// Which cases.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichCases {
    /// `open` without it.
    #[param(inline)]
    state: Option<WhichState>,
    /// Of one table only.
    table: Option<String>,
}

/// What is known of a table when a case is opened about it.
fn new_case(
    at: &TableAt,
    kind: Kind,
    round: Option<u64>,
    station: Option<StationId>,
) -> Result<NewCase, Problem> {
    let state = at.hub.state();
    let table = &state.table;
    let book = table.book().ok_or_else(|| Problem::not_found("table"))?;
    let played = |round: &u64| (1..=table.last_round.0).contains(round);
    if round.is_some_and(|round| !played(&round)) {
        return Err(Problem::not_found("round"));
    }
    let session = match station {
        Some(id) => {
            let known = table.station(id);
            Some(known.ok_or_else(|| Problem::not_found("station"))?.session)
        }
        None => None,
    };
    let refused = match (station, round) {
        (Some(station), Some(round)) => at.hub.refused_bets(station, RoundNumber(round)),
        _ => Vec::new(),
    };
    Ok(NewCase {
        kind,
        table: at.hub.name.clone(),
        ladder: Ladder::of(book),
        round: round.map(RoundNumber),
        station,
        session,
        grievance: Grievance::Other,
        words: String::new(),
        claimed: Claimed::default(),
        refused,
    })
}

async fn open_case(floor: &Floor, by: Party, new: NewCase) -> Result<CaseId, Problem> {
    let act = Act::OpenCase { new: Box::new(new) };
    let entered = floor.desk.ask(by, None, act).await;
    Problem::unless_entered(entered.answer)?;
    let opened = entered.facts.iter().find_map(|fact| match fact {
        Fact::CaseOpened { case, .. } => Some(*case),
        _ => None,
    });
    opened.ok_or_else(|| Problem::ours(&"a case was opened without a fact"))
}

/// A case that is at hand.
fn found(floor: &Floor, number: u64) -> Result<Case, Problem> {
    let register = floor.desk.register();
    let case = register.cases.get(&CaseId(number));
    case.cloned().ok_or_else(|| Problem::not_found("case"))
}

/// The positions a person holds, or acts in at a table.
fn positions(floor: &Floor, person: &Person, case: &Case) -> Vec<Position> {
    let mut held = vec![person.staff.position];
    if let Some(at) = floor.table_at(case.new.table.as_str()) {
        let state = at.hub.state();
        let acting = state.table.acting.iter();
        let own = acting.filter(|(who, _)| *who == person.staff.person);
        held.extend(own.map(|(_, position)| *position));
    }
    held
}

fn shown(floor: &Floor, person: &Person, number: u64) -> Result<ShownCase, Problem> {
    let case = found(floor, number)?;
    let positions = positions(floor, person, &case);
    let register = floor.desk.register();
    let id = CaseId(number);
    Ok(ShownCase::of(&register, id, &case, &positions, now_ms()))
}

/// Opens a dispute from the player's terminal
#[utoipa::path(post, path = "/api/station/disputes", tag = "station", request_body = NewDispute,
    responses((status = 201, body = StationCase), Problems))]
pub async fn dispute(
    State(floor): State<Arc<Floor>>,
    Terminal {
        enrolment,
        table,
        station,
    }: Terminal,
    Body(asked): Body<NewDispute>,
) -> Result<(StatusCode, Json<StationCase>), Problem> {
    let at = floor
        .table_at(table.as_str())
        .ok_or_else(|| Problem::not_found("table"))?;
    let new = NewCase {
        grievance: asked.reason.into(),
        words: asked.words.unwrap_or_default(),
        claimed: Claimed {
            bet: asked.bet.map(BetId),
            tapped_ms: asked.tapped_ms,
            sent_ms: asked.sent_ms,
        },
        ..new_case(at, Kind::Dispute, Some(asked.round), Some(station))?
    };
    let id = open_case(&floor, Party::Place(enrolment), new).await?;
    // The console and the journal of the table hear of it as well. The case is
    // open whether or not there is room for that.
    let command = Command {
        id: 0,
        at_ms: now_ms(),
        by: Actor::Station(station),
        second: None,
        act: sicbo_table::Act::RaiseIncident {
            kind: IncidentKind::Dispute,
            note: format!("case {}, round {}", id.0, asked.round),
        },
    };
    let _ = at.hub.submit(Reply::Nobody, command);
    let case = found(&floor, id.0)?;
    Ok((StatusCode::CREATED, Json(StationCase::of(id, &case))))
}

/// The cases of whoever plays at the station now, the newest first
#[utoipa::path(get, path = "/api/station/cases", tag = "station",
    responses((status = 200, body = [StationCase]), Problems))]
pub async fn own(
    State(floor): State<Arc<Floor>>,
    Terminal { table, station, .. }: Terminal,
) -> Result<Json<Vec<StationCase>>, Problem> {
    let at = floor.table_at(table.as_str());
    let session = at.and_then(|at| at.hub.state().table.station(station).map(|s| s.session));
    let register = floor.desk.register();
    let newest = register.cases.iter().rev();
    let own = newest.filter(|(_, case)| {
        let new = &case.new;
        new.kind == Kind::Dispute
            && new.table == table
            && new.station == Some(station)
            && new.session == session
    });
    let shown = own.map(|(id, case)| StationCase::of(*id, case));
    Ok(Json(shown.take(50).collect()))
}

/// What the player says to a decision, at the terminal
#[utoipa::path(post, path = "/api/station/cases/{case}/answer", tag = "station",
    request_body = PlayerAnswer,
    params(("case" = u64, Path, description = "The case's number")),
    responses((status = 200, body = StationCase), Problems))]
pub async fn answer(
    State(floor): State<Arc<Floor>>,
    Terminal {
        enrolment,
        table,
        station,
    }: Terminal,
    At(number): At<u64>,
    Body(asked): Body<PlayerAnswer>,
) -> Result<Json<StationCase>, Problem> {
    let at = floor.table_at(table.as_str());
    let session = at.and_then(|at| at.hub.state().table.station(station).map(|s| s.session));
    let case = found(&floor, number)?;
    // Whoever sits there later is not asked about it.
    if case.new.session != session || case.new.table != table || case.new.station != Some(station) {
        return Err(Problem::not_found("case"));
    }
    if asked.answer == AnswerName::Left {
        return Err(Problem::not_allowed("who has left is not at the terminal"));
    }
    let act = Act::StepCase {
        case: CaseId(number),
        acting: None,
        step: Step::Answer {
            answer: asked.answer.into(),
        },
    };
    let entered = floor.desk.ask(Party::Place(enrolment), None, act).await;
    Problem::unless_entered(entered.answer)?;
    let case = found(&floor, number)?;
    Ok(Json(StationCase::of(CaseId(number), &case)))
}

/// Cases of the house, the newest first, at most 500
#[utoipa::path(get, path = "/api/cases", tag = "cases", params(WhichCases),
    responses((status = 200, body = [ShownCase]), Problems))]
pub async fn list(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Ask(asked): Ask<WhichCases>,
) -> Json<Vec<ShownCase>> {
    let wanted: Vec<(CaseId, Case)> = {
        let register = floor.desk.register();
        let cases = register.cases.iter().rev();
        let wanted = cases.filter(|(_, case)| {
            let table = asked.table.as_deref();
            table.is_none_or(|table| case.new.table.as_str() == table)
                && match asked.state.unwrap_or(WhichState::Open) {
                    WhichState::Open => case.is_open(),
                    WhichState::Closed => !case.is_open(),
                    WhichState::All => true,
                }
        });
        let wanted = wanted.map(|(id, case)| (*id, case.clone()));
        wanted.take(MOST_SHOWN).collect()
    };
    let now = now_ms();
    let shown = wanted.iter().map(|(id, case)| {
        let positions = positions(&floor, &person, case);
        ShownCase::of(&floor.desk.register(), *id, case, &positions, now)
    });
    Json(shown.collect())
}

/// Opens a case
#[utoipa::path(post, path = "/api/cases", tag = "cases", request_body = OpenCase,
    responses((status = 201, body = ShownCase), Problems))]
pub async fn open(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(asked): Body<OpenCase>,
) -> Result<(StatusCode, Json<ShownCase>), Problem> {
    let at = floor
        .table_at(&asked.table)
        .ok_or_else(|| Problem::not_found("table"))?;
    let station = asked.station.map(StationId);
    let new = NewCase {
        grievance: asked.reason.map_or(Grievance::Other, Into::into),
        words: asked.words,
        ..new_case(at, asked.kind.into(), asked.round, station)?
    };
    let id = open_case(&floor, Party::Person(person.staff.person), new).await?;
    let case = shown(&floor, &person, id.0)?;
    Ok((StatusCode::CREATED, Json(case)))
}

/// A case with the bet's own timeline
#[utoipa::path(get, path = "/api/cases/{case}", tag = "cases",
    params(("case" = u64, Path, description = "The case's number")),
    responses((status = 200, body = CaseFile), Problems))]
pub async fn one(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(number): At<u64>,
) -> Result<Json<CaseFile>, Problem> {
    let case = shown(&floor, &person, number)?;
    let (Some(round), Some(station)) = (case.round, case.station) else {
        let timeline = None;
        return Ok(Json(CaseFile { case, timeline }));
    };
    let house = Arc::clone(&floor);
    let table = case.table.clone();
    let read = floor.reading.run(move || {
        let at = house.table_at(&table).ok_or("there is no such table")?;
        at.timeline(round, StationId(station))
    });
    let moments = read.await?.map_err(|error| Problem::ours(&error))?;
    let timeline = moments.map(|moments| moments.iter().map(ShownMoment::of).collect());
    Ok(Json(CaseFile { case, timeline }))
}

/// Takes a step of a case. Who may is the business of the table's rule book
#[utoipa::path(post, path = "/api/cases/{case}/steps", tag = "cases", request_body = CaseStep,
    params(("case" = u64, Path, description = "The case's number")),
    responses((status = 200, body = ShownCase), Problems))]
pub async fn step(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(number): At<u64>,
    Body(asked): Body<CaseStep>,
) -> Result<Json<ShownCase>, Problem> {
    let case = found(&floor, number)?;
    let amount = match asked {
        CaseStep::LinkAdjustment { record } => adjusted(&floor, &case, record).await?,
        _ => Money::ZERO,
    };
    let step = asked.step(amount);
    // A position somebody only acts in is on record where their own is not enough.
    let acting = {
        let held = positions(&floor, &person, &case);
        let register = floor.desk.register();
        let now = now_ms();
        let may = |position: &Position| {
            let offered = register.case_steps(&case, &[*position], now);
            offered.contains(&step.word())
        };
        match held.split_first() {
            Some((own, others)) if !may(own) => others.iter().copied().find(|p| may(p)),
            _ => None,
        }
    };
    let act = Act::StepCase {
        case: CaseId(number),
        acting,
        step,
    };
    let by = Party::Person(person.staff.person);
    let entered = floor.desk.ask(by, None, act).await;
    Problem::unless_entered(entered.answer)?;
    shown(&floor, &person, number).map(Json)
}

/// The amount of an adjustment, which is of the case's own station.
async fn adjusted(floor: &Arc<Floor>, case: &Case, record: u64) -> Result<Money, Problem> {
    let house = Arc::clone(floor);
    let table = case.new.table.clone();
    let read = floor.reading.run(move || {
        let at = house
            .table_at(table.as_str())
            .ok_or("there is no such table")?;
        at.adjustment(record)
    });
    let found = read.await?.map_err(|error| Problem::ours(&error))?;
    match found {
        Some((station, amount)) if Some(station) == case.new.station => Ok(amount),
        _ => Err(Problem::new(
            StatusCode::CONFLICT,
            "no_such_adjustment",
            "that record of the table is no adjustment of this station's credit",
        )),
    }
}

/// The case as one signed file that proves its records and its round
#[utoipa::path(get, path = "/api/cases/{case}/bundle", tag = "cases",
    params(("case" = u64, Path, description = "The case's number")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        Problems))]
pub async fn bundle(
    State(floor): State<Arc<Floor>>,
    At(number): At<u64>,
) -> Result<Response, Problem> {
    let case = found(&floor, number)?;
    let house = Arc::clone(&floor);
    let read = floor
        .reading
        .run(move || house.case_bundle(number, &case.new));
    let bytes = read
        .await?
        .map_err(|words| Problem::new(StatusCode::CONFLICT, "not_yet", words))?;
    let name = format!("attachment; filename=\"case-{number}.bundle\"");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, bytes).into_response())
}
