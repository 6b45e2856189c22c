//! The tests of the tree of a house and of its witness.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;
mod house_trees;
mod notes;
mod server;
mod witnesses;
