//! One test program with a module per area.

mod fragile;
mod snapshots;
mod writer_loop;
