//! Responsible play: what a player has asked to be held to (P-075, P-078).
//!
//! Without a card it holds at one station for as long as the player's visit
//! lasts; with a card it holds wherever the card is used, in the session, the
//! day, the week and the month. It holds for bets that are still to be placed
//! and never touches one that is registered.
//!
//! A visit lasts until all credit is taken out, and is known by the number of
//! its first session: what is on record from that session on is of this visit.

pub mod clock;
pub mod held;
pub mod limits;
pub mod member;

use std::borrow::Cow;

use sicbo_rules::{Currency, Money};
pub use sicbo_table::grant::Tally;
use sicbo_table::ids::SessionNumber;

use super::Register;
use super::voucher::Place;
use clock::PlayClock;
use limits::{LimitKey, Limits, Measure, Window};
use member::MemberId;

/// A looser limit can be confirmed after this long.
pub const COOLING_OFF_MS: i64 = 86_400_000;
/// A reality check every so many minutes of play, unless the player wants
/// another interval (J-01).
pub const CHECK_MIN: u16 = 60;
/// The longest time between reality checks, in minutes of play.
pub const LONGEST_CHECK_MIN: u16 = 240;
/// The longest break, in minutes: thirty days.
pub const LONGEST_BREAK_MIN: u32 = 30 * 24 * 60;
/// Why the house stops the play of whoever shows an excluded card.
pub const EXCLUDED: &str = "on the exclusion list";
/// For so long a member who has shown who they are may change what binds them.
pub const PROOF_LASTS_MS: i64 = 5 * 60_000;
/// Stations with something on record.
pub const MAX_PLAYS: usize = 20_000;
/// Readings in one record.
pub const MAX_COUNTED: usize = 256;

/// What a player may lose, stake and spend of time in a session; none is no
/// limit. So limits were set before they were set one by one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayLimits {
    /// Most that may be lost, net.
    pub loss: Option<Money>,
    /// Most that may be staked in all.
    pub spend: Option<Money>,
    /// Longest play, in minutes.
    pub minutes: Option<u32>,
}

impl PlayLimits {
    /// One by one.
    #[must_use]
    pub fn each(&self) -> [(LimitKey, Option<i64>); 3] {
        let key = |measure| LimitKey {
            window: Window::Session,
            measure,
        };
        [
            (key(Measure::Time), self.minutes.map(i64::from)),
            (key(Measure::Spend), self.spend.map(Money::minor)),
            (key(Measure::Loss), self.loss.map(Money::minor)),
        ]
    }
}

/// The card of whoever plays at a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card {
    /// Whose.
    pub member: MemberId,
    /// What is played in there.
    pub currency: Currency,
}

sicbo_rules::worded! {
    /// How a member has shown that the card is theirs.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Proof: word {
        /// They gave the PIN.
        Pin = "pin",
        /// The terminal's reader has read the card itself.
        Read = "read",
    }
}

/// What holds for a player at a station, and what was counted of their play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    /// Whose.
    pub session: SessionNumber,
    /// Since when the player has played, as far as is known.
    pub began_ms: i64,
    /// The meters then.
    pub base: Tally,
    /// The player's card.
    pub card: Option<Card>,
    /// Limits of this session alone.
    pub limits: Limits,
    /// A reality check every so many minutes of play.
    pub check_min: Option<u16>,
    /// The clock of play when the player last saw how they stand.
    pub checked_ms: i64,
    /// The player has said what they want, or that they want nothing.
    pub answered: bool,
    /// No play before then.
    pub break_until_ms: i64,
    /// No play at all: why.
    pub stopped: Option<String>,
    /// The same, of somebody who was here before: nobody has lifted it.
    pub still_stopped: Option<String>,
    /// The meters when they were last read.
    pub counted: Tally,
    /// The clock of play then.
    pub clock: PlayClock,
    /// How long it had run then.
    pub counted_ms: i64,
    /// When the member last showed that the card is theirs; nothing in records
    /// from before that was asked, which bind as they did then.
    pub proved_ms: Option<i64>,
}

