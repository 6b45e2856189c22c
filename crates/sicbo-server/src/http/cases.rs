//! Cases: disputes and incidents, from the terminal and from the pit.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sicbo_clock::now_ms;
use sicbo_register::case::{Answer, Case, CaseId, Claimed, Grievance, Kind, Ladder, NewCase, Step};
use sicbo_register::{Act, Fact, Party};
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::Actor;
use sicbo_table::command::IncidentKind;
use sicbo_table::ids::{BetId, RoundNumber, SessionNumber, StationId};
use sicbo_table::record::{RoundRecord, Standing};
use sicbo_table::{Command, Table};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::{Ask, At, Body, Person, Problems, Terminal};
use crate::floor::{Floor, TableAt};
use crate::problem::Problem;
use crate::wire::cases::{
    CaseFile, CaseStep, NewDispute, OpenCase, PlayerAnswer, ShownCase, StationCase,
};
use crate::wire::staff::Files as _;
use sicbo_house::hub::Reply;

/// Cases shown at once.
const MAX_SHOWN: usize = 500;

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
struct About {
    kind: Kind,
    grievance: Grievance,
    round: Option<u64>,
    station: Option<StationId>,
    /// Whoever sits at the station says so.
    at_terminal: bool,
}

/// A case as far as the table knows of it. Whom it is about is who played the
/// round, not who sits there now; the ladder is that of how the round stands.
async fn new_case(floor: &Arc<Floor>, at: &TableAt, about: &About) -> Result<NewCase, Problem> {
    let void_in_error = about.grievance == Grievance::VoidInError;
    if void_in_error && about.kind != Kind::Dispute {
        return Err(Problem::input(
            "`void_in_error` is a reason of a dispute, and of no other kind of case".to_owned(),
        ));
    }
    let record = match about.round {
        Some(round) => ended(floor, at, round).await?,
        None => None,
    };
    let void = matches!(record.as_deref(), Some(record) if record.standing == Standing::Void);
    if void_in_error && !void {
        return Err(Problem::conflict(
            "round_not_void",
            "a case about a void in error names a round that stands void",
        ));
    }
    let state = at.hub.state();
    let table = &state.table;
    let book = table.book().ok_or_else(|| Problem::not_found("table"))?;
    let session = match about.station {
        Some(id) => {
            let known = table.station(id);
            let now = known.ok_or_else(|| Problem::not_found("station"))?.session;
            played_by(table, about, id, now, record.as_deref())?
        }
        None => None,
    };
    let refused = match (about.station, about.round) {
        (Some(station), Some(round)) => at.hub.refused_bets(station, RoundNumber(round)),
        _ => Vec::new(),
    };
    let ladder = match void && about.kind == Kind::Dispute {
        true => Ladder::of_uncovered(book),
        false => Ladder::of(book),
    };
    Ok(NewCase {
        kind: about.kind,
        table: at.hub.name.clone(),
        ladder,
        round: about.round.map(RoundNumber),
        station: about.station,
        session,
        grievance: about.grievance,
        words: String::new(),
        claimed: Claimed::default(),
        refused,
    })
}

/// The record of a round that is over, as it stands now; none while it is
/// played.
async fn ended(
    floor: &Arc<Floor>,
    at: &TableAt,
    round: u64,
) -> Result<Option<Arc<RoundRecord>>, Problem> {
    let in_hand = {
        let state = at.hub.state();
        let table = &state.table;
        if !(1..=table.last_round.0).contains(&round) {
            return Err(Problem::not_found("round"));
        }
        let now = table.round.as_deref();
        now.is_some_and(|now| now.number == RoundNumber(round))
    };
    if in_hand {
        return Ok(None);
    }
    let name = at.hub.name.as_str();
    let read = floor.read_at(name, move |at| at.record(RoundNumber(round)));
    read.await?
        .map(Some)
        .map_err(|_| Problem::not_found("round"))
}

/// Who played at a station in the round: by the record, once it is over. Nobody
/// is paid for a bet that is not in it. Who says that a bet was not taken has
/// none there: it is whoever says so at the terminal, or sits there while play
/// has not gone on; of anybody else nothing is known.
fn played_by(
    table: &Table,
    about: &About,
    station: StationId,
    now: SessionNumber,
    record: Option<&RoundRecord>,
) -> Result<Option<SessionNumber>, Problem> {
    let Some(record) = record else {
        return Ok(Some(now));
    };
    let mut parts = record.stations.iter();
    if let Some(part) = parts.find(|part| part.station == station) {
        return Ok(Some(part.session));
    }
    let of_a_bet = matches!(
        about.grievance,
        Grievance::NotPaid
            | Grievance::PaidTooLittle
            | Grievance::WrongResult
            | Grievance::VoidInError
    );
    if about.kind == Kind::Dispute && of_a_bet {
        return Err(Problem::conflict(
            "no_part_in_round",
            "that station had no bet in that round",
        ));
    }
    let latest = table.round.is_none() && table.last_round == record.number;
    Ok((about.at_terminal || latest).then_some(now))
}

