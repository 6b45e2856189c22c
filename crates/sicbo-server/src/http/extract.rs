//! What handlers take out of a request, each with a clear error.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use sicbo_clock::steady_ms;
use sicbo_register::Party;
use sicbo_register::enrolment::{EnrolmentId, TableName};
use sicbo_register::person::SessionId;
use sicbo_register::voucher::Place;
use sicbo_table::actor::Staff;
use sicbo_table::ids::StationId;
use tokio::time::timeout;

use crate::floor::Floor;
use crate::problem::Problem;
use sicbo_house::house::Present;
use sicbo_house::sessions::Token;

/// The body of a request comes within this time.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Name of the session's cookie.
pub(crate) const COOKIE: &str = "sicbo_session";

/// Name of the cookie by which a browser is known that has logged somebody in.
pub(super) const BROWSER: &str = "sicbo_browser";

/// Who asks.
#[derive(Clone)]
pub enum Caller {
    /// Anyone at all.
    Anyone,
    /// A player's terminal.
    Terminal(Terminal),
    /// A person who is logged in.
    Person(Person),
}

/// A player's terminal.
#[derive(Clone)]
pub struct Terminal {
    /// Its enrolment.
    pub enrolment: EnrolmentId,
    /// Its table.
    pub table: TableName,
    /// Its station.
    pub station: StationId,
}

impl Terminal {
    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        Place {
            table: self.table.clone(),
            station: self.station,
        }
    }
}

/// A person who is logged in.
#[derive(Clone)]
pub struct Person {
    /// Who, in which position.
    pub staff: Staff,
    /// Their name.
    pub name: String,
    /// The PIN is still the one they were given.
    pub one_time: bool,
    /// A second factor is asked for and not set up yet.
    pub factor_needed: bool,
    /// When they last showed that it is they, by the steady clock.
    pub proved_ms: i64,
    /// The register's session.
    pub session: SessionId,
    /// The enrolled place they are at.
    pub place: Option<EnrolmentId>,
    /// Their token's digest.
    pub token: Token,
}

impl Person {
    /// As the register knows who acts.
    #[must_use]
    pub fn party(&self) -> Party {
        Party::Person(self.staff.person)
    }

    /// Money is moved only by somebody who gave their PIN a short while ago, where the plan
    /// says so.
    ///
    /// # Errors
    /// The PIN is asked for again.
    pub fn proved_lately(&self, floor: &Floor) -> Result<(), Problem> {
        let minutes = i64::from(floor.plan.log_in.pin_again_minutes);
        if minutes == 0 || steady_ms() - self.proved_ms <= minutes * 60_000 {
            return Ok(());
        }
        Err(Problem::new(
            StatusCode::FORBIDDEN,
            "pin_again",
            "give your PIN once more before money is moved",
        ))
    }

    /// As the house knows them.
    #[must_use]
    pub fn present(&self) -> Present {
        Present {
            staff: self.staff,
            name: self.name.clone(),
            session: self.session,
            place: self.place,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Problem> {
        parts
            .extensions
            .get::<Caller>()
            .cloned()
            .ok_or_else(Problem::log_in_first)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Person {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Person, Problem> {
        match parts.extensions.get::<Caller>() {
            Some(Caller::Person(person)) => Ok(person.clone()),
            _ => Err(Problem::log_in_first()),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Terminal {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Terminal, Problem> {
        match parts.extensions.get::<Caller>() {
            Some(Caller::Terminal(terminal)) => Ok(terminal.clone()),
            _ => Err(Problem::log_in_first()),
        }
    }
}

/// A body of JSON.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        let read = timeout(BODY_TIMEOUT, Json::<T>::from_request(request, state));
        match read.await {
            Err(_) => Err(Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                "too_slow",
                "the body of the request did not come in time",
            )),
            Ok(Ok(Json(body))) => Ok(Body(body)),
            Ok(Err(rejection)) => {
                let (status, code) = match &rejection {
                    JsonRejection::JsonDataError(_) => {
                        (StatusCode::UNPROCESSABLE_ENTITY, "not_understood")
                    }
                    JsonRejection::MissingJsonContentType(_) => {
                        (StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json")
                    }
                    JsonRejection::BytesRejection(bytes)
                        if bytes.status() == StatusCode::PAYLOAD_TOO_LARGE =>
                    {
                        (StatusCode::PAYLOAD_TOO_LARGE, "too_large")
                    }
                    _ => (StatusCode::BAD_REQUEST, "not_json"),
                };
                Err(Problem::new(status, code, rejection.body_text()))
            }
        }
    }
}

/// Names in the path.
pub struct At<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for At<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<At<T>, Problem> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(names)) => Ok(At(names)),
            Err(rejection) => Err(Problem::new(
                StatusCode::NOT_FOUND,
                "not_found",
                rejection.body_text(),
            )),
        }
    }
}

/// What is asked after the question mark.
pub struct Ask<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Ask<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Ask<T>, Problem> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Ask(asked)),
            Err(rejection) => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "not_understood",
                rejection.body_text(),
            )),
        }
    }
}

/// The session's token.
#[must_use]
pub(super) fn cookie(headers: &HeaderMap) -> Option<String> {
    cookie_named(headers, COOKIE)
}

/// A cookie by its name.
#[must_use]
pub(crate) fn cookie_named(headers: &HeaderMap, wanted: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter();
    cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == wanted)
        .map(|(_, value)| value.to_owned())
}

/// The token of a terminal or of an enrolled place.
#[must_use]
pub(crate) fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim().to_owned())
}
