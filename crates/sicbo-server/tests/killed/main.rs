//! The house program is killed (SIGKILL) in mid-work and started again on the
//! same data: J-05 and J-06 hold, whatever was under way.

#[path = "../common/mod.rs"]
mod common;
mod first_start;
mod released;
mod rounds;
mod settlement;
mod technical;
mod vouchers;

/// Started by the tests as the house program; alone it does nothing.
#[test]
#[ignore = "started by the other tests as the house program"]
fn house_program() {
    common::house::run_if_asked();
}
