//! One tree over everything a house makes durable, and the witness outside it.
//!
//! A leaf is the header hash of one block of any stream, in the order in which
//! blocks became durable. The house signs the tree's head every few seconds; a
//! witness cosigns it when it continues the head before. Whoever holds a
//! cosigned head can tell an older copy of the house's files from the newest.
//!
//! Formats are public: signed notes, checkpoints, cosignatures and the
//! witness's protocol of c2sp.org, the tree of RFC 6962. Only roots leave the house.
//!
//! - [`note`], [`head`] and [`tree`] are those formats, as plain functions.
//! - [`house_tree`] keeps the tree of a house in its data folder.
//! - [`mark`] keeps the newest head outside it, where there is no witness.
//! - [`check`] holds a data folder to a cosigned head.
//! - [`witness`] is the witness's judgement and memory.
//! - `server` and `client` (feature `net`) carry its bytes.

pub mod ask;
pub mod check;
#[cfg(feature = "net")]
pub mod client;
pub mod head;
pub mod house_tree;
pub mod mark;
pub mod note;
#[cfg(feature = "net")]
pub mod server;
pub mod tree;
pub mod url;
pub mod witness;
