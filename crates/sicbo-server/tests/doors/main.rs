//! The doors of a house: who may use them, and what becomes of those who
//! misuse them. Every test talks to a house program of its own, over the
//! network, with bytes it writes itself.
#![expect(unreachable_pub, reason = "one test program")]

mod bad_http;
mod bad_sockets;
mod cases;
mod crowd;
mod decisions;
mod house;
mod http;
mod openapi;
mod pit;
mod play;
mod preview;
mod proposals;
mod real_money;
mod reports;
mod requests;
mod roles;
mod sessions;
mod stopped;
mod stopping;
mod tls;
mod trial;
mod vouchers;
mod ws;

/// The house program itself, where this test program was started as one.
#[test]
#[ignore = "run by the tests as the house they talk to"]
fn house_program() {
    house::run_if_asked();
}
