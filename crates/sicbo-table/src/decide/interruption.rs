//! Technical interruptions and failing devices, and rulings on what waits.

use sicbo_rules::rulebook::words::{AfterInterruption, Cause, Matter};

use super::void::voided;
use super::{Decision, checked_text, round, short_text};
use crate::actor::Actor;
use crate::authority::{self, DEALING, Needed, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Ruling};
use crate::event::{Fact, VoidBasis};
use crate::ids::PendingId;
use crate::mutant;
use crate::pending::{Pending, Question};
use crate::refusal::{Reason, Refusal};
use crate::table::{Status, Table};

pub(super) fn device_failed(table: &Table, what: &str) -> Fact {
    let inform = table
        .book()
        .and_then(|book| book.interruption.device_failure.as_ref())
        .map(|failure| failure.inform);
    Fact::DeviceFailed {
        what: what.to_owned(),
        inform,
    }
}

/// A device failed. The round in hand is finished by the dice; where the book
/// asks for approval, play stops then (004 7.1), at once when no round is in hand.
pub(super) fn device(table: &Table, command: &Command, what: &str) -> Decision {
    match command.by {
        Actor::Device(_) | Actor::House => {}
        Actor::Staff(_) | Actor::Station(_) => {
            authority::require(table, command, TABLE_STAFF)?;
        }
    }
    checked_text(what)?;
    let mut facts = vec![device_failed(table, what)];
    if table.round.is_none() {
        facts.extend(approval_needed(table, what));
    }
    Ok(facts)
}

/// No round is in hand: play stops now, where the book asks that someone
/// approve that it goes on. A table that stands still already needs it no less.
fn approval_needed(table: &Table, what: &str) -> Vec<Fact> {
    let mut facts = Vec::new();
    let failure = table
        .book()
        .and_then(|book| book.interruption.device_failure.as_ref());
    if let Some(failure) = failure
        && table.status != Status::Closed
        && table.device_failure().is_none()
    {
        if table.status == Status::Open {
            facts.push(Fact::TableSuspended {
                reason: what.to_owned(),
            });
        }
        facts.push(Fact::DecisionRaised {
            pending: Pending {
                id: PendingId(table.next_pending.0),
                round: None,
                question: Question::DeviceFailure,
                rule: table.cite(&failure.cite),
                by: failure.resume_by,
                or_above: false,
                persons: 1,
            },
        });
    }
    facts
}

/// The program came back. Order of evaluation: a void cause already
/// seen, then whether an outcome was established, then the bets.
pub(super) fn interrupt(table: &Table, command: &Command, what: &str) -> Decision {
    if command.by != Actor::House {
        return Err(Reason::NotYourStation.into());
    }
    short_text(what)?;
    let mut facts = vec![Fact::Interrupted {
        what: what.to_owned(),
    }];
    let book = table.book().ok_or(Reason::TableNotOpen)?;
    if book.interruption.device_failure.is_some() {
        // The house program is such a device: whoever must be told is told, and
        // play stops after the round in hand whatever becomes of it (004 7.1).
        facts.push(device_failed(table, what));
    }
    let Some(round) = table.round.as_deref() else {
        facts.extend(approval_needed(table, what));
        return Ok(facts);
    };
    let waiting = table
        .pending
        .iter()
        .any(|p| matches!(p.question, Question::Interrupted { .. }));
    if (round.must_void.is_some() && !mutant::off(table, "void-before-interruption")) || waiting {
        return Ok(facts);
    }
    let established =
        round.outcome_established() || mutant::off(table, "established-only-when-seen");
    let rule = if established {
        &book.interruption.outcome_established
    } else {
        &book.interruption.no_outcome
    };
    // Where the document says nothing, the one who decides such matters confirms.
    let needed = if rule.cite.is_in_document() {
        DEALING
    } else {
        authority::decider(table, Matter::Uncovered)
    };
    facts.push(Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0),
            round: Some(round.number),
            question: Question::Interrupted {
                established,
                then: rule.is,
            },
            rule: table.cite(&rule.cite),
            by: needed.position,
            or_above: needed.or_above,
            persons: if rule.is == AfterInterruption::Conclude {
                2
            } else {
                1
            },
        },
    });
    Ok(facts)
}

