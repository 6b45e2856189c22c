//! Logging in and out, and changing one's PIN.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sicbo_clock::{now_ms, steady_ms};
use sicbo_register::command::PinRight;
use sicbo_register::enrolment::{EnrolmentId, Role};
use sicbo_register::person::{LogOutReason, SessionId};
use sicbo_register::pin::Pin;
use sicbo_register::secret::random;
use sicbo_register::{Act, Fact, Party};
use sicbo_rules::rulebook::words::Word;
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::extract::{COOKIE, bearer};
use super::{Body, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::Secret;
use sicbo_house::sessions::LoggedIn;

/// A name and a PIN.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LogIn {
    /// The name.
    #[schema(max_length = 200)]
    name: String,
    /// The PIN.
    #[ts(type = "string")]
    pin: Secret,
}

/// Who is logged in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Me {
    /// Their number.
    pub person: u32,
    /// Their name.
    pub name: String,
    /// The position they hold.
    pub position: String,
    /// The PIN must be changed before anything else.
    pub must_change_pin: bool,
}

/// An old and a new PIN.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePin {
    /// The one that was.
    #[ts(type = "string")]
    old: Secret,
    /// The one that will be: 6 to 12 digits, not easy to guess.
    #[ts(type = "string")]
    new: Secret,
}

/// Who is logged in here
#[utoipa::path(get, path = "/api/session", tag = "session",
    responses((status = 200, body = Me), Problems))]
pub async fn whoami(person: Person) -> Json<Me> {
    Json(Me {
        person: person.staff.person.0,
        name: person.name,
        position: person.staff.position.key().to_owned(),
        must_change_pin: person.one_time,
    })
}

/// Logs in. At an enrolled console or window, its token goes along as
/// `Authorization: Bearer …`
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = LogIn,
    responses((status = 200, body = Me), Problems))]
pub async fn log_in(
    State(floor): State<Arc<Floor>>,
    headers: HeaderMap,
    Body(given): Body<LogIn>,
) -> Result<Response, Problem> {
    let place = {
        let register = floor.desk.register();
        match bearer(&headers) {
            None => None,
            Some(token) => {
                let known = register.recognise(&token);
                let (id, enrolled) = known.ok_or_else(|| {
                    Problem::new(
                        StatusCode::UNAUTHORIZED,
                        "not_enrolled",
                        "this token opens nothing here",
                    )
                })?;
                // Nothing is administered from a player's terminal.
                if !matches!(
                    enrolled.role,
                    Role::Console { .. } | Role::PitDesk | Role::Cage
                ) {
                    return Err(Problem::not_allowed(
                        "people log in at a console, a pit desk or a window of the cage",
                    ));
                }
                Some(id)
            }
        }
    };
    let (phc, pin_version, known, locked) = {
        let register = floor.desk.register();
        let locked = register.log_in_locked(&given.name, place, now_ms());
        let person = register.person_named(&given.name);
        (
            person.map(|(_, person)| person.pin.clone()),
            person.map_or(0, |(_, person)| person.pin_version),
            person.map(|(id, _)| id),
            locked,
        )
    };
    if let Some(until_ms) = locked {
        return Err(locked_out(until_ms));
    }
    // Hashing takes memory and time: a few at once, and not on the threads
    // that serve everyone.
    let hasher = Arc::clone(&floor.hasher);
    let pin = given.pin;
    let right = floor
        .hashing
        .run(move || hasher.verify(phc.as_deref(), pin.text()))
        .await?;
    let right = known.filter(|_| right).map(|person| PinRight {
        person,
        pin_version,
    });
    let name = given.name;
    let facts = floor
        .desk
        .enter(Party::House, None, Act::LogIn { name, right, place })
        .await?;
    for fact in &facts {
        match fact {
            Fact::LoggedIn {
                person, session, ..
            } => {
                let logged_in = LoggedIn {
                    session: *session,
                    person: *person,
                    place,
                    used_ms: steady_ms(),
                };
                return opened(&floor, logged_in);
            }
            Fact::LockedOut { until_ms, .. } => return Err(locked_out(*until_ms)),
            _ => {}
        }
    }
    Err(Problem::new(
        StatusCode::UNAUTHORIZED,
        "log_in_failed",
        "the name or the PIN is not right",
    ))
}

/// A PIN was verified to show who somebody is: the register counts the try and
/// has the last word, so that many at once are no more than many in a row.
/// Whether it is theirs.
pub(super) async fn prove_pin(
    floor: &Floor,
    name: &str,
    right: Option<PinRight>,
    place: Option<EnrolmentId>,
) -> Result<bool, Problem> {
    let name = name.to_owned();
    let act = Act::ProvePin { name, right, place };
    let facts = floor.desk.enter(Party::House, None, act).await?;
    for fact in &facts {
        if let Fact::LockedOut { until_ms, .. } = fact {
            return Err(locked_out(*until_ms));
        }
    }
    let failed = |fact: &Fact| matches!(fact, Fact::LogInFailed { .. });
    Ok(right.is_some() && !facts.iter().any(failed))
}

