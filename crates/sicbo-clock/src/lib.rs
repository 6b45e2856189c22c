//! The house's clock: what the machine's clock said when the program began, and
//! from then on what the steady clock adds.
//!
//! Deadlines of play and the times on records are the house's, so a machine's
//! clock that is set, by a person or by a time server, moves neither. The two
//! are compared; when they have parted, people are told and look
//! ([`HouseClock::apart`]), and only then is the house's set
//! ([`HouseClock::take`]).

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Clocks that differ by more than this have parted.
pub const PARTED_MS: i64 = 1_000;
/// Two readings further apart than this do not belong together: the program
/// was not running in between.
const TOGETHER_MS: i64 = 50;
/// How often it is tried to read both clocks together.
const TRIES: usize = 5;

/// The clocks of a machine.
pub trait Clocks: Send + Sync {
    /// UTC milliseconds. Can be set, and then jumps.
    fn machine_ms(&self) -> i64;
    /// Milliseconds since some beginning. Never runs back and never jumps.
    fn steady_ms(&self) -> i64;
}

/// The clocks of the machine this program runs on.
struct Own {
    began: Instant,
}

impl Clocks for Own {
    fn machine_ms(&self) -> i64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn steady_ms(&self) -> i64 {
        i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

/// The clock of a house.
pub struct HouseClock {
    clocks: Box<dyn Clocks>,
    /// The house's time where the steady clock stands at zero.
    zero_ms: AtomicI64,
}

impl HouseClock {
    /// A clock that begins with what the machine says.
    #[must_use]
    pub fn new(clocks: Box<dyn Clocks>) -> HouseClock {
        let zero_ms = clocks.machine_ms() - clocks.steady_ms();
        HouseClock {
            clocks,
            zero_ms: AtomicI64::new(zero_ms),
        }
    }

    /// Now, UTC milliseconds, as the house counts.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.zero_ms.load(Ordering::Relaxed) + self.clocks.steady_ms()
    }

    /// The steady clock, for durations that nobody may change.
    #[must_use]
    pub fn steady_ms(&self) -> i64 {
        self.clocks.steady_ms()
    }

    /// Both clocks at one moment: the house's and the machine's. Nothing when
    /// the program was held up each time it looked.
    #[must_use]
    pub fn both(&self) -> Option<(i64, i64)> {
        for _ in 0..TRIES {
            let before = self.clocks.steady_ms();
            let machine_ms = self.clocks.machine_ms();
            if self.clocks.steady_ms() - before <= TOGETHER_MS {
                return Some((self.zero_ms.load(Ordering::Relaxed) + before, machine_ms));
            }
        }
        None
    }

    /// Both clocks, the house's first, when they have parted.
    #[must_use]
    pub fn apart(&self) -> Option<(i64, i64)> {
        self.both()
            .filter(|(house_ms, machine_ms)| (machine_ms - house_ms).abs() > PARTED_MS)
    }

    /// Goes on from a time on record that is later than the machine's: the
    /// machine's clock ran back while the house was shut.
    pub fn not_before(&self, recorded_ms: i64) {
        let behind = recorded_ms.saturating_sub(self.now_ms());
        if behind > 0 {
            self.zero_ms.fetch_add(behind, Ordering::Relaxed);
        }
    }

    /// Sets the house's clock, whatever the machine's says: for a start after a
    /// long pause, before anybody is served.
    pub fn go_on_from(&self, house_ms: i64) {
        let zero_ms = house_ms.saturating_sub(self.clocks.steady_ms());
        self.zero_ms.store(zero_ms, Ordering::Relaxed);
    }

    /// Takes over the machine's time where the two have parted: what the
    /// house's was, and what it is.
    pub fn take(&self) -> (i64, i64) {
        match self.apart() {
            None => {
                let now_ms = self.now_ms();
                (now_ms, now_ms)
            }
            Some((house_ms, machine_ms)) => {
                self.zero_ms
                    .fetch_add(machine_ms - house_ms, Ordering::Relaxed);
                (house_ms, machine_ms)
            }
        }
    }
}

static HOUSE: OnceLock<Arc<HouseClock>> = OnceLock::new();

/// The clock of the house that this program runs.
pub fn house() -> &'static Arc<HouseClock> {
    HOUSE.get_or_init(|| {
        let began = Instant::now();
        Arc::new(HouseClock::new(Box::new(Own { began })))
    })
}

/// Runs the house by other clocks than the machine's. Once, before anything
/// asks for the time; false when it is too late.
pub fn run_by(clocks: Box<dyn Clocks>) -> bool {
    HOUSE.set(Arc::new(HouseClock::new(clocks))).is_ok()
}

/// Now, UTC milliseconds, as the house counts.
#[must_use]
pub fn now_ms() -> i64 {
    house().now_ms()
}

/// The steady clock in milliseconds, for durations.
#[must_use]
pub fn steady_ms() -> i64 {
    house().steady_ms()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Set {
        machine: AtomicI64,
        steady: AtomicI64,
    }

    impl Clocks for Arc<Set> {
        fn machine_ms(&self) -> i64 {
            self.machine.load(Ordering::Relaxed)
        }
        fn steady_ms(&self) -> i64 {
            self.steady.load(Ordering::Relaxed)
        }
    }

    fn clocks() -> (Arc<Set>, HouseClock) {
        let set = Arc::new(Set::default());
        set.machine.store(1_000_000, Ordering::Relaxed);
        set.steady.store(500, Ordering::Relaxed);
        let house = HouseClock::new(Box::new(Arc::clone(&set)));
        (set, house)
    }

    #[test]
    fn a_machine_clock_that_jumps_moves_nothing_until_it_is_taken_over() {
        let (set, house) = clocks();
        assert_eq!((house.now_ms(), house.apart()), (1_000_000, None));
        for jump in [-3_600_000, 100 * 86_400_000] {
            set.machine.fetch_add(jump, Ordering::Relaxed);
            assert_eq!(house.now_ms(), 1_000_000);
            assert_eq!(house.apart(), Some((1_000_000, 1_000_000 + jump)));
            set.machine.fetch_sub(jump, Ordering::Relaxed);
            assert_eq!(house.apart(), None);
        }
        // A clock that is slewed by less than a second is no alarm.
        set.machine.fetch_add(PARTED_MS, Ordering::Relaxed);
        assert_eq!(house.apart(), None);
        assert_eq!(house.take(), (1_000_000, 1_000_000), "nothing to take over");
        set.machine.fetch_add(1, Ordering::Relaxed);
        assert_eq!(house.take(), (1_000_000, 1_001_001));
        set.steady.fetch_add(20, Ordering::Relaxed);
        assert_eq!((house.now_ms(), house.steady_ms()), (1_001_021, 520));
    }

    #[test]
    fn a_house_goes_on_from_its_last_record() {
        let (_, house) = clocks();
        house.not_before(999_000);
        assert_eq!((house.now_ms(), house.apart()), (1_000_000, None));
        house.not_before(4_600_000);
        assert_eq!(house.apart(), Some((4_600_000, 1_000_000)));
    }
}
