//! What the pit does for the house: dice in custody, shifts, and the
//! two-person acts on them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use futures_channel::oneshot;
use serde::Deserialize;
use sicbo_clock::now_ms;
use sicbo_loop::{Answer, Machine as _};
use sicbo_register::dice::DiceSet;
use sicbo_register::enrolment::TableName;
use sicbo_register::proposal::ProposalEnd;
use sicbo_register::shift::{Counts, Ledger, NewShift, ShiftEnd, ShiftId};
use sicbo_register::{self as register, Party, Register};
use sicbo_report::Slips;
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::Table;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::ids::PersonId;
use sicbo_table::table::Status;
use utoipa::IntoParams;

use sicbo_house::acts::{asked_again, can_be_proposed};
use sicbo_wire::acts::{Confirmation, Done, Proposed};

use super::{Ask, At, Body, Person, Problems};
use crate::floor::{Floor, TableAt};
use crate::problem::Problem;
use crate::wire::console::{EndedProposal, ShownProposal};
use crate::wire::pit::{AffectedRounds, HouseAct, ShownDice, ShownShift, ledger};
use sicbo_house::hub::Reply;

/// Chips of the table's unit above which a difference needs a comment.
const UNITS_WITHOUT_COMMENT: i64 = 100;
/// Shifts shown at once.
const MAX_SHIFTS: usize = 200;
/// Rounds proposed as affected at once.
const MAX_AFFECTED: usize = 200;

fn table<'f>(floor: &'f Floor, name: &str) -> Result<&'f TableAt, Problem> {
    floor
        .table_at(name)
        .ok_or_else(|| Problem::not_found("table"))
}

/// Two-person acts for the house that wait for their second person
#[utoipa::path(get, path = "/api/proposals", tag = "pit", operation_id = "house_proposals",
    responses((status = 200, body = [ShownProposal]), Problems))]
pub async fn proposals(State(floor): State<Arc<Floor>>) -> Json<Vec<ShownProposal>> {
    let mut open = floor
        .proposals
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
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
    if let HouseAct::OpenShift { table: name, .. }
    | HouseAct::CloseShift { table: name, .. }
    | HouseAct::PlaceDice { table: name, .. } = &act
    {
        table(&floor, name)?;
    }
    let entry = entry_of(&floor, &act).await?;
    let (house, asked, by) = (Arc::clone(&floor), act.clone(), person.staff);
    let work = move || {
        could_be_entered(&house, &entry, by)?;
        let HouseAct::PlaceDice { set, table: name } = asked else {
            return Ok(());
        };
        let change = sicbo_table::Act::ChangeDice { dice_set: set };
        can_be_proposed(&house, table(&house, &name)?, &change, None, by)
    };
    floor.reading().run(work).await??;
    let proposed = floor.propose(&floor.proposals, None, act, person.present());
    Ok((StatusCode::CREATED, Json(proposed.await?.proposed())))
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
    {
        let mut open = floor
            .proposals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match open.get(number) {
            None => return Err(Problem::not_found("proposal")),
            Some(proposal) if proposal.by.person != person.staff.person => {
                return Err(Problem::not_allowed("only who proposed it may withdraw it"));
            }
            Some(_) => open.remove(number, ProposalEnd::Withdrawn),
        }
    }
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
    let refuse = |code: &str, words: &str| Problem::new(StatusCode::CONFLICT, code, words);
    let stands = {
        let mut open = floor
            .proposals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        open.confirming(number, person.staff.person, &stated.digest)
    };
    let stands = stands.map_err(|why| floor.not_confirmed(number, why))?;
    let proposal = match asked_again(stands).await? {
        Ok(done) => return Ok(Json(done)),
        Err(proposal) => proposal,
    };
    if proposal.by.person == person.staff.person {
        return Err(refuse(
            "same_person_twice",
            "the two persons must be different",
        ));
    }
    // Both are present, each on a session of their own.
    if !floor.sessions.is_present(proposal.session) {
        return Err(refuse(
            "first_person_left",
            "whoever proposed this is no longer logged in",
        ));
    }
    let carry = floor.house.host.room().ok_or_else(Problem::busy)?;
    let begun = {
        let mut open = floor
            .proposals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        open.begin(number, person.staff.person)
    };
    let (ends, under_way) = begun.ok_or_else(|| Problem::not_found("proposal"))?;
    let house = Arc::clone(&floor);
    // A table and the register may both act on it: whoever waits for it may
    // go, and it is done to its end all the same.
    let work = async move {
        let done = carry_out(&house, &proposal.act, proposal.by, person.staff).await;
        let outcome = done.map(|sequence| (sequence, false));
        {
            let mut open = house
                .proposals
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            open.end(number, ends, outcome);
        }
        house.record_ended(&house.proposals).await;
    };
    carry(Box::pin(work));
    let (sequence, again) = under_way.outcome().await?;
    Ok(Json(Done { sequence, again }))
}

