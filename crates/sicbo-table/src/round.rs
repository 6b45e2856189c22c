//! The round in hand: its phase, tumble, cover, bets and reading of the dice.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::{Dice, Exposure, Money};

use crate::ids::{BetId, PersonId, RoundNumber, StationId};
use crate::positions::{Line, Positions};

/// Phases of a round. `Idle` (no round) and the ends are not phases of a round in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// The tumbler has been activated; bets are not yet called.
    Prepared,
    /// Bets are taken.
    Betting,
    /// Every terminal is told that no more bets are taken; some have not yet shown it.
    Closing,
    /// Bets are closed.
    Closed,
}

impl Phase {
    /// A stable word.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Phase::Prepared => "prepared",
            Phase::Betting => "betting",
            Phase::Closing => "closing",
            Phase::Closed => "closed",
        }
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

/// What hides the dice now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverState {
    /// Nobody sees them.
    Covered,
    /// The cover was lifted after the close.
    Uncovered,
    /// There is no cover (open-cover game).
    Open,
}

/// Hashes the ids of bets. They are looked up, never iterated, so the order
/// inside plays no part; a fixed hasher keeps every run the same.
#[derive(Default, Clone)]
pub struct BetIdHasher(u64);

impl Hasher for BetIdHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn write_u64(&mut self, value: u64) {
        // Fibonacci hashing spreads ids that count up, which is what clients send.
        self.0 = (value ^ (value >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }
}

/// Ids of one station's acts of betting in this round, with a digest of what they asked for.
pub type SeenBets = HashMap<u64, u64, BuildHasherDefault<BetIdHasher>>;

/// One station's part of the round.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct StationRound {
    /// Bets with credit or cash chips.
    pub positions: Positions,
    /// Bets with colour chips.
    pub colour_positions: Positions,
    /// Acts already answered.
    pub seen: SeenBets,
    /// Has shown *no more bets* and said so.
    pub acknowledged: bool,
    /// Was told of the close and has not answered yet.
    pub awaited: bool,
    /// Was cut off because it did not.
    pub fenced: bool,
    /// Seats: chips seen on the layout when the cage was opened, where they differ.
    pub observed: Option<Vec<Line>>,
}

impl StationRound {
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
        self.observed = None;
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

/// The round in hand.
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
    /// When its record began.
    pub began_ms: i64,
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
}

impl Round {
    /// Betting is closed and a die of a valid tumble can be seen.
    #[must_use]
    pub fn outcome_established(&self) -> bool {
        self.phase == Phase::Closed
            && matches!(self.tumble, Tumble::Valid { .. })
            && self.cover != CoverState::Covered
    }

    /// A station's part.
    #[must_use]
    pub fn station(&self, id: StationId) -> Option<&StationRound> {
        self.stations.get(id.0 as usize)
    }

    /// Whether an act of betting was already answered, and with which content.
    #[must_use]
    pub fn seen(&self, id: StationId, bet: BetId) -> Option<u64> {
        self.station(id)?.seen.get(&bet.0).copied()
    }
}
