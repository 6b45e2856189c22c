//! What every test over the network shares: a house program on a free
//! loopback port, people with sessions, terminals, and a model of the money
//! that shares nothing with the engine.
#![expect(unreachable_pub, reason = "each test program uses a part of it")]

pub mod account;
pub mod dealing;
pub mod device;
pub mod house;
pub mod http;
pub mod one;
pub mod people;
pub mod pit;
pub mod program;
pub mod proof;
pub mod terminal;

use std::time::Duration;

/// Whatever is waited for has come by then, or never comes.
pub const SOON: Duration = Duration::from_secs(40);