/// What the register is asked to enter.
async fn entry_of(floor: &Arc<Floor>, act: &HouseAct) -> Result<register::Act, Problem> {
    match act {
        HouseAct::OpenShift { table, opener } => open_shift(floor, table, *opener),
        HouseAct::CloseShift { table, .. } => close_shift(floor, table, act).await,
        _ => {
            let dice = act.dice().map_err(Problem::input)?;
            let (set, step) = dice.ok_or_else(|| Problem::ours(&"an act without a step"))?;
            Ok(register::Act::StepDice { set, step })
        }
    }
}

/// What the register would refuse with anybody who might confirm it is said to
/// who proposes.
fn could_be_entered(floor: &Floor, entry: &register::Act, by: Staff) -> Result<(), Problem> {
    let mut rehearsal = Register::default();
    {
        let register = floor.desk.register();
        rehearsal.terms.clone_from(&register.terms);
        rehearsal.people.clone_from(&register.people);
        rehearsal.dice.clone_from(&register.dice);
        rehearsal.shifts.clone_from(&register.shifts);
        rehearsal.last_shift = register.last_shift;
    }
    let others = rehearsal.people.iter_mut();
    let others = others.filter(|(id, known)| **id != by.person && !known.disabled);
    // One of each position stands in for all who hold it. Whoever was given a
    // PIN has one of their own before they confirm anything.
    let each = others.map(|(id, known)| {
        known.one_time = false;
        (known.position, *id)
    });
    let each: BTreeMap<Position, PersonId> = each.collect();
    let mut why = None;
    for second in each.into_values() {
        let asked = register::Command {
            id: 0,
            at_ms: now_ms(),
            by: Party::Person(by.person),
            second: Some(second),
            act: entry.clone(),
        };
        match rehearsal.decide(&asked) {
            Ok(_) => return Ok(()),
            Err(refusal) if refusal.reason == register::Reason::NotAuthorised => {}
            Err(refusal) => why = Some(refusal),
        }
    }
    match why {
        Some(refusal) => Err(Problem::declined(&refusal)),
        None => Err(Problem::not_allowed("nobody could confirm this with you")),
    }
}

async fn carry_out(
    floor: &Arc<Floor>,
    act: &HouseAct,
    by: Staff,
    second: Staff,
) -> Result<u64, Problem> {
    let entry = entry_of(floor, act).await?;
    if let register::Act::CloseShift { shift, .. } = &entry {
        count_refusals(floor, act, *shift).await?;
    }
    match act {
        HouseAct::PlaceDice { set, table: name } => {
            would_enter(floor, &entry, by, second)?;
            let dice_set = set.clone();
            let change = sicbo_table::Act::ChangeDice { dice_set };
            submit(table(floor, name)?, change, Actor::Staff(by), Some(second)).await?;
        }
        HouseAct::InspectDice {
            set,
            good: true,
            text,
        } => {
            would_enter(floor, &entry, by, second)?;
            let text = text.as_deref().filter(|text| !text.trim().is_empty());
            let text = text.unwrap_or("inspected in custody");
            found_sound(floor, (set, text), by, second).await?;
        }
        HouseAct::InspectDice {
            set,
            good: false,
            text,
        } => {
            would_enter(floor, &entry, by, second)?;
            let text = text.as_deref().unwrap_or("found damaged in an inspection");
            found_damaged(floor, (set, text), by, second).await?;
            suspend_without(floor, set).await?;
        }
        HouseAct::RemoveDice { set, .. } | HouseAct::QuarantineDice { set, .. } => {
            would_enter(floor, &entry, by, second)?;
            suspend_without(floor, set).await?;
        }
        _ => {}
    }
    let party = Party::Person(by.person);
    let entered = floor.desk.ask(party, Some(second.person), entry).await;
    let sequence = Problem::unless_entered(entered.answer)?;
    if let HouseAct::OpenShift { table: name, .. } = act {
        // What was refused before it is not of this shift.
        let at = table(floor, name)?;
        at.hub.refusals_taken(&at.hub.refusals());
    }
    Ok(sequence)
}

