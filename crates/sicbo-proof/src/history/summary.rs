//! A round in a few facts, from its row, its last record and its amendments.

use sicbo_journal::{RoundRow, Store, StreamId};
use sicbo_rules::Dice;
use sicbo_rules::rulebook::words::Word;
use sicbo_table::Fact;
use sicbo_table::event::VoidBasis;
use sicbo_table::record::Standing;

use super::HistoryError;
use super::amendments::{Amendments, stored_at};
use crate::RoundCode;

/// Why a round is void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoidWhy {
    /// The cause the rule book lists, as a stable word, also where it was found
    /// only after the round had been settled; `ruling` where a person ruled.
    pub cause: String,
    /// What the person wrote, where one decided.
    pub reason: Option<String>,
    /// The rule.
    pub rule: String,
    /// The rule that lists the cause, where it was decided under another.
    pub ground: Option<String>,
}

/// A round in a few facts.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundSummary {
    /// Which round.
    pub number: u64,
    /// When it began, UTC milliseconds.
    pub began_ms: i64,
    /// When it ended.
    pub ended_ms: i64,
    /// How it stands now.
    pub standing: Standing,
    /// How often it was amended after it had ended.
    pub amended: u32,
    /// Why it is void, if it is.
    pub void: Option<VoidWhy>,
    /// Its verification code, which no amendment changes.
    pub code: RoundCode,
}

impl RoundSummary {
    /// The dice it stands on; none when it is void.
    #[must_use]
    pub const fn dice(&self) -> Option<Dice> {
        match self.standing {
            Standing::Settled(dice) => Some(dice),
            Standing::Void => None,
        }
    }
}

pub(super) fn of(
    store: &dyn Store,
    stream: &StreamId,
    row: &RoundRow,
    amendments: &mut Amendments,
) -> Result<RoundSummary, HistoryError> {
    let (event, payload) = stored_at(store, row.last_sequence)?;
    let (mut standing, mut void) = match event.fact {
        Fact::RoundSettled { dice, .. } => (Standing::Settled(dice), None),
        Fact::RoundVoided { basis, rule, .. } => {
            let (cause, reason) = match basis {
                VoidBasis::Listed(cause) => (cause.key().to_owned(), None),
                VoidBasis::Ruling(reason) => ("ruling".to_owned(), Some(reason)),
            };
            let why = VoidWhy {
                cause,
                reason,
                rule,
                ground: None,
            };
            (Standing::Void, Some(why))
        }
        _ => {
            let what = format!("it does not end round {}", row.round);
            return Err(HistoryError::damaged(row.last_sequence, what));
        }
    };
    let mut amended = 0;
    for event in amendments.of(store, row)? {
        match event.fact {
            Fact::ResultCorrected { revision, dice, .. } => {
                (standing, void, amended) = (Standing::Settled(dice), None, revision);
            }
            Fact::RoundVoidedLate {
                revision,
                reason,
                rule,
                cause,
                ground,
                ..
            } => {
                let why = VoidWhy {
                    cause: cause.map_or("ruling", |cause| cause.key()).to_owned(),
                    reason: Some(reason),
                    rule,
                    ground,
                };
                (standing, void, amended) = (Standing::Void, Some(why), revision);
            }
            _ => {}
        }
    }
    Ok(RoundSummary {
        number: row.round,
        began_ms: row.started_ms,
        ended_ms: row.ended_ms.unwrap_or(event.at_ms),
        standing,
        amended,
        void,
        code: RoundCode::of(stream, row.round, &payload),
    })
}
