//! The web app, built into the binary; without it, one page that says how to
//! build it.
//!
//! Files under `/assets/` carry a hash of their content in their name and may
//! be kept for ever. What was compressed at build time is sent so.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

/// Every file of the app by its path, in order of path.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/app_files.rs"));

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<title>sicbo</title><h1>The house is running</h1>\
<p>This program was built without its web app. Build it with <code>make web</code>, then \
<code>make run</code>. The API is described at <a href=\"/openapi.json\">/openapi.json</a>.</p>";

fn file(path: &str) -> Option<&'static [u8]> {
    let at = FILES.binary_search_by_key(&path, |(name, _)| *name).ok()?;
    Some(FILES[at].1)
}

/// Serves the app's files; its pages are all the same one.
pub(super) async fn serve(request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path.starts_with("/ws/") {
        return Problem::not_found("route").into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let mut response = Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "wrong_method",
            "only GET is allowed here",
        )
        .into_response();
        let allowed = HeaderValue::from_static("GET, HEAD");
        response.headers_mut().insert(header::ALLOW, allowed);
        return response;
    }
    // A page of the app has a name without a dot; every page is the same file.
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.');
    let name = if is_page { "/index.html" } else { path };
    match file(name) {
        Some(bytes) => found(name, bytes, request.headers()),
        None if is_page => {
            let kind = "text/html; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], NOT_BUILT).into_response()
        }
        None => Problem::not_found("file").into_response(),
    }
}

fn found(name: &str, bytes: &'static [u8], headers: &HeaderMap) -> Response {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let takes = |coding: &str| accepted.split(',').any(|c| c.trim().starts_with(coding));
    let compressed = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(coding, _)| takes(coding))
        .find_map(|(coding, ending)| Some((coding, file(&format!("{name}.{ending}"))?)));
    let mut response = match compressed {
        Some((coding, bytes)) => ([(header::CONTENT_ENCODING, coding)], bytes).into_response(),
        None => bytes.into_response(),
    };
    let kept = match name.starts_with("/assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
