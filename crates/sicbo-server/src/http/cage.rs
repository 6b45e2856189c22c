//! The cage: vouchers paid in cash, looked at, and made void.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use sicbo_register::case::{Grievance, Kind};
use sicbo_register::enrolment::Role;
use sicbo_register::validation::Number;
use sicbo_register::voucher::{Payee, RECALLED, State as VoucherState, Unpaid, Voucher};
use sicbo_register::{Act, Fact, Register};
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, VoucherId};
use ts_rs::TS;
use utoipa::ToSchema;

use super::pit::vouchers::not_kept;
use super::tried::{Factor, Tried};
use super::{At, Body, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::Secret;
pub use sicbo_wire::cage::{LookUp, PayKept, Presented, VoidVoucher};

/// A voucher was paid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Paid {
    /// Its number in the house.
    pub voucher: u64,
    /// What to pay out.
    pub amount: i64,
    /// It was paid by this very request before: pay nothing more.
    pub again: bool,
}

/// A voucher as the house sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownVoucher {
    /// Its number in the house.
    pub voucher: u64,
    /// The table it is from.
    pub table: String,
    /// The station it is from.
    pub station: String,
    /// Its amount.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// How it stands.
    pub state: String,
    /// When it was issued.
    pub issued_ms: i64,
    /// Good before this.
    pub expires_ms: i64,
    /// When and where it was paid, once it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paid: Option<PaidWhere>,
}

/// When and where a voucher was paid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct PaidWhere {
    /// When.
    pub at_ms: i64,
    /// At a station: its table and its name; else at the cage.
    pub station: Option<String>,
    /// At the cage: by whom.
    pub cashier: Option<String>,
}

impl PaidWhere {
    fn of(register: &Register, voucher: &Voucher) -> Option<PaidWhere> {
        let VoucherState::Redeemed { to, at_ms, .. } = &voucher.state else {
            return None;
        };
        let (station, cashier) = match to {
            Payee::Station(_) => (Some(presenter(register, to)), None),
            Payee::Cage { .. } => (None, Some(presenter(register, to))),
        };
        Some(PaidWhere {
            at_ms: *at_ms,
            station,
            cashier,
        })
    }
}

impl ShownVoucher {
    fn of(register: &Register, id: VoucherId, voucher: &Voucher) -> ShownVoucher {
        ShownVoucher {
            voucher: id.0,
            table: voucher.origin.table.to_string(),
            station: voucher.station_name.clone(),
            amount: voucher.amount.minor(),
            currency: voucher.currency.code().to_owned(),
            state: voucher.state.word().to_owned(),
            issued_ms: voucher.issued_ms,
            expires_ms: voucher.expires_ms,
            paid: PaidWhere::of(register, voucher),
        }
    }
}

/// Pays a voucher in cash, once. Not found, already paid and amount differs
/// are told apart and flagged (S-14)
#[utoipa::path(post, path = "/api/cage/redemptions", tag = "cage", request_body = Presented,
    responses((status = 200, body = Paid), Problems))]
pub async fn redeem(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(presented): Body<Presented>,
) -> Result<Json<Paid>, Problem> {
    person.proved_lately(&floor)?;
    let number = Number::parse(presented.number.text())
        .map_err(|error| Problem::conflict("misread", error.to_string()))?;
    let currency = Currency::from_code(&presented.currency)
        .ok_or_else(|| Problem::input("no such currency is known here"))?;
    let act = Act::BeginRedeem {
        request: presented.request,
        digest: floor.voucher_digest(number),
        to: Payee::Cage {
            cashier: person.staff.person,
        },
        currency,
        claimed: presented.claimed.map(Money::from_minor),
    };
    let facts = floor.desk.enter(person.party(), None, act).await?;
    for fact in &facts {
        match fact {
            Fact::VoucherRedeemed { voucher, .. } => return paid(&floor, *voucher, false),
            Fact::RedemptionRefused { why, .. } => {
                return Err(Problem::conflict(why.code(), why.words()));
            }
            _ => {}
        }
    }
    // Said again: it was paid by this very request, and only then.
    let register = floor.desk.register();
    let known = register.voucher_numbered(&floor.voucher_digest(number));
    let own = Payee::Cage {
        cashier: person.staff.person,
    };
    match known {
        Some((id, voucher))
            if matches!(&voucher.state, VoucherState::Redeemed { to, request, .. }
                if *to == own && *request == presented.request) =>
        {
            drop(register);
            paid(&floor, id, true)
        }
        _ => Err(Problem::ours(&"a redemption was entered without a fact")),
    }
}

