//! What the measuring process and its loads say to each other: one line of
//! JSON for each order, and one for its answer.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// What a load is told to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// Let so many terminals be connected.
    Connect { terminals: usize },
    /// Put so many notes into each of the first terminals.
    Notes { terminals: usize, each: usize },
    /// One bet from each of the first terminals.
    BetOnce { terminals: usize },
    /// Say when each of the first terminals had its settlement of a round.
    Settle { terminals: usize, round: u64 },
    /// Bet without an end for a while.
    Play(Play),
    /// So many connections that are no terminals, to this address.
    BareConnect {
        address: SocketAddr,
        connections: usize,
    },
    /// Say when each of them had so many bytes.
    BareRead { bytes: usize },
    /// Close them.
    BareClose,
}

/// How bets are placed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Play {
    /// By so many terminals.
    pub(crate) terminals: usize,
    /// Bets of one frame.
    pub(crate) lines: usize,
    /// Frames of one terminal that may wait for their answer.
    pub(crate) window: usize,
    /// Frames a second of this load, due whatever has been answered; nothing:
    /// as fast as answers come.
    pub(crate) rate: Option<f64>,
    /// Not counted.
    pub(crate) warm_ms: u64,
    /// Counted.
    pub(crate) measured_ms: u64,
}

/// What came of an order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// What went wrong, if anything did.
    pub(crate) failed: Option<String>,
    /// Terminals that are connected.
    pub(crate) connected: usize,
    /// Frames registered while it was counted.
    pub(crate) registered: u64,
    /// Frames refused while it was counted.
    pub(crate) refused: u64,
    /// How long registration took: microseconds and how often, rising.
    pub(crate) waits: Vec<(u64, u64)>,
    /// When the last settlement, or the last of the bare bytes, was there,
    /// microseconds since 1970.
    pub(crate) last_us: u64,
    /// Bytes that all terminals heard meanwhile.
    pub(crate) heard_bytes: u64,
}

/// Microseconds since 1970: the one clock all processes share.
pub(crate) fn now_us() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(since.unwrap_or_default().as_micros()).unwrap_or(u64::MAX)
}

/// How often which wait happened, to one part in 32.
#[derive(Clone, Default)]
pub(crate) struct Waits {
    counts: std::collections::BTreeMap<u64, u64>,
}

impl Waits {
    pub(crate) fn add(&mut self, us: u64, times: u64) {
        let shift = (64 - us.leading_zeros()).saturating_sub(6);
        *self.counts.entry(us >> shift << shift).or_default() += times;
    }

    pub(crate) fn list(&self) -> Vec<(u64, u64)> {
        self.counts
            .iter()
            .map(|(us, times)| (*us, *times))
            .collect()
    }

    /// The wait that so many parts of a thousand do not exceed, in milliseconds.
    pub(crate) fn part_ms(&self, thousandths: u64) -> f64 {
        let all: u64 = self.counts.values().sum();
        let mut left = all * thousandths / 1_000;
        for (us, times) in &self.counts {
            if *times > left {
                return *us as f64 / 1e3;
            }
            left -= times;
        }
        self.counts.keys().last().map_or(0.0, |us| *us as f64 / 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_waits_are_told_to_one_part_in_32() {
        let mut waits = Waits::default();
        for us in 1..=100_000 {
            waits.add(us, 1);
        }
        for (thousandths, ms) in [(500, 50.0), (990, 99.0)] {
            let told = waits.part_ms(thousandths);
            assert!((told / ms - 1.0).abs() < 1.0 / 30.0, "{told} for {ms}");
        }
    }
}
