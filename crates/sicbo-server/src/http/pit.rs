//! What the pit does for the house: dice in custody, shifts, and the
//! two-person acts on them.

mod acts;
mod places;
mod rights;
mod shifts;
pub(super) mod vouchers;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use sicbo_register as register;
use sicbo_register::dice::DiceSet;
use sicbo_register::enrolment::TableName;
use sicbo_register::shift::{Ledger, ShiftId};
use utoipa::IntoParams;

use sicbo_house::acts::can_be_proposed;
use sicbo_house::house::House;
use sicbo_wire::acts::{Confirmation, Done, Proposed};

use self::acts::{carry_out, could_be_entered, entry_of, named};
use self::shifts::ledger_at;
use super::{Ask, At, Body, Person, Problems};
use crate::claims::Claimed;
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::console::{EndedProposal, ShownProposal};
use crate::wire::pit::{AffectedRounds, HouseAct, ShownDice, ShownShift, Waiting, ledger};

/// Shifts shown at once.
const MAX_SHIFTS: usize = 200;
/// Rounds proposed as affected at once.
const MAX_AFFECTED: usize = 200;

/// Two-person acts for the house that wait for their second person
#[utoipa::path(get, path = "/api/proposals", tag = "pit", operation_id = "house_proposals",
    responses((status = 200, body = [ShownProposal]), Problems))]
pub async fn proposals(State(floor): State<Arc<Floor>>) -> Json<Vec<ShownProposal>> {
    let mut open = floor.proposals.lock();
    Json(open.shown())
}

/// Proposes something that two persons do for the house
#[utoipa::path(post, path = "/api/proposals", tag = "pit", operation_id = "house_propose",
    request_body = HouseAct, responses((status = 201, body = Proposed), Problems))]
pub async fn propose(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Body(act): Body<HouseAct>,
) -> Result<(StatusCode, Json<Proposed>), Problem> {
    // The proposer is told what cannot be understood, not the second person.
    act.fits().map_err(Problem::input)?;
    in_recovery(&floor, &act)?;
    places::at_place(&floor, &person, &act)?;
    if let HouseAct::OpenShift { table: name, .. }
    | HouseAct::CloseShift { table: name, .. }
    | HouseAct::PlaceDice { table: name, .. } = &act
    {
        floor.table_named(name)?;
    }
    if matches!(act, HouseAct::VoidVoucher { .. } | HouseAct::PayKept { .. }) {
        person.proved_lately(&floor)?;
    }
    let act = named(&floor, act)?;
    let mut entry = entry_of(&floor, &act, person.staff.person).await?.act;
    if let register::Act::CloseShift { end, .. } = &mut entry
        && end.comment.trim().is_empty()
    {
        // That a comment is needed tells how far a count is off. Nobody hears it before the count
        // is on record with its proposal; it is confirmed with a comment only.
        "counted".clone_into(&mut end.comment);
    }
    let (house, asked, by) = (Arc::clone(&floor), act.clone(), person.staff);
    let work = move || {
        could_be_entered(&house, &entry, by)?;
        let HouseAct::PlaceDice { set, table: name } = asked else {
            return Ok(());
        };
        let change = sicbo_table::Act::ChangeDice { dice_set: set };
        can_be_proposed(&house, house.table_named(&name)?, &change, None, by)
    };
    floor.reading().run(work).await??;
    let proposed = floor.propose(&floor.proposals, None, act, person.present());
    Ok((StatusCode::CREATED, Json(proposed.await?.proposed())))
}

/// A house that is behind does one thing only; one whose tree cannot be written, none.
fn in_recovery(floor: &Floor, act: &HouseAct) -> Result<(), Problem> {
    if let Some(why) = floor.tree().and_then(|tree| tree.unwritten()) {
        return Err(super::access::tree_not_written(why));
    }
    match floor.behind() {
        Some(behind) if !matches!(act, HouseAct::GoOnAfterRollback { .. }) => {
            Err(super::access::house_behind(&behind))
        }
        _ => Ok(()),
    }
}

