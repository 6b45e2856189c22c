//! Receipts for players, and the page that checks them: the house signs both.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sicbo_check::receipt::{Receipt, statement};
use sicbo_check::{Trust, text};
use sicbo_clock::now_ms;
use sicbo_journal::KeyFolder;
use sicbo_proof::bundle::MakeError;
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::reports::saved;
use super::{Ask, At, Problems};
use crate::floor::Floor;
use crate::problem::Problem;

/// The file that checks receipts without the house.
pub(super) const PAGE: &str = "/sicbo-check.html";

/// What opens a receipt.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Opens {
    /// The key on the card.
    key: String,
}

/// The receipt of one station's part of an ended round, for whoever has its key
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/receipts/{station}", tag = "tables",
    operation_id = "receipt",
    params(("table" = String, Path, description = "The table's name"),
           ("round" = u64, Path, description = "The round's number"),
           ("station" = String, Path, description = "The station's name"), Opens),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        Problems))]
pub async fn receipt(
    State(floor): State<Arc<Floor>>,
    At((name, round, station)): At<(String, u64, String)>,
    Ask(opens): Ask<Opens>,
) -> Result<Response, Problem> {
    let at = floor.table_named(&name)?;
    // A wrong key and a round that never was look the same.
    if !at
        .hub
        .state()
        .road
        .opens_receipt(&opens.key, round, &station)
    {
        return Err(Problem::not_found("receipt"));
    }
    let house = Arc::clone(&floor);
    let file = format!("{name}-round-{round}-{station}.sicbo-receipt");
    let made = floor
        .public_reading
        .run(move || made(&house, &name, round, &station));
    Ok(saved(&file, made.await??))
}

fn made(floor: &Floor, name: &str, round: u64, station: &str) -> Result<Vec<u8>, Problem> {
    let (stream, store) = floor.journal(name)?;
    let keys = KeyFolder::read_hand_overs(&floor.data.join("keys"));
    let keys = keys.map_err(|error| Problem::ours(&error))?;
    let mut receipts = floor.table_named(name)?.receipts.lock();
    let made = receipts.make(&store, &stream, keys, round, station);
    drop(receipts);
    let (bundle, code) = made.map_err(|error| match error {
        MakeError::NoSuchRound { .. } | MakeError::NoSuchStation { .. } => {
            Problem::not_found("receipt")
        }
        MakeError::Journal(_) => Problem::ours(&error),
        _ => Problem::conflict("not_yet", error.to_string()),
    })?;
    // What is handed out is what was checked.
    let checked = bundle.check(&Trust::Anyone);
    checked.map_err(|fault| Problem::ours(&fault))?;
    let ring = bundle.proof.ring().map_err(|fault| Problem::ours(&fault))?;
    let statement = statement(&bundle, &stream, code, &ring, now_ms());
    let statement = statement.map_err(|fault| Problem::ours(&fault))?;
    let signature = floor.sign(statement.as_bytes())?;
    let receipt = Receipt {
        statement,
        signature,
        bundle,
    };
    Ok(receipt.to_bytes())
}

/// The page that checks receipts, with what the house signed about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CheckPage {
    /// Where the file is.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
    /// What the house signed, to the byte.
    pub statement: String,
    /// Its Ed25519 signature, in hexadecimal digits.
    pub signature: String,
    /// The key that signed, in PEM form.
    pub key: String,
}

/// The page that checks receipts without the house, and the house's signature over it
#[utoipa::path(get, path = "/api/check", tag = "tables", operation_id = "check_page",
    responses((status = 200, body = CheckPage), Problems))]
pub async fn page(State(floor): State<Arc<Floor>>) -> Result<Json<CheckPage>, Problem> {
    if let Some(known) = floor.check_page.get() {
        return Ok(Json(known.clone()));
    }
    let bytes = sicbo_web::file(PAGE).ok_or_else(|| Problem::not_found("file"))?;
    let sha256 = sicbo_wire::hex(Sha256::digest(&bytes));
    let (house, key) = floor.signing_key()?;
    let statement = format!(
        "sicbo check page 1\nhouse: {house}\nsha256: {sha256}\ntime: {}\nkey: {}\n",
        text::time(now_ms()),
        key.id()
    );
    let page = CheckPage {
        file: PAGE.to_owned(),
        sha256,
        signature: sicbo_wire::hex(floor.sign(statement.as_bytes())?),
        statement,
        key: key.to_pem().map_err(|error| Problem::ours(&error))?,
    };
    Ok(Json(floor.check_page.get_or_init(|| page).clone()))
}
