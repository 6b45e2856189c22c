//! One test program with a module per area.

mod altered_schema;
mod block_format;
mod common;
mod conformance;
mod crafted_rows;
mod faults;
mod folder;
mod lost_pages;
mod ordinary_tools;
mod threads;
mod verification;
