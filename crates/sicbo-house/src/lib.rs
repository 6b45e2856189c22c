//! What runs a house beside its tables: vouchers from step to step, and the file
//! of its members.
//!
//! Money between tables moves only as vouchers, exactly once: what is next for
//! each follows from the durable register and tables, by plain functions. There
//! is no thread, no clock and no socket here.
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

pub mod membership;
pub mod vouchers;
