//! What two persons do for the house: what the register is asked to enter, and
//! what tables must do with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use sicbo_clock::now_ms;
use sicbo_loop::Machine as _;
use sicbo_register::shift::ShiftId;
use sicbo_register::{self as register, Party, Register};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::ids::PersonId;
use sicbo_table::table::Status;

use super::rights::{self, Entry};
use super::{shifts, vouchers};
use crate::floor::{Floor, TableAt};
use crate::problem::Problem;
use crate::wire::pit::HouseAct;

/// The act as it is proposed: who closes a shift without its number closes the one that is open
/// now, and no other that is open when it is confirmed.
pub(super) fn named(floor: &Floor, mut act: HouseAct) -> Result<HouseAct, Problem> {
    if let HouseAct::CloseShift { table, shift, .. } = &mut act
        && shift.is_none()
    {
        let at = floor.table_named(table)?;
        let register = floor.desk.register();
        let open = register.open_shift(&at.hub.name);
        let (id, _) = open.ok_or_else(|| Problem::not_found("open shift"))?;
        *shift = Some(id.0);
    }
    Ok(act)
}

/// What the register is asked to enter.
pub(super) async fn entry_of(
    floor: &Arc<Floor>,
    act: &HouseAct,
    by: PersonId,
) -> Result<Entry, Problem> {
    if let Some(entry) = rights::entry_of(floor, act).await? {
        return Ok(entry);
    }
    let act = match act {
        HouseAct::VoidVoucher { .. } | HouseAct::PayKept { .. } => {
            vouchers::entry_of(floor, act, by)
        }
        HouseAct::OpenShift { table, .. } => shifts::open(floor, table, act),
        HouseAct::CountBoxes { .. } => shifts::count_boxes(floor, act),
        HouseAct::CloseShift { table, .. } => shifts::close(floor, table, act).await,
        HouseAct::GoOnAfterRollback { reason } => go_on(floor, reason),
        _ => {
            let dice = act.dice().map_err(Problem::input)?;
            let (set, step) = dice.ok_or_else(|| Problem::ours(&"an act without a step"))?;
            Ok(register::Act::StepDice { set, step })
        }
    };
    act.map(Entry::from)
}

/// What the register would refuse with anybody who might confirm it is said to
/// who proposes.
pub(super) fn could_be_entered(
    floor: &Floor,
    entry: &register::Act,
    by: Staff,
) -> Result<(), Problem> {
    if vouchers::is_theirs(entry) {
        let register = floor.desk.register();
        return somebody_confirms(&register, entry, by);
    }
    let mut rehearsal = Register::default();
    {
        let register = floor.desk.register();
        rehearsal.terms.clone_from(&register.terms);
        rehearsal.people.clone_from(&register.people);
        rehearsal.dice.clone_from(&register.dice);
        rehearsal.shifts.clone_from(&register.shifts);
        rehearsal.last_shift = register.last_shift;
        rehearsal.duties = register.duties;
        rehearsal.identity = register.identity;
        rehearsal
            .above_director
            .clone_from(&register.above_director);
        rehearsal.enrolments.clone_from(&register.enrolments);
    }
    // Whoever was given a PIN has one of their own before they confirm anything.
    for known in rehearsal.people.values_mut() {
        known.one_time = false;
    }
    somebody_confirms(&rehearsal, entry, by)
}

