//! A player's own limits, one by one: how much of what within how long.
//!
//! A stricter limit counts as soon as it is set. A looser one, or none, waits
//! for the cooling-off and then for the player to say so once more (UKGC RTS
//! 12 as the template of P-078). Until then the stricter one holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::COOLING_OFF_MS;

sicbo_rules::worded! {
    /// Within how long a limit holds.
    #[derive(
        Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, TS, ToSchema,
    )]
    #[serde(rename_all = "snake_case")]
    #[ts(rename = "LimitWindow")]
    #[schema(as = LimitWindow)]
    pub enum Window: word, ALL {
        /// As long as the player sits there.
        Session = "session",
        /// From midnight to midnight by the house's clock.
        Day = "day",
        /// From Monday on.
        Week = "week",
        /// From the first on.
        Month = "month",
    }
}

impl Window {
    /// The longest limit on time that makes sense, in minutes.
    #[must_use]
    pub const fn longest_min(self) -> i64 {
        match self {
            Window::Session | Window::Day => 24 * 60,
            Window::Week => 7 * 24 * 60,
            Window::Month => 31 * 24 * 60,
        }
    }
}

sicbo_rules::worded! {
    /// Of what.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Measure: word, ALL {
        /// Time of play, in minutes.
        Time = "time",
        /// Staked in all, in minor units.
        Spend = "spend",
        /// Lost, less what was won, in minor units.
        Loss = "loss",
    }
}

/// Which limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LimitKey {
    /// Within how long.
    pub window: Window,
    /// Of what.
    pub measure: Measure,
}

impl LimitKey {
    /// Every one, in the order in which they are looked at.
    pub fn all() -> impl Iterator<Item = LimitKey> {
        Measure::ALL.into_iter().flat_map(|measure| {
            Window::ALL
                .into_iter()
                .map(move |window| LimitKey { window, measure })
        })
    }
}

/// What is asked for and does not hold yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Later {
    /// From when the player can say so once more.
    pub from_ms: i64,
    /// What will hold then; none is no limit.
    pub most: Option<i64>,
}

/// One limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limit {
    /// What holds; none is no limit.
    pub most: Option<i64>,
    /// What was asked for and is looser.
    pub later: Option<Later>,
}

/// What a wish comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    /// Nothing: it is so already, or waits already.
    Nothing,
    /// It holds at once.
    Now,
    /// It waits.
    Later,
}

impl Limit {
    /// What it comes to when this is wanted.
    pub(crate) fn wish(&self, wanted: Option<i64>) -> Wish {
        if wanted == self.most {
            // Wanting what holds takes back what waits.
            return match self.later {
                Some(_) => Wish::Now,
                None => Wish::Nothing,
            };
        }
        let looser = match (self.most, wanted) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(most), Some(wanted)) => wanted > most,
        };
        match (looser, self.later) {
            (false, _) => Wish::Now,
            (true, Some(later)) if later.most == wanted => Wish::Nothing,
            (true, _) => Wish::Later,
        }
    }

    fn want(&mut self, at_ms: i64, wanted: Option<i64>) {
        match self.wish(wanted) {
            Wish::Nothing => {}
            Wish::Now => {
                self.most = wanted;
                self.later = None;
            }
            Wish::Later => {
                self.later = Some(Later {
                    from_ms: at_ms.saturating_add(COOLING_OFF_MS),
                    most: wanted,
                });
            }
        }
    }

    fn confirm(&mut self, at_ms: i64) {
        if let Some(later) = self.later
            && at_ms >= later.from_ms
        {
            self.most = later.most;
            self.later = None;
        }
    }

    /// The stricter of both; what waits is what waits of the stricter.
    #[must_use]
    pub fn stricter(self, other: Limit) -> Limit {
        match (self.most, other.most) {
            (None, None) | (Some(_), None) => self,
            (None, Some(_)) => other,
            (Some(one), Some(two)) => match one <= two {
                true => self,
                false => other,
            },
        }
    }
}

/// Limits by what they limit; what is not there is not limited.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits(pub BTreeMap<LimitKey, Limit>);

impl Limits {
    /// One of them.
    #[must_use]
    pub fn get(&self, key: LimitKey) -> Limit {
        self.0.get(&key).copied().unwrap_or_default()
    }

    /// Nothing is limited and nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn change(&mut self, key: LimitKey, change: impl FnOnce(&mut Limit)) {
        let limit = self.0.entry(key).or_default();
        change(limit);
        if *limit == Limit::default() {
            self.0.remove(&key);
        }
    }

    /// The player wants this one to be so.
    pub(crate) fn want(&mut self, at_ms: i64, key: LimitKey, wanted: Option<i64>) {
        self.change(key, |limit| limit.want(at_ms, wanted));
    }

    /// The player says once more that it shall be looser.
    pub(crate) fn confirm(&mut self, at_ms: i64, key: LimitKey) {
        self.change(key, |limit| limit.confirm(at_ms));
    }
}
