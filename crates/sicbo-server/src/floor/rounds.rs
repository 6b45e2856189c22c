//! Ended rounds as clients are shown them.

use std::sync::Arc;

use serde::Serialize;
use sicbo_proof::history::{Adjustment, Moment, RoundSummary};
use sicbo_proof::paid::PaidStation;
use sicbo_rules::RuleBook;
use sicbo_table::ids::StationId;
use sicbo_table::record::Standing;
use sicbo_table::views::ResultView;
use ts_rs::TS;
use utoipa::ToSchema;

use super::TableAt;
use crate::wire::public::{ShownResult, Why};

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
    fn of(summary: &RoundSummary, book: Option<&RuleBook>) -> RoundShown {
        RoundShown {
            number: summary.number,
            began_ms: summary.began_ms,
            ended_ms: summary.ended_ms,
            result: match summary.standing {
                Standing::Settled(dice) => Some(ShownResult::of(ResultView::under(book, dice))),
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
}

impl TableAt {
    fn book(&self) -> Option<Arc<RuleBook>> {
        self.hub.state().table.book().cloned()
    }

    /// Ended rounds, the newest first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn rounds(&self, before: Option<u64>, n: usize) -> Result<Vec<RoundShown>, String> {
        let book = self.book();
        self.with_history(|history| {
            let recent = history.recent(before, n).map_err(|e| e.to_string())?;
            let shown = recent
                .iter()
                .map(|one| RoundShown::of(one, book.as_deref()));
            Ok(shown.collect())
        })
    }

    /// What happened in a round as far as it concerns one station.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn timeline(&self, round: u64, station: StationId) -> Result<Option<Vec<Moment>>, String> {
        self.with_history(|history| {
            let timeline = history.timeline(round, station);
            timeline.map_err(|error| error.to_string())
        })
    }

    /// The adjustment that a record of the table holds.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn adjustment(&self, record: u64) -> Result<Option<Adjustment>, String> {
        self.with_history(|history| {
            let found = history.adjustment(record);
            found.map_err(|error| error.to_string())
        })
    }

    /// Ended rounds played with a set of dice that began at a time or later,
    /// the newest first; whether there are more.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn rounds_with(
        &self,
        dice_set: &str,
        since_ms: i64,
        most: usize,
    ) -> Result<(Vec<RoundShown>, bool), String> {
        const LOOK_BACK: usize = 4_096;
        let book = self.book();
        self.with_history(|history| {
            let mut found = Vec::new();
            let mut before = None;
            for _ in 0..LOOK_BACK / 64 {
                let page = history.recent(before, 64).map_err(|e| e.to_string())?;
                let Some(last) = page.last() else {
                    return Ok((found, false));
                };
                before = Some(last.number);
                for summary in &page {
                    if summary.began_ms < since_ms {
                        return Ok((found, false));
                    }
                    let record = history.record(summary.number).map_err(|e| e.to_string())?;
                    if record.is_some_and(|record| record.dice_set == dice_set) {
                        if found.len() == most {
                            return Ok((found, true));
                        }
                        found.push(RoundShown::of(summary, book.as_deref()));
                    }
                }
            }
            Ok((found, true))
        })
    }

    /// A station's last rounds, of whoever plays there now.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn own_rounds(&self, station: StationId, n: usize) -> Result<Vec<OwnRound>, String> {
        let session = self.hub.state().table.station(station).map(|s| s.session);
        let book = self.book();
        self.with_history(|history| {
            let rounds = history
                .station_rounds(station, n)
                .map_err(|e| e.to_string())?;
            let own = rounds
                .iter()
                .filter(|play| Some(play.paid.record.session) == session)
                .map(|play| OwnRound {
                    round: RoundShown::of(&play.summary, book.as_deref()),
                    credit_before: play.credit_before.minor(),
                    credit_after: play.credit_after.minor(),
                    staked: play.paid.staked.minor(),
                    returned: play.paid.returned.minor(),
                    lines: lines(&play.paid),
                });
            Ok(own.collect())
        })
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
