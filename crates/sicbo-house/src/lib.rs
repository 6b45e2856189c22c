//! What runs tables: the single-writer loop with group commit, recovery after
//! a stop, and the tools that verify, replay, export and prove a journal.
//!
//! [`WriterLoop`] is a plain function over a closed set of inputs; [`Runner`]
//! drives it with threads, a real clock and a real store, and a simulator
//! drives it with a seed. Neither knows a socket.

pub mod archive;
pub mod backup;
pub mod bundle;
pub mod clock;
mod code;
mod cross_check;
pub mod dealer;
pub mod describe;
pub mod devices;
pub mod digests;
pub mod export;
pub mod history;
mod inbox;
pub mod increment;
mod index;
mod machine;
pub mod membership;
pub mod paid;
mod persist;
pub mod plan;
pub mod practice;
mod recovery;
pub mod register;
pub mod report;
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

pub use clock::{now_ms, steady_ms};
pub use code::RoundCode;
pub use cross_check::{Compared, cross_check};
pub use machine::{FENCE_AFTER_MS, Machine, Notes};
pub use persist::{Order, RoundChange, persist};
pub use recovery::{Recovered, RecoveryError, recover};
pub use runner::{Handle, Listener, Returned, Runner, RunnerOptions};
pub use trust::{FINGERPRINT_DIGITS, Trust, TrustError};
pub use verify::{
    RanBack, Verified, VerifiedHouse, VerifyError, VoucherMove, Way, verify, verify_house,
};
pub use walk::{Visitor, walk};
pub use writer_loop::{Answer, Effect, Input, LoopOptions, WriterLoop};