/// Whether there is anybody with whom the register would enter it.
fn somebody_confirms(register: &Register, entry: &register::Act, by: Staff) -> Result<(), Problem> {
    let others = register.people.iter();
    let others = others.filter(|(id, known)| **id != by.person && !known.disabled);
    // One of each position stands in for all who hold it; but boxes depend on who signed.
    let in_person = matches!(entry, register::Act::CountBoxes { .. });
    let each = others.map(|(id, known)| ((known.position, in_person.then_some(*id)), *id));
    let each: BTreeMap<(Position, Option<PersonId>), PersonId> = each.collect();
    let mut why = None;
    for second in each.into_values() {
        let asked = register::Command {
            id: 0,
            at_ms: now_ms(),
            by: Party::Person(by.person),
            second: Some(second),
            act: entry.clone(),
        };
        match register.decide(&asked) {
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

pub(super) async fn carry_out(
    floor: &Arc<Floor>,
    act: &HouseAct,
    number: u64,
    (by, second): (Staff, Staff),
) -> Result<u64, Problem> {
    // A closed table stays closed until its shift has ended.
    let _turn = match act {
        HouseAct::CloseShift { .. } => Some(floor.moving.lock().await),
        _ => None,
    };
    let Entry { act: entry, secret } = entry_of(floor, act, by.person).await?;
    if let register::Act::CloseShift { shift, .. } = &entry {
        count_refusals(floor, act, *shift).await?;
    }
    match act {
        HouseAct::PlaceDice { set, table: name } => {
            would_enter(floor, &entry, by, second)?;
            let dice_set = set.clone();
            let change = sicbo_table::Act::ChangeDice { dice_set };
            submit(
                floor.table_named(name)?,
                change,
                Actor::Staff(by),
                Some(second),
            )
            .await?;
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
    let life = match &entry {
        register::Act::GoOnAfterRollback { life, .. } => Some(*life),
        _ => None,
    };
    let entered = floor.desk.ask(party, Some(second.person), entry).await;
    let sequence = Problem::unless_entered(entered.answer)?;
    vouchers::entered(floor, act, &entered.facts)?;
    let both = [by.person, second.person];
    rights::entered(floor, act, (secret, &entered.facts), (number, both)).await;
    if let Some(life) = life {
        begin_life(floor, life).await?;
    }
    if let HouseAct::OpenShift { table: name, .. } = act {
        // What was refused before it is not of this shift.
        let at = floor.table_named(name)?;
        at.hub.refusals_taken(&at.hub.refusals());
    }
    if let HouseAct::OpenShift { table, .. } | HouseAct::CloseShift { table, .. } = act {
        count_on_board(floor, floor.table_named(table)?).await;
    }
    Ok(sequence)
}

/// The board of the pit counts the shift that goes on now. It is no part of what was entered.
async fn count_on_board(floor: &Arc<Floor>, at: &TableAt) {
    let (house, table) = (Arc::clone(floor), at.hub.name.clone());
    let counted = floor.reading().run(move || house.count_shift(&table)).await;
    if let Ok(Err(why)) = counted {
        tracing::warn!(table = %at.hub.name, why, "the board does not count this shift");
    }
}

/// Why the house may go on, as the register enters it.
fn go_on(floor: &Floor, reason: &str) -> Result<register::Act, Problem> {
    let behind = floor.behind().ok_or_else(|| {
        Problem::conflict(
            "house_not_behind",
            "the house's data is the newest there is",
        )
    })?;
    Ok(register::Act::GoOnAfterRollback {
        reason: reason.to_owned(),
        tree_size: behind.size,
        known_size: behind.known_size,
        life: floor.desk.register().life() + 1,
    })
}

/// The new life begins: its tree is made of what there is, and the tables come
/// back into service. One that cannot says why on its own.
async fn begin_life(floor: &Arc<Floor>, life: u32) -> Result<(), Problem> {
    let house = Arc::clone(floor);
    let work = move || {
        house.go_on(life)?;
        for at in house.tables() {
            // A table that still ran when the witness spoke begins rounds again.
            at.hub.begin_rounds();
            if at.hub.stopped().is_some()
                && let Err(why) = house.restart_table(at, "the house went on after a rollback")
            {
                tracing::error!(table = %at.hub.name, %why, "the table is out of service");
            }
        }
        house.note_tables();
        Ok::<(), String>(())
    };
    let went = floor.restarting.run(work).await?;
    went.map_err(|error| Problem::ours(&error))
}

/// What was refused in a shift is written down before it ends.
async fn count_refusals(floor: &Floor, act: &HouseAct, shift: ShiftId) -> Result<(), Problem> {
    let HouseAct::CloseShift { table: name, .. } = act else {
        return Ok(());
    };
    let hub = &floor.table_named(name)?.hub;
    let refused = hub.refusals();
    if refused.is_empty() {
        return Ok(());
    }
    let entry = register::Act::CountRefusals {
        shift,
        refused: refused.clone(),
    };
    floor.desk.enter(Party::House, None, entry).await?;
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
    let command = sicbo_table::Command {
        id: 0,
        at_ms: now_ms(),
        by,
        second,
        act,
    };
    let answer = at.hub.ask(command).await;
    Problem::unless_done(answer).map(|_| ())
}
