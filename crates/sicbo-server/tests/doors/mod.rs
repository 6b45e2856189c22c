//! The doors of a house: who may use them, and what becomes of those who
//! misuse them. Every test talks to a house program of its own, over the
//! network, with bytes it writes itself.
#![expect(unreachable_pub, reason = "one test program")]

mod acts_at_places;
mod bad_http;
mod bad_sockets;
mod cases;
mod copied_hash;
mod crowd;
mod dead_line;
mod decisions;
mod doctor;
mod duties;
mod gone;
pub(crate) mod house;
pub(crate) mod http;
mod logging_in;
mod older;
mod openapi;
mod pit;
mod play;
mod preview;
mod proposals;
mod put_back;
mod quota;
mod real_money;
mod reloading;
mod reports;
mod requests;
mod roles;
mod rollback;
mod security;
mod sessions;
mod stopped;
mod stopping;
mod strangers;
mod tampered_tree;
mod tls;
mod trial;
mod tumbler;
mod vouchers;
mod watching;
mod window;
mod ws;

use crate::common::proof;
