//! What everyone in the room may see of a table: frames for terminals, walls
//! and the lobby alike, encoded once for all of them.

use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

pub use sicbo_table::views::{
    PublicState, ShownCurrency, ShownEnd, ShownLimit, ShownNotice, ShownResult, ShownRound,
    TableInfo, TumbleOrder, TumbleState, Why,
};

/// One ended round on a road.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct RoadRound {
    /// Its number.
    pub number: u64,
    /// The result; null when it was void.
    pub result: Option<ShownResult>,
    /// It was changed after it ended.
    pub amended: bool,
}

/// House to anyone who watches a table: walls and the lobby.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HouseToWall {
    /// First, and again when what the table is has changed.
    Info {
        /// The table.
        info: Box<TableInfo>,
        /// The house's clock.
        server_ms: i64,
    },
    /// Ended rounds, the oldest first; whole, also when an older one changed.
    Road {
        /// Up to 200 of them.
        rounds: Vec<RoadRound>,
    },
    /// The public state.
    Table {
        /// Sequence it rests on.
        version: u64,
        /// The house's clock.
        server_ms: i64,
        /// The state.
        state: Box<PublicState>,
    },
    /// The house is there.
    Heartbeat {
        /// The house's clock.
        server_ms: i64,
    },
    /// The connection ends.
    Bye {
        /// A stable word.
        code: String,
        /// In words.
        words: String,
    },
}
