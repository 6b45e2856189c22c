//! The identity of the software, for the regulator and the auditor.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use sicbo_clock::now_ms;
use sicbo_house::watch::Seen;
use sicbo_register::security::SecurityKind;

use super::{Body, Person, Problems};
use crate::attest;
use crate::edge::PeerAddress;
use crate::floor::Floor;
use crate::problem::Problem;
use crate::security;
use crate::wire::attest::{AskAttest, Attestation};

/// Digests of program, web app, rule books and plan, keyed with a seed that
/// whoever asks has drawn
#[utoipa::path(post, path = "/api/attest", tag = "reports", operation_id = "attest",
    request_body = AskAttest, responses((status = 200, body = Attestation), Problems))]
pub async fn attest(
    State(floor): State<Arc<Floor>>,
    person: Person,
    from: Option<Extension<PeerAddress>>,
    Body(asked): Body<AskAttest>,
) -> Result<Json<Attestation>, Problem> {
    let seed = attest::seed(&asked.seed).ok_or_else(|| Problem::input(attest::SEED_FORM))?;
    let house = Arc::clone(&floor);
    let work = move || {
        let parts = attest::attest(&house.plan, &seed);
        (parts, security::look(&house))
    };
    let (parts, changed) = floor.reporting.run(work).await?;
    let parts = parts.map_err(|error| Problem::ours(&error))?;
    let seen = Seen {
        person: Some(person.staff.person),
        place: person.place,
        address: from.map(|Extension(PeerAddress(address))| address),
        ..Seen::of(SecurityKind::Attested, "POST /api/attest")
    };
    floor.watch.see(seen, now_ms());
    Ok(Json(Attestation {
        seed: asked.seed,
        at_ms: now_ms(),
        parts,
        changed,
    }))
}
