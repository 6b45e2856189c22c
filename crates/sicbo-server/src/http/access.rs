//! Who may use which route: one table, enforced for all of them.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sicbo_clock::steady_ms;
use sicbo_register::enrolment::{EnrolmentId, Role};
use sicbo_rules::rulebook::words::Position;

use super::extract::{Caller, Person, Terminal, bearer, cookie};
use super::tried::factor_needed;
use crate::certificates::PlaceCertificate;
use crate::edge::PeerAddress;
use crate::edge::crowd::{Place, Refused};
use crate::floor::Floor;
use crate::problem::Problem;
use sicbo_house::sessions::Token;

/// The header of a request that a screen makes by itself.
const BACKGROUND: &str = "sicbo-background";

/// Who may use a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Anyone.
    Everyone,
    /// Anyone on the house's own machine: what watches the house runs there.
    Here,
    /// Anyone, in a play-money house only.
    Trial,
    /// A player's terminal, by its token.
    Terminal,
    /// Anyone who is logged in, also with a one-time PIN.
    LoggedIn,
    /// Staff in one of these positions, with a PIN of their own. Where the
    /// director passes, so do the positions that the house names above:
    /// what each may do there is for the table or the register to say.
    Only(&'static [Position]),
    /// As `Only`, and nobody above the director: rights over people go with the
    /// positions named and with no rank.
    Exactly(&'static [Position]),
}

impl Access {
    /// Whether staff in a position pass; all who are logged in where no
    /// position is asked for.
    #[must_use]
    pub fn admits(self, position: Position) -> bool {
        match self {
            Access::Only(named) if position.is_above_director() => {
                named.contains(&Position::Director)
            }
            Access::Only(named) | Access::Exactly(named) => named.contains(&position),
            _ => true,
        }
    }
}

macro_rules! positions {
    ($($(#[$doc:meta])* $name:ident: $($position:ident)+;)+) => {
        $($(#[$doc])* const $name: &[Position] = &[$(Position::$position),+];)+
    };
}

positions! {
    /// Those whom a table may hear; what each may do is the rule book's business.
    AT_TABLES: Dealer PitSupervisor PitManager ShiftManager Director HeadOfOperations Cashier;
    /// Those who see what staff see of a table.
    SEES_TABLES: Dealer PitSupervisor PitManager ShiftManager Director HeadOfOperations Surveillance
        Auditor Regulator;
    /// Those who must know which stations there are.
    SEES_STATIONS: PitSupervisor PitManager ShiftManager Director HeadOfOperations Surveillance Cashier
        Auditor Regulator Technician;
    MANAGES_PEOPLE: Director HeadOfOperations;
    /// Supervisors assign people, managers see them log in, a shift manager lifts a
    /// lock; all else is for managers of people.
    CHANGES_PEOPLE: PitSupervisor PitManager ShiftManager Director HeadOfOperations;
    SEES_PEOPLE: PitSupervisor PitManager ShiftManager Director HeadOfOperations Surveillance Auditor Regulator;
    ENROLS: Technician;
    SEES_ENROLMENTS: Technician ShiftManager Director HeadOfOperations Auditor Regulator Surveillance;
    REVOKES: Technician ShiftManager Director HeadOfOperations;
    RESTARTS: Technician ShiftManager Director HeadOfOperations;
    CAGE: Cashier ShiftManager Director;
    /// Those who may open boxes; which of them, the register says.
    COUNTS_BOXES: Cashier PitManager ShiftManager Director;
    SEES_VOUCHERS: Cashier ShiftManager Director HeadOfOperations Auditor Regulator Surveillance;
    /// Those who may take some step of a case; which is the rule book's business.
    AT_CASES: Dealer PitSupervisor PitManager ShiftManager Director HeadOfOperations Surveillance Cashier;
    /// Those who may have a part in what two persons do for the house: who signs for dice
    /// and shifts, and who changes rights and places with whom, is the register's
    /// business. In a house with few people left that is any of them.
    PROPOSES: Dealer PitSupervisor PitManager ShiftManager Director HeadOfOperations Surveillance
        Cashier Auditor Regulator Trainer Technician;
    SUPERVISES: PitSupervisor PitManager ShiftManager Director;
    STOPS_PLAY: PitSupervisor PitManager ShiftManager Director HeadOfOperations;
    /// Those who read what a table's days came to and what stands out (P-033, P-090).
    SEES_REPORTS: ShiftManager Director HeadOfOperations Surveillance Auditor Regulator;
    /// And whoever signs a shift reads what it came to (J-09).
    READS_REPORT: PitManager ShiftManager Director HeadOfOperations Surveillance Auditor Regulator;
    /// And whoever looks after the terminals sees their meters (S-08).
    SEES_METERS: ShiftManager Director HeadOfOperations Surveillance Auditor Regulator Technician;
    /// Those who guard the house, and nobody whom it guards against.
    SEES_SECURITY: Surveillance Auditor Regulator;
    /// Those who hold the house to the software that was approved.
    ATTESTS: Auditor Regulator;
    VOIDS_VOUCHERS: ShiftManager Director;
    PRACTISES: Dealer Trainer;
    SEES_PRACTICE: Dealer PitSupervisor PitManager ShiftManager Trainer;
}

macro_rules! routes {
    ($($method:ident $path:literal $access:ident $(($positions:ident))? $(from $from:ident)?;)+) => {
        /// Every route with who may use it. Sockets are among them.
        pub const ROUTES: &[(Method, &str, Access)] =
            &[$((Method::$method, $path, Access::$access $(($positions))?)),+];

        /// Routes that are not for every place where staff log in.
        pub const PLACES: &[(Method, &str, From)] =
            &[$($((Method::$method, $path, From::$from),)?)+];
    };
}

/// Where a route is used from in a house with duties, beside what is done there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// A window of the cage.
    Window,
    /// The table's own console, a pit desk or a window; no other table's console.
    Table,
    /// Any desk, and no table's console: it is no business of a table.
    Desk,
}

routes! {
    GET    "/api/tables/{table}/rounds/{round}/receipts/{station}" Everyone;
    GET    "/api/tables/{table}/camera/{file}"                Everyone;
    GET    "/api/vouchers/{voucher}/receipt"                  Everyone;
    GET    "/api/check"                                       Everyone;
    GET    "/api/house"                                       Everyone;
    GET    "/api/session"                                     LoggedIn;
    POST   "/api/session"                                     Everyone;
    DELETE "/api/session"                                     LoggedIn;
    POST   "/api/session/pin"                                 LoggedIn;
    POST   "/api/session/proof"                               LoggedIn;
    POST   "/api/session/factor"                              LoggedIn;
    POST   "/api/session/factor/code"                         LoggedIn;
    GET    "/api/people"                                      Only(SEES_PEOPLE);
    POST   "/api/people"                                      Exactly(MANAGES_PEOPLE) from Desk;
    POST   "/api/people/{person}"                             Only(CHANGES_PEOPLE) from Desk;
    GET    "/api/enrolments"                                  Only(SEES_ENROLMENTS);
    POST   "/api/enrolments"                                  Only(ENROLS) from Desk;
    DELETE "/api/enrolments/{enrolment}"                      Only(REVOKES) from Desk;
    GET    "/api/pit"                                         Only(SEES_TABLES);
    GET    "/api/tree"                                        Only(SEES_TABLES);
    GET    "/api/clock"                                       Only(SEES_TABLES);
    POST   "/api/clock"                                       Only(SUPERVISES) from Desk;
    GET    "/api/stations"                                    Only(SEES_STATIONS);
    GET    "/api/tables/{table}"                              Everyone;
    POST   "/api/tables/{table}/calls"                        Everyone;
    GET    "/api/tables/{table}/rounds"                       Everyone;
    GET    "/api/tables/{table}/rounds/{round}"               Only(SEES_TABLES);
    GET    "/api/tables/{table}/staff"                        Only(SEES_TABLES);
    POST   "/api/tables/{table}/acts"                         Only(AT_TABLES) from Table;
    POST   "/api/tables/{table}/acts/preview"                 Only(AT_TABLES) from Table;
    GET    "/api/tables/{table}/proposals"                    Only(SEES_TABLES);
    POST   "/api/tables/{table}/proposals"                    Only(AT_TABLES) from Table;
    DELETE "/api/tables/{table}/proposals/{proposal}"         Only(AT_TABLES) from Table;
    GET    "/api/tables/{table}/proposals/{proposal}/outcome" Only(AT_TABLES);
    POST   "/api/tables/{table}/proposals/{proposal}/confirm" Only(AT_TABLES) from Table;
    POST   "/api/reload"                                      Only(RESTARTS) from Desk;
    POST   "/api/tables/{table}/restart"                      Only(RESTARTS) from Table;
    GET    "/api/tables/{table}/report"                       Only(READS_REPORT);
    GET    "/api/exceptions"                                  Only(SEES_REPORTS);
    GET    "/api/tables/{table}/alerts"                       Only(SEES_REPORTS);
    GET    "/api/tables/{table}/events"                       Only(SEES_REPORTS);
    GET    "/api/tables/{table}/rounds/{round}/bundle"        Only(SEES_REPORTS);
    GET    "/api/tables/{table}/stations/{station}/meters"    Only(SEES_METERS);
    GET    "/api/tables/{table}/stations/{station}/vouchers"  Only(SEES_VOUCHERS);
    POST   "/api/attest"                                      Only(ATTESTS);
    GET    "/api/security"                                    Only(SEES_SECURITY);
    GET    "/api/station/rounds"                              Terminal;
    GET    "/api/station/vouchers"                            Terminal;
    GET    "/api/station/vouchers/{voucher}/ticket.svg"       Terminal;
    POST   "/api/station/disputes"                            Terminal;
    GET    "/api/station/cases"                               Terminal;
    POST   "/api/station/cases/{case}/answer"                 Terminal;
    GET    "/api/cases"                                       Only(SEES_TABLES);
    POST   "/api/cases"                                       Only(AT_CASES);
    GET    "/api/cases/{case}"                                Only(SEES_TABLES);
    POST   "/api/cases/{case}/steps"                          Only(AT_CASES);
    GET    "/api/cases/{case}/bundle"                         Only(SEES_TABLES);
    GET    "/api/proposals"                                   Only(PROPOSES);
    POST   "/api/proposals"                                   Only(PROPOSES);
    GET    "/api/proposals/ended"                             Only(SEES_TABLES);
    DELETE "/api/proposals/{proposal}"                        Only(PROPOSES);
    POST   "/api/proposals/{proposal}/confirm"                Only(PROPOSES);
    POST   "/api/proposals/{proposal}/claim"                  Only(PROPOSES);
    GET    "/api/dice"                                        Only(SEES_TABLES);
    GET    "/api/tables/{table}/dice/affected"                Only(SEES_TABLES);
    GET    "/api/shifts"                                      Only(SEES_TABLES);
    GET    "/api/station/play"                                Terminal;
    POST   "/api/station/play"                                Terminal;
    POST   "/api/station/card"                                Terminal;
    POST   "/api/tables/{table}/stations/{station}/play"      Only(STOPS_PLAY) from Table;
    POST   "/api/cage/redemptions"                            Only(CAGE) from Window;
    POST   "/api/cage/look-ups"                               Only(CAGE) from Window;
    GET    "/api/cage/vouchers"                               Only(SEES_VOUCHERS);
    GET    "/api/cage/flags"                                  Only(SEES_VOUCHERS);
    GET    "/api/cage/uncounted"                              Only(CAGE);
    GET    "/api/cage/boxes"                                  Only(COUNTS_BOXES);
    POST   "/api/cage/vouchers/{voucher}/pay"                 Only(CAGE) from Window;
    POST   "/api/cage/vouchers/{voucher}/void"                Only(VOIDS_VOUCHERS) from Desk;
    GET    "/api/rulebooks"                                   Everyone;
    GET    "/api/rulebooks/{book}"                            Everyone;
    GET    "/api/rulebooks/{book}/layouts/{layout}"           Everyone;
    GET    "/api/practice"                                    Everyone;
    GET    "/api/practice/{table}"                            Only(SEES_PRACTICE);
    POST   "/api/practice/{table}/lessons"                    Only(PRACTISES);
    POST   "/api/practice/{table}/call"                       Only(PRACTISES);
    POST   "/api/practice/{table}/payments"                   Only(PRACTISES);
    GET    "/api/practice/{table}/certificate"                Only(SEES_PRACTICE);
    POST   "/api/trial/seats"                                 Trial;
    POST   "/api/trial/staff"                                 Trial;
    POST   "/api/trial/dealer"                                Trial;
    GET    "/health"                                          Everyone;
    GET    "/health/live"                                     Everyone;
    GET    "/health/ready"                                    Everyone;
    GET    "/metrics"                                         Here;
    GET    "/openapi.json"                                    Everyone;
    GET    "/ws/terminal"                                     Everyone;
    GET    "/ws/wall/{table}"                                 Everyone;
    GET    "/ws/console/{table}"                              Only(SEES_TABLES) from Table;
    GET    "/ws/pit"                                          Only(SEES_TABLES);
}

/// Who may use a route; nobody when it is not in the table.
#[must_use]
pub fn access(method: &Method, path: &str) -> Option<Access> {
    // What can be read can be asked for without its body.
    let method = match *method {
        Method::HEAD => &Method::GET,
        _ => method,
    };
    let mut routes = ROUTES.iter();
    routes
        .find(|(known, route, _)| known == method && *route == path)
        .map(|(_, _, access)| *access)
}

/// Lets through who may, and tells the handler who it is.
pub async fn enforce(
    State(floor): State<Arc<Floor>>,
    path: MatchedPath,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(access) = access(request.method(), path.as_str()) else {
        return Problem::not_allowed("nobody may do this").into_response();
    };
    if let Some(behind) = floor.behind()
        && !in_recovery(request.method(), path.as_str())
    {
        return house_behind(&behind).into_response();
    }
    if let Some(why) = floor.tree().and_then(|tree| tree.unwritten())
        && !in_recovery(request.method(), path.as_str())
    {
        return tree_not_written(why).into_response();
    }
    let caller = caller(&floor, access, &request);
    let place = request.extensions().get::<Arc<Place>>();
    match (&caller, place) {
        (Ok(Caller::Person(_) | Caller::Terminal(_)), Some(place)) => place.recognised(),
        (_, Some(place)) if !place.may_ask() => return too_often(),
        _ => {}
    }
    match caller {
        Ok(caller) => {
            if let Err(problem) = from_place(&floor, &caller, path.as_str(), &request) {
                return problem.into_response();
            }
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

/// An address asks too often: the line is closed, so that asking again costs
/// more than refusing.
pub(super) fn too_often() -> Response {
    Refused::TooOften.count("request");
    let problem = Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "too_many_requests",
        "too many requests from this address; wait a moment",
    );
    let headers = [
        (header::CONNECTION, HeaderValue::from_static("close")),
        (header::RETRY_AFTER, HeaderValue::from_static("1")),
    ];
    (headers, problem).into_response()
}

/// Whether somebody uses a route from where it is used.
fn from_place(
    floor: &Floor,
    caller: &Caller,
    path: &str,
    request: &Request,
) -> Result<(), Problem> {
    let Caller::Person(person) = caller else {
        return Ok(());
    };
    let register = floor.desk.register();
    if register.duties.is_none() {
        return Ok(());
    }
    let mut places = PLACES.iter();
    let from = places.find(|(method, known, _)| method == request.method() && *known == path);
    // The third name of the path, as in `/api/tables/{table}` and `/ws/console/{table}`.
    let table = request.uri().path().split('/').nth(3).unwrap_or_default();
    let place = person.place.and_then(|place| register.enrolled(place));
    let role = place.map(|place| &place.role);
    used_from(role, from.map(|(_, _, from)| *from), table)
}

/// Whether something is done at the place where a person is logged in; `table` is the one it is
/// about.
///
/// # Errors
/// Where it is done instead.
pub(super) fn used_from(
    role: Option<&Role>,
    from: Option<From>,
    table: &str,
) -> Result<(), Problem> {
    let elsewhere = |words| {
        Err(Problem::new(
            StatusCode::FORBIDDEN,
            "place_does_not_fit",
            words,
        ))
    };
    let Some(role) = role else {
        return elsewhere("staff work at an enrolled place of the house");
    };
    match (from, role) {
        (Some(From::Window), Role::Cage) => Ok(()),
        (Some(From::Window), _) => elsewhere("this is done at a window of the cage"),
        (Some(From::Table), Role::Console { table: own }) if own.as_str() != table => {
            elsewhere("another table's console is not for this table")
        }
        (Some(From::Desk), Role::Console { .. }) => {
            elsewhere("this is done at a desk of the house")
        }
        _ => Ok(()),
    }
}

/// What is open in a house whose data is older than what is known: people log
/// in, look, and two of them say why it goes on. No money moves.
fn in_recovery(method: &Method, path: &str) -> bool {
    match *method {
        Method::GET | Method::HEAD => path != "/ws/terminal",
        Method::POST | Method::DELETE => matches!(
            path,
            "/api/session"
                | "/api/session/pin"
                | "/api/session/proof"
                | "/api/session/factor"
                | "/api/session/factor/code"
                | "/api/trial/staff"
                | "/api/proposals"
                | "/api/proposals/{proposal}"
                | "/api/proposals/{proposal}/confirm"
                | "/api/proposals/{proposal}/claim"
        ),
        _ => false,
    }
}

/// The house does not play.
pub(super) fn house_behind(behind: &crate::floor::tree::Behind) -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "house_behind",
        behind.to_string(),
    )
}

/// Nothing is paid or dealt while the tree cannot be written.
pub(super) fn tree_not_written(why: String) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "tree_not_written", why)
}

/// Whether who asks may, and who it is.
///
/// # Errors
/// Why not.
pub fn caller(floor: &Floor, access: Access, request: &Request) -> Result<Caller, Problem> {
    match access {
        Access::Everyone => Ok(Caller::Anyone),
        Access::Here => match is_here(request) {
            true => Ok(Caller::Anyone),
            false => Err(Problem::not_allowed(
                "this is for programs on the house's machine",
            )),
        },
        Access::Trial if floor.plan.real_money => Err(Problem::not_allowed(
            "this is for play-money houses; this one plays for money",
        )),
        // Positions without a PIN are for a newcomer on the house's own
        // machine, and for a house that is practised in.
        Access::Trial if !floor.plan.practice && !is_here(request) => Err(Problem::not_allowed(
            "this is for screens on the house's own machine",
        )),
        Access::Trial => Ok(Caller::Anyone),
        Access::Terminal => {
            let token = bearer(request.headers()).ok_or_else(|| {
                Problem::new(
                    StatusCode::UNAUTHORIZED,
                    "token_needed",
                    "send the terminal's token: Authorization: Bearer …",
                )
            })?;
            let (enrolment, table, station) = floor.station_of(&token).ok_or_else(|| {
                Problem::new(
                    StatusCode::UNAUTHORIZED,
                    "not_enrolled",
                    "this token opens nothing here",
                )
            })?;
            certified(floor, request, enrolment)?;
            Ok(Caller::Terminal(Terminal {
                enrolment,
                table,
                station,
            }))
        }
        Access::LoggedIn | Access::Only(_) | Access::Exactly(_) => {
            let person = person(floor, request)?;
            let (Access::Only(positions) | Access::Exactly(positions)) = access else {
                return Ok(Caller::Person(person));
            };
            if person.one_time {
                return Err(change_pin_first());
            }
            if person.factor_needed {
                return Err(Problem::new(
                    StatusCode::FORBIDDEN,
                    "must_set_factor",
                    "set up your authenticator first",
                ));
            }
            if !access.admits(person.staff.position) {
                let mut known: Vec<String> = positions.iter().map(ToString::to_string).collect();
                known.dedup();
                return Err(Problem::not_allowed(format!(
                    "this is for: {}",
                    known.join(", ")
                )));
            }
            Ok(Caller::Person(person))
        }
    }
}

/// A token opens something only beside the certificate of the same place,
/// where the plan asks for one.
///
/// # Errors
/// When that is missing.
pub(super) fn certified(
    floor: &Floor,
    request: &Request,
    enrolment: EnrolmentId,
) -> Result<(), Problem> {
    let shown = request.extensions().get::<PlaceCertificate>();
    match shown
        .cloned()
        .unwrap_or_default()
        .opens(&floor.plan.tls, enrolment)
    {
        true => Ok(()),
        false => Err(certificate_needed()),
    }
}

/// A token without the certificate of its place.
pub(super) fn certificate_needed() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "certificate_needed",
        "this token opens something only on the machine that has its certificate",
    )
}

