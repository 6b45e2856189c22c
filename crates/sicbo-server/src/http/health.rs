//! Whether the house lives, whether it is ready, and its figures.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Problems;
use crate::floor::Floor;

/// How a part of the house is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct PartHealth {
    /// Which: `house`, or a table's name.
    pub part: String,
    /// It takes commands.
    pub well: bool,
    /// Why not.
    pub fault: Option<String>,
}

/// How the house is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Health {
    /// The program answers.
    pub live: bool,
    /// Every journal takes records.
    pub ready: bool,
    /// Part by part.
    pub parts: Vec<PartHealth>,
    /// The house's tree and its witness; null in practice. A silent witness does
    /// not make the house unready.
    pub tree: Option<TreeHealth>,
}

/// How the house's tree is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct TreeHealth {
    /// Blocks in the tree.
    pub size: u64,
    /// Blocks under the newest cosigned head.
    pub cosigned_size: Option<u64>,
    /// How old the last cosignature is, in seconds.
    pub cosigned_age_s: Option<i64>,
    /// The witness has been silent, or the tree not written and signed, for longer
    /// than the plan allows; or the mark outside the data folder cannot be written.
    pub alarm: bool,
}

fn look(floor: &Floor) -> Health {
    let part = |name: &str, fault: Option<String>| PartHealth {
        part: name.to_owned(),
        well: fault.is_none(),
        fault,
    };
    let stopped = floor.desk.stopped().map(ToOwned::to_owned);
    let behind = floor.behind().map(|behind| behind.to_string());
    let unwritten = floor.tree().and_then(|tree| tree.unwritten());
    let mut parts = vec![part("house", stopped.or(behind).or(unwritten))];
    for at in floor.tables() {
        parts.push(part(at.hub.name.as_str(), at.hub.stopped()));
    }
    Health {
        live: true,
        ready: parts.iter().all(|part| part.well),
        parts,
        tree: floor.tree().map(|tree| {
            let stands = tree.stands();
            TreeHealth {
                size: stands.size,
                cosigned_size: stands.cosigned_size,
                cosigned_age_s: tree.cosigned_age_s(),
                alarm: tree.alarm_s().or(tree.unwritten_s()).is_some()
                    || stands.mark_problem.is_some(),
            }
        }),
    }
}

/// Whether every journal takes records.
pub(crate) fn is_ready(floor: &Floor) -> bool {
    look(floor).ready
}

/// How the house is
#[utoipa::path(get, path = "/health", tag = "health",
    responses((status = 200, body = Health), (status = 503, body = Health)))]
pub async fn health(State(floor): State<Arc<Floor>>) -> Response {
    let health = look(&floor);
    let status = match health.ready {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(health)).into_response()
}

/// The program answers
#[utoipa::path(get, path = "/health/live", tag = "health", responses((status = 204), Problems))]
pub async fn live() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Every journal takes records
#[utoipa::path(get, path = "/health/ready", tag = "health",
    responses((status = 204), (status = 503)))]
pub async fn ready(State(floor): State<Arc<Floor>>) -> StatusCode {
    match look(&floor).ready {
        true => StatusCode::NO_CONTENT,
        false => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// Figures for Prometheus
#[utoipa::path(get, path = "/metrics", tag = "health",
    responses((status = 200, content_type = "text/plain", body = String), Problems))]
pub async fn metrics(State(floor): State<Arc<Floor>>) -> Response {
    figures(&floor)
}

/// All figures as they stand now.
pub(crate) fn figures(floor: &Floor) -> Response {
    crate::figures::measure(floor);
    let text = crate::figures::render();
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
