//! Technical interruptions and failing devices, and rulings on what waits.

use sicbo_rules::rulebook::words::{AfterInterruption, Cause, Matter};

use super::void::voided;
use super::{Decision, checked_text, round, short_text};
use crate::actor::{Actor, Device};
use crate::apply::OF_LATE;
use crate::authority::{self, DEALING, MANAGING, Needed, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Counting, Part, Ruling};
use crate::event::{Fact, VoidBasis};
use crate::ids::{NoticeId, PendingId, RoundNumber};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{NOTICES_KEPT, Notice, Pending, Question};
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::round::Round;
use crate::table::Status;

/// A failure on record, with word to whoever the book says must be told.
fn failed(table: &Opened<'_>, at_ms: i64, what: &str, part: Part, by_dice: bool) -> Vec<Fact> {
    let failure = table.book.interruption.device_failure.as_ref();
    let mut facts = vec![Fact::DeviceFailed {
        what: what.to_owned(),
        inform: failure.map(|failure| failure.inform),
        part,
        by_dice,
    }];
    let unread = |notice: &&Notice| notice.read.is_none();
    let known = |notice: &Notice| notice.read.is_none() && notice.what == what;
    // Told once, however often a device says it; a flood of failures tells no more.
    if let Some(failure) = failure
        && !table.notices.iter().any(known)
        && table.notices.iter().filter(unread).count() < NOTICES_KEPT
    {
        facts.push(Fact::NoticeRaised {
            notice: Notice {
                id: NoticeId(table.next_notice.0),
                at_ms,
                what: what.to_owned(),
                inform: failure.inform,
                rule: table.cite(&failure.cite),
                round: table.round.as_deref().map(|round| round.number),
                read: None,
            },
        });
    }
    facts
}

/// The winning areas did not light rightly: the dice decide (004 7.7), then
/// play stops (7.1).
pub(super) fn lights_failed(table: &Opened<'_>, at_ms: i64) -> Vec<Fact> {
    let what = "the winning areas did not light rightly";
    failed(table, at_ms, what, Part::Lights, true)
}

/// A technical stop. Where the book asks for approval, play stops where it
/// stands until it is given (004 7.1), but for dice that lie open and areas
/// that do not light (7.7). Elsewhere a supervisor answers whether the
/// continuation of the round is affected.
pub(super) fn device(table: &Opened<'_>, command: &Command, what: &str, part: Part) -> Decision {
    match command.by {
        Actor::Device(_) | Actor::House => {}
        Actor::Staff(_) | Actor::Station(_) => {
            authority::require(table, command, TABLE_STAFF)?;
        }
    }
    checked_text(what)?;
    // Two persons have switched to hand counts: nobody waits for that line.
    let line = command.by == Actor::House && part == Part::Tumbler;
    if line && table.counting == Counting::Hand {
        return Ok(Vec::new());
    }
    // It takes notes at one terminal: the table goes on without it.
    if command.by == Actor::Device(Device::NoteAcceptor) || table.status == Status::Closed {
        return Ok(failed(table, command.at_ms, what, part, false));
    }
    let book = table.book;
    if book.interruption.device_failure.is_none() {
        let mut facts = failed(table, command.at_ms, what, part, false);
        facts.extend(technical_stop(table, what));
        return Ok(facts);
    }
    let dark = matches!(part, Part::Keys | Part::Lights);
    let by_dice = dark
        && table
            .round
            .as_deref()
            .is_some_and(Round::outcome_established);
    let mut facts = failed(table, command.at_ms, what, part, by_dice);
    if !by_dice {
        facts.extend(approval_needed(table, what, 0));
    } else if let Some(pending) = table.device_failure() {
        // It had been stopped before; these dice are paid all the same.
        facts.push(Fact::DecisionTaken {
            pending: pending.id,
            ruling: Ruling::Conclude,
            reason: "the round in hand is finished by the dice".to_owned(),
        });
    }
    Ok(facts)
}

