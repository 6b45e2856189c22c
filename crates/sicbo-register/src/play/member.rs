//! A member, known by a card: limits that hold wherever the card is used, and
//! what has been played since the day, the week and the month began.
//!
//! The number of a card is nobody's business here: the register knows a keyed
//! digest of it.

use jiff::Timestamp;
use jiff::tz::Offset;
use sicbo_rules::Currency;

use super::limits::{Limit, LimitKey, Limits, Measure, Window};
use super::{CHECK_MIN, Tally};
use crate::voucher::Place;

/// Members that are kept; who has nothing set is let go of first.
pub const MAX_MEMBERS: usize = 50_000;
/// Currencies in which one member has limits or a count.
pub const MAX_PURSES: usize = 16;
/// A member with nothing set is kept this long after the last play, so that
/// the month is counted whole.
const KEPT_MS: i64 = 32 * 86_400_000;

/// A member, by a keyed digest of the card's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, derive_more::Display, derive_more::Debug)]
#[display("{}", hex::encode(&_0[..8]))]
#[debug("MemberId({self})")]
pub struct MemberId(pub [u8; 32]);

/// A day, a week or a month in which somebody played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Spell {
    /// Which one, counted from 1970.
    pub number: i64,
    /// How long was played in it.
    pub played_ms: i64,
}

/// A member's limits and counts in one currency. Counts are of the member's
/// day, week and month.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Purse {
    /// The currency.
    pub currency: Currency,
    /// Limits on loss and spend.
    pub limits: Limits,
    /// Staked and returned in the day.
    pub day: Tally,
    /// In the week.
    pub week: Tally,
    /// In the month.
    pub month: Tally,
}

impl Purse {
    const fn tally(&self, window: Window) -> Tally {
        match window {
            Window::Session | Window::Day => self.day,
            Window::Week => self.week,
            Window::Month => self.month,
        }
    }

    const fn tally_mut(&mut self, window: Window) -> &mut Tally {
        match window {
            Window::Session | Window::Day => &mut self.day,
            Window::Week => &mut self.week,
            Window::Month => &mut self.month,
        }
    }
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Where the card was used last.
    pub at: Option<Place>,
    /// When.
    pub seen_ms: i64,
    /// Limits on time.
    pub time: Limits,
    /// By currency, in the order in which they were first used.
    pub purses: Vec<Purse>,
    /// The last day of play.
    pub day: Spell,
    /// The last week.
    pub week: Spell,
    /// The last month.
    pub month: Spell,
    /// How often the member wants a reality check; none is never.
    pub check_min: Option<u16>,
    /// The member has said what they want, or that they want nothing.
    pub answered: bool,
    /// No play before then.
    pub break_until_ms: i64,
    /// No play at all: why.
    pub stopped: Option<String>,
}

/// The number of the day, week or month of a time, by a clock so many minutes
/// east of UTC.
#[must_use]
pub fn spell_at(window: Window, at_ms: i64, offset_min: i64) -> i64 {
    let local = at_ms.saturating_add(offset_min * 60_000);
    let day = local.div_euclid(86_400_000);
    match window {
        Window::Session => 0,
        Window::Day => day,
        // The first of 1970 was a Thursday.
        Window::Week => (day + 3).div_euclid(7),
        Window::Month => {
            // A time beyond every calendar is in no month.
            let date = Timestamp::from_millisecond(local).map(|at| Offset::UTC.to_datetime(at));
            date.map_or(0, |at| i64::from(at.year()) * 12 + i64::from(at.month()))
        }
    }
}

impl Member {
    /// Nothing set yet.
    #[must_use]
    pub fn new(seen_ms: i64) -> Member {
        Member {
            at: None,
            seen_ms,
            time: Limits::default(),
            purses: Vec::new(),
            day: Spell::default(),
            week: Spell::default(),
            month: Spell::default(),
            check_min: Some(CHECK_MIN),
            answered: false,
            break_until_ms: i64::MIN,
            stopped: None,
        }
    }

