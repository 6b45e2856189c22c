//! Devices of a table behind small ports, each with a real and a simulated
//! implementation: tumbler, line protocol, printer, note acceptor.

pub mod acceptor;
pub mod line;
pub mod printer;
pub mod tumbler;
