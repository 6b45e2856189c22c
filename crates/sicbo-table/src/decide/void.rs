//! Voids of the round in hand, incidents, and holding a round for a ruling.

use sicbo_rules::rulebook::words::{Cause, Cover, Matter, Word as _};

use super::result::suspension;
use super::{Decision, checked_text, round, short_text};
use crate::actor::Actor;
use crate::authority::{self, DEALING, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Held, IncidentKind};
use crate::event::{Fact, VoidBasis};
use crate::ids::{PendingId, StationId};
use crate::mutant;
use crate::pending::{Pending, Question};
use crate::record::returns_digest;
use crate::refusal::{Reason, Refusal};
use crate::round::{CoverState, Phase, Round, Tumble};
use crate::table::Table;

/// The round becomes void and every stake goes back.
pub(super) fn voided(table: &Table, round: &Round, basis: VoidBasis, rule: String) -> Vec<Fact> {
    let returned = round
        .stations
        .iter()
        .enumerate()
        .filter(|(_, part)| part.takes_part())
        .map(|(i, part)| (StationId(i as u32), part.staked()));
    let digest = returns_digest(returned);
    let mut facts = vec![Fact::RoundVoided {
        basis,
        rule,
        staked: round.exposure.staked(),
        digest,
    }];
    facts.extend(suspension(table, round));
    facts
}

/// Whether what the table has seen agrees with the cause.
fn fits(table: &Table, round: &Round, cause: Cause) -> bool {
    match cause {
        Cause::TooFewTumbles => matches!(round.tumble, Tumble::Invalid { .. }),
        Cause::DieNotFlat => {
            round.phase == Phase::Closed
                && matches!(round.tumble, Tumble::Valid { .. })
                && round.cover != CoverState::Covered
                && round.confirmed.is_none()
        }
        Cause::DiceExposedEarly => {
            let covered = table
                .book()
                .is_some_and(|book| book.play.cover.is == Cover::Covered);
            // It happened before the close; it may be said until they are uncovered.
            covered && round.cover == CoverState::Covered
        }
        // Seen by the machine, or by people while it had no right to run yet.
        Cause::TumblerActivatedEarly => {
            round.must_void == Some(cause) || round.tumble == Tumble::None
        }
        Cause::DiceDamaged | Cause::DiceBroken | Cause::DomeBroken => true,
        // Decided after an interruption or a technical stop, never declared by hand.
        Cause::TechnicalInterruption => false,
    }
}

pub(super) fn declare(table: &Table, command: &Command, cause: Cause) -> Decision {
    let config = table.config.as_deref().ok_or(Reason::TableNotOpen)?;
    let needed = if config.void_by_supervisor {
        SUPERVISING
    } else {
        DEALING
    };
    authority::require(table, command, needed)?;
    let round = round(table)?;
    let void = config
        .book
        .void_cause(cause)
        .ok_or(Reason::CauseNotInBook { cause })?;
    if !fits(table, round, cause) && !mutant::off_of(table, "void-fits", cause.key()) {
        return Err(Refusal {
            reason: Reason::CauseDoesNotFit { cause },
            rule: Some(table.cite(&void.cite)),
        });
    }
    Ok(voided(
        table,
        round,
        VoidBasis::Listed(cause),
        table.cite(&void.cite),
    ))
}

pub(super) fn rule(table: &Table, command: &Command, reason: &str) -> Decision {
    authority::require(table, command, authority::decider(table, Matter::Uncovered))?;
    checked_text(reason)?;
    let round = round(table)?;
    let rule = authority::decider_rule(table, Matter::Uncovered).unwrap_or_default();
    Ok(voided(
        table,
        round,
        VoidBasis::Ruling(reason.to_owned()),
        rule,
    ))
}

/// Play is held for whoever the book names, in a round or between two.
pub(super) fn hold(table: &Table, command: &Command, what: &str, about: Held) -> Decision {
    authority::require(table, command, TABLE_STAFF)?;
    checked_text(what)?;
    let what = what.to_owned();
    let (question, matter) = match about {
        Held::Uncovered => (Question::Uncovered { what }, Matter::Uncovered),
        Held::Interpretation => (Question::Interpretation { what }, Matter::Interpretation),
    };
    // One such matter at a time: what else is wrong is said when it is ruled on.
    let held = |pending: &Pending| pending.question.key() == question.key();
    if table.pending.iter().any(held) {
        return Err(Reason::AlreadyDone.into());
    }
    let needed = authority::decider(table, matter);
    Ok(vec![Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0),
            round: table.round.as_deref().map(|round| round.number),
            question,
            rule: authority::decider_rule(table, matter).unwrap_or_default(),
            by: needed.position,
            or_above: needed.or_above,
            persons: 1,
        },
    }])
}

pub(super) fn incident(
    table: &Table,
    command: &Command,
    kind: IncidentKind,
    note: &str,
) -> Decision {
    match command.by {
        // A player calls somebody or disputes; forgery is for the house to say.
        Actor::Station(id) => {
            super::station(table, id)?;
            if kind == IncidentKind::Counterfeit {
                authority::require(table, command, TABLE_STAFF)?;
            }
        }
        Actor::Staff(staff) if authority::is_heard(table, staff) => {}
        Actor::Staff(_) => {
            authority::require(table, command, TABLE_STAFF)?;
        }
        Actor::House | Actor::Device(_) => {}
    }
    short_text(note)?;
    Ok(vec![Fact::IncidentRaised {
        kind,
        note: note.to_owned(),
    }])
}
