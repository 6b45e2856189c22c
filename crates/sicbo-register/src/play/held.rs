//! What holds for whoever sits at a station now: the limits of the session and
//! of the card together, with what is used of each.

use sicbo_rules::Money;
use sicbo_table::grant::{Hold, PlayGrant, PlayHold};
use sicbo_table::ids::SessionNumber;

use super::clock::PlayClock;
use super::limits::{Limit, LimitKey, Measure, Window};
use super::member::{Member, spell_at};
use super::{NoPlay, Play, Tally};
use crate::Register;
use crate::voucher::Place;

/// A station as its table sees it at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// When.
    pub at_ms: i64,
    /// The house's clock is so many minutes east of UTC.
    pub offset_min: i64,
    /// The meters.
    pub meters: Tally,
    /// The clock of play.
    pub clock: PlayClock,
    /// What was played with the same card elsewhere and is not yet counted.
    pub elsewhere: Tally,
}

/// One limit with what is used of it, in minor units or minutes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Which.
    pub key: LimitKey,
    /// What holds and what waits.
    pub limit: Limit,
    /// What is used; below zero where more was won than lost.
    pub used: i64,
}

/// What holds for a player.
#[derive(Clone, Copy, Debug)]
pub struct Held<'r> {
    /// At the station.
    pub play: &'r Play,
    /// With the card.
    pub member: Option<&'r Member>,
    /// The card is used elsewhere now.
    pub elsewhere: bool,
}

impl Register {
    /// What holds for a player at a station.
    #[must_use]
    pub fn held<'r>(&'r self, place: &Place, play: &'r Play) -> Held<'r> {
        let member = play.card.and_then(|card| self.members.get(&card.member));
        let here = member.is_none_or(|member| member.at.as_ref() == Some(place));
        Held {
            play,
            member,
            elsewhere: !here,
        }
    }
}