fn paid(floor: &Floor, id: VoucherId, again: bool) -> Result<Json<Paid>, Problem> {
    // An older copy that does not know of it is noticed from then on.
    if let (Some(tree), false) = (floor.tree(), again) {
        tree.paid();
    }
    let register = floor.desk.register();
    let voucher = register.vouchers.get(&id);
    let voucher = voucher.ok_or_else(|| Problem::not_found("voucher"))?;
    Ok(Json(Paid {
        voucher: id.0,
        amount: voucher.amount.minor(),
        again,
    }))
}

/// The voucher with a number, as it stands: what it is worth before it is paid,
/// and when and where it was paid
#[utoipa::path(post, path = "/api/cage/look-ups", tag = "cage", request_body = LookUp,
    responses((status = 200, body = ShownVoucher), Problems))]
pub async fn look_up(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(asked): Body<LookUp>,
) -> Result<Json<ShownVoucher>, Problem> {
    person.proved_lately(&floor)?;
    let number = Number::parse(asked.number.text())
        .map_err(|error| Problem::conflict("misread", error.to_string()))?;
    let digest = floor.voucher_digest(number);
    {
        let register = floor.desk.register();
        if let Some((id, voucher)) = register.voucher_numbered(&digest) {
            return Ok(Json(ShownVoucher::of(&register, id, voucher)));
        }
    }
    // Whoever looks up numbers that do not exist is flagged and locked like whoever presents
    // them: it is presented, for nothing, so that it could not be paid either.
    let act = Act::BeginRedeem {
        request: asked.request,
        digest,
        to: Payee::Cage {
            cashier: person.staff.person,
        },
        currency: Currency::SGD,
        claimed: Some(Money::ZERO),
    };
    let facts = floor.desk.enter(person.party(), None, act).await?;
    let refused = facts.iter().find_map(|fact| match fact {
        Fact::RedemptionRefused { why, .. } => Some(*why),
        _ => None,
    });
    let why = refused.unwrap_or(Unpaid::NotFound);
    Err(Problem::conflict(why.code(), why.words()))
}

/// The newest 500 vouchers
#[utoipa::path(get, path = "/api/cage/vouchers", tag = "cage",
    responses((status = 200, body = [ShownVoucher]), Problems))]
pub async fn vouchers(State(floor): State<Arc<Floor>>) -> Json<Vec<ShownVoucher>> {
    let register = floor.desk.register();
    let newest = register.vouchers.iter().rev().take(500);
    let shown = newest.map(|(id, voucher)| ShownVoucher::of(&register, *id, voucher));
    Json(shown.collect())
}

/// A voucher that somebody must look at, or a number that was not paid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownFlag {
    /// Why: `kept`, `disputed`, or the code of why a number was not paid.
    pub why: String,
    /// When.
    pub at_ms: i64,
    /// The voucher, where the number is one's.
    pub voucher: Option<ShownVoucher>,
    /// Where the number was presented: a station, or who at the cage.
    pub presented: Option<String>,
    /// The dispute, where there is one.
    pub case: Option<u64>,
}

/// Where a number was presented: a station, or who at the cage.
fn presenter(register: &Register, to: &Payee) -> String {
    match to {
        Payee::Station(place) => {
            let role = Role::Station {
                table: place.table.clone(),
                station: place.station,
            };
            let mut places = register.enrolments.values();
            let known = places.find(|place| place.role == role);
            known.map_or_else(|| place.table.to_string(), |place| place.name.clone())
        }
        Payee::Cage { cashier } => {
            let person = register.people.get(cashier);
            person.map_or_else(String::new, |person| person.name.clone())
        }
    }
}

/// Vouchers flagged: kept without a paper, of a station that disputes its
/// credit, and the last numbers that were not paid (S-14), newest first
#[utoipa::path(get, path = "/api/cage/flags", tag = "cage",
    responses((status = 200, body = [ShownFlag]), Problems))]
pub async fn flags(State(floor): State<Arc<Floor>>) -> Json<Vec<ShownFlag>> {
    let register = floor.desk.register();
    let mut all: Vec<ShownFlag> = Vec::new();
    let kept = register.vouchers.iter().rev();
    let kept = kept.filter(|(_, voucher)| voucher.state == VoucherState::Kept);
    all.extend(kept.take(MAX_FLAGS).map(|(id, voucher)| ShownFlag {
        why: "kept".to_owned(),
        at_ms: voucher.issued_ms,
        voucher: Some(ShownVoucher::of(&register, *id, voucher)),
        presented: None,
        case: None,
    }));
    for (case, dispute) in register.open_cases() {
        let new = &dispute.new;
        if new.kind != Kind::Dispute || new.grievance != Grievance::Credit {
            continue;
        }
        let theirs = register.vouchers.iter().rev().filter(|(_, voucher)| {
            voucher.origin.table == new.table
                && Some(voucher.origin.station) == new.station
                && voucher.state.is_outstanding()
        });
        all.extend(theirs.take(RECALLED).map(|(id, voucher)| ShownFlag {
            why: "disputed".to_owned(),
            at_ms: dispute.opened_ms,
            voucher: Some(ShownVoucher::of(&register, *id, voucher)),
            presented: None,
            case: Some(case.0),
        }));
    }
    all.extend(register.flags.iter().rev().map(|flag| {
        let voucher = flag.voucher.and_then(|id| {
            let known = register.vouchers.get(&id)?;
            Some(ShownVoucher::of(&register, id, known))
        });
        ShownFlag {
            why: flag.why.code().to_owned(),
            at_ms: flag.at_ms,
            voucher,
            presented: Some(presenter(&register, &flag.to)),
            case: None,
        }
    }));
    Json(all)
}

