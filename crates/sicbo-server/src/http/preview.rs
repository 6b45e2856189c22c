//! What an act would do to money already paid, before anyone does it: the
//! table decides it on the state as it is, and nothing is recorded (P-031).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::event::Effect;
use sicbo_table::ids::PersonId;
use sicbo_table::record::Standing;
use sicbo_table::{Command, Fact, decide};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{At, Body, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::staff::{Files, StaffAct};

/// What an amendment of one round does at one station.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct AmendedStation {
    /// Which station.
    pub station: u32,
    /// Its name.
    pub name: String,
    /// Who played then plays there still.
    pub present: bool,
    /// What it staked in the round.
    pub staked: i64,
    /// What was returned, stakes included.
    pub was: i64,
    /// What is returned now.
    pub is: i64,
    /// Credited at once.
    pub credited: i64,
    /// Handed over in chips at once.
    pub paid_in_chips: i64,
    /// Kept for someone who has left.
    pub unclaimed: i64,
    /// Set against earlier overpayments, waivers and unclaimed credits of the
    /// same round.
    pub netted: i64,
    /// Paid too much: to be recovered or waived.
    pub recoverable: i64,
}

/// What an amendment does to one round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct AmendedRound {
    /// Which round.
    pub round: u64,
    /// The dice it stands on; null when it is void.
    pub from: Option<[u8; 3]>,
    /// The dice it would stand on; null when it would be void.
    pub to: Option<[u8; 3]>,
    /// The rule.
    pub rule: String,
    /// Stations that took part, those at which nothing changes included.
    pub stations: Vec<AmendedStation>,
}

/// What an act would do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ActPreview {
    /// Ended rounds it would amend.
    pub rounds: Vec<AmendedRound>,
}

/// Whoever confirms is not there yet. For the preview a second person stands
/// in for them who may everything a second person may.
fn stand_in() -> Staff {
    Staff {
        person: PersonId(u32::MAX),
        position: Position::Director,
    }
}

fn dice(standing: Standing) -> Option<[u8; 3]> {
    match standing {
        Standing::Settled(dice) => Some(dice.sorted().faces()),
        Standing::Void => None,
    }
}

/// What an act would do to rounds that have ended, station by station. Nothing
/// is done; whoever may not do it is told so
#[utoipa::path(post, path = "/api/tables/{table}/acts/preview", tag = "tables",
    request_body = StaffAct,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = ActPreview), Problems))]
pub async fn preview(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Body(act): Body<StaffAct>,
) -> Result<Json<ActPreview>, Problem> {
    floor.table_named(&name)?;
    let house = Arc::clone(&floor);
    let by = person.staff;
    // Old rounds are read from the journal: not on a thread that serves others.
    let read = floor.reading().run(move || look(&house, &name, &act, by));
    read.await?.map(Json)
}

fn look(floor: &Floor, name: &str, act: &StaffAct, by: Staff) -> Result<ActPreview, Problem> {
    let at = floor.table_named(name)?;
    let command = Command {
        id: 0,
        at_ms: now_ms(),
        by: Actor::Staff(by),
        second: Some(stand_in()),
        act: act.act(at, act.stated_dice()).map_err(Problem::no_act)?,
    };
    let events = decide(&at.hub.state().table, &command).map_err(|r| Problem::refused(&r))?;
    let mut rounds = Vec::new();
    for event in &events {
        let (round, from, to, rule, effects) = match &event.fact {
            Fact::ResultCorrected {
                round,
                from,
                dice: stated,
                rule,
                effects,
                ..
            } => (round, from, Some(stated.sorted().faces()), rule, effects),
            Fact::RoundVoidedLate {
                round,
                from,
                rule,
                effects,
                ..
            } => (round, from, None, rule, effects),
            _ => continue,
        };
        let record = at.record(*round).map_err(|_| Problem::not_found("round"))?;
        let state = at.hub.state();
        let stations = record.stations.iter().map(|part| {
            let effect = effects.iter().find(|e| e.station == part.station);
            let station = state.table.station(part.station);
            let (plain, colour) = part.returned(&record.book, record.standing);
            AmendedStation {
                station: part.station.0,
                name: station.map_or_else(String::new, |known| known.name.clone()),
                present: station.is_some_and(|known| known.session == part.session),
                staked: part.staked().minor(),
                was: (plain + colour).minor(),
                is: effect.map_or(plain + colour, |effect| effect.is).minor(),
                credited: effect.map_or(0, |effect| effect.credited.minor()),
                paid_in_chips: effect.map_or(0, |effect| effect.paid_in_chips.minor()),
                unclaimed: effect
                    .and_then(|effect| effect.unclaimed.as_ref())
                    .map_or(0, |owed| owed.amount.minor()),
                netted: effect.map_or(Money::ZERO, netted).minor(),
                recoverable: effect
                    .and_then(|effect| effect.recoverable.as_ref())
                    .map_or(0, |over| over.amount.minor()),
            }
        });
        rounds.push(AmendedRound {
            round: round.0,
            from: dice(*from),
            to,
            rule: rule.clone(),
            stations: stations.collect(),
        });
    }
    Ok(ActPreview { rounds })
}

/// What neither changes hands nor is owed afterwards.
fn netted(effect: &Effect) -> Money {
    let open: Money = effect.netted.iter().map(|(_, amount)| *amount).sum();
    let unclaimed: Money = effect.unclaimed_netted.iter().map(|(_, a)| *a).sum();
    open + unclaimed + effect.waiver_netted + effect.waiver_restored
}