    /// A limit of this member, in a currency where it is of money.
    #[must_use]
    pub fn limit(&self, key: LimitKey, currency: Currency) -> Limit {
        match key.measure {
            Measure::Time => self.time.get(key),
            _ => self
                .purse(currency)
                .map_or_else(Limit::default, |purse| purse.limits.get(key)),
        }
    }

    /// The limits that one of a kind is among.
    pub(crate) fn limits_mut(
        &mut self,
        measure: Measure,
        currency: Currency,
    ) -> Option<&mut Limits> {
        match measure {
            Measure::Time => Some(&mut self.time),
            _ => self.purse_mut(currency).map(|purse| &mut purse.limits),
        }
    }

    fn purse(&self, currency: Currency) -> Option<&Purse> {
        self.purses.iter().find(|purse| purse.currency == currency)
    }

    /// Whether there is room for limits and counts in a currency.
    #[must_use]
    pub fn has_room_for(&self, currency: Currency) -> bool {
        self.purses.len() < MAX_PURSES || self.purse(currency).is_some()
    }

    fn purse_mut(&mut self, currency: Currency) -> Option<&mut Purse> {
        if !self.has_room_for(currency) {
            return None;
        }
        let known = self.purses.iter().position(|p| p.currency == currency);
        let at = known.unwrap_or_else(|| {
            self.purses.push(Purse {
                currency,
                limits: Limits::default(),
                day: Tally::default(),
                week: Tally::default(),
                month: Tally::default(),
            });
            self.purses.len() - 1
        });
        self.purses.get_mut(at)
    }

    fn spell(&self, window: Window) -> Spell {
        match window {
            Window::Session => Spell::default(),
            Window::Day => self.day,
            Window::Week => self.week,
            Window::Month => self.month,
        }
    }

    /// What was counted in the day, week or month of a time.
    #[must_use]
    pub fn used(
        &self,
        window: Window,
        currency: Currency,
        at_ms: i64,
        offset_min: i64,
    ) -> (Tally, i64) {
        let spell = self.spell(window);
        // A clock of the house that goes back forgives nothing.
        if window == Window::Session || spell.number < spell_at(window, at_ms, offset_min) {
            return (Tally::default(), 0);
        }
        let tally = self.purse(currency).map(|purse| purse.tally(window));
        (tally.unwrap_or_default(), spell.played_ms)
    }

    /// Counts play that came to this.
    pub(crate) fn count(
        &mut self,
        at_ms: i64,
        offset_min: i64,
        currency: Currency,
        more: Tally,
        played_ms: i64,
    ) {
        self.seen_ms = self.seen_ms.max(at_ms);
        for window in [Window::Day, Window::Week, Window::Month] {
            let number = spell_at(window, at_ms, offset_min);
            let spell = match window {
                Window::Session | Window::Day => &mut self.day,
                Window::Week => &mut self.week,
                Window::Month => &mut self.month,
            };
            if spell.number < number {
                *spell = Spell {
                    number,
                    played_ms: 0,
                };
                for purse in &mut self.purses {
                    *purse.tally_mut(window) = Tally::default();
                }
            }
            spell.played_ms = spell.played_ms.saturating_add(played_ms.max(0));
            if let Some(purse) = self.purse_mut(currency) {
                let tally = purse.tally_mut(window);
                tally.staked += more.staked;
                tally.returned += more.returned;
            }
        }
    }

    /// Nothing is set, and nothing of this month would be lost.
    #[must_use]
    pub fn may_be_let_go(&self, now_ms: i64) -> bool {
        let limited = !self.time.is_empty() || self.purses.iter().any(|p| !p.limits.is_empty());
        !limited
            && self.stopped.is_none()
            && self.break_until_ms <= now_ms
            && self.seen_ms.saturating_add(KEPT_MS) <= now_ms
    }
}
