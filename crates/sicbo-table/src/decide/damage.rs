//! Damaged dice: the report that takes a set out of play, what becomes of the
//! round it is in, and the question of earlier rounds.

use sicbo_rules::rulebook::words::{Cause, Matter, Position};

use super::void::{seen, voided};
use super::{Decision, checked_text, round};
use crate::actor::Staff;
use crate::authority::{self, Needed, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Ruling};
use crate::event::{Fact, VoidBasis};
use crate::ids::{PendingId, RoundNumber};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Pending, Question};
use crate::refusal::{Reason, Refusal};
use crate::round::Round;

/// Questions about earlier rounds that may wait at a table; with more, no round begins.
pub(crate) const MAX_QUESTIONS: usize = 16;

/// Dice in the tumbler are damaged. The set is out of play at once; the round
/// in hand is void, once dice can be seen only when a supervisor has looked at
/// them; and whoever decides it is asked about the rounds before.
pub(super) fn report(table: &Opened<'_>, command: &Command, note: &str) -> Decision {
    let by = authority::require(table, command, TABLE_STAFF)?;
    checked_text(note)?;
    let config = table.config;
    if table.damaged.contains(&config.dice_set) {
        return Err(Reason::AlreadyDone.into());
    }
    let mut facts = vec![reported(table, note)?];
    if let Some(round) = table.round.as_deref() {
        let alone = !config.void_by_supervisor || authority::holds(table, by, SUPERVISING);
        match config.book.void_cause(Cause::DiceDamaged) {
            Some(void) if alone && (!seen(round) || mutant::off(table, "looked-at")) => facts
                .extend(voided(
                    table,
                    round,
                    VoidBasis::Listed(Cause::DiceDamaged),
                    table.cite(&void.cite),
                )),
            Some(void) => facts.push(to_look_at(table, round, by, table.cite(&void.cite))),
            None => {
                let rule = authority::decider_rule(table, Matter::Uncovered).unwrap_or_default();
                facts.push(to_look_at(table, round, by, rule));
            }
        }
    }
    let question = earlier_rounds(table, &facts);
    facts.extend(question);
    Ok(facts)
}

/// The current round is void for dice that are damaged or broke: what a
/// report does, and the void.
pub(super) fn declared(
    table: &Opened<'_>,
    round: &Round,
    cause: Cause,
    rule: String,
) -> Result<Vec<Fact>, Refusal> {
    let mut facts = Vec::new();
    let config = table.config;
    if !table.damaged.contains(&config.dice_set) {
        facts.push(reported(table, &cause.to_string())?);
    }
    facts.extend(voided(table, round, VoidBasis::Listed(cause), rule));
    if cause == Cause::DiceDamaged {
        let question = earlier_rounds(table, &facts);
        facts.extend(question);
    }
    Ok(facts)
}

fn reported(table: &Opened<'_>, note: &str) -> Result<Fact, Refusal> {
    let config = table.config;
    Ok(Fact::DamageReported {
        dice_set: config.dice_set.clone(),
        round: table.round.as_deref().map(|round| round.number),
        note: note.to_owned(),
    })
}

/// The round waits for a supervisor who looks at the dice.
fn to_look_at(table: &Opened<'_>, round: &Round, reporter: Staff, rule: String) -> Fact {
    Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0),
            round: Some(round.number),
            question: Question::DamagedRound {
                reporter: reporter.person,
            },
            rule,
            by: Position::PitSupervisor,
            or_above: true,
            persons: 1,
        },
    }
}

/// The question which earlier rounds the dice affected, unless they have
/// played none or it waits already. `before` are the facts that come first.
fn earlier_rounds(table: &Opened<'_>, before: &[Fact]) -> Option<Fact> {
    let config = table.config;
    let ended = match table.round.as_deref() {
        Some(round) => RoundNumber(round.number.0.saturating_sub(1)),
        None => table.last_round,
    };
    let waits = |pending: &Pending| matches!(&pending.question, Question::AffectedRounds { dice_set, .. } if *dice_set == config.dice_set);
    if mutant::off(table, "earlier-rounds-asked") {
        return None;
    }
    if ended.0 == 0 || ended < table.dice_since || table.pending.iter().any(waits) {
        return None;
    }
    let raised = |fact: &&Fact| matches!(fact, Fact::DecisionRaised { .. });
    let raised = before.iter().filter(raised).count() as u64;
    let needed = authority::decider(table, Matter::AffectedRounds);
    Some(Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0 + raised),
            round: Some(ended),
            question: Question::AffectedRounds {
                dice_set: config.dice_set.clone(),
                last: table.round.is_none().then_some(ended),
            },
            rule: authority::decider_rule(table, Matter::AffectedRounds).unwrap_or_default(),
            by: needed.position,
            or_above: needed.or_above,
            persons: 2,
        },
    })
}

/// Two persons inspected the set and found it sound.
pub(super) fn sound(table: &Opened<'_>, command: &Command, dice_set: &str, text: &str) -> Decision {
    authority::require_custody(table, command)?;
    checked_text(text)?;
    let config = table.config;
    let here = table.dice_condemned && config.dice_set == dice_set;
    if !here && !table.damaged.contains(dice_set) {
        return Err(Reason::NothingToInspect.into());
    }
    Ok(vec![Fact::DiceFoundSound {
        dice_set: dice_set.to_owned(),
        text: text.to_owned(),
    }])
}

/// A ruling on damaged dice.
pub(super) fn rule(
    table: &Opened<'_>,
    command: &Command,
    pending: &Pending,
    ruling: &Ruling,
    reason: &str,
) -> Decision {
    let needed = Needed {
        position: pending.by,
        or_above: pending.or_above,
    };
    let taken = Fact::DecisionTaken {
        pending: pending.id,
        ruling: ruling.clone(),
        reason: reason.to_owned(),
    };
    match (&pending.question, ruling) {
        (Question::DamagedRound { reporter }, Ruling::Void | Ruling::Conclude) => {
            let looked = authority::require(table, command, needed)?;
            checked_text(reason)?;
            if looked.person == *reporter && !mutant::off(table, "looked-at-by-another") {
                return Err(Reason::SamePersonTwice.into());
            }
            // Whoever finds no damage has the set inspected first.
            if *ruling == Ruling::Conclude {
                return match table.dice_condemned {
                    true => Err(Reason::DiceChangeNeeded.into()),
                    false => Ok(vec![taken]),
                };
            }
            let basis = match table.book.void_cause(Cause::DiceDamaged) {
                Some(_) => VoidBasis::Listed(Cause::DiceDamaged),
                None => VoidBasis::Ruling(reason.to_owned()),
            };
            let mut facts = vec![taken];
            facts.extend(voided(table, round(table)?, basis, pending.rule.clone()));
            Ok(facts)
        }
        // None of them was affected. Which were is said by name.
        (Question::AffectedRounds { .. }, Ruling::Accept) => {
            authority::require_two(table, command, needed, SUPERVISING)?;
            checked_text(reason)?;
            Ok(vec![taken])
        }
        _ => {
            authority::require(table, command, needed)?;
            checked_text(reason)?;
            Err(Reason::RulingDoesNotFit.into())
        }
    }
}
