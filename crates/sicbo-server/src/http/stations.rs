//! Stations of all tables, for the cage and for technicians.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::station::{Link, StationKind};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Person, Problems};
use crate::floor::Floor;
use crate::wire::public::ShownCurrency;

/// A station of the house.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct HouseStation {
    /// Its table.
    pub table: String,
    /// Its number there.
    pub station: u32,
    /// Its name.
    pub name: String,
    /// A terminal; else a seat.
    pub terminal: bool,
    /// Its layout within the book.
    pub layout: String,
    /// It can be heard.
    pub online: bool,
    /// The currency of its table.
    pub currency: ShownCurrency,
    /// An amount above this is read back before money moves.
    pub read_back_above: i64,
    /// Free credit; null for positions that have nothing to do with money.
    pub credit: Option<i64>,
    /// The table's rule book has a UV scanner for notes and chips.
    pub uv_scanner: bool,
}

/// Chips of the table's unit above which an amount is read back.
const READ_BACK_UNITS: i64 = 1_000;

/// Stations of all tables
#[utoipa::path(get, path = "/api/stations", tag = "tables",
    responses((status = 200, body = [HouseStation]), Problems))]
pub async fn stations(State(floor): State<Arc<Floor>>, person: Person) -> Json<Vec<HouseStation>> {
    let sees_money = person.staff.position != Position::Technician;
    let mut all = Vec::new();
    for at in floor.tables() {
        let state = at.hub.state();
        let table = &state.table;
        let Some(config) = table.config.as_deref() else {
            continue;
        };
        let uv_scanner = config.book.equipment.iter().any(|e| e.item == "uv-scanner");
        let stations = (0u32..).zip(&table.stations);
        all.extend(
            stations
                .filter(|(_, station)| !station.removed)
                .map(|(number, station)| HouseStation {
                    table: at.hub.name.to_string(),
                    station: number,
                    name: station.name.clone(),
                    terminal: station.kind == StationKind::Terminal,
                    layout: table
                        .layout_of(station)
                        .map_or_else(String::new, |layout| layout.id.clone()),
                    online: station.link == Link::Online,
                    currency: ShownCurrency::of(config.currency),
                    read_back_above: config.chip_unit.minor().saturating_mul(READ_BACK_UNITS),
                    credit: sees_money.then(|| station.credit.minor()),
                    uv_scanner,
                }),
        );
    }
    Json(all)
}
