//! Layouts that were replaced, each rewritten as the next one.
//!
//! Only lengths and places are touched; values are carried over as the bytes
//! they are, and what is wrong with them is found when the newest layout is read.

use sicbo_rules::rulebook::words::Cause;

use super::{DecodeError, Reader, Upcaster, Wire as _, Writer};
use crate::command::Part;
use crate::event::RulesRevision;
use crate::positions::Means;

/// One row for each layout that was ever replaced.
pub(super) const UPCASTERS: &[Upcaster] = &[
    // TableOpened named no revision of the rules as programmed.
    Upcaster {
        kind: 1,
        from: 1,
        rewrite: without_rules_revision,
    },
    // RoundBegan: likewise.
    Upcaster {
        kind: 50,
        from: 1,
        rewrite: without_rules_revision,
    },
    // PlayGranted named nothing but ceilings.
    Upcaster {
        kind: 17,
        from: 1,
        rewrite: grant_without_hold,
    },
    // CasePaid did not say by which decision, and was always handed over at once.
    Upcaster {
        kind: 41,
        from: 1,
        rewrite: payment_without_decision,
    },
    // CaseOverpaid did not say by which decision.
    Upcaster {
        kind: 42,
        from: 1,
        rewrite: |old| appended(old, 7, |to| to.unsigned(0)),
    },
    // PositionsRecorded had no id.
    Upcaster {
        kind: 61,
        from: 1,
        rewrite: positions_without_id,
    },
    // DeviceFailed did not say which part, and the round was always finished.
    Upcaster {
        kind: 91,
        from: 1,
        rewrite: failure_without_part,
    },
    // PositionsObserved named no means: it was of cash chips.
    Upcaster {
        kind: 62,
        from: 1,
        rewrite: |old| appended(old, 6, |to| Means::CashChips.put(to)),
    },
    // LateActRecorded did not say which chips were meant.
    Upcaster {
        kind: 63,
        from: 1,
        rewrite: |old| appended(old, 9, |to| to.null()),
    },
    // ResultCorrected: effects did not say what was set against a waiver.
    Upcaster {
        kind: 110,
        from: 1,
        rewrite: |old| effects_without_waivers(old, 10),
    },
    // ResultCorrected: nobody was asked whether the round was conducted by the rules.
    Upcaster {
        kind: 110,
        from: 2,
        rewrite: |old| appended(old, 11, |to| to.null()),
    },
    // RoundVoidedLate: effects did not say what was set against a waiver.
    Upcaster {
        kind: 111,
        from: 1,
        rewrite: |old| effects_without_waivers(old, 9),
    },
    // RoundVoidedLate named no cause: every late void was one of damaged dice.
    Upcaster {
        kind: 111,
        from: 2,
        rewrite: late_void_without_cause,
    },
];

/// Copies the fields before `until` of a record with `fields` in all; the
/// reader then stands at that one.
fn copy_until(
    from: &mut Reader<'_>,
    to: &mut Writer<'_>,
    until: u64,
    (fields, now): (u64, u64),
) -> Result<(), DecodeError> {
    from.array_of(fields)?;
    to.array(now);
    for _ in 0..until {
        to.raw(from.raw()?);
    }
    Ok(())
}

/// Openings and rounds of programs that named no revision: the first.
fn without_rules_revision(old: &[u8]) -> Result<Vec<u8>, DecodeError> {
    const FIELDS: u64 = 6;
    let mut new = Vec::with_capacity(old.len() + 1);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, FIELDS, (FIELDS, FIELDS + 1))?;
    RulesRevision::FIRST.put(&mut to);
    from.end()?;
    Ok(new)
}

/// A record of `fields` in all gets one more at its end.
fn appended(
    old: &[u8],
    fields: u64,
    last: impl FnOnce(&mut Writer<'_>),
) -> Result<Vec<u8>, DecodeError> {
    let mut new = Vec::with_capacity(old.len() + 1);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, fields, (fields, fields + 1))?;
    last(&mut to);
    from.end()?;
    Ok(new)
}

/// The last field is a grant of three parts: nothing was held then.
fn grant_without_hold(old: &[u8]) -> Result<Vec<u8>, DecodeError> {
    const AT: u64 = 5;
    const PARTS: u64 = 3;
    let mut new = Vec::with_capacity(old.len() + 1);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, AT, (AT + 1, AT + 1))?;
    copy_until(&mut from, &mut to, PARTS, (PARTS, PARTS + 1))?;
    to.null();
    from.end()?;
    Ok(new)
}

/// Cases paid before their decisions were counted.
fn payment_without_decision(old: &[u8]) -> Result<Vec<u8>, DecodeError> {
    const FIELDS: u64 = 9;
    let mut new = Vec::with_capacity(old.len() + 2);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, FIELDS, (FIELDS, FIELDS + 2))?;
    to.unsigned(0);
    to.null();
    from.end()?;
    Ok(new)
}

/// Chips written down before they had a name of their own.
fn positions_without_id(old: &[u8]) -> Result<Vec<u8>, DecodeError> {
    const FIELDS: u64 = 8;
    let mut new = Vec::with_capacity(old.len() + 1);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, FIELDS, (FIELDS, FIELDS + 1))?;
    to.null();
    from.end()?;
    Ok(new)
}

/// Failures of a program that finished every round by the dice (004 7.7).
fn failure_without_part(old: &[u8]) -> Result<Vec<u8>, DecodeError> {
    const FIELDS: u64 = 6;
    let mut new = Vec::with_capacity(old.len() + 2);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, FIELDS, (FIELDS, FIELDS + 2))?;
    Part::Other.put(&mut to);
    true.put(&mut to);
    from.end()?;
    Ok(new)
}

/// Ended rounds were made void for damaged dice only, under the rule that is given.
fn late_void_without_cause(old: &[u8]) -> Result<Vec<u8>, DecodeError> {
    const FIELDS: u64 = 10;
    let mut new = Vec::with_capacity(old.len() + 2);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, FIELDS, (FIELDS, FIELDS + 2))?;
    Some(Cause::DiceDamaged).put(&mut to);
    to.null();
    from.end()?;
    Ok(new)
}

/// The last field, `at`, is a list of effects; each gets a waiver netted and a waiver
/// restored of nothing at its end.
fn effects_without_waivers(old: &[u8], at: u64) -> Result<Vec<u8>, DecodeError> {
    const FIELDS: u64 = 9;
    let mut new = Vec::with_capacity(old.len() + old.len() / 8);
    let (mut from, mut to) = (Reader::new(old), Writer::new(&mut new));
    copy_until(&mut from, &mut to, at, (at + 1, at + 1))?;
    let effects = from.array()?;
    to.array(effects);
    for _ in 0..effects {
        from.array_of(FIELDS)?;
        to.array(FIELDS + 2);
        for _ in 0..FIELDS {
            to.raw(from.raw()?);
        }
        to.unsigned(0);
        to.unsigned(0);
    }
    from.end()?;
    Ok(new)
}
