//! Which house is run: its seed, and what differs from what the seed draws.

use std::path::PathBuf;

use super::swarm::{Part, Swarm};
use crate::random::Random;

/// A deliberate fault that must be noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HouseFlaw {
    /// None.
    None,
    /// The medium says that blocks are durable before the power goes, and they
    /// are not.
    LostBlocks,
    /// An older copy of the register's journal is put back.
    OldRegister,
    /// Tables do not know how much money staff may move.
    NoMoneyDuties,
    /// The register does not know what people are held to.
    NoDuties,
}

/// Which house is run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The seed.
    pub seed: u64,
    /// A deliberate fault.
    pub flaw: HouseFlaw,
    /// What is on, where it is not what the seed draws.
    pub swarm: Option<Swarm>,
    /// Steps before it comes to its end, where they are not the usual ones.
    pub steps: Option<u64>,
    /// The story is kept.
    pub story: bool,
    /// Every table is under this book, where it is not what the seed draws.
    pub book: Option<String>,
    /// Its journals are written into this data folder when it has ended, however it did.
    pub data: Option<PathBuf>,
}

impl Scenario {
    /// The house of a seed.
    #[must_use]
    pub fn of(seed: u64) -> Scenario {
        Scenario {
            seed,
            flaw: HouseFlaw::None,
            swarm: None,
            steps: None,
            story: false,
            book: None,
            data: None,
        }
    }

    /// What is on in it.
    #[must_use]
    pub fn drawn(&self) -> Swarm {
        let drawn = || Swarm::drawn(&mut Random::new(!self.seed));
        let swarm = self.swarm.clone().unwrap_or_else(drawn);
        match self.book {
            // What an earlier program began has the tables it has.
            Some(_) => swarm.without(Part::Earlier),
            None => swarm,
        }
    }
}
