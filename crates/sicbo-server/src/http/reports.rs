//! What a table's days came to and what stands out, for those who may look:
//! reports, meters, alerts and the record of everything that happened.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Deserialize;
use sicbo_clock::now_ms;
use sicbo_journal::{DataFolder, KeyFolder, SqliteStore, StreamId};
use sicbo_proof::{Trust, bundle, source};
use sicbo_register::enrolment::TableName;
use sicbo_register::shift::ShiftId;
use sicbo_register::voucher::Place;
use sicbo_report::alerts::{Alert, TableAlerts};
use sicbo_report::events::{EventPage, EventQuery, MAX_EVENTS};
use sicbo_report::forms::Paper;
use sicbo_report::sheet::{StationMeters, TableReport};
use sicbo_report::{self as report, Asked, Besides, HouseAt, ReportError};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::Table;
use sicbo_table::ids::{PersonId, StationId};
use utoipa::{IntoParams, ToSchema};

use super::station::{RecalledVoucher, recalled};
use super::{Ask, At, Person, Problems};
use crate::floor::{Floor, stream_of};
use crate::problem::Problem;

/// Which stretch of the journal.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Stretch {
    /// First record; without it, the first there is.
    #[param(minimum = 1)]
    from: Option<u64>,
    /// Last record; without it, the newest.
    #[param(minimum = 1)]
    to: Option<u64>,
}

/// Which stretch of the journal, in which form.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichReport {
    /// First record; without it, the first there is.
    #[param(minimum = 1)]
    from: Option<u64>,
    /// Last record; without it, the newest.
    #[param(minimum = 1)]
    to: Option<u64>,
    /// The shift, by its number; then its records, its counts and who signed.
    #[param(minimum = 1)]
    shift: Option<u64>,
    /// The form; JSON without it.
    format: Option<ReportFormat>,
}

/// The form of a report.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// One JSON object.
    Json,
    /// One figure a line: section, row, column, value.
    Csv,
    /// A page with charts, for screen and printer.
    Html,
    /// A4 pages.
    Pdf,
}

impl Stretch {
    fn asked(&self) -> Asked {
        Asked {
            from: self.from.unwrap_or(1),
            to: self.to,
        }
    }
}

impl Floor {
    /// A table's journal, opened anew for reading: its end is that of now.
    pub(super) fn journal(&self, table: &str) -> Result<(StreamId, SqliteStore), Problem> {
        let at = self.table_named(table)?;
        self.stream(stream_of(&at.plan))
    }

    fn stream(&self, stream: StreamId) -> Result<(StreamId, SqliteStore), Problem> {
        let path = DataFolder::stream_path(&self.data, &stream);
        let store = source::open(&stream, &path).map_err(|error| Problem::ours(&error))?;
        Ok((stream, store))
    }

    /// The house's own journal, opened anew for reading.
    pub(super) fn house_stream(&self) -> Result<(StreamId, SqliteStore), Problem> {
        let stream = StreamId::new(source::HOUSE_STREAM).map_err(|e| Problem::ours(&e))?;
        self.stream(stream)
    }

    /// The register, by the house's own stream.
    fn house_at(&self) -> Result<HouseAt, Problem> {
        let (_, store) = self.house_stream()?;
        HouseAt::read(&store).map_err(|error| Problem::ours(&error))
    }
}

/// What was asked for wrongly is told; the rest is ours.
fn problem(error: &ReportError) -> Problem {
    match error {
        ReportError::Range { .. } => Problem::input(error.to_string()),
        ReportError::TooLong => Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "too_long",
            error.to_string(),
        ),
        ReportError::Journal(_) => Problem::ours(error),
    }
}

/// What a table's play came to over a stretch of its journal (P-090 to P-099)
#[utoipa::path(get, path = "/api/tables/{table}/report", tag = "reports",
    params(("table" = String, Path, description = "The table's name"), WhichReport),
    responses((status = 200, body = TableReport), Problems))]
