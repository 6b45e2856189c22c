//! What came of a simulated house.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::swarm::Swarm;

/// What came of a simulated house. The same seed gives the same report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseReport {
    /// The seed.
    pub seed: u64,
    /// What was on in it.
    pub swarm: Swarm,
    /// Its tables.
    pub tables: Vec<String>,
    /// How often the program began.
    pub lives: u64,
    /// Records in all journals.
    pub records: u64,
    /// Rounds that were settled, and void.
    pub rounds: [u64; 2],
    /// Simulated time.
    pub simulated_ms: i64,
    /// Bets that players were told are registered.
    pub bets: u64,
    /// Vouchers that left a table.
    pub vouchers: u64,
    /// Redemptions that players were told are done.
    pub redeemed: u64,
    /// Two-person acts that were told as done.
    pub adjustments: u64,
    /// Requests of players that were refused, by code.
    pub refusals: BTreeMap<String, u64>,
    /// What it met: facts, refusals, void causes by book, faults, points at which the power went.
    pub reached: BTreeSet<String>,
    /// Frames both ways.
    pub frames: u64,
    /// Over every frame both ways and every byte of the journals, in their order.
    pub digest: String,
}

impl fmt::Display for HouseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.tables.join(", ");
        writeln!(f, "house {}: {tables}; {}", self.seed, self.swarm)?;
        let [settled, void] = self.rounds;
        writeln!(
            f,
            "{} lives, {} records, {settled} rounds settled, {void} void, {} bets, {} vouchers, \
             {} redeemed, {} adjustments, {} s",
            self.lives,
            self.records,
            self.bets,
            self.vouchers,
            self.redeemed,
            self.adjustments,
            self.simulated_ms / 1_000
        )?;
        write!(f, "refused:")?;
        for (code, count) in &self.refusals {
            write!(f, " {code} {count}")?;
        }
        write!(f, "\n{} frames, digest {}", self.frames, self.digest)
    }
}