/// A PIN that was given to somebody opens nothing but the door to another.
pub(super) fn change_pin_first() -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "must_change_pin",
        "change the one-time PIN first",
    )
}

/// Whether a request came from this machine.
fn is_here(request: &Request) -> bool {
    let from = request.extensions().get::<PeerAddress>();
    from.is_some_and(|PeerAddress(address)| address.to_canonical().is_loopback())
}

/// A screen says of what it asks by itself that nobody is using it (S-18).
/// Whatever does something is somebody's doing.
fn is_background(request: &Request) -> bool {
    let said = request.headers().get(BACKGROUND);
    request.method() == Method::GET && said.is_some_and(|said| said == "yes")
}

fn person(floor: &Floor, request: &Request) -> Result<Person, Problem> {
    let presented = cookie(request.headers()).ok_or_else(Problem::log_in_first)?;
    let token = Token::of(&presented);
    let logged_in = match is_background(request) {
        true => floor.sessions.find_unused(&token, steady_ms()),
        false => floor.sessions.find(&token, steady_ms()),
    };
    let logged_in = logged_in.ok_or_else(Problem::log_in_first)?;
    // A cookie that was copied to another machine is worth no more than a token is.
    if let Some(place) = logged_in.place {
        certified(floor, request, place)?;
    }
    let register = floor.desk.register();
    // The register has the last word: a session it has ended is over.
    if !register.sessions.contains_key(&logged_in.session) {
        return Err(Problem::log_in_first());
    }
    let known = register
        .person(logged_in.person)
        .ok_or_else(Problem::log_in_first)?;
    Ok(Person {
        staff: sicbo_table::actor::Staff {
            person: logged_in.person,
            position: known.position,
        },
        name: known.name.clone(),
        one_time: known.one_time,
        factor_needed: factor_needed(floor, &register, logged_in.person),
        proved_ms: logged_in.proved_ms,
        session: logged_in.session,
        place: logged_in.place,
        token,
    })
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::{BACKGROUND, Method, PeerAddress, Request, is_background, is_here};

    #[test]
    fn only_looking_can_be_in_the_background() {
        let asks = |method: Method, said: Option<&'static str>| {
            let mut request = Request::default();
            *request.method_mut() = method;
            if let Some(said) = said {
                let said = said.parse().expect("a value");
                request.headers_mut().insert(BACKGROUND, said);
            }
            is_background(&request)
        };
        assert!(asks(Method::GET, Some("yes")));
        assert!(!asks(Method::GET, None));
        assert!(!asks(Method::GET, Some("no")));
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            assert!(!asks(method, Some("yes")), "somebody does something");
        }
    }

    #[test]
    fn only_this_machine_is_here() {
        let comes_from = |address: &str| {
            let mut request = Request::default();
            let address: IpAddr = address.parse().expect("an address");
            request.extensions_mut().insert(PeerAddress(address));
            is_here(&request)
        };
        for here in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert!(comes_from(here), "{here}");
        }
        for elsewhere in ["10.0.0.1", "192.168.1.2", "::ffff:10.0.0.1", "2001:db8::1"] {
            assert!(!comes_from(elsewhere), "{elsewhere}");
        }
        assert!(
            !is_here(&Request::default()),
            "an unknown place is not here"
        );
    }
}
