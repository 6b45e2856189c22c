//! Money that staff moved and that the cage has yet to count against it: what a window is
//! shown of it. Amounts are not among it, since whoever counts does not know them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Person, Problems};
use crate::floor::Floor;
use crate::wire::public::ShownCurrency;

/// Money that waits to be counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct UncountedMoney {
    /// The table it was moved at.
    pub table: String,
    /// Its number there.
    pub entry: u64,
    /// `attendant`, `cage`, `transfer`, `hand_pay`, `unclaimed` or `waived`.
    pub how: String,
    /// The name of the station.
    pub station: String,
    /// The table's currency.
    pub currency: ShownCurrency,
    /// When it was moved.
    pub at_ms: i64,
    /// By whom.
    pub by: String,
    /// With whom.
    pub second: Option<String>,
    /// It was counted, and is not what was entered: it may be counted again.
    pub differs: bool,
    /// Whoever asks moved it: somebody else counts it.
    pub own: bool,
}

/// The boxes of a shift that has ended and that nobody has counted yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct UncountedBoxes {
    /// The number of the shift.
    pub shift: u64,
    /// The table they were locked to.
    pub table: String,
    /// The table's currency.
    pub currency: ShownCurrency,
    /// When the shift ended.
    pub closed_ms: i64,
    /// There is a drop box with a number, which whoever counts reads from it.
    pub drop_box: bool,
    /// And a tip box.
    pub tip_box: bool,
    /// Whoever asks signed for the shift: others count its boxes.
    pub own: bool,
}

/// Boxes that wait for the soft count, the oldest first; neither their numbers nor how much
/// should be in them is told
#[utoipa::path(get, path = "/api/cage/boxes", tag = "cage",
    responses((status = 200, body = [UncountedBoxes]), Problems))]
pub async fn boxes(State(floor): State<Arc<Floor>>, person: Person) -> Json<Vec<UncountedBoxes>> {
    let register = floor.desk.register();
    let waiting = register
        .shifts
        .iter()
        .filter(|(_, shift)| shift.boxes_wait());
    let shown = waiting.map(|(id, shift)| UncountedBoxes {
        shift: id.0,
        table: shift.table.to_string(),
        currency: ShownCurrency::of(shift.currency),
        closed_ms: shift.closed_at.unwrap_or(shift.opened_at),
        drop_box: !shift.boxes.drop.is_empty(),
        tip_box: !shift.boxes.tips.is_empty(),
        own: shift.signed(person.staff.person),
    });
    Json(shown.collect())
}

/// Money that waits to be counted at a window of the cage, the oldest first; how much
/// it should be is not told
#[utoipa::path(get, path = "/api/cage/uncounted", tag = "cage",
    responses((status = 200, body = [UncountedMoney]), Problems))]
pub async fn uncounted(
    State(floor): State<Arc<Floor>>,
    person: Person,
) -> Json<Vec<UncountedMoney>> {
    let me = person.staff.person;
    // Tables before the register: nobody holds both at once.
    let mut all: Vec<(UncountedMoney, PersonId, Option<PersonId>)> = Vec::new();
    for at in floor.tables() {
        let state = at.hub.state();
        let Some(config) = state.table.config.as_deref() else {
            continue;
        };
        let waiting = state.table.uncounted.iter().map(|(entry, known)| {
            let station = state.table.station(known.station);
            let shown = UncountedMoney {
                table: at.hub.name.to_string(),
                entry: *entry,
                how: known.how.word().to_owned(),
                station: station.map_or_else(String::new, |station| station.name.clone()),
                currency: ShownCurrency::of(config.currency),
                at_ms: known.at_ms,
                by: String::new(),
                second: None,
                differs: known.counted.is_some(),
                own: known.by == me || known.second == Some(me),
            };
            (shown, known.by, known.second)
        });
        all.extend(waiting);
    }
    all.sort_by_key(|(shown, ..)| shown.at_ms);
    let register = floor.desk.register();
    let name = |id: PersonId| {
        let known = register.people.get(&id);
        known.map_or_else(|| format!("person {}", id.0), |known| known.name.clone())
    };
    let named = all.into_iter().map(|(shown, by, second)| UncountedMoney {
        by: name(by),
        second: second.map(name),
        ..shown
    });
    Json(named.collect())
}
