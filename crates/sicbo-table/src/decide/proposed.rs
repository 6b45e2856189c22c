//! A proposed correction holds the table: while two persons read the dice of
//! an ended round, nothing goes on over them.
//!
//! Proposals are kept in the house's register; the hold is a fact of the table
//! and outlives both the proposal and the program. It ends when the round is
//! corrected or voided, when the person who proposed the correction withdraws
//! it, or when somebody who could correct the round lets the table go, on
//! record and with a reason. A proposal that lapses, that a restart ends or
//! whose two readings differ leaves the dice in dispute: the hold stays.

use sicbo_rules::rulebook::words::Matter;

use super::amend::is_current;
use super::{Decision, by_house};
use crate::authority::{self, Needed, SUPERVISING};
use crate::command::{Command, Ruling};
use crate::event::Fact;
use crate::ids::{PendingId, PersonId, RoundNumber};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Pending, Question};
use crate::refusal::Reason;
use crate::table::Table;

/// Proposed corrections that may hold a table at once.
const MAX_HELD: usize = 64;

fn of_proposal(pending: &Pending, number: u64) -> bool {
    matches!(pending.question, Question::CorrectionProposed { proposal, .. } if proposal == number)
}

pub(super) fn hold(
    table: &Opened<'_>,
    command: &Command,
    round: RoundNumber,
    proposal: u64,
    by: PersonId,
) -> Decision {
    by_house(command)?;
    let in_hand = table.round.as_deref().map(|round| round.number);
    if round.0 == 0 || round > table.last_round || Some(round) == in_hand {
        return Err(Reason::RecordNotEnded.into());
    }
    let known = table.pending.iter().any(|p| of_proposal(p, proposal));
    if known || mutant::off(table, "correction-holds") {
        return Ok(Vec::new());
    }
    let held = |p: &&Pending| matches!(p.question, Question::CorrectionProposed { .. });
    if let Some(first) = table.pending.iter().find(held)
        && table.pending.iter().filter(held).count() >= MAX_HELD
    {
        return Err(Reason::DecisionPending { pending: first.id }.into());
    }
    let book = table.book;
    // Whoever the correction itself would need may let the table go.
    let needed = match is_current(table, round) {
        true => SUPERVISING,
        false => authority::decider(table, Matter::Uncovered),
    };
    Ok(vec![Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0),
            round: Some(round),
            question: Question::CorrectionProposed {
                round,
                proposal,
                by,
            },
            rule: table.cite(&book.corrections.wrong_result.cite),
            by: needed.position,
            or_above: needed.or_above,
            persons: 1,
        },
    }])
}

/// Holds for a correction of this round.
fn held_for(table: &Table, amended: RoundNumber) -> impl Iterator<Item = &Pending> {
    let held = table.pending.iter();
    held.filter(move |pending| {
        matches!(pending.question, Question::CorrectionProposed { round, .. } if round == amended)
    })
}

fn ended(pending: &Pending, ruling: Ruling, why: &str) -> Fact {
    Fact::DecisionTaken {
        pending: pending.id,
        ruling,
        reason: why.to_owned(),
    }
}

/// Two persons have corrected or voided the round: nothing is left to wait for,
/// whichever proposal they carried out.
pub(super) fn amended(table: &Opened<'_>, round: RoundNumber, how: &str) -> Vec<Fact> {
    held_for(table, round)
        .map(|held| ended(held, Ruling::Accept, how))
        .collect()
}

/// Somebody with authority ends the hold they ruled on, and with it the others
/// of its round that they could end as well. Two holds of one round may name
/// different persons where the table was opened under another book in between.
pub(super) fn released(
    table: &Opened<'_>,
    command: &Command,
    (ruled, round): (&Pending, RoundNumber),
    reason: &str,
) -> Vec<Fact> {
    let theirs = |held: &&Pending| {
        let needed = Needed {
            position: held.by,
            or_above: held.or_above,
        };
        held.id != ruled.id && authority::require(table, command, needed).is_ok()
    };
    let others = held_for(table, round).filter(theirs);
    // The one that was ruled on comes first: a verifier derives the ruling from it.
    [ruled]
        .into_iter()
        .chain(others)
        .map(|held| ended(held, Ruling::Release, reason))
        .collect()
}

pub(super) fn end(table: &Opened<'_>, command: &Command, proposal: u64) -> Decision {
    by_house(command)?;
    let held = table.pending.iter().find(|p| of_proposal(p, proposal));
    let lifted = held.map(|pending| Fact::DecisionTaken {
        pending: pending.id,
        ruling: Ruling::Accept,
        reason: "withdrawn".to_owned(),
    });
    Ok(lifted.into_iter().collect())
}
