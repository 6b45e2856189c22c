//! One table: what may be done at each moment, what it does to the money, and
//! which rule says so.
//!
//! [`decide`] answers a command with events or a refusal and changes nothing;
//! [`apply`] changes the state by an event and never fails. No I/O, no clock,
//! no randomness: time, dice and persons arrive inside commands. The same
//! inputs give the same bytes on every machine.
//!
//! A table that nobody has opened refuses everything else:
//!
//! ```
//! use sicbo_table::actor::Actor;
//! use sicbo_table::{Act, Command, Table, decide};
//!
//! let table = Table::default();
//! let command = Command { id: 1, at_ms: 0, by: Actor::House, second: None, act: Act::CallBets };
//! let refusal = decide(&table, &command).expect_err("no");
//! assert_eq!(refusal.code(), "table_not_open");
//! ```
//!
//! `examples/refusal.rs` opens one.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod actor;
mod apply;
pub mod authority;
pub mod books;
pub mod cash;
pub mod codec;
pub mod command;
pub mod config;
mod decide;
pub mod derive;
pub mod describe;
pub mod event;
pub mod grant;
pub mod ids;
pub mod legal;
mod must;
mod mutant;
pub mod notes;
mod open;
pub mod past;
pub mod pending;
pub mod positions;
pub mod record;
pub mod refusal;
pub mod requests;
pub mod round;
pub mod seen;
pub mod snapshot;
pub mod station;
pub mod table;
pub mod tumble_proof;
pub mod views;
pub mod visit;

pub use apply::apply;
pub use command::{Act, Command};
pub use config::Config;
pub use decide::amend::MAX_AMENDED;
pub use decide::decide;
pub use decide::play::MAX_OPEN_CASES;
pub use event::{Event, Fact};
pub use must::must;
pub use refusal::{Reason, Refusal};
pub use table::Table;
