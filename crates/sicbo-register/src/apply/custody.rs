//! Dice and shifts, as they were decided.

use sicbo_table::ids::PersonId;
use sicbo_table::must;

use crate::Register;
use crate::command::Party;
use crate::dice::{Dice, DiceEntry, DiceSet, DiceState, DiceStep};
use crate::event::Event;
use crate::shift::{AT_HAND, BoxCount, NewShift, Refused, Shift, ShiftEnd, ShiftId, SoftCount};

pub(super) fn step_dice(register: &mut Register, event: &Event, set: &DiceSet, step: &DiceStep) {
    let dice = register.dice.entry(set.clone()).or_insert_with(|| Dice {
        state: DiceState::Received,
        good_ms: None,
        entries: Vec::new(),
    });
    dice.step(DiceEntry {
        at_ms: event.at_ms,
        by: event.by,
        second: event.second,
        step: step.clone(),
    });
}

fn signed(event: &Event) -> Vec<PersonId> {
    let first = match event.by {
        Party::Person(person) => Some(person),
        _ => None,
    };
    first.into_iter().chain(event.second).collect()
}

pub(super) fn open_shift(register: &mut Register, event: &Event, id: ShiftId, new: &NewShift) {
    register.last_shift = id.0;
    register.shifts.insert(
        id,
        Shift {
            table: new.table.clone(),
            currency: new.currency,
            from_sequence: new.ledger.sequence + 1,
            to_sequence: None,
            opened_at: event.at_ms,
            closed_at: None,
            opener: new.opener,
            closer: None,
            drop: None,
            tips: None,
            comment: String::new(),
            opened_by: signed(event),
            signed_by: Vec::new(),
            signed: None,
            threshold: new.threshold,
            ledger_from: new.ledger,
            ledger_to: None,
            refused: Vec::new(),
            racks: (new.rack.clone(), Vec::new()),
            boxes: new.boxes.clone(),
            soft_count: None,
        },
    );
}

pub(super) fn count_refusals(register: &mut Register, id: ShiftId, refused: &[Refused]) {
    must(register.shifts.get_mut(&id), "no such shift").count(refused);
}

pub(super) fn count_boxes(register: &mut Register, event: &Event, id: ShiftId, counted: &BoxCount) {
    let shift = must(register.shifts.get_mut(&id), "no such shift");
    shift.drop = Some(counted.drop);
    shift.tips = Some(counted.tips);
    shift.soft_count = Some(SoftCount {
        at_ms: event.at_ms,
        by: signed(event),
        counted: counted.clone(),
    });
}

pub(super) fn close_shift(register: &mut Register, event: &Event, id: ShiftId, end: &ShiftEnd) {
    let shift = must(register.shifts.get_mut(&id), "no such shift");
    shift.to_sequence = Some(end.ledger.sequence);
    shift.closed_at = Some(event.at_ms);
    shift.closer = Some(end.counts.closer);
    shift.drop = end.counts.drop;
    shift.tips = end.counts.tips;
    shift.racks.1.clone_from(&end.rack);
    shift.comment.clone_from(&end.comment);
    shift.signed_by = signed(event);
    shift.signed = end.signed;
    shift.ledger_to = Some(end.ledger);
    let table = shift.table.clone();
    let closed: Vec<ShiftId> = register
        .shifts_of(&table)
        .filter(|(_, shift)| !shift.is_open())
        .map(|(id, _)| id)
        .collect();
    let too_many = closed.len().saturating_sub(AT_HAND);
    for oldest in &closed[..too_many] {
        register.shifts.remove(oldest);
    }
}
