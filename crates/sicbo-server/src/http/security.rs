//! The security log for those who guard the house: pages with a filter, and
//! exports.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Deserialize;
use sicbo_report::security::{self, MAX_LINES, SecurityPage, SecurityQuery, Severity};
use utoipa::{IntoParams, ToSchema};

use super::{Ask, Problems};
use crate::floor::Floor;
use crate::problem::Problem;

/// Which lines, in which form.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichLines {
    /// Those before this record; without it, the newest.
    before: Option<u64>,
    /// How many, at most 500.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u16>,
    /// Events with commas between them, e.g. `log-in-failed,refused`.
    event: Option<String>,
    /// At least so grave: `alert`, `warning`, `notice` or `info`.
    severity: Option<String>,
    /// By this person, by their number.
    person: Option<u32>,
    /// From this address.
    #[param(max_length = 45)]
    address: Option<String>,
    /// Not before this time.
    from_ms: Option<i64>,
    /// Not after this time.
    to_ms: Option<i64>,
    /// `json`, `ndjson` for one line each with the next `before` in `sicbo-next`, or `csv`.
    format: Option<LogFormat>,
}

/// The form of the log.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One JSON object.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// One line each, with a heading.
    Csv,
}

impl WhichLines {
    fn query(&self) -> Result<SecurityQuery, Problem> {
        let severity = match self.severity.as_deref() {
            None => None,
            Some(word) => {
                let mut all = Severity::ALL.iter();
                let known = all.find(|one| one.word() == word);
                let wrong = || Problem::input("severity is alert, warning, notice or info");
                Some(*known.ok_or_else(wrong)?)
            }
        };
        let events = self.event.as_deref().unwrap_or_default().split(',');
        let events = events.filter(|event| !event.is_empty()).take(32);
        Ok(SecurityQuery {
            before: self.before.unwrap_or(0),
            limit: self.limit.map_or(100, usize::from).clamp(1, MAX_LINES),
            events: events.map(str::to_owned).collect(),
            severity,
            person: self.person,
            address: self.address.clone(),
            from_ms: self.from_ms,
            to_ms: self.to_ms,
        })
    }
}

/// Who came in and who was kept out, whose rights changed, what was enrolled
/// and what the house runs on; the newest first
#[utoipa::path(get, path = "/api/security", tag = "reports", operation_id = "security",
    params(WhichLines), responses((status = 200, body = SecurityPage), Problems))]
pub async fn log(
    State(floor): State<Arc<Floor>>,
    Ask(which): Ask<WhichLines>,
) -> Result<Response, Problem> {
    let query = which.query()?;
    let house = Arc::clone(&floor);
    let page = floor.reporting.run(move || {
        let (_, store) = house.house_stream()?;
        // The names of now: people and places are never renamed.
        let register = house.desk.register().clone();
        security::page(&store, &register, &query).map_err(|error| Problem::ours(&error))
    });
    let page = page.await??;
    let next = page.next.map(|next| next.to_string()).unwrap_or_default();
    let told = |kind: &'static str, name: &'static str| {
        AppendHeaders([
            (header::CONTENT_TYPE, kind.to_owned()),
            (
                header::CONTENT_DISPOSITION,
                format!("attachment; filename=\"{name}\""),
            ),
            (header::HeaderName::from_static("sicbo-next"), next.clone()),
        ])
    };
    Ok(match which.format.unwrap_or(LogFormat::Json) {
        LogFormat::Json => Json(page).into_response(),
        LogFormat::Ndjson => {
            let lines = page
                .lines
                .iter()
                .map(|line| format!("{}\n", crate::wire::frame(line)));
            let text: String = lines.collect();
            (told("application/x-ndjson", "security.ndjson"), text).into_response()
        }
        LogFormat::Csv => {
            let text = security::to_csv(&page.lines);
            (told("text/csv; charset=utf-8", "security.csv"), text).into_response()
        }
    })
}