/// Withdraws a proposal of one's own
#[utoipa::path(delete, path = "/api/proposals/{proposal}", tag = "pit",
    operation_id = "house_withdraw",
    params(("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 204), Problems))]
pub async fn withdraw(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(number): At<u64>,
) -> Result<StatusCode, Problem> {
    House::withdraw(&floor.proposals, person.staff.person, number)?;
    floor.record_ended(&floor.proposals).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Two-person acts that the last restart has ended, at tables and for the
/// house: they must be proposed anew
#[utoipa::path(get, path = "/api/proposals/ended", tag = "pit",
    operation_id = "ended_proposals", responses((status = 200, body = [EndedProposal]), Problems))]
pub async fn ended_proposals(State(floor): State<Arc<Floor>>) -> Json<Vec<EndedProposal>> {
    let mut ended = floor.ended_proposals(None);
    for at in floor.tables() {
        ended.extend(floor.ended_proposals(Some(&at.hub.name)));
    }
    Json(ended)
}

/// Confirms a proposal as the second person, on a session of one's own
#[utoipa::path(post, path = "/api/proposals/{proposal}/confirm", tag = "pit",
    operation_id = "house_confirm", request_body = Confirmation,
    params(("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 200, body = Done), Problems))]
pub async fn confirm(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(number): At<u64>,
    Body(stated): Body<Confirmation>,
) -> Result<Json<Done>, Problem> {
    person.proved_lately(&floor)?;
    let second = person.staff.person;
    let stands = floor.to_be_confirmed(&floor.proposals, second, number, &stated.digest);
    let proposal = match stands.await? {
        Ok(done) => return Ok(Json(done)),
        Err(proposal) => proposal,
    };
    places::as_second(&floor, &person, &proposal.act)?;
    floor.both_present(&proposal, second)?;
    in_recovery(&floor, &proposal.act)?;
    let carry = floor.house.host.room().ok_or_else(Problem::busy)?;
    let begun = floor.begin_confirmed(&floor.proposals, second, number, &stated.digest);
    let (ends, under_way) = match begun.await? {
        Ok(done) => return Ok(Json(done)),
        Err(begun) => begun,
    };
    let house = Arc::clone(&floor);
    // A table and the register may both act on it: whoever waits for it may
    // go, and it is done to its end all the same.
    let work = async move {
        let both = (proposal.by, person.staff);
        let done = carry_out(&house, &proposal.act, number, both).await;
        let outcome = done.map(|sequence| (sequence, false));
        {
            let mut open = house.proposals.lock();
            open.end(number, ends, outcome);
        }
        house.record_ended(&house.proposals).await;
    };
    carry(Box::pin(work));
    let (sequence, again) = under_way.outcome().await?;
    Ok(Json(Done { sequence, again }))
}

/// One half of the PIN or the key that a proposal had made, shown once: the first to
/// the proposer, the second to the person who confirmed it
#[utoipa::path(post, path = "/api/proposals/{proposal}/claim", tag = "pit",
    operation_id = "house_claim",
    params(("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 200, body = Claimed), Problems))]
pub async fn claim(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(number): At<u64>,
) -> Result<Json<Claimed>, Problem> {
    let mut claims = floor.claims.lock();
    let claimed = claims.take(number, person.staff.person);
    let claimed = claimed.ok_or_else(|| Problem::not_found("half for you"))?;
    Ok(Json(claimed))
}

/// Dice in custody
#[utoipa::path(get, path = "/api/dice", tag = "pit",
    responses((status = 200, body = [ShownDice]), Problems))]
pub async fn dice(State(floor): State<Arc<Floor>>) -> Json<Vec<ShownDice>> {
    let in_use: Vec<(String, String)> = floor
        .tables()
        .filter_map(|at| {
            let state = at.hub.state();
            let config = state.table.config.as_deref()?;
            Some((config.dice_set.clone(), at.hub.name.to_string()))
        })
        .collect();
    let register = floor.desk.register();
    let shown = register.dice.iter().map(|(set, dice)| {
        let there = in_use.iter().filter(|(known, _)| known == set.as_str());
        let there = there.map(|(_, table)| table.clone()).collect();
        ShownDice::of(&register, set, dice, there)
    });
    Json(shown.collect())
}

/// Which dice.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichDice {
    /// The set; without it, the one in the tumbler.
    set: Option<String>,
}

/// Rounds played with a set since it was last found good, as a proposal of
/// what damaged dice affected
#[utoipa::path(get, path = "/api/tables/{table}/dice/affected", tag = "pit",
    params(("table" = String, Path, description = "The table's name"), WhichDice),
    responses((status = 200, body = AffectedRounds), Problems))]
