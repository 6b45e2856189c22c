//! What runs tables: the single-writer loop with group commit, recovery after
//! a stop, and the tools that verify, replay, export and prove a journal.
//!
//! [`WriterLoop`] is a plain function over a closed set of inputs; [`Runner`]
//! drives it with threads, a real clock and a real store, and a simulator
//! drives it with a seed. Neither knows a socket.

pub mod backup;
pub mod bundle;
pub mod describe;
pub mod digests;
pub mod export;
mod inbox;
mod index;
mod machine;
pub mod paid;
mod persist;
mod recovery;
pub mod register;
mod runner;
pub mod source;
pub mod story;
pub mod text;
pub mod ticket;
mod trust;
pub mod tumbles;
mod verify;
pub mod vouchers;
mod walk;
mod writer_loop;

pub use machine::{FENCE_AFTER_MS, Machine, Notes};
pub use persist::{Order, RoundChange, persist};
pub use recovery::{Recovered, RecoveryError, recover};
pub use runner::{Handle, Listener, Returned, Runner, RunnerOptions, now_ms};
pub use trust::{FINGERPRINT_DIGITS, Trust, TrustError};
pub use verify::{Verified, VerifyError, verify};
pub use walk::{Visitor, walk};
pub use writer_loop::{Answer, Effect, Input, LoopOptions, WriterLoop};