/// What was refused in a shift is written down before it ends.
async fn count_refusals(floor: &Floor, act: &HouseAct, shift: ShiftId) -> Result<(), Problem> {
    let HouseAct::CloseShift { table: name, .. } = act else {
        return Ok(());
    };
    let hub = &table(floor, name)?.hub;
    let refused = hub.refusals();
    if refused.is_empty() {
        return Ok(());
    }
    let entry = register::Act::CountRefusals {
        shift,
        refused: refused.clone(),
    };
    let entered = floor.desk.ask(Party::House, None, entry).await;
    Problem::unless_entered(entered.answer)?;
    hub.refusals_taken(&refused);
    Ok(())
}

/// A table whose dice were taken away does not play on with them (P-035): it
/// is suspended until another set is in its tumbler and somebody resumes it.
/// The house does that, whichever of the two proposed the step: custody says
/// who they are, and neither need be one who suspends tables.
async fn suspend_without(floor: &Floor, set: &str) -> Result<(), Problem> {
    for at in floor.tables() {
        let plays_with_it = {
            let state = at.hub.state();
            let config = state.table.config.as_deref();
            state.table.status == Status::Open
                && config.is_some_and(|config| config.dice_set == set)
        };
        if plays_with_it {
            let reason = format!("dice {set} were taken out of use");
            let suspend = sicbo_table::Act::Suspend { reason };
            submit(at, suspend, Actor::House, None).await?;
        }
    }
    Ok(())
}

/// A table that plays with a set found damaged in an inspection hears of it as
/// of any other report: its current round is void, and which earlier rounds were
/// affected is asked.
async fn found_damaged(
    floor: &Floor,
    (set, text): (&str, &str),
    by: Staff,
    second: Staff,
) -> Result<(), Problem> {
    for at in floor.tables() {
        let plays_with_it = {
            let state = at.hub.state();
            let config = state.table.config.as_deref();
            config.is_some_and(|config| config.dice_set == set)
                && !state.table.damaged.contains(set)
        };
        if !plays_with_it {
            continue;
        }
        // Whichever of the two is of the table's staff reports it.
        let mut reported = Ok(());
        for staff in [by, second] {
            let report = sicbo_table::Act::ReportDamage {
                note: text.to_owned(),
            };
            reported = submit(at, report, Actor::Staff(staff), None).await;
            if !matches!(&reported, Err(problem) if problem.code == "not_authorised") {
                break;
            }
        }
        reported?;
    }
    Ok(())
}

/// Tables that keep a set out of play because it was said to be damaged hear
/// that two persons inspected it and found it sound.
async fn found_sound(
    floor: &Floor,
    (set, text): (&str, &str),
    by: Staff,
    second: Staff,
) -> Result<(), Problem> {
    for at in floor.tables() {
        let kept_out = {
            let state = at.hub.state();
            let config = state.table.config.as_deref();
            let here = config.is_some_and(|config| config.dice_set == set);
            state.table.damaged.contains(set) || (here && state.table.dice_condemned)
        };
        if kept_out {
            let sound = sicbo_table::Act::FindDiceSound {
                dice_set: set.to_owned(),
                text: text.to_owned(),
            };
            submit(at, sound, Actor::Staff(by), Some(second)).await?;
        }
    }
    Ok(())
}

/// The register says whether it will write this down, before a table acts on it.
fn would_enter(
    floor: &Floor,
    entry: &register::Act,
    by: Staff,
    second: Staff,
) -> Result<(), Problem> {
    let asked = register::Command {
        id: 0,
        at_ms: now_ms(),
        by: Party::Person(by.person),
        second: Some(second.person),
        act: entry.clone(),
    };
    let would = floor.desk.register().decide(&asked);
    would.map_err(|refusal| Problem::declined(&refusal))?;
    Ok(())
}

/// Something a table does with it.
async fn submit(
    at: &TableAt,
    act: sicbo_table::Act,
    by: Actor,
    second: Option<Staff>,
) -> Result<(), Problem> {
    let (sender, receiver) = oneshot::channel();
    let command = sicbo_table::Command {
        id: 0,
        at_ms: now_ms(),
        by,
        second,
        act,
    };
    let answer = match at.hub.submit(Reply::Waiter(sender), command) {
        Ok(()) => receiver.await.unwrap_or(Answer::Stopped),
        Err((_, answer)) => answer,
    };
    Problem::unless_done(answer).map(|_| ())
}

fn round_in_hand() -> Problem {
    Problem::new(
        StatusCode::CONFLICT,
        "round_in_hand",
        "conclude the round in hand first",
    )
}