pub async fn report(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Ask(which): Ask<WhichReport>,
) -> Result<Response, Problem> {
    let house = Arc::clone(&floor);
    let made = floor.reporting.run(move || {
        let (stream, store) = house.journal(&name)?;
        let at_house = house.house_at()?;
        let shift = which.shift.map(ShiftId);
        let asked = match shift {
            Some(_) if which.from.is_some() || which.to.is_some() => {
                return Err(Problem::input("a shift, or records; not both"));
            }
            Some(id) => at_house
                .shift(&name, id)
                .ok_or_else(|| Problem::not_found("shift of this table"))?,
            None => Asked {
                from: which.from.unwrap_or(1),
                to: which.to,
            },
        };
        let waits = shifts_counted(&house);
        counted_first(&house, (&person, &waits), &at_house, (&name, asked))?;
        let mut besides = Besides::of(at_house, &name, shift);
        besides.refused = house
            .table_at(&name)
            .map_or_else(Vec::new, |at| at.hub.refusals());
        let report = report::table(&store, &stream, asked, besides);
        formed(
            &report.map_err(|error| problem(&error))?,
            which.format.unwrap_or(ReportFormat::Json),
        )
    });
    made.await?
}

/// Shifts of which an end was counted and waits for its second person.
fn shifts_counted(floor: &Floor) -> BTreeSet<ShiftId> {
    super::pit::counts_that_wait(floor).into_keys().collect()
}

/// With real money those who count a rack do not read in a report what should be in it before
/// they have: a shift that goes on is theirs to read once its count is on record.
fn counted_first(
    floor: &Floor,
    (person, waits): (&Person, &BTreeSet<ShiftId>),
    house: &HouseAt,
    (table, asked): (&str, Asked),
) -> Result<(), Problem> {
    let position = person.staff.position;
    if !floor.plan.real_money || !position.is_at_least(Position::PitManager) {
        return Ok(());
    }
    let Some(name) = TableName::new(table) else {
        return Ok(());
    };
    let Some((id, shift)) = house.register.open_shift(&name) else {
        return Ok(());
    };
    let of_it = asked.to.is_none_or(|to| to >= shift.from_sequence);
    if of_it && !waits.contains(&id) {
        return Err(Problem::conflict(
            "shift_not_counted",
            "the shift goes on: whoever counts its rack reads its figures when the count is entered",
        ));
    }
    Ok(())
}

/// A report in a form.
fn formed(report: &TableReport, format: ReportFormat) -> Result<Response, Problem> {
    let kind = |kind: &'static str| [(header::CONTENT_TYPE, kind)];
    let named = |ending: &str| {
        let of = match &report.shift {
            Some(shift) => format!("shift-{}", shift.shift),
            None => format!("{}-{}", report.from, report.to),
        };
        let name = format!("{}-{of}.{ending}", report.table);
        [(
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        )]
    };
    Ok(match format {
        ReportFormat::Json => Json(report).into_response(),
        ReportFormat::Csv => {
            let csv = Paper::of(report).csv();
            (kind("text/csv; charset=utf-8"), named("csv"), csv).into_response()
        }
        ReportFormat::Html => {
            // The page brings its own style and nothing else, least of all a script.
            let policy = [(
                header::CONTENT_SECURITY_POLICY,
                "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
            )];
            let html = Paper::of(report).html();
            (kind("text/html; charset=utf-8"), policy, html).into_response()
        }
        ReportFormat::Pdf => {
            let pdf = Paper::of(report)
                .pdf()
                .map_err(|error| Problem::ours(&error))?;
            (kind("application/pdf"), named("pdf"), pdf).into_response()
        }
    })
}

/// What stands out at a table (P-034), the newest first
#[utoipa::path(get, path = "/api/tables/{table}/alerts", tag = "reports",
    params(("table" = String, Path, description = "The table's name"), Stretch),
    responses((status = 200, body = TableAlerts), Problems))]
