//! The report of exceptions: what one person did that nobody else has put their name
//! to, at every table and in the register.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sicbo_register::Register;
use sicbo_report::sheet::ExceptionLine;
use sicbo_report::with_name;
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Problems;
use crate::floor::Floor;

/// Everything that somebody has to look at.
#[derive(Serialize, TS, ToSchema)]
pub struct Exceptions {
    /// Money that staff moved and that nobody else has counted the same.
    pub money: Vec<TableExceptions>,
    /// Rights that others than the usual two changed, the newest last.
    pub rights: Vec<ShownRightsException>,
    /// People who were given a PIN and whom nobody has seen log in.
    pub unwitnessed: Vec<String>,
}

/// The exceptions of a table.
#[derive(Serialize, TS, ToSchema)]
pub struct TableExceptions {
    /// The table.
    pub table: String,
    /// Its currency.
    pub currency: Option<String>,
    /// Its exceptions, the oldest first.
    pub lines: Vec<ExceptionLine>,
}

/// Rights changed otherwise than usual, because nobody else was there.
#[derive(Serialize, TS, ToSchema)]
pub struct ShownRightsException {
    /// When.
    pub at_ms: i64,
    /// `stand_in`: the second person stood in for one who leads the house;
    /// `own_witness`: one of the two saw the person log in.
    pub why: &'static str,
    /// Whose rights.
    pub person: String,
    /// Who did it.
    pub by: String,
    /// With whom.
    pub second: Option<String>,
}

fn named(register: &Register, id: PersonId) -> String {
    with_name(register, &format!("person {}", id.0))
}

/// What one person did that nobody else has put their name to
#[utoipa::path(get, path = "/api/exceptions", tag = "reports",
    responses((status = 200, body = Exceptions), Problems))]
pub async fn exceptions(State(floor): State<Arc<Floor>>) -> Json<Exceptions> {
    // Tables before the register: nobody holds both at once.
    let mut money: Vec<TableExceptions> = floor
        .tables()
        .map(|at| {
            let state = at.hub.state();
            let config = state.table.config.as_deref();
            TableExceptions {
                table: at.hub.name.to_string(),
                currency: config.map(|config| config.currency.code().to_owned()),
                lines: sicbo_report::exceptions(&state.table),
            }
        })
        .filter(|table| !table.lines.is_empty())
        .collect();
    let register = floor.desk.register();
    for line in money.iter_mut().flat_map(|table| &mut table.lines) {
        line.by = with_name(&register, &line.by);
        if let Some(second) = &mut line.second {
            *second = with_name(&register, second);
        }
    }
    let rights = register
        .exceptions
        .iter()
        .map(|known| ShownRightsException {
            at_ms: known.at_ms,
            why: match known.witnessed {
                true => "own_witness",
                false => "stand_in",
            },
            person: named(&register, known.person),
            by: named(&register, known.by),
            second: known.second.map(|second| named(&register, second)),
        });
    let unseen = register.people.values().filter(|person| !person.is_seen());
    Json(Exceptions {
        money,
        rights: rights.collect(),
        unwitnessed: unseen.map(|person| person.name.clone()).collect(),
    })
}