pub async fn affected(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    Ask(asked): Ask<WhichDice>,
) -> Result<Json<AffectedRounds>, Problem> {
    let at = floor.table_named(&name)?;
    let in_tumbler = {
        let state = at.hub.state();
        let config = state.table.config.as_deref();
        config.map(|config| config.dice_set.clone())
    };
    let set = asked.set.or_else(|| in_tumbler.clone());
    let set = set.ok_or_else(|| Problem::not_found("set of dice"))?;
    let (since_ms, known) = {
        let register = floor.desk.register();
        let known = DiceSet::new(&set).and_then(|set| register.dice.get(&set));
        (known.and_then(|dice| dice.good_ms), known.is_some())
    };
    let wanted = set.clone();
    let read = floor.read_at(&name, move |at| {
        at.rounds_with(&wanted, since_ms.unwrap_or(i64::MIN), MAX_AFFECTED)
    });
    let (rounds, more) = read.await?.map_err(|error| Problem::ours(&error))?;
    // A mistyped name must not read as "nothing was affected".
    if rounds.is_empty() && !known && in_tumbler.as_ref() != Some(&set) {
        return Err(Problem::not_found("set of dice"));
    }
    Ok(Json(AffectedRounds {
        set,
        since_ms,
        rounds,
        more,
    }))
}

/// Which shifts.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhichShifts {
    /// Of one table only.
    table: Option<String>,
    /// With `table`: what was expected of its open shift after this record of its journal.
    as_of: Option<u64>,
}

/// Shifts of which an end was counted and waits for its second person. Each such count is on
/// record with its proposal, so that nobody looks at the books first and counts then.
pub(super) fn counts_that_wait(floor: &Floor) -> BTreeMap<ShiftId, Waiting> {
    let mut open = floor.proposals.lock();
    let counted = open.shown().into_iter().filter_map(|one| one.counts);
    let waits = counted.filter_map(|counts| {
        let (id, _) = (ShiftId(counts.shift?), counts.rack?);
        let boxes = counts.drop.is_some() && counts.tips.is_some();
        let waits = if boxes {
            Waiting::RackAndBoxes
        } else {
            Waiting::Rack
        };
        Some((id, waits))
    });
    waits.collect()
}

/// Shifts, the newest first, at most 200
#[utoipa::path(get, path = "/api/shifts", tag = "pit", params(WhichShifts),
    responses((status = 200, body = [ShownShift]), Problems))]
pub async fn shifts(
    State(floor): State<Arc<Floor>>,
    person: Person,
    Ask(asked): Ask<WhichShifts>,
) -> Result<Json<Vec<ShownShift>>, Problem> {
    // Looked at before the register: nobody holds both at once.
    let mut books: BTreeMap<TableName, Ledger> = floor
        .tables()
        .map(|at| {
            let state = at.hub.state();
            (at.hub.name.clone(), ledger(state.version, &state.table))
        })
        .collect();
    if let (Some(name), Some(record)) = (&asked.table, asked.as_of) {
        let at = floor.table_named(name)?;
        let newest = at.hub.state().version;
        if record > newest {
            return Err(Problem::not_found("record"));
        }
        books.insert(at.hub.name.clone(), ledger_at(&floor, at, record).await?);
    }
    let waiting = counts_that_wait(&floor);
    let register = floor.desk.register();
    let newest = register.shifts.iter().rev();
    let wanted = newest.filter(|(_, shift)| {
        let table = asked.table.as_deref();
        table.is_none_or(|table| shift.table.as_str() == table)
    });
    let shown = wanted.map(|(id, shift)| {
        let now = books.get(&shift.table).copied();
        let now = now.filter(|_| shift.is_open());
        let waits = waiting.get(id).copied().unwrap_or(Waiting::Nothing);
        ShownShift::of(&register, (*id, shift), (now, waits), person.staff.person)
    });
    Ok(Json(shown.take(MAX_SHIFTS).collect()))
}