/// Kept vouchers shown at once.
const MAX_FLAGS: usize = 200;

/// Makes a voucher worthless, by two persons
#[utoipa::path(post, path = "/api/cage/vouchers/{voucher}/void", tag = "cage",
    request_body = VoidVoucher,
    params(("voucher" = u64, Path, description = "Its number in the house")),
    responses((status = 204), Problems))]
pub async fn void(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(voucher): At<u64>,
    Body(asked): Body<VoidVoucher>,
) -> Result<StatusCode, Problem> {
    person.proved_lately(&floor)?;
    let shown = (asked.second_pin, asked.second_code);
    let second = second_person(&floor, &person, &asked.second_name, shown).await?;
    let act = Act::VoidVoucher {
        voucher: VoucherId(voucher),
        reason: asked.reason,
    };
    floor.desk.enter(person.party(), Some(second), act).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pays a voucher that was never printed and is kept for its owner, by two
/// persons who have found out whose it is
#[utoipa::path(post, path = "/api/cage/vouchers/{voucher}/pay", tag = "cage",
    request_body = PayKept,
    params(("voucher" = u64, Path, description = "Its number in the house")),
    responses((status = 200, body = Paid), Problems))]
pub async fn pay_kept(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(voucher): At<u64>,
    Body(asked): Body<PayKept>,
) -> Result<Json<Paid>, Problem> {
    person.proved_lately(&floor)?;
    let id = VoucherId(voucher);
    let to = Payee::Cage {
        cashier: person.staff.person,
    };
    let (digest, currency) = {
        let register = floor.desk.register();
        let known = register.vouchers.get(&id);
        let known = known.ok_or_else(|| Problem::not_found("voucher"))?;
        match &known.state {
            VoucherState::Kept => {}
            VoucherState::Redeemed {
                to: payee, request, ..
            } if *payee == to && *request == asked.request => {
                drop(register);
                return paid(&floor, id, true);
            }
            state => return Err(not_kept(state.word())),
        }
        (known.digest, known.currency)
    };
    let shown = (asked.second_pin, asked.second_code);
    let second = second_person(&floor, &person, &asked.second_name, shown).await?;
    let act = Act::BeginRedeem {
        request: asked.request,
        digest,
        to,
        currency,
        claimed: None,
    };
    let facts = floor.desk.enter(person.party(), Some(second), act).await?;
    let redeemed = |fact: &Fact| matches!(fact, Fact::VoucherRedeemed { .. });
    match facts.iter().any(redeemed) {
        true => paid(&floor, id, false),
        false => Err(not_kept("not paid")),
    }
}

/// A second person who is logged in on a session of their own and gives their
/// PIN here, with a code of their authenticator where they have one: a PIN that was seen
/// over a shoulder is no second person. A wrong one counts as a failed log-in at this place.
/// In a house with duties nobody types a PIN alone on another's screen (decision 0120).
async fn second_person(
    floor: &Floor,
    by: &Person,
    name: &str,
    (pin, code): (Secret, Option<Secret>),
) -> Result<PersonId, Problem> {
    let wrong = || {
        Problem::new(
            StatusCode::FORBIDDEN,
            "second_person_unknown",
            "the second person's name or PIN is not right, or they are not logged in",
        )
    };
    let is_in = {
        let register = floor.desk.register();
        if register.duties.is_some() && code.is_none() {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "own_screen_needed",
                "the second person confirms a proposal on a screen of their own, or gives a code of \
                 their authenticator here",
            ));
        }
        let known = register.person_named(name).map(|(person, _)| person);
        known.is_some_and(|known| register.sessions.values().any(|s| s.person == known))
    };
    let tried = Tried::at(by, name).pin(floor, pin, Factor::Code(code));
    let right = tried.await.map_err(|problem| match problem.status {
        // It is not the person who asks that has to log in.
        401 => Problem {
            status: 403,
            ..problem
        },
        _ => problem,
    })?;
    let right = right.filter(|_| is_in).ok_or_else(wrong)?;
    Ok(right.person)
}
