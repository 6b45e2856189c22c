//! Derives again what a journal says happened, before it is applied. A verifier
//! calls it for every record, so that a later change of code can never change an
//! old balance unseen.
//!
//! From each fact the command that made it, and from the command the facts,
//! which must be those that are written: whatever [`decide`] would have refused
//! then, or answered otherwise, does not follow. Records of earlier readings of
//! the rules are held to what each event claims by itself. So a change to what
//! [`decide`] answers needs a new [`RulesRevision`].

mod acts;
mod claims;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::apply::apply;
use crate::command::Command;
use crate::decide::decide;
use crate::event::{Event, Fact, RulesRevision};
use crate::ids::RoundNumber;
use crate::record::RoundRecord;
use crate::table::Table;

/// Records of ended rounds that are amended later, by round.
pub type Records = BTreeMap<RoundNumber, Arc<RoundRecord>>;

/// From this revision on commands are decided again.
const DECIDED_AGAIN: RulesRevision = RulesRevision(3);

/// Where records part from what can have happened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct Departure {
    /// Which of the events, from 0.
    pub at: usize,
    /// What is wrong with it.
    pub what: String,
}

/// How many of the events, which one block holds and which are yet to be
/// applied, one command made. Whoever calls it applies these and asks again.
///
/// # Errors
/// The first of them that cannot have happened, or has something else to it.
pub fn derive(table: &Table, events: &[Event], records: &Records) -> Result<usize, Departure> {
    let Some(first) = events.first() else {
        return Ok(0);
    };
    let at_first = |what| Departure { at: 0, what };
    if revision(table, first).map_err(at_first)? < DECIDED_AGAIN {
        claims::claims(table, first, records).map_err(at_first)?;
        return Ok(1);
    }
    let mut follow = 0;
    let mut closest: Option<Vec<Event>> = None;
    let mut refused = None;
    for act in acts::acts(table, events, records) {
        let command = Command {
            id: first.command,
            at_ms: first.at_ms,
            by: first.by,
            second: first.second,
            act,
        };
        match decide(table, &command) {
            Ok(made) if made.is_empty() => {
                refused.get_or_insert_with(|| "it had been done before".to_owned());
            }
            // Of two that fit, the one that says more.
            Ok(made) if events.starts_with(&made) => follow = follow.max(made.len()),
            Ok(made) => {
                let nearer = closest
                    .as_ref()
                    .is_none_or(|known| shared(events, known) < shared(events, &made));
                if nearer {
                    closest = Some(made);
                }
            }
            Err(refusal) => {
                refused.get_or_insert_with(|| {
                    format!(
                        "it could not be done then: {}, {refusal}",
                        refusal.reason.code()
                    )
                });
            }
        }
    }
    if follow > 0 {
        return Ok(follow);
    }
    Err(match closest {
        Some(made) => departure(table, events, &made, records),
        None => at_first(refused.unwrap_or_else(|| {
            let claimed = claims::claims(table, first, records);
            let no_act = |()| format!("no command makes {} here", name(&first.fact));
            claimed.map_or_else(|what| what, no_act)
        })),
    })
}

/// The reading of the rules that an event is held to.
fn revision(table: &Table, event: &Event) -> Result<RulesRevision, String> {
    let (Fact::TableOpened { rules, .. } | Fact::RoundBegan { rules, .. }) = &event.fact else {
        return Ok(table.rules);
    };
    if *rules > RulesRevision::CURRENT {
        let (RulesRevision(theirs), RulesRevision(ours)) = (rules, RulesRevision::CURRENT);
        return Err(format!(
            "it is of revision {theirs} of the rules; this program knows {ours}"
        ));
    }
    // Nobody escapes today's reading by naming an older one.
    if table.config.is_some() && *rules < table.rules {
        let (RulesRevision(theirs), RulesRevision(before)) = (rules, table.rules);
        return Err(format!(
            "it names revision {theirs} of the rules after revision {before}"
        ));
    }
    Ok(*rules)
}

/// Events of one command carry the same stamp.
fn same_command(one: &Event, other: &Event) -> bool {
    (one.command, one.at_ms, one.by, one.second)
        == (other.command, other.at_ms, other.by, other.second)
}

/// How many of the first events are the same.
fn shared(events: &[Event], made: &[Event]) -> usize {
    let pairs = events.iter().zip(made);
    pairs.take_while(|(written, made)| written == made).count()
}

/// Words for the first event that is not what follows.
fn departure(table: &Table, events: &[Event], made: &[Event], records: &Records) -> Departure {
    let at = shared(events, made);
    let follows = name(&made[at].fact);
    let written = events.get(at).filter(|event| same_command(&made[0], event));
    let Some(written) = written else {
        return Departure {
            at: at.saturating_sub(1),
            what: format!("{follows} follows from it and is not there"),
        };
    };
    let mut then = table.clone();
    for event in &made[..at] {
        apply(&mut then, event);
    }
    let what = match claims::claims(&then, written, records) {
        Err(what) => what,
        Ok(()) if name(&written.fact) == follows => {
            format!(
                "{} but follows as {}",
                short(&written.fact),
                short(&made[at].fact)
            )
        }
        Ok(()) => format!("{} stands where {follows} follows", name(&written.fact)),
    };
    Departure { at, what }
}

fn name(fact: &Fact) -> String {
    let text = format!("{fact:?}");
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}

/// A fact in as many words as fit a line.
fn short(fact: &Fact) -> String {
    format!("{fact:?}").chars().take(300).collect()
}

/// The record of an ended round as it stands before these events.
fn as_it_stood(
    table: &Table,
    records: &Records,
    number: RoundNumber,
) -> Result<RoundRecord, String> {
    let record = records
        .get(&number)
        .ok_or_else(|| format!("{number} is not in the journal"))?;
    let known = table.amended.get(&number);
    Ok(RoundRecord {
        standing: known.map_or(record.standing, |amended| amended.standing),
        revision: known.map_or(0, |amended| amended.revision),
        ..RoundRecord::clone(record)
    })
}
