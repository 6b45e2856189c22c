//! Cases: opened, gone on with, and let go of once enough later ones are closed.

use sicbo_rules::rulebook::words::Position;
use sicbo_table::must;

use crate::Register;
use crate::case::{CLOSED_AT_HAND, Case, CaseId, Entry, NewCase, Step};
use crate::event::Event;

pub(super) fn open(register: &mut Register, event: &Event, id: CaseId, new: &NewCase) {
    register.last_case = id.0;
    register.cases.insert(
        id,
        Case {
            new: new.clone(),
            opened_by: event.by,
            opened_ms: event.at_ms,
            entries: Vec::new(),
        },
    );
}

pub(super) fn step(
    register: &mut Register,
    event: &Event,
    id: CaseId,
    acting: Option<Position>,
    step: &Step,
) {
    let case = must(register.cases.get_mut(&id), "a step of no case");
    case.entries.push(Entry {
        at_ms: event.at_ms,
        by: event.by,
        acting,
        step: step.clone(),
    });
    if !case.is_open() {
        let closed = register.cases.iter().filter(|(_, case)| !case.is_open());
        let closed: Vec<CaseId> = closed.map(|(id, _)| *id).collect();
        let too_many = closed.len().saturating_sub(CLOSED_AT_HAND);
        for oldest in &closed[..too_many] {
            register.cases.remove(oldest);
        }
    }
}
