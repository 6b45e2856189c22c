//! One test program with a module per area.

mod audit;
mod canary;
mod dishonest;
mod house;
mod lives;
mod seeds;

use std::hash::{BuildHasher, Hasher, RandomState};

/// Where seeds that nobody chose begin: `SICBO_SEEDS_FROM`, which `make test` draws and prints, or a
/// number drawn here.
fn fresh_from() -> u64 {
    let drawn = || RandomState::new().build_hasher().finish() % 1_000_000_000_000;
    let from = std::env::var("SICBO_SEEDS_FROM");
    from.map_or_else(
        |_| drawn(),
        |from| from.parse().expect("SICBO_SEEDS_FROM is a number"),
    )
}
