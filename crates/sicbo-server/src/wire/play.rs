//! Responsible play as JSON.

use serde::{Deserialize, Serialize};
use sicbo_house::register::play::{Play, PlayLimits, PlayStep, Tally};
use sicbo_rules::Money;
use sicbo_table::station::Station;
use ts_rs::TS;
use utoipa::ToSchema;

/// What a player wants to be held to. What is left out is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnLimits {
    /// Most to be lost, net.
    #[serde(default)]
    #[ts(optional = nullable)]
    #[schema(minimum = 0)]
    pub loss: Option<i64>,
    /// Most to be staked in all.
    #[serde(default)]
    #[ts(optional = nullable)]
    #[schema(minimum = 0)]
    pub spend: Option<i64>,
    /// Longest play, in minutes.
    #[serde(default)]
    #[ts(optional = nullable)]
    #[schema(minimum = 1, maximum = 1_440)]
    pub minutes: Option<u32>,
}

impl OwnLimits {
    fn of(limits: &PlayLimits) -> OwnLimits {
        OwnLimits {
            loss: limits.loss.map(Money::minor),
            spend: limits.spend.map(Money::minor),
            minutes: limits.minutes,
        }
    }
}

/// What a player changes at the terminal.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlayChange {
    /// Other limits: stricter ones count at once, looser ones after 24 hours.
    Limits {
        /// All of them.
        limits: OwnLimits,
    },
    /// A reality check every 30 or 60 minutes; none without.
    Check {
        /// Minutes.
        #[serde(default)]
        #[ts(optional)]
        #[schema(minimum = 30, maximum = 60)]
        minutes: Option<u16>,
    },
    /// The reality check was seen.
    Acknowledge {},
    /// A break.
    Break {
        /// For so long.
        #[schema(minimum = 1, maximum = 43_200)]
        minutes: u32,
    },
}

impl PlayChange {
    /// As the register knows it.
    #[must_use]
    pub fn step(self) -> PlayStep {
        match self {
            PlayChange::Limits { limits } => PlayStep::Limit {
                limits: PlayLimits {
                    loss: limits.loss.map(Money::from_minor),
                    spend: limits.spend.map(Money::from_minor),
                    minutes: limits.minutes,
                },
            },
            PlayChange::Check { minutes } => PlayStep::Check { minutes },
            PlayChange::Acknowledge {} => PlayStep::Acknowledge,
            PlayChange::Break { minutes } => PlayStep::Break { minutes },
        }
    }
}

/// How the player stands, and what holds for them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownPlay {
    /// The house's clock.
    pub now_ms: i64,
    /// Since when they have played, as far as is known.
    pub began_ms: i64,
    /// Staked since.
    pub staked: i64,
    /// Came back since.
    pub returned: i64,
    /// Won less lost since, bets still open counted as lost.
    pub net: i64,
    /// What holds.
    pub limits: OwnLimits,
    /// What will hold.
    pub later: Option<OwnLimits>,
    /// From when.
    pub later_ms: Option<i64>,
    /// A reality check every so many minutes.
    pub check_minutes: Option<u16>,
    /// When the next is due.
    pub next_check_ms: Option<i64>,
    /// It is due: it must be seen before the next bet.
    pub check_due: bool,
    /// A break ends then.
    pub break_until_ms: Option<i64>,
    /// Why the house has stopped their play.
    pub stopped: Option<String>,
}

impl ShownPlay {
    /// As it is shown.
    #[must_use]
    pub fn of(play: &Play, meters: &Tally, now_ms: i64) -> ShownPlay {
        let (staked, lost) = play.so_far(meters);
        let later = play.later.filter(|(from_ms, _)| now_ms < *from_ms);
        let due = play.next_check_ms();
        ShownPlay {
            now_ms,
            began_ms: play.began_ms,
            staked: staked.minor(),
            returned: (staked - lost).minor(),
            net: (Money::ZERO - lost).minor(),
            limits: OwnLimits::of(&play.limits_at(now_ms)),
            later: later.map(|(_, limits)| OwnLimits::of(&limits)),
            later_ms: later.map(|(from_ms, _)| from_ms),
            check_minutes: play.check_min,
            next_check_ms: due,
            check_due: due.is_some_and(|due_ms| now_ms >= due_ms),
            break_until_ms: Some(play.break_until_ms).filter(|until_ms| now_ms < *until_ms),
            stopped: play.stopped.clone(),
        }
    }
}

/// A station's meters as far as play is measured by them.
#[must_use]
pub fn tally(station: &Station) -> Tally {
    let meters = &station.meters;
    Tally {
        staked: meters.staked,
        returned: meters.returned + meters.void_returned + meters.corrected_in - meters.recovered,
    }
}

/// A membership card, presented at the terminal.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PresentedCard {
    /// Its number.
    #[schema(min_length = 1, max_length = 40)]
    pub card: String,
}

/// What the list of members says of a card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CardStanding {
    /// `unknown`, `member` or `excluded`; then play is stopped.
    pub standing: String,
}

/// Stops a player's play, or lets it go on.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StopPlay {
    /// Play is stopped; else it may go on.
    pub stop: bool,
    /// Why.
    #[schema(max_length = 500)]
    pub reason: String,
}
