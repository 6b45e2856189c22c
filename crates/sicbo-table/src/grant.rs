//! What the register lets a visit play for at a station (P-078).
//!
//! A player's own limits live in the register, which knows cards, days and
//! other tables. What is left of them it grants to the station the player is
//! at, as ceilings of the station's meters, and `decide` spends it bet by bet:
//! however many bets are on their way, no two can spend the same money, and a
//! replay shows it. A ceiling moves with neither bets nor results, so a grant
//! is given once and again only when the limits or what was played elsewhere
//! change. A card that goes to another station takes its grant along: the old
//! one is withdrawn, and only then is there a new one.

use sicbo_rules::Money;

use crate::ids::SessionNumber;
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::station::{Meters, Station};

/// A station's meters as far as play is measured by them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Staked in all.
    pub staked: Money,
    /// Came back in all, with corrections and voids.
    pub returned: Money,
}

impl Tally {
    /// What came since.
    #[must_use]
    pub fn since(&self, before: &Tally) -> Tally {
        Tally {
            staked: self.staked - before.staked,
            returned: self.returned - before.returned,
        }
    }

    /// Lost, less what was won.
    #[must_use]
    pub fn lost(&self) -> Money {
        self.staked - self.returned
    }
}

impl Meters {
    /// As far as play is measured by them.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally {
            // What came back from a void round was no wager.
            staked: self.staked - self.void_returned,
            returned: self.returned + self.corrected_in - self.recovered,
        }
    }
}

sicbo_rules::worded! {
    /// Why nothing may be staked, whatever is left of the ceilings, in order of
    /// precedence.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Hold: word, ALL {
        /// The house has stopped this player's play.
        Stopped = "stopped",
        /// The player takes a break.
        Break = "break",
        /// The player's card is used elsewhere now.
        Elsewhere = "elsewhere",
        /// The player must first look at how they stand.
        CheckDue = "check-due",
        /// The player's own limit on time is reached.
        TimeLimit = "time-limit",
    }
}

impl Hold {
    fn reason(self) -> Reason {
        match self {
            Hold::Stopped => Reason::PlayStopped,
            Hold::Break => Reason::OnABreak,
            Hold::Elsewhere => Reason::CardElsewhere,
            Hold::CheckDue => Reason::RealityCheckDue,
            Hold::TimeLimit => Reason::TimeLimitReached,
        }
    }
}

/// Nothing may be staked from a time on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayHold {
    /// Why.
    pub why: Hold,
    /// From when.
    pub from_ms: i64,
}

/// How far the meters of a station may go for whoever is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayGrant {
    /// For whom: the first session of the visit.
    pub visit: SessionNumber,
    /// How much the station may show as staked; none is no limit.
    pub staked_to: Option<Money>,
    /// How much it may show as lost; none is no limit.
    pub lost_to: Option<Money>,
    /// From when on nothing may be staked, and why.
    pub hold: Option<PlayHold>,
}

impl PlayGrant {
    /// Nothing may be staked: the player plays elsewhere.
    #[must_use]
    pub const fn withdrawn(visit: SessionNumber) -> PlayGrant {
        PlayGrant {
            visit,
            staked_to: Some(Money::ZERO),
            lost_to: None,
            hold: None,
        }
    }

    /// Nothing is limited.
    #[must_use]
    pub const fn unlimited(visit: SessionNumber) -> PlayGrant {
        PlayGrant {
            visit,
            staked_to: None,
            lost_to: None,
            hold: None,
        }
    }

    /// Whether nothing may be staked at all.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.staked_to.is_some_and(|to| !to.is_positive())
    }

    /// Whether it lets so much more be staked now at a station that shows this.
    ///
    /// # Errors
    /// Which ceiling is in the way.
    pub(crate) fn lets(&self, at_ms: i64, now: &Tally, more: Money) -> Result<(), Refusal> {
        if let Some(hold) = self.hold.filter(|hold| at_ms >= hold.from_ms) {
            return Err(hold.why.reason().into());
        }
        let beyond = |used: Money, to: Option<Money>| {
            to.is_some_and(|to| used.checked_add(more).is_none_or(|after| after > to))
        };
        if beyond(now.staked, self.staked_to) {
            return Err(Reason::SpendLimitReached.into());
        }
        refuse_if!(beyond(now.lost(), self.lost_to), Reason::LossLimitReached);
        Ok(())
    }
}

impl Station {
    /// What holds for whoever is at the station; a grant ends with its visit.
    #[must_use]
    pub fn play_grant(&self) -> PlayGrant {
        let unlimited = PlayGrant::unlimited(self.visit.since);
        let given = self.grant.as_deref().copied();
        given
            .filter(|grant| grant.visit == unlimited.visit)
            .unwrap_or(unlimited)
    }

    /// Whether so much more may be staked here now.
    ///
    /// # Errors
    /// Which ceiling is in the way.
    pub(crate) fn lets_stake(&self, at_ms: i64, more: Money) -> Result<(), Refusal> {
        match &self.grant {
            // The rest of the station is not looked at for this.
            None => Ok(()),
            Some(_) => self.play_grant().lets(at_ms, &self.meters.tally(), more),
        }
    }
}
