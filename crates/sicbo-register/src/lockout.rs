//! Failures that are counted, and the growing time in which nothing more is tried.
//!
//! The same count serves persons, unknown names and places where voucher
//! numbers are presented (S-15, S-18).

/// Failures before the first cool-down.
pub const FAILURES_ALLOWED: u32 = 5;
/// Failures with one name at all places together before its first cool-down
/// everywhere. A single place that waits out its own cool-downs comes to them
/// only after days, so that nobody locks a colleague out from one screen.
pub const FAILURES_ANYWHERE: u32 = 50;
/// The first cool-down; each further failure doubles it.
pub const FIRST_COOL_DOWN_MS: i64 = 60_000;
/// No cool-down is longer.
pub const LONGEST_COOL_DOWN_MS: i64 = 3_600_000;

/// Failures in a row, and until when nothing more is tried.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Lockout {
    /// Failures since the last success or the last forgiving.
    pub failures: u32,
    /// When the last one happened.
    pub last_ms: i64,
    /// Nothing is tried before this; zero when nothing is locked.
    pub until_ms: i64,
}

impl Lockout {
    /// Until when it is locked, if it is.
    #[must_use]
    pub fn locked(&self, now_ms: i64) -> Option<i64> {
        (now_ms < self.until_ms).then_some(self.until_ms)
    }

    /// One more failure. Failures are forgotten after `forgiven_after_ms`
    /// without another; persons are forgiven only by a success.
    #[must_use]
    pub fn after_failure(self, now_ms: i64, forgiven_after_ms: Option<i64>) -> Lockout {
        self.after_failure_beyond(FAILURES_ALLOWED, now_ms, forgiven_after_ms)
    }

    /// One more failure, where so many are allowed.
    #[must_use]
    pub fn after_failure_beyond(
        self,
        allowed: u32,
        now_ms: i64,
        forgiven_after_ms: Option<i64>,
    ) -> Lockout {
        let forgiven = forgiven_after_ms
            .is_some_and(|after| now_ms.saturating_sub(self.last_ms.max(self.until_ms)) > after);
        let failures = if forgiven { 1 } else { self.failures + 1 };
        let until_ms = match failures.checked_sub(allowed) {
            None => 0,
            Some(beyond) => {
                let doubled = FIRST_COOL_DOWN_MS << beyond.min(10);
                now_ms.saturating_add(doubled.min(LONGEST_COOL_DOWN_MS))
            }
        };
        Lockout {
            failures,
            last_ms: now_ms,
            until_ms,
        }
    }
}
