//! The current round: its phase, tumble, cover, bets and reading of the dice.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_rules::rulebook::words::{Cause, RoundStart};
use sicbo_rules::{Dice, Exposure, Money};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::ids::{BetId, PersonId, RoundNumber, StationId};
use crate::positions::{Line, Means, Positions};
use crate::seen::SeenBets;

sicbo_rules::worded! {
    /// Where a round stands.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, TS, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[ts(rename = "PhaseName")]
    #[schema(as = PhaseName)]
    pub enum Phase: key {
        /// The tumbler has been activated; bets are not yet called.
        Prepared = "prepared",
        /// Bets are taken.
        Betting = "betting",
        /// Every terminal is told that no more bets are taken; some have not yet shown it.
        Closing = "closing",
        /// Bets are closed.
        Closed = "closed",
    }
}

/// The tumble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tumble {
    /// The tumbler has not run.
    None,
    /// It runs.
    Activated,
    /// It came to rest after enough tumbles.
    Valid {
        /// How many.
        count: u8,
    },
    /// It came to rest after too few, or a die did not move.
    Invalid {
        /// How many.
        count: u8,
    },
}

/// How the cover stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "CoverName")]
#[schema(as = CoverName)]
pub enum CoverState {
    /// Nobody sees them.
    Covered,
    /// The cover was lifted after the close.
    Uncovered,
    /// There is no cover (open-cover game).
    Open,
}

/// One station's part of the round.
///
/// Two lines of the processor's cache, side by side: betting reads both and the
/// next station's part shares neither.
#[derive(Clone, Default, PartialEq, Debug)]
#[repr(C, align(128))]
pub struct StationRound {
    /// Bets with credit or cash chips.
    pub positions: Positions,
    /// Acts already answered.
    pub seen: SeenBets,
    /// Bets with colour chips.
    pub colour_positions: Positions,
    /// Has shown *no more bets* and said so.
    pub acknowledged: bool,
    /// Was told of the close and has not answered yet.
    pub awaited: bool,
    /// Was cut off because it did not.
    pub fenced: bool,
}

const _: () = assert!(size_of::<StationRound>() == 128);

impl StationRound {
    /// What it has staked with one means.
    #[must_use]
    pub fn of(&self, means: Means) -> &Positions {
        match means {
            Means::ColourChips => &self.colour_positions,
            Means::Credit | Means::CashChips => &self.positions,
        }
    }

    /// All it has staked.
    #[must_use]
    pub fn staked(&self) -> Money {
        self.positions.total() + self.colour_positions.total()
    }

    /// It takes part in the round.
    #[must_use]
    pub fn takes_part(&self) -> bool {
        !self.positions.is_empty() || !self.colour_positions.is_empty()
    }

    /// Forgets the round but keeps its memory.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.colour_positions.clear();
        self.seen.clear();
        self.acknowledged = false;
        self.awaited = false;
        self.fenced = false;
    }
}

/// A reading of the dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// As read, in the order read.
    pub dice: Dice,
    /// Who keyed it; none when a bound device read it.
    pub by: Option<PersonId>,
}

/// The current round.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// Its number.
    pub number: RoundNumber,
    /// Where it stands.
    pub phase: Phase,
    /// The tumble.
    pub tumble: Tumble,
    /// The cover.
    pub cover: CoverState,
    /// The line has reported the cover open over dice of this round's tumble.
    pub exposed: bool,
    /// When its record began.
    pub began_ms: i64,
    /// When the tumbler was activated.
    pub activated_ms: Option<i64>,
    /// When bets were called.
    pub opened_ms: Option<i64>,
    /// When *no more bets* was said or first shown.
    pub closing_ms: Option<i64>,
    /// Terminals that have not yet acknowledged.
    pub awaiting: u32,
    /// The deal button was pressed.
    pub deal_pressed: bool,
    /// The dealer has seen that all dice lie flat.
    pub flat: bool,
    /// The dealer's reading, not yet confirmed.
    pub keyed: Option<Reading>,
    /// A second, independent reading.
    pub second: Option<Reading>,
    /// The confirmed result, where paying comes after the lights.
    pub confirmed: Option<Dice>,
    /// The winning areas are lit, or known not to be.
    pub lights: Option<bool>,
    /// A cause that leaves nothing but to declare the round void.
    pub must_void: Option<Cause>,
    /// Live exposure.
    pub exposure: Exposure,
    /// Finish by the dice, then suspend.
    pub suspend_after: bool,
    /// An interruption was ruled to be concluded from the dice.
    pub concluded_after_interruption: bool,
    /// Parts of the stations, by station number.
    pub stations: Vec<StationRound>,
    /// Seats: chips of each means as they lay when the cage was opened, or with a
    /// late change.
    pub observed: BTreeMap<(StationId, Means), Vec<Line>>,
}

impl Round {
    /// Betting is closed and a die of a valid tumble can be seen.
    #[must_use]
    pub fn outcome_established(&self) -> bool {
        self.phase == Phase::Closed
            && matches!(self.tumble, Tumble::Valid { .. })
            && self.can_be_seen()
    }

    /// Nothing hides the dice, or the line has said so.
    #[must_use]
    pub fn can_be_seen(&self) -> bool {
        self.cover != CoverState::Covered || self.exposed
    }

    /// It has begun by what the document calls the start of a round, which may
    /// be later than its record.
    #[must_use]
    pub fn has_started(&self, start: RoundStart) -> bool {
        let called = self.opened_ms.is_some();
        match start {
            RoundStart::NoticeDisplayed | RoundStart::BetsAnnounced => called,
            RoundStart::TumbledAndNoticeDisplayed => {
                called && matches!(self.tumble, Tumble::Valid { .. } | Tumble::Invalid { .. })
            }
            RoundStart::NoMoreBets => self.closing_ms.is_some(),
        }
    }

    /// A station's part.
    #[must_use]
    pub fn station(&self, id: StationId) -> Option<&StationRound> {
        self.stations.get(id.0 as usize)
    }

    /// What each station that takes part has staked.
    pub fn stakes(&self) -> impl Iterator<Item = (StationId, Money)> {
        let parts = self.stations.iter().enumerate();
        parts
            .filter(|(_, part)| part.takes_part())
            .map(|(i, part)| (StationId(i as u32), part.staked()))
    }

    /// Whether an act of betting was already answered, and with which content.
    #[must_use]
    pub fn seen(&self, id: StationId, bet: BetId) -> Option<u64> {
        self.station(id)?.seen.get(&bet.0).copied()
    }
}
