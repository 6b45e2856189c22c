//! Drives a single-writer loop with threads, the house's clock and a real store.
//!
//! [`Runner`] owns the two threads of a loop and its bounded queue. A simulator
//! uses none of it: it drives `sicbo-loop` with a seed. [`Processors`] are the
//! threads of a verification.

mod inbox;
mod processors;
mod runner;

pub use processors::Processors;
pub use runner::{Handle, Runner, RunnerOptions};
