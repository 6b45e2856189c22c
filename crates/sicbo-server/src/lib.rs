//! The HTTP and WebSocket edge of a house.

pub mod wire;
