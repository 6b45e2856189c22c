//! Time in a simulated house: one that only goes on, and the machine's clock,
//! which jumps, runs back and drifts where the seed says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use sicbo_clock::Clocks;

use crate::random::Random;
use crate::world::BEGINNING_MS;

const MILLION: i64 = 1_000_000;

#[derive(Default)]
struct Shown {
    steady: AtomicI64,
    /// How far the machine's clock is off.
    off: AtomicI64,
    /// How much too fast it runs, in millionths.
    drift_ppm: AtomicI64,
    /// Millionths of a millisecond that it is off besides.
    rest: AtomicI64,
}

/// Time in the world. Clones show the same.
#[derive(Clone, Default)]
pub(super) struct WorldTime(Arc<Shown>);

impl Clocks for WorldTime {
    fn machine_ms(&self) -> i64 {
        BEGINNING_MS + self.steady_ms() + self.0.off.load(Ordering::Relaxed)
    }

    fn steady_ms(&self) -> i64 {
        self.0.steady.load(Ordering::Relaxed)
    }
}

impl WorldTime {
    /// A world whose machine's clock shows this at its beginning.
    pub(super) fn beginning_at(begins_ms: i64) -> WorldTime {
        let time = WorldTime::default();
        let off = begins_ms - BEGINNING_MS;
        time.0.off.store(off, Ordering::Relaxed);
        time
    }

    pub(super) fn pass(&self, ms: i64) {
        self.0.steady.fetch_add(ms, Ordering::Relaxed);
        let drifted = ms * self.0.drift_ppm.load(Ordering::Relaxed);
        let rest = self.0.rest.load(Ordering::Relaxed) + drifted;
        self.0.rest.store(rest % MILLION, Ordering::Relaxed);
        self.0.off.fetch_add(rest / MILLION, Ordering::Relaxed);
    }

    /// The machine's clock runs too fast by so many millionths from now on.
    pub(super) fn drift(&self, ppm: i64) {
        self.0.drift_ppm.store(ppm, Ordering::Relaxed);
    }

    pub(super) fn steady_ms(&self) -> i64 {
        Clocks::steady_ms(self)
    }

    pub(super) fn machine_ms(&self) -> i64 {
        Clocks::machine_ms(self)
    }

    /// Somebody sets the machine's clock, or it drifts. Returns by how much.
    pub(super) fn disturb(&self, chance: &mut Random) -> i64 {
        let by_ms = match chance.below(4) {
            0 => chance.between(1_100, 3_600_000),
            1 => -chance.between(1_100, 600_000),
            _ => chance.between(-40, 40),
        };
        self.0.off.fetch_add(by_ms, Ordering::Relaxed);
        by_ms
    }
}