pub async fn alerts(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    Ask(stretch): Ask<Stretch>,
) -> Result<Json<TableAlerts>, Problem> {
    let house = Arc::clone(&floor);
    let made = floor.reporting.run(move || {
        let (stream, store) = house.journal(&name)?;
        let found = report::alerts::alerts(&store, &stream, stretch.asked());
        let mut found = found.map_err(|error| problem(&error))?;
        if let Some(tree) = house.tree()
            && let Some(waits_s) = tree.alarm_s()
        {
            let stands = tree.stands();
            let witness = stands.witness.clone().unwrap_or_default();
            let why = stands.problems().unwrap_or_default();
            let alert = Alert::witness_silent(found.to, now_ms(), waits_s, &witness, &why);
            found.alerts.insert(0, alert);
        }
        if let Some(why) = house.tree().and_then(|tree| tree.unwritten()) {
            let alert = Alert::tree_not_written(found.to, now_ms(), &why);
            found.alerts.insert(0, alert);
        }
        let mark = house.tree().and_then(|tree| tree.mark_problem());
        if let Some((at_ms, why)) = mark {
            let alert = Alert::mark_not_written(found.to, at_ms, &why);
            found.alerts.insert(0, alert);
        }
        let anew = house.tree().and_then(|tree| tree.stands().built_anew);
        if let Some((at_ms, why)) = anew {
            let alert = Alert::tree_built_anew(found.to, at_ms, &why);
            found.alerts.insert(0, alert);
        }
        for note in house.watch.alarms() {
            let alert = Alert::security(found.to, &note);
            found.alerts.insert(0, alert);
        }
        Ok(found)
    });
    made.await?.map(Json)
}

/// Which events.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichEvents {
    /// Those after this record; without it, from the first.
    after: Option<u64>,
    /// The newest first; without it, in the order they happened.
    newest: Option<bool>,
    /// Of the newest, those before this record.
    before: Option<u64>,
    /// How many, at most 500.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// Names of events with commas between them, e.g. `round-settled,round-voided`.
    kind: Option<String>,
    /// By this person, by their number, or with them as the second.
    person: Option<u32>,
    /// Of this station, by its number.
    station: Option<u32>,
    /// Of this round, its amendments included.
    round: Option<u64>,
    /// `json`, or `ndjson` for one event a line and the next `after` in `sicbo-next`.
    format: Option<EventFormat>,
}

/// The form of a page of events.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventFormat {
    /// One JSON object.
    Json,
    /// One JSON object a line.
    Ndjson,
}

impl WhichEvents {
    fn query(&self) -> Result<EventQuery, Problem> {
        let limit = usize::from(self.limit.unwrap_or(100));
        if !(1..=MAX_EVENTS).contains(&limit) {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "not_understood",
                "limit is 1 to 500",
            ));
        }
        let kinds = self.kind.iter().flat_map(|kinds| kinds.split(','));
        Ok(EventQuery {
            after: self.after.unwrap_or(0).min(i64::MAX as u64),
            limit,
            kinds: kinds.map(str::to_owned).collect(),
            person: self.person.map(PersonId),
            station: self.station.map(StationId),
            round: self.round.map(|round| round.min(i64::MAX as u64)),
            newest_before: match (self.newest, self.before) {
                (Some(false) | None, None) => None,
                (_, before) => Some(before.unwrap_or(0).min(i64::MAX as u64)),
            },
        })
    }
}

/// Everything that happened at a table, in order (P-033); read only
#[utoipa::path(get, path = "/api/tables/{table}/events", tag = "reports",
    params(("table" = String, Path, description = "The table's name"), WhichEvents),
    responses((status = 200, body = EventPage), Problems))]
