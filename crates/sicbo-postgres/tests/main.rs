//! The truth in PostgreSQL, against real servers with quorum commit.
#![expect(clippy::unwrap_used, reason = "what a test makes for itself is there")]

mod common;
mod conforms;
mod follows;
mod quorum;
mod refused;
