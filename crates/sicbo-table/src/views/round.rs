//! What everyone may know of the current round, and of how a round ended.

use serde::Serialize;
use sicbo_rules::citation;
use sicbo_rules::rulebook::words::Word as _;
use ts_rs::TS;
use utoipa::ToSchema;

use super::ShownResult;
use crate::describe::hex;
use crate::record::{RoundRecord, Standing};
use crate::round::{CoverState, Phase, Round, Tumble};
use crate::table::Table;

/// How the tumble stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TumbleState {
    /// Not yet.
    None,
    /// The tumbler runs.
    Activated,
    /// Enough tumbles.
    Valid,
    /// Too few, or a die did not move.
    Invalid,
}

/// The current round, as everyone may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownRound {
    /// Its number.
    pub number: u64,
    /// Where it stands.
    pub phase: Phase,
    /// When bets were called.
    pub opened_ms: Option<i64>,
    /// When the betting clock ends.
    pub closes_ms: Option<i64>,
    /// When *no more bets* was called.
    pub closing_ms: Option<i64>,
    /// The tumble.
    pub tumble: TumbleState,
    /// Tumbles counted, once the tumbler has come to rest.
    pub tumbles: Option<u8>,
    /// The cover.
    pub cover: CoverState,
    /// The result, once it is confirmed.
    pub result: Option<ShownResult>,
    /// SHA-256 of the simulated tumbler's seed, published before betting.
    pub commitment: Option<String>,
}

impl ShownRound {
    pub(super) fn of(table: &Table, round: &Round) -> ShownRound {
        let window_ms = table.config.as_deref().map_or(0, |config| config.window_ms);
        let (tumble, tumbles) = match round.tumble {
            Tumble::None => (TumbleState::None, None),
            Tumble::Activated => (TumbleState::Activated, None),
            Tumble::Valid { count } => (TumbleState::Valid, Some(count)),
            Tumble::Invalid { count } => (TumbleState::Invalid, Some(count)),
        };
        ShownRound {
            number: round.number.0,
            phase: round.phase,
            opened_ms: round.opened_ms,
            closes_ms: round.opened_ms.map(|opened| opened + i64::from(window_ms)),
            closing_ms: round.closing_ms,
            tumble,
            tumbles,
            cover: round.cover,
            result: round.confirmed.map(|dice| ShownResult::at(table, dice)),
            commitment: table
                .commitment
                .filter(|(of, _)| *of == round.number)
                .map(|(_, commitment)| hex(&commitment)),
        }
    }
}

/// Why a round is void, or was corrected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Why {
    /// The listed cause, as a stable word; null for a ruling.
    pub cause: Option<String>,
    /// The rule of the document; null where it does not speak.
    pub rule: Option<String>,
    /// The rule that lists the cause, where it was decided under another.
    pub ground: Option<String>,
    /// The reason of a ruling, or of a void found late.
    pub reason: Option<String>,
    /// The result a correction replaced.
    pub from: Option<ShownResult>,
}

/// How a round ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownEnd {
    /// Its number.
    pub number: u64,
    /// The result; null when it was void.
    pub result: Option<ShownResult>,
    /// It was changed after it ended.
    pub amended: bool,
    /// Why it was void or corrected, where known.
    pub why: Option<Why>,
    /// SHA-256 of the simulated tumbler's seed, published before betting.
    pub commitment: Option<String>,
    /// The seed, published after the round.
    pub seed: Option<String>,
}

impl ShownEnd {
    /// How a round ended.
    #[must_use]
    pub fn of(table: &Table, record: &RoundRecord) -> ShownEnd {
        let tumble = table.last_tumble.filter(|last| last.round == record.number);
        ShownEnd {
            number: record.number.0,
            result: match record.standing {
                Standing::Settled(dice) => Some(ShownResult::under(Some(&record.book), dice)),
                Standing::Void => None,
            },
            amended: record.revision > 0,
            why: why(record),
            commitment: tumble.map(|tumble| hex(&tumble.commitment)),
            seed: tumble.and_then(|tumble| tumble.seed).map(|seed| hex(&seed)),
        }
    }

    /// How the last round ended.
    pub(super) fn last(table: &Table) -> Option<ShownEnd> {
        let record = table.last_record.as_deref();
        record.map(|record| ShownEnd::of(table, record))
    }
}

/// Why a round is void, or else what its latest correction replaced and under
/// which rule: "Result corrected to 3-3-6 (rule 5.5)" (P-006, P-045).
fn why(record: &RoundRecord) -> Option<Why> {
    let void = record.void.as_ref().map(|void| Why {
        cause: void.cause.map(|cause| cause.key().to_owned()),
        rule: citation::public(&void.rule),
        ground: void.ground.as_deref().and_then(citation::public),
        reason: void.reason.clone(),
        from: None,
    });
    void.or_else(|| {
        record.corrected.as_ref().map(|corrected| Why {
            cause: None,
            rule: citation::public(&corrected.rule),
            ground: None,
            reason: None,
            from: Some(ShownResult::under(Some(&record.book), corrected.from)),
        })
    })
}