/// Why no bet is taken, in order of precedence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPlay {
    /// The house has stopped this player's play.
    Stopped,
    /// The player takes a break.
    Break,
    /// The player's card is used elsewhere now.
    CardElsewhere,
    /// The player must first look at how they stand.
    CheckDue,
    /// It would go beyond a limit of the player's own.
    Limit(LimitKey),
}

impl NoPlay {
    /// Every one, in order of precedence.
    #[must_use]
    pub fn all() -> Vec<NoPlay> {
        let keys = LimitKey::all();
        [
            NoPlay::Stopped,
            NoPlay::Break,
            NoPlay::CardElsewhere,
            NoPlay::CheckDue,
        ]
        .into_iter()
        .chain(keys.map(NoPlay::Limit))
        .collect()
    }

    /// The stable code of the refusal.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            NoPlay::Stopped => "play_stopped",
            NoPlay::Break => "on_a_break",
            NoPlay::CardElsewhere => "card_elsewhere",
            NoPlay::CheckDue => "reality_check_due",
            NoPlay::Limit(key) => match (key.measure, key.window) {
                (Measure::Time, Window::Session) => "time_limit_reached",
                (Measure::Time, Window::Day) => "day_time_limit_reached",
                (Measure::Time, Window::Week) => "week_time_limit_reached",
                (Measure::Time, Window::Month) => "month_time_limit_reached",
                (Measure::Spend, Window::Session) => "spend_limit_reached",
                (Measure::Spend, Window::Day) => "day_spend_limit_reached",
                (Measure::Spend, Window::Week) => "week_spend_limit_reached",
                (Measure::Spend, Window::Month) => "month_spend_limit_reached",
                (Measure::Loss, Window::Session) => "loss_limit_reached",
                (Measure::Loss, Window::Day) => "day_loss_limit_reached",
                (Measure::Loss, Window::Week) => "week_loss_limit_reached",
                (Measure::Loss, Window::Month) => "month_loss_limit_reached",
            },
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            NoPlay::Stopped => "play was stopped here: ask an attendant",
            NoPlay::Break => "you are taking a break",
            NoPlay::CardElsewhere => "your card is in use at another station",
            NoPlay::CheckDue => "look at how you stand first",
            NoPlay::Limit(key) => match key.measure {
                Measure::Time => "your own limit on time is reached",
                Measure::Spend => "this would go beyond what you wanted to stake",
                Measure::Loss => "this could lose more than you wanted to lose",
            },
        }
    }
}

impl Play {
    /// Nothing set yet.
    #[must_use]
    pub fn new(sitting: &Sitting) -> Play {
        Play {
            session: sitting.session,
            began_ms: sitting.began_ms,
            base: sitting.base,
            card: None,
            limits: Limits::default(),
            check_min: Some(sitting.seen.map_or(CHECK_MIN, |seen| seen.check_min)),
            checked_ms: 0,
            answered: false,
            break_until_ms: i64::MIN,
            stopped: None,
            still_stopped: None,
            counted: sitting.base,
            clock: PlayClock::default(),
            counted_ms: 0,
            proved_ms: None,
        }
    }

    /// Whether what binds the member may be changed at a time: without a card
    /// nobody is bound beyond the visit.
    #[must_use]
    pub fn is_proved(&self, at_ms: i64) -> bool {
        let proved_ms = self.card.and(self.proved_ms);
        proved_ms.is_none_or(|proved_ms| at_ms.saturating_sub(proved_ms) <= PROOF_LASTS_MS)
    }

    /// The same after somebody else's play at the station: what held for them
    /// has gone with them, but a stop holds until it is lifted.
    #[must_use]
    pub fn after(before: Option<&Play>, sitting: &Sitting) -> Play {
        let stopped = before.and_then(|play| play.stopped.as_ref().or(play.still_stopped.as_ref()));
        Play {
            still_stopped: stopped.cloned(),
            ..Play::new(sitting)
        }
    }