async fn open_case(floor: &Floor, by: Party, new: NewCase) -> Result<CaseId, Problem> {
    let act = Act::OpenCase { new: Box::new(new) };
    let facts = floor.desk.enter(by, None, act).await?;
    let opened = facts.iter().find_map(|fact| match fact {
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
    let at = floor.table_named(table.as_str())?;
    let about = About {
        kind: Kind::Dispute,
        grievance: asked.reason,
        round: Some(asked.round),
        station: Some(station),
        at_terminal: true,
    };
    let new = NewCase {
        words: asked.words.unwrap_or_default(),
        claimed: Claimed {
            bet: asked.bet.map(BetId),
            tapped_ms: asked.tapped_ms,
            sent_ms: asked.sent_ms,
        },
        ..new_case(&floor, at, &about).await?
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
    let session = at.and_then(|at| at.hub.own_session(station));
    let register = floor.desk.register();
    let newest = register.cases.iter().rev();
    let own = newest.filter(|(_, case)| {
        let new = &case.new;
        new.kind == Kind::Dispute
            && new.table == table
            && new.station == Some(station)
            && session.is_some()
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
    let session = at.and_then(|at| at.hub.own_session(station));
    let case = found(&floor, number)?;
    // Whoever sits there later is not asked about it.
    if session.is_none()
        || case.new.session != session
        || case.new.table != table
        || case.new.station != Some(station)
    {
        return Err(Problem::not_found("case"));
    }
    if asked.answer == Answer::Left {
        return Err(Problem::not_allowed("who has left is not at the terminal"));
    }
    let act = Act::StepCase {
        case: CaseId(number),
        acting: None,
        step: Step::Answer {
            answer: asked.answer,
        },
    };
    floor.desk.enter(Party::Place(enrolment), None, act).await?;
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
        wanted.take(MAX_SHOWN).collect()
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
    let at = floor.table_named(&asked.table)?;
    let about = About {
        kind: asked.kind,
        grievance: asked.reason.unwrap_or(Grievance::Other),
        round: asked.round,
        station: asked.station.map(StationId),
        at_terminal: false,
    };
    let new = NewCase {
        words: asked.words,
        ..new_case(&floor, at, &about).await?
    };
    let id = open_case(&floor, person.party(), new).await?;
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
    let read = floor.read_at(&case.table, move |at| {
        at.timeline(round, StationId(station))
    });
    let timeline = read.await?.map_err(|error| Problem::ours(&error))?;
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
        CaseStep::LinkAdjustment { record } => adjusted(&floor, &case, number, record).await?,
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
    floor.desk.enter(person.party(), None, act).await?;
    shown(&floor, &person, number).map(Json)
}

/// The amount of an adjustment, which is of the case's own station and no other
/// case's. What the table itself has settled is not paid by an adjustment too.
async fn adjusted(
    floor: &Arc<Floor>,
    case: &Case,
    number: u64,
    record: u64,
) -> Result<Money, Problem> {
    let name = case.new.table.as_str();
    let read = floor.read_at(name, move |at| at.adjustment(record));
    let found = read.await?.map_err(|error| Problem::ours(&error))?;
    let own = found.filter(|found| Some(found.station) == case.new.station);
    let Some(own) = own.filter(|found| found.case.is_none_or(|of| of == number)) else {
        return Err(Problem::conflict(
            "no_such_adjustment",
            "that record of the table is no adjustment of this station's credit, or names \
             another case",
        ));
    };
    let settled = floor.table_at(case.new.table.as_str()).is_some_and(|at| {
        let state = at.hub.state();
        let paid = own.amount.is_positive();
        state.table.has_settled(number, case.decisions(), paid)
    });
    if own.case.is_none() && settled {
        return Err(Problem::conflict(
            "case_settled",
            "the table has settled this decision of the case already",
        ));
    }
    Ok(own.amount)
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
        .reading()
        .run(move || house.case_bundle(number, &case.new));
    let bytes = read
        .await?
        .map_err(|words| Problem::conflict("not_yet", words))?;
    let name = format!("attachment; filename=\"case-{number}.bundle\"");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, bytes).into_response())
}
