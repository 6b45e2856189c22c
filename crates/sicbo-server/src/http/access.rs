//! Who may use which route: one table, enforced for all of them.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sicbo_clock::steady_ms;
use sicbo_rules::rulebook::words::Position;

use super::extract::{Caller, Person, Terminal, bearer, cookie};
use crate::edge::PeerAddress;
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
    /// A shift manager lifts a lock; all else is for managers of people.
    CHANGES_PEOPLE: ShiftManager Director HeadOfOperations;
    SEES_PEOPLE: ShiftManager Director HeadOfOperations Surveillance Auditor Regulator;
    ENROLS: Technician;
    SEES_ENROLMENTS: Technician ShiftManager Director HeadOfOperations Auditor Regulator Surveillance;
    REVOKES: Technician ShiftManager Director HeadOfOperations;
    RESTARTS: Technician ShiftManager Director HeadOfOperations;
    CAGE: Cashier ShiftManager Director;
    SEES_VOUCHERS: Cashier ShiftManager Director HeadOfOperations Auditor Regulator Surveillance;
    /// Those who may take some step of a case; which is the rule book's business.
    AT_CASES: Dealer PitSupervisor PitManager ShiftManager Director HeadOfOperations Surveillance Cashier;
    /// Those who may sign for dice and shifts; who with whom is the register's business.
    SIGNS: Dealer PitSupervisor PitManager ShiftManager Director Surveillance;
    SUPERVISES: PitSupervisor PitManager ShiftManager Director;
    STOPS_PLAY: PitSupervisor PitManager ShiftManager Director HeadOfOperations;
    /// Those who read what a table's days came to and what stands out (P-033, P-090).
    SEES_REPORTS: ShiftManager Director HeadOfOperations Surveillance Auditor Regulator;
    /// And whoever signs a shift reads what it came to (J-09).
    READS_REPORT: PitManager ShiftManager Director HeadOfOperations Surveillance Auditor Regulator;
    /// And whoever looks after the terminals sees their meters (S-08).
    SEES_METERS: ShiftManager Director HeadOfOperations Surveillance Auditor Regulator Technician;
    VOIDS_VOUCHERS: ShiftManager Director;
    PRACTISES: Dealer Trainer;
    SEES_PRACTICE: Dealer PitSupervisor PitManager ShiftManager Trainer;
}

macro_rules! routes {
    ($($method:ident $path:literal $access:ident $(($positions:ident))?;)+) => {
        /// Every route with who may use it. Sockets are among them.
        pub const ROUTES: &[(Method, &str, Access)] =
            &[$((Method::$method, $path, Access::$access $(($positions))?)),+];
    };
}

routes! {
    GET    "/api/house"                                       Everyone;
    GET    "/api/session"                                     LoggedIn;
    POST   "/api/session"                                     Everyone;
    DELETE "/api/session"                                     LoggedIn;
    POST   "/api/session/pin"                                 LoggedIn;
    GET    "/api/people"                                      Only(SEES_PEOPLE);
    POST   "/api/people"                                      Exactly(MANAGES_PEOPLE);
    POST   "/api/people/{person}"                             Only(CHANGES_PEOPLE);
    GET    "/api/enrolments"                                  Only(SEES_ENROLMENTS);
    POST   "/api/enrolments"                                  Only(ENROLS);
    DELETE "/api/enrolments/{enrolment}"                      Only(REVOKES);
    GET    "/api/pit"                                         Only(SEES_TABLES);
    GET    "/api/clock"                                       Only(SEES_TABLES);
    POST   "/api/clock"                                       Only(SUPERVISES);
    GET    "/api/stations"                                    Only(SEES_STATIONS);
    GET    "/api/tables/{table}"                              Everyone;
    GET    "/api/tables/{table}/rounds"                       Everyone;
    GET    "/api/tables/{table}/rounds/{round}"               Only(SEES_TABLES);
    GET    "/api/tables/{table}/staff"                        Only(SEES_TABLES);
    POST   "/api/tables/{table}/acts"                         Only(AT_TABLES);
    POST   "/api/tables/{table}/acts/preview"                 Only(AT_TABLES);
    GET    "/api/tables/{table}/proposals"                    Only(SEES_TABLES);
    POST   "/api/tables/{table}/proposals"                    Only(AT_TABLES);
    DELETE "/api/tables/{table}/proposals/{proposal}"         Only(AT_TABLES);
    POST   "/api/tables/{table}/proposals/{proposal}/confirm" Only(AT_TABLES);
    POST   "/api/tables/{table}/restart"                      Only(RESTARTS);
    GET    "/api/tables/{table}/report"                       Only(READS_REPORT);
    GET    "/api/tables/{table}/alerts"                       Only(SEES_REPORTS);
    GET    "/api/tables/{table}/events"                       Only(SEES_REPORTS);
    GET    "/api/tables/{table}/rounds/{round}/bundle"        Only(SEES_REPORTS);
    GET    "/api/tables/{table}/stations/{station}/meters"    Only(SEES_METERS);
    GET    "/api/tables/{table}/stations/{station}/vouchers"  Only(SEES_VOUCHERS);
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
    GET    "/api/proposals"                                   Only(SEES_TABLES);
    POST   "/api/proposals"                                   Only(SIGNS);
    GET    "/api/proposals/ended"                             Only(SEES_TABLES);
    DELETE "/api/proposals/{proposal}"                        Only(SIGNS);
    POST   "/api/proposals/{proposal}/confirm"                Only(SIGNS);
    GET    "/api/dice"                                        Only(SEES_TABLES);
    GET    "/api/tables/{table}/dice/affected"                Only(SEES_TABLES);
    GET    "/api/shifts"                                      Only(SEES_TABLES);
    GET    "/api/station/play"                                Terminal;
    POST   "/api/station/play"                                Terminal;
    POST   "/api/station/card"                                Terminal;
    POST   "/api/tables/{table}/stations/{station}/play"      Only(STOPS_PLAY);
    POST   "/api/cage/redemptions"                            Only(CAGE);
    GET    "/api/cage/vouchers"                               Only(SEES_VOUCHERS);
    GET    "/api/cage/flags"                                  Only(SEES_VOUCHERS);
    POST   "/api/cage/vouchers/{voucher}/pay"                 Only(CAGE);
    POST   "/api/cage/vouchers/{voucher}/void"                Only(VOIDS_VOUCHERS);
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
    GET    "/ws/console/{table}"                              Only(SEES_TABLES);
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
    match caller(&floor, access, &request) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
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
                return Err(Problem::new(
                    StatusCode::FORBIDDEN,
                    "must_change_pin",
                    "change the one-time PIN first",
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
        session: logged_in.session,
        place: logged_in.place,
        token,
    })
}

/// A browser says where a request comes from; what comes from another page is
/// refused, sockets as well.
pub async fn same_origin(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let origin = headers
        .get(header::ORIGIN)
        .map(|o| o.to_str().unwrap_or(""));
    let host = headers.get(header::HOST).map(|h| h.to_str().unwrap_or(""));
    if let Some(origin) = origin {
        let from = origin.split_once("://").map(|(_, host)| host);
        if from.is_none() || from != host {
            return Problem::new(
                StatusCode::FORBIDDEN,
                "other_origin",
                "requests from other pages are refused",
            )
            .into_response();
        }
    }
    next.run(request).await
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