pub(super) fn confirm(
    table: &Table,
    command: &Command,
    id: PendingId,
    dice_in_place: bool,
) -> Decision {
    let pending = table
        .pending
        .iter()
        .find(|pending| pending.id == id)
        .ok_or(Reason::NoSuchDecision)?;
    let Question::Interrupted { then, .. } = pending.question else {
        return Err(Reason::NoSuchDecision.into());
    };
    let needed = Needed {
        position: pending.by,
        or_above: pending.or_above,
    };
    let round = round(table)?;
    let taken = |ruling: Ruling, reason: &str| Fact::DecisionTaken {
        pending: id,
        ruling,
        reason: reason.to_owned(),
    };
    match then {
        AfterInterruption::Void => {
            authority::require(table, command, needed)?;
            let listed = table
                .book()
                .is_some_and(|book| book.void_cause(Cause::TechnicalInterruption).is_some());
            let basis = if listed {
                VoidBasis::Listed(Cause::TechnicalInterruption)
            } else {
                VoidBasis::Ruling("technical interruption, no outcome; by analogy".to_owned())
            };
            let mut facts = vec![taken(Ruling::Void, "no outcome was established")];
            facts.extend(voided(table, round, basis, pending.rule.clone()));
            Ok(facts)
        }
        AfterInterruption::Conclude => {
            // The dealer's word on the dice needs a witness (J-05).
            authority::require_two(table, command, needed, SUPERVISING)?;
            if dice_in_place || mutant::off(table, "dice-not-in-place") {
                return Ok(vec![taken(
                    Ruling::Conclude,
                    "the dice are in place, flat and visible",
                )]);
            }
            let decider = authority::decider(table, Matter::Uncovered);
            Ok(vec![
                taken(Ruling::Accept, "the dice are no longer as they lay"),
                Fact::DecisionRaised {
                    pending: Pending {
                        id: PendingId(table.next_pending.0),
                        round: Some(round.number),
                        question: Question::DiceNotInPlace,
                        rule: authority::decider_rule(table, Matter::Uncovered).unwrap_or_default(),
                        by: decider.position,
                        or_above: decider.or_above,
                        persons: 1,
                    },
                },
            ])
        }
        AfterInterruption::FinishByDiceThenSuspend => {
            authority::require(table, command, needed)?;
            Ok(vec![taken(
                Ruling::Conclude,
                "the round is finished by the dice",
            )])
        }
    }
}

pub(super) fn rule(
    table: &Table,
    command: &Command,
    id: PendingId,
    ruling: &Ruling,
    reason: &str,
) -> Decision {
    let pending = table
        .pending
        .iter()
        .find(|pending| pending.id == id)
        .ok_or(Reason::NoSuchDecision)?;
    authority::require(
        table,
        command,
        Needed {
            position: pending.by,
            or_above: pending.or_above,
        },
    )
    .map_err(|refusal| Refusal {
        rule: Some(pending.rule.clone()),
        ..refusal
    })?;
    checked_text(reason)?;
    let taken = Fact::DecisionTaken {
        pending: id,
        ruling: ruling.clone(),
        reason: reason.to_owned(),
    };
    match (&pending.question, ruling) {
        (Question::Uncovered { .. } | Question::DiceNotInPlace, Ruling::Conclude)
        | (Question::TerminalOpenCase { .. }, Ruling::Accept)
        | (Question::BetStatus { .. }, Ruling::AtClose | Ruling::AsTheyLie) => Ok(vec![taken]),
        (Question::Uncovered { .. } | Question::DiceNotInPlace, Ruling::Void) => {
            let round = round(table)?;
            let basis = VoidBasis::Ruling(reason.to_owned());
            let mut facts = vec![taken];
            facts.extend(voided(table, round, basis, pending.rule.clone()));
            Ok(facts)
        }
        (Question::DeviceFailure, Ruling::Accept) if table.status == Status::Suspended => {
            Ok(vec![taken, Fact::TableResumed])
        }
        (Question::DeviceFailure, Ruling::Accept) => Ok(vec![taken]),
        _ => Err(Reason::RulingDoesNotFit.into()),
    }
}
