//! The identity of the software, for the regulator and the auditor.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use sicbo_clock::now_ms;
use sicbo_house::watch::Seen;
use sicbo_register::security::SecurityKind;
use sicbo_witness::note::VerifierKey;

use super::{Body, Person, Problems};
use crate::attest::{self, NotListed};
use crate::edge::PeerAddress;
use crate::floor::Floor;
use crate::problem::Problem;
use crate::security;
use crate::wire::attest::{AskAttest, Attestation, ComparedWithList};

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
    let list = match (&asked.list, &asked.key) {
        (None, None) => None,
        (Some(list), Some(key)) => {
            let key = VerifierKey::parse(key.trim());
            let key = key.map_err(|error| Problem::input(format!("key: {error}")))?;
            Some((list, key))
        }
        _ => return Err(Problem::input("a list goes with the key that signs it")),
    };
    let house = Arc::clone(&floor);
    let work = move || {
        let parts = attest::attest(&house.plan, &seed);
        (parts, security::look(&house))
    };
    let (parts, changed) = floor.reporting.run(work).await?;
    let parts = parts.map_err(|error| Problem::ours(&error))?;
    let compared = list.map(|(list, key)| compared(attest::compare(&parts, list.as_bytes(), &key)));
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
        compared,
    }))
}

/// What came of a comparison, for the screen.
fn compared(came: Result<(), NotListed>) -> ComparedWithList {
    let (differs, why) = match &came {
        Ok(()) => (Vec::new(), None),
        Err(NotListed::Differs(parts)) => (parts.clone(), None),
        Err(why) => (Vec::new(), Some(why.to_string())),
    };
    ComparedWithList {
        as_listed: came.is_ok(),
        differs,
        why,
    }
}