/// Two tumbles of late have failed: where the book knows failing devices, the
/// table stops (J-03). The current round can only be void.
pub(super) fn tumbles_failed(table: &Opened<'_>, round: &Round, at_ms: i64) -> Vec<Fact> {
    let of_late = |earlier: &&RoundNumber| {
        **earlier != round.number && round.number.0.saturating_sub(earlier.0) < OF_LATE
    };
    let approval = table.book.interruption.device_failure.is_some();
    let Some(earlier) = table.failed_tumbles.iter().rfind(of_late) else {
        return Vec::new();
    };
    if !approval || mutant::off(table, "two-failed-tumbles") {
        return Vec::new();
    }
    let what = format!(
        "the tumbler failed in rounds {} and {}",
        earlier.0, round.number.0
    );
    let mut facts = failed(table, at_ms, &what, Part::Tumbler, false);
    facts.extend(approval_needed(table, &what, 0));
    facts
}

/// The round is held, or the table between rounds, until a supervisor answers.
fn technical_stop(table: &Opened<'_>, what: &str) -> Option<Fact> {
    let book = table.book;
    if mutant::off(table, "technical-stop") {
        return None;
    }
    // One stop at a time: what else failed is on record beside it.
    let stopped = |pending: &Pending| matches!(pending.question, Question::TechnicalStop { .. });
    if table.pending.iter().any(stopped) {
        return None;
    }
    let round = table.round.as_deref();
    let established = round.is_some_and(Round::outcome_established);
    let rule = match established {
        true => &book.interruption.outcome_established,
        false => &book.interruption.no_outcome,
    };
    Some(Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0),
            round: round.map(|round| round.number),
            question: Question::TechnicalStop {
                what: what.to_owned(),
                established,
            },
            rule: table.cite(&rule.cite),
            by: SUPERVISING.position,
            or_above: SUPERVISING.or_above,
            persons: 1,
        },
    })
}