    /// Whether it is on record of whoever sits there.
    #[must_use]
    pub fn is_of(&self, sitting: &Sitting) -> bool {
        self.session >= sitting.session
    }

    /// How long was played by then, as far as is known: readings come after
    /// what they read.
    #[must_use]
    pub fn played_ms(&self, sitting: &Sitting, at_ms: i64) -> i64 {
        let seen_ms = sitting.seen.map_or(0, |seen| seen.clock.at(at_ms));
        self.counted_ms.max(self.clock.at(at_ms)).max(seen_ms)
    }

    /// How long the clock ran on after it was read, if nothing more was wagered,
    /// and until when: what ran before midnight is of that day.
    #[must_use]
    pub fn ran_on(&self, now_ms: i64) -> (i64, i64) {
        let until = self.clock.last_ms.map_or(now_ms, |last_ms| {
            now_ms.min(last_ms.saturating_add(clock::IDLE_MS))
        });
        let ran = self.clock.at(now_ms).saturating_sub(self.counted_ms);
        (until, ran.max(0))
    }

    /// How long the clock of play shows when the next reality check is due.
    #[must_use]
    pub fn next_check_ms(&self) -> Option<i64> {
        let minutes = i64::from(self.check_min?);
        Some(self.checked_ms.saturating_add(minutes * 60_000))
    }
}

sicbo_rules::worded! {
    /// A change a player or the house makes.
    #[derive(Clone, PartialEq, Eq, Debug)]
    #[expect(missing_docs, reason = "fields repeat what the change says")]
    pub enum PlayStep: word, key {
        /// The player wants these limits for the session, all of them.
        Limit { limits: PlayLimits } = "limit" => "play-limited",
        /// A reality check every so many minutes of play, or none.
        Check { minutes: Option<u16> } = "check" => "reality-check-set",
        /// The player has seen how they stand.
        Acknowledge = "acknowledge" => "reality-check-acknowledged",
        /// The player takes a break.
        Break { minutes: u32 } = "break" => "break-taken",
        /// The house stops this player's play.
        Stop { reason: String } = "stop" => "play-stopped",
        /// And lets it go on.
        Resume { reason: String } = "resume" => "play-resumed",
        /// The player wants one limit to be so; none is no limit.
        Set { key: LimitKey, most: Option<i64> } = "set" => "limit-wanted",
        /// After the cooling-off the player says once more that it shall be looser.
        Confirm { key: LimitKey } = "confirm" => "limit-confirmed",
        /// The player's card was read, as it was before members showed that a
        /// card is theirs.
        Present { card: Card } = "present" => "card-presented",
        /// The member showed that the card is theirs, and uses it here.
        Prove { card: Card, proof: Proof } = "prove" => "member-proved",
    }
}

/// Whose play a change is about, as its table saw it then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sitting {
    /// Whose: the first session of the visit.
    pub session: SessionNumber,
    /// Since when the player has played, as far as is known.
    pub began_ms: i64,
    /// The meters when it began.
    pub base: Tally,
    /// What else is known; nothing in records of version 1, which are held to
    /// what was asked of them then.
    pub seen: Option<Seen>,
}

/// What a change is judged by beside the register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The house wants a reality check at least every so many minutes of play.
    pub check_min: u16,
    /// The clock of play.
    pub clock: PlayClock,
}

impl Register {
    /// What is on record for whoever sits at a station, or what holds for
    /// somebody of whom nothing is.
    #[must_use]
    pub fn play_of(&self, place: &Place, sitting: &Sitting) -> Cow<'_, Play> {
        match self.plays.get(place) {
            Some(play) if play.is_of(sitting) => Cow::Borrowed(play),
            before => Cow::Owned(Play::after(before, sitting)),
        }
    }
}

/// A station's meters and clock of play, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Which station.
    pub place: Place,
    /// Whose play.
    pub session: SessionNumber,
    /// The meters.
    pub meters: Tally,
    /// The clock of play.
    pub clock: PlayClock,
}
