//! What everyone in the room sees: phase, words as printed, result, lit
//! sections and notices. No money and no bets.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_rules::citation;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{ShownEnd, ShownRound, lit};
use crate::record::Standing;
use crate::round::Phase;
use crate::table::{Status, Table};

/// A notice for everyone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ShownNotice {
    /// One more round will be played.
    LastRound,
    /// Play has stopped.
    Suspended,
    /// The table is not open.
    Closed,
    /// The round waits for a decision.
    Held {
        /// Under this rule of the document; null where it does not speak.
        rule: Option<String>,
    },
    /// The round will be declared void.
    RoundLost,
    /// Other limits from the next round.
    LimitsChange,
    /// Another rule book from the next round.
    RuleBookChanges,
    /// The last round was void: all bets were returned.
    LastRoundVoid,
    /// The result of the last round was corrected.
    LastResultCorrected,
}

/// The notices for everyone in the room.
fn notices(table: &Table) -> Vec<ShownNotice> {
    let mut notices = Vec::new();
    match table.status {
        Status::Closed => notices.push(ShownNotice::Closed),
        Status::Suspended => notices.push(ShownNotice::Suspended),
        Status::Open => {}
    }
    if table.last_round_announced.is_some() {
        notices.push(ShownNotice::LastRound);
    }
    if let Some(pending) = table.holding() {
        let rule = citation::public(&pending.rule);
        notices.push(ShownNotice::Held { rule });
    }
    if table.round.as_ref().is_some_and(|r| r.must_void.is_some()) {
        notices.push(ShownNotice::RoundLost);
    }
    if table.next_limits.is_some() {
        notices.push(ShownNotice::LimitsChange);
    }
    if table.next_book.is_some() {
        notices.push(ShownNotice::RuleBookChanges);
    }
    match table.last_record.as_deref() {
        Some(last) if last.standing == Standing::Void => notices.push(ShownNotice::LastRoundVoid),
        Some(last) if last.revision > 0 => notices.push(ShownNotice::LastResultCorrected),
        _ => {}
    }
    notices
}

/// The public state of a table. Whole in every frame, so a client that has the
/// newest one has missed nothing that still matters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct PublicState {
    /// Whether it plays.
    pub status: Status,
    /// The current round.
    pub round: Option<ShownRound>,
    /// What the book has displayed or announced in this phase, as printed.
    pub words: Option<String>,
    /// What is lit, by layout: the confirmed result of the current round, or
    /// else of the last.
    pub lit: BTreeMap<String, Vec<String>>,
    /// How the last round ended.
    pub last: Option<ShownEnd>,
    /// Notices.
    pub notices: Vec<ShownNotice>,
}

impl PublicState {
    /// The public state of a table; nothing before it is first opened.
    #[must_use]
    pub fn of(table: &Table) -> Option<PublicState> {
        let words = &table.book()?.words;
        let round = table.round.as_deref();
        //
        let words = round.and_then(|round| match round.phase {
            Phase::Prepared => None,
            Phase::Betting => Some(words.place_bets.is.clone()),
            Phase::Closing | Phase::Closed => Some(words.no_more_bets.is.clone()),
        });
        let dice = match (round, table.last_record.as_deref()) {
            (Some(round), _) => round.confirmed,
            (None, Some(last)) => match last.standing {
                Standing::Settled(dice) => Some(dice),
                Standing::Void => None,
            },
            (None, None) => None,
        };
        Some(PublicState {
            status: table.status.clone(),
            round: round.map(|round| ShownRound::of(table, round)),
            words,
            lit: dice.map_or_else(BTreeMap::new, |dice| lit(table, dice)),
            last: ShownEnd::last(table),
            notices: notices(table),
        })
    }
}
