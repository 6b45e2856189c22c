//! The house's key opened from where it is kept.

#![expect(clippy::unwrap_used, reason = "what a test makes for itself is there")]

mod address;
mod passphrase;
mod token;
