//! Logging in and out, and changing one's PIN.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use sicbo_clock::steady_ms;
use sicbo_register::person::{LogOutReason, SessionId};
use sicbo_register::pin::Pin;
use sicbo_register::secret::random;
use sicbo_register::{Act, Fact, Party, Reason};
use sicbo_rules::rulebook::words::Word;
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::access;
use super::extract::{BROWSER, COOKIE, bearer, cookie_named};
use super::tried::{Factor, Tried, factor_needed};
use super::{Body, Person, Problems};
use crate::certificates::PlaceCertificate;
use crate::edge::PeerAddress;
use crate::floor::Floor;
use crate::log_ins::{NewFactor, now_s};
use crate::problem::Problem;
use sicbo_house::address::AddressBlock;
use sicbo_house::sessions::LoggedIn;
use sicbo_house::slow_down::Origin;
pub use sicbo_wire::session::{AskFactor, ChangePin, FactorCode, LogIn, PinAgain};

/// A browser that has logged somebody in is known for so long.
const BROWSER_KEPT: &str = "; Max-Age=31536000";

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
    /// A second factor must be set up before anything else.
    pub must_set_factor: bool,
}

/// A second factor to be put into an authenticator; shown once.
#[derive(Serialize, TS, ToSchema)]
pub struct OfferedFactor {
    /// As it is typed, in base 32.
    pub secret: String,
    /// As it is scanned: `otpauth://totp/…`.
    pub url: String,
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
        must_set_factor: person.factor_needed,
    })
}

/// Logs in. At an enrolled console or window, its token goes along as
/// `Authorization: Bearer …`
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = LogIn,
    responses((status = 200, body = Me), Problems))]
pub async fn log_in(
    State(floor): State<Arc<Floor>>,
    from: Option<Extension<PeerAddress>>,
    certificate: Option<Extension<PlaceCertificate>>,
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
                if !enrolled.role.is_for_staff() {
                    return Err(Problem::not_allowed(
                        "people log in at a console, a pit desk or a window of the cage",
                    ));
                }
                Some(id)
            }
        }
    };
    if let Some(place) = place {
        let certificate = certificate
            .map(|Extension(shown)| shown)
            .unwrap_or_default();
        if !certificate.opens(&floor.plan.tls, place) {
            return Err(access::certificate_needed());
        }
    }
    // Before the PIN is looked at: where nobody may log in nothing tells whether it is right.
    if place.is_none() && floor.desk.register().duties.is_some() {
        return Err(Problem::declined(&Reason::PlaceNeeded.into()));
    }
    let block = from.map(|Extension(PeerAddress(address))| AddressBlock::of(address));
    let browser = cookie_named(&headers, BROWSER);
    let browser = browser.and_then(|kept| floor.log_ins.remembered(&kept, &given.name));
    let origin = match (place, browser) {
        (Some(place), _) => Origin::Place(place),
        (None, Some(browser)) => Origin::Browser(browser),
        (None, None) => block.map_or(Origin::Anywhere, Origin::Address),
    };
    let tried = Tried {
        origin,
        place,
        from: block.map(|block| block.to_string()).unwrap_or_default(),
        name: &given.name,
    };
    let right = tried
        .pin(&floor, given.pin, Factor::Code(given.code))
        .await?;
    let failed = || {
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "log_in_failed",
            "the name or the PIN is not right",
        )
    };
    let right = right.ok_or_else(failed)?;
    let act = Act::LogIn {
        name: given.name,
        right: Some(right),
        place,
    };
    let facts = floor.desk.enter(Party::House, None, act).await?;
    let begun = facts.iter().find_map(|fact| match fact {
        Fact::LoggedIn {
            person, session, ..
        } => Some((*person, *session)),
        _ => None,
    });
    // The register has the last word, as about a PIN that was changed meanwhile.
    let (person, session) = begun.ok_or_else(failed)?;
    // Whoever logs in here has left where they were.
    end_others(&floor, person, session, LogOutReason::LoggedInAgain).await?;
    opened(&floor, LoggedIn::new(session, person, place, steady_ms()))
}

