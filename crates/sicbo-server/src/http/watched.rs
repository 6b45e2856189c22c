//! What the security log must know of requests: who logged in from where, who
//! failed to, and what was refused to whom. One place sees every route.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use sicbo_clock::now_ms;
use sicbo_house::sessions::Token;
use sicbo_house::watch::Seen;
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::security::SecurityKind;
use sicbo_table::ids::PersonId;

use super::extract::{COOKIE, bearer, cookie};
use crate::edge::PeerAddress;
use crate::floor::Floor;

/// Lets a request through and sees what came of it.
pub(super) async fn watched(
    State(floor): State<Arc<Floor>>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let address = request.extensions().get::<PeerAddress>();
    let address = address.map(|PeerAddress(address)| *address);
    let method = request.method().clone();
    // Looked at only where something is to be said.
    let (session, token) = (cookie(request.headers()), bearer(request.headers()));
    let response = next.run(request).await;
    let logs_in = method == Method::POST && path.as_str() == "/api/session";
    let known = session.is_some() || token.is_some();
    if let Some(kind) = kind(response.status(), logs_in, known) {
        let session = match kind {
            SecurityKind::LogIn => new_session(response.headers()),
            _ => session,
        };
        let seen = Seen {
            kind,
            person: session.and_then(|session| person(&floor, &session)),
            place: token.and_then(|token| place(&floor, &token)),
            address,
            // The route, not the path: what people type stays out.
            what: format!("{method} {}", path.as_str()),
        };
        see(&floor, seen, address);
    }
    response
}

/// What a status means for the log.
fn kind(status: StatusCode, logs_in: bool, known: bool) -> Option<SecurityKind> {
    match status {
        StatusCode::OK if logs_in => Some(SecurityKind::LogIn),
        StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS | StatusCode::FORBIDDEN
            if logs_in =>
        {
            Some(SecurityKind::LogInFailed)
        }
        StatusCode::FORBIDDEN => Some(SecurityKind::Refused),
        StatusCode::TOO_MANY_REQUESTS => Some(SecurityKind::TooMany),
        // A page that asks who is logged in presents nothing.
        StatusCode::UNAUTHORIZED if known => Some(SecurityKind::NotKnown),
        _ => None,
    }
}

fn see(floor: &Floor, seen: Seen, address: Option<IpAddr>) {
    let remote = seen.kind == SecurityKind::LogIn
        && address.is_some_and(|address| floor.plan.security.is_remote(address));
    if remote {
        let kind = SecurityKind::RemoteAccess;
        floor.watch.see(
            Seen {
                kind,
                ..seen.clone()
            },
            now_ms(),
        );
    }
    floor.watch.see(seen, now_ms());
}

/// The session that an answer opens.
fn new_session(headers: &HeaderMap) -> Option<String> {
    let set = headers.get(header::SET_COOKIE)?.to_str().ok()?;
    let (name, value) = set.split(';').next()?.split_once('=')?;
    (name == COOKIE).then(|| value.to_owned())
}

fn person(floor: &Floor, session: &str) -> Option<PersonId> {
    let known = floor.sessions.peek(&Token::of(session));
    known.map(|known| known.person)
}

fn place(floor: &Floor, token: &str) -> Option<EnrolmentId> {
    let register = floor.desk.register();
    register.recognise(token).map(|(id, _)| id)
}