/// Why a shift cannot end as the table stands (J-09): rounds are concluded,
/// and players were told before the last one (S-07).
fn may_end(table: &Table) -> Result<(), Problem> {
    if table.round.is_some() {
        return Err(round_in_hand());
    }
    if table.status == Status::Open && table.last_round_announced != Some(true) {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "last_round_not_announced",
            "announce the last round and play it, then end the shift",
        ));
    }
    Ok(())
}

fn open_shift(floor: &Floor, name: &str, opener: i64) -> Result<register::Act, Problem> {
    let at = table(floor, name)?;
    let state = at.hub.state();
    if state.table.round.is_some() {
        return Err(round_in_hand());
    }
    let config = state.table.config.as_deref();
    let config = config.ok_or_else(|| Problem::not_found("table"))?;
    let threshold = config
        .chip_unit
        .minor()
        .saturating_mul(UNITS_WITHOUT_COMMENT);
    Ok(register::Act::OpenShift {
        new: NewShift {
            table: at.hub.name.clone(),
            currency: config.currency,
            opener: Money::from_minor(opener),
            ledger: ledger(state.version, &state.table),
            threshold: Money::from_minor(threshold),
        },
    })
}

async fn close_shift(
    floor: &Arc<Floor>,
    name: &str,
    act: &HouseAct,
) -> Result<register::Act, Problem> {
    let HouseAct::CloseShift {
        closer,
        drop,
        tips,
        fills,
        credits,
        comment,
        ..
    } = act
    else {
        return Err(Problem::ours(&"not the end of a shift"));
    };
    let at = table(floor, name)?;
    let (id, shift) = {
        let register = floor.desk.register();
        let open = register.open_shift(&at.hub.name);
        let open = open.map(|(id, shift)| (id, shift.clone()));
        open.ok_or_else(|| Problem::not_found("open shift"))?
    };
    let ledger = {
        let state = at.hub.state();
        may_end(&state.table)?;
        ledger(state.version, &state.table)
    };
    let house = Arc::clone(floor);
    let table = at.hub.name.clone();
    let from = shift.from_sequence;
    let read = floor.reading().run(move || {
        let signed = house.signed_to(&table, ledger.sequence)?;
        let slips = house.slips(&table, from, ledger.sequence)?;
        Ok::<_, String>((signed, slips))
    });
    let (signed, slips) = read.await?.map_err(|error| Problem::ours(&error))?;
    let on_paper = Slips {
        fills: Money::from_minor(*fills),
        credits: Money::from_minor(*credits),
    };
    if on_paper != slips {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "slips_do_not_match",
            "the slips on paper do not add up to the fills and credits on record",
        ));
    }
    let counts = Counts {
        closer: Money::from_minor(*closer),
        drop: Money::from_minor(*drop),
        tips: Money::from_minor(*tips),
    };
    let comment = comment.clone().unwrap_or_default();
    if shift.needs_comment(&counts, &ledger) && comment.trim().is_empty() {
        return Err(Problem::declined(&register::Reason::CommentNeeded.into()));
    }
    Ok(register::Act::CloseShift {
        shift: id,
        end: ShiftEnd {
            counts,
            ledger,
            signed,
            comment,
        },
    })
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
    let at = table(&floor, &name)?;
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
    let house = Arc::clone(&floor);
    let wanted = set.clone();
    let read = floor.reading().run(move || {
        let at = house.table_at(&name).ok_or("there is no such table")?;
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
}

/// Shifts, the newest first, at most 200
#[utoipa::path(get, path = "/api/shifts", tag = "pit", params(WhichShifts),
    responses((status = 200, body = [ShownShift]), Problems))]
pub async fn shifts(
    State(floor): State<Arc<Floor>>,
    Ask(asked): Ask<WhichShifts>,
) -> Json<Vec<ShownShift>> {
    // Looked at before the register: nobody holds both at once.
    let books: BTreeMap<TableName, Ledger> = floor
        .tables()
        .map(|at| {
            let state = at.hub.state();
            (at.hub.name.clone(), ledger(state.version, &state.table))
        })
        .collect();
    let register = floor.desk.register();
    let newest = register.shifts.iter().rev();
    let wanted = newest.filter(|(_, shift)| {
        let table = asked.table.as_deref();
        table.is_none_or(|table| shift.table.as_str() == table)
    });
    let shown = wanted.map(|(id, shift)| {
        let now = books.get(&shift.table).copied();
        let now = now.filter(|_| shift.is_open());
        ShownShift::of(&register, *id, shift, now)
    });
    Json(shown.take(MAX_SHIFTS).collect())
}
