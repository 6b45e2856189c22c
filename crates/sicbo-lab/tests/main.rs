//! One test program with a module per area.

mod distribution;
mod exposure_and_what_if;
mod fair;
mod games;
mod generator;
mod pictures;
mod sequential;
mod simulate;
mod strategy;

/// A seed nobody chose, printed so that a failure can be played again.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let seed = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    println!("seed {seed}");
    seed
}
