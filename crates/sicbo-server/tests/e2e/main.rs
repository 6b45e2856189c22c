//! A running house over real connections: all five tables are played, and
//! every balance is what bets, dice and the documents' odds make of it.

mod automatic;
mod closing;
#[path = "../common/mod.rs"]
mod common;
mod journeys;
mod play;
mod player;
mod shown;
mod voids;

/// Started by the tests as the house program; alone it does nothing.
#[test]
#[ignore = "started by the other tests as the house program"]
fn house_program() {
    common::house::run_if_asked();
}
