//! The single writer of one stream, and the state it comes back to after a stop.
//!
//! [`WriterLoop`] is a plain function over a closed set of inputs, for any
//! [`Machine`]: a table is one, the house's register another. Whoever drives it,
//! with threads and a clock or with a seed, carries out its effects; [`persist`]
//! writes a block with all that belongs to it, [`recover`] reads a state back.
//! There is no thread, no clock and no socket here.
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

mod guard;
mod machine;
mod persist;
mod ports;
mod recovery;
mod writer_loop;

pub use guard::{apply_read, guarded};
pub use machine::{FENCE_AFTER_MS, Machine, Notes};
pub use persist::{Order, RoundChange, persist, rows, sign_tail};
pub use ports::{ClosedDoor, Door, Listener, Returned};
pub use recovery::{Recovered, RecoveryError, Replayed, recover, replay};
pub use writer_loop::{Answer, CHECKPOINT_EVERY_MS, Effect, Input, LoopOptions, WriterLoop};
