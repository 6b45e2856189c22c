//! Responsible play as JSON.

use serde::{Deserialize, Serialize};
use sicbo_register::play::EXCLUDED;
use sicbo_register::play::PlayStep;
use sicbo_register::play::held::{Held, Reading, Row};
use sicbo_register::play::limits::{LimitKey, Measure, Window};
use sicbo_rules::Money;
use sicbo_table::ids::SessionNumber;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Secret;

both_ways! {
    /// What a limit is of.
    LimitMeasure <=> Measure {
        /// Lost, less what was won.
        Loss,
        /// Staked in all.
        Spend,
        /// Time of play, in minutes.
        Time,
    }
}

/// What a player changes at the terminal.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlayChange {
    /// Another limit: a stricter one counts at once, a looser one or none waits
    /// for 24 hours and then for a confirmation.
    Limit {
        /// Within how long.
        window: Window,
        /// Of what.
        measure: LimitMeasure,
        /// Minor units or minutes; none without.
        #[serde(default)]
        #[ts(optional = nullable)]
        #[schema(minimum = 0)]
        most: Option<i64>,
    },
    /// After 24 hours: the looser limit shall hold now.
    Confirm {
        /// Within how long.
        window: Window,
        /// Of what.
        measure: LimitMeasure,
    },
    /// A reality check every so many minutes of play, one of those that the
    /// house offers.
    Check {
        /// Minutes.
        #[schema(minimum = 1, maximum = 240)]
        minutes: u16,
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
        let key = |window: Window, measure: LimitMeasure| LimitKey {
            window,
            measure: measure.into(),
        };
        match self {
            PlayChange::Limit {
                window,
                measure,
                most,
            } => PlayStep::Set {
                key: key(window, measure),
                most,
            },
            PlayChange::Confirm { window, measure } => PlayStep::Confirm {
                key: key(window, measure),
            },
            PlayChange::Check { minutes } => PlayStep::Check {
                minutes: Some(minutes),
            },
            PlayChange::Acknowledge {} => PlayStep::Acknowledge,
            PlayChange::Break { minutes } => PlayStep::Break { minutes },
        }
    }
}

/// One limit with what is used of it, in minor units or minutes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct OwnLimit {
    /// Within how long.
    pub window: Window,
    /// Of what.
    pub measure: LimitMeasure,
    /// What holds; null is no limit.
    pub most: Option<i64>,
    /// What is used; below zero where more was won than lost.
    pub used: i64,
    /// Something looser was asked for and waits.
    pub waits: bool,
    /// What; null is no limit.
    pub later: Option<i64>,
    /// From when it can be confirmed.
    pub later_ms: Option<i64>,
}

/// What was played within a window.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct OwnSpell {
    /// Within how long.
    pub window: Window,
    /// Staked.
    pub staked: i64,
    /// Came back.
    pub returned: i64,
    /// How long was played.
    pub played_ms: i64,
}

/// How the player stands, and what holds for them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownPlay {
    /// The house's clock.
    pub now_ms: i64,
    /// Counts who plays here: another number is another player.
    pub session: u32,
    /// Since when they have been here, as far as is known.
    pub began_ms: i64,
    /// How long they have played: the clock stops two minutes after a bet.
    pub played_ms: i64,
    /// Until when that clock runs; null while it stands.
    pub runs_until_ms: Option<i64>,
    /// Staked since they came.
    pub staked: i64,
    /// Came back since.
    pub returned: i64,
    /// Staked in bets that are still open.
    pub open: i64,
    /// Won less lost since; open bets are neither.
    pub net: i64,
    /// A member's card is in use.
    pub card: bool,
    /// That card is used at another station now.
    pub elsewhere: bool,
    /// They have said what they want, or that they want nothing.
    pub answered: bool,
    /// Limits that are set or wait.
    pub limits: Vec<OwnLimit>,
    /// What was played: in the session, and with a card in the day, the week
    /// and the month.
    pub spells: Vec<OwnSpell>,
    /// A reality check every so many minutes.
    pub check_minutes: Option<u16>,
    /// Minutes that can be chosen.
    pub check_choices: Vec<u16>,
    /// So much play is left until the next.
    pub check_left_ms: Option<i64>,
    /// It is due: it must be seen before the next bet.
    pub check_due: bool,
    /// A break ends then.
    pub break_until_ms: Option<i64>,
    /// Why the house has stopped their play.
    pub stopped: Option<String>,
    /// It was stopped because the card they showed may not play.
    pub excluded: bool,
}

impl ShownPlay {
    /// As it is shown.
    #[must_use]
    pub fn of(
        held: &Held<'_>,
        now: &Reading,
        (session, open): (SessionNumber, Money),
        check_choices: &[u16],
    ) -> ShownPlay {
        let play = held.play;
        let (own, played_ms) = held.played(Window::Session, now);
        let windows = Window::ALL
            .into_iter()
            .filter(|window| *window == Window::Session || held.member.is_some());
        let spell = |window| {
            let (tally, played_ms) = held.played(window, now);
            OwnSpell {
                window,
                staked: tally.staked.minor(),
                returned: tally.returned.minor(),
                played_ms,
            }
        };
        let limit = |row: Row| OwnLimit {
            window: row.key.window,
            measure: row.key.measure.into(),
            most: row.limit.most,
            used: row.used,
            waits: row.limit.later.is_some(),
            later: row.limit.later.and_then(|later| later.most),
            later_ms: row.limit.later.map(|later| later.from_ms),
        };
        let next = play.next_check_ms();
        ShownPlay {
            now_ms: now.at_ms,
            session: session.0,
            began_ms: play.began_ms,
            played_ms,
            runs_until_ms: now.clock.runs_until(now.at_ms),
            staked: own.staked.minor(),
            returned: own.returned.minor(),
            open: open.minor(),
            net: (own.returned - own.staked + open).minor(),
            card: held.member.is_some(),
            elsewhere: held.elsewhere,
            answered: play.answered,
            limits: held.rows(now).into_iter().map(limit).collect(),
            spells: windows.map(spell).collect(),
            check_minutes: play.check_min,
            check_choices: check_choices.to_vec(),
            check_left_ms: next.map(|next_ms| next_ms.saturating_sub(played_ms).max(0)),
            check_due: held.check_due(now),
            break_until_ms: Some(held.break_until_ms()).filter(|until_ms| now.at_ms < *until_ms),
            stopped: held.stopped().map(str::to_owned),
            excluded: held.stopped() == Some(EXCLUDED),
        }
    }
}

/// A membership card, presented at the terminal.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PresentedCard {
    /// Its number.
    #[schema(min_length = 1, max_length = 40)]
    pub card: String,
    /// Its PIN, as the member types it.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<String>")]
    #[schema(max_length = 12)]
    pub pin: Option<Secret>,
    /// What the terminal's reader read from the card.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<String>")]
    #[schema(max_length = 200)]
    pub read: Option<Secret>,
}

/// What the list of members says of a card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CardStanding {
    /// `unknown` where neither PIN nor card was right, `member`, or `excluded`;
    /// then play is stopped.
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
