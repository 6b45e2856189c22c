//! Ended rounds as clients are shown them.

use serde::Serialize;
use sicbo_proof::history::{RoundSummary, StationPlay};
use sicbo_proof::paid::PaidStation;
use sicbo_rules::RuleBook;
use sicbo_table::record::Standing;
use ts_rs::TS;
use utoipa::ToSchema;

use super::public::{ShownResult, Why};

/// An ended round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct RoundShown {
    /// Its number.
    pub number: u64,
    /// When it began.
    pub began_ms: i64,
    /// When it ended.
    pub ended_ms: i64,
    /// The result; null when it was void.
    pub result: Option<ShownResult>,
    /// How often it was changed after it ended.
    pub amended: u32,
    /// Why it is void.
    pub why: Option<Why>,
    /// By which anyone can check that this is what was recorded.
    pub code: String,
}

impl RoundShown {
    /// As it is shown.
    #[must_use]
    pub fn of(summary: &RoundSummary, book: Option<&RuleBook>) -> RoundShown {
        RoundShown {
            number: summary.number,
            began_ms: summary.began_ms,
            ended_ms: summary.ended_ms,
            result: match summary.standing {
                Standing::Settled(dice) => Some(ShownResult::under(book, dice)),
                Standing::Void => None,
            },
            amended: summary.amended,
            why: summary.void.as_ref().map(|void| Why {
                cause: Some(void.cause.clone()),
                rule: sicbo_rules::citation::public(&void.rule),
                ground: void
                    .ground
                    .as_deref()
                    .and_then(sicbo_rules::citation::public),
                reason: void.reason.clone(),
                from: None,
            }),
            code: summary.code.to_string(),
        }
    }
}

/// One bet of an ended round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct OwnLine {
    /// Where it stood.
    pub section: String,
    /// Made with colour chips.
    pub colour: bool,
    /// The stake.
    pub stake: i64,
    /// What came back.
    pub returned: i64,
}

/// A station's own part of an ended round (S-01).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct OwnRound {
    /// The round.
    pub round: RoundShown,
    /// Credit when it began.
    pub credit_before: i64,
    /// Credit when it had ended.
    pub credit_after: i64,
    /// What was staked.
    pub staked: i64,
    /// What came back.
    pub returned: i64,
    /// Bet by bet.
    pub lines: Vec<OwnLine>,
    /// The key of its receipt; null where the house gives out none.
    pub receipt: Option<String>,
}

impl OwnRound {
    /// As it is shown.
    #[must_use]
    pub fn of(play: &StationPlay, book: Option<&RuleBook>, receipt: Option<String>) -> OwnRound {
        OwnRound {
            round: RoundShown::of(&play.summary, book),
            credit_before: play.credit_before.minor(),
            credit_after: play.credit_after.minor(),
            staked: play.paid.staked.minor(),
            returned: play.paid.returned.minor(),
            lines: lines(&play.paid),
            receipt,
        }
    }
}

fn lines(paid: &PaidStation) -> Vec<OwnLine> {
    paid.lines
        .iter()
        .map(|line| OwnLine {
            section: line.section.to_string(),
            colour: line.colour,
            stake: line.stake.minor(),
            returned: line.returned.minor(),
        })
        .collect()
}
