//! Proves one round from one file alone: signatures, headers, records,
//! payments. What a lab's `sicbo verify` and a player's browser both run.
//!
//! It is given bytes and answers; it reads no file, no clock and no network,
//! and compiles to WebAssembly ([`answer`], `wasm.rs`).
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

pub mod answer;
pub mod bundle;
mod code;
pub mod digests;
mod lives;
pub mod paid;
pub mod receipt;
pub mod slip;
pub mod text;
mod trust;
#[cfg(target_family = "wasm")]
mod wasm;

pub use code::RoundCode;
pub use lives::{Life, Lives};
pub use trust::{FINGERPRINT_DIGITS, Trust, TrustError};
