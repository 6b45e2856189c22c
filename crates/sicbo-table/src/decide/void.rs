//! Voids of the current round, incidents, and holding a round for a ruling.

use sicbo_rules::rulebook::words::{Cause, Cover, Matter, Word as _};

use super::result::suspension;
use super::{Decision, checked_text, round, short_text};
use crate::actor::Actor;
use crate::authority::{self, DEALING, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Held, IncidentKind};
use crate::event::{Fact, VoidBasis};
use crate::ids::PendingId;
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Pending, Question};
use crate::record::returns_digest;
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::round::{Round, Tumble};

/// The round becomes void and every stake goes back.
pub(super) fn voided(
    table: &Opened<'_>,
    round: &Round,
    basis: VoidBasis,
    rule: String,
) -> Vec<Fact> {
    let mut facts = vec![Fact::RoundVoided {
        basis,
        rule,
        staked: round.exposure.staked(),
        digest: returns_digest(round.stakes()),
    }];
    facts.extend(suspension(table, round));
    facts
}

/// When a cause was found, as far as the table has seen it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// In the step in which it usually shows.
    InItsStep,
    /// Later in the same round.
    Later,
    /// It contradicts what the table has seen.
    Never,
}

/// Dice of this round's tumble can be seen.
pub(crate) fn seen(round: &Round) -> bool {
    round.can_be_seen() && round.tumble != Tumble::None
}

fn found(table: &Opened<'_>, round: &Round, cause: Cause) -> Found {
    let tumbled = matches!(round.tumble, Tumble::Valid { .. });
    match cause {
        Cause::TooFewTumbles if matches!(round.tumble, Tumble::Invalid { .. }) => Found::InItsStep,
        // It was miscounted.
        Cause::TooFewTumbles if tumbled => Found::Later,
        Cause::DieNotFlat if round.outcome_established() && round.flat => Found::Later,
        Cause::DieNotFlat if round.outcome_established() => Found::InItsStep,
        // It happened before the close; until the dice are uncovered, and
        // everyone rightly sees them, the dealer may say so.
        Cause::DiceExposedEarly => {
            let covered = table.book.play.cover.is == Cover::Covered;
            match round.can_be_seen() {
                _ if !covered => Found::Never,
                // Seen by the line itself.
                _ if round.must_void == Some(cause) => Found::InItsStep,
                false => Found::InItsStep,
                true => Found::Later,
            }
        }
        // Seen by the machine, or by people while it had no right to run yet.
        Cause::TumblerActivatedEarly => {
            if round.must_void == Some(cause) || round.tumble == Tumble::None {
                Found::InItsStep
            } else {
                Found::Later
            }
        }
        // What dice and dome are like is seen by looking at them: with a
        // supervisor, once the outcome can be seen too.
        Cause::DiceDamaged | Cause::DiceBroken | Cause::DomeBroken => match seen(round) {
            true => Found::Later,
            false => Found::InItsStep,
        },
        // Decided after an interruption, never declared by hand.
        Cause::TooFewTumbles | Cause::DieNotFlat | Cause::TechnicalInterruption => Found::Never,
    }
}

pub(super) fn declare(table: &Opened<'_>, command: &Command, cause: Cause) -> Decision {
    let config = table.config;
    let void = config.book.void_cause(cause);
    let in_hand = table.round.as_deref();
    let found = in_hand.map(
        |round| match mutant::off_of(table, "void-fits", cause.key()) {
            true => Found::InItsStep,
            false => found(table, round, cause),
        },
    );
    // Found later than where it usually shows, it takes a supervisor too.
    let later = found == Some(Found::Later) && !mutant::off(table, "found-later");
    if void.is_some() && later {
        authority::require_two(table, command, DEALING, SUPERVISING)?;
    } else if config.void_by_supervisor {
        authority::require(table, command, SUPERVISING)?;
    } else {
        authority::require(table, command, DEALING)?;
    }
    let round = round(table)?;
    let void = void.ok_or(Reason::CauseNotInBook { cause })?;
    let rule = match sicbo_rules::broken("table:void-rule") {
        true => table.cite(&config.book.play.closes.cite),
        false => table.cite(&void.cite),
    };
    if found == Some(Found::Never) {
        return Err(Refusal {
            reason: Reason::CauseDoesNotFit { cause },
            rule: Some(rule),
        });
    }
    match cause {
        Cause::DiceDamaged | Cause::DiceBroken => {
            super::damage::declared(table, round, cause, rule)
        }
        _ => Ok(voided(table, round, VoidBasis::Listed(cause), rule)),
    }
}

pub(super) fn rule(table: &Opened<'_>, command: &Command, reason: &str) -> Decision {
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
pub(super) fn hold(table: &Opened<'_>, command: &Command, what: &str, about: Held) -> Decision {
    authority::require(table, command, TABLE_STAFF)?;
    checked_text(what)?;
    let what = what.to_owned();
    let (question, matter) = match about {
        Held::Uncovered => (Question::Uncovered { what }, Matter::Uncovered),
        Held::Interpretation => (Question::Interpretation { what }, Matter::Interpretation),
    };
    // One such matter at a time: what else is wrong is said when it is ruled on.
    let held = |pending: &Pending| pending.question.key() == question.key();
    refuse_if!(table.pending.iter().any(held), Reason::AlreadyDone);
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
    table: &Opened<'_>,
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
