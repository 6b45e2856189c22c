//! Drives a single-writer loop with threads, the house's clock and a real store.
//!
//! [`Runner`] owns the two threads of a loop and its bounded queue. A simulator
//! uses none of it: it drives `sicbo-loop` with a seed. [`Processors`] are the
//! threads of a verification.
#![cfg_attr(
    test,
    expect(
        clippy::duplicate_mod,
        reason = "a test has one file once more, with locks that choose who comes first"
    )
)]

mod inbox;
#[cfg(test)]
#[path = "inbox/shuttled.rs"]
mod inbox_shuttled;
#[cfg(test)]
#[path = "inbox/tests.rs"]
mod inbox_tests;
mod processors;
mod runner;

/// The locks of the inbox: a test has it with others.
mod sync {
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
}

pub use processors::Processors;
pub use runner::{Handle, Runner, RunnerOptions};
