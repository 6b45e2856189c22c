//! Test only: a file system for SQLite that lives in memory and fails on
//! demand. A crash keeps what was synced and, of what was not, whatever the
//! seed says: each write whole, lost, or torn at a sector. A failed sync gives
//! up the pages it was to write: they are read as before, and gone after a
//! power cut. A removed file lives on while it is open. A new or removed name
//! is durable when the folder is synced, and may be lost before.
//!
//! `disk` holds the files and their faults and is plain Rust; `vfs` is the C
//! interface that lets SQLite use them, and the only place with `unsafe`.

mod disk;
mod files;
mod locks;
mod names;
mod vfs;

pub use disk::{FaultDisk, Lost, TakenAway, Usage};
