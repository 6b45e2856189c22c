//! Receipts for players, and the page that checks them: the house signs both.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sicbo_check::receipt::{Receipt, statement};
use sicbo_check::slip::{Slip, SlipFacts};
use sicbo_check::{Trust, text};
use sicbo_clock::now_ms;
use sicbo_journal::{KeyFolder, KeyRing};
use sicbo_proof::bundle::MakeError;
use sicbo_table::ids::VoucherId;
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

/// The receipt of a voucher, for whoever has the key on its paper: what it is worth and how it
/// stands now. Its number is not in it
#[utoipa::path(get, path = "/api/vouchers/{voucher}/receipt", tag = "tables",
    operation_id = "voucher_receipt",
    params(("voucher" = u64, Path, description = "Its number in the house"), Opens),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        Problems))]
pub async fn voucher(
    State(floor): State<Arc<Floor>>,
    At(voucher): At<u64>,
    Ask(opens): Ask<Opens>,
) -> Result<Response, Problem> {
    let id = VoucherId(voucher);
    let facts = floor
        .voucher_secret
        .opens_receipt(&opens.key, id)
        .then(|| slip_of(&floor, id));
    // A wrong key and a voucher that never was look the same.
    let facts = facts.flatten();
    let facts = facts.ok_or_else(|| Problem::not_found("receipt"))?;
    let file = format!("voucher-{voucher}.sicbo-receipt");
    let house = Arc::clone(&floor);
    let made = floor.public_reading.run(move || {
        let keys = KeyFolder::read_hand_overs(&house.data.join("keys"));
        let (first, hand_overs) = keys.map_err(|error| Problem::ours(&error))?;
        let mut ring = KeyRing::new(first.clone());
        for hand_over in &hand_overs {
            let accepted = ring.accept(hand_over);
            accepted.map_err(|error| Problem::ours(&error))?;
        }
        let statement = facts.statement(&ring);
        let signature = house.sign(statement.as_bytes())?;
        let slip = Slip::new(statement, signature, (first, hand_overs));
        // What is handed out is what was checked.
        let checked = slip.check(&Trust::Anyone);
        checked.map_err(|fault| Problem::ours(&fault))?;
        Ok::<_, Problem>(slip.to_bytes())
    });
    Ok(saved(&file, made.await??))
}

fn slip_of(floor: &Floor, id: VoucherId) -> Option<SlipFacts> {
    let register = floor.desk.register();
    let voucher = register.vouchers.get(&id).filter(|v| v.sequence > 0)?;
    let digits = floor.voucher_secret.number(id, voucher.attempt).digits();
    Some(SlipFacts {
        voucher: id.0,
        table: voucher.origin.table.to_string(),
        station: voucher.station_name.clone(),
        sequence: voucher.sequence,
        issued_ms: voucher.issued_ms,
        expires_ms: voucher.expires_ms,
        currency: voucher.currency.code().to_owned(),
        decimals: voucher.currency.decimals(),
        amount: voucher.amount.minor(),
        // As many as a terminal's own list shows (S-13).
        ends: digits[digits.len() - 4..].to_owned(),
        state: voucher.state.word().to_owned(),
        real_money: floor.plan.real_money,
        signed_ms: now_ms(),
    })
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
