//! The web app, built into the binary; without it, one page that says how to
//! build it.

use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<title>sicbo</title><h1>The house is running</h1>\
<p>This program was built without its web app. Build it with <code>make web</code>, then \
<code>make run</code>. The API is described at <a href=\"/openapi.json\">/openapi.json</a>.</p>";

/// Serves the app's files; its pages are all the same one.
pub(super) async fn serve(request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path.starts_with("/ws/") {
        return Problem::not_found("route").into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "wrong_method",
            "only GET is allowed here",
        )
        .into_response();
    }
    (
        [(header::CONTENT_TYPE, "text/html; charset=utf-8")],
        NOT_BUILT,
    )
        .into_response()
}
