//! What a player's terminal asks for: its last rounds and its vouchers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sicbo_paper::{Language, Ticket};
use sicbo_plan::PrinterPlan;
use sicbo_register::recall;
use sicbo_register::voucher::Place;
use sicbo_table::ids::VoucherId;
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::{Ask, At, Problems, Terminal};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::rounds::OwnRound;

/// How many.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HowMany {
    /// At most 50.
    #[param(minimum = 1, maximum = 50)]
    n: Option<u16>,
}

/// Whoever reads it.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Reader {
    /// The player's language, beside the rule book's: `en`, `vi`, `zh-Hans` or `zh-Hant`.
    language: Option<String>,
}

/// A voucher as its station recalls it (S-13): never the whole number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct RecalledVoucher {
    /// Its number in the house.
    pub voucher: u64,
    /// Issued here; else accepted here.
    pub issued_here: bool,
    /// Its amount.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// When.
    pub at_ms: i64,
    /// How it stands.
    pub state: String,
    /// The number with all but its last digits hidden.
    pub number: String,
}

/// The station's last rounds (S-01), for whoever plays there now
#[utoipa::path(get, path = "/api/station/rounds", tag = "station", params(HowMany),
    responses((status = 200, body = [OwnRound]), Problems))]
pub async fn rounds(
    State(floor): State<Arc<Floor>>,
    Terminal { table, station, .. }: Terminal,
    Ask(asked): Ask<HowMany>,
) -> Result<Json<Vec<OwnRound>>, Problem> {
    let n = usize::from(asked.n.unwrap_or(20));
    if !(1..=50).contains(&n) {
        return Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "not_understood",
            "n is 1 to 50",
        ));
    }
    let read = floor.read_at(table.as_str(), move |at| at.own_rounds(station, n));
    let rounds = read.await?;
    rounds.map(Json).map_err(|error| Problem::ours(&error))
}

/// The station's last 35 vouchers (S-13)
#[utoipa::path(get, path = "/api/station/vouchers", tag = "station",
    responses((status = 200, body = [RecalledVoucher]), Problems))]
pub async fn vouchers(
    State(floor): State<Arc<Floor>>,
    Terminal { table, station, .. }: Terminal,
) -> Result<Json<Vec<RecalledVoucher>>, Problem> {
    Ok(Json(recalled(&floor, &Place { table, station })))
}

/// The last vouchers of a station, issued and accepted.
pub(super) fn recalled(floor: &Floor, place: &Place) -> Vec<RecalledVoucher> {
    let register = floor.desk.register();
    let (issued, accepted) = recall::recall(&register, &floor.voucher_secret, place);
    let shown = |issued_here: bool| {
        move |voucher: recall::Recalled| RecalledVoucher {
            voucher: voucher.voucher.0,
            issued_here,
            amount: voucher.amount.minor(),
            currency: voucher.currency.code().to_owned(),
            at_ms: voucher.issued_ms,
            state: voucher.state.to_owned(),
            number: voucher.number,
        }
    };
    let issued = issued.into_iter().map(shown(true));
    issued
        .chain(accepted.into_iter().map(shown(false)))
        .collect()
}

/// The ticket as printed, where the printer is simulated
#[utoipa::path(get, path = "/api/station/vouchers/{voucher}/ticket.svg", tag = "station",
    params(("voucher" = u64, Path, description = "Its number in the house"), Reader),
    responses((status = 200, content_type = "image/svg+xml", body = String), Problems))]
pub async fn ticket(
    State(floor): State<Arc<Floor>>,
    Terminal { table, station, .. }: Terminal,
    At(voucher): At<u64>,
    Ask(asked): Ask<Reader>,
) -> Result<Response, Problem> {
    let place = Place { table, station };
    let (book, known) = floor.desk.languages_at(&place);
    let player = asked.language.as_deref().and_then(Language::of_tag);
    let simulated = floor
        .table_at(place.table.as_str())
        .is_some_and(|at| matches!(at.plan.printer, PrinterPlan::Folder(_)));
    let register = floor.desk.register();
    let id = VoucherId(voucher);
    let own = register
        .vouchers
        .get(&id)
        .is_some_and(|v| v.origin == place);
    if !own || !simulated || floor.plan.real_money {
        return Err(Problem::not_found("ticket"));
    }
    let zone = &floor.plan.zone;
    let house = floor.plan.address_for_guests();
    let ticket = Ticket::of(
        &register,
        &floor.voucher_secret,
        id,
        1,
        zone,
        house.as_deref(),
    )
    .ok_or_else(|| Problem::not_found("ticket"))?
    .in_languages(book, player.unwrap_or(known));
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], ticket.svg()).into_response())
}