pub(super) fn locked_out(until_ms: i64) -> Problem {
    let seconds = ((until_ms - now_ms()) / 1_000).max(1);
    Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "locked_out",
        format!("too many failures: try again in {seconds} seconds"),
    )
}

/// The answer to a log-in: who it is, and the cookie.
///
/// # Errors
/// When there is no randomness.
pub(super) fn opened(floor: &Floor, logged_in: LoggedIn) -> Result<Response, Problem> {
    let me = {
        let register = floor.desk.register();
        let person = register
            .person(logged_in.person)
            .ok_or_else(Problem::log_in_first)?;
        Me {
            person: logged_in.person.0,
            name: person.name.clone(),
            position: person.position.key().to_owned(),
            must_change_pin: person.one_time,
        }
    };
    let secret = random().map_err(|error| Problem::ours(&error))?;
    let presented = floor.sessions.begin(logged_in, secret);
    let cookie = set_cookie(floor, &presented, "")?;
    Ok(([(header::SET_COOKIE, cookie)], Json(me)).into_response())
}

/// The session's cookie: not for scripts, not for other pages, and only over
/// an encrypted line where there is one.
fn set_cookie(floor: &Floor, value: &str, more: &str) -> Result<HeaderValue, Problem> {
    let secure = match floor.plan.tls {
        sicbo_plan::Tls::None => "",
        _ => "; Secure",
    };
    let cookie = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict{secure}{more}");
    HeaderValue::from_str(&cookie).map_err(|error| Problem::ours(&error))
}

/// Logs out
#[utoipa::path(delete, path = "/api/session", tag = "session",
    responses((status = 204), Problems))]
pub async fn log_out(State(floor): State<Arc<Floor>>, person: Person) -> Result<Response, Problem> {
    floor.sessions.end(person.session);
    let act = Act::LogOut {
        session: person.session,
        why: LogOutReason::Asked,
    };
    floor.desk.enter(person.party(), None, act).await?;
    let gone = set_cookie(&floor, "", "; Max-Age=0")?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, gone)]).into_response())
}

/// Changes one's own PIN; other sessions of the person end
#[utoipa::path(post, path = "/api/session/pin", tag = "session", request_body = ChangePin,
    responses((status = 204), Problems))]
pub async fn change_pin(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(given): Body<ChangePin>,
) -> Result<Response, Problem> {
    let new = Pin::new(given.new.text())
        .map_err(|error| Problem::conflict("pin_not_allowed", error.to_string()))?;
    if given.new.text() == given.old.text() {
        return Err(Problem::conflict(
            "pin_not_allowed",
            "the new PIN must be another than the old one",
        ));
    }
    let id: PersonId = person.staff.person;
    let (phc, pin_version) = {
        let register = floor.desk.register();
        let known = register.person(id).ok_or_else(Problem::log_in_first)?;
        if let Some(until_ms) = register.log_in_locked(&known.name, person.place, now_ms()) {
            return Err(locked_out(until_ms));
        }
        (known.pin.clone(), known.pin_version)
    };
    let hasher = Arc::clone(&floor.hasher);
    let salt: [u8; 16] = random().map_err(|error| Problem::ours(&error))?;
    let old = given.old;
    let work = move || {
        let right = hasher.verify(Some(&phc), old.text());
        right.then(|| hasher.hash(&new, salt))
    };
    let hashed = floor.hashing.run(work).await?;
    let old = PinRight {
        person: id,
        pin_version,
    };
    // A wrong old PIN counts as a failed log-in.
    let right = hashed.is_some().then_some(old);
    let proved = prove_pin(&floor, &person.name, right, person.place).await?;
    let Some(hashed) = hashed.filter(|_| proved) else {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "pin_wrong",
            "the old PIN is not right",
        ));
    };
    let pin = hashed.map_err(|error| Problem::ours(&error))?;
    let act = Act::ChangePin { old, pin };
    floor.desk.enter(Party::Person(id), None, act).await?;
    // Whoever else is in under this name knew the old PIN and may not know the
    // new one.
    let others: Vec<SessionId> = {
        let register = floor.desk.register();
        let own = register.sessions.iter().filter(|(_, s)| s.person == id);
        own.map(|(session, _)| *session)
            .filter(|session| *session != person.session)
            .collect()
    };
    for session in others {
        floor.sessions.end(session);
        let why = LogOutReason::RightsChanged;
        let act = Act::LogOut { session, why };
        floor.desk.enter(Party::House, None, act).await?;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
