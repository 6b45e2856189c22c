//! What the pit's board counts at a table in the shift that goes on, or since the program
//! started where none does: rounds, voids, what was staked, won and expected, who deals, and what was reported
//! (P-030). The books of the table are elsewhere; nothing is paid by this.

use std::collections::VecDeque;

use serde::Serialize;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::event::Effect;
use sicbo_table::ids::{PersonId, RoundNumber};
use sicbo_table::views::sent;
use sicbo_table::{Event, Fact, Table};
use ts_rs::TS;
use utoipa::ToSchema;

/// Reports kept to be looked at later.
const REPORTS: usize = 50;

/// Something that was reported at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[ts(rename = "ShownReport")]
#[schema(as = ShownReport)]
pub struct Report {
    /// A stable word.
    pub kind: String,
    /// What was said.
    pub note: String,
    /// The station it came from.
    pub station: Option<u32>,
    /// The current round.
    pub round: Option<u64>,
    /// When.
    pub at_ms: i64,
}

/// The counts of one table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardTally {
    /// The shift they are of, where one goes on.
    pub shift: Option<u64>,
    /// A round of the shift before that goes on: it is not counted.
    pub before: Option<RoundNumber>,
    /// Since when.
    pub since_ms: i64,
    /// Rounds that ended.
    pub rounds: u64,
    /// Those of them that were void.
    pub voids: u64,
    /// Staked in settled rounds.
    pub staked: i64,
    /// What the house kept of it, as it stands now that rounds were amended.
    pub kept: i64,
    /// What it could expect to keep, times 216: the sum over all outcomes of
    /// each round's own stakes, so that nothing is rounded.
    pub expected_216: i64,
    /// Who called for bets last, and since when it has been the same person.
    pub dealer: Option<(PersonId, i64)>,
    /// The newest reports, the newest first.
    pub reports: VecDeque<Report>,
}

impl BoardTally {
    /// Nothing is counted yet.
    #[must_use]
    pub fn since(since_ms: i64) -> BoardTally {
        BoardTally {
            since_ms,
            ..BoardTally::default()
        }
    }

    /// Takes in an event; `before` is the table as it was without it.
    pub fn note(&mut self, before: &Table, event: &Event) {
        let round = before.round.as_deref().map(|round| round.number);
        let ends = matches!(
            event.fact,
            Fact::RoundSettled { .. } | Fact::RoundVoided { .. }
        );
        if ends && round.is_some() && round == self.before {
            return;
        }
        match &event.fact {
            Fact::BetsCalled => {
                if let Actor::Staff(Staff { person, .. }) = event.by
                    && self.dealer.is_none_or(|(known, _)| known != person)
                {
                    self.dealer = Some((person, event.at_ms));
                }
            }
            Fact::RoundSettled {
                staked, returned, ..
            } => {
                self.rounds += 1;
                let (staked, returned) = (staked.minor(), returned.minor());
                self.staked = self.staked.saturating_add(staked);
                self.kept = self.kept.saturating_add(staked - returned);
                let outcomes = before.round.as_deref().map(|r| r.exposure.by_outcome());
                for outcome in outcomes.unwrap_or_default() {
                    self.expected_216 = self.expected_216.saturating_add(outcome.minor());
                }
            }
            Fact::RoundVoided { .. } => {
                self.rounds += 1;
                self.voids += 1;
            }
            Fact::ResultCorrected { effects, .. } => self.amend(effects),
            Fact::RoundVoidedLate { effects, .. } => {
                self.voids += 1;
                self.amend(effects);
            }
            Fact::IncidentRaised { kind, note } => {
                self.reports.push_front(Report {
                    kind: sent(kind.key()),
                    note: note.clone(),
                    station: match event.by {
                        Actor::Station(station) => Some(station.0),
                        _ => None,
                    },
                    round: before.round.as_deref().map(|round| round.number.0),
                    at_ms: event.at_ms,
                });
                self.reports.truncate(REPORTS);
            }
            _ => {}
        }
    }

    /// What an amendment gives players is no longer kept, and the other way round.
    fn amend(&mut self, effects: &[Effect]) {
        for effect in effects {
            let more = effect.is.minor() - effect.was.minor();
            self.kept = self.kept.saturating_sub(more);
        }
    }
}