impl Held<'_> {
    /// A limit with what waits of it: the stricter where session and card both
    /// have one.
    #[must_use]
    pub fn limit(&self, key: LimitKey) -> Limit {
        let own = match key.window {
            Window::Session => self.play.limits.get(key),
            _ => Limit::default(),
        };
        match (self.member, self.play.card) {
            (Some(member), Some(card)) => own.stricter(member.limit(key, card.currency)),
            _ => own,
        }
    }

    /// What was played within a window: staked and returned, and for how long.
    #[must_use]
    pub fn played(&self, window: Window, now: &Reading) -> (Tally, i64) {
        let played_ms = self.clock_ms(now);
        let (Window::Day | Window::Week | Window::Month, Some(member), Some(card)) =
            (window, self.member, self.play.card)
        else {
            return (now.meters.since(&self.play.base), played_ms);
        };
        let (counted, counted_ms) = member.used(window, card.currency, now.at_ms, now.offset_min);
        // What was not counted yet is of now.
        let more = now.meters.since(&self.play.counted);
        let tally = Tally {
            staked: counted.staked + more.staked + now.elsewhere.staked,
            returned: counted.returned + more.returned + now.elsewhere.returned,
        };
        let mut more_ms = played_ms.saturating_sub(self.play.counted_ms).max(0);
        let (until_ms, ran_ms) = self.play.ran_on(now.at_ms);
        let spell = |at_ms| spell_at(window, at_ms, now.offset_min);
        if spell(until_ms) < spell(now.at_ms) {
            more_ms -= ran_ms.min(more_ms);
        }
        (tally, counted_ms.saturating_add(more_ms))
    }

    fn used(&self, key: LimitKey, now: &Reading) -> i64 {
        let (tally, played_ms) = self.played(key.window, now);
        match key.measure {
            Measure::Time => played_ms / 60_000,
            Measure::Spend => tally.staked.minor(),
            Measure::Loss => tally.lost().minor(),
        }
    }

    /// Every limit that is set or waits, with what is used of it.
    #[must_use]
    pub fn rows(&self, now: &Reading) -> Vec<Row> {
        let row = |key| {
            let limit = self.limit(key);
            (limit != Limit::default()).then(|| Row {
                key,
                limit,
                used: self.used(key, now),
            })
        };
        LimitKey::all().filter_map(row).collect()
    }

    /// Whether the player must look at how they stand before the next bet.
    #[must_use]
    pub fn check_due(&self, now: &Reading) -> bool {
        let due = self.play.next_check_ms();
        due.is_some_and(|due_ms| self.clock_ms(now) >= due_ms)
    }

    /// What the clock of play shows: never less than was read of it.
    fn clock_ms(&self, now: &Reading) -> i64 {
        now.clock.at(now.at_ms).max(self.play.counted_ms)
    }

    /// Why play is stopped: the player's here or with the card, or of somebody
    /// who was here before.
    #[must_use]
    pub fn stopped(&self) -> Option<&str> {
        let own = self.play.stopped.as_deref();
        let with_card = || self.member.and_then(|member| member.stopped.as_deref());
        let here = || self.play.still_stopped.as_deref();
        own.or_else(with_card).or_else(here)
    }

    /// Until when the player takes a break, here and with the card.
    #[must_use]
    pub fn break_until_ms(&self) -> i64 {
        let with_card = self.member.map(|member| member.break_until_ms);
        self.play.break_until_ms.max(with_card.unwrap_or(i64::MIN))
    }

    /// What is left of the limits, for the station's table: ceilings of its
    /// meters, and from when on nothing may be staked.
    #[must_use]
    pub fn grant(&self, visit: SessionNumber, now: &Reading) -> PlayGrant {
        let mut grant = PlayGrant {
            hold: self.hold(now),
            ..PlayGrant::unlimited(visit)
        };
        for key in LimitKey::all() {
            let Some(most) = self.limit(key).most else {
                continue;
            };
            let (meter, ceiling) = match key.measure {
                Measure::Time => continue,
                Measure::Spend => (now.meters.staked, &mut grant.staked_to),
                Measure::Loss => (now.meters.lost(), &mut grant.lost_to),
            };
            let room = most.saturating_sub(self.used(key, now));
            let to = Money::from_minor(meter.minor().saturating_add(room));
            *ceiling = Some(ceiling.map_or(to, |known| known.min(to)));
        }
        grant
    }

    /// From when on nothing may be staked, and why, if the player plays on
    /// without a pause from now: the first of what comes first.
    fn hold(&self, now: &Reading) -> Option<PlayHold> {
        let at = |why, from_ms| Some(PlayHold { why, from_ms });
        if self.stopped().is_some() {
            return at(Hold::Stopped, now.at_ms);
        }
        if now.at_ms < self.break_until_ms() {
            return at(Hold::Break, now.at_ms);
        }
        if self.elsewhere {
            return at(Hold::Elsewhere, now.at_ms);
        }
        let after = |left_ms: i64| now.at_ms.saturating_add(left_ms.max(0));
        let check = self.play.next_check_ms().map(|due_ms| PlayHold {
            why: Hold::CheckDue,
            from_ms: after(due_ms.saturating_sub(self.clock_ms(now))),
        });
        let limits = LimitKey::all().filter(|key| key.measure == Measure::Time);
        let limits = limits.filter_map(|key| {
            let most = self.limit(key).most?;
            let (_, played_ms) = self.played(key.window, now);
            Some(PlayHold {
                why: Hold::TimeLimit,
                from_ms: after(most.saturating_mul(60_000).saturating_sub(played_ms)),
            })
        });
        let all = check.into_iter().chain(limits);
        all.min_by_key(|hold| hold.from_ms)
    }

    /// Whether `more` may be staked now.
    ///
    /// # Errors
    /// Why not.
    pub fn may_stake(&self, now: &Reading, more: Money) -> Result<(), NoPlay> {
        if self.stopped().is_some() {
            return Err(NoPlay::Stopped);
        }
        if now.at_ms < self.break_until_ms() {
            return Err(NoPlay::Break);
        }
        if self.elsewhere {
            return Err(NoPlay::CardElsewhere);
        }
        if self.check_due(now) {
            return Err(NoPlay::CheckDue);
        }
        for key in LimitKey::all() {
            let Some(most) = self.limit(key).most else {
                continue;
            };
            let beyond = match key.measure {
                Measure::Time => self.used(key, now) >= most,
                Measure::Spend | Measure::Loss => {
                    self.used(key, now).saturating_add(more.minor()) > most
                }
            };
            if beyond {
                return Err(NoPlay::Limit(key));
            }
        }
        Ok(())
    }
}
