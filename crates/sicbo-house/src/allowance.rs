//! How often something may still be done: so often at once, and so often a
//! second on average.

/// One act, in the millionths that are counted.
const WHOLE: i64 = 1_000_000;
/// Messages of one connection: at once, and a second.
const MESSAGES: (i64, i64) = (400, 200 * WHOLE);
/// Reads of a stranger's connection: each wakes a thread, however little it brings. Walls say
/// next to nothing, and what waits meanwhile comes with the next read.
const READS: (i64, i64) = (20, 20 * WHOLE);
/// Calls and disputes of one station, one every ten seconds: each is on record
/// and on every screen of the staff.
const CALLS: (i64, i64) = (5, WHOLE / 10);
/// Connections of one station, one every two seconds: coming and going are on
/// record.
const CONNECTIONS: (i64, i64) = (120, WHOLE / 2);
/// Cards looked up at one station, one every twenty seconds: a person types
/// their own number, and mistypes it a few times.
const LOOK_UPS: (i64, i64) = (6, WHOLE / 20);
/// Cards looked up from one address, which may speak for a bank of stations.
const LOOK_UPS_FROM_AN_ADDRESS: (i64, i64) = (60, WHOLE / 2);
/// One card presented wrongly, anywhere, one every three minutes: a PIN of
/// four digits is then found in weeks, not in seconds.
const WRONG_PINS: (i64, i64) = (10, WHOLE / 180);
/// Notes of the security log that are written one by one: 600 an hour.
const SECURITY_NOTES: (i64, i64) = (200, WHOLE / 6);

/// How often something may still be done.
pub struct Allowance {
    /// In millionths of an act.
    left: i64,
    at_most: i64,
    per_second: i64,
    /// When it was last counted, by the steady clock.
    at_ms: i64,
}

impl Allowance {
    fn of((at_once, per_second): (i64, i64), now_ms: i64) -> Allowance {
        Allowance {
            left: at_once * WHOLE,
            at_most: at_once * WHOLE,
            per_second,
            at_ms: now_ms,
        }
    }

    /// So many a second, and as many at once as that many seconds give.
    #[must_use]
    pub fn a_second(count: u32, burst_s: u32, now_ms: i64) -> Allowance {
        let count = i64::from(count);
        Allowance::of((count * i64::from(burst_s), count * WHOLE), now_ms)
    }

    /// Of messages, for one connection.
    #[must_use]
    pub fn of_messages(now_ms: i64) -> Allowance {
        Allowance::of(MESSAGES, now_ms)
    }

    /// Of reads, for the connection of a stranger.
    #[must_use]
    pub fn of_reads(now_ms: i64) -> Allowance {
        Allowance::of(READS, now_ms)
    }

    /// Of calls and disputes, for one station.
    #[must_use]
    pub fn of_calls(now_ms: i64) -> Allowance {
        Allowance::of(CALLS, now_ms)
    }

    /// Of connections, for one station.
    #[must_use]
    pub fn of_connections(now_ms: i64) -> Allowance {
        Allowance::of(CONNECTIONS, now_ms)
    }

    /// Of cards looked up, at one station.
    #[must_use]
    pub fn of_look_ups(now_ms: i64) -> Allowance {
        Allowance::of(LOOK_UPS, now_ms)
    }

    /// Of cards looked up, from one address.
    #[must_use]
    pub fn of_look_ups_from_an_address(now_ms: i64) -> Allowance {
        Allowance::of(LOOK_UPS_FROM_AN_ADDRESS, now_ms)
    }

    /// Of one card presented wrongly.
    #[must_use]
    pub fn of_wrong_pins(now_ms: i64) -> Allowance {
        Allowance::of(WRONG_PINS, now_ms)
    }

    /// Of notes of the security log, for the whole house.
    #[must_use]
    pub fn of_security_notes(now_ms: i64) -> Allowance {
        Allowance::of(SECURITY_NOTES, now_ms)
    }

    /// Takes one; false when there are too many. What is not allowed does not
    /// count against what comes later.
    pub fn take(&mut self, now_ms: i64) -> bool {
        let enough = self.has_one(now_ms);
        if enough {
            self.left -= WHOLE;
        }
        enough
    }

    /// Whether there is one to take.
    pub fn has_one(&mut self, now_ms: i64) -> bool {
        let passed_ms = now_ms.saturating_sub(self.at_ms).max(0);
        // Exact, but for the thousandths of a millionth that are left over.
        let gained = passed_ms.saturating_mul(self.per_second) / 1_000;
        self.left = self.left.saturating_add(gained).min(self.at_most);
        self.at_ms = self.at_ms.max(now_ms);
        self.left >= WHOLE
    }

    /// One that was taken counts for nothing.
    pub fn give_back(&mut self) {
        self.left = self.left.saturating_add(WHOLE).min(self.at_most);
    }

    /// Whether nothing of it is used.
    pub fn is_full(&mut self, now_ms: i64) -> bool {
        self.has_one(now_ms) && self.left == self.at_most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_at_once_and_then_one_for_each_that_time_gives_back() {
        let mut calls = Allowance::of_calls(1_000);
        assert!((0..5).all(|_| calls.take(1_000)));
        assert!(!calls.take(1_000) && !calls.take(10_999));
        assert!(calls.take(11_000) && !calls.take(11_000));
        // Time that stands still or runs back gives nothing.
        assert!(!calls.take(0));
        // However long nothing happens, no more than those at once.
        assert!((0..5).all(|_| calls.take(10_000_000)) && !calls.take(10_000_000));
    }
}
