//! Drives a single-writer loop with threads, the house's clock and a real store.
//!
//! [`Runner`] owns the two threads of a loop and its bounded queue. A simulator
//! uses none of it: it drives `sicbo-loop` with a seed.

mod inbox;
mod runner;

pub use runner::{Handle, Runner, RunnerOptions};
