//! What the house is, for everyone.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_table::station::StationKind;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Problems;
use super::camera::Camera;
use crate::floor::Floor;
use crate::wire::hex;
use crate::wire::public::{PublicState, ShownCurrency, TableInfo};

/// A table in the lobby.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct LobbyTable {
    /// What it is; null before it was first opened.
    pub info: Option<TableInfo>,
    /// Its name.
    pub table: String,
    /// Its currency.
    pub currency: ShownCurrency,
    /// How it stands; null while it is out of service.
    pub state: Option<PublicState>,
    /// Sequence it rests on.
    pub version: u64,
    /// The automatic dealer deals.
    pub automatic: bool,
    /// Its tumbler is simulated.
    pub simulated: bool,
    /// It is out of service: nothing is dealt, bet or paid at it.
    pub stopped: bool,
    /// How many people play at it, as far as the house can tell.
    pub players: u32,
    /// Its terminals or seats, by layout.
    pub seats: Vec<LobbySeats>,
    /// Where people sit with chips; none at a table of terminals.
    pub chip_seats: Vec<ChipSeat>,
    /// The camera over it.
    pub camera: Option<Camera>,
}

/// A seat of a table that is played with chips.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ChipSeat {
    /// Its number.
    pub seat: u32,
    /// Its name.
    pub name: String,
}

/// Terminals or seats of a table that share a layout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct LobbySeats {
    /// The layout within the book.
    pub layout: String,
    /// How many there are.
    pub seats: u32,
    /// How many somebody could take now; who sits where chips are played with
    /// is not known.
    pub free: u32,
}

/// The house.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct HouseInfo {
    /// The site.
    pub site: String,
    /// Players play for money.
    pub real_money: bool,
    /// A house of practice: nothing that happens in it is play (P-068).
    pub practice: bool,
    /// Positions can be tried without a PIN.
    pub try_positions: bool,
    /// The protocol of the sockets.
    pub protocol: u32,
    /// SHA-256 of the running program.
    pub program: String,
    /// The program's version.
    pub version: String,
    /// The house's clock.
    pub server_ms: i64,
    /// Local time now, in minutes east of UTC.
    pub utc_offset_minutes: i16,
    /// The house's own positions above the director, lowest first.
    pub positions: Vec<OwnPosition>,
    /// The tables.
    pub tables: Vec<LobbyTable>,
}

/// A position above the director that the house has named.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct OwnPosition {
    /// Its word in messages.
    #[schema(schema_with = crate::wire::schemas::position)]
    pub position: String,
    /// What the house calls it.
    pub name: String,
}

/// What the house is, with its tables
#[utoipa::path(get, path = "/api/house", tag = "house",
    responses((status = 200, body = HouseInfo), Problems))]
pub async fn house(State(floor): State<Arc<Floor>>) -> Json<HouseInfo> {
    let tables = floor.tables().map(|at| {
        let stopped = at.hub.stopped().is_some();
        let (seats, players) = floor.seats_at(at);
        let seats = seats.into_iter().map(|on| LobbySeats {
            layout: on.layout,
            seats: on.seats,
            free: on.free,
        });
        let state = at.hub.state();
        let stations = (0u32..).zip(&state.table.stations);
        let chip_seats = stations
            .filter(|(_, known)| known.kind == StationKind::Seat && !known.removed)
            .map(|(seat, known)| ChipSeat {
                seat,
                name: known.name.clone(),
            });
        LobbyTable {
            camera: Camera::at(at),
            chip_seats: chip_seats.collect(),
            players,
            seats: seats.collect(),
            info: TableInfo::of(&state.table),
            currency: {
                let config = state.table.config.as_deref();
                ShownCurrency::of(config.unwrap_or(&at.plan.config).currency)
            },
            table: at.hub.name.to_string(),
            state: PublicState::of(&state.table).filter(|_| !stopped),
            version: state.version,
            automatic: at.dealer.as_ref().is_some_and(|dealer| dealer.deals()),
            simulated: at.dealer.is_some(),
            stopped,
        }
    });
    let positions = Position::ABOVE_DIRECTOR.iter();
    let positions = positions.zip(floor.desk.register().above_director.clone());
    let positions = positions.map(|(position, name)| OwnPosition {
        position: position.key().to_owned(),
        name,
    });
    let try_positions = !floor.plan.real_money && floor.desk.register().duties.is_none();
    Json(HouseInfo {
        site: floor.plan.site.clone(),
        real_money: floor.plan.real_money,
        practice: floor.plan.practice,
        try_positions,
        protocol: crate::wire::PROTOCOL,
        program: hex(floor.program),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        server_ms: now_ms(),
        utc_offset_minutes: floor.plan.zone.offset_minutes(now_ms()),
        positions: positions.collect(),
        tables: tables.collect(),
    })
}
