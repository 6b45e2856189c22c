//! The HTTP and WebSocket edge of a house: sessions, terminals, consoles,
//! displays, and the web app inside the binary.
//!
//! What a house does is in `sicbo-house`; this crate carries bytes, brings the
//! threads and the clock, and reads and writes files. [`floor`] starts the
//! house's loops and drives them; [`http`] and [`socket`] are the doors.

pub mod attest;
pub mod build;
pub mod camera;
pub mod certificates;
pub mod claims;
pub mod clock;
pub mod doctor;
pub mod edge;
pub mod figures;
pub mod floor;
pub mod http;
pub mod limited;
pub mod lines;
pub mod log;
pub mod log_ins;
pub mod metrics_door;
mod printing;
pub mod reload;
pub mod replay;
pub mod runtimes;
pub mod secrets;
pub mod security;
pub mod serve;
mod service;
pub mod socket;
mod storage;
pub mod timed;

pub use sicbo_wire as wire;
pub use sicbo_wire::problem;
