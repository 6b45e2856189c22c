//! Responsible play: what a player has asked to be held to at a station, for
//! as long as that player's session lasts (P-075, P-078).
//!
//! It holds for bets that are still to be placed and never touches one that is
//! registered. A stricter limit counts at once, a looser one after a day.

use sicbo_rules::Money;
use sicbo_table::ids::SessionNumber;

/// A looser limit counts after this long.
pub const COOLING_OFF_MS: i64 = 86_400_000;
/// The longest break, in minutes: thirty days.
pub const LONGEST_BREAK_MIN: u32 = 30 * 24 * 60;
/// The longest limit on time, in minutes.
pub const LONGEST_TIME_MIN: u32 = 24 * 60;
/// Stations with something on record.
pub const MOST_PLAYS: usize = 20_000;

const MINUTE_MS: i64 = 60_000;

/// What a player may lose, stake and spend of time; none is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayLimits {
    /// Most that may be lost, net.
    pub loss: Option<Money>,
    /// Most that may be staked in all.
    pub spend: Option<Money>,
    /// Longest play, in minutes.
    pub minutes: Option<u32>,
}

fn stricter<T: Ord + Copy>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl PlayLimits {
    /// The stricter of both, limit by limit.
    #[must_use]
    pub fn stricter(&self, other: &PlayLimits) -> PlayLimits {
        PlayLimits {
            loss: stricter(self.loss, other.loss),
            spend: stricter(self.spend, other.spend),
            minutes: stricter(self.minutes, other.minutes),
        }
    }
}

/// A station's meters as far as play is measured by them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Staked in all.
    pub staked: Money,
    /// Came back in all, with corrections and voids.
    pub returned: Money,
}

/// What holds for a player at a station.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    /// Whose.
    pub session: SessionNumber,
    /// Since when the player has played, as far as is known.
    pub began_ms: i64,
    /// The meters then.
    pub base: Tally,
    /// What holds.
    pub limits: PlayLimits,
    /// What will hold, and from when.
    pub later: Option<(i64, PlayLimits)>,
    /// A reality check every so many minutes.
    pub check_min: Option<u16>,
    /// When the player last saw how they stand.
    pub checked_ms: i64,
    /// No play before then.
    pub break_until_ms: i64,
    /// No play at all: why.
    pub stopped: Option<String>,
}

/// Why no bet is taken, in order of precedence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPlay {
    /// The house has stopped this player's play.
    Stopped,
    /// The player takes a break.
    Break,
    /// The player must first look at how they stand.
    CheckDue,
    /// The time is up.
    Time,
    /// All that was to be staked is.
    Spend,
    /// It could lose more than was to be lost.
    Loss,
}

impl NoPlay {
    /// Every one, in order of precedence.
    pub const ALL: [NoPlay; 6] = [
        NoPlay::Stopped,
        NoPlay::Break,
        NoPlay::CheckDue,
        NoPlay::Time,
        NoPlay::Spend,
        NoPlay::Loss,
    ];

    /// The stable code of the refusal.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            NoPlay::Stopped => "play_stopped",
            NoPlay::Break => "on_a_break",
            NoPlay::CheckDue => "reality_check_due",
            NoPlay::Time => "time_limit_reached",
            NoPlay::Spend => "spend_limit_reached",
            NoPlay::Loss => "loss_limit_reached",
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            NoPlay::Stopped => "play was stopped here: ask an attendant",
            NoPlay::Break => "you are taking a break",
            NoPlay::CheckDue => "look at how you stand first",
            NoPlay::Time => "your own limit on time is reached",
            NoPlay::Spend => "this would go beyond what you wanted to stake",
            NoPlay::Loss => "this could lose more than you wanted to lose",
        }
    }
}

impl Play {
    /// Nothing set yet.
    #[must_use]
    pub fn new(session: SessionNumber, began_ms: i64, base: Tally) -> Play {
        Play {
            session,
            began_ms,
            base,
            limits: PlayLimits::default(),
            later: None,
            check_min: None,
            checked_ms: began_ms,
            break_until_ms: i64::MIN,
            stopped: None,
        }
    }

    /// The limits that hold at a time.
    #[must_use]
    pub fn limits_at(&self, now_ms: i64) -> PlayLimits {
        match self.later {
            Some((from_ms, limits)) if now_ms >= from_ms => limits,
            _ => self.limits,
        }
    }

    /// What holds and what will, once a player wants other limits: stricter
    /// ones at once, looser ones after the cooling-off.
    pub(super) fn want(&mut self, now_ms: i64, wanted: PlayLimits) {
        let now = self.limits_at(now_ms).stricter(&wanted);
        // A limit that was not there can be set at once.
        self.limits = now;
        self.later = (now != wanted).then(|| (now_ms.saturating_add(COOLING_OFF_MS), wanted));
    }

    /// When the next reality check is due.
    #[must_use]
    pub fn next_check_ms(&self) -> Option<i64> {
        let minutes = i64::from(self.check_min?);
        Some(self.checked_ms.saturating_add(minutes * MINUTE_MS))
    }

    /// Staked and net loss since the session began.
    #[must_use]
    pub fn so_far(&self, now: &Tally) -> (Money, Money) {
        let staked = now.staked - self.base.staked;
        let returned = now.returned - self.base.returned;
        (staked, staked - returned)
    }

    /// Whether `more` may be staked now, as the station's meters stand.
    ///
    /// # Errors
    /// Why not.
    pub fn may_stake(&self, now_ms: i64, meters: &Tally, more: Money) -> Result<(), NoPlay> {
        if self.stopped.is_some() {
            return Err(NoPlay::Stopped);
        }
        if now_ms < self.break_until_ms {
            return Err(NoPlay::Break);
        }
        if self.next_check_ms().is_some_and(|due_ms| now_ms >= due_ms) {
            return Err(NoPlay::CheckDue);
        }
        let limits = self.limits_at(now_ms);
        let played = now_ms.saturating_sub(self.began_ms);
        if limits
            .minutes
            .is_some_and(|most| played >= i64::from(most) * MINUTE_MS)
        {
            return Err(NoPlay::Time);
        }
        let (staked, lost) = self.so_far(meters);
        if limits.spend.is_some_and(|most| staked + more > most) {
            return Err(NoPlay::Spend);
        }
        if limits.loss.is_some_and(|most| lost + more > most) {
            return Err(NoPlay::Loss);
        }
        Ok(())
    }
}

/// A change a player or the house makes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "fields repeat what the change says")]
pub enum PlayStep {
    /// The player wants these limits; none is none.
    Limit { limits: PlayLimits },
    /// A reality check every 30 or 60 minutes, or none.
    Check { minutes: Option<u16> },
    /// The player has seen how they stand.
    Acknowledge,
    /// The player takes a break.
    Break { minutes: u32 },
    /// The house stops this player's play.
    Stop { reason: String },
    /// And lets it go on.
    Resume { reason: String },
}

impl PlayStep {
    /// A stable word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            PlayStep::Limit { .. } => "limit",
            PlayStep::Check { .. } => "check",
            PlayStep::Acknowledge => "acknowledge",
            PlayStep::Break { .. } => "break",
            PlayStep::Stop { .. } => "stop",
            PlayStep::Resume { .. } => "resume",
        }
    }
}

/// Whose play a change is about, as its table saw it then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sitting {
    /// Whose.
    pub session: SessionNumber,
    /// Since when the player has played, as far as is known.
    pub began_ms: i64,
    /// The meters when it began.
    pub base: Tally,
}
