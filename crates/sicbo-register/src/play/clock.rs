//! The clock of play: it runs from a wager on and stops two minutes after the
//! last one (P-075).

/// It stops this long after the last wager.
pub const IDLE_MS: i64 = 120_000;

/// How long somebody has played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayClock {
    /// Up to the last wager.
    pub played_ms: i64,
    /// When that was; none before the first.
    pub last_ms: Option<i64>,
}

impl PlayClock {
    /// A wager was registered.
    pub fn wager(&mut self, at_ms: i64) {
        self.played_ms = self.at(at_ms);
        // A clock of the house that goes back takes nothing back.
        self.last_ms = Some(self.last_ms.map_or(at_ms, |last| last.max(at_ms)));
    }

    /// How long it has run by then.
    #[must_use]
    pub fn at(&self, now_ms: i64) -> i64 {
        let since = self.last_ms.map_or(0, |last| now_ms.saturating_sub(last));
        self.played_ms.saturating_add(since.clamp(0, IDLE_MS))
    }

    /// Until when it runs if nothing more is wagered; none while it stands.
    #[must_use]
    pub fn runs_until(&self, now_ms: i64) -> Option<i64> {
        let until = self.last_ms?.saturating_add(IDLE_MS);
        (now_ms < until).then_some(until)
    }
}
