//! Follows what alerts are made from while records go by.

use std::collections::BTreeMap;

use sicbo_rules::exposure::combinations;
use sicbo_rules::{Outcome, Section};
use sicbo_table::ids::StationId;
use sicbo_table::record::Standing;
use sicbo_table::{Event, Fact, Table};

use super::{Alert, ByStation, Left, NEAR_CLOSE_MS, Near};
use crate::reading::Watch;
use crate::rounds::Rounds;
use crate::sheet::AmendmentLine;
use crate::tally::amendment;
use crate::{MAX_ROUNDS, ReportError};

/// What is followed.
#[derive(Default)]
pub(crate) struct Watcher {
    pub(super) rounds: Rounds,
    pub(super) near: ByStation<Near>,
    /// Stations that were cut off at least once with a bet on visible dice.
    pub(super) left: ByStation<Left>,
    disconnected: BTreeMap<StationId, u64>,
    pub(super) amendments: Vec<AmendmentLine>,
    /// Failures that somebody had to be told of, and whether they were.
    pub(super) notices: Vec<Alert>,
    /// When the clocks had parted: the record, the house's time, the machine's.
    pub(super) clocks: Vec<(u64, i64, i64)>,
    from_ms: Option<i64>,
    to_ms: i64,
    visible_ms: i64,
    visible_since: Option<i64>,
}

impl Watcher {
    /// The part of the time in which dice could be seen.
    pub(super) fn visible_share(&self) -> f64 {
        let whole = self.to_ms - self.from_ms.unwrap_or(self.to_ms);
        if whole <= 0 {
            return 1.0;
        }
        (self.visible_ms as f64 / whole as f64).clamp(0.0, 1.0)
    }

    /// Word of a failure is an alert until it is acknowledged, and says by whom
    /// and when it was.
    fn noticed(&mut self, table: &Table, sequence: u64, event: &Event) {
        match &event.fact {
            Fact::NoticeRaised { notice } if self.notices.len() < MAX_ROUNDS => {
                self.notices.push(Alert {
                    code: "device-failed".to_owned(),
                    round: notice.round.map(|round| round.0),
                    sequence,
                    at_ms: notice.at_ms,
                    person: None,
                    station: None,
                    saw: format!(
                        "{}: the {} must be told under {} and has not acknowledged it",
                        notice.what, notice.inform, notice.rule
                    ),
                    chance: None,
                });
            }
            Fact::NoticeAcknowledged { notice } => {
                let read = table.notices.iter().find(|known| known.id == *notice);
                let told = self
                    .notices
                    .iter_mut()
                    .rfind(|alert| read.is_some_and(|read| alert.at_ms == read.at_ms));
                if let (Some(alert), Some(read)) = (told, read) {
                    let person = read.read.map(|(person, _)| person.0);
                    let after = event.at_ms.saturating_sub(read.at_ms) / 1_000;
                    alert.person = person;
                    alert.saw = format!(
                        "{}: the {} was told under {} and acknowledged it {after} s later",
                        read.what, read.inform, read.rule
                    );
                }
            }
            _ => {}
        }
    }

    /// What each station bet near the close, and whether it won by it.
    fn near_close(&mut self, table: &Table) {
        let (Some(played), Some(record)) = (self.rounds.played.last(), &table.last_record) else {
            return;
        };
        let (Some(closing), Standing::Settled(dice)) = (played.closing_ms, record.standing) else {
            return;
        };
        let mut late: BTreeMap<StationId, BTreeMap<Section, i64>> = BTreeMap::new();
        let near = self.rounds.bets.iter().rev();
        for bet in near.take_while(|bet| closing - bet.at_ms <= NEAR_CLOSE_MS) {
            let stakes = late.entry(bet.station).or_default();
            *stakes.entry(bet.section).or_default() += bet.stake_minor;
        }
        for (station, stakes) in late {
            let stakes: Vec<(usize, i64)> = stakes
                .into_iter()
                .filter(|(_, stake)| *stake > 0)
                .map(|(section, stake)| (section.index(), stake))
                .collect();
            let Some(part) = record.station(station).filter(|_| !stakes.is_empty()) else {
                continue;
            };
            let settlement = record.book.layouts[part.layout].settlement();
            let wins = |dice| {
                let row = settlement.row(dice);
                let twice: i128 = stakes
                    .iter()
                    .map(|(at, stake)| i128::from(*stake) * (i128::from(row[*at]) - 2))
                    .sum();
                twice > 0
            };
            let ways: u32 = combinations()
                .iter()
                .filter(|dice| wins(**dice))
                .map(|dice| match dice.faces() {
                    [a, b, c] if a == b && b == c => 1,
                    [a, b, c] if a == b || b == c => 3,
                    _ => 6,
                })
                .sum();
            let near = self.near.entry(station).or_default();
            let chance = f64::from(ways) / Outcome::COUNT as f64;
            near.evidence.add(chance, wins(dice));
            near.last = self.rounds.played.len() - 1;
        }
    }
}

impl Watch for Watcher {
    fn begin(&mut self, table: &Table) {
        self.rounds.begin(table);
    }

    fn before(&mut self, table: &Table, sequence: u64, event: &Event) {
        self.rounds.before(sequence, event);
        self.from_ms.get_or_insert(event.at_ms);
        self.to_ms = event.at_ms;
        if let Fact::ClockParted { machine_ms } = event.fact
            && self.clocks.len() < MAX_ROUNDS
        {
            self.clocks.push((sequence, event.at_ms, machine_ms));
        }
        if let Fact::Disconnected { station } = event.fact {
            let all = self.disconnected.entry(station).or_default();
            *all += 1;
            let at_risk = table
                .station(station)
                .is_some_and(|s| s.at_risk.is_positive());
            let visible = table.round.as_deref().filter(|r| r.outcome_established());
            if let Some(round) = visible.filter(|_| at_risk) {
                let left = self.left.entry(station).or_insert(Left {
                    all: 0,
                    visible: 0,
                    round: 0,
                    sequence: 0,
                    at_ms: 0,
                });
                left.visible += 1;
                left.round = round.number.0;
                left.sequence = sequence;
                left.at_ms = event.at_ms;
            }
            if let Some(left) = self.left.get_mut(&station) {
                left.all = *all;
            }
        }
    }

    fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> Result<(), ReportError> {
        if self.rounds.after(table, sequence, event) {
            if self.rounds.played.len() > MAX_ROUNDS {
                return Err(ReportError::TooLong);
            }
            self.near_close(table);
        }
        self.amendments.extend(amendment(table, sequence, event));
        self.noticed(table, sequence, event);
        let visible = table
            .round
            .as_deref()
            .is_some_and(|r| r.outcome_established());
        match (visible, self.visible_since) {
            (true, None) => self.visible_since = Some(event.at_ms),
            (false, Some(since)) => {
                self.visible_ms += event.at_ms.saturating_sub(since);
                self.visible_since = None;
            }
            _ => {}
        }
        Ok(())
    }
}
