//! What only a play-money house offers: a seat, a position, and the choice of
//! who deals, to whoever asks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use sicbo_clock::steady_ms;
use sicbo_register::command::PinRight;
use sicbo_register::enrolment::TableName;
use sicbo_register::{Act, Fact, Party};
use sicbo_rules::rulebook::words::Position;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Body, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::Secret;
use crate::wire::staff::word;
use sicbo_house::sessions::LoggedIn;
use sicbo_house::visits::WantedSeat;

/// Where one would like to sit.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantSeat {
    /// The table.
    #[schema(example = "mbs-etg")]
    table: String,
    /// The layout, where the table has several.
    #[serde(default)]
    #[ts(optional)]
    layout: Option<String>,
    /// Tokens of earlier visits, the newest first: whoever was here before
    /// finds their own terminal, at which nobody else is.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    #[schema(max_items = 16)]
    visits: Vec<Secret>,
}

/// Most earlier visits that are looked at.
const MAX_VISITS: usize = 16;

/// A terminal to play at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct GivenSeat {
    /// Its table.
    pub table: String,
    /// Its station.
    pub station: u32,
    /// Its name.
    pub name: String,
    /// Its layout within the book.
    pub layout: String,
    /// Its token, for the socket's hello: this visitor's own.
    pub token: String,
    /// The visitor was here before: credit and past are theirs.
    pub own: bool,
}

/// A position to try.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantPosition {
    /// Which: `dealer`, `pit-supervisor` …
    #[schema(schema_with = crate::wire::schemas::position)]
    position: String,
    /// Not the person of this number, for two-person acts.
    #[serde(default)]
    #[ts(optional)]
    but: Option<u32>,
}

/// Who deals.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WhoDeals {
    /// The table.
    table: String,
    /// The automatic dealer; else a person at the console.
    automatic: bool,
}

/// A free terminal of a play-money table
#[utoipa::path(post, path = "/api/trial/seats", tag = "trial", request_body = WantSeat,
    responses((status = 200, body = GivenSeat), Problems))]
pub async fn seat(
    State(floor): State<Arc<Floor>>,
    Body(wanted): Body<WantSeat>,
) -> Result<Json<GivenSeat>, Problem> {
    let at = floor.table_named(&wanted.table)?;
    let name: TableName = at.hub.name.clone();
    let visits = wanted.visits.iter().take(MAX_VISITS);
    let own: Vec<String> = visits.map(|visit| visit.text().to_owned()).collect();
    let asked = WantedSeat {
        table: &name,
        layout: wanted.layout.as_deref(),
        own: &own,
    };
    let seat = floor.seat(asked).await;
    let seat = seat.map_err(|error| Problem::ours(&error))?;
    let seat = seat.ok_or_else(|| {
        let words = "no terminal of this table is free; physical tables have none";
        Problem::conflict("no_free_seat", words)
    })?;
    if !seat.own {
        let house = Arc::clone(&floor);
        // Whoever sits here plays whether or not it can be written down now.
        let _ = floor.reading().run(move || house.keep_visits()).await;
    }
    let state = at.hub.state();
    let station = state
        .table
        .station(seat.station)
        .ok_or_else(|| Problem::not_found("station"))?;
    let layout = state.table.layout_of(station);
    Ok(Json(GivenSeat {
        table: name.to_string(),
        station: seat.station.0,
        name: station.name.clone(),
        layout: layout.map_or_else(String::new, |layout| layout.id.clone()),
        token: seat.token,
        own: seat.own,
    }))
}

/// Logs in as one of the trial's staff, without a PIN
#[utoipa::path(post, path = "/api/trial/staff", tag = "trial", request_body = WantPosition,
    responses((status = 200, body = super::session::Me), Problems))]
pub async fn staff(
    State(floor): State<Arc<Floor>>,
    Body(wanted): Body<WantPosition>,
) -> Result<Response, Problem> {
    let position: Position = word(&wanted.position, "position").map_err(Problem::input)?;
    let found = {
        let register = floor.desk.register();
        if register.duties.is_some() {
            return Err(Problem::not_allowed(
                "where duties are separate everybody logs in with a PIN of their own",
            ));
        }
        let mut people = register.people.iter();
        people
            .find(|(id, person)| {
                person.position == position && !person.disabled && Some(id.0) != wanted.but
            })
            .map(|(id, person)| (*id, person.clone()))
    };
    let (person, known) = found.ok_or_else(|| Problem::not_found("person"))?;
    let (name, mut pin_version) = (known.name, known.pin_version);
    if known.one_time {
        // Nobody can act with a one-time PIN. Whoever tries a position here was
        // never told it: it becomes the PIN of the person it was printed for.
        let old = PinRight {
            person,
            pin_version,
        };
        let act = Act::ChangePin {
            old,
            pin: known.pin,
        };
        floor.desk.enter(Party::Person(person), None, act).await?;
        let register = floor.desk.register();
        pin_version = register.person(person).map_or(0, |known| known.pin_version);
    }
    // The log-in is on record like any other; a trial's PINs are not asked for.
    let right = Some(PinRight {
        person,
        pin_version,
    });
    let act = Act::LogIn {
        name,
        right,
        place: None,
    };
    let facts = floor.desk.enter(Party::House, None, act).await?;
    let session = facts.iter().find_map(|fact| match fact {
        Fact::LoggedIn { session, .. } => Some(*session),
        _ => None,
    });
    let session = session.ok_or_else(|| Problem::ours(&"the log-in was not entered"))?;
    super::session::opened(&floor, LoggedIn::new(session, person, None, steady_ms()))
}

/// Lets the automatic dealer deal, or a person at the console
#[utoipa::path(post, path = "/api/trial/dealer", tag = "trial", request_body = WhoDeals,
    responses((status = 204), Problems))]
pub async fn dealer(
    State(floor): State<Arc<Floor>>,
    Body(wanted): Body<WhoDeals>,
) -> Result<StatusCode, Problem> {
    let at = floor.table_named(&wanted.table)?;
    let dealer = at.dealer.as_ref().ok_or_else(|| {
        Problem::conflict("no_automatic_dealer", "this table has no automatic dealer")
    })?;
    dealer.set(wanted.automatic);
    Ok(StatusCode::NO_CONTENT)
}