/// The person's sessions but this one end.
async fn end_others(
    floor: &Floor,
    person: PersonId,
    but: SessionId,
    why: LogOutReason,
) -> Result<(), Problem> {
    let others: Vec<SessionId> = {
        let register = floor.desk.register();
        let own = register.sessions.iter().filter(|(_, s)| s.person == person);
        own.map(|(session, _)| *session)
            .filter(|session| *session != but)
            .collect()
    };
    for session in others {
        floor.sessions.end(session);
        let act = Act::LogOut { session, why };
        // One that has ended meanwhile has ended.
        let _ = floor.desk.ask(Party::House, None, act).await;
    }
    Ok(())
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
            must_set_factor: factor_needed(floor, &register, logged_in.person),
        }
    };
    let secret = random().map_err(|error| Problem::ours(&error))?;
    let presented = floor.sessions.begin(logged_in, secret);
    let session = set_cookie(floor, COOKIE, &presented, "")?;
    let kept = floor.log_ins.remember(&me.name);
    let kept = kept.map_err(|error| Problem::ours(&error))?;
    let browser = set_cookie(floor, BROWSER, &kept, BROWSER_KEPT)?;
    let cookies = [(header::SET_COOKIE, session), (header::SET_COOKIE, browser)];
    Ok((AppendHeaders(cookies), Json(me)).into_response())
}

/// A cookie: not for scripts, not for other pages, and only over an encrypted
/// line where there is one.
fn set_cookie(floor: &Floor, name: &str, value: &str, more: &str) -> Result<HeaderValue, Problem> {
    let secure = match floor.plan.tls {
        sicbo_plan::Tls::None => "",
        _ => "; Secure",
    };
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict{secure}{more}");
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
    let gone = set_cookie(&floor, COOKIE, "", "; Max-Age=0")?;
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
    let tried = Tried::by(&person);
    // A wrong old PIN counts as a failed log-in.
    let Some(old) = tried.pin(&floor, given.old, Factor::NotAsked).await? else {
        return Err(pin_wrong("the old PIN is not right"));
    };
    let hasher = Arc::clone(&floor.hasher);
    let salt: [u8; 16] = random().map_err(|error| Problem::ours(&error))?;
    let name = person.name.clone();
    let hash = move || hasher.hash(&name, &new, salt);
    let pin = floor.hashing.run(hash).await?;
    let pin = pin.map_err(|error| Problem::ours(&error))?;
    let act = Act::ChangePin { old, pin };
    floor.desk.enter(Party::Person(id), None, act).await?;
    // Whoever else is in under this name knew the old PIN and may not know the
    // new one.
    end_others(&floor, id, person.session, LogOutReason::RightsChanged).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn pin_wrong(words: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "pin_wrong", words)
}

/// Shows once more that it is you who is logged in here, before money is moved
#[utoipa::path(post, path = "/api/session/proof", tag = "session", request_body = PinAgain,
    responses((status = 204), Problems))]
pub async fn prove(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(given): Body<PinAgain>,
) -> Result<StatusCode, Problem> {
    let tried = Tried::by(&person);
    match tried.pin(&floor, given.pin, Factor::NotAsked).await? {
        None => Err(pin_wrong("the PIN is not right")),
        Some(_) => {
            floor.sessions.prove(&person.token, steady_ms());
            Ok(StatusCode::NO_CONTENT)
        }
    }
}

/// Offers a second factor for whoever is logged in; it is theirs once they
/// show a code of it. Their PIN goes along, and a code of the factor they have. A lost
/// authenticator goes with a new PIN
#[utoipa::path(post, path = "/api/session/factor", tag = "session", request_body = AskFactor,
    responses((status = 200, body = OfferedFactor), Problems))]
pub async fn offer_factor(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(given): Body<AskFactor>,
) -> Result<Json<OfferedFactor>, Problem> {
    if person.one_time {
        return Err(access::change_pin_first());
    }
    let factor = Factor::Code(given.code);
    let right = Tried::by(&person).pin(&floor, given.pin, factor).await?;
    if right.is_none() {
        return Err(pin_wrong("the PIN or the code is not right"));
    }
    let (id, site) = (person.staff.person, floor.plan.site.as_str());
    let offered = floor.log_ins.offer(id, (site, &person.name), steady_ms());
    let NewFactor { secret, url } = offered.map_err(|error| Problem::ours(&error))?;
    Ok(Json(OfferedFactor { secret, url }))
}

/// Takes an offered second factor: a code of it shows that it arrived
#[utoipa::path(post, path = "/api/session/factor/code", tag = "session", request_body = FactorCode,
    responses((status = 204), Problems))]
pub async fn accept_factor(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(given): Body<FactorCode>,
) -> Result<StatusCode, Problem> {
    let (id, name) = (person.staff.person, person.name.as_str());
    let now = (now_s(), steady_ms());
    let sealed = floor.log_ins.accept(id, name, given.code.text(), now);
    let sealed = sealed.map_err(|error| Problem::ours(&error))?;
    let sealed = sealed.ok_or_else(|| {
        Problem::new(
            StatusCode::FORBIDDEN,
            "code_wrong",
            "this is no code of the factor that was offered",
        )
    })?;
    let act = Act::SetSecondFactor { sealed };
    floor.desk.enter(person.party(), None, act).await?;
    Ok(StatusCode::NO_CONTENT)
}
