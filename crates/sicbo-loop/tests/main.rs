//! One test program with a module per area.

mod snapshots;
mod writer_loop;
