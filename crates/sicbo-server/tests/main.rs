//! One test program with a module per area: it links once, and starts itself as the house program
//! that its tests talk to.

// Before those that use its macro.
#[macro_use]
mod common;

mod chips;
mod devices;
mod doors;
mod drawings;
mod e2e;
mod fuzz;
mod history;
mod killed;
mod lost;
mod practice;
mod replayed;
mod settlements;
mod steady;
mod typescript;
mod words;

/// The house program itself, where a test started this program as one; alone it does nothing.
#[test]
#[ignore = "started by the other tests as the house program"]
fn house_program() {
    common::program::run_if_asked();
}
