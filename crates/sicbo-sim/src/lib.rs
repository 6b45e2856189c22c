//! A table under simulated time, disk, network and faults, all from one seed.
//!
//! The same loop, table, recovery and stores as in a house, with scripted
//! terminals and people; an auditor that shares no code with them checks every
//! cent and every promise. No wall clock, no threads of its own, no chance but
//! the seed's: a failing seed fails again.
//!
//! ```
//! let report = sicbo_sim::run(7).expect("a clean run");
//! assert_eq!(report, sicbo_sim::run(7).expect("the same run"));
//! ```

mod audit;
mod canary;
mod careless;
mod chips;
mod clocks;
mod dealer;
mod disk_actors;
mod ending;
mod engine;
mod floor;
mod house;
mod medium;
mod outgoing;
mod outsider;
mod plan;
mod process;
mod promises;
mod queue;
mod random;
mod tally;
mod terminal;
mod translate;
mod whole;
mod world;

pub use audit::{Audited, audit};
pub use canary::{Canary, run_canary, run_canary_with_own_disk};
use engine::Engine;
use sicbo_table::Table;
pub use tally::{Failure, Report};
pub use whole::{
    ACTS_OF_A_HOUSE, Counterparts, Coverage, HouseFlaw, HouseReport, Insider, InsiderReport,
    Outcome, Part, Scenario, Shrunk, Swarm, reachable, register_temptations, run_flawed_house,
    run_flawed_insider, run_house, run_insider, run_scenario, shrink, temptations,
};
use world::{Disk, World};

/// Runs one world.
///
/// # Errors
/// The first promise that was broken, with the last steps before.
pub fn run(seed: u64) -> Result<Report, Box<Failure>> {
    run_with::<Table>(seed, None, Disk::Shared)
}

/// Runs one world in which nobody but the house uses its disk: the worlds of
/// older seeds, as they were found.
///
/// # Errors
/// As [`run`].
pub fn run_with_own_disk(seed: u64) -> Result<Report, Box<Failure>> {
    run_with::<Table>(seed, None, Disk::Own)
}

fn run_with<E: Engine>(
    seed: u64,
    flaw: Option<Canary>,
    disk: Disk,
) -> Result<Report, Box<Failure>> {
    let plays = "WORLD";
    let fail = |what, last| {
        Box::new(Failure {
            seed,
            plays,
            what,
            last,
        })
    };
    let mut world = World::<E>::new(seed, flaw, disk).map_err(|what| fail(what, Vec::new()))?;
    let outcome = world.run().and_then(|()| world.report());
    outcome.map_err(|what| fail(what, world.tally.take_last()))
}