pub async fn events(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    headers: HeaderMap,
    Ask(which): Ask<WhichEvents>,
) -> Result<Response, Problem> {
    let query = which.query()?;
    let house = Arc::clone(&floor);
    let read = floor.reading().run(move || {
        let at = house.table_named(&name)?;
        let (_, store) = house.journal(&name)?;
        // Names only: the table's follower is not to wait for a page.
        let mut names = Table::default();
        {
            let state = at.hub.state();
            names.config.clone_from(&state.table.config);
            names.stations.clone_from(&state.table.stations);
        }
        report::events::events(&store, &names, &query).map_err(|error| Problem::ours(&error))
    });
    let mut page = read.await??;
    {
        let register = floor.desk.register();
        for line in &mut page.events {
            line.by = report::with_name(&register, &line.by);
            line.second = line
                .second
                .take()
                .map(|told| report::with_name(&register, &told));
        }
    }
    let accepts = headers.get(header::ACCEPT).and_then(|v| v.to_str().ok());
    let asked = accepts.is_some_and(|accepts| accepts.contains(NDJSON));
    if which.format != Some(EventFormat::Ndjson) && (which.format.is_some() || !asked) {
        return Ok(Json(page).into_response());
    }
    let mut lines = String::new();
    for event in &page.events {
        lines.push_str(&serde_json::to_string(event).map_err(|error| Problem::ours(&error))?);
        lines.push('\n');
    }
    let next = page.next.map(|next| ("sicbo-next", next.to_string()));
    Ok(([(header::CONTENT_TYPE, NDJSON)], AppendHeaders(next), lines).into_response())
}

/// One ended round as a file that proves it, for evidence (P-033)
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/bundle", tag = "reports",
    operation_id = "round_bundle",
    params(("table" = String, Path, description = "The table's name"),
           ("round" = u64, Path, description = "The round's number")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        Problems))]
pub async fn bundle(
    State(floor): State<Arc<Floor>>,
    At((name, round)): At<(String, u64)>,
) -> Result<Response, Problem> {
    let house = Arc::clone(&floor);
    let file = format!("{name}-round-{round}.bundle");
    let made = floor.reading().run(move || {
        let (stream, store) = house.journal(&name)?;
        let keys = KeyFolder::read_hand_overs(&house.data.join("keys"));
        let keys = keys.map_err(|error| Problem::ours(&error))?;
        let made = bundle::make(&store, &stream, keys, round, None);
        let made = made.map_err(|error| match error {
            bundle::MakeError::NoSuchRound { .. } => Problem::not_found("round"),
            bundle::MakeError::Journal(_) => Problem::ours(&error),
            _ => Problem::conflict("not_yet", error.to_string()),
        })?;
        // What is handed out is what was checked.
        let checked = made.check(&Trust::Anyone);
        checked.map_err(|fault| Problem::ours(&fault))?;
        Ok::<_, Problem>(made.to_bytes())
    });
    Ok(saved(&file, made.await??))
}

/// A file that a browser saves under a name.
pub(super) fn saved(name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, bytes).into_response()
}

/// One JSON object a line.
const NDJSON: &str = "application/x-ndjson";

/// A station's meters since it was set up (S-08)
#[utoipa::path(get, path = "/api/tables/{table}/stations/{station}/meters", tag = "reports",
    params(("table" = String, Path, description = "The table's name"),
           ("station" = u32, Path, description = "The station's number")),
    responses((status = 200, body = StationMeters), Problems))]
pub async fn meters(
    State(floor): State<Arc<Floor>>,
    At((name, station)): At<(String, u32)>,
) -> Result<Json<StationMeters>, Problem> {
    let at = floor.table_named(&name)?;
    let meters = report::station_meters(&at.hub.state().table, StationId(station));
    meters
        .map(Json)
        .ok_or_else(|| Problem::not_found("station"))
}

/// A station's last 35 vouchers issued and last 35 accepted (S-13)
#[utoipa::path(get, path = "/api/tables/{table}/stations/{station}/vouchers", tag = "reports",
    params(("table" = String, Path, description = "The table's name"),
           ("station" = u32, Path, description = "The station's number")),
    responses((status = 200, body = [RecalledVoucher]), Problems))]
pub async fn vouchers(
    State(floor): State<Arc<Floor>>,
    At((name, station)): At<(String, u32)>,
) -> Result<Json<Vec<RecalledVoucher>>, Problem> {
    let at = floor.table_named(&name)?;
    let station = StationId(station);
    if at.hub.state().table.station(station).is_none() {
        return Err(Problem::not_found("station"));
    }
    let table = at.hub.name.clone();
    Ok(Json(recalled(&floor, &Place { table, station })))
}
