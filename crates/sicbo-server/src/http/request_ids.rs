//! A number for every request, by which what was asked is found in the log: it is in the answer's
//! `x-request-id` and in every line that the request makes. Never what was asked for in words:
//! the route as it is described, and no path, query, header or body.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument as _;

static HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Tells requests of one run of the program from those of another.
static RUN: LazyLock<u32> = LazyLock::new(|| {
    let mut bytes = [0; 4];
    // Without chance it is the process's number, which tells runs apart as well.
    match getrandom::fill(&mut bytes) {
        Ok(()) => u32::from_ne_bytes(bytes),
        Err(_) => std::process::id(),
    }
});
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Numbers a request and logs how it was answered.
pub(super) async fn numbered(request: Request, next: Next) -> Response {
    let id = format!("{:08x}-{:08x}", *RUN, COUNT.fetch_add(1, Ordering::Relaxed));
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str);
    let span = tracing::info_span!("request", id = %id, method = %request.method(), route);
    let began = Instant::now();
    let answer = async {
        let answer = next.run(request).await;
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let status = answer.status().as_u16();
        match answer.status() == StatusCode::INTERNAL_SERVER_ERROR {
            true => tracing::warn!(status, ms, "answered"),
            false => tracing::debug!(status, ms, "answered"),
        }
        answer
    };
    let mut answer = answer.instrument(span).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        answer.headers_mut().insert(HEADER.clone(), id);
    }
    answer
}
