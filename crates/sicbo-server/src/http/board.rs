//! What the pit's board shows beside the tables' own frames: who deals, since
//! when, what was counted and reported, who acts as what (P-030).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sicbo_rules::rulebook::words::{Position, Word};
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Problems;
use crate::floor::Floor;
use sicbo_house::hub::Report;

/// Someone who works at tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Colleague {
    /// Their number.
    pub person: u32,
    /// Their name.
    pub name: String,
    /// The position they hold, or act in.
    pub position: String,
}

/// Who deals at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct AtTheTable {
    /// Their name.
    pub name: String,
    /// Since when it has been the same person.
    pub since_ms: i64,
}

/// One table on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct BoardTable {
    /// Which.
    pub table: String,
    /// Who deals; null while nobody does, or the automatic dealer.
    pub dealer: Option<AtTheTable>,
    /// The shift the rest is of; null where none goes on.
    pub shift: Option<u64>,
    /// Since when the rest was counted: since the shift began, or since the program started.
    pub since_ms: i64,
    /// Rounds that ended.
    pub rounds: u64,
    /// Those that were void.
    pub voids: u64,
    /// Staked in settled rounds.
    pub staked: i64,
    /// What the house kept of it.
    pub kept: i64,
    /// What it could expect to keep, times 216: exact.
    pub expected_216: i64,
    /// What was reported, the newest first.
    pub reports: Vec<Report>,
    /// Who acts in which position here.
    pub acting: Vec<Colleague>,
    /// Why it is out of service, while it is.
    pub stopped: Option<String>,
}

/// The pit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Pit {
    /// The tables, in order of name.
    pub tables: Vec<BoardTable>,
    /// Who works at tables.
    pub colleagues: Vec<Colleague>,
}

/// What the pit's board shows beside the tables' own frames
#[utoipa::path(get, path = "/api/pit", tag = "tables",
    responses((status = 200, body = Pit), Problems))]
pub async fn pit(State(floor): State<Arc<Floor>>) -> Json<Pit> {
    // The tables first and the register after: neither is held while the other is.
    let seen: Vec<_> = floor
        .tables()
        .map(|at| {
            let state = at.hub.state();
            let acting: Vec<(PersonId, Position)> = state.table.acting.iter().copied().collect();
            let stopped = at.hub.stopped();
            (
                at.hub.name.to_string(),
                state.tally.clone(),
                acting,
                stopped,
            )
        })
        .collect();
    let register = floor.desk.register();
    let name = |person: PersonId| {
        register
            .person(person)
            .map_or_else(String::new, |known| known.name.clone())
    };
    let tables = seen
        .iter()
        .map(|(table, tally, acting, stopped)| BoardTable {
            stopped: stopped.clone(),
            table: table.clone(),
            dealer: tally.dealer.map(|(person, since_ms)| AtTheTable {
                name: name(person),
                since_ms,
            }),
            shift: tally.shift,
            since_ms: tally.since_ms,
            rounds: tally.rounds,
            voids: tally.voids,
            staked: tally.staked,
            kept: tally.kept,
            expected_216: tally.expected_216,
            reports: tally.reports.iter().cloned().collect(),
            acting: acting
                .iter()
                .map(|(person, position)| Colleague {
                    person: person.0,
                    name: name(*person),
                    position: position.key().to_owned(),
                })
                .collect(),
        });
    let colleagues = register
        .people
        .iter()
        .filter(|(_, known)| !known.disabled && known.position.rung().is_some());
    Json(Pit {
        tables: tables.collect(),
        colleagues: colleagues
            .map(|(person, known)| Colleague {
                person: person.0,
                name: known.name.clone(),
                position: known.position.key().to_owned(),
            })
            .collect(),
    })
}
