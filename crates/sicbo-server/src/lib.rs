//! The HTTP and WebSocket edge of a house: sessions, terminals, consoles,
//! displays, and the web app inside the binary.
//!
//! [`floor`] starts the house's loops and follows them; [`hub`] tells everyone
//! connected to a table what has become durable; [`desk`] does the same for
//! the register and moves vouchers; [`http`] and [`socket`] are the doors.
//! Only this crate knows JSON for clients.

pub mod clock;
pub mod connection;
pub mod desk;
pub mod driver;
pub mod edge;
pub mod figures;
pub mod floor;
pub mod http;
pub mod hub;
pub mod limited;
pub mod lines;
pub mod practice;
pub mod problem;
pub mod secrets;
pub mod serve;
pub mod sessions;
pub mod socket;
pub mod stakes;
pub mod timed;
pub mod wire;