/// Play stops now, where the book asks that someone approve that it goes on.
/// A table that stands still already needs it no less. `after` decisions are
/// raised by the same command before this one.
fn approval_needed(table: &Opened<'_>, what: &str, after: u64) -> Vec<Fact> {
    let mut facts = Vec::new();
    let failure = table.book.interruption.device_failure.as_ref();
    if let Some(failure) = failure
        && table.status != Status::Closed
        && table.device_failure().is_none()
        && !mutant::off(table, "resume-approved")
    {
        if table.status == Status::Open {
            facts.push(Fact::TableSuspended {
                reason: what.to_owned(),
            });
        }
        facts.push(Fact::DecisionRaised {
            pending: Pending {
                id: PendingId(table.next_pending.0 + after),
                round: table.round.as_deref().map(|round| round.number),
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

/// Whoever had to be told has read it.
pub(super) fn acknowledge(table: &Opened<'_>, command: &Command, id: NoticeId) -> Decision {
    let notice = table.notices.iter().find(|notice| notice.id == id);
    let needed = notice.map_or(MANAGING, |notice| Needed {
        position: notice.inform,
        or_above: true,
    });
    authority::require(table, command, needed)?;
    match notice.ok_or(Reason::NoSuchNotice)?.read {
        Some(_) => Err(Reason::AlreadyDone.into()),
        None => Ok(vec![Fact::NoticeAcknowledged { notice: id }]),
    }
}

/// The program came back. Order of evaluation: a void cause already
/// seen, then whether an outcome was established, then the bets.
pub(super) fn interrupt(table: &Opened<'_>, command: &Command, what: &str) -> Decision {
    refuse_if!(command.by != Actor::House, Reason::NotYourStation);
    short_text(what)?;
    let mut facts = vec![Fact::Interrupted {
        what: what.to_owned(),
    }];
    let book = table.book;
    let round = table.round.as_deref();
    let established = round.is_some_and(|round| {
        round.outcome_established() || mutant::off(table, "established-only-when-seen")
    });
    let rule = match established {
        true => &book.interruption.outcome_established,
        false => &book.interruption.no_outcome,
    };
    // The house program is such a device: whoever must be told is told, and play
    // stops, now or once the dice that lie open have been paid (004 7.1, 7.7).
    let by_dice = round.is_some()
        && rule.is == AfterInterruption::FinishByDiceThenSuspend
        && table.device_failure().is_none();
    if book.interruption.device_failure.is_some() {
        facts.extend(failed(table, command.at_ms, what, Part::Console, by_dice));
    }
    let waiting = table
        .pending
        .iter()
        .any(|p| matches!(p.question, Question::Interrupted { .. }));
    let asked = round.filter(|round| {
        let lost = round.must_void.is_some() && !mutant::off(table, "void-before-interruption");
        !lost && !waiting
    });
    if let Some(round) = asked {
        facts.push(raised(table, round, established));
    }
    if !by_dice {
        facts.extend(approval_needed(table, what, u64::from(asked.is_some())));
    }
    Ok(facts)
}

/// What the book makes of the round, to be confirmed by a person.
fn raised(table: &Opened<'_>, round: &Round, established: bool) -> Fact {
    let rules = &table.book.interruption;
    let rule = match established {
        true => &rules.outcome_established,
        false => &rules.no_outcome,
    };
    let then = rule.is;
    // Where the document says nothing, the one who decides such matters confirms.
    let needed = match rule.cite.is_in_document() {
        true => DEALING,
        false => authority::decider(table, Matter::Uncovered),
    };
    Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0),
            round: Some(round.number),
            question: Question::Interrupted { established, then },
            rule: table.cite(&rule.cite),
            by: needed.position,
            or_above: needed.or_above,
            persons: if then == AfterInterruption::Void {
                1
            } else {
                2
            },
        },
    }
}

pub(super) fn confirm(
    table: &Opened<'_>,
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
            let mut facts = vec![taken(Ruling::Void, "no outcome was established")];
            facts.extend(interrupted_void(table, round, pending.rule.clone()));
            Ok(facts)
        }
        AfterInterruption::Conclude
        | AfterInterruption::FinishByDiceThenSuspend
        | AfterInterruption::StopUntilApproved => {
            if dice_in_place || mutant::off(table, "dice-not-in-place") {
                // The dealer's word that they are needs a witness (J-05).
                authority::require_two(table, command, needed, SUPERVISING)?;
                return Ok(vec![taken(
                    Ruling::Conclude,
                    "the dice are in place as they lay",
                )]);
            }
            // That they are not, or that it is not sure, one person may say:
            // nothing is finished on that word.
            authority::require(table, command, needed)?;
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
    }
}

/// Void because no outcome was established, under the book's own rule number
/// or, where it has none, by analogy.
fn interrupted_void(table: &Opened<'_>, round: &Round, rule: String) -> Vec<Fact> {
    let basis = match table.book.void_cause(Cause::TechnicalInterruption) {
        Some(_) => VoidBasis::Listed(Cause::TechnicalInterruption),
        None => VoidBasis::Ruling("technical interruption, no outcome; by analogy".to_owned()),
    };
    voided(table, round, basis, rule)
}

/// What follows when a supervisor finds the round affected: a void cause
/// already seen comes first, then whether an outcome was established.
fn affected(table: &Opened<'_>, round: &Round) -> Vec<Fact> {
    let rules = &table.book.interruption;
    let established = round.outcome_established();
    let waiting = |p: &Pending| matches!(p.question, Question::Interrupted { .. });
    if round.must_void.is_some() || table.pending.iter().any(waiting) {
        return Vec::new();
    }
    let void = !established && rules.no_outcome.is == AfterInterruption::Void;
    match void && rules.no_outcome.cite.is_in_document() {
        true => interrupted_void(table, round, table.cite(&rules.no_outcome.cite)),
        false => vec![raised(table, round, established)],
    }
}

pub(super) fn rule(
    table: &Opened<'_>,
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
    if matches!(
        pending.question,
        Question::DamagedRound { .. } | Question::AffectedRounds { .. }
    ) {
        return super::damage::rule(table, command, pending, ruling, reason);
    }
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
        (
            Question::Uncovered { .. } | Question::Interpretation { .. } | Question::DiceNotInPlace,
            Ruling::Conclude,
        )
        | (Question::TechnicalStop { .. }, Ruling::NotAffected)
        | (Question::TerminalOpenCase { .. }, Ruling::Accept)
        | (Question::BetStatus { .. }, Ruling::AtClose) => Ok(vec![taken]),
        (Question::TechnicalStop { .. }, Ruling::Affected) => {
            // Between rounds there is nothing to affect: it only holds the table.
            let round = table.round.as_deref().ok_or(Reason::RulingDoesNotFit)?;
            let mut facts = vec![taken];
            facts.extend(affected(table, round));
            Ok(facts)
        }
        (
            Question::Uncovered { .. } | Question::Interpretation { .. } | Question::DiceNotInPlace,
            Ruling::Void,
        ) => {
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
        (Question::CorrectionProposed { round, .. }, Ruling::Release) => {
            let held = (pending, *round);
            Ok(super::proposed::released(table, command, held, reason))
        }
        _ => Err(Reason::RulingDoesNotFit.into()),
    }
}
