//! A house goes on steadily: the machine's clock jumps, the whole program is
//! held for a while, and ten thousand watch who bet nothing.

mod clock;
#[path = "../common/mod.rs"]
mod common;
mod crowd;

/// Started by the tests as the house program; alone it does nothing.
#[test]
#[ignore = "started by the other tests as the house program"]
fn house_program() {
    clock::run_by_the_file();
    common::house::run_if_asked();
}
