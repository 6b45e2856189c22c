//! The camera over a table: what pages are told of it and may fetch for it, and the test picture
//! of a trial.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sicbo_house::house::TableAt;
use sicbo_plan::{CameraPlan, HousePlan};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{At, Problems};
use crate::camera;
use crate::floor::Floor;
use crate::problem::Problem;

/// The camera over a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Camera {
    /// The playlist of its HLS stream.
    pub playlist: String,
    /// A test picture, and nobody's table.
    pub test: bool,
}

impl Camera {
    /// That of a table, as pages are told of it.
    pub(super) fn at(table: &TableAt) -> Option<Camera> {
        Some(match table.plan.camera.as_ref()? {
            CameraPlan::Test => Camera {
                playlist: format!("/api/tables/{}/camera/live.m3u8", table.hub.name),
                test: true,
            },
            CameraPlan::Stream { address, .. } => Camera {
                playlist: address.clone(),
                test: false,
            },
        })
    }
}

/// A file of the test picture of a table, where its plan has one
#[utoipa::path(get, path = "/api/tables/{table}/camera/{file}", tag = "tables",
    operation_id = "camera_file",
    params(("table" = String, Path, description = "The table's name"),
           ("file" = String, Path, description = "`live.m3u8`, or a file that it names")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>), Problems))]
pub async fn file(
    State(floor): State<Arc<Floor>>,
    At((name, file)): At<(String, String)>,
) -> Result<Response, Problem> {
    let at = floor.table_named(&name)?;
    let running_ms = sicbo_clock::steady_ms().saturating_sub(floor.began_ms);
    let found = match at.plan.camera {
        Some(CameraPlan::Test) => camera::file(&file, running_ms),
        _ => None,
    };
    let (kind, bytes) = found.ok_or_else(|| Problem::not_found("file"))?;
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

/// What a page of the house may load and do. A camera adds the one origin of its stream, and the
/// page's own media (`blob:`), which is how a browser without HLS of its own is fed.
pub(super) fn policy(plan: &HousePlan) -> HeaderValue {
    let cameras = plan.tables.iter().filter_map(|table| table.camera.as_ref());
    let mut origins: Vec<&str> = cameras
        .clone()
        .filter_map(|camera| match camera {
            CameraPlan::Stream { origin, .. } => Some(origin.as_str()),
            CameraPlan::Test => None,
        })
        .collect();
    origins.sort_unstable();
    origins.dedup();
    let origins: String = origins.iter().map(|origin| format!(" {origin}")).collect();
    let media = match cameras.count() {
        0 => String::new(),
        _ => format!("media-src 'self' blob:{origins}; "),
    };
    let policy = format!(
        "default-src 'self'; img-src 'self' data:; connect-src 'self'{origins}; {media}\
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'self'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(cameras: &[Option<&str>]) -> String {
        let mut plan = HousePlan::trial();
        for table in &mut plan.tables {
            table.camera = None;
        }
        for (table, camera) in plan.tables.iter_mut().zip(cameras) {
            table.camera = camera.map(|text| CameraPlan::parse(text).unwrap());
        }
        policy(&plan).to_str().unwrap().to_owned()
    }

    #[test]
    fn a_camera_adds_exactly_the_origin_of_its_stream() {
        let none = "default-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; \
                    base-uri 'none'; form-action 'self'; frame-ancestors 'self'";
        assert_eq!(with(&[]), none);
        let media = |origins: &str| {
            none.replace(
                "connect-src 'self'; ",
                &format!("connect-src 'self'{origins}; media-src 'self' blob:{origins}; "),
            )
        };
        assert_eq!(with(&[Some("test")]), media(""));
        let (one, same) = ("https://v.example/1.m3u8", "https://v.example/2.m3u8?a=b");
        let other = "https://w.example:8443/1.m3u8";
        assert_eq!(
            with(&[Some(one), None, Some(same)]),
            media(" https://v.example")
        );
        assert_eq!(
            with(&[Some(other), Some("test"), Some(one)]),
            media(" https://v.example https://w.example:8443")
        );
    }
}
