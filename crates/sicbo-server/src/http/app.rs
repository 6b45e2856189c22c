//! The web app, built into the binary; without it, one page that says how to
//! build it.
//!
//! Files under `/assets/` carry a hash of their content in their name and may
//! be kept for ever. What was compressed at build time is sent so.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sicbo_web::file;

use super::access::too_often;
use super::receipts::PAGE;
use crate::edge::crowd::Place;
use crate::problem::Problem;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<title>sicbo</title><h1>The house is running</h1>\
<p>This program was built without its web app. Build it with <code>make web</code>, then \
<code>make run</code>. The API is described at <a href=\"/openapi.json\">/openapi.json</a>.</p>";

/// Serves the app's files; its pages are all the same one.
pub(super) async fn serve(request: Request) -> Response {
    let place = request.extensions().get::<Arc<Place>>();
    if place.is_some_and(|place| !place.may_ask()) {
        return too_often();
    }
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
    if path == "/check" || path == PAGE {
        return check_page(request.headers());
    }
    let is_page = is_page(path);
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

/// The page that checks receipts: one file with everything in it, which says
/// itself what a browser may do with it.
fn check_page(headers: &HeaderMap) -> Response {
    let Some(bytes) = file(PAGE) else {
        return Problem::not_found("file").into_response();
    };
    let policy = policy_of(&bytes).and_then(|policy| {
        HeaderValue::from_str(&format!("{policy}; frame-ancestors 'none'")).ok()
    });
    let mut response = found(PAGE, bytes, headers);
    // Without its own, the strict policy of the house stays and nothing runs.
    if let Some(policy) = policy {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The policy in a page's head: the hashes of its own script and style.
fn policy_of(page: &[u8]) -> Option<String> {
    let head = page.get(..page.len().min(4_096))?;
    let head = String::from_utf8_lossy(head);
    let (_, rest) = head.split_once("http-equiv=\"Content-Security-Policy\" content=\"")?;
    let (policy, _) = rest.split_once('"')?;
    Some(policy.to_owned())
}

/// Whether it is a page of the app; every page is the same file. A file at the
/// root or under `/assets/` has a dot in its name; so may a table or a rule book
/// that a page is of.
fn is_page(path: &str) -> bool {
    let of_something = path
        .strip_prefix('/')
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(view, name)| view != "assets" && !name.contains('/'));
    of_something || !path.rsplit('/').next().unwrap_or_default().contains('.')
}

fn found(name: &str, bytes: Cow<'static, [u8]>, headers: &HeaderMap) -> Response {
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

#[cfg(test)]
mod tests {
    use super::is_page;

    #[test]
    fn a_table_or_a_book_with_a_dot_in_its_name_has_its_pages() {
        for page in [
            "/",
            "/pit",
            "/play/rapid-1",
            "/console/mbs-etg.rapid",
            "/rules/a.b",
        ] {
            assert!(is_page(page), "{page}");
        }
        for file in [
            "/icon.svg",
            "/index.html",
            "/assets/app.js",
            "/assets/a/b.css",
        ] {
            assert!(!is_page(file), "{file}");
        }
    }
}
