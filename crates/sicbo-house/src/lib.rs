//! What runs a house, as a machine: inputs in, effects out.
//!
//! A table's [`hub`] and the register's [`desk`] follow what their loops have made
//! durable and tell everyone who is connected; [`terminal`] and [`acts`] are the
//! doors of players and staff; [`proposals`] wait for their second person;
//! [`vouchers`] move money between tables exactly once. Whoever runs it gives it
//! time, loops and a [`house::Host`]: the server with threads and sockets, the
//! simulator with a seed. There is no thread, no clock and no socket here.
#![cfg_attr(
    test,
    expect(
        clippy::duplicate_mod,
        reason = "a test has one file once more, with locks that choose who comes first"
    )
)]
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

pub mod acts;
pub mod address;
pub mod allowance;
pub mod backing;
mod calls;

pub mod clock;
pub mod connection;
#[cfg(test)]
#[path = "connection/shuttled.rs"]
mod connection_shuttled;
#[cfg(test)]
#[path = "connection/tests.rs"]
mod connection_tests;
mod corrections;
pub mod desk;
pub mod devices;
pub mod driver;
pub mod house;
pub mod hub;
pub mod limits;
pub mod look_ups;
pub mod membership;
mod moving;
mod posts;
pub mod practice;
pub mod proposals;
pub mod receipts;
mod rounds;
pub mod service;
pub mod sessions;
pub mod slow_down;
pub mod terminal;
pub mod visits;
pub mod vouchers;
pub mod watch;

/// The locks of connections: a test has them with others.
mod sync {
    pub(crate) use parking_lot::{Mutex, MutexGuard};
}
