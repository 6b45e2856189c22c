//! The house program is killed in mid-work and started again on the same data.

#[path = "../common/mod.rs"]
mod common;

/// Started by the tests as the house program; alone it does nothing.
#[test]
#[ignore = "started by the other tests as the house program"]
fn house_program() {
    common::house::run_if_asked();
}
