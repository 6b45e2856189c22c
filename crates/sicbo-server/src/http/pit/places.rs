//! From where two persons do what they do for the house, act by act: a director at a console of a
//! table changes nobody's rights there.

use sicbo_rules::rulebook::words::Position;

use super::super::Person;
use super::super::access::{From, used_from};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::pit::HouseAct;

/// From where an act is proposed, and the table it is about; none is any enrolled place.
fn from_of(act: &HouseAct) -> (Option<From>, &str) {
    match act {
        // Rights of people, and keys of places: no business of a table.
        HouseAct::GoOnAfterRollback { .. }
        | HouseAct::Revoke { .. }
        | HouseAct::Enrol { .. }
        | HouseAct::EnablePerson { .. }
        | HouseAct::ResetPin { .. }
        | HouseAct::ChangePosition { .. }
        | HouseAct::AddPerson { .. } => (Some(From::Desk), ""),
        // Boxes are counted where money is.
        HouseAct::VoidVoucher { .. } | HouseAct::PayKept { .. } | HouseAct::CountBoxes { .. } => {
            (Some(From::Window), "")
        }
        HouseAct::OpenShift { table, .. }
        | HouseAct::CloseShift { table, .. }
        | HouseAct::PlaceDice { table, .. } => (Some(From::Table), table),
        // Dice are looked at wherever they lie.
        HouseAct::DestroyDice { .. }
        | HouseAct::QuarantineDice { .. }
        | HouseAct::RemoveDice { .. }
        | HouseAct::InspectDice { .. }
        | HouseAct::ReceiveDice { .. } => (None, ""),
    }
}

/// In a house with duties it is proposed where it is done.
pub(super) fn at_place(floor: &Floor, person: &Person, act: &HouseAct) -> Result<(), Problem> {
    let (from, table) = from_of(act);
    used(floor, person, (from, table))
}

/// And confirmed there; but whoever confirms what is done at a window need not stand at one.
pub(super) fn as_second(floor: &Floor, person: &Person, act: &HouseAct) -> Result<(), Problem> {
    let (from, table) = from_of(act);
    used(
        floor,
        person,
        (from.filter(|from| *from != From::Window), table),
    )
}

fn used(
    floor: &Floor,
    person: &Person,
    (from, table): (Option<From>, &str),
) -> Result<(), Problem> {
    let register = floor.desk.register();
    if register.duties.is_none() {
        return Ok(());
    }
    // A dealer works at consoles and nowhere else. Where the register takes a dealer as one of the
    // two, because nobody nearer is left, it is done there.
    let from = from.filter(|from| *from != From::Desk || person.staff.position != Position::Dealer);
    let place = person.place.and_then(|place| register.enrolled(place));
    used_from(place.map(|place| &place.role), from, table)
}
